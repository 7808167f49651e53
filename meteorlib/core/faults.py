"""Faults of a segment that ``meteor-2026`` can penalize: words out of order, left out, repeated or contradicted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from meteorlib.core.segment import Segment, Trait

Matches = Sequence[tuple[int, int, int, int, int]]


class FaultCounts(NamedTuple):
    """Counts of faults, and of the words and matches that they are shares of.

    Attributes:
        hypothesis_words: number of words of the hypothesis.
        reference_words: number of words of the reference.
        neighbors: pairs of matches that are neighbors in the reference: all matches of a segment but the first.
        inversions: those of them that the hypothesis has in the opposite order.
        swaps: inversions of words that are adjacent on both sides.
        omitted: function words of the reference in gaps that are empty in the hypothesis.
        repeated: times that content words and numbers occur in the hypothesis beyond their occurrences in the
            reference, and beyond once.
        excess: words of the hypothesis beyond 5/4 of those of the reference, in quarters.
        contradictions: gaps, and matches of two words, with numbers on both sides, none of them the same.
        negations: gaps with a negation on one side only.
        lowercase_starts: segments that begin with a capital letter in the reference only.
    """

    hypothesis_words: int
    reference_words: int
    neighbors: int
    inversions: int
    swaps: int
    omitted: int
    repeated: int
    excess: int
    contradictions: int
    negations: int
    lowercase_starts: int


NO_FAULTS = FaultCounts(*[0] * len(FaultCounts._fields))

WHOLES: Mapping[str, tuple[int, str]] = {
    "neighbors": (1, "neighbors"),
    "reference": (1, "reference_words"),
    "hypothesis": (1, "hypothesis_words"),
    "quarters": (4, "reference_words"),
    "segments": (1, ""),
}
"""Numbers that faults are shares of, by name: a factor and a field of `FaultCounts`, none for segments with a match."""


class Fault(NamedTuple):
    """A fault and the positions of its words."""

    kind: str  # the field of `FaultCounts` that counts it
    amount: int  # how much it adds to that count
    reference: tuple[int, ...]
    hypothesis: tuple[int, ...]


class Side(NamedTuple):
    """The words of one side and their traits."""

    words: Sequence[str]
    traits: Sequence[Trait]


def count_faults(reference: Segment, hypothesis: Segment, matches: Matches) -> FaultCounts:
    """Count the faults of a segment; `matches` are in reference order."""
    lengths = len(hypothesis.words), len(reference.words)
    counts = dict.fromkeys(FaultCounts._fields, 0)
    reference_side, hypothesis_side = (Side(side.words, side.traits) for side in (reference, hypothesis))
    for fault in find_faults(reference_side, hypothesis_side, matches):
        counts[fault.kind] += fault.amount
    counts["hypothesis_words"], counts["reference_words"] = lengths
    counts["neighbors"] = max(len(matches) - 1, 0)
    # in quarters of words, so that 5/4 of a length is a whole number
    counts["excess"] = max(4 * lengths[0] - 5 * lengths[1], 0)
    counts["lowercase_starts"] = int(bool(matches) and reference.capital is True and hypothesis.capital is False)
    return FaultCounts(**counts)


def first_lettered(traits: Sequence[Trait]) -> int | None:
    """Position of the first word with a letter; None if there is none."""
    return next((position for position, trait in enumerate(traits) if trait.lettered), None)


def find_faults(reference: Side, hypothesis: Side, matches: Matches) -> Iterator[Fault]:
    """The faults that consist of words: all but too many words and a lowercase start."""
    yield from _find_inversions(matches)
    for position, length, start, words, _ in matches:
        if length == words == 1:  # the paraphrase table pairs 35 and 36; of more words, one side is joined
            first, second = range(position, position + 1), range(start, start + 1)
            yield from _find_contradiction(reference.traits, hypothesis.traits, first, second)
    for first, second in gaps(matches, len(reference.words), len(hypothesis.words)):
        yield from _find_in_gap(reference.traits, hypothesis.traits, first, second)
    yield from _find_repeated(reference.words, hypothesis)


def _find_inversions(matches: Matches) -> Iterator[Fault]:
    for match, after in pairwise(matches):
        if after[2] < match[2]:
            places = (*range(match[0], match[0] + match[1]), *range(after[0], after[0] + after[1]))
            others = (*range(after[2], after[2] + after[3]), *range(match[2], match[2] + match[3]))
            yield Fault("inversions", 1, places, others)
            if match[0] + match[1] == after[0] and after[2] + after[3] == match[2]:
                yield Fault("swaps", 1, places, others)


def gaps(matches: Matches, reference_length: int, hypothesis_length: int) -> Iterator[tuple[range, range]]:
    """The unmatched words, on either side, between two matches that are neighbors on both sides.

    The words before a match that is the first on both sides are a gap, too, as are those after one that is the last.
    Without matches there is none.
    """
    if not matches:
        return
    starts = sorted(match[2] for match in matches)
    following = dict(pairwise(starts))
    if matches[0][2] == starts[0]:
        yield range(matches[0][0]), range(starts[0])
    for match, after in pairwise(matches):
        if following.get(match[2]) == after[2]:
            yield range(match[0] + match[1], after[0]), range(match[2] + match[3], after[2])
    last = matches[-1]
    if last[2] == starts[-1]:
        yield range(last[0] + last[1], reference_length), range(last[2] + last[3], hypothesis_length)


def _find_in_gap(
    reference: Sequence[Trait], hypothesis: Sequence[Trait], first: range, second: range
) -> Iterator[Fault]:
    if not second:
        omitted = tuple(position for position in first if reference[position].function and reference[position].lettered)
        if omitted:
            yield Fault("omitted", len(omitted), omitted, ())
    yield from _find_contradiction(reference, hypothesis, first, second)
    negations = tuple(position for position in first if reference[position].negation)
    others = tuple(position for position in second if hypothesis[position].negation)
    if bool(negations) != bool(others):
        yield Fault("negations", 1, negations, others)


def _find_contradiction(
    reference: Sequence[Trait], hypothesis: Sequence[Trait], first: range, second: range
) -> Iterator[Fault]:
    numbers = tuple(position for position in first if reference[position].digits)
    others = tuple(position for position in second if hypothesis[position].digits)
    if numbers and others and not {reference[p].digits for p in numbers} & {hypothesis[p].digits for p in others}:
        yield Fault("contradictions", 1, numbers, others)


def _find_repeated(reference: Sequence[str], hypothesis: Side) -> Iterator[Fault]:
    places: dict[str, list[int]] = {}
    for position, (word, trait) in enumerate(zip(hypothesis.words, hypothesis.traits, strict=True)):
        if trait.content:
            places.setdefault(word, []).append(position)
    repeated = {word: positions for word, positions in places.items() if len(positions) > 1}
    if not repeated:
        return
    allowed = dict.fromkeys(repeated, 0)
    for word in reference:
        if word in allowed:
            allowed[word] += 1
    for word, positions in repeated.items():
        surplus = tuple(positions[max(1, allowed[word]) :])
        if surplus:
            yield Fault("repeated", len(surplus), (), surplus)
