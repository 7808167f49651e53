"""METEOR as an offline metric of Hugging Face's evaluate.

``Meteor()`` is the metric, and ``evaluate.load(path())`` loads it; ``evaluate.load(path(), "meteor-1.5-en")`` loads it
with another preset.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from meteorlib.config import load_preset
from meteorlib.config.citations import bibtex
from meteorlib.config.schema import DEFAULT_PRESET, ScorerConfig
from meteorlib.core.parameters import NUMERIC_PARAMETERS
from meteorlib.errors import ExtraMissing, InputMismatch
from meteorlib.extras import import_extra
from meteorlib.integrations import scorer_with
from meteorlib.text.external_tokenizer import word_tokenize
from meteorlib.text.validation import references_of

try:
    import datasets
    import evaluate
    import numpy as np
except ModuleNotFoundError as _error:
    raise ExtraMissing(str(_error.name), "evaluate") from None

__all__ = ["Meteor", "path"]

Tokenizer = Callable[[str], Sequence[str]]

DESCRIPTION = "METEOR: words matched exactly, by stem, as synonyms and as paraphrases, in any of its variants."

INPUTS = f"""
Args:
    predictions: list of hypotheses, each a string.
    references: for each hypothesis, a string or a list of strings of any length.
    preset: name of a preset, or a configuration. None: the configuration name with which the module was loaded, or
        METEOR 2005. "nltk" computes the score of `evaluate.load("meteor")`.
    tokenizer: function that splits a text before the preset does; None: none, but NLTK's `word_tokenize` with "nltk".
    {", ".join(NUMERIC_PARAMETERS)}: values that replace the preset's; a preset's formula need not have all of them.

Returns:
    meteor: mean of the segment scores, 0..1: NumPy's mean with "nltk", otherwise exact.
    corpus: METEOR's corpus score of all segments, 0..1.
    segments: score of each segment.
    signature: line that identifies the variant of METEOR.
"""


def path() -> str:
    """Path of the metric's script, for ``evaluate.load``."""
    return str(Path(__file__).with_name("evaluate_module") / "meteor.py")


if TYPE_CHECKING:  # evaluate has no types of its own

    class _Metric:
        config_name: str
        writer: Any
        selected_feature_format: Any

        def __init__(self, config_name: str | None = None, **settings: Any) -> None: ...
        def compute(self, *, predictions: Any = None, references: Any = None, **inputs: Any) -> Any: ...
        def add(self, *, prediction: Any = None, reference: Any = None, **inputs: Any) -> None: ...
        def add_batch(self, *, predictions: Any = None, references: Any = None, **inputs: Any) -> None: ...
else:
    _Metric = evaluate.Metric


class Meteor(_Metric):
    """METEOR as an ``evaluate.Metric``; `INPUTS` describes the arguments and results of ``compute``.

    Its ``config_name`` is the name of a preset, or "default"; an unknown name raises `UnknownName`.
    """

    @property
    def name(self) -> str:
        """The preset's name; `evaluate.combine` puts it before the keys of several METEORs."""
        return self._preset

    def add_batch(self, *, predictions: Any = None, references: Any = None, **inputs: Any) -> None:
        """As in evaluate, which casts all references to the kind of the first; mixed ones are an `InputMismatch`."""
        self._check_kinds(predictions, references)
        super().add_batch(predictions=predictions, references=references, **inputs)

    def add(self, *, prediction: Any = None, reference: Any = None, **inputs: Any) -> None:
        """As in evaluate; see `add_batch`."""
        self._check_kinds([prediction], [reference])
        super().add(prediction=prediction, reference=reference, **inputs)

    def _check_kinds(self, predictions: Any, references: Any) -> None:
        """Refuse predictions that are no strings, and references that are strings and lists of strings."""
        known: bool | None = None
        if self.writer is not None:  # batches before this one
            known = isinstance(self.selected_feature_format["references"], datasets.Value)
        for number, text in enumerate(() if predictions is None else predictions, 1):
            if not isinstance(text, str) and isinstance(text, list | tuple | np.ndarray):
                raise InputMismatch(f"prediction {number} is a list; each must be a string")
        for number, texts in enumerate(() if references is None else references, 1):
            known = isinstance(texts, str) if known is None else known
            if isinstance(texts, str) != known and isinstance(texts, str | list | tuple | np.ndarray):
                kinds = ("a string", "lists") if isinstance(texts, str) else ("a list", "strings")
                raise InputMismatch(
                    f"references {number} is {kinds[0]}, those before are {kinds[1]}, to which evaluate casts it; "
                    "give each hypothesis a list, [text] for a single reference"
                )

    def _info(self) -> Any:
        config = load_preset(self._preset)  # a misspelled name is an error before anything is scored
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=DESCRIPTION,
            citation=bibtex(config),
            inputs_description=INPUTS,
            features=[
                datasets.Features(predictions=text, references=datasets.Sequence(text)),
                datasets.Features(predictions=text, references=text),
            ],
        )

    def _compute(
        self,
        predictions: Sequence[str],
        references: Sequence[str | Sequence[str]],
        preset: str | ScorerConfig | None = None,
        tokenizer: Tokenizer | None = None,
        **parameters: float,
    ) -> Mapping[str, Any]:
        preset = self._preset if preset is None else preset
        scorer = scorer_with(preset, **parameters)
        signature = str(scorer.signature)
        if tokenizer is None and preset == "nltk":
            tokenizer = word_tokenize(import_extra("nltk", "evaluate"))  # as in evaluate's own METEOR
        if tokenizer is not None:
            signature += f"|tokenizer:{getattr(tokenizer, '__qualname__', type(tokenizer).__qualname__)}"
            predictions = [" ".join(tokenizer(text)) for text in predictions]
            references = [[" ".join(tokenizer(text)) for text in references_of(texts)] for texts in references]
        corpus = scorer.corpus().extend(references=references, hypotheses=predictions)
        segments = [segment.score for segment in corpus.segments]
        return {
            "meteor": float(np.mean(segments)) if preset == "nltk" else corpus.mean(),
            "corpus": corpus.score().score,
            "segments": segments,
            "signature": signature,
        }

    @property
    def _preset(self) -> str:
        return DEFAULT_PRESET if self.config_name == "default" else self.config_name
