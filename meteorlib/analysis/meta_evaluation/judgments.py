"""Human judgments of one language pair: judged texts, pairwise preferences, exact ratings, systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property, partial
from math import lcm, log
from statistics import fmean
from typing import Any, Literal, Self

import numpy as np
from attrs import evolve, field, frozen
from numpy.typing import NDArray

from meteorlib.analysis.meta_evaluation.correlations import Indices
from meteorlib.arrays import Numbers
from meteorlib.core.languages import target_language
from meteorlib.core.segment import Pair
from meteorlib.errors import InputMismatch
from meteorlib.inputs.cells import RANGE, computable
from meteorlib.inputs.escapes import Finding
from meteorlib.inputs.judgment_tables import Segment
from meteorlib.inputs.notes import Notes

FEW_JUDGMENTS = 50
"""Number of judgments up to which a note says that there are few."""

FEW_SYSTEMS = 9
"""Number of systems up to which a note says that there are few: with nine, a Pearson correlation below 0.66 does not
differ significantly from 0 (two-sided, level 0.05)."""

Kind = Literal["pairs", "ratings", "systems"]
"""Kind of judgments: pairs of texts, ratings of texts, or systems (rated directly or by their texts)."""

BITS = 24
"""Bits per digit of `split_digits`; in double precision, sums of up to 2^29 such digits are exact."""

Integers = NDArray[Any]
"""Array of Python integers, of any size."""


@frozen(eq=False)
class Fractions:
    """Numbers as integers, of any size, with a common denominator, so that equal means compare equal."""

    numerators: Integers
    denominator: int

    @classmethod
    def of(cls, numbers: Numbers) -> Self:
        """Shortest decimals that denote the numbers, which are finite, as people wrote them: 0.1 is one tenth."""
        if not np.isfinite(numbers).all():
            raise InputMismatch("numbers that are not finite have no mean")
        different, places = np.unique(numbers, return_inverse=True)
        decimals = [Decimal(repr(number)) for number in different.tolist()]
        digits = max([0, *(-int(decimal.as_tuple().exponent) for decimal in decimals)])
        numerators = np.array([int(decimal.scaleb(digits)) for decimal in decimals], object)
        return cls(numerators[places], 10**digits)

    def __len__(self) -> int:
        return len(self.numerators)

    @classmethod
    def concatenated(cls, parts: Sequence[Fractions]) -> Self:
        """The numbers of all parts."""
        multiple = lcm(*(part.denominator for part in parts))
        return cls(np.concatenate([part.numerators * (multiple // part.denominator) for part in parts]), multiple)

    def centered(self) -> Fractions:
        """Subtract the median; an empty list stays empty."""
        middle = np.sort(self.numerators)[len(self) // 2] if len(self) else 0
        return Fractions(self.numerators - middle, self.denominator)

    def divided(self, lengths: Sequence[int]) -> list[Fractions]:
        """Split into consecutive parts of these lengths."""
        return [Fractions(part, self.denominator) for part in np.split(self.numerators, np.cumsum(lengths)[:-1])]

    def at(self, places: NDArray[np.int64]) -> Fractions:
        """Select the numbers at these indices."""
        return Fractions(self.numerators[places], self.denominator)

    def means(self, groups: NDArray[np.int64]) -> Fractions:
        """Mean of each group of numbers, given the group of each, from 0; no group is empty."""
        counts = np.bincount(groups)
        multiple = lcm(*np.unique(counts).tolist())
        sums = np.zeros(len(counts), object)
        np.add.at(sums, groups, self.numerators)
        return Fractions(sums * (multiple // counts.astype(object)), self.denominator * multiple)

    def rounded(self) -> Numbers:
        """Round to the nearest doubles."""
        found: Numbers = (self.numerators / self.denominator).astype(float)
        return found


def split_digits(numerators: Integers) -> Numbers:
    """Split non-negative integers into digits, lowest first, which can be summed as floats without rounding."""
    count = max(1, -(-int(numerators.max(initial=0)).bit_length() // BITS))
    digits = [(numerators >> BITS * digit & (1 << BITS) - 1).astype(float) for digit in range(count)]
    return np.stack(digits, axis=1)


def join_digits(digits: Numbers) -> Integers:
    """Combine sums of digits along the last axis into integers; the inverse of `split_digits`."""
    found: Integers = np.zeros(digits.shape[:-1], object)
    for digit in reversed(range(digits.shape[-1])):
        found = (found << BITS) + digits[..., digit].astype(np.int64).astype(object)
    return found


def _parts(segment: str | Sequence[str]) -> Segment:
    return (segment,) if isinstance(segment, str) else tuple(segment)


def format_segment(segment: Segment) -> str:
    """Format the id of a segment for messages: ``'1'``, or ``'talk' / '1'``."""
    return " / ".join(map(repr, segment))


@frozen
class Judged:
    """Judged text with its references.

    Attributes:
        segment: id of the segment, in parts; a string is an id of one part. Texts of a segment are resampled together.
            If empty, nothing identifies the segment, and each distinct text is a segment of its own.
        system: name of the system that wrote the text; empty if unknown.
        texts: the text and its references.
        part: name of the language pair, if those of several are pooled.
    """

    segment: Segment = field(converter=_parts)
    system: str
    texts: Pair
    part: str = ""

    @property
    def unit(self) -> tuple[str, Segment, Segment]:
        """Key of the segment: equal for texts of one segment, different for different segments."""
        references, hypothesis = self.texts
        return self.part, self.segment, () if self.segment else (self.system, hypothesis, *references)

    def __str__(self) -> str:
        named = f"segment {format_segment(self.segment)}" if self.segment else f"text {self.texts.hypothesis[:40]!r}"
        return named + (f" of system {self.system!r}" if self.system else "")


@frozen(eq=False)
class Pairs:
    """Pairwise preferences, as arrays with one element per pair.

    Attributes:
        better: index of the better text.
        worse: index of the worse text.
        count: number of times that the judgment was made.
    """

    better: Indices
    worse: Indices
    count: Indices

    def __len__(self) -> int:
        return int(self.count.sum())


@frozen(eq=False, slots=False)
class Ratings:
    """Ratings of texts, higher is better, as arrays with one element per rating.

    Attributes:
        text: index of the rated text.
        value: the rating.
        fractions: exact ratings, before rounding to `value`; None if `value` is exact as written in decimal.
    """

    text: Indices
    value: Numbers
    fractions: Fractions | None = None

    def __len__(self) -> int:
        return len(self.text)

    def means(self) -> Ratings:
        """Mean rating of each text, in the order of the texts."""
        texts, first, places = np.unique(self.text, return_index=True, return_inverse=True)
        if len(texts) == len(self):
            return self.at(first)
        means = self.exact().means(places)
        return Ratings(texts, means.rounded(), means)

    def exact(self) -> Fractions:
        """Exact ratings, not rounded."""
        return Fractions.of(self.value) if self.fractions is None else self.fractions

    @cached_property
    def ranks(self) -> Indices:
        """Rank of each exact rating among the distinct ones, from 0."""
        numbers = self.value if self.fractions is None else self.fractions.numerators
        return np.unique(numbers, return_inverse=True)[1].astype(np.int64)

    def at(self, places: Indices) -> Ratings:
        """Select the ratings at these indices."""
        return Ratings(self.text[places], self.value[places], self.fractions and self.fractions.at(places))


@frozen(eq=False, slots=False)
class Judgments:
    """Human judgments of texts of one language pair.

    Attributes:
        name: name of the language pair.
        texts: all judged texts, each once.
        pairs: pairwise preferences; None if there are none.
        ratings: ratings of texts; None if there are none.
        systems: ratings of whole systems by name, higher is better.
        notes: notes on irregularities in the data.
        rows: for each row of the source table, the index of its text, or -1 if that is not among `texts`; used to join
            tables of scores. None if the table has a column of segments.
    """

    name: str
    texts: tuple[Judged, ...]
    pairs: Pairs | None = None
    ratings: Ratings | None = None
    systems: Mapping[str, float] = field(factory=dict)
    notes: tuple[str, ...] = ()
    rows: Indices | None = None

    @classmethod
    def together(cls, parts: Sequence[Judgments], name: str) -> Judgments:
        """Pool the ratings of several language pairs."""
        texts: list[Judged] = []
        places, values, fractions = [], [], []
        for part in parts:
            if part.ratings is not None:
                places.append(part.ratings.text + len(texts))
                values.append(part.ratings.value)
                fractions.append(part.ratings.exact())
            texts += [evolve(text, part=part.name) for text in part.texts]
        ratings = Ratings(np.concatenate(places), np.concatenate(values), Fractions.concatenated(fractions))
        return cls(name, tuple(texts), ratings=ratings)

    def in_order(self) -> tuple[Judgments, Indices]:
        """The texts sorted, so that no sum depends on the order in which they were read; the former index of each."""
        keys = [(text.part, text.segment, text.system, text.texts) for text in self.texts]
        order = np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64)
        places = np.argsort(order)
        pairs, ratings = self.pairs, self.ratings
        if pairs is not None:
            pairs = Pairs(places[pairs.better], places[pairs.worse], pairs.count)
        if ratings is not None:
            ratings = evolve(ratings, text=places[ratings.text])
            ratings = ratings.at(np.lexsort((ratings.value, ratings.text)))
        texts = tuple(self.texts[index] for index in order.tolist())
        systems = dict(sorted(self.systems.items()))
        return evolve(self, texts=texts, pairs=pairs, ratings=ratings, systems=systems, rows=None), order

    @cached_property
    def segments(self) -> Indices:
        """Segment of each text, from 0; numbers do not depend on the order of the texts."""
        return _ordinals([("/".join(filter(None, [text.part, *text.segment])), text.unit) for text in self.texts])

    @cached_property
    def segment_count(self) -> int:
        """Number of segments."""
        return int(self.segments.max(initial=-1)) + 1

    @cached_property
    def lengths(self) -> tuple[Numbers, Numbers]:
        """Logarithms of the characters of each text's reference, the mean of several, and of the text itself."""
        both = [(text.texts.hypothesis, *text.texts.references) for text in self.texts]
        logs = [[log(max(1, len(text))) for text in texts] for texts in both]
        return np.array([fmean(others) for _, *others in logs]), np.array([first for first, *_ in logs])

    @cached_property
    def authors(self) -> Indices:
        """System of each text, from 0; pooled language pairs share only the unknown system."""
        keys = [(text.part, text.system) if text.system else ("", "") for text in self.texts]
        return _ordinals([("/".join(filter(None, key)), key) for key in keys])


