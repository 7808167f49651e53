"""German and Finnish stemmers, in which METEOR 1.5 differs from the carried Snowball ones.

The differences were found by comparing stems; docs/languages.md lists the comparisons.
"""

from __future__ import annotations

from typing import Any

from meteorlib._vendor.snowball.among import Among
from meteorlib._vendor.snowball.finnish_stemmer import FinnishStemmer
from meteorlib._vendor.snowball.german_stemmer import GermanStemmer

_NISS = ("nisse", "nissen", "nisses")
_CASES = [Among(case.s, case.substring_i, case.result, case.method and "never") for case in FinnishStemmer.a_6]


class _MeteorGerman(GermanStemmer):
    """German as before 2010: the s of Ergebnis-s-e stays, and no later rule applies to words in -niss."""

    def stemWord(self, word: str) -> str:  # noqa: N802 – snowballstemmer's name
        """The stem of `word`."""
        stem: str = super().stemWord(word)
        return f"{stem}s" if stem.endswith("nis") and word.replace("ß", "ss").endswith(_NISS) else stem


class _MeteorFinnish(FinnishStemmer):
    """Finnish as in METEOR 1.5: the case endings with a condition (-den, -tten, -siin, -seen) never match.

    Only the -n of words with such an ending is treated.
    """

    def find_among_b(self, among: Any, size: int) -> Any:
        """Find the ending of the word, with `never` in place of the conditions."""
        return super().find_among_b(_CASES if among is FinnishStemmer.a_6 else among, size)

    def never(self) -> bool:
        """A condition that is never true."""
        return False
