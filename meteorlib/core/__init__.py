"""The pure core: words → alignment → chunks → statistics → score. No files, no environment, no logging."""

from meteorlib.core.alignment import Alignment, Match
from meteorlib.core.breakdown import ScoreBreakdown, breakdown
from meteorlib.core.chunking import Chunk, Chunking
from meteorlib.core.parameters import Parameters
from meteorlib.core.segment import Segment
from meteorlib.core.statistics import StageCounts, Statistics

__all__ = [
    "Alignment",
    "Chunk",
    "Chunking",
    "Match",
    "Parameters",
    "ScoreBreakdown",
    "Segment",
    "StageCounts",
    "Statistics",
    "breakdown",
]
