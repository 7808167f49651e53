"""A drop-in for NLGMetricverse's METEOR: ``NLGMetricverse(metrics=load_metric("meteor"))``.

That library wraps NLTK: punctuation becomes blanks, the text is lowercased and split, and NLTK's METEOR is computed on
the words. So it is here; ``preset="meteor-1.5-en"`` gives another METEOR, which makes words of the text in its own way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from warnings import warn

from attrs import evolve, field, frozen

from meteorlib.config import load_preset
from meteorlib.errors import InputMismatch, InvalidText, UnknownName, error_at
from meteorlib.extras import import_extra
from meteorlib.integrations import scorer_with

__all__ = ["AutoMetric", "Meteor", "NLGMetricverse", "compute", "load_metric"]

Item = str | Sequence[str]
"""The predictions or the references of one item: one text or several."""

Reduction = Callable[[Sequence[float]], Any]
"""Function that reduces several numbers to one, such as ``numpy.mean``."""


@frozen
class Meteor:
    """The metric ``meteor``, ready to compute.

    Attributes:
        preset: None for NLGMetricverse's METEOR, or a preset, which tokenizes the text itself.
        alpha: weight of recall against precision, 0..1; None uses the preset's.
        beta: exponent of fragmentation; None uses the preset's.
        gamma: greatest penalty, 0..1; None uses the preset's.
        reduce_fn: reduction of the scores of several predictions: the name of a NumPy function, or a callable.
        resulting_name: the key of its result.
    """

    preset: str | None = None
    alpha: float | None = None
    beta: float | None = None
    gamma: float | None = None
    reduce_fn: str | Reduction = field(default="max", validator=lambda _, __, given: _reduction(given))
    resulting_name: str = "meteor"

    def compute(self, predictions: str | Sequence[Item], references: str | Sequence[Item]) -> dict[str, Any]:
        """Score all items; the score is the mean over those that are not empty.

        Args:
            predictions: one text or several for each item; a single string is one item.
            references: one text or several for each item; the best reference counts.

        Returns:
            ``{"total_items": 1, "empty_items": 0, "meteor": {"score": 0.5}}``. An item is empty if its predictions or
            its references are ``""`` or an empty list; it is counted and left out. If all are empty, there is a
            warning and no score.

        Raises:
            InputMismatch: the numbers of predictions and references differ.
            InvalidText: text with NUL or a lone surrogate; ``where`` names the item, counted from 1.
            TypeError: an item that is neither a string nor a list of strings.
        """
        items = list(_items(predictions, references))
        scorable = [(number, ours, theirs) for number, (ours, theirs) in enumerate(items, 1) if ours and theirs]
        result: dict[str, Any] = {"total_items": len(items), "empty_items": len(items) - len(scorable)}
        if not scorable:
            warn("there is no item, or all of them are empty: nothing was scored", stacklevel=2)
            return result
        scores = [self._scores(*item) for item in scorable]
        several = any(len(item_scores) > 1 for item_scores in scores)
        reduce_fn, mean = _reduction(self.reduce_fn), _reduction("mean")
        # like the library, which calls `reduce_fn` only if some item has several predictions
        score = mean([reduce_fn(item_scores) if several else item_scores[0] for item_scores in scores])
        return {**result, self.resulting_name: {"score": score}}

    def _scores(self, number: int, predictions: Sequence[str], references: Sequence[str]) -> list[float]:
        given = {"alpha": self.alpha, "beta": self.beta, "gamma": self.gamma}
        changed = {name: value for name, value in given.items() if value is not None}
        preset = self.preset or evolve(load_preset("nltk"), text="split_lower_nopunct")
        scorer = scorer_with(preset, **changed)
        try:
            return [scorer.score(references, prediction).score for prediction in predictions]
        except InvalidText as error:
            raise error_at(f"item {number}: ", error) from None


Metrics = str | Meteor | Mapping[str, Any]
"""A metric, its name, or the arguments of `load_metric`."""


class NLGMetricverse:
    """NLGMetricverse's scorer, for METEOR only.

    Attributes:
        metrics: the metrics to compute.
    """

    def __init__(self, metrics: Metrics | Sequence[Metrics] = "meteor", *, run_concurrent: bool = False) -> None:
        """Set up the metrics.

        Args:
            metrics: one metric or several: results of `load_metric`, names, or dictionaries of the arguments of
                `load_metric`, such as ``{"path": "meteor", "resulting_name": "M", "compute_kwargs": {}}``.
            run_concurrent: accepted for compatibility; it does not change the result.

        Raises:
            UnknownName: a metric other than ``meteor``.
            InputMismatch: two different metrics with one resulting name.
        """
        given = [metrics] if isinstance(metrics, str | Meteor | Mapping) else metrics
        self.metrics: tuple[Meteor, ...] = tuple(
            metric
            if isinstance(metric, Meteor)
            else load_metric(**({"path": metric} if isinstance(metric, str) else metric))
            for metric in given
        )
        self.run_concurrent = run_concurrent
        names = {metric.resulting_name: metric for metric in self.metrics}
        for metric in self.metrics:
            if names[metric.resulting_name] != metric:
                raise InputMismatch(f"two metrics are called {metric.resulting_name!r}: give one a resulting_name")

    def __call__(
        self,
        *,
        predictions: str | Sequence[Item],
        references: str | Sequence[Item],
        reduce_fn: str | Reduction | None = None,
        alpha: float | None = None,
        beta: float | None = None,
        gamma: float | None = None,
    ) -> dict[str, Any]:
        """Compute all metrics and return their results in one dictionary; see `Meteor.compute`.

        Args:
            predictions: one text or several for each item.
            references: one text or several for each item.
            reduce_fn: replaces the metrics' own, as do `alpha`, `beta` and `gamma`.
            alpha: see `Meteor`.
            beta: see `Meteor`.
            gamma: see `Meteor`.
        """
        given = {"reduce_fn": reduce_fn, "alpha": alpha, "beta": beta, "gamma": gamma}
        changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        result: dict[str, Any] = {}
        for metric in self.metrics:
            result |= evolve(metric, **changes).compute(predictions, references)
        return result


def load_metric(
    path: str = "meteor",
    resulting_name: str | None = None,
    compute_kwargs: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Meteor:
    """Load the metric ``meteor``.

    Args:
        path: ``meteor``, in any case; NLGMetricverse's other metrics are not available.
        resulting_name: the key of its result; None for ``meteor``.
        compute_kwargs: other attributes of `Meteor`, such as ``{"alpha": 0.8}``.
        settings: further attributes of `Meteor`, which take precedence over `compute_kwargs`.

    Raises:
        UnknownName: a name other than ``meteor``.
    """
    if path.lower() != "meteor":
        raise UnknownName("metric", path, ["meteor"])
    return Meteor(**{**(compute_kwargs or {}), **settings}, resulting_name=resulting_name or "meteor")


class AutoMetric:
    """NLGMetricverse's class around `load_metric`."""

    @staticmethod
    def load(
        path: str = "meteor",
        resulting_name: str | None = None,
        compute_kwargs: Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> Meteor:
        """See `load_metric`."""
        return load_metric(path, resulting_name, compute_kwargs, **settings)


def compute(
    predictions: str | Sequence[Item],
    references: str | Sequence[Item],
    alpha: float | None = None,
    beta: float | None = None,
    gamma: float | None = None,
    reduce_fn: str | Reduction = "max",
    preset: str | None = None,
) -> dict[str, Any]:
    """Score all items at once; see `Meteor`. NLTK's parameters are 0.9, 3 and 0.5."""
    return Meteor(preset, alpha, beta, gamma, reduce_fn).compute(predictions, references)


def _items(
    predictions: str | Sequence[Item], references: str | Sequence[Item]
) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    ours, theirs = ([side] if isinstance(side, str) else side for side in (predictions, references))
    if len(ours) != len(theirs):
        raise InputMismatch(f"{len(ours)} predictions but {len(theirs)} references: each needs its own")
    for number, pair in enumerate(zip(ours, theirs, strict=True), 1):
        for item in pair:
            texts = item if isinstance(item, Sequence) else [item]
            if not all(isinstance(text, str) for text in texts):
                raise TypeError(f"item {number} is a string or a list of strings, not {item!r:.80}")
        yield _texts(pair[0]), _texts(pair[1])


def _texts(item: Item) -> Sequence[str]:
    """Texts of an item; empty for an empty item."""
    if isinstance(item, str):
        return [item] if item else []
    return item


def _reduction(given: object) -> Callable[[Sequence[float]], float]:
    """NumPy's function of that name, or a callable that makes one number of several, as a float."""
    np = import_extra("numpy", "nlgmetricverse")
    reduction: Any = getattr(np, given, None) if isinstance(given, str) else given
    if not callable(reduction):
        raise TypeError(f"reduce_fn must be the name of a reduction of NumPy, or a callable, not {given!r:.80}")

    def reduced(scores: Sequence[float]) -> float:
        return float(np.asarray(reduction(scores)).item())

    try:
        reduced([0.25, 0.5])
    except (TypeError, ValueError):
        raise ValueError(f"reduce_fn must make one number of several: {given!r:.80} does not") from None
    return reduced