def _ordinals(keys: Sequence[tuple[str, Any]]) -> Indices:
    """Index of each key among the distinct keys, which are sorted by name."""
    places = {key: index for index, key in enumerate(sorted(set(keys)))}
    return np.array([places[key] for key in keys], np.int64)


def center_ratings(judgments: Sequence[Judgments]) -> list[Judgments]:
    """Subtract the median rating from all ratings of texts and systems.

    This changes no statistic, but protects small differences between large numbers from rounding.
    """
    parts = []
    for one in judgments:
        parts.append(Fractions.of(np.empty(0)) if one.ratings is None else one.ratings.exact())
        parts.append(Fractions.of(np.array([*one.systems.values()], float)))
    shifted = Fractions.concatenated(parts).centered().divided([len(part) for part in parts])
    found = []
    for index, one in enumerate(judgments):
        of_texts, of_systems = shifted[2 * index : 2 * index + 2]
        ratings = one.ratings and Ratings(one.ratings.text, of_texts.rounded(), of_texts)
        systems = dict(zip(one.systems, of_systems.rounded().tolist(), strict=True))
        found.append(evolve(one, ratings=ratings, systems=systems))
    return found


def check_people(judgments: Judgments) -> None:
    """Check that the judgments of a language pair allow a comparison with metrics."""
    name, systems = judgments.name, np.array([*judgments.systems.values()], float)
    ratings = np.empty(0) if judgments.ratings is None else judgments.ratings.value
    for values in (ratings, systems):
        if (odd := out_of_range(values)) is not None:
            raise InputMismatch(
                f"{name}: there is a rating of {odd:g}; statistics need {RANGE}; rescale the ratings, or leave out "
                "values that mark missing ratings"
            )
    if not (len(judgments.pairs or ()) or len(ratings) or len(systems)):
        raise InputMismatch(f"{name}: there is no judgment")
    if len(ratings) and len(np.unique(ratings)) < 2:
        raise InputMismatch(f"{name}: all ratings are {ratings[0]:g}, so nothing can correlate with them")
    if len(systems) == 1:
        raise InputMismatch(f"{name}: there is only one system; a comparison needs at least two")
    if len(systems) and len(np.unique(systems)) < 2:
        raise InputMismatch(f"{name}: all systems have the same human score, so nothing can correlate with it")


