"""The languages of METEOR 1.5: its codes, and the other names that it takes for them."""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES: Mapping[str, str] = {
    "en": "English",
    "cz": "Czech",
    "fr": "French",
    "es": "Spanish",
    "de": "German",
    "pt": "Portuguese",
    "ru": "Russian",
    "da": "Danish",
    "ro": "Romanian",
    "hu": "Hungarian",
    "tr": "Turkish",
    "fi": "Finnish",
    "nl": "Dutch",
    "it": "Italian",
    "no": "Norwegian",
    "se": "Swedish",
    "ar-bw-red": "Arabic-buckwalter-reduced",
    "other": "Other",
}
"""Code → name, as METEOR 1.5 writes both."""

_CODES = {
    **{code: code for code in LANGUAGES},
    **{name.lower(): code for code, name in LANGUAGES.items()},
    "cs": "cz",
    "sv": "se",
    "xx": "other",
}


def language_code(name: str) -> str:
    """METEOR's code of a language that it knows, by any name: ``cz`` for ``cs`` and ``Czech``, ``other`` for ``xx``.

    The name of a language that METEOR does not know is given back as it is.
    """
    return _CODES.get(name.lower(), name)
