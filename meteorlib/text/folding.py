"""Folding of lines, for text modes ``folded-…``: variants of one character that writers use alike become one."""

from __future__ import annotations

import unicodedata

from attrs import frozen

from meteorlib.text.token import Preparation, pattern_of
from meteorlib.text.unescaping import compose, is_composed

_FORMS = "[\u2e9f\u2ef3\u2f00-\u2fd5\u3000\ufe10-\ufe19\ufe30-\ufe48\ufe50-\ufe6b\uff01-\uffee]+"
"""Runs of full-width letters, digits and signs, half-width Katakana and Hangul, vertical and small signs.

Radicals stand for characters in text from PDF files; the wide space is a blank.
"""

_SELECTORS = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]+"
"""Variation selectors, which choose a shape of the character before them."""

_OPTIONAL_NUKTA = "(?<=[\u0915-\u0917\u091c\u092b])\u093c"
"""The dot below of क़ ख़ ग़ ज़ फ़, sounds of Persian and English words that Hindi writes with or without it."""


@frozen
class Folder:
    """Makes full and half width and other forms one, as Unicode's NFKC does, and composes letters (NFC).

    In Hindi, the dot below (nukta) of क ख ग ज फ is left out; that of ड़ and ढ़, which are other letters, stays.
    """

    language: str = "en"

    def __call__(self, line: str) -> str:
        """The folded line."""
        if line.isascii() or self.is_kept(line):
            return line
        line = pattern_of(_SELECTORS).sub("", line)
        line = compose(pattern_of(_FORMS).sub(lambda run: unicodedata.normalize("NFKC", run[0]), line))
        return pattern_of(_OPTIONAL_NUKTA).sub("", line) if self.language == "hi" else line

    def is_kept(self, text: str) -> bool:
        """Whether a text stays as it is."""
        has_nukta = self.language == "hi" and pattern_of(_OPTIONAL_NUKTA).search(text)
        return not (
            has_nukta or pattern_of(_FORMS).search(text) or pattern_of(_SELECTORS).search(text)
        ) and is_composed(text)

    def preparation(self) -> Preparation:
        """The tests that find lines that change, for the compiled engine."""
        return Preparation("", lambda _: False, self.is_kept, self)
