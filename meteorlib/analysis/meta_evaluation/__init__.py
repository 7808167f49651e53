"""Meta-evaluation: how well metrics agree with human judgments."""

from meteorlib.analysis.meta_evaluation.evaluation import meta_evaluate
from meteorlib.analysis.meta_evaluation.judgments import Judged, Judgments, Pairs, Ratings
from meteorlib.analysis.meta_evaluation.metrics import Metric, Scored, meteor
from meteorlib.analysis.meta_evaluation.reading import read_judgments, read_metric
from meteorlib.analysis.meta_evaluation.results import Agreement, Difference, Figure, MetaEvaluation, Table
from meteorlib.analysis.meta_evaluation.sacrebleu import sacrebleu_metric
from meteorlib.inputs.judgment_tables import Asked, Columns

__all__ = [
    "Agreement",
    "Asked",
    "Columns",
    "Difference",
    "Figure",
    "Judged",
    "Judgments",
    "MetaEvaluation",
    "Metric",
    "Pairs",
    "Ratings",
    "Scored",
    "Table",
    "meta_evaluate",
    "meteor",
    "read_judgments",
    "read_metric",
    "sacrebleu_metric",
]
