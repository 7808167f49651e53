"""Judgments: texts, and what people said of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from meteorlib.arrays import Numbers
from meteorlib.core.pair import Pair

FEW = 50
"""So many ratings or fewer say little of a metric."""

Indices = NDArray[np.int64]


@frozen
class Judged:
    """A text that was judged.

    Attributes:
        segment: what it is an output for; texts of one segment are resampled together.
        system: what wrote it; empty where that is not known.
        texts: the text and its references.
    """

    segment: str
    system: str
    texts: Pair

    def __str__(self) -> str:
        return f"segment {self.segment!r}" + (f" of system {self.system!r}" if self.system else "")


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


@frozen(eq=False)
class Ratings:
    """Judgments how good a text is, higher is better; an array element for each.

    Attributes:
        text: the place of the text.
        value: the rating.
    """

    text: Indices
    value: Numbers

    def __len__(self) -> int:
        return len(self.text)

    def means(self) -> Ratings:
        """One rating for each text: the mean of its ratings."""
        texts, places = np.unique(self.text, return_inverse=True)
        return Ratings(texts, np.bincount(places, self.value) / np.bincount(places))


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
    """

    name: str
    texts: tuple[Judged, ...]
    pairs: Pairs | None = None
    ratings: Ratings | None = None
    systems: Mapping[str, float] = field(factory=dict)
    notes: tuple[str, ...] = ()

    @classmethod
    def together(cls, parts: Sequence[Judgments], name: str) -> Judgments:
        """The ratings of several language pairs as one."""
        texts: list[Judged] = []
        places, values = [], []
        for part in parts:
            if part.ratings is not None:
                places.append(part.ratings.text + len(texts))
                values.append(part.ratings.value)
            texts += [
                Judged(f"{part.name}/{one.segment}", one.system and f"{part.name}/{one.system}", one.texts)
                for one in part.texts
            ]
        return cls(name, tuple(texts), ratings=Ratings(np.concatenate(places), np.concatenate(values)))

    @cached_property
    def segments(self) -> Indices:
        """The segment of each text, from 0."""
        found: Indices = np.unique([text.segment for text in self.texts], return_inverse=True)[1].astype(np.int64)
        return found

    @cached_property
    def segment_count(self) -> int:
        """How many segments there are."""
        return int(self.segments.max(initial=-1)) + 1
