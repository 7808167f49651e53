"""Results of a tuning as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import Any

from attrs import asdict, frozen

from meteorlib.analysis.results import Interval
from meteorlib.config.schema import ScorerConfig
from meteorlib.display.displayable import Grid, Tabular, grid_of


@frozen
class Fitted(Tabular):
    """Values fitted to some of the judgments.

    Attributes:
        left_out: name of the left-out fold; empty for all judgments.
        values: fitted values of the parameters, by name.
        base: objective of the base preset on the training judgments.
        train: objective of the fitted values on the training judgments.
        left_out_base: objective of the base preset on the left-out fold; None for all judgments.
        left_out_value: objective of the fitted values on the left-out fold; None for all judgments.
    """

    _columns = "left_out values base train left_out_base left_out_value"

    left_out: str
    values: Mapping[str, Any]
    base: float
    train: float
    left_out_base: float | None = None
    left_out_value: float | None = None


@frozen
class Gain(Tabular):
    """Gain of fitted values on left-out judgments, over all folds.

    Attributes:
        base: objective of the base preset.
        value: objective of the fitted values, on each fold with those fitted without it.
        difference: `value` minus `base`.
        interval: confidence interval of the difference, from bootstrap resampling of segments.
    """

    _columns = "base value difference interval shown"
    _signed = frozenset({"difference", "interval"})

    base: float
    value: float
    difference: float
    interval: Interval

    @property
    def shown(self) -> bool:
        """Whether the whole interval is above 0."""
        return self.interval.low > 0


@frozen
class Tuning(Tabular):
    """Results of a tuning.

    Attributes:
        config: base preset with the values fitted to all judgments.
        base: name of the base preset.
        signature: signature of the base preset.
        objective: objective that was maximized.
        method: search method.
        asked: fitted parameters with their ranges, in the syntax of ``--fit``.
        evaluations: largest number of points in one search of ``evolution``.
        by: criterion by which folds were made.
        whole: values fitted to all judgments.
        folds: values fitted without each fold.
        gain: gain of these values on the left-out folds.
        data: digests of texts and judgments, by the name of the data.
        judged: number of judged pairs and of ratings.
        tried: number of points evaluated.
        samples: number of bootstrap samples for the interval.
        confidence: confidence level of the interval.
        seed: random seed.
        notes: notes on irregularities.
        points: all evaluated points, with their objective on all judgments.
    """

    _facts = "base objective method asked by tried samples confidence seed signature notes"

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
        """Plain data, ready for JSON; without the points. A statistic that folds have no judgments for is None."""
        data = asdict(
            self,
            filter=lambda attribute, _: attribute.name not in {"config", "points"},
            value_serializer=lambda _, __, value: None if isinstance(value, float) and isnan(value) else value,
        )
        data["gain"]["shown"] = self.gain.shown
        return {"preset": self.config.name, **data}

    def _grids(self) -> list[Grid]:
        return [grid_of([*self.folds, self.whole]), grid_of([self.gain])]
