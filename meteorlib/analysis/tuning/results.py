"""Results of a tuning as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import asdict, frozen

from meteorlib.analysis.significance.results import Interval
from meteorlib.config.schema import ScorerConfig


@frozen
class Fitted:
    """The best values on some judgments.

    Attributes:
        left_out: the fold that was left out; empty for all judgments.
        values: of the parameters, by name.
        base: the objective of the preset to begin with, on the judgments that were trained on.
        train: that of the values, there.
        left_out_base: the objective of the preset to begin with on the fold; None for all judgments.
        left_out_value: that of the values, there.
    """

    left_out: str
    values: Mapping[str, Any]
    base: float
    train: float
    left_out_base: float | None = None
    left_out_value: float | None = None


@frozen
class Gain:
    """What the fitted values gain on judgments that they were not fitted to, all folds together.

    Attributes:
        base: the objective of the preset to begin with.
        value: that of the values, each fold's with those that were fitted without it.
        difference: the second less the first.
        interval: of the difference, from segments drawn anew.
    """

    base: float
    value: float
    difference: float
    interval: Interval

    @property
    def shown(self) -> bool:
        """Whether the interval is above 0."""
        return self.interval.low > 0


@frozen
class Tuning:
    """Everything that a tuning has found.

    Attributes:
        config: the preset with the values that are best on all judgments.
        base: the name of the preset to begin with.
        signature: its signature.
        objective: what was to become great.
        method: how points were found.
        asked: the parameters that were fitted, with the values that they could have, as ``--fit`` takes them.
        evaluations: how many points one search of ``evolution`` could try.
        by: what the folds are made of.
        whole: the values that are best on all judgments.
        folds: those that are best without each fold.
        gain: what such values gain on what was left out.
        data: the data, with digests of texts and judgments.
        judged: how many judged pairs and ratings there are.
        tried: how many points were tried.
        samples: how many test sets were drawn for the interval.
        confidence: its level.
        seed: of the random numbers.
        notes: what is odd.
        points: all points that were tried, with the objective on all judgments.
    """

    config: ScorerConfig
    base: str
    signature: str
    objective: str
    method: str
    asked: tuple[str, ...]
    evaluations: int
    by: str
    whole: Fitted
    folds: tuple[Fitted, ...]
    gain: Gain
    data: Mapping[str, str]
    judged: Mapping[str, int]
    tried: int
    samples: int
    confidence: float
    seed: int
    notes: tuple[str, ...]
    points: tuple[tuple[float, tuple[Any, ...]], ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON; without the points."""
        data = asdict(self, filter=lambda attribute, _: attribute.name not in {"config", "points"})
        data["gain"]["shown"] = self.gain.shown
        return {"preset": self.config.name, **data}
