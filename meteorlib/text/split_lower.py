"""The text mode ``split_lower``: words as users of NLTK make them."""

from __future__ import annotations

from typing import ClassVar

from attrs import evolve, frozen

from meteorlib.text.plain import PlainText


@frozen
class SplitLower(PlainText):
    """Text mode ``split_lower``: `str.split`, then `str.lower` for each word.

    It differs from ``lower`` where Python differs from Java: white space such as U+00A0 or U+2003, a capital sigma
    at the end of a word, letters newer than Unicode 13.
    """

    name: ClassVar[str] = "split_lower"
    lowers: bool = True
    """False leaves the case of words as it is."""

    def cased(self) -> SplitLower:
        """The same, with the case of its words as it stands."""
        return evolve(self, lowers=False)

    def words(self, line: str) -> list[str]:
        """The lowercase words of `line`."""
        return [word.lower() if self.lowers else word for word in line.split()]
