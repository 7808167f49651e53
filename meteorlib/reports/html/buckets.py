"""Scores of each system on buckets of segments and words, such as length and frequency."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from math import floor
from operator import add

from attrs import frozen

from meteorlib.core.breakdown import ScoreBreakdown, breakdown
from meteorlib.core.parameters import Parameters
from meteorlib.core.statistics import Statistics
from meteorlib.reports.html.segments import Words, alignment_of, word_counts

LENGTHS = (1, 11, 21, 31, 41, 51)
FREQUENCIES = (1, 2, 5, 10, 50, 200)
"""Lower ends of the bands of reference lengths, and of word frequencies."""
RATIOS = (0, 800, 950, 1050, 1200)
"""Lower ends of the bands of length ratios, in thousandths, as the page rounds them."""

Segments = Sequence[ScoreBreakdown]


@frozen
class Bucket:
    """Segments or words that share a property, and a value for each system.

    Attributes:
        label: description of the bucket.
        size: number of segments or words; None if it differs between systems.
        values: a number from 0 to 1 for each system; NaN if undefined.
        segments: filter of the page for the segments of the bucket; empty if there is none.
        each: filter for the segments behind a value, with ``*`` for the index of the system; empty if there is none.
    """

    label: str
    size: int | None
    values: tuple[float, ...]
    segments: str = ""
    each: str = ""


def by_length(systems: Sequence[Segments], parameters: Parameters) -> list[Bucket]:
    """METEOR scores by the length of the reference, in words.

    With several references, the one that counts for the first system decides, so that all have the same buckets.
    """
    return [
        Bucket(
            one.label,
            len(one.places),
            tuple(_score((segments[place] for place in one.places), parameters) for segments in systems),
            f"range,0 referenceWords,{one.shortest},{'' if one.longest is None else one.longest}",
        )
        for one in length_buckets(systems[0])
    ]


@frozen
class LengthBucket:
    """Segments whose references have similar lengths.

    Attributes:
        label: the lengths.
        shortest: least number of words.
        longest: greatest number of words; None if there is no limit.
        places: indices of the segments.
    """

    label: str
    shortest: int
    longest: int | None
    places: Sequence[int]


def length_buckets(segments: Segments) -> list[LengthBucket]:
    """Buckets of segments by the length of the reference, shortest first."""
    places: dict[int, list[int]] = {}
    for place, scored in enumerate(segments):
        places.setdefault(bisect_right(LENGTHS, len(alignment_of(scored).reference)), []).append(place)
    return [LengthBucket(band_label(LENGTHS, band), *_ends(LENGTHS, band), places[band]) for band in sorted(places)]


def _ends(starts: Sequence[int], band: int) -> tuple[int, int | None]:
    """Least and greatest number of a band; None if it has no upper end."""
    return (0, *starts)[band], None if band == len(starts) else starts[band] - 1


def by_ratio(systems: Sequence[Segments], parameters: Parameters) -> list[Bucket]:
    """METEOR scores by the length of the hypothesis divided by that of the reference, which differs between systems."""
    found = [_ratio_bands(segments) for segments in systems]
    rows = []
    for band, start in enumerate(RATIOS):
        end = RATIOS[band + 1] if band + 1 < len(RATIOS) else None
        least, most = f"{start / 1000:g}", "" if end is None else f"{(end - 1) / 1000:g}"
        label = f"{least} and more" if end is None else f"{least} to {most}" if start else f"up to {most}"
        if any(each[band] for each in found):
            values = tuple(_score(each[band], parameters) if each[band] else float("nan") for each in found)
            rows.append(Bucket(label, None, values, each=f"range,* ratio,{least},{most}"))
    return rows


def _ratio_bands(segments: Segments) -> list[list[ScoreBreakdown]]:
    bands: list[list[ScoreBreakdown]] = [[] for _ in RATIOS]
    for scored in segments:
        alignment = alignment_of(scored)
        if alignment.reference:
            ratio = floor(1000 * len(alignment.hypothesis) / len(alignment.reference) + 0.5)
            bands[bisect_right(RATIOS, ratio) - 1].append(scored)
    return bands


def by_frequency(systems: Sequence[Segments], references: Iterable[Sequence[Words]]) -> list[Bucket]:
    """Share of matched reference words, by frequency of the word in the references."""
    counts: Counter[str] = Counter()
    for each in references:
        for words in each:
            counts.update(words)
    band_of = {word: bisect_right(FREQUENCIES, count) for word, count in counts.items()}
    found = [_counts_byband_label(band_of, *word_counts(segments)) for segments in systems]
    return [
        Bucket(
            band_label(FREQUENCIES, band),
            _common_size(each[band][1] for each in found),
            tuple(_share(*each[band]) for each in found),
            f"frequency,{FREQUENCIES[band - 1]},{_ends(FREQUENCIES, band)[1] or ''}",
            f"frequency,{FREQUENCIES[band - 1]},{_ends(FREQUENCIES, band)[1] or ''},*",
        )
        for band in range(1, len(FREQUENCIES) + 1)
        if any(each[band][1] for each in found)
    ]


def by_kind(totals: Sequence[Statistics], scale: int = 1) -> list[Bucket]:
    """Share of matched reference words, for content words and for function words.

    Args:
        totals: the statistics of each system.
        scale: the size of a word of weight 1 there.
    """
    content = [
        (sum(stage.reference_content for stage in one.stages), one.reference_length - one.reference_function_words)
        for one in totals
    ]
    function = [(sum(stage.reference_function for stage in one.stages), one.reference_function_words) for one in totals]
    return [
        Bucket(
            f"{kind} words",
            _common_size(round(size / scale) for _, size in counts),
            tuple(_share(*count) for count in counts),
            each=f"has,* {kind}Missed",
        )
        for kind, counts in (("content", content), ("function", function))
    ]


def by_stage(totals: Sequence[Statistics], stages: Sequence[str]) -> list[Bucket]:
    """Share of the references that each stage matches, and share that is not matched."""
    counts = [[stage.reference_content + stage.reference_function for stage in one.stages] for one in totals]
    lengths = [one.reference_length for one in totals]
    rows = [(name, [each[index] for each in counts]) for index, name in enumerate(stages)]
    rows.append(("not matched", [length - sum(each) for each, length in zip(counts, lengths, strict=True)]))
    filters = [*(f"has,* stage{index}" for index in range(len(stages))), "has,* missed"]
    return [
        Bucket(name, None, tuple(map(_share, found, lengths)), each=each)
        for (name, found), each in zip(rows, filters, strict=True)
    ]


def _counts_byband_label(
    band_of: dict[str, int], counts_in_references: Counter[str], matched: Counter[str]
) -> list[tuple[int, int]]:
    """Numbers of matched words and of all words in each band."""
    sums = [[0, 0] for _ in range(len(FREQUENCIES) + 1)]
    for word, count in counts_in_references.items():
        sums[band_of[word]][0] += matched[word]
        sums[band_of[word]][1] += count
    return [(right, count) for right, count in sums]


def _score(segments: Iterable[ScoreBreakdown], parameters: Parameters) -> float:
    return breakdown(reduce(add, (scored.statistics for scored in segments)), parameters).score


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def _common_size(sizes: Iterable[int]) -> int | None:
    different = set(sizes)
    return different.pop() if len(different) == 1 else None


def band_label(starts: Sequence[int], band: int) -> str:
    """The numbers of a band, for people."""
    if not band:
        return f"{starts[0] - 1}"
    start = starts[band - 1]
    if band == len(starts):
        return f"{start} and more"
    return f"{start}" if starts[band] == start + 1 else f"{start}–{starts[band] - 1}"
