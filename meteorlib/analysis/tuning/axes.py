"""Axes of the search: the parameters to fit, and the values that they may have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from re import fullmatch
from typing import Any

from attrs import evolve, fields_dict, frozen

from meteorlib.config.document import plain_scalar
from meteorlib.config.schema import ParameterConfig, Place, ScorerConfig
from meteorlib.core.parameters import RANGES, Parameters
from meteorlib.errors import InputMismatch, UnknownName

DIGITS = 9
"""Decimal places of the ends of listed values, which removes the errors of added steps."""

OPEN_RANGE_END = 4.0
"""Upper end of the search for a parameter without an upper limit (beta)."""

STEP = 0.05
"""Default step of a grid, the same as in METEOR's trainer."""

STEP_TOLERANCE = 0.001
"""Tolerance by which a grid may exceed its last value, as in METEOR's trainer, because steps are added up."""


@frozen
class Axis:
    """Parameter to fit, with its range.

    Attributes:
        name: name as given, e.g. ``alpha``, ``weight.stem``, ``search.width``.
        place: path of the parameter in the preset.
        least: smallest value.
        most: largest value.
        values: values to try; empty for any from `least` to `most`. The last one may exceed `most` by the errors of
            added steps, as in METEOR's trainer.
        realigns: whether each value needs a realignment of the texts; otherwise their statistics are rescored.
        listed: values as given; empty for the whole range.
    """

    name: str
    place: Place
    least: float = 0.0
    most: float = 1.0
    values: tuple[Any, ...] = ()
    realigns: bool = False
    listed: str = ""

    @property
    def asked(self) -> str:
        """Parameter and its values, in the syntax of ``--fit``."""
        return f"{self.name}={self.listed or f'{self.least:g}:{self.most:g}'}"

    @property
    def is_weight(self) -> bool:
        """Whether the parameter is the weight of a stage."""
        return self.place[0] == "stages" and not self.realigns

    @property
    def grid(self) -> tuple[Any, ...]:
        """Values to try in a grid search."""
        return self.values or tuple(steps(self.least, self.most, STEP))


def steps(first: float, last: float, step: float) -> Iterator[float]:
    """Values from `first` to `last`, by repeated addition of `step`."""
    value = first
    while value <= last + STEP_TOLERANCE:
        yield value
        value += step


def axes_of(config: ScorerConfig, named: Sequence[str]) -> tuple[Axis, ...]:
    """Parse the parameters to fit.

    Args:
        config: base preset.
        named: ``NAME``, ``NAME=FIRST:LAST``, ``NAME=FIRST:LAST:STEP`` or ``NAME=VALUE/VALUE/…``. A name is a number of
            the formula (``alpha``), the weight of a stage (``weight.stem``, ``weight.2``), a setting of a stage
            (``near.least``), or any key of the preset by its path (``search.width``, ``text``).

    Raises:
        UnknownName: a parameter is unknown.
        InputMismatch: no parameter is named, or one twice; a parameter cannot have the given values; a parameter that
            affects alignments has no values.
    """
    found = [_axis(config, *(part.strip() for part in text.partition("=")[::2]), option=text) for text in named]
    if not found:
        raise InputMismatch("no parameters to fit; name some, e.g. --fit alpha,beta,gamma,delta")
    places = [axis.place for axis in found]
    for axis in found:
        if places.count(axis.place) > 1:
            raise InputMismatch(f"{axis.name} is to be fitted twice")
    return tuple(found)


def _axis(config: ScorerConfig, name: str, values: str, *, option: str) -> Axis:
    place = _place(config, name)
    kind = _kind(place)
    if kind is None:
        if not values:
            raise InputMismatch(f"{name}: texts are aligned again for each value; list the values, e.g. {name}=1/2/3")
        return Axis(name, place, values=_parsed_values(values, option), realigns=True, listed=values)
    least, most = RANGES[kind]
    axis = Axis(name, place, float(least), float(most) if isfinite(most) else OPEN_RANGE_END, listed=values)
    if not values:
        return axis
    if ":" not in values or values.count(":") == 2:
        listed = tuple(_as_number(value, option) for value in _parsed_values(values, option))
        axis = evolve(axis, values=listed, least=round(min(listed), DIGITS), most=round(max(listed), DIGITS))
    else:
        first, last = (_as_number(plain_scalar(value), option) for value in values.split(":"))
        if first >= last:
            raise InputMismatch(f"{option}: the first value must be less than the last one")
        axis = evolve(axis, least=first, most=last)
    if axis.least < least or axis.most > most + STEP_TOLERANCE:
        raise InputMismatch(f"{option}: {name} must be {f'between {least} and {most}' if isfinite(most) else '≥ 0'}")
    return evolve(axis, most=min(axis.most, float(most)))


def _parsed_values(values: str, option: str) -> tuple[Any, ...]:
    if values.count(":") == 2:
        first, last, step = (_as_number(plain_scalar(value), option) for value in values.split(":"))
        if step <= 0 or last < first or (last - first) / step > 1_000_000:
            raise InputMismatch(f"{option}: expected FIRST:LAST:STEP, such as 0:1:0.05")
        found: tuple[Any, ...] = tuple(steps(first, last, step))
        whole = all(fullmatch(r"\d+", value.strip()) for value in values.split(":"))
        return tuple(map(int, found)) if whole else found
    return tuple(dict.fromkeys(plain_scalar(value.strip()) for value in values.split("/")))


def _as_number(value: Any, option: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise InputMismatch(f"{option}: expected NAME, NAME=FIRST:LAST, NAME=FIRST:LAST:STEP or NAME=VALUE/VALUE/…")
    return float(value)


def _kind(place: Place) -> str | None:
    """Name of the parameter's range; None if it is not a parameter of the formula."""
    if place[0] == "parameters" and place[1] in fields_dict(Parameters):
        return str(place[1])
    return "weight" if place[0] == "stages" and place[2] == "weight" else None


def _place(config: ScorerConfig, name: str) -> Place:
    known = _places(config)
    if name not in known:
        raise UnknownName("parameter", name, [one for one in known if not one.startswith("stages.")])
    return known[name]


def _places(config: ScorerConfig) -> Mapping[str, Place]:
    found: dict[str, Place] = {name: ("parameters", name) for name in fields_dict(ParameterConfig)}
    for index, stage in enumerate(config.to_dict()["stages"]):
        for named in (str(index + 1), stage["matcher"]):
            found.setdefault(f"weight.{named}", ("stages", index, "weight"))
        for key in stage:
            found.setdefault(f"{stage['matcher']}.{key}", ("stages", index, key))
    for key, value in config.to_dict().items():
        if isinstance(value, Mapping):
            found.update({f"{key}.{inner}": (key, inner) for inner in value})
        elif key not in {"name", "stages", "description", "source"}:
            found[key] = (key,)
    return found


def parameters_at(parameters: Parameters, axes: Sequence[Axis], point: Sequence[Any]) -> Parameters:
    """Parameters of the formula at a point; others are taken from `parameters`."""
    numbers: dict[str, Any] = {}
    weights = list(parameters.weights)
    for axis, value in zip(axes, point, strict=True):
        if axis.realigns:
            continue
        if axis.place[0] == "stages":
            weights[int(axis.place[1])] = value
        else:
            numbers[str(axis.place[1])] = value
    return evolve(parameters, weights=tuple(weights), **numbers)


def value_at(config: ScorerConfig, place: Place) -> Any:
    """Value of a preset at a path."""
    part: Any = config.to_dict()
    for key in place:
        part = part[key]
    return part
