"""Runs of like candidates in a long list, for the beam search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meteorlib.core.alignment import Proposal


def word_runs(candidates: Sequence[Proposal]) -> Iterator[tuple[int, Proposal]]:
    """Group neighbours of one word, one stage and growing start: the set of their words, the first of them.

    A longer candidate comes alone, with an empty set.
    """
    words, first, last = 0, candidates[0], candidates[0]
    for candidate in candidates:
        single = candidate[0] == candidate[2] == 1
        if words and not (single and candidate[3] == first[3] and candidate[1] > last[1]):
            yield words, first
            words = 0
        if not single:
            yield 0, candidate
            continue
        if not words:
            first = candidate
        words |= 1 << candidate[1]
        last = candidate
    if words:
        yield words, first
