"""Parameters and weights outside their ranges, which METEOR 1.5 accepts."""

from __future__ import annotations

from attrs import field, frozen

from meteorlib.cli.dropin.usage import UsageError
from meteorlib.config.schema import ParameterConfig, StageConfig
from meteorlib.core.parameters import check_finite, check_range, each_number


@frozen(field_transformer=each_number(converter=None, validator=None))
class AnyParameters(ParameterConfig):
    """Parameters of ``-p``: any finite numbers, as METEOR 1.5 accepts."""


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
