"""METEOR Universal: resources for a new language, built from parallel text."""

from meteorlib.universal.build import Build, Listener
from meteorlib.universal.parex import Contents, Filtered, Parex, filter_paraphrases
from meteorlib.universal.pivot import Paraphrase
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
