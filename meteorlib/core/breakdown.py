"""ScoreBreakdown: a score and the numbers, counts and alignment behind it."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain, repeat
from math import fsum, isnan
from typing import TYPE_CHECKING, Any, Protocol

from attrs import astuple, evolve, field, frozen

from meteorlib.core.alignment import Alignment, Chunking
from meteorlib.core.formula import FORMULA, NUMBERS
from meteorlib.core.parameters import Parameters, Reduce
from meteorlib.core.segment import SCALE
from meteorlib.core.statistics import Statistics
from meteorlib.display.displayable import AsNumber, Displayable
from meteorlib.display.text import DIGITS, Row, amount, digits

if TYPE_CHECKING:
    from meteorlib.display.drawing import Plan

_new_object, _set = object.__new__, object.__setattr__


@frozen
class Origin:
    """The variant of METEOR that made a breakdown; all breakdowns of a scorer share it.

    Attributes:
        signature: the line that names the METEOR.
        stages: the names of its stages, in order.
        segment: whether it scored the text of a segment; of given statistics nobody knows what they are the sum of.
        scale: the size of a word of weight 1 in statistics; see `meteorlib.core.segment.SCALE`.
    """

    signature: str
    stages: tuple[str, ...]
    segment: bool = True
    scale: int = 1


_integers = partial(array, "i")


class WordNumbers(dict[str, int]):
    """Number of each word, in order of appearance; a new word gets the next number."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: list[str] = []
        self._known = _integers()

    def known(self, texts: list[str]) -> array[int]:
        """For each word of a growing list its number, to be filled in; -1 where nobody has asked for it."""
        if self._texts is not texts:
            self._texts, self._known = texts, _integers()
        self._known.extend(repeat(-1, len(texts) - len(self._known)))
        return self._known

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


@frozen(eq=False)
class FlatSegments:
    """Segments one after the other, in the machine's byte order: counts have 64 bits, other integers 32."""

    numbers: WordNumbers  # number of each word
    reference: array[int] = field(factory=_integers, init=False)  # number of each word of the references
    hypothesis: array[int] = field(factory=_integers, init=False)  # number of each word of the hypotheses
    matches: array[int] = field(factory=_integers, init=False)  # the fields of each `Match`
    grades: array[int] = field(factory=_integers, init=False)  # how much of each match counts, in units of 1/`SCALE`
    counts: array[int] = field(factory=partial(array, "q"), init=False)  # `Statistics.counts` of each segment
    # for each segment the number of words of the reference and of the hypothesis, the number of matches, the index of
    # the reference, from 0, and whether the search proved the matches the best
    segments: array[int] = field(factory=_integers, init=False)

    def append(
        self,
        words: tuple[bytes, bytes],
        matches: bytes,
        grades: bytes,
        counts: bytes,
        reference_index: int,
        optimal: bool,
    ) -> None:
        """Append a segment, the words of the reference first."""
        sizes = len(self.reference), len(self.hypothesis), len(self.grades)
        self.reference.frombytes(words[0])
        self.hypothesis.frombytes(words[1])
        self.matches.frombytes(matches)
        self.grades.frombytes(grades)
        self.counts.frombytes(counts)
        added = len(self.reference) - sizes[0], len(self.hypothesis) - sizes[1], len(self.grades) - sizes[2]
        self.segments.extend((*added, reference_index, optimal))


def _nan_to_none(number: float) -> float | None:
    """The number, or None for NaN: an equality key by which NaN equals NaN, and the form that JSON has."""
    return None if isnan(number) else number


class SegmentResult(Protocol):
    """An engine's result for one segment; immutable, and its methods always return the same objects."""

    @property
    def score(self) -> float: ...  # noqa: D102 – as in `ScoreBreakdown`, so are the others
    @property
    def reference_index(self) -> int: ...  # noqa: D102
    @property
    def optimal(self) -> bool: ...  # noqa: D102
    def statistics(self) -> Statistics: ...  # noqa: D102
    def alignment(self, stages: tuple[str, ...]) -> Alignment: ...  # noqa: D102
    def flatten(self, into: FlatSegments) -> bool: ...  # noqa: D102


class _LazyFields:
    """The slot of the result that lazy fields are computed from; the slot is not a field."""

    __slots__ = ("_result",)

    _result: tuple[SegmentResult, Parameters, Origin]