def out_of_range(numbers: Numbers) -> float | None:
    """The first number with which statistics cannot be computed, if any."""
    odd = numbers[~computable(numbers)]
    return float(odd[0]) if len(odd) else None


def look_at_judgments(notes: Notes, judged: Mapping[str, Sequence[Judgments]]) -> None:
    """Note what is odd about judged texts, their references and languages, by the file or folder that has them."""
    for data, judgments in judged.items():
        _look_at_texts(notes, data, judgments)
    notes.on_languages({one.name: target_language(one.name) for judgments in judged.values() for one in judgments})
    notes.on_texts()


def _look_at_texts(notes: Notes, data: str, judgments: Sequence[Judgments]) -> None:
    texts = [(part.name, text) for part in judgments for text in part.texts]
    segments = [*{(lp, *text.texts.references): (lp, evolve(text, system="")) for lp, text in texts}.values()]

    def describe(listed: Sequence[tuple[str, Judged]], unit: str, found: Finding) -> str:
        lp, text = listed[found.first - 1]
        return found.located(f" in {text}" + (f" of {lp}" if len(judgments) > 1 else ""), unit)

    hypotheses = [text.texts.hypothesis for _, text in texts]
    references = ["  ".join(text.texts.references) for _, text in segments]
    notes.look(f"{data} (hypotheses)", hypotheses, partial(describe, texts, "texts"))
    notes.look(f"{data} (references)", references, partial(describe, segments, "segments"))
    by_system: dict[tuple[str, str], list[Pair]] = {}
    for lp, text in texts:
        by_system.setdefault((lp, text.system), []).append(text.texts)
    for names, pairs in by_system.items():
        notes.look_at_order(", ".join((data, *filter(None, names))), pairs)
