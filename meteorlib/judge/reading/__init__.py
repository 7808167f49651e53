"""Judgments out of files."""

from meteorlib.judge.reading.columns import Columns
from meteorlib.judge.reading.reading import Asked, read_judgments
from meteorlib.judge.reading.scores import read_metric

__all__ = ["Asked", "Columns", "read_judgments", "read_metric"]
