"""Results of a tuning as plain data, and the YAML of a fitted preset, which records where its numbers come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from math import isnan
from typing import Any

from attrs import asdict, frozen

from meteorlib._version import __version__
from meteorlib.analysis.differences import Interval
from meteorlib.config.document import presets_as_yaml
from meteorlib.config.schema import ScorerConfig
from meteorlib.display.displayable import Grid, Tabular, grid_of
from meteorlib.display.text import harmless, signed

MARK = "# Fitted by meteorlib tune"
"""First words of the file of a fitted preset."""


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

    _settings = "base objective method asked by tried samples confidence seed notes signature"

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


def preset_text(tuning: Tuning, day: date | None = None) -> str:
    """YAML text of the fitted preset, for `Scorer.from_file`.

    Args:
        tuning: results of the tuning.
        day: date to record; None for today (UTC).
    """
    day = day or datetime.now(UTC).date()
    comment = "\n".join(f"# {harmless(line)}".rstrip() for line in _header_lines(tuning))
    settings = {key: value for key, value in tuning.config.to_dict().items() if value is not None and key != "name"}
    settings["stages"] = [
        {key: value for key, value in stage.items() if value is not None} for stage in settings["stages"]
    ]
    fitted = ", ".join(tuning.whole.values)
    settings["description"] = f"{tuning.base} with {fitted} fitted to {', '.join(tuning.data)} ({verdict(tuning)})"
    settings["source"] = f"meteorlib tune, version {__version__}, {day}; see the head of its file"
    return f"{MARK}, version {__version__}, {day}.\n{presets_as_yaml({tuning.config.name: settings}, comment)}"


def verdict(tuning: Tuning) -> str:
    """Whether a gain was shown, in a few words."""
    return "gain on left-out data" if tuning.gain.shown else "no gain shown"


def conclusion(tuning: Tuning) -> str:
    """Sentence that says whether a gain was shown."""
    gain = tuning.gain
    detail = f"on left-out data {gain_summary(tuning)}"
    if gain.shown:
        return f"gain: {detail}"
    why = "a loss" if gain.interval.high < 0 else "the interval includes 0"
    return f"no gain shown: {detail}: {why}. Keep {tuning.base}"


def gain_summary(tuning: Tuning) -> str:
    """Gain with its interval, as text."""
    gain = tuning.gain
    low, high = signed(gain.interval.low), signed(gain.interval.high)
    return f"{signed(gain.difference)}, {tuning.confidence:.0%} interval [{low}, {high}]"


def _header_lines(tuning: Tuning) -> Iterator[str]:
    yield ""
    yield conclusion(tuning)
    yield ""
    yield f"base          {tuning.base}: {tuning.signature}"
    yield f"fitted        {' '.join(' '.join(tuning.asked).split())}"
    yield f"objective     {tuning.objective}, the mean over language pairs"
    for name, digest in tuning.data.items():
        yield f"data          {' '.join(name.split())}, sha256 of texts and judgments {digest}"
    yield f"judgments     {tuning.judged['pairs']} pairs, {tuning.judged['ratings']} ratings"
    bound = f" (at most {tuning.evaluations} in one search)" if tuning.method == "evolution" else ""
    yield f"method        {tuning.method}, {tuning.tried} settings tried{bound}, seed {tuning.seed}"
    yield f"folds         {len(tuning.folds)}, by {tuning.by}"
    yield f"interval      bootstrap by segment, {tuning.samples} samples, widened for fits that share judgments"
    yield f"all data      {_change_text(tuning.whole.base, tuning.whole.train)}"
    for fold in tuning.folds:
        yield f"left out      {fold.left_out}: {_fold_text(fold)}"
    yield f"left out      all of it: {_change_text(tuning.gain.base, tuning.gain.value)}"
    for note in tuning.notes:
        yield f"note          {' '.join(note.split())}"


def _fold_text(fold: Fitted) -> str:
    assert fold.left_out_base is not None  # noqa: S101 – something was left out
    assert fold.left_out_value is not None  # noqa: S101 – as above
    trained, left_out = _change_text(fold.base, fold.train), _change_text(fold.left_out_base, fold.left_out_value)
    settings = " ".join(f"{name}={value}" for name, value in fold.values.items())
    return f"{left_out}; trained on the rest: {trained}; {settings}"


def _change_text(base: float, value: float) -> str:
    return f"{base:.4f} → {value:.4f}"
