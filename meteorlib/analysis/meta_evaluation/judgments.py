"""Human judgments of one language pair: judged texts, pairwise preferences, ratings, systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from attrs import evolve, field, frozen
from numpy.typing import NDArray

from meteorlib.analysis.meta_evaluation.exact import Fractions
from meteorlib.arrays import Numbers
from meteorlib.core.pair import Pair

FEW_JUDGMENTS = 50
"""Number of judgments up to which a warning says that they are few."""

FEW_SYSTEMS = 9
"""Number of systems up to which a warning says that they are few: with nine, a Pearson correlation below 0.66 does not
differ significantly from 0 (two-sided, level 0.05)."""

Indices = NDArray[np.int64]


Segment = tuple[str, ...]
"""The parts of a segment's id, such as document and number; empty where nothing identifies it."""


def _parts(segment: str | Sequence[str]) -> Segment:
    return (segment,) if isinstance(segment, str) else tuple(segment)


def format_segment(segment: Segment) -> str:
    """The id of a segment for messages: ``'1'``, or ``'talk' / '1'``."""
    return " / ".join(map(repr, segment))


@frozen
class Judged:
    """A text that was judged.

    Attributes:
        segment: the id of the segment, in parts; a string is an id of one part. Texts of a segment are resampled
            together. Empty where nothing identifies the segment: then each different text is a segment of its own.
        system: the system that wrote it; empty where that is not known.
        texts: the text and its references.
        part: the language pair, where the texts of several are pooled.
    """

    segment: Segment = field(converter=_parts)
    system: str
    texts: Pair
    part: str = ""

    @property
    def unit(self) -> tuple[str, Segment, Segment]:
        """Key that texts of the same segment share; two segments never have the same."""
        references, hypothesis = self.texts
        return self.part, self.segment, () if self.segment else (self.system, hypothesis, *references)

    def __str__(self) -> str:
        named = f"segment {format_segment(self.segment)}" if self.segment else f"text {self.texts.hypothesis[:40]!r}"
        return named + (f" of system {self.system!r}" if self.system else "")


@frozen(eq=False)
class Pairs:
    """Judgments that one text is better than another one; an array element for each.

    Attributes:
        better: the place of the better text.
        worse: the place of the worse one.
        count: how often it was said.
    """

    better: Indices
    worse: Indices
    count: Indices

    def __len__(self) -> int:
        return int(self.count.sum())


@frozen(eq=False, slots=False)
class Ratings:
    """Judgments how good a text is, higher is better; an array element for each.

    Attributes:
        text: the place of the text.
        value: the rating.
        fractions: the ratings before they were rounded to `value`; None if they are the decimals that denote it.
    """

    text: Indices
    value: Numbers
    fractions: Fractions | None = None

    def __len__(self) -> int:
        return len(self.text)

    def means(self) -> Ratings:
        """One rating for each text: the mean of its ratings, in the order of the texts."""
        texts, first, places = np.unique(self.text, return_index=True, return_inverse=True)
        if len(texts) == len(self):
            return self.at(first)
        means = self.exact().means(places)
        return Ratings(texts, means.rounded(), means)

    def exact(self) -> Fractions:
        """The ratings, not rounded."""
        return Fractions.of(self.value) if self.fractions is None else self.fractions

    @cached_property
    def ranks(self) -> Indices:
        """The place of each rating among the different ones, which are compared before they are rounded."""
        numbers = self.value if self.fractions is None else self.fractions.numerators
        return np.unique(numbers, return_inverse=True)[1].astype(np.int64)

    def at(self, places: Indices) -> Ratings:
        """The ratings at these places."""
        return Ratings(self.text[places], self.value[places], self.fractions and self.fractions.at(places))


@frozen(eq=False, slots=False)
class Judgments:
    """What people said of texts of one language pair.

    Attributes:
        name: the language pair.
        texts: all that were judged, each once.
        pairs: judgments of two texts; None where there are none.
        ratings: judgments of one text; None where there are none.
        systems: judgments of whole systems by name, higher is better.
        notes: what is odd about them.
        rows: the place of the text of each row of the table they were read from, -1 for a text that is not among these;
            None where the table has a column of segments. Tables of scores are joined by it.
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
        """The ratings of several language pairs as one."""
        texts: list[Judged] = []
        places, values, fractions = [], [], []
        for part in parts:
            if part.ratings is not None:
                places.append(part.ratings.text + len(texts))
                values.append(part.ratings.value)
                fractions.append(part.ratings.exact())
            texts += [evolve(one, part=part.name) for one in part.texts]
        ratings = Ratings(np.concatenate(places), np.concatenate(values), Fractions.concatenated(fractions))
        return cls(name, tuple(texts), ratings=ratings)

    def in_order(self) -> tuple[Judgments, Indices]:
        """Sort the texts by segment and system, so that no sum depends on the order in which they were read.

        Returns:
            The same judgments, and the former place of each text.
        """
        keys = [(text.part, text.segment, text.system, text.texts) for text in self.texts]
        order = np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64)
        places = np.argsort(order)
        pairs, ratings = self.pairs, self.ratings
        if pairs is not None:
            pairs = Pairs(places[pairs.better], places[pairs.worse], pairs.count)
        if ratings is not None:
            ratings = evolve(ratings, text=places[ratings.text])
            ratings = ratings.at(np.lexsort((ratings.value, ratings.text)))
        texts = tuple(self.texts[place] for place in order.tolist())
        systems = dict(sorted(self.systems.items()))
        return evolve(self, texts=texts, pairs=pairs, ratings=ratings, systems=systems, rows=None), order

    @cached_property
    def segments(self) -> Indices:
        """The segment of each text, from 0; the order of the texts does not matter."""
        return _ordinals([("/".join(filter(None, [text.part, *text.segment])), text.unit) for text in self.texts])

    @cached_property
    def segment_count(self) -> int:
        """How many segments there are."""
        return int(self.segments.max(initial=-1)) + 1

    @cached_property
    def authors(self) -> Indices:
        """The system of each text, from 0; pooled language pairs share no system but the unknown one."""
        keys = [(text.part, text.system) if text.system else ("", "") for text in self.texts]
        return _ordinals([("/".join(filter(None, key)), key) for key in keys])


def _ordinals(keys: Sequence[tuple[str, Any]]) -> Indices:
    """The place of each key among the different ones, sorted by the names they begin with."""
    places = {key: place for place, key in enumerate(sorted(set(keys)))}
    return np.array([places[key] for key in keys], np.int64)


def center_ratings(judgments: Sequence[Judgments]) -> list[Judgments]:
    """Subtract the rating in the middle from all ratings of texts and systems.

    No statistic changes by that, but small differences of large numbers are not rounded.
    """
    parts = []
    for one in judgments:
        parts.append(Fractions.of(np.empty(0)) if one.ratings is None else one.ratings.exact())
        parts.append(Fractions.of(np.array([*one.systems.values()], float)))
    shifted = Fractions.concatenated(parts).centered().divided([len(part) for part in parts])
    found = []
    for place, one in enumerate(judgments):
        of_texts, of_systems = shifted[2 * place : 2 * place + 2]
        ratings = one.ratings and Ratings(one.ratings.text, of_texts.rounded(), of_texts)
        systems = dict(zip(one.systems, of_systems.rounded().tolist(), strict=True))
        found.append(evolve(one, ratings=ratings, systems=systems))
    return found
