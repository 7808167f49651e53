"""The beam search of METEOR 1.5 (Denkowski & Lavie 2011, 2014), with its faults.

Left to right over the reference positions, a path decides which candidate, if any, each word takes. Paths are ranked
by more matched words, then fewer chunks, then smaller distance; one integer, the *key*, holds all three, smaller is
better. Two of METEOR's habits make its result differ from the best alignment and are kept: gains are cut to whole
numbers (a 1:1 match that is not exact gains nothing), and the distance of a candidate is added to the path that does
*not* take it.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from attrs import frozen

from meteorlib.core.alignment import Found, Proposal, Proposals
from meteorlib.search.runs import word_runs

MatchTuple = tuple[int, int, int, int, int]

Path = tuple[int, int, int, Any]
"""Key; used words (one bit each: the hypothesis, above it the reference); the hypothesis position right behind the last
match (-1 where no chunk is open); the matches so far as a linked list."""

Step = tuple[int, int, int, int, int, Proposal]
"""A candidate ready to take: words it uses, gain, hypothesis start and end, distance, itself."""

LONG_LIST = 64
"""Lists of more candidates than this go through `_Beam.branch_long`."""

_key = itemgetter(0)


@frozen
class Beam:
    """METEOR 1.5's search.

    Attributes:
        width: number of paths kept at each reference position; it bounds time and memory.
        budget: not used.
    """

    width: int = 40
    budget: int = 0

    def __call__(self, proposals: Proposals, hypothesis_length: int, gains: Sequence[float]) -> Found:
        """Choose one alignment.

        Args:
            proposals: the candidates of each reference position.
            hypothesis_length: words of the hypothesis.
            gains: for each stage, its weight in the search: 1 for exact matches, ½ for all others.

        Returns:
            The matches; always `optimal`: what this search is to find is defined by its width.
        """
        fixed, open_positions = split_fixed(proposals, hypothesis_length)
        if not open_positions:
            return Found(fixed, optimal=True)
        beam = _Beam(proposals, hypothesis_length, gains, fixed, self.width)
        return Found(sorted(fixed + beam.search(open_positions)), optimal=True)


def split_fixed(proposals: Proposals, hypothesis_length: int) -> tuple[list[MatchTuple], list[int]]:
    """Fix the candidates that meet no other: alone at their position, and alone on all the words they cover.

    Returns:
        Those matches; the other reference positions that a candidate covers, which are to be searched.
    """
    reference_cover = [0] * len(proposals)
    hypothesis_cover = [0] * hypothesis_length
    for position, candidates in enumerate(proposals):
        for length, start, hypothesis_words, _ in candidates:
            if length == 1 == hypothesis_words:
                reference_cover[position] += 1
                hypothesis_cover[start] += 1
            else:
                for covered in range(position, position + length):
                    reference_cover[covered] += 1
                for covered in range(start, start + hypothesis_words):
                    hypothesis_cover[covered] += 1
    fixed: list[MatchTuple] = []
    open_positions: list[int] = []
    end = 0
    for position, cover in enumerate(reference_cover):
        if cover == 0 or position < end:
            continue
        if cover == 1 and len(proposals[position]) == 1:
            length, start, hypothesis_words, stage = proposals[position][0]
            if (
                max(hypothesis_cover[start : start + hypothesis_words]) == 1
                and max(reference_cover[position : position + length]) == 1
            ):
                end = position + length
                fixed.append((position, length, start, hypothesis_words, stage))
                continue
        open_positions.append(position)
    return fixed, open_positions


class _Beam:
    """The paths of one segment."""

    def __init__(
        self,
        proposals: Proposals,
        hypothesis_length: int,
        gains: Sequence[float],
        fixed: Sequence[MatchTuple],
        width: int,
    ) -> None:
        self.proposals = proposals
        self.hypothesis_length = hypothesis_length
        self.gains = gains
        self.width = width
        self.starts = {match[0]: match[2] for match in fixed}
        self.ends = {match[0] + match[1]: match[2] + match[3] for match in fixed}
        bits = max(hypothesis_length, len(proposals) + 1).bit_length()
        # a path's distance is below positions * words * longest list, its chunks are at most the positions
        self.chunk = 1 << (2 * bits + max(map(len, proposals)).bit_length())
        self.matched = self.chunk << bits
        self.word_gains = [2 * int(gain) * self.matched for gain in gains]
        self.runs: dict[int, list[tuple[int, Proposal]]] = {}

    def search(self, open_positions: Sequence[int]) -> list[MatchTuple]:
        """The matches of the best path at the open positions."""
        paths: list[Path] = [(0, 0, self.ends.get(open_positions[0], -1), None)]
        for position, end in zip(open_positions, [*open_positions[1:], len(self.proposals) + 1], strict=True):
            long = len(self.proposals[position]) > LONG_LIST
            paths = self.branch_long(paths, position) if long else self.branch(paths, position)
            paths.sort(key=_key)
            del paths[self.width :]
            if end > position + 1:
                paths = self.pass_forced(paths, position + 1, end)
                paths.sort(key=_key)
        chosen = []
        link = paths[0][3]
        while link is not None:
            position, (length, start, hypothesis_words, stage), link = link
            chosen.append((position, length, start, hypothesis_words, stage))
        return chosen

    def pass_forced(self, paths: list[Path], first: int, end: int) -> list[Path]:
        """Pass the positions from `first` to before `end`, where all paths must do the same.

        Only the first of them tells paths apart. Where it is unmatched (or the end of the sentence), an open chunk
        closes; where a fixed match stands, one closes unless the match continues it. Behind it all paths have the same
        open position, so the others move all keys alike: they are not added at all.
        """
        start = self.starts.get(first, -1)
        last = self.ends.get(end, -1)
        chunk = self.chunk
        return [
            (key if open_ < 0 or open_ == start else key + chunk, used, last, link) for key, used, open_, link in paths
        ]

    def branch(self, paths: list[Path], position: int) -> list[Path]:
        """Let every path take each of the candidates of `position` that it still can, then none."""
        chunk = self.chunk
        position_bit = 1 << (self.hypothesis_length + position)
        steps = [self.step(position, candidate) for candidate in self.proposals[position]]
        branched: list[Path] = []
        append = branched.append
        for path in paths:
            key, used, open_, link = path
            if used & position_bit:
                append(path)
                continue
            if open_ < 0:
                for mask, gain, _, stop, distance, candidate in steps:
                    if not used & mask:
                        append((key - gain, used | mask, stop, (position, candidate, link)))
                        key += distance
                append((key, used, -1, link))
                continue
            key += chunk
            for mask, gain, start, stop, distance, candidate in steps:
                if not used & mask:
                    gained = key - gain if start != open_ else key - gain - chunk
                    append((gained, used | mask, stop, (position, candidate, link)))
                    key += distance
            append((key, used, -1, link))
        return branched

    def step(self, position: int, candidate: Proposal) -> Step:
        """`candidate` of `position`, ready to take."""
        length, start, hypothesis_words, stage = candidate
        distance = start - position if start > position else position - start
        if length == 1 == hypothesis_words:
            return 1 << start, self.word_gains[stage], start, start + 1, distance, candidate
        mask = ((1 << hypothesis_words) - 1) << start | ((1 << length) - 1) << (self.hypothesis_length + position)
        weight = self.gains[stage]
        gain = (int(hypothesis_words * weight) + int(length * weight)) * self.matched
        return mask, gain, start, start + hypothesis_words, distance, candidate

    def branch_long(self, paths: list[Path], position: int) -> list[Path]:
        """Like `branch`, but without the paths that cannot be among the `width` best.

        Within a run of one-word candidates of one stage keys only grow, but for the candidate that continues the open
        chunk. So behind `width` new paths no other of the run counts but that one; and where the list is one run,
        neither does leaving the word unmatched.
        """
        candidates = self.proposals[position]
        if id(candidates) not in self.runs:
            self.runs[id(candidates)] = list(word_runs(candidates))
        runs = self.runs[id(candidates)]
        position_bit = 1 << (self.hypothesis_length + position)
        branched: list[Path] = []
        for path in paths:
            key, used, open_, link = path
            if used & position_bit:
                branched.append(path)
                continue
            close = self.chunk if open_ >= 0 else 0
            for words, candidate in runs:
                mask, gain, start, stop, distance, _ = self.step(position, candidate)
                if not words:
                    if not used & mask:
                        cost = 0 if start == open_ else close
                        branched.append((key + cost - gain, used | mask, stop, (position, candidate, link)))
                        key += distance
                    continue
                free, made = words & ~used, 0
                while free:
                    low = free & -free
                    free ^= low
                    start = low.bit_length() - 1
                    distance = abs(position - start)
                    if made < self.width or start == open_:
                        cost = 0 if start == open_ else close
                        taken = (1, start, 1, candidate[3])
                        branched.append((key + cost - gain, used | low, start + 1, (position, taken, link)))
                        made += 1
                    elif len(runs) == 1 and not (open_ > start and free >> open_ & 1):
                        break
                    key += distance
            branched.append((key + close, used, -1, link))
        return branched
