"""Readers of human judgments and of metric scores."""

from meteorlib.analysis.meta_evaluation.readers.columns import Columns
from meteorlib.analysis.meta_evaluation.readers.judgments import Asked, read_judgments
from meteorlib.analysis.meta_evaluation.readers.scores import read_metric

__all__ = ["Asked", "Columns", "read_judgments", "read_metric"]
