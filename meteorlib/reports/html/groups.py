"""Groups of segments in the HTML report, such as documents or source lengths, with scores."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import isnan
from typing import Any, Self

import numpy as np
from attrs import frozen

from meteorlib.core.safe_text import visible
from meteorlib.reports.groups import shown_label
from meteorlib.reports.html.aligned import Aligned
from meteorlib.reports.html.buckets import LENGTHS, band_label
from meteorlib.reports.html.encoding import letters
from meteorlib.reports.html.measures import ten_thousandths
from meteorlib.reports.html.segments import References

RARE = (1, 2, 3, 5)
"""Lower ends of the bands of numbers of rare words."""


@frozen
class Grouping:
    """A division of the segments into groups.

    Attributes:
        name: what the labels are: ``document``, ``domain``, …
        note: explanation for the page; empty if the name says it all.
        labels: label of each group.
        places: index of the group of each segment.
        ordered: whether the groups are bands of a number, in order.
    """

    name: str
    note: str
    labels: Sequence[str]
    places: Sequence[int]
    ordered: bool = False

    @classmethod
    def of_labels(cls, name: str, labels: Sequence[str]) -> Self:
        """Group segments by the label of each, in order of appearance."""
        found = {label: place for place, label in enumerate(dict.fromkeys(labels))}
        return cls(name, "", list(found), [found[label] for label in labels])

    @classmethod
    def of_numbers(cls, name: str, note: str, values: Sequence[int], starts: Sequence[int]) -> Self:
        """Group segments by the band of a number; `starts` has the lower ends of the bands, of which 0 is no part."""
        bands = [bisect_right(starts, value) for value in values]
        used = sorted(set(bands))
        found = {band: place for place, band in enumerate(used)}
        labels = [band_label(starts, band) for band in used]
        return cls(name, note, labels, [found[band] for band in bands], ordered=True)


def by_source(sources: Sequence[str]) -> Grouping:
    """Segments by the length of the source, in words between white space."""
    lengths = [len(source.split()) for source in sources]
    return Grouping.of_numbers("Length of the source", "Words between spaces.", lengths, LENGTHS)


def by_rare_words(references: References) -> Grouping:
    """Segments by the number of words of their first counting reference that occur once in all these references."""
    first = references.texts.take(references.firsts)
    rare = first.count(np.bincount(first.flat, minlength=1)[first.flat] == 1).tolist()
    note = "Number of words of the reference that occur only once in all references."
    return Grouping.of_numbers("Rare words", note, rare, RARE)


@frozen
class ScoredGrouping:
    """A grouping with the size of each group, and the corpus score of each system there.

    Attributes:
        grouping: the grouping.
        sizes: number of segments of each group.
        scores: for each system, the score of each group; NaN if undefined.
    """

    grouping: Grouping
    sizes: Sequence[int]
    scores: Sequence[Sequence[float]]

    @classmethod
    def of(cls, grouping: Grouping, systems: Sequence[Aligned]) -> Self:
        """Score the groups of each system from their summed statistics."""
        places, count = np.array(grouping.places), len(grouping.labels)
        sizes = np.bincount(places, minlength=count).tolist()
        return cls(grouping, sizes, [system.group_scores(places, count) for system in systems])

    def largest(self, first: int, second: int, difference: int) -> tuple[str, int, int] | None:
        """The group where a system leads most, by how much in units of 0.0001, and its size; None for no two groups.

        Args:
            first: index of the system whose score is the minuend.
            second: index of the other system.
            difference: difference of the whole, above 0 if the first one leads.
        """
        sign = 1 if difference > 0 else -1
        pairs = zip(self.scores[first], self.scores[second], strict=True)
        leads = [(sign * (one - other), -place) for place, (one, other) in enumerate(pairs) if not isnan(one - other)]
        if len(leads) < 2 or self.grouping.ordered:
            return None
        lead, place = max(leads)
        return shown_label(self.grouping.labels[-place], str), ten_thousandths(lead), self.sizes[-place]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for the page."""
        return {
            "name": visible(self.grouping.name),
            "note": self.grouping.note,
            "labels": [shown_label(label, visible) for label in self.grouping.labels],
            "places": letters(self.grouping.places),
            "ordered": self.grouping.ordered,
            "sizes": self.sizes,
            "scores": [[None if isnan(score) else score for score in each] for each in self.scores],
        }
