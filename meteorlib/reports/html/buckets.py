"""Buckets: segments and words by a property, and how each system does on them."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add

from attrs import frozen

from meteorlib.core.breakdown import ScoreBreakdown, breakdown
from meteorlib.core.parameters import Parameters
from meteorlib.core.statistics import Statistics
from meteorlib.reports.html.segments import Words, aligned, asked_and_matched

LENGTHS = (1, 11, 21, 31, 41, 51)
FREQUENCIES = (1, 2, 5, 10, 50, 200)
"""Where the bands begin."""

Segments = Sequence[ScoreBreakdown]


@frozen
class Bucket:
    """One of them.

    Attributes:
        label: what it holds.
        size: how many segments or words; None where the systems differ in that.
        values: a number of 0..1 for each system; NaN where there is none.
    """

    label: str
    size: int | None
    values: tuple[float, ...]


def by_length(systems: Sequence[Segments], parameters: Parameters) -> list[Bucket]:
    """The METEOR score of the segments whose reference is so long, in words.

    Where there are several references, that of the first system counts, so that all are scored on the same segments.
    """
    places: dict[int, list[int]] = {}
    for place, scored in enumerate(systems[0]):
        places.setdefault(bisect_right(LENGTHS, len(aligned(scored).reference)), []).append(place)
    return [
        Bucket(
            _band(LENGTHS, band),
            len(places[band]),
            tuple(_score((segments[place] for place in places[band]), parameters) for segments in systems),
        )
        for band in sorted(places)
    ]


def by_frequency(systems: Sequence[Segments], references: Iterable[Sequence[Words]]) -> list[Bucket]:
    """How much is matched of the words that stand so often in the references, as a share."""
    counts: Counter[str] = Counter()
    for each in references:
        for words in each:
            counts.update(words)
    band_of = {word: bisect_right(FREQUENCIES, count) for word, count in counts.items()}
    found = [_summed(band_of, *asked_and_matched(segments)) for segments in systems]
    return [
        Bucket(
            _band(FREQUENCIES, band),
            _same(each[band][1] for each in found),
            tuple(_share(*each[band]) for each in found),
        )
        for band in range(1, len(FREQUENCIES) + 1)
        if any(each[band][1] for each in found)
    ]


def by_kind(totals: Sequence[Statistics], unit: int = 1) -> list[Bucket]:
    """How much is matched of the content words and of the function words of the references, as a share.

    Args:
        totals: the statistics of each system.
        unit: the size of a word of weight 1 there.
    """
    content = [
        (sum(stage.reference_content for stage in one.stages), one.reference_length - one.reference_function_words)
        for one in totals
    ]
    function = [(sum(stage.reference_function for stage in one.stages), one.reference_function_words) for one in totals]
    return [
        Bucket(label, _same(round(size / unit) for _, size in counts), tuple(_share(*count) for count in counts))
        for label, counts in (("content words", content), ("function words", function))
    ]


def by_stage(totals: Sequence[Statistics], stages: Sequence[str]) -> list[Bucket]:
    """How much of the references each stage matches, and what none does, as a share."""
    counts = [[stage.reference_content + stage.reference_function for stage in one.stages] for one in totals]
    lengths = [one.reference_length for one in totals]
    rows = [(name, [each[index] for each in counts]) for index, name in enumerate(stages)]
    rows.append(("not matched", [length - sum(each) for each, length in zip(counts, lengths, strict=True)]))
    return [Bucket(name, None, tuple(map(_share, found, lengths))) for name, found in rows]


def _summed(band_of: dict[str, int], asked: Counter[str], matched: Counter[str]) -> list[tuple[int, int]]:
    """For each band, how many words are matched, of how many."""
    sums = [[0, 0] for _ in range(len(FREQUENCIES) + 1)]
    for word, count in asked.items():
        sums[band_of[word]][0] += matched[word]
        sums[band_of[word]][1] += count
    return [(right, count) for right, count in sums]


def _score(segments: Iterable[ScoreBreakdown], parameters: Parameters) -> float:
    return breakdown(reduce(add, (scored.statistics for scored in segments)), parameters).score


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def _same(sizes: Iterable[int]) -> int | None:
    different = set(sizes)
    return different.pop() if len(different) == 1 else None


def _band(starts: Sequence[int], band: int) -> str:
    if not band:
        return f"{starts[0] - 1}"
    start = starts[band - 1]
    if band == len(starts):
        return f"{start} and more"
    return f"{start}" if starts[band] == start + 1 else f"{start}–{starts[band] - 1}"
