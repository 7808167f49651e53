"""Explanations of a segment's score: alignment, formula, references, gains of unmatched words."""

from meteorlib.explanation.explanation import Explanation
from meteorlib.explanation.formula import Step
from meteorlib.explanation.gains import Gain
from meteorlib.explanation.unused import Unused

__all__ = ["Explanation", "Gain", "Step", "Unused"]
