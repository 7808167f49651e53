"""Judgments out of files."""

from meteorlib.judge.reading.columns import Columns
from meteorlib.judge.reading.mt_metrics_eval import is_mt_metrics_eval
from meteorlib.judge.reading.reading import Asked, read_judgments
from meteorlib.judge.reading.scores import has_column, read_metric

__all__ = ["Asked", "Columns", "has_column", "is_mt_metrics_eval", "read_judgments", "read_metric"]
