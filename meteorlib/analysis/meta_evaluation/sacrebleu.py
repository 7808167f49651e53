"""Metrics of sacrebleu, on judged texts and on whole test sets, and metrics whose scores a table has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from inspect import signature as signature_of
from itertools import chain, islice, zip_longest
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.analysis.meta_evaluation.judgments import Judgments
from meteorlib.analysis.meta_evaluation.metrics import Metric, Scored, cached_statistics
from meteorlib.analysis.results import METRICS, SacrebleuMetric, sacrebleu_choice
from meteorlib.analysis.significance.scored_outputs import MeanScore, MetricOutput, ScoredMetric
from meteorlib.arrays import Numbers, SegmentArrays
from meteorlib.core.languages import target_language
from meteorlib.core.segment import Pair
from meteorlib.corpus.batch import Advance
from meteorlib.corpus.segment_arrays import BATCH_SIZE, distinct_pairs
from meteorlib.errors import InputMismatch, ResourceMissing, UnknownName
from meteorlib.extras import import_extra, offline
from meteorlib.inputs.segment_data import ScoreTable
from meteorlib.parts import TokenizerRow
from meteorlib.registry import TEXTS

EXTRA = "sacrebleu"

Texts = Callable[[], Iterable[Pair]]


def _known(name: str, language: str) -> tuple[SacrebleuMetric, Callable[..., Any], dict[str, Any]]:
    """A metric by name and options, its class, and its settings for a language, by its code or empty."""
    choice = sacrebleu_choice(name)
    if choice is None:
        raise UnknownName("metric of sacrebleu", name, METRICS)
    known, options = choice
    kind = getattr(import_extra("sacrebleu", EXTRA).metrics, known.kind)
    known_options = {key: one.default for key, one in signature_of(kind).parameters.items() if key != "references"}
    settings = {**_of_language(kind, options.get("trg_lang", language)), **known.settings}
    for option, value in options.items():
        if option not in known_options:
            raise UnknownName(f"option of {known.title}", option, known_options)
        settings[option] = _value(option, value, known_options[option])
    for option, values in (("tokenize", "TOKENIZERS"), ("smooth_method", "SMOOTH_DEFAULTS")):
        if option in settings and settings[option] not in getattr(kind, values, ()):
            raise UnknownName(f"{option} of {known.title}", settings[option], getattr(kind, values, ()))
    if isinstance(TEXTS.part(mode).make if (mode := settings.get("tokenize", "")) in TEXTS else None, TokenizerRow):
        TEXTS.get(mode)("en")  # says what is missing, and how to install it
    return known, kind, settings


def _made(kind: Any, settings: Mapping[str, Any]) -> Any:
    """A metric with settings; a model of SentencePiece that sacrebleu has not downloaded is a `ResourceMissing`."""
    try:
        with offline():
            return kind(**settings)
    except (OSError, RuntimeError) as error:
        name = settings.get("tokenize", kind.__name__)
        remedy = f"run `echo a | sacrebleu --tokenize {name} REFERENCE`, which downloads the model"
        raise ResourceMissing(name, f"sacrebleu cannot load it ({error}); {remedy}") from None


def _of_language(kind: Any, language: str) -> dict[str, Any]:
    """Settings for a language without blanks between words, or with tokenizers of its own."""
    if kind.__name__ == "BLEU":
        return {"tokenize": kind._TOKENIZER_MAP.get(language, kind.TOKENIZER_DEFAULT)}  # noqa: SLF001 – as `trg_lang` does
    return {"normalized": True, "asian_support": True} if kind.__name__ == "TER" and language in ("zh", "ja") else {}


_TRUTH = {"": True, "yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def _value(option: str, text: str, default: Any) -> Any:
    """The value of an option, of the type of its default; an option without a value is switched on."""
    try:
        if isinstance(default, bool):
            return _TRUTH[text.lower()]
        if isinstance(default, int):
            return int(text)
        return float(text) if option == "smooth_value" else text
    except (KeyError, ValueError):
        expected = "yes or no" if isinstance(default, bool) else "a number"
        raise InputMismatch(f"--metric: {option}={text}: expected {expected}") from None


def written_beside_empty(references: Sequence[str]) -> list[str]:
    """The references of a segment that are not empty; none if all are like that, or all are empty."""
    written = [reference for reference in references if reference.strip()]
    return written if len(written) < len(references) else []


def empty_reference_note(name: str, place: str) -> str:
    """Note on a metric whose score depends on empty references, first of the text at `place`.

    sacrebleu documents that an empty reference is like none, but TER averages lengths with it, BLEU compares the length
    of a short hypothesis with it, and chrF uses it if it is the first and nothing matches.
    """
    return (
        f"{name} counts empty references beside others, such as that of {place}, as references without words, as "
        "sacrebleu does; its score would be different without them. For fewer references in some segments, use a table "
        "with lists of references"
    )


def sacrebleu_metric(
    name: str, judgments: Sequence[Judgments], language: str = "", *, progress: Advance = lambda _: None
) -> Metric:
    """Score judged texts with a metric of sacrebleu, negating TER so that higher is better.

    Scores are cached on disk. A note of the metric names a text whose score depends on an empty reference.

    Args:
        name: one of `METRICS`, in any case, perhaps with options: ``bleu:tokenize=zh``.
        judgments: judgments of each language pair, whose target language has a tokenizer.
        language: the language where a name of judgments is no such pair.
        progress: callback, called with the number of further texts scored.

    Raises:
        UnknownName: the name is not in `METRICS`.
        ExtraMissing: sacrebleu is not installed.
    """
    made = [_known(name, target_language(part.name) or language) for part in judgments]
    known = made[0][0] if made else _known(name, language)[0]
    metrics = [_made(kind, settings) for _, kind, settings in made]
    counts = {len(text.texts.references) for part in judgments for text in part.texts}
    for metric in metrics:
        metric.num_refs = next(iter(counts)) if len(counts) == 1 else -1  # sacrebleu's own value for a varying number
    signatures = [f"{EXTRA} {name.lower()}|{metric.get_signature()}" for metric in metrics]

    def score(metric: Any, texts: Sequence[Pair]) -> SegmentArrays:
        scores = []
        for number, (references, hypothesis) in enumerate(texts, 1):
            scores.append(metric.sentence_score(hypothesis, list(references)).score)
            if not number % BATCH_SIZE or number == len(texts):
                progress(number % BATCH_SIZE or BATCH_SIZE)
        return SegmentArrays(np.zeros((len(scores), 0), np.int64), np.array(scores))

    scores = []
    for part, metric, signature in zip(judgments, metrics, signatures, strict=True):
        different, places = distinct_pairs([text.texts for text in part.texts])
        scores.append(cached_statistics(EXTRA, signature, different, partial(score, metric, different)).scores[places])
    notes: tuple[str, ...] = ()
    texts = ((metric, text) for part, metric in zip(judgments, metrics, strict=True) for text in part.texts)
    for (metric, text), score_as_is in zip(texts, chain.from_iterable(scores), strict=True):
        written = written_beside_empty(text.texts.references)
        if written and metric.sentence_score(text.texts.hypothesis, written).score != score_as_is:
            notes = (empty_reference_note(name, str(text)),)
            break
    sign = -1.0 if known.counts_errors else 1.0
    shown = dict.fromkeys(signatures)
    if len(shown) > 1:
        shown = dict.fromkeys(f"{part.name}: {one}" for part, one in zip(judgments, signatures, strict=True))
    return Metric(name, tuple(Scored(sign * numbers) for numbers in scores), "; ".join(shown), notes)


@frozen
class _Sums:
    """Score of summed statistics by a metric of sacrebleu."""

    metric: Any

    def scores(self, sums: NDArray[Any]) -> Numbers:
        """See `SumScore`."""
        rows = sums.reshape(-1, sums.shape[-1]).tolist()
        found = np.array([self.metric._compute_score_from_stats(row).score for row in rows])  # noqa: SLF001 – as sacrebleu's own tests do
        return found.reshape(sums.shape[:-1])


def _changed_by_empty(
    metric: Any, references: Sequence[Sequence[str]], hypotheses: Sequence[str], statistics: Sequence[Sequence[float]]
) -> Iterator[int]:
    """Indices of the segments whose statistics would change without their empty references."""
    for index, (each, hypothesis) in enumerate(zip(references, hypotheses, strict=True)):
        streams = [[text] for text in written_beside_empty(each)]
        if streams and metric._extract_corpus_statistics([hypothesis], streams) != [statistics[index]]:  # noqa: SLF001 – as above
            yield index


def sacrebleu_corpus(name: str, systems: Mapping[str, Sequence[Texts]], language: str = "") -> ScoredMetric:
    """Score the runs of systems with a metric of sacrebleu, with its settings for a language."""
    known, kind, settings = _known(name, language)
    of_segments = _made(kind, settings)
    own = {} if "effective_order" in name else {"effective_order"}
    whole = _made(kind, {option: value for option, value in settings.items() if option not in own})

    def output(texts: Texts) -> MetricOutput:
        references, hypotheses = zip(*((pair.references, pair.hypothesis) for pair in texts()), strict=True)
        streams = [*map(list, zip_longest(*references))]
        found = whole._extract_corpus_statistics(list(hypotheses), streams)  # noqa: SLF001 – as above
        changed.extend(islice(_changed_by_empty(of_segments, references, hypotheses, found), 1))
        columns = np.array(found, np.float64)
        total = float(_Sums(whole).scores(columns.sum(axis=0)[np.newaxis])[0])
        return MetricOutput(total, columns, _Sums(of_segments).scores(columns))

    changed: list[int] = []
    outputs = {system: [output(texts) for texts in runs] for system, runs in systems.items()}
    note = empty_reference_note(name, f"segment {min(changed) + 1}") if changed else ""
    signature = str(whole.get_signature())
    return ScoredMetric(name, signature, _Sums(whole), outputs, known.counts_errors, percent=True, note=note)


def table_metric(name: str, table: ScoreTable, systems: Sequence[str], count: int) -> ScoredMetric:
    """A metric whose scores of systems a table has, on `count` segments; higher is better."""
    outputs = {system: [MetricOutput(score)] for system, score in table.systems.items()}
    if table.segments:
        outputs = {
            system: [MetricOutput(float(own.mean()), own[:, np.newaxis], own)]
            for system, own in zip(systems, np.array(table.segments).T, strict=True)
        }
    return ScoredMetric(name, "", MeanScore(count), outputs, note=table.note)
