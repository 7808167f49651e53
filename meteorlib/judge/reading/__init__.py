"""Judgments out of files."""

from meteorlib.judge.reading.columns import Columns
from meteorlib.judge.reading.mt_metrics_eval import is_mt_metrics_eval
from meteorlib.judge.reading.reading import Asked, read_judgments
from meteorlib.judge.reading.scores import has_column, read_metric
from meteorlib.judge.reading.unused import check_used

__all__ = ["Asked", "Columns", "check_used", "has_column", "is_mt_metrics_eval", "read_judgments", "read_metric"]
