"""Tuning: parameters fitted to human judgments and validated on left-out data."""

from meteorlib.analysis.tuning.axes import Axis, axes_of
from meteorlib.analysis.tuning.objective import Objective
from meteorlib.analysis.tuning.results import Fitted, Gain, Tuning, preset_text
from meteorlib.analysis.tuning.tuning import tune

__all__ = ["Axis", "Fitted", "Gain", "Objective", "Tuning", "axes_of", "preset_text", "tune"]
