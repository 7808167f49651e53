"""Groups of segments and of words, such as lengths, documents, stages and labels, with a value for each system."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from itertools import chain, pairwise
from math import isnan, nan
from typing import Any, NamedTuple, Self

import numpy as np
from attrs import frozen

from meteorlib.analysis.contrast.aligned import Aligned, Integers, Ragged, References, Words
from meteorlib.analysis.contrast.missed_words import word_counts
from meteorlib.core.statistics import Statistics
from meteorlib.errors import InputMismatch

LENGTHS = (1, 11, 21, 31, 41, 51)
FREQUENCIES = (1, 2, 5, 10, 50, 200)
RARE = (1, 2, 3, 5)
"""Lower ends of the bands of lengths of texts, of word frequencies, and of numbers of rare words."""

RATIOS = (0, 800, 950, 1050, 1200)
"""Lower ends of the bands of length ratios, in thousandths, as the page rounds them."""


class Lead(NamedTuple):
    """The lead of a system in a group."""

    place: int  # index of the group
    value: float  # difference of the scores


@frozen
class Bucket:
    """Segments or words that share a property, and a value for each system.

    Sizes that differ between systems are None, undefined values NaN. Bands have a least and a greatest number, empty if
    there is none; of words, ``low`` is what the page calls them.
    """

    label: str
    size: int | None
    values: tuple[float, ...]
    low: int | str
    high: int | str = ""


def band_ends(starts: Sequence[int], band: int) -> tuple[int, int | str]:
    """Least and greatest number of a band, from those that bands begin with; the last one has no greatest."""
    return (starts[0] - 1, *starts)[band], "" if band == len(starts) else starts[band] - 1


def band_label(starts: Sequence[int], band: int) -> str:
    """The numbers of a band, for people."""
    low, high = band_ends(starts, band)
    return f"{low} and more" if high == "" else f"{low}" if low == high else f"{low}–{high}"


def length_bands(system: Aligned) -> tuple[list[int], Integers, list[int]]:
    """Bands of segments by the length of the reference: those that occur, the index of each segment's, sizes."""
    bands, places, sizes = np.unique(
        np.searchsorted(LENGTHS, system.reference.lengths, side="right"), return_inverse=True, return_counts=True
    )
    return bands.tolist(), places, sizes.tolist()


def by_length(systems: Sequence[Aligned]) -> list[Bucket]:
    """METEOR scores by the length of the reference, in words.

    With several references, the length of the one that counts for the first system is used, so that all systems have
    the same buckets.
    """
    bands, places, sizes = length_bands(systems[0])
    scores = [system.group_scores(places, len(bands)) for system in systems]
    return [
        Bucket(band_label(LENGTHS, band), size, values, *band_ends(LENGTHS, band))
        for band, size, values in zip(bands, sizes, zip(*scores, strict=True), strict=True)
    ]


def by_ratio(systems: Sequence[Aligned]) -> list[Bucket]:
    """METEOR scores by the length of the hypothesis divided by that of the reference, which differs between systems."""
    bands = [_ratio_bands(system) for system in systems]
    scores = [system.group_scores(places, len(RATIOS)) for system, places in zip(systems, bands, strict=True)]
    buckets = []
    for band, start in enumerate(RATIOS):
        end = RATIOS[band + 1] if band + 1 < len(RATIOS) else None
        least, most = f"{start / 1000:g}", "" if end is None else f"{(end - 1) / 1000:g}"
        label = f"{least} and more" if end is None else f"{least} to {most}" if start else f"up to {most}"
        present = [bool((places == band).any()) for places in bands]
        if any(present):
            values = tuple([of_system[band] if here else nan for of_system, here in zip(scores, present, strict=True)])
            buckets.append(Bucket(label, None, values, least, most))
    return buckets


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
    size = len(FREQUENCIES) + 1
    counted = [
        [np.bincount(bands, weights=of_words, minlength=size).astype(int).tolist() for of_words in word_counts(system)]
        for system in systems
    ]
    return [
        Bucket(
            band_label(FREQUENCIES, band),
            _common_size([sizes[band] for sizes, _ in counted]),
            tuple([_share(matched[band], sizes[band]) for sizes, matched in counted]),
            *band_ends(FREQUENCIES, band),
        )
        for band in range(1, size)
        if any(sizes[band] for sizes, _ in counted)
    ]


