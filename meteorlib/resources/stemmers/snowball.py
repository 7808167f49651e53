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
    """German as it was before 2010: the s of Ergebnis-s-e stays, and no later rule touches what ends in -niss."""

    def stemWord(self, word: str) -> str:  # noqa: N802 – snowballstemmer's name
        """The stem of `word`."""
        stem: str = super().stemWord(word)
        return f"{stem}s" if stem.endswith("nis") and word.replace("ß", "ss").endswith(_NISS) else stem


class _MeteorFinnish(FinnishStemmer):
    """Finnish as METEOR's program runs it: the case endings with a condition (-den, -tten, -siin, -seen) never match.

    What ends in one of them is treated by its -n alone.
    """

    def find_among_b(self, among: Any, size: int) -> Any:
        """Which of the endings the word has; `never` stands for the conditions."""
        return super().find_among_b(_CASES if among is FinnishStemmer.a_6 else among, size)

    def never(self) -> bool:
        """A condition that does not hold."""
        return False
