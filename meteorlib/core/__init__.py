"""Core data types and the scoring formula, free of files, environment and logging."""

from meteorlib.core.alignment import Alignment, Candidates, Chunk, Chunking, Found, Match
from meteorlib.core.breakdown import Origin, ScoreBreakdown, breakdown
from meteorlib.core.faults import FaultCounts
from meteorlib.core.parameters import Parameters
from meteorlib.core.segment import Pair, Segment
from meteorlib.core.signature import Signature
from meteorlib.core.statistics import OrderCounts, StageCounts, Statistics
from meteorlib.core.totals import Totals

__all__ = [
    "Alignment",
    "Candidates",
    "Chunk",
    "Chunking",
    "FaultCounts",
    "Found",
    "Match",
    "OrderCounts",
    "Origin",
    "Pair",
    "Parameters",
    "ScoreBreakdown",
    "Segment",
    "Signature",
    "StageCounts",
    "Statistics",
    "Totals",
    "breakdown",
]
