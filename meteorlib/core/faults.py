"""Faults of a segment that ``meteor-2026`` can penalize: words out of order, left out, repeated or contradicted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from operator import or_
from typing import NamedTuple

from meteorlib.core.number_readings import Found, converted, find_numbers, unpaired
from meteorlib.core.segment import Segment, Trait

Matches = Sequence[tuple[int, int, int, int, int]]


class FaultCounts(NamedTuple):
    """Counts of faults, and of the words and matches that they are shares of.

    Attributes:
        hypothesis_words: number of words of the hypothesis.
        reference_words: number of words of the reference.
        room: the same, but at least `ROOM` for each segment.
        content_words: content words and numbers of the hypothesis.
        numbers: numbers of both sides times `ROOM`, but at least twice the room, for each segment.
        matches: number of matches.
        inversions: pairs of matches that are neighbors in the reference, in the opposite order in the hypothesis.
        swaps: inversions of matches that are neighbors in the hypothesis, too.
        omitted: function words of the reference in a gap beyond those that the hypothesis has there.
        repeated: times that content words and numbers occur in the hypothesis beyond their occurrences in the
            reference, or beyond `allowance` if it lacks them, in hundredths.
        excess: words of the hypothesis beyond 5/4 of those of the reference, in quarters.
        contradictions: pairs of numbers in a gap, of which neither has an equal on the other side.
        negations: gaps with a negation on one side only.
        lowercase_starts: segments that begin with a capital letter in the reference only.
    """

    hypothesis_words: int
    reference_words: int
    room: int
    content_words: int
    numbers: int
    matches: int
    inversions: int
    swaps: int
    omitted: int
    repeated: int
    excess: int
    contradictions: int
    negations: int
    lowercase_starts: int


NO_FAULTS = FaultCounts(*[0] * len(FaultCounts._fields))

ROOM = 25
"""Least number of words that the faults of a segment are a share of."""

WHOLES: Mapping[str, tuple[float, str]] = {
    "matches": (1.0, "matches"),
    "reference": (1.0, "reference_words"),
    "content": (100.0, "content_words"),
    "longer": (2.2, "reference_words"),
    "pairs of numbers": (0.5 / ROOM, "numbers"),
    "sentences": (1.0 / ROOM, "room"),
}
"""Numbers that faults are shares of, by name: a factor and a field of `FaultCounts`."""


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
    length, other_length = len(reference.words), len(hypothesis.words)
    counts = dict.fromkeys(FaultCounts._fields, 0)
    sides = [Side(side.words, side.traits) for side in (reference, hypothesis)]
    numbers = [numbers_of(side) for side in sides]
    for fault in _find(sides[0], sides[1], numbers[0], numbers[1], matches):
        counts[fault.kind] += fault.amount
    counts["hypothesis_words"], counts["reference_words"], counts["room"] = other_length, length, max(length, ROOM)
    counts["content_words"] = sum([trait.content for trait in hypothesis.traits])
    written = sum([number.written for side in numbers for number in side])
    counts["numbers"] = max(ROOM * written, 2 * counts["room"])
    counts["matches"] = len(matches)
    # in quarters of words, so that 5/4 of a length is a whole number
    counts["excess"] = max(4 * other_length - 5 * length, 0)
    counts["lowercase_starts"] = int(bool(matches) and reference.capital is True and hypothesis.capital is False)
    return FaultCounts(**counts)


def first_lettered(traits: Sequence[Trait]) -> int | None:
    """Position of the first word with a letter; None if there is none."""
    return next((position for position, trait in enumerate(traits) if trait.lettered), None)


def numbers_of(side: Side) -> list[Found]:
    """The numbers of a side."""
    numbers = [trait.number for trait in side.traits]
    return [*find_numbers(numbers)] if any(number.readings for number in numbers if number) else []


def find_faults(reference: Side, hypothesis: Side, matches: Matches) -> Iterator[Fault]:
    """The faults that consist of words: all but too many words and a lowercase start."""
    return _find(reference, hypothesis, numbers_of(reference), numbers_of(hypothesis), matches)


def _find(
    reference: Side, hypothesis: Side, numbers: Sequence[Found], other_numbers: Sequence[Found], matches: Matches
) -> Iterator[Fault]:
    yield from _find_inversions(matches)
    partners = {match[0]: match[2] for match in matches} if numbers and other_numbers else {}
    left = unpaired(numbers, other_numbers, partners)
    alone = [{number.place: number for number in side if number.written} for side in left]
    for first, second in gaps(matches, len(reference.words), len(hypothesis.words)):
        if not first and not second:
            continue
        if all(alone):
            here, there = (
                [side[at] for at in gap if at in side] for gap, side in zip((first, second), alone, strict=True)
            )
            yield from _find_contradiction(here, there)
        yield from _find_in_gap(reference.traits, hypothesis.traits, first, second)
    yield from _find_repeated(reference.words, hypothesis)


def _find_contradiction(here: Sequence[Found], there: Sequence[Found]) -> Iterator[Fault]:
    """The contradiction of numbers in a gap that have no equal on the other side."""
    if here and there and not converted(*(reduce(or_, (number.units for number in side)) for side in (here, there))):
        places, others = (tuple(number.place for number in side) for side in (here, there))
        yield Fault("contradictions", min(len(places), len(others)), places, others)


def _find_inversions(matches: Matches) -> Iterator[Fault]:
    following = dict(pairwise(sorted([match[2] for match in matches])))
    for match, after in pairwise(matches):
        if after[2] < match[2]:
            places = (*range(match[0], match[0] + match[1]), *range(after[0], after[0] + after[1]))
            others = (*range(after[2], after[2] + after[3]), *range(match[2], match[2] + match[3]))
            yield Fault("inversions", 1, places, others)
            if following[after[2]] == match[2]:
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
    omitted = [at for at in first if reference[at].function and reference[at].lettered]
    others = [at for at in second if hypothesis[at].function and hypothesis[at].lettered]
    if len(omitted) > len(others):
        yield Fault("omitted", len(omitted) - len(others), tuple(omitted), tuple(others))
    negations = [at for at in first if reference[at].negation]
    others = [at for at in second if hypothesis[at].negation]
    if bool(negations) != bool(others):
        yield Fault("negations", 1, tuple(negations), tuple(others))


def allowance(length: int, distinct: int) -> int:
    """Allowed occurrences of a word that the reference lacks, in hundredths.

    Once in `ROOM` words of the reference, or as often as its own words occur on average, if that is more.
    """
    return 100 * length // max(1, min(ROOM, distinct))


def _find_repeated(reference: Sequence[str], hypothesis: Side) -> Iterator[Fault]:
    places: dict[str, list[int]] = {}
    for position, (word, trait) in enumerate(zip(hypothesis.words, hypothesis.traits, strict=True)):
        if trait.content:
            places.setdefault(word, []).append(position)
    repeated = {word: positions for word, positions in places.items() if len(positions) > 1}
    if not repeated:
        return
    known = Counter(reference)
    most = allowance(len(reference), len(known))
    for word, positions in repeated.items():
        allowed = 100 * known[word] or most
        if 100 * len(positions) > allowed:
            yield Fault("repeated", 100 * len(positions) - allowed, (), tuple(positions[allowed // 100 :]))
