"""METEOR Universal: resources for a new language, built from parallel text."""

from meteorlib.universal.build import Build
from meteorlib.universal.parex import Parex
from meteorlib.universal.pivot_merge import Paraphrase
from meteorlib.universal.progress import Listener
from meteorlib.universal.summary import Contents
from meteorlib.universal.table_filter import Filtered, filter_paraphrases
from meteorlib.universal.texts import Text, common_words

__all__ = [
    "Build",
    "Contents",
    "Filtered",
    "Listener",
    "Paraphrase",
    "Parex",
    "Text",
    "common_words",
    "filter_paraphrases",
]
