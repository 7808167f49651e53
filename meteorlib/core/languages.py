"""Languages: METEOR 1.5's codes and their synonyms, and the languages that have a preset."""

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

TUNED_LANGUAGES = ("en", "cz", "fr", "de", "es", "ru")
"""Languages for which METEOR 1.5 has tuned parameters, a normalizer, word lists and a paraphrase table."""

NAMES: Mapping[str, str] = {
    "ar": "Arabic",
    "bg": "Bulgarian",
    "bn": "Bengali",
    "ca": "Catalan",
    "cs": "Czech",
    "cy": "Welsh",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "eo": "Esperanto",
    "es": "Spanish",
    "et": "Estonian",
    "eu": "Basque",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "ga": "Irish",
    "gl": "Galician",
    "he": "Hebrew",
    "hi": "Hindi",
    "hr": "Croatian",
    "hu": "Hungarian",
    "hy": "Armenian",
    "id": "Indonesian",
    "is": "Icelandic",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "mk": "Macedonian",
    "ms": "Malay",
    "nb": "Norwegian",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sk": "Slovak",
    "sl": "Slovenian",
    "sr": "Serbian",
    "sv": "Swedish",
    "ta": "Tamil",
    "th": "Thai",
    "tl": "Filipino",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "ur": "Urdu",
    "vi": "Vietnamese",
    "zh": "Chinese",
}
"""Code of ISO 639-1 → language: those with a preset ``meteor-XX``."""

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


_ISO_CODES = {"no": "nb", **{language_code(code): code for code in NAMES}}


def iso_code(name: str) -> str | None:
    """The code of ISO 639-1 of a language in `NAMES`, by any of METEOR's names for it; None if it is not there."""
    return name.lower() if name.lower() in NAMES else _ISO_CODES.get(language_code(name))


def language_name(code: str) -> str | None:
    """English name of a language by its code, METEOR's or ISO 639's; None if it is unknown."""
    return _NAMES.get(code.replace("_", "-").partition("-")[0].lower())


_NAMES = {**NAMES, **{code: name for code, name in LANGUAGES.items() if code != "other"}}


def target_language(pair: str) -> str | None:
    """English name of the target language of a pair such as ``en-de``; None if these are not two known codes."""
    source, _, target = pair.partition("-")
    return language_name(target) if language_name(source) else None
