"""Scores of each system on buckets of segments and words, such as length and frequency."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from attrs import frozen

from meteorlib.config import ScorerConfig
from meteorlib.core.statistics import Statistics
from meteorlib.reports.html.aligned import Aligned
from meteorlib.reports.html.ragged import Integers
from meteorlib.reports.html.segments import References
from meteorlib.reports.html.words import word_counts
from meteorlib.resources.catalog import FUNCTION_WORDS

LENGTHS = (1, 11, 21, 31, 41, 51)
FREQUENCIES = (1, 2, 5, 10, 50, 200)
"""Lower ends of the bands of reference lengths, and of word frequencies."""
RATIOS = (0, 800, 950, 1050, 1200)
"""Lower ends of the bands of length ratios, in thousandths, as the page rounds them."""


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


def by_length(systems: Sequence[Aligned]) -> list[Bucket]:
    """METEOR scores by the length of the reference, in words.

    With several references, the length of the one that counts for the first system is used, so that all systems have
    the same buckets.
    """
    buckets, places = length_buckets(systems[0])
    scores = [system.group_scores(places, len(buckets)) for system in systems]
    return [
        Bucket(
            one.label,
            one.size,
            values,
            f"range,0 referenceWords,{one.shortest},{'' if one.longest is None else one.longest}",
        )
        for one, values in zip(buckets, zip(*scores, strict=True), strict=True)
    ]


@frozen
class LengthBucket:
    """Segments whose references have similar lengths.

    Attributes:
        label: the lengths.
        shortest: least number of words.
        longest: greatest number of words; None if there is no limit.
        size: number of segments.
    """

    label: str
    shortest: int
    longest: int | None
    size: int


def length_buckets(system: Aligned) -> tuple[list[LengthBucket], Integers]:
    """Buckets of segments by the length of the reference, shortest first, and the index of that of each segment."""
    bands, places, sizes = np.unique(
        np.searchsorted(LENGTHS, system.reference.lengths, side="right"), return_inverse=True, return_counts=True
    )
    return [
        LengthBucket(band_label(LENGTHS, band), *_ends(LENGTHS, band), size)
        for band, size in zip(bands.tolist(), sizes.tolist(), strict=True)
    ], places


def _ends(starts: Sequence[int], band: int) -> tuple[int, int | None]:
    """Least and greatest number of a band; None if it has no upper end."""
    return (0, *starts)[band], None if band == len(starts) else starts[band] - 1


def by_ratio(systems: Sequence[Aligned]) -> list[Bucket]:
    """METEOR scores by the length of the hypothesis divided by that of the reference, which differs between systems."""
    bands = [_ratio_bands(system) for system in systems]
    scores = [system.group_scores(places, len(RATIOS)) for system, places in zip(systems, bands, strict=True)]
    rows = []
    for band, start in enumerate(RATIOS):
        end = RATIOS[band + 1] if band + 1 < len(RATIOS) else None
        least, most = f"{start / 1000:g}", "" if end is None else f"{(end - 1) / 1000:g}"
        label = f"{least} and more" if end is None else f"{least} to {most}" if start else f"up to {most}"
        present = [bool((places == band).any()) for places in bands]
        if any(present):
            values = tuple(each[band] if here else float("nan") for each, here in zip(scores, present, strict=True))
            rows.append(Bucket(label, None, values, each=f"range,* ratio,{least},{most}"))
    return rows


def _ratio_bands(system: Aligned) -> Integers:
    """Index of the band of each segment; -1 for an empty reference."""
    lengths = system.reference.lengths
    ratios = np.floor(1000 * system.hypothesis.lengths / np.maximum(lengths, 1) + 0.5)
    bands: Integers = np.where(lengths > 0, np.searchsorted(RATIOS, ratios, side="right") - 1, -1)
    return bands


def by_frequency(systems: Sequence[Aligned], references: References) -> list[Bucket]:
    """Share of matched reference words, by frequency of the word in the references."""
    counts = np.bincount(references.texts.flat, minlength=len(systems[0].numbers))
    bands = np.searchsorted(FREQUENCIES, counts, side="right")
    found = [
        [
            np.bincount(bands, weights=each, minlength=len(FREQUENCIES) + 1).astype(int).tolist()
            for each in word_counts(system)
        ]
        for system in systems
    ]
    return [
        Bucket(
            band_label(FREQUENCIES, band),
            _common_size(sizes[band] for sizes, _ in found),
            tuple(_share(matched[band], sizes[band]) for sizes, matched in found),
            f"frequency,{FREQUENCIES[band - 1]},{_ends(FREQUENCIES, band)[1] or ''}",
            f"frequency,{FREQUENCIES[band - 1]},{_ends(FREQUENCIES, band)[1] or ''},*",
        )
        for band in range(1, len(FREQUENCIES) + 1)
        if any(sizes[band] for sizes, _ in found)
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


def function_word_note(config: ScorerConfig) -> str:
    """Sentence about function words of another language than the text's; empty if they are of the same one."""
    words, language = config.function_words, config.language
    if words is None or words not in FUNCTION_WORDS or words == language:
        return ""
    source = ", as METEOR 1.5 does" if words == "en" else ""
    return (
        f"This preset takes the {FUNCTION_WORDS[words]} function words for {FUNCTION_WORDS.get(language, language)} "
        f"text, too{source}: only words that this list has count as function words."
    )


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
