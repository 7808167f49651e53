"""Significance: confidence intervals of scores, and tests of differences between systems."""

from meteorlib.analysis.significance.comparison import compare_systems
from meteorlib.analysis.significance.intervals import Interval
from meteorlib.analysis.significance.outputs import Output
from meteorlib.analysis.significance.results import Changes, Difference, Pair, Run, System, SystemComparison

__all__ = [
    "Changes",
    "Difference",
    "Interval",
    "Output",
    "Pair",
    "Run",
    "System",
    "SystemComparison",
    "compare_systems",
]