def by_kind(totals: Sequence[Statistics], scale: int = 1) -> list[Bucket]:
    """Share of matched content words and function words; `scale` is the size of a word of weight 1 in the totals."""
    content = [
        (
            sum(stage.reference_content for stage in total.stages),
            total.reference_length - total.reference_function_words,
        )
        for total in totals
    ]
    function = [
        (sum(stage.reference_function for stage in total.stages), total.reference_function_words) for total in totals
    ]
    return [
        Bucket(
            f"{kind} words",
            _common_size([round(size / scale) for _, size in counts]),
            tuple([_share(*count) for count in counts]),
            f"{kind}Missed",
        )
        for kind, counts in (("content", content), ("function", function))
    ]


def by_stage(totals: Sequence[Statistics], stages: Sequence[str]) -> list[Bucket]:
    """Share of the references that each stage matches, and share that is not matched."""
    counts = [[stage.reference_content + stage.reference_function for stage in total.stages] for total in totals]
    lengths = [total.reference_length for total in totals]
    rows = [(name, [of_system[index] for of_system in counts], f"stage{index}") for index, name in enumerate(stages)]
    missed = [length - sum(of_system) for of_system, length in zip(counts, lengths, strict=True)]
    return [
        Bucket(name, None, tuple(map(_share, matched, lengths)), called)
        for name, matched, called in [*rows, ("not matched", missed, "missed")]
    ]


def _share(part: int, whole: int) -> float:
    return part / whole if whole else nan


def _common_size(sizes: Iterable[int]) -> int | None:
    different = set(sizes)
    return different.pop() if len(different) == 1 else None


@frozen(eq=False)
class Grouping:
    """A division of the segments into groups, with the corpus score of each system there.

    ``name`` is what the labels are, such as ``document``; ``places`` has the index of the group of each segment;
    ``scores`` has for each system the score of each group, NaN if undefined; ``ordered`` ones are bands of a number.
    """

    name: str
    labels: Sequence[str]
    places: Sequence[int]
    sizes: Sequence[int]
    scores: Sequence[Sequence[float]]
    ordered: bool = False

    @classmethod
    def of(
        cls, name: str, labels: Mapping[Any, str], values: Sequence[Any], systems: Sequence[Aligned], *, ordered: bool
    ) -> Self:
        """Group segments by a value of each; `labels` has that of each value, in the order of the groups."""
        indices = {value: index for index, value in enumerate(labels)}
        places = [indices[value] for value in values]
        groups, count = np.array(places), len(labels)
        sizes = np.bincount(groups, minlength=count).tolist()
        scores = [system.group_scores(groups, count) for system in systems]
        return cls(name, [*labels.values()], places, sizes, scores, ordered)

    @classmethod
    def of_labels(cls, name: str, labels: Sequence[str], systems: Sequence[Aligned]) -> Self:
        """Group segments by the label of each, in order of appearance."""
        return cls.of(name, dict(zip(labels, labels, strict=True)), labels, systems, ordered=False)

    @classmethod
    def of_numbers(cls, name: str, values: Sequence[int], starts: Sequence[int], systems: Sequence[Aligned]) -> Self:
        """Group segments by the band of a number; `starts` has the lower ends of the bands, of which 0 is no part."""
        bands = [bisect_right(starts, value) for value in values]
        labels = {band: band_label(starts, band) for band in sorted({*bands})}
        return cls.of(name, labels, bands, systems, ordered=True)

    def largest(self, first: int, second: int, difference: float) -> Lead | None:
        """The group where a system leads most; None for no two groups, and for bands.

        The system is that of the two that leads as a whole, by the sign of `difference`, first minus second.
        """
        sign = 1 if difference > 0 else -1
        pairs = zip(self.scores[first], self.scores[second], strict=True)
        leads = [(sign * (one - two), -group) for group, (one, two) in enumerate(pairs) if not isnan(one - two)]
        if len(leads) < 2 or self.ordered:
            return None
        lead, group = max(leads)
        return Lead(-group, lead)


def by_source(sources: Sequence[str], systems: Sequence[Aligned]) -> Grouping:
    """Segments by the length of the source, in words between white space."""
    return Grouping.of_numbers("Length of the source", [len(source.split()) for source in sources], LENGTHS, systems)


def by_rare_words(references: References, systems: Sequence[Aligned]) -> Grouping:
    """Segments by the number of words of their first counting reference that occur once in all these references."""
    first = references.texts.take(references.firsts)
    rare = first.count(np.bincount(first.flat, minlength=1)[first.flat] == 1).tolist()
    return Grouping.of_numbers("Rare words", rare, RARE, systems)


