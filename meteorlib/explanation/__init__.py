"""Why a segment has its score: alignment, formula, references, and what each unmatched word would gain."""

from meteorlib.explanation.explanation import Explanation
from meteorlib.explanation.formula import Step
from meteorlib.explanation.gains import Gain

__all__ = ["Explanation", "Gain", "Step"]
