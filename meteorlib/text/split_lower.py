"""The text mode ``split_lower``, which splits and lowercases as users of NLTK do."""

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
    """Whether words are lowercased."""

    def cased(self) -> SplitLower:
        """This text mode without lowercasing."""
        return evolve(self, lowers=False)

    def words(self, line: str) -> list[str]:
        """The lowercase words of `line`."""
        return [word.lower() if self.lowers else word for word in line.split()]
