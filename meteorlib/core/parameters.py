"""Parameters of the scoring formula: one table of their names, ranges, defaults, symbols and descriptions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf, isfinite, nan
from typing import Any, Literal, NamedTuple, TypeVar

from attrs import NOTHING, Attribute, field, fields, frozen

Formula = Literal["meteor-2005", "meteor-1.5", "meteor-2026"]
Perfect = Literal["exempt", "penalized"]

Reduce = Literal["max", "mean", "min"]
"""The score of several references that counts."""

DEFAULT_PERFECT: Mapping[Formula, Perfect] = {
    "meteor-2005": "penalized",
    "meteor-1.5": "exempt",
    "meteor-2026": "penalized",
}
"""Default penalty rule for perfect segments, by formula."""

VERSIONS: Mapping[Formula, int] = {"meteor-2026": 3}
"""Version of a formula that may still change, in signatures; a change of its scores raises it."""


class Share(NamedTuple):
    """The share that the penalty of a fault multiplies."""

    counted: str  # a field of `meteorlib.core.faults.FaultCounts`
    whole: str  # a name in `meteorlib.core.faults.WHOLES`
    exponent: int  # of the share, which is at most 1
    half: float = 0.0  # the share of which half the price counts, where the whole price is approached; 0: it is not

    @property
    def limit(self) -> float:
        """The power of `half` that belongs to it."""
        return self.half**self.exponent

    @property
    def named(self) -> str:
        """The counted field as the lines of the formula name it."""
        return self.counted.replace("_", " ")


@frozen
class ParameterFacts:
    """Facts of a number of the formula: a row of the table `NUMERIC_PARAMETERS`."""

    name: str  # of its attribute, and its key in presets
    default: float  # NaN if a value must be given
    most: float  # greatest value with which a score is between 0 and 1; the least is 0
    symbol: str  # in the formula; empty for a penalty of a fault
    description: str
    formula: Formula | None = None  # the only one that has it; None if all have it
    optional: bool = False  # whether signatures name it only if it is not the default
    share: Share | None = None  # for a penalty of a fault, what it multiplies


def _facts(symbol: str, most: float, description: str, formula: Formula | None = None, **others: Any) -> dict[str, Any]:
    return {"symbol": symbol, "most": most, "description": description, "formula": formula, **others}


def _fault(description: str, count: str, whole: str, exponent: int = 1, half: float = 0.0) -> dict[str, Any]:
    return _facts("", inf, description, "meteor-2026", optional=True, share=Share(count, whole, exponent, half))


@frozen(init=False, eq=False, repr=False)
class FormulaNumbers:
    """The numbers of the formula but for the weights, each with the facts that everything else about it is made of.

    A penalty of a fault adds itself times a share to the penalty, in this order.
    """

    alpha: float = field(metadata=_facts("α", 1, "weight of recall against precision in F_mean"))
    beta: float = field(metadata=_facts("β", inf, "exponent of fragmentation"))
    gamma: float = field(metadata=_facts("γ", 1, "greatest penalty for fragmentation"))
    delta: float = field(default=0.5, metadata=_facts("δ", 1, "weight of content words against function words"))
    crossing: float = field(
        default=0.0, metadata=_facts("χ", 1, "greatest penalty for crossing matches", "meteor-2026")
    )
    crossing_beta: float = field(
        default=1.0, metadata=_facts("ξ", inf, "exponent of the share that cross", "meteor-2026")
    )
    bound: float = field(default=0.0, metadata=_facts("κ", 1, "bound of the penalty", "meteor-2026", optional=True))
    inversion: float = field(default=0.0, metadata=_fault("neighbors in the opposite order", "inversions", "matches"))
    swap: float = field(default=0.0, metadata=_fault("neighbors swapped", "swaps", "matches", 2))
    omission: float = field(default=0.0, metadata=_fault("function words left out", "omitted", "reference", 3))
    repetition: float = field(default=0.0, metadata=_fault("words repeated", "repeated", "content", 4, 0.3))
    excess: float = field(default=0.0, metadata=_fault("longer than 5/4 of the reference", "excess", "longer"))
    number: float = field(default=0.0, metadata=_fault("another number", "contradictions", "pairs of numbers"))
    negation: float = field(default=0.0, metadata=_fault("a negation without a counterpart", "negations", "sentences"))
    start: float = field(
        default=0.0, metadata=_fault("a lowercase letter at the beginning", "lowercase_starts", "sentences")
    )


NUMERIC_PARAMETERS: Mapping[str, ParameterFacts] = {
    row.name: ParameterFacts(row.name, nan if row.default is NOTHING else float(row.default or 0), **row.metadata)
    for row in fields(FormulaNumbers)
}
"""The table of the numbers of the formula, by name."""

FAULTS: Mapping[str, Share] = {name: facts.share for name, facts in NUMERIC_PARAMETERS.items() if facts.share}
"""The shares that penalties of faults multiply (docs/formula.md), by the name of the penalty, in order of addition."""

RANGES: Mapping[str, tuple[float, float]] = {
    **{name: (0, facts.most) for name, facts in NUMERIC_PARAMETERS.items()},
    "weight": (0, 1),
}
"""Ranges in which a score is between 0 and 1. The formula also works outside; configurations must keep to them."""

Class = TypeVar("Class")


def check_finite(name: str, value: float) -> None:
    """Refuse infinities and NaN by a ValueError that says `name`."""
    if not isfinite(value):
        raise ValueError(f"{name} must be a finite number: {value}")


def check_range(name: str, value: float) -> None:
    """Refuse a number that is out of its range in `RANGES`; see `check_between`."""
    check_between(name, value, *RANGES[name])


def check_between(name: str, value: float, least: float, most: float) -> None:
    """Refuse a number that is not finite, or out of a range, by a ValueError that says `name`."""
    check_finite(name, value)
    if value < least or value > most:
        wanted = f"be between {least} and {most}" if isfinite(most) else "not be negative"
        raise ValueError(f"{name} must {wanted}: {value}")


def between_0_and_1(_: object, attribute: Attribute[float], value: float) -> None:
    """A validator: from 0 to 1."""
    check_between(attribute.name, value, 0, 1)


def above_0_up_to_1(_: object, attribute: Attribute[float], value: float) -> None:
    """A validator: above 0, and at most 1."""
    check_finite(attribute.name, value)
    if not 0 < value <= 1:
        raise ValueError(f"{attribute.name} must be above 0 and at most 1: {value}")


def _finite(_: object, attribute: Attribute[float], value: float) -> None:
    check_finite(attribute.name, value)


def each_number(**changed: Any) -> Callable[[type, list[Attribute[Any]]], list[Attribute[Any]]]:
    """A field transformer for attrs that gives every number of the formula a validator or a converter."""
    return lambda _, given: [row.evolve(**changed) if row.name in NUMERIC_PARAMETERS else row for row in given]


def describe_numbers(cls: type[Class]) -> type[Class]:
    """Put the numbers of the formula before the other attributes that the docstring describes."""
    rows = "".join(
        f"\n        {name}: {'penalty of a fault: ' if facts.share else ''}{facts.description}, "
        f"{'≥ 0' if facts.most == inf else f'0..{facts.most}'}."
        for name, facts in NUMERIC_PARAMETERS.items()
    )
    before, _, others = (cls.__doc__ or "").partition("    Attributes:")
    cls.__doc__ = f"{before.rstrip()}\n\n    Attributes:{rows}{others or chr(10)}"
    return cls


@describe_numbers
@frozen(field_transformer=each_number(validator=_finite))
class Parameters(FormulaNumbers):
    """Parameters of the formula: finite numbers, which should be within `RANGES`.

    Attributes:
        weights: one weight for each stage, 0..1.
        formula: ``meteor-1.5``, ``meteor-2005`` or ``meteor-2026``. The first two differ in the order of operations,
            which decides the last digit of F_mean. ``meteor-2026`` penalizes chunks after the first, as a share of
            possible ones, and crossing matches, as a share of all pairs (docs/formula.md).
        perfect: whether a segment that is matched completely in one chunk is penalized; None for the default of the
            formula (`DEFAULT_PERFECT`).
    """

    weights: tuple[float, ...] = field(kw_only=True)
    formula: Formula = field(default="meteor-1.5", kw_only=True)
    perfect: Perfect | None = field(default=None, kw_only=True)

    @weights.validator
    def _check_weights(self, _: Attribute[tuple[float, ...]], value: tuple[float, ...]) -> None:
        for weight in value:
            check_finite("weight", weight)

    @property
    def exempts_perfect(self) -> bool:
        """Whether a perfect segment is not penalized."""
        return (self.perfect or DEFAULT_PERFECT[self.formula]) == "exempt"

    @property
    def ordered(self) -> bool:
        """Whether the formula needs `Statistics.order`."""
        return self.formula == "meteor-2026"

    @property
    def counts_faults(self) -> bool:
        """Whether the formula needs `Statistics.faults`."""
        return self.ordered and any(getattr(self, name) for name in FAULTS)

    @property
    def ranged(self) -> bool:
        """Whether all are within `RANGES`, so that every score is between 0 and 1."""
        named = [(name, getattr(self, name)) for name in NUMERIC_PARAMETERS]
        return all(
            RANGES[name][0] <= value <= RANGES[name][1]
            for name, value in (*named, *(("weight", weight) for weight in self.weights))
        )
