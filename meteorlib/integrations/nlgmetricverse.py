"""NLGMetricverse's METEOR: ``NLGMetricverse(metrics=load_metric("meteor"))`` and its result.

That library wraps NLTK, so preset `nltk` is the default and gives its numbers; ``preset="meteor-2005"`` gives the
paper's. Words are what stands between white space.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import fsum
from typing import Any, Literal

from attrs import evolve, field, frozen

from meteorlib.config import load_preset
from meteorlib.errors import InputMismatch, UnknownName
from meteorlib.scorer import Scorer

Reduce = Literal["max", "mean", "min"]
Item = str | Sequence[str]
"""One text, or several: predictions of one item, references of one item."""


def _mean(scores: Sequence[float]) -> float:
    return fsum(scores) / len(scores)


_REDUCE: Mapping[str, Callable[[Sequence[float]], float]] = {"max": max, "min": min, "mean": _mean}


def _known_reduction(_: object, __: object, reduce: object) -> None:
    if reduce not in _REDUCE:
        raise ValueError(f"reduce must be one of {', '.join(map(repr, _REDUCE))}, not {reduce!r}")


@frozen
class Meteor:
    """The metric ``meteor``, ready to compute.

    Attributes:
        preset: which METEOR.
        alpha: weight of recall against precision, 0..1; None takes the preset's.
        beta: exponent of fragmentation; likewise.
        gamma: greatest penalty, 0..1; likewise.
        reduce: which of several references counts, and which of several predictions: ``max``, ``mean`` or ``min``.
        resulting_name: the key of its result.
    """

    preset: str = "nltk"
    alpha: float | None = None
    beta: float | None = None
    gamma: float | None = None
    reduce: Reduce = field(default="max", validator=_known_reduction)
    resulting_name: str = "meteor"

    def compute(self, predictions: Sequence[Item], references: Sequence[Item]) -> dict[str, Any]:
        """Score all items; the score is the mean over those that are not empty.

        Args:
            predictions: for each item one text, or several.
            references: for each item one text, or several.

        Returns:
            ``{"total_items": 1, "empty_items": 0, "meteor": {"score": 0.5}}``. An item is empty if no prediction or no
            reference of it has a word; it is counted and left out. Without any other item the score is 0.

        Raises:
            InputMismatch: there are not as many predictions as references.
            TypeError: a string instead of a list of items.
        """
        items = [item for item in _items(predictions, references) if all(map(_has_words, item))]
        scores = [self._score(ours, theirs) for ours, theirs in items]
        return {
            "total_items": len(predictions),
            "empty_items": len(predictions) - len(items),
            self.resulting_name: {"score": _mean(scores) if scores else 0.0},
        }

    def _score(self, predictions: Sequence[str], references: Sequence[str]) -> float:
        scorer = _scorer(self.preset, self.alpha, self.beta, self.gamma, self.reduce)
        return _REDUCE[self.reduce]([scorer.score(references, prediction).score for prediction in predictions])


class NLGMetricverse:
    """NLGMetricverse's scorer for METEOR alone.

    Attributes:
        metrics: what is computed, under the names of its results.
    """

    def __init__(self, metrics: str | Meteor | Sequence[str | Meteor] = "meteor") -> None:
        """Take metrics by name or as `load_metric` gives them.

        Raises:
            UnknownName: a metric other than ``meteor``.
        """
        given = [metrics] if isinstance(metrics, str | Meteor) else metrics
        self.metrics = tuple(load_metric(metric) if isinstance(metric, str) else metric for metric in given)

    def __call__(
        self, *, predictions: Sequence[Item], references: Sequence[Item], reduce_fn: Reduce | None = None
    ) -> dict[str, Any]:
        """The results of all metrics in one dictionary; see `Meteor.compute`.

        Args:
            predictions: for each item one text, or several.
            references: for each item one text, or several.
            reduce_fn: replaces the metrics' `reduce`.
        """
        result: dict[str, Any] = {}
        for metric in self.metrics:
            asked = metric if reduce_fn is None else evolve(metric, reduce=reduce_fn)
            result |= asked.compute(predictions, references)
        return result


def load_metric(name: str = "meteor", resulting_name: str = "meteor", **settings: Any) -> Meteor:
    """The metric called `name`.

    Args:
        name: ``meteor``; NLGMetricverse has others, meteorlib has none.
        resulting_name: the key of its result.
        settings: the other attributes of `Meteor`, also as NLGMetricverse's ``compute_kwargs={"alpha": …}``.

    Raises:
        UnknownName: a name other than ``meteor``.
    """
    if name != "meteor":
        raise UnknownName("metric", name, ["meteor"])
    return Meteor(**{**settings.pop("compute_kwargs", {}), **settings}, resulting_name=resulting_name)


def compute(
    predictions: Sequence[Item],
    references: Sequence[Item],
    alpha: float | None = None,
    beta: float | None = None,
    gamma: float | None = None,
    reduce: Reduce = "max",
    preset: str = "nltk",
) -> dict[str, Any]:
    """Score all items at once; see `Meteor`. The parameters of preset `nltk` are 0.9, 3 and 0.5."""
    return Meteor(preset, alpha, beta, gamma, reduce).compute(predictions, references)


@lru_cache(16)
def _scorer(preset: str, alpha: float | None, beta: float | None, gamma: float | None, reduce: Reduce) -> Scorer:
    config = load_preset(preset)
    given = {"alpha": alpha, "beta": beta, "gamma": gamma}
    parameters = evolve(config.parameters, **{name: value for name, value in given.items() if value is not None})
    return Scorer(evolve(config, parameters=parameters, reduce=reduce))


def _items(predictions: Sequence[Item], references: Sequence[Item]) -> list[tuple[Sequence[str], Sequence[str]]]:
    if isinstance(predictions, str) or isinstance(references, str):
        raise TypeError("predictions and references are lists with one entry for each item, not strings")
    if len(predictions) != len(references):
        raise InputMismatch(f"{len(predictions)} predictions but {len(references)} references: each needs its own")
    return [(_texts(ours), _texts(theirs)) for ours, theirs in zip(predictions, references, strict=True)]


def _texts(item: Item) -> Sequence[str]:
    texts = [item] if isinstance(item, str) else item
    if not isinstance(texts, Sequence) or not all(isinstance(text, str) for text in texts):
        raise TypeError(f"an item is a string or a list of strings, not {item!r:.80}")
    return texts


def _has_words(texts: Sequence[str]) -> bool:
    return any(text.split() for text in texts)
