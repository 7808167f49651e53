"""Escapes for control and invisible characters in untrusted text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from unicodedata import category

JOINERS = "\u200c\u200d"
"""Zero width, and needed: by Persian and Indic letters and by emoji."""

_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")

_SUSPECT = re.compile(r"[^\n\t -~]+")


def harmless(text: str) -> str:
    r"""`text` with Python's escapes, such as ``\x1b`` and ``\u202e``, for characters that act instead of being seen.

    Joiners are kept where they join.
    """
    return _replace_hidden(text, lambda letter: repr(letter)[1:-1])


def one_line(name: str) -> str:
    """A name in one line, safe to print: white space becomes a space."""
    return harmless(" ".join(name.split()))


def harmless_lines(text: str, escape: Callable[[str], str] = lambda letter: repr(letter)[1:-1]) -> str:
    """Like `harmless`, but line ends and tabs stay, and so do all joiners; fast for long texts.

    Args:
        text: the text.
        escape: the escape of a character; Python's by default.
    """
    return _SUSPECT.sub(
        lambda run: (
            run[0]
            if run[0].isprintable()
            else "".join([escape(letter) if is_hidden(letter) else letter for letter in run[0]])
        ),
        text,
    )


def visible(text: str) -> str:
    """Like `harmless`, but with the code points of such characters, such as ``⟨U+202E⟩``."""
    return _replace_hidden(text, code_point)


def all_visible(texts: Iterable[str]) -> list[str]:
    """`visible` of each text; few have such characters."""
    return [text if text.isprintable() else visible(text) for text in texts]


def code_point(letter: str) -> str:
    """The code point of a character, such as ``⟨U+202E⟩``."""
    return f"⟨U+{ord(letter):04X}⟩"


def _replace_hidden(text: str, name: Callable[[str], str]) -> str:
    if text.isprintable():
        return text
    joined = range(len(text) - len(text.lstrip(JOINERS)), len(text.rstrip(JOINERS)))
    return "".join(
        name(letter) if is_hidden(letter) or (letter in JOINERS and index not in joined) else letter
        for index, letter in enumerate(text)
    )


def is_hidden(letter: str) -> bool:
    """Whether a character is a control, a mark of direction or otherwise not to be seen."""
    return category(letter) in _HIDDEN and letter not in JOINERS
