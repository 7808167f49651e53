"""Judging the judge: how well metrics agree with people."""

from meteorlib.judge.evaluation import meta_evaluate
from meteorlib.judge.judgments import Judged, Judgments, Pairs, Ratings
from meteorlib.judge.metrics import Metric, Scored, meteor
from meteorlib.judge.results import Agreement, Difference, Figure, MetaEvaluation, Table
from meteorlib.judge.sacrebleu import sacrebleu_metric

__all__ = [
    "Agreement",
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
    "sacrebleu_metric",
]
