"""The data of an explanation, from which its drawings are made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from attrs import field, frozen

from meteorlib.core.alignment import Alignment
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.parameters import Parameters
from meteorlib.explanation.faults import PenalizedFault
from meteorlib.explanation.formula import Step, mean_step, steps
from meteorlib.explanation.gains import Gain

View = Literal["rows", "matrix"]
"""Drawing of an alignment: two rows of words, or a matrix."""


@frozen(repr=False)
class ExplanationData:
    """Everything an explanation contains; see `Explanation` for the attributes."""

    scored: ScoreBreakdown
    references: tuple[ScoreBreakdown, ...]
    shown: int
    reduce: Literal["max", "mean", "min"]
    parameters: Parameters
    gains: tuple[Gain, ...]
    gains_left_out: int
    preset: str
    signature: str
    weights: Mapping[str, float] = field(factory=dict, hash=False)
    faults: tuple[PenalizedFault, ...] = ()

    @property
    def alignment(self) -> Alignment:
        """The alignment with the shown reference."""
        return alignment_of(self.references[self.shown])

    @property
    def steps(self) -> tuple[Step, ...]:
        """The formula with its values, line by line; the last one gives the score."""
        lines = steps(self.references[self.shown], self.parameters)
        if self.reduce != "mean" or len(self.references) == 1:
            return lines
        return (*lines, mean_step(tuple(map(float, self.references)), self.scored.score))

    @property
    def runner_up(self) -> int | None:
        """Index of the second-best reference (second-worst with `min`); None for one reference and for the mean."""
        others = [index for index in range(len(self.references)) if index != self.shown]
        if not others or self.reduce == "mean":
            return None
        return (max if self.reduce == "max" else min)(others, key=lambda index: self.references[index].score)

    @property
    def margin(self) -> float | None:
        """Absolute difference between the scores of the counting reference and the runner-up."""
        second = self.runner_up
        return None if second is None else abs(self.scored.score - self.references[second].score)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: None for undefined values, positions from 0."""
        scored = self.scored.to_dict()
        del scored["matches"]  # part of the alignment
        weights = {"weights": dict(self.weights)} if self.weights else {}
        faults = {"faults": [fault.to_dict() for fault in self.faults]} if self.parameters.counts_faults else {}
        return {
            **scored,
            "alignment": self.alignment.to_dict(),
            **weights,
            **faults,
            "chunking": [chunk._asdict() for chunk in self.alignment.chunking.chunks],
            "references": [
                {name: one[name] for name in _REFERENCE_NUMBERS} for one in (ref.to_dict() for ref in self.references)
            ],
            "shown": self.shown,
            "reduce": self.reduce,
            "runner_up": self.runner_up,
            "margin": self.margin,
            "formula": [step.to_dict() for step in self.steps],
            "gains": [gain.to_dict() for gain in self.gains],
            "gains_left_out": self.gains_left_out,
            "preset": self.preset,
            "signature": self.signature,
        }


_REFERENCE_NUMBERS = ("score", "precision", "recall", "f_mean", "fragmentation", "penalty", "chunks")


def alignment_of(scored: ScoreBreakdown) -> Alignment:
    """The alignment of a segment that was scored against one reference."""
    assert scored.alignment is not None  # noqa: S101 – a single reference always leaves its alignment
    return scored.alignment