@frozen(eq=False)
class LabeledWords:
    """Words of the references by label, with counts, and the number of them that each system matches."""

    name: str  # kind of the labels: ``pos``, ``entity``, …
    labels: Sequence[str]  # the labels, in order of appearance
    places: Ragged  # for each of `References.texts`, the index of the label of each word
    sizes: Sequence[Sequence[int]]  # for each system, the number of words with each label in the references that count
    matched: Sequence[Sequence[int]]  # for each system, the number of them that are matched
    firsts: Integers  # see `References.firsts`

    @classmethod
    def all(
        cls,
        labels: Mapping[str, Sequence[Sequence[str]]],
        texts: Sequence[Sequence[str]],
        systems: Sequence[Aligned],
        references: References,
    ) -> list[Self]:
        """Label the words of the references by each kind of labels.

        `texts` has the references of each segment as they were written, `labels` for each kind the labels of their
        tokens, both between white space; other numbers of labels than of references or tokens are an `InputMismatch`.
        """
        if not labels:
            return []
        for name, given in labels.items():
            for segment, (of_segment, of_references) in enumerate(zip(given, texts, strict=True), 1):
                if len(of_segment) != len(of_references):
                    counts = f"{name} labels of {len(of_segment)} references for {len(of_references)}"
                    raise InputMismatch(f"segment {segment}: {counts}")
        numbers = np.zeros(len(references.texts), np.int64)
        for system, used in reversed([*zip(systems, references.used, strict=True)]):
            numbers[used] = system.reference_index
        rows = [*zip(references.segments.tolist(), numbers.tolist(), strict=True)]
        owners = _owners([texts[segment][number] for segment, number in rows], systems[0], references)
        return [
            cls._of(name, [given[segment][number] for segment, number in rows], owners, systems, references)
            for name, given in labels.items()
        ]

    @classmethod
    def _of(
        cls,
        name: str,
        given: Sequence[str],
        owners: Sequence[Sequence[int]],
        systems: Sequence[Aligned],
        references: References,
    ) -> Self:
        indices: dict[str, int] = {}
        flat: list[int] = []
        for row, (labels, tokens) in enumerate(zip(given, owners, strict=True)):
            *tokens, count = tokens  # noqa: PLW2901
            named = labels.split()
            if len(named) != count:
                segment = int(references.segments[row]) + 1
                raise InputMismatch(f"segment {segment}: {len(named)} {name} labels for {count} tokens")
            flat += [indices.setdefault(named[token] if named else "", len(indices)) for token in tokens]
        places = Ragged(np.array(flat, np.int64), references.texts.starts)
        sizes, matched = [], []
        for system, used in zip(systems, references.used, strict=True):
            own = places.take(used).flat
            sizes.append(np.bincount(own, minlength=len(indices)).tolist())
            matched.append(np.bincount(own[system.covered()], minlength=len(indices)).tolist())
        return cls(name, list(indices), places, sizes, matched, references.firsts)


def _owners(texts: Sequence[str], system: Aligned, references: References) -> list[list[int]]:
    """For each text, the index of the token of each word, and at the end the number of tokens."""
    engine, known = system.corpus.engine, system.words()
    words_of: Callable[[str], Words] = cache(lambda token: engine.read(token).words)
    words, starts = references.texts.flat.tolist(), references.texts.starts.tolist()
    owners = []
    for text, (first, end) in zip(texts, pairwise(starts), strict=True):
        tokens = text.split()
        of_words = token_owners([*map(words_of, tokens)], [known[word] for word in words[first:end]])
        owners.append([*of_words, len(tokens)])
    return owners


def token_owners(tokens: Sequence[Words], words: Sequence[str]) -> list[int]:
    """Index of the token of each word of a text; a word joined from several tokens belongs to the first.

    `tokens` has the words of each token alone; in the text they may differ, because of its neighbors.
    """
    alone = [*chain.from_iterable(tokens)]
    owners = [place for place, token in enumerate(tokens) for _ in token]
    if alone == words:
        return owners
    found: list[int] = []
    for _, first, end, start, stop in SequenceMatcher(None, alone, words, autojunk=False).get_opcodes():
        last = max(end - 1, 0)  # of an inserted word, the place before it
        found += [owners[min(first + step, last)] if owners else 0 for step in range(stop - start)]
    return found
