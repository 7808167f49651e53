"""Facts: everything that an explanation says of a segment, for those who draw it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from attrs import field, frozen

from meteorlib.core.alignment import Alignment
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.parameters import Parameters
from meteorlib.explanation.formula import Step, mean_step, steps
from meteorlib.explanation.gains import Gain

View = Literal["rows", "matrix"]
"""How an alignment is drawn: two rows of words, or a matrix of them."""


@frozen(repr=False)
class Facts:
    """Everything that is known of why a segment has its score; the attributes are those of `Explanation`."""

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

    @property
    def alignment(self) -> Alignment:
        """The alignment with the reference that is shown."""
        return aligned(self.references[self.shown])

    @property
    def steps(self) -> tuple[Step, ...]:
        """The formula with its values, line by line; the last one gives the score."""
        found = steps(self.references[self.shown], self.parameters)
        if self.reduce != "mean" or len(self.references) == 1:
            return found
        return (*found, mean_step(tuple(map(float, self.references)), self.scored.score))

    @property
    def runner_up(self) -> int | None:
        """The reference that would count without the one that does; None for a single one, and for a mean."""
        others = [index for index in range(len(self.references)) if index != self.shown]
        if not others or self.reduce == "mean":
            return None
        return (max if self.reduce == "max" else min)(others, key=lambda index: self.references[index].score)

    @property
    def margin(self) -> float | None:
        """By how much the reference that counts differs from the runner-up, never negative."""
        second = self.runner_up
        return None if second is None else abs(self.scored.score - self.references[second].score)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: what has no value is None, positions count from 0."""
        scored = self.scored.to_dict()
        del scored["matches"]  # they stand in the alignment
        weights = {"weights": dict(self.weights)} if self.weights else {}
        return {
            **scored,
            "alignment": self.alignment.to_dict(),
            **weights,
            "chunking": [chunk._asdict() for chunk in self.alignment.chunking.chunks],
            "references": [{name: one[name] for name in _NAMED} for one in (ref.to_dict() for ref in self.references)],
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


_NAMED = ("score", "precision", "recall", "f_mean", "fragmentation", "penalty", "chunks")


def aligned(scored: ScoreBreakdown) -> Alignment:
    """The alignment of a segment that was scored against one reference."""
    assert scored.alignment is not None  # noqa: S101 – a single reference always leaves its alignment
    return scored.alignment
