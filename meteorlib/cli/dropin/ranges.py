"""Parameters and weights outside their ranges, which METEOR 1.5 accepts."""

from __future__ import annotations

from attrs import field, frozen

from meteorlib.cli.dropin.usage import UsageError
from meteorlib.config.schema import ParameterConfig, StageConfig
from meteorlib.core.parameters import check_finite, check_range


@frozen
class AnyParameters(ParameterConfig):
    """Parameters of ``-p``: any finite numbers, as METEOR 1.5 accepts."""

    alpha: float = field()
    beta: float = field()
    gamma: float = field()
    delta: float = field()
    crossing: float = 0.0
    crossing_beta: float = 1.0
    inversion: float = 0.0
    swap: float = 0.0
    omission: float = 0.0
    repetition: float = 0.0
    excess: float = 0.0
    number: float = 0.0
    negation: float = 0.0
    start: float = 0.0


@frozen(init=False, repr=False)
class AnyStage(StageConfig):  # type: ignore[override]  # `__attrs_init__` is called by name
    """A stage with any finite weight of ``-w``."""

    weight: float = field(default=1.0)


def range_warnings(parameters: tuple[float, ...], weights: tuple[float, ...]) -> list[str]:
    """A warning for each number outside its range.

    Raises:
        UsageError: a number is infinite or NaN.
    """
    beyond = []
    names = ["alpha", "beta", "gamma", "delta", *["weight"] * len(weights)]
    for name, value in zip(names, (*parameters, *weights), strict=True):
        try:
            check_finite(name, value)
        except ValueError as error:
            raise UsageError(f"-p or -w: {error}") from None
        try:
            check_range(name, value)
        except ValueError as error:
            beyond.append(str(error))
    return beyond
