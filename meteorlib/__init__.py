"""METEOR 2005, METEOR 1.5, NLTK's METEOR and others, each score labeled with its variant.

Importing this package is cheap: its names are loaded when they are first used. So the commands, for which it is the
first module, can answer Ctrl-C while they load the rest.
"""

from meteorlib._version import __version__

TYPE_CHECKING = False  # typing takes longer to load than this module
if TYPE_CHECKING:
    from meteorlib.analysis.identification import identify
    from meteorlib.analysis.mbr import choose
    from meteorlib.api import compare, explain, report, score_table
    from meteorlib.config.schema import ParameterConfig, ScorerConfig, SearchConfig, StageConfig
    from meteorlib.core import Alignment, Chunking, Match, Pair, ScoreBreakdown, Statistics
    from meteorlib.corpus.corpus import Corpus
    from meteorlib.errors import MeteorError
    from meteorlib.inputs.escapes import find_escapes
    from meteorlib.scorer import Scorer
    from meteorlib.text.cleaning import clean
    from meteorlib.text.unescaping import unescape
else:

    def __getattr__(name: str) -> object:
        from importlib import import_module  # noqa: PLC0415 – see above

        if name in _MODULES:
            value = globals()[name] = getattr(import_module(f"meteorlib.{_MODULES[name]}"), name)
            return value
        try:
            return import_module(f"meteorlib.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"meteorlib.{name}":
                raise
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


_MODULES = {
    "Alignment": "core",
    "Chunking": "core",
    "Corpus": "corpus.corpus",
    "Match": "core",
    "MeteorError": "errors",
    "Pair": "core",
    "ParameterConfig": "config",
    "ScoreBreakdown": "core",
    "Scorer": "scorer",
    "ScorerConfig": "config",
    "SearchConfig": "config",
    "StageConfig": "config",
    "Statistics": "core",
    "choose": "analysis.mbr",
    "clean": "text.cleaning",
    "compare": "api",
    "explain": "api",
    "find_escapes": "inputs.escapes",
    "identify": "analysis.identification",
    "report": "api",
    "score_table": "api",
    "unescape": "text.unescaping",
}

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
    "choose",
    "clean",
    "compare",
    "explain",
    "find_escapes",
    "identify",
    "report",
    "score_table",
    "unescape",
]
