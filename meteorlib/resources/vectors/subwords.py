"""fastText's subwords (Bojanowski et al. 2017), which give unseen words a vector."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field, frozen, validators

END_OF_LINE = "</s>"
"""fastText's word for the end of a line, the only one without subwords."""

_START, _PRIME, _MASK = 2166136261, 16777619, 0xFFFFFFFF


@frozen
class Subwords:
    """Mapping from a word to the matrix rows of its subwords.

    A subword is a run of characters of ``<word>``. Subwords share rows: the row is chosen by a hash.

    Attributes:
        shortest: smallest number of characters of a subword.
        longest: largest number of characters of a subword.
        buckets: number of rows for subwords.
    """

    shortest: int = field(validator=[validators.instance_of(int), validators.ge(0)])
    longest: int = field(validator=[validators.instance_of(int), validators.ge(1)])
    buckets: int = field(validator=[validators.instance_of(int), validators.ge(1)])

    def rows(self, word: str) -> list[int]:
        """The row of each subword of a word, from 0, in fastText's order.

        Raises:
            UnicodeEncodeError: the word holds a lone surrogate.
        """
        return [_fnv1a(part) % self.buckets for part in self.parts(word)]

    def parts(self, word: str) -> Iterator[bytes]:
        """The subwords of a word, in UTF-8.

        Raises:
            UnicodeEncodeError: the word holds a lone surrogate.
        """
        characters = [] if word == END_OF_LINE else [character.encode() for character in f"<{word}>"]
        end = len(characters)
        for begin in range(end):
            for size in range(max(self.shortest, 1), min(self.longest, end - begin) + 1):
                if size > 1 or 0 < begin < end - 1:  # a bracket alone is not a subword
                    yield b"".join(characters[begin : begin + size])


def _fnv1a(part: bytes) -> int:
    """32-bit FNV-1a hash with signed bytes, as in fastText."""
    value = _START
    for byte in part:
        value = ((value ^ (byte if byte < 128 else byte | 0xFFFFFF00)) * _PRIME) & _MASK
    return value
