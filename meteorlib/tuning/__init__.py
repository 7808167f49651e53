"""Tuning: parameters that agree better with people, where that can be shown."""

from meteorlib.tuning.axes import Axis, axes_of
from meteorlib.tuning.objective import Objective
from meteorlib.tuning.preset import preset_text
from meteorlib.tuning.results import Fitted, Gain, Tuning
from meteorlib.tuning.tuning import tune

__all__ = ["Axis", "Fitted", "Gain", "Objective", "Tuning", "axes_of", "preset_text", "tune"]
