"""Fixed matches: candidates that share no word with another one and need no search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from meteorlib.core.alignment import Candidate, Candidates

MatchTuple = tuple[int, int, int, int, int]
"""The numbers of a `Match`."""

LONG_LIST = 64
"""Number of candidates above which a list is not visited again at every position that shares it."""


class Split(NamedTuple):
    """Fixed matches of a segment, and what is left to search.

    Attributes:
        fixed: the matches that share no word with another candidate.
        open_positions: the other reference positions that a candidate covers; these are searched.
        contended: the hypothesis words that several candidates cover.
        inner_positions: the reference positions behind the first one of a longer candidate.
    """

    fixed: list[MatchTuple]
    open_positions: list[int]
    contended: list[int]
    inner_positions: set[int]


def split_fixed(candidates: Candidates, hypothesis_length: int) -> Split:
    """Separate fixed matches from the positions that need a search."""
    reference_cover = [0] * len(candidates)
    hypothesis_cover = [0] * hypothesis_length
    inner_positions: set[int] = set()
    seen: dict[int, Sequence[Candidate]] = {}
    for position, here in enumerate(candidates):
        reference_cover[position] += len(here)
        if len(here) > LONG_LIST:
            here = _candidates_to_count(here, seen)  # noqa: PLW2901
        for length, start, hypothesis_words, _ in here:
            hypothesis_cover[start] += 1
            if hypothesis_words > 1:
                for covered in range(start + 1, start + hypothesis_words):
                    hypothesis_cover[covered] += 1
            if length > 1:
                for covered in range(position + 1, position + length):
                    reference_cover[covered] += 1
                    inner_positions.add(covered)
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
    return Split(fixed, open_positions, contended, inner_positions)


def _candidates_to_count(candidates: Sequence[Candidate], seen: dict[int, Sequence[Candidate]]) -> Sequence[Candidate]:
    """Candidates whose words must be counted; single words of a long list only at its first two positions.

    The counts only distinguish none, one and several, and two occurrences in the list already mean several.
    """
    known = id(candidates)
    if known not in seen:
        seen[known] = candidates
        return candidates
    candidates_before = seen[known]
    seen[known] = [candidate for candidate in candidates_before if candidate[0] > 1]
    return candidates_before
