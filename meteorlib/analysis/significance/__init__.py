"""Significance: confidence intervals of scores, and tests of differences between systems."""

from meteorlib.analysis.differences import Changes, Difference, Interval, Pair
from meteorlib.analysis.results import Run, System, SystemComparison
from meteorlib.analysis.significance.paired_tests import compare_systems
from meteorlib.analysis.significance.scored_outputs import Output

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
