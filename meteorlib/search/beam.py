"""The beam search of METEOR 1.5 (Denkowski & Lavie 2011, 2014), with its quirks.

Fixed matches, candidates that share no word with another one, need no search. Left to right over the other reference
positions, a path decides which candidate, if any, each word takes. Paths are ranked by more matched words, then fewer
chunks, then smaller distance; one number, the *key*, encodes all three, and smaller is better. Two of METEOR's quirks
make its result differ from the best alignment and are reproduced: gains are truncated to whole numbers (a one-to-one
match that is not exact gains nothing), and the distance of a candidate is added to the path that does *not* take it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from operator import itemgetter
from typing import Any, NamedTuple

from attrs import frozen

from meteorlib.core.alignment import Candidate, Candidates, Found
from meteorlib.search import MatchTuple, beam_width, check_memory, linked

Path = tuple[float, int, int, Any]
"""Key; used words (a bit set); the hypothesis position right behind the last match (-1 where no chunk is open); the
matches so far as a linked list."""

Choice = tuple[int, float, int, int, float, MatchTuple]
"""A candidate: its hypothesis words (a bit set), value, hypothesis start and end, distance, and its match."""

by_key: itemgetter[int] = itemgetter(0)

EXACT_FLOAT = 1 << 53
"""Limit below which whole numbers are exact as floats."""


@frozen
class Beam:
    """Beam search of METEOR 1.5."""

    width: int = beam_width()  # number of paths kept at each reference position; bounds time and memory

    def __call__(self, candidates: Candidates, hypothesis_length: int, gains: Sequence[float]) -> Found:
        """See `Search`; always `optimal`: the result of this search is defined by its width."""
        split = split_fixed(candidates, hypothesis_length)
        if not split.open_positions:
            return Found(split.fixed, optimal=True)
        beam = _Beam(candidates, hypothesis_length, gains, split, self.width)
        return Found(sorted(split.fixed + beam.search()), optimal=True)


@frozen
class Accurate(Beam):
    """Beam search of METEOR 1.5's aligner (``-t maxacc``): words first, and phrases only if they cost no word match.

    All matches of single words have the same gain, which no number of words in matched phrases outweighs. METEOR 1.5
    has this search in its aligner only, not for scores.
    """


class _Beam:
    def __init__(
        self, candidates: Candidates, hypothesis_length: int, gains: Sequence[float], split: Split, width: int
    ) -> None:
        self.candidates = candidates
        self.gains = gains
        self.open_positions = split.open_positions
        self.width = width
        self.starts = {match[0]: match[2] for match in split.fixed}
        self.ends = {match[0] + match[1]: match[2] + match[3] for match in split.fixed}
        longest = max(map(len, candidates))
        bits = max(hypothesis_length, len(candidates) + 1).bit_length()
        # a path's distance is below positions * words * longest list, its chunks are at most the positions
        chunk = 1 << (2 * bits + longest.bit_length())
        matched = chunk << bits
        # floats are added and compared faster than integers of more than 30 bits
        exact = matched * (len(candidates) + hypothesis_length + 1) * (int(max(gains)) + 1) < EXACT_FLOAT
        number: type[float] = float if exact else int
        self.zero, self.chunk, self.matched = number(0), number(chunk), number(matched)
        # each side's gain is truncated, as in METEOR 1.5: ½ counts 0
        self.word_values = [2 * int(gain) * self.matched for gain in gains]
        # the same for bit sets of at most 30 bits: words that one candidate covers need no bit
        marked = split.contended
        check_memory((len(marked) + len(split.inner_positions)) ** 2 // 16, candidates, hypothesis_length)
        self.bits = [0] * hypothesis_length
        for place, word in enumerate(marked):
            self.bits[word] = 1 << place
        self.reference_bits = {word: 1 << place for place, word in enumerate(split.inner_positions, len(marked))}

    def search(self) -> list[MatchTuple]:
        """The matches of the best path at the open positions."""
        positions = self.open_positions
        paths: list[Path] = [(self.zero, 0, self.ends.get(positions[0], -1), None)]
        for position, end in zip(positions, [*positions[1:], len(self.candidates) + 1], strict=True):
            paths = self.branch(paths, position)
            # a stable sort: of equal paths, the one made first is kept, as in METEOR 1.5
            paths.sort(key=by_key)
            del paths[self.width :]
            if end > position + 1:
                paths = self.pass_forced(paths, position + 1, end)
                paths.sort(key=by_key)
        return linked(paths[0][3])

    def pass_forced(self, paths: list[Path], first: int, end: int) -> list[Path]:
        """Pass the positions from `first` to before `end`, where all paths must do the same.

        Only the first of these positions distinguishes paths. If it is unmatched (or the end of the sentence), an open
        chunk closes; if it has a fixed match, an open chunk closes unless the match continues it. After it, all paths
        have the same open position, so the other positions change all keys equally and are skipped.
        """
        start = self.starts.get(first, -1)
        last = self.ends.get(end, -1)
        chunk = self.chunk
        return [
            (key if open_ < 0 or open_ == start else key + chunk, used, last, link) for key, used, open_, link in paths
        ]

    def branch(self, paths: list[Path], position: int) -> list[Path]:
        """Extend every path by each candidate of `position` that is still free, and by none.

        Children that cannot be among the `width` best are not made: whenever the worst children are dropped, later ones
        must be better than the last one kept. Paths are extended best first, so at some point none may qualify.
        """
        chunk, width = self.chunk, self.width
        # sorting after each path would cost more than the children that it saves
        crowd = width + width // 2
        position_bit = self.reference_bits.get(position, 0)
        choices = self.choices(position, self.candidates[position])
        limit = enough = inf
        branched: list[Path] = []
        append = branched.append
        for path in paths:
            key, used, open_, link = path
            if len(branched) > crowd:
                branched.sort(key=by_key)
                del branched[width:]
                limit = branched[-1][0]
                enough = limit + max(0, *[choice[1] for choice in choices])
            if key >= enough:
                break
            # a longer candidate of an earlier position covers this one: nothing is to be decided, its chunk stays open
            if used & position_bit:
                append(path)
                continue
            if open_ >= 0:
                key += chunk
            for mask, value, start, stop, distance, match in choices:
                if not used & mask:
                    child = key - value
                    if start == open_:
                        child -= chunk
                    if child < limit:
                        append((child, used | mask, stop, (match, link)))
                    # METEOR 1.5 adds the distance to the path that does not take the candidate
                    key += distance
            if key < limit:
                append((key, used, -1, link))
        return branched

    def choices(self, position: int, candidates: Sequence[Candidate]) -> list[Choice]:
        """Candidates of `position` with everything that taking them needs."""
        zero, bits, word_values = self.zero, self.bits, self.word_values
        choices: list[Choice] = []
        for length, start, hypothesis_words, stage in candidates:
            distance = zero + (start - position if start > position else position - start)
            match = position, length, start, hypothesis_words, stage
            if length == 1 == hypothesis_words:
                choices.append((bits[start], word_values[stage], start, start + 1, distance, match))
                continue
            stop = start + hypothesis_words
            mask = sum(bits[start:stop])
            mask += sum([self.reference_bits[word] for word in range(position + 1, position + length)])
            gain = self.gains[stage]
            # truncated side by side, as in METEOR 1.5
            value = (int(hypothesis_words * gain) + int(length * gain)) * self.matched
            choices.append((mask, value, start, stop, distance, match))
        return choices


LONG_LIST = 64
"""Number of candidates above which a list is not visited again at every position that shares it."""


class Split(NamedTuple):
    """Fixed matches of a segment, and what is left to search."""

    fixed: list[MatchTuple]  # the matches that share no word with another candidate
    open_positions: list[int]  # the other reference positions that a candidate covers; these are searched
    contended: list[int]  # the hypothesis words that several candidates cover
    inner_positions: set[int]  # the reference positions behind the first one of a longer candidate


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
