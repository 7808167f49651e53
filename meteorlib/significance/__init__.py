"""Significance: intervals of scores, and tests of the differences between systems."""

from meteorlib.significance.compare import compare_systems
from meteorlib.significance.outputs import Output
from meteorlib.significance.results import Changes, Difference, Interval, Pair, Run, System, SystemComparison

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
