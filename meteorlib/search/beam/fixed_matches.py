"""Matches that need no search, because they meet no other candidate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from meteorlib.core.alignment import Candidate, Candidates

MatchTuple = tuple[int, int, int, int, int]
"""The numbers of a `Match`."""

LONG_LIST = 64
"""Lists of more candidates than this are not looked through at each position that shares them."""


class Split(NamedTuple):
    """A segment before the search.

    Attributes:
        fixed: the matches that meet no other candidate: alone at their position, and on all the words they cover.
        open_positions: the other reference positions that a candidate covers, which are to be searched.
        contended: the hypothesis words that several candidates cover.
        entered: the reference positions that a candidate from before covers.
    """

    fixed: list[MatchTuple]
    open_positions: list[int]
    contended: list[int]
    entered: set[int]


def split_fixed(candidates: Candidates, hypothesis_length: int) -> Split:
    """Tell the candidates that meet no other from those that are to be searched."""
    reference_cover = [0] * len(candidates)
    hypothesis_cover = [0] * hypothesis_length
    entered: set[int] = set()
    counted: dict[int, Sequence[Candidate]] = {}
    for position, here in enumerate(candidates):
        reference_cover[position] += len(here)
        if len(here) > LONG_LIST:
            here = _uncounted(here, counted)  # noqa: PLW2901
        for length, start, hypothesis_words, _ in here:
            hypothesis_cover[start] += 1
            if hypothesis_words > 1:
                for covered in range(start + 1, start + hypothesis_words):
                    hypothesis_cover[covered] += 1
            if length > 1:
                for covered in range(position + 1, position + length):
                    reference_cover[covered] += 1
                    entered.add(covered)
    fixed: list[MatchTuple] = []
    open_positions: list[int] = []
    end = 0
    for position, cover in enumerate(reference_cover):
        if cover == 0 or position < end:
            continue
        if cover == 1 and candidates[position]:
            length, start, hypothesis_words, stage = candidates[position][0]
            if (
                hypothesis_cover[start] == 1
                and max(hypothesis_cover[start : start + hypothesis_words]) == 1
                and max(reference_cover[position : position + length]) == 1
            ):
                end = position + length
                fixed.append((position, length, start, hypothesis_words, stage))
                continue
        open_positions.append(position)
    contended = [word for word, cover in enumerate(hypothesis_cover) if cover > 1]
    return Split(fixed, open_positions, contended, entered)


def _uncounted(candidates: Sequence[Candidate], counted: dict[int, Sequence[Candidate]]) -> Sequence[Candidate]:
    """The candidates that must be counted: of a long list that comes a third time, no single words.

    Only none, one and several are told apart, and a word that the list covers twice has several.
    """
    known = id(candidates)
    if known not in counted:
        counted[known] = candidates
        return candidates
    uncounted = counted[known]
    counted[known] = [candidate for candidate in uncounted if candidate[0] > 1]
    return uncounted