@frozen(repr=False, order=False)  # the default, which mypy's plugin does not know
class ScoreBreakdown(Displayable, AsNumber, _LazyFields):
    """A score and everything it was made from; one class for a segment and for a corpus.

    All numbers are between 0 and 1. Undefined numbers (the precision of an empty hypothesis, the penalty if nothing
    matches) are NaN, as in METEOR 1.5; `score` is then 0.

    ``float``, ``round``, ``f"{breakdown:.4f}"`` and ``<``, ``<=``, ``>``, ``>=`` use the score; a breakdown is compared
    with a number or with another breakdown. ``==`` and ``hash`` use all numbers, counts and the alignment, where NaN
    equals NaN, but not the variant. Breakdowns with the same score may be unequal, and none equals a number.

    Attributes:
        score: F_mean · (1 − penalty).
        precision: weighted matches by weighted length of the hypothesis.
        recall: weighted matches by weighted length of the reference.
        f1: harmonic mean of the two.
        f_mean: their mean weighted by alpha.
        fragmentation: penalized chunks by mean matched words; see `Statistics` for which chunks are penalized.
        penalty: gamma · fragmentation ^ beta; under ``meteor-2026`` that of crossing matches is added.
        statistics: the counts behind the score.
        alignment: the alignment of a segment; None for a corpus and for the mean of several references.
        reference_index: index of the best reference, from 0; None for a corpus.
        optimal: False if the search of any segment hit its budget.
        origin: the variant that computed the score; None if it does not come from a scorer.
        segment_count: number of segments of a corpus; None for a segment.
    """

    score: float = field(eq=_nan_to_none)
    precision: float = field(eq=_nan_to_none)
    recall: float = field(eq=_nan_to_none)
    f1: float = field(eq=_nan_to_none)
    f_mean: float = field(eq=_nan_to_none)
    fragmentation: float = field(eq=_nan_to_none)
    penalty: float = field(eq=_nan_to_none)
    statistics: Statistics
    alignment: Alignment | None = None
    reference_index: int | None = None
    optimal: bool = True
    origin: Origin | None = field(default=None, eq=False)
    segment_count: int | None = field(default=None, eq=False)

    @classmethod
    def from_result(cls, result: SegmentResult, parameters: Parameters, origin: Origin) -> ScoreBreakdown:
        """A segment's breakdown that computes its fields, except for the score, when they are first read."""
        breakdown = _new_object(cls)
        _set(breakdown, "score", result.score)
        _set(breakdown, "_result", (result, parameters, origin))
        return breakdown

    if not TYPE_CHECKING:  # otherwise every name would be a field

        def __getattr__(self, name: str) -> Any:
            if name not in ScoreBreakdown.__slots__:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
            computed = self._compute(name)
            for field_name, value in computed.items():
                _set(self, field_name, value)
            return computed[name]

    def _compute(self, name: str) -> dict[str, Any]:
        """Compute a field that has not been read yet, with the fields that are computed along with it."""
        result, parameters, origin = self._result
        if name in NUMBERS:
            return dict(zip(NUMBERS, FORMULA.numbers(self.statistics, parameters), strict=True))
        if name == "statistics":
            return {name: result.statistics()}
        if name == "alignment":
            return {name: result.alignment(origin.stages)}
        index, optimal = result.reference_index, result.optimal
        return {"reference_index": index, "optimal": optimal, "origin": origin, "segment_count": None}

    @property
    def chunking(self) -> Chunking | None:
        """The matches of `alignment` divided into chunks; None if there is no alignment."""
        return None if self.alignment is None else self.alignment.chunking

    @property
    def crossing(self) -> float | None:
        """The share of the pairs of matches that cross; None under formulas that do not count them."""
        return None if self.statistics.order is None else FORMULA.crossing_share(self.statistics.order)

    @property
    def unit(self) -> int:
        """The size of a word of weight 1 in `statistics`."""
        return 1 if self.origin is None else self.origin.scale

    @property
    def stages(self) -> tuple[str, ...]:
        """The names of the stages that `Statistics.stages` counts."""
        if self.origin is not None:
            return self.origin.stages
        if self.alignment is not None:
            return self.alignment.stages
        return tuple(f"stage {number}" for number in range(1, len(self.statistics.stages) + 1))

    def flatten(self, into: FlatSegments) -> bool:
        """Append a segment to others; False if it has no alignment."""
        if hasattr(self, "_result"):  # quicker than to compute fields that nobody has read
            return self._result[0].flatten(into)
        alignment = self.alignment
        if alignment is None:
            return False
        number = into.numbers.__getitem__
        into.append(
            (
                array("i", map(number, alignment.reference)).tobytes(),
                array("i", map(number, alignment.hypothesis)).tobytes(),
            ),
            array("i", chain.from_iterable(alignment.matches)).tobytes(),
            array("i", alignment.grades or (SCALE,) * len(alignment.matches)).tobytes(),
            array("q", self.statistics.counts()).tobytes(),
            self.reference_index or 0,
            self.optimal,
        )
        return True

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: what has no value (NaN) is None, positions count from 0.

        A segment has ``reference_index`` and ``matches``, a corpus ``segment_count``. Where words count in fractions,
        the statistics say in which: ``unit`` of them are a word of weight 1.
        """
        data: dict[str, Any] = {name: _nan_to_none(getattr(self, name)) for name in NUMBERS}
        data["chunks"] = self.statistics.chunks
        if self.crossing is not None:
            data["crossing"] = self.crossing
        data["statistics"] = self.statistics.to_dict(self.stages)
        if self.unit != 1:
            data["statistics"]["unit"] = self.unit
        data["optimal"] = self.optimal
        if self.segment_count is not None:
            return data | {"segment_count": self.segment_count}
        matches = [] if self.alignment is None else self.alignment.listed_matches()
        return data | {"reference_index": self.reference_index, "matches": matches}

    def __repr__(self) -> str:
        shown = [f"{name}={getattr(self, name):.4f}" for name in MAIN_NUMBERS]
        shown.append(f"chunks={self.statistics.chunks}")
        if self.segment_count is not None:
            shown.append(f"segment_count={self.segment_count}")
        return f"ScoreBreakdown({', '.join(shown)}{'' if self.optimal else ', optimal=False'})"

    def _rows(self) -> Iterable[Row]:
        return breakdown_rows(self)

    def _plan(self) -> Plan | None:
        return None if self.alignment is None else self.alignment.plan()


def breakdown(
    statistics: Statistics,
    parameters: Parameters,
    alignment: Alignment | None = None,
    reference_index: int | None = None,
    optimal: bool = True,
    origin: Origin | None = None,
) -> ScoreBreakdown:
    """Score `statistics`; see `ScoringFormula.numbers`."""
    scored = FORMULA.numbers(statistics, parameters)
    return ScoreBreakdown(*scored, statistics, alignment, reference_index, optimal, origin)


def reduce_breakdowns(scored: Sequence[ScoreBreakdown], how: Reduce, *, by_counts: bool = False) -> ScoreBreakdown:
    """One breakdown for the references of one hypothesis: the best, the worst, or their mean.

    Of equal scores the first counts; or, `by_counts`, the one whose statistics are larger, compared attribute by
    attribute, so that the order of the references does not matter. The mean has every number the mean, and as
    statistics their sum.
    """
    if how != "mean":
        score = (max if how == "max" else min)(map(float, scored))
        equal = [single for single in scored if single.score == score]
        # METEOR 1.5 and NLTK take the first; `by_counts`, the order of the references does not matter
        return max(equal, key=_counts) if by_counts and len(equal) > 1 else equal[0]
    # fsum: the built-in sum rounds differently from Python 3.12 on
    means: dict[str, Any] = {name: fsum(getattr(single, name) for single in scored) / len(scored) for name in NUMBERS}
    statistics = scored[0].statistics
    for single in scored[1:]:
        statistics += single.statistics
    optimal = all(single.optimal for single in scored)
    return evolve(scored[0], **means, statistics=statistics, alignment=None, reference_index=None, optimal=optimal)


def _counts(scored: ScoreBreakdown) -> tuple[Any, ...]:
    return astuple(scored.statistics, recurse=False)


MAIN_NUMBERS = ("score", "precision", "recall", "penalty")
"""The numbers that a line about a score has where there is room for few."""

DISPLAYED_NUMBERS = tuple(name for name in NUMBERS if name != "f1")
"""The numbers of a breakdown shown to people, without F1, which is not part of the score."""


def breakdown_rows(scored: ScoreBreakdown, width: int = DIGITS, scale: int = 1) -> list[Row]:
    """Labels and values of a breakdown without its alignment; numbers times `scale` have `width` digits."""
    statistics = scored.statistics
    unit = scored.unit
    matches = [f"{name} {amount(count, unit)}" for name, count in zip(scored.stages, statistics.matches, strict=True)]
    unmatched = amount(statistics.hypothesis_length - sum(statistics.matches), unit)
    lengths = amount(statistics.hypothesis_length, unit), amount(statistics.reference_length, unit)
    crossing = [] if scored.crossing is None else [("crossing", digits(scale * scored.crossing, width))]
    return [
        *((name, digits(scale * getattr(scored, name), width)) for name in DISPLAYED_NUMBERS),
        *crossing,
        ("chunks", str(statistics.chunks)),
        ("words", ", ".join([*matches, f"unmatched {unmatched}"])),
        ("length", f"hypothesis {lengths[0]}, reference {lengths[1]}"),
    ]
