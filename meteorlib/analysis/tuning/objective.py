"""Objective to maximize, a weighted sum of agreement statistics, and the sums over judgments that it is made of."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from re import fullmatch
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen

from meteorlib.analysis.meta_evaluation.correlations import Indices
from meteorlib.analysis.meta_evaluation.judgments import FEW_JUDGMENTS, Judgments, Pairs, check_people
from meteorlib.analysis.meta_evaluation.levels import pairs_within_segments
from meteorlib.analysis.tuning.folds import Folds, numbered_segments
from meteorlib.arrays import Numbers
from meteorlib.errors import InputMismatch, UnknownName

CONCORDANT, DISCORDANT, PAIRS, SMOOTH, RATINGS, X, Y, XX, YY, XY = range(10)
"""Indices of the columns of sums."""

SUMS = XY + 1

ALIASES = {"tau": "tau_wmt14"}
STATISTICS = ("accuracy", "pearson", "tau_wmt12", "tau_wmt13", "tau_wmt14")
"""Statistics; ``tau`` is WMT's definition since 2014, whereas METEOR's trainer uses that of 2012."""

STEEPNESS = 4.0
"""Steepness of the smooth tau: a pair counts d / (|d| + mean of all |d| / `STEEPNESS`), d being its difference."""


@frozen
class Objective:
    """Weighted sum of statistics, each averaged over language pairs.

    Attributes:
        terms: weight and statistic of each term.
    """

    terms: tuple[tuple[float, str], ...]

    @classmethod
    def parse(cls, text: str) -> Objective:
        """Parse an objective such as ``tau``, ``pearson`` or ``0.5*tau+0.5*pearson``.

        Raises:
            InputMismatch: the text is not such a sum.
            UnknownName: a statistic is unknown.
        """
        terms = []
        for part in text.split("+"):
            found = fullmatch(r"\s*(?:([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*\*\s*)?(\w+)\s*", part)
            if found is None or (found[1] and not float(found[1])):
                raise InputMismatch(f"objective {text!r}: expected a sum such as 0.5*tau+0.5*pearson")
            name = ALIASES.get(found[2], found[2])
            if name not in STATISTICS:
                raise UnknownName("statistic", found[2], (*STATISTICS, *ALIASES))
            terms.append((float(found[1] or 1), name))
        names = [name for _, name in terms]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise InputMismatch(f"objective {text!r}: has {twice} twice")
        return cls(tuple(terms))

    def __str__(self) -> str:
        return " + ".join(name if weight == 1 else f"{weight:g}*{name}" for weight, name in self.terms)

    @property
    def of_pairs(self) -> bool:
        """Whether the objective needs judged pairs."""
        return any(name != "pearson" for _, name in self.terms)

    @property
    def of_ratings(self) -> bool:
        """Whether the objective needs ratings."""
        return any(name == "pearson" for _, name in self.terms)

    def of(self, sums: Numbers, *, smooth: bool = False) -> Numbers:
        """Compute the objective from sums over judgments: … × language pairs × columns; NaN without judgments.

        With `smooth`, pairs count by the size of the score difference, not only by its sign.
        """
        names = [(weight, "smooth" if smooth and name != "pearson" else name) for weight, name in self.terms]
        found: Numbers = np.sum([weight * _mean(_statistic(name, sums)) for weight, name in names], axis=0)
        return found

    def folded(self, sums: Numbers) -> Numbers:
        """Compute the objective from sums of parts, each with a scale of its own: … × language pairs × parts × columns.

        The statistic of a language pair is the mean over its parts, weighted by numbers of judgments; for tau that is
        the tau of all pairs together.
        """
        found: Numbers = np.zeros(sums.shape[:-3])
        for weight, name in self.terms:
            sizes = sums[..., RATINGS if name == "pearson" else PAIRS]
            values = np.where(sizes > 0, _statistic(name, sums), 0.0)
            with np.errstate(all="ignore"):
                means = (values * sizes).sum(axis=-1) / sizes.sum(axis=-1)
            found = found + weight * _mean(means)
        return found


def _mean(values: Numbers) -> Numbers:
    """Mean over the language pairs for which the statistic is defined."""
    has = ~np.isnan(values)
    with np.errstate(all="ignore"):
        found: Numbers = np.where(has, values, 0.0).sum(axis=-1) / has.sum(axis=-1)
    return found


def _statistic(name: str, sums: Numbers) -> Numbers:
    """Statistic from sums; NaN without judgments, 0 for an undefined correlation."""
    if name == "pearson":
        return _pearson(sums)
    concordant, discordant, pairs = sums[..., CONCORDANT], sums[..., DISCORDANT], sums[..., PAIRS]
    with np.errstate(all="ignore"):
        if name == "smooth":
            found = sums[..., SMOOTH] / pairs
        elif name == "accuracy":
            found = concordant / pairs
        elif name == "tau_wmt12":
            found = (concordant - (pairs - concordant)) / pairs
        elif name == "tau_wmt13":
            orders = concordant + discordant
            found = np.where((orders == 0) & (pairs > 0), 0.0, (concordant - discordant) / orders)
        else:
            found = (concordant - discordant) / pairs
    return np.asarray(found)


def _pearson(sums: Numbers) -> Numbers:
    count = sums[..., RATINGS]
    with np.errstate(all="ignore"):
        covariance = sums[..., XY] - sums[..., X] * sums[..., Y] / count
        one = sums[..., XX] - sums[..., X] ** 2 / count
        other = sums[..., YY] - sums[..., Y] ** 2 / count
        constant = (one <= 1e-12 * sums[..., XX]) | (other <= 1e-12 * sums[..., YY])
        found = np.where(constant, 0.0, covariance / np.sqrt(one * other))
    return np.where(count > 0, found, np.nan)


@frozen(eq=False, slots=False)
class JudgmentArrays:
    """Judgments of all language pairs as arrays, with an element for each pair, rating, or text.

    A *cell* is a group (see `Folds`) of a language pair, numbered language pair · number of groups + group.

    Texts (`better`, `worse`, `text`) and segments are numbered through all language pairs; `part` is the language pair
    of each text. The mean of its language pair is subtracted from a rating. `note` is on few judgments, or empty.
    """

    names: tuple[str, ...]
    folds: Folds
    note: str
    better: Indices
    worse: Indices
    count: Numbers
    pair_cell: Indices
    text: Indices
    rating: Numbers
    rating_cell: Indices
    segment: Indices
    part: Indices

    @classmethod
    def of(cls, judgments: Sequence[Judgments], folds: Folds, objective: Objective) -> JudgmentArrays:
        """Extract the judgments that the objective needs."""
        pairs = [part.pairs for part in judgments] if objective.of_pairs else [None] * len(judgments)
        if not any(part.pairs is not None for part in judgments):
            pairs = [_pairs_from_ratings(part) for part in judgments] if objective.of_pairs else pairs
        ratings = [part.ratings if objective.of_ratings else None for part in judgments]
        note = _check(judgments, pairs, [rating is not None for rating in ratings], objective)
        no_pairs, none = Pairs(*np.zeros((3, 0), np.int64)), np.zeros(0)
        columns: list[tuple[Any, ...]] = []
        first = np.cumsum([0, *(len(part.texts) for part in judgments)])
        for index, (judged, rated) in enumerate(zip(pairs, ratings, strict=True)):
            cells = folds.groups[index] + index * folds.left_out.shape[1]
            better, worse, count = (judged or no_pairs).better, (judged or no_pairs).worse, (judged or no_pairs).count
            text, rating = (no_pairs.better, none) if rated is None else (rated.text, rated.value - rated.value.mean())
            of_pairs = better + first[index], worse + first[index], count.astype(np.float64), cells[better]
            columns.append((*of_pairs, text + first[index], rating, cells[text]))
        arrays: list[Any] = [np.concatenate(parts) for parts in zip(*columns, strict=True)]
        arrays.append(np.concatenate(numbered_segments(judgments)))
        arrays.append(np.repeat(np.arange(len(judgments)), [len(part.texts) for part in judgments]))
        return cls(tuple(part.name for part in judgments), folds, note, *arrays)

    def left_out(self, scores: Numbers) -> Numbers:
        """Sums over each left-out fold, for each row of scores: rows × folds × language pairs × columns."""
        return self._fold_sums(self.folds.left_out, self._cell_sums(scores, smooth=False))

    def training_sums(self, scores: Numbers, *, smooth: bool = False) -> Numbers:
        """Sums over all but each fold, then over all: rows of scores × (folds + 1) × language pairs × columns."""
        cells = self._cell_sums(scores, smooth=smooth)
        total = cells.sum(axis=2)[:, np.newaxis]
        return np.concatenate([total - self._fold_sums(self.folds.unfitted, cells), total], axis=1)

    def segment_sums(self, scores: Numbers) -> Numbers:
        """Sums by segment, for one row of scores: segments × columns."""
        labels = _Label.of(self.segment[self.better]), _Label.of(self.segment[self.text])
        found: Numbers = self._sums(scores[np.newaxis], labels, int(self.segment.max()) + 1, smooth=False)[0]
        return found

    def _cell_sums(self, scores: Numbers, *, smooth: bool) -> Numbers:
        """Sums by cell, for each row of scores: rows × language pairs × groups × columns."""
        groups = self.folds.left_out.shape[1]
        found = self._sums(scores, self._labels, len(self.names) * groups, smooth=smooth)
        return found.reshape(len(scores), len(self.names), groups, SUMS)

    @staticmethod
    def _fold_sums(chosen: Numbers, cells: Numbers) -> Numbers:
        found: Numbers = np.einsum("fg,rpgc->rfpc", chosen, cells)
        return found

    @cached_property
    def _labels(self) -> tuple[_Label, _Label]:
        return _Label.of(self.pair_cell), _Label.of(self.rating_cell)

    def _sums(self, scores: Numbers, labels: tuple[_Label, _Label], count: int, *, smooth: bool) -> Numbers:
        """Sums by label of pairs and ratings: rows × labels × columns. Buffers are reused to avoid allocations."""
        found = np.zeros((len(scores), count, SUMS))
        pairs, ratings = labels
        better, worse, said = self.better[pairs.order], self.worse[pairs.order], self.count[pairs.order]
        pairs.add(said, found[..., PAIRS])
        one, other = np.empty_like(said), np.empty_like(said)
        chosen = np.empty(len(said), bool)
        for into, row in zip(found, scores, strict=True) if len(said) else ():
            np.subtract(
                np.take(row, better, out=one, mode="clip"), np.take(row, worse, out=other, mode="clip"), out=one
            )
            for column, compare in ((CONCORDANT, np.greater), (DISCORDANT, np.less)):
                np.multiply(compare(one, 0, out=chosen), said, out=other)
                pairs.add(other, into[:, column])
            if smooth:
                np.abs(one, out=other)
                other += other.mean() / STEEPNESS or 1.0
                np.multiply(np.divide(one, other, out=one), said, out=one)
                pairs.add(one, into[:, SMOOTH])
        text, rating = self.text[ratings.order], self.rating[ratings.order]
        for column, numbers in ((RATINGS, np.ones_like(rating)), (Y, rating), (YY, rating * rating)):
            ratings.add(numbers, found[..., column])
        for into, row in zip(found, scores, strict=True) if len(text) else ():
            values = row[text]
            for column, numbers in ((X, values), (XX, values * values), (XY, values * rating)):
                ratings.add(numbers, into[:, column])
        return found


class _Label(NamedTuple):
    """Grouping by label: an order that sorts the labels, the start of each group, and its label."""

    order: Indices
    start: Indices
    label: Indices

    @classmethod
    def of(cls, labels: Indices) -> _Label:
        order = np.argsort(labels, kind="stable")
        ordered = labels[order]
        start = np.flatnonzero(np.diff(ordered, prepend=-1))
        return cls(order, start, ordered[start])

    def add(self, numbers: Numbers, into: Numbers) -> None:
        """Store the sums of sorted numbers at their labels, along the last axis."""
        if len(self.start):
            into[..., self.label] = np.add.reduceat(numbers, self.start)


def _pairs_from_ratings(judgments: Judgments) -> Pairs | None:
    """Pairs of texts of the same segment with different mean ratings."""
    if judgments.ratings is None:
        return None
    means = judgments.ratings.means()
    one, other = pairs_within_segments(judgments.segments[means.text])
    first = means.value[one] > means.value[other]
    differ = means.value[one] != means.value[other]
    better, worse = np.where(first, one, other)[differ], np.where(first, other, one)[differ]
    return Pairs(means.text[better], means.text[worse], np.ones(len(better), np.int64)) if len(better) else None


def _check(
    judgments: Sequence[Judgments], pairs: Sequence[Pairs | None], rated: Sequence[bool], objective: Objective
) -> str:
    """Check that there are judgments as the objective needs them; returns a note if they are few."""
    names = ", ".join(part.name for part in judgments) or "nothing"
    if objective.of_pairs and not any(pairs):
        raise InputMismatch(
            f"{names}: no two texts of a segment were judged to be of different quality, which {objective} needs"
            "; for one rating per segment, use --objective pearson (in Python: objective='pearson')"
        )
    if objective.of_ratings and not any(rated):
        raise InputMismatch(f"{names}: there are no ratings, which {objective} needs; rankings have tau")
    for part, judged in zip(judgments, pairs, strict=True):
        if part.ratings is not None and not np.isfinite(part.ratings.value).all():
            place = int(np.flatnonzero(~np.isfinite(part.ratings.value))[0])
            text, value = part.texts[part.ratings.text[place]], part.ratings.value[place]
            raise InputMismatch(f"{part.name}: the rating of {text} is {value:g}, which is not a comparable number")
        check_people(part)
        if judged is not None and _is_balanced(judged):
            raise InputMismatch(
                f"{part.name}: all pairs were judged both ways equally often, which contradict each other: whatever a "
                "metric says is half right"
            )
    counts = [sum(map(len, filter(None, pairs)))] if objective.of_pairs else []
    counts += [sum(len(part.ratings or ()) for part in judgments)] if objective.of_ratings else []
    if min(counts) > FEW_JUDGMENTS:
        return ""
    return f"{names}: {min(counts)} judgments; from {FEW_JUDGMENTS} or fewer hardly anything can be learned"


def _is_balanced(pairs: Pairs) -> bool:
    said: dict[tuple[int, int], int] = {}
    for better, worse, count in zip(pairs.better.tolist(), pairs.worse.tolist(), pairs.count.tolist(), strict=True):
        key = min(better, worse), max(better, worse)
        said[key] = said.get(key, 0) + (count if better < worse else -count)
    return not any(said.values())
