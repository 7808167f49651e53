"""METEOR 2005, METEOR 1.5, NLTK's METEOR and others, each score labeled with its variant."""

from meteorlib._version import __version__
from meteorlib.config.schema import ParameterConfig, ScorerConfig, SearchConfig, StageConfig
from meteorlib.core import Alignment, Chunking, Match, Pair, ScoreBreakdown, Statistics
from meteorlib.corpus.corpus import Corpus
from meteorlib.errors import MeteorError
from meteorlib.scorer import Scorer

__all__ = [
    "Alignment",
    "Chunking",
    "Corpus",
    "Match",
    "MeteorError",
    "Pair",
    "ParameterConfig",
    "ScoreBreakdown",
    "Scorer",
    "ScorerConfig",
    "SearchConfig",
    "StageConfig",
    "Statistics",
    "__version__",
]
