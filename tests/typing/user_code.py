"""Code as users write it: type checkers see the right types of results, and the mistakes that are marked as such.

tests/typing/test_user_code.py checks this file; nothing runs it. Under ``mypy --strict`` an ``ignore`` that hides no
error is an error itself, so each one below says that the checker finds the mistake.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, assert_type

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from meteorlib import (
    Alignment,
    Corpus,
    Match,
    MeteorError,
    Pair,
    ParameterConfig,
    ScoreBreakdown,
    Scorer,
    ScorerConfig,
    SearchConfig,
    StageConfig,
    Statistics,
    choose,
)
from meteorlib.analysis.comparison import Comparison, compare
from meteorlib.analysis.mbr import Choice
from meteorlib.analysis.meta_evaluation import Judgments, MetaEvaluation, Metric, meta_evaluate, meteor
from meteorlib.analysis.significance import Interval, Output, SystemComparison, compare_systems
from meteorlib.analysis.tuning import Tuning, tune
from meteorlib.arrays import SegmentArrays, rescored
from meteorlib.config import load_file, load_preset, preset_names
from meteorlib.core import Parameters, Signature, Totals
from meteorlib.integrations import nltk, pymeteor
from meteorlib.integrations.frames import score_frame
from meteorlib.integrations.nlgmetricverse import NLGMetricverse
from meteorlib.integrations.pycocoevalcap import Meteor
from meteorlib.matchers import PhraseMatcher, Stem, Synonym, WordMatcher
from meteorlib.registry import MatcherPart

Numbers = NDArray[np.float64]


def scoring(scorer: Scorer, pairs: Iterator[Pair]) -> None:
    scored = scorer.score("the cat sat", "a cat sat")
    assert_type(scored, ScoreBreakdown)
    assert_type(scored.score, float)
    assert_type(scored.statistics, Statistics)
    assert_type(scored.statistics.chunks, int)
    assert_type(scored.alignment, Alignment | None)
    assert_type(scored.reference_index, int | None)
    assert_type(scored > 0.5, bool)
    assert_type(scorer.score(["one", "two"], "hypothesis"), ScoreBreakdown)
    assert_type(scorer.score_tokens([["a", "b"]], ["a"]), ScoreBreakdown)
    assert_type(scorer.breakdowns(pairs), Iterator[ScoreBreakdown])
    assert_type(scorer.totals(pairs), Totals)
    assert_type(scorer.matrix(references=["a"], hypotheses=("b", "c"), threads=2), list[list[float]])
    assert_type(scorer.candidates("a b", "b a"), tuple[Match, ...])
    assert_type(scorer.signature, Signature)
    assert_type(scorer.parameters, Parameters)
    assert_type(scorer.to_dict(), dict[str, Any])
    scorer.score("reference", 7)  # type: ignore[arg-type]
    scorer.score("reference")  # type: ignore[call-arg]
    scorer.score_tokens("a b", ["a"], ["b"])  # type: ignore[call-arg]
    scorer.matrix(["a"], ["b"])  # type: ignore[call-arg]
    scored.score = 0.5  # type: ignore[misc]
    print(scored.alignment.matches)  # type: ignore[union-attr]
    scorer.blue("reference", "hypothesis")  # type: ignore[attr-defined]


def aligning(scorer: Scorer) -> None:
    alignment = scorer.align("a good physician", "the doctor")
    assert_type(alignment, Alignment)
    for reference, hypothesis, stage in alignment.pairs():
        assert_type(" ".join(reference) + " ".join(hypothesis), str)
        assert_type(stage, str)
    assert_type(alignment.matches[0].reference_start, int)
    assert_type(alignment.unmatched_reference, tuple[int, ...])
    scorer.align(["one", "two"], "hypothesis")  # type: ignore[arg-type]


def corpora(scorer: Scorer, references: list[list[str]], hypotheses: Iterable[str]) -> None:
    corpus = scorer.corpus(keep_segments=True)
    assert_type(corpus, Corpus)
    assert_type(corpus.add("reference", "hypothesis"), ScoreBreakdown)
    assert_type(corpus.extend(references=references, hypotheses=hypotheses), Corpus)
    assert_type(corpus.score(), ScoreBreakdown)
    assert_type(corpus.mean(), float)
    assert_type(corpus.segments, tuple[ScoreBreakdown, ...])
    assert_type(corpus[0], ScoreBreakdown)
    assert_type([round(segment, 4) for segment in corpus], list[float])
    assert_type(corpus + corpus, Corpus)
    assert_type(len(corpus), int)
    corpus.extend(["reference"], ["hypothesis"])  # type: ignore[call-arg]
    corpus.extend(references=[1], hypotheses=["hypothesis"])  # type: ignore[list-item]
    corpus + 1  # type: ignore[operator]


def presets() -> ScorerConfig:
    assert_type(preset_names(), tuple[str, ...])
    core = load_preset("meteor-1.5-en-core")
    assert_type(core, ScorerConfig)
    assert_type(core.parameters.alpha, float)
    assert_type(load_file("mine.yaml"), ScorerConfig)
    assert_type(Scorer.from_file("mine.yaml", preset="mine"), Scorer)
    assert_type(evolve(core, name="milder"), ScorerConfig)
    evolve(core, nome="milder")  # type: ignore[call-arg]
    Scorer(7)  # type: ignore[call-overload]
    Scorer(core, implementation="rust")  # type: ignore[call-overload]
    StageConfig("exact", "1.0")  # type: ignore[arg-type]
    return ScorerConfig(
        "mine", [StageConfig("exact"), StageConfig("stem", 0.6, "porter")], ParameterConfig(0.9, 3, 0.5)
    )


def errors(scorer: Scorer) -> str:
    try:
        scorer.score("reference", "hypothesis")
    except MeteorError as error:
        return str(error)
    return ""


@frozen
class Prefix(WordMatcher):
    """Words that share three letters match."""

    def analyze(self, words: Sequence[str], positions: Mapping[str, Sequence[int]]) -> Sequence[str]:
        return tuple(words)

    def pairs(self, reference: Sequence[str], hypothesis: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
        for word in reference:
            yield word, [other for other in hypothesis if other[:3] == word[:3]]


class Letters:
    """Each letter is a word."""

    def __init__(self, language: str, prefixes: object) -> None:
        """Take what every text mode is given."""

    def words(self, line: str) -> list[str]:
        return list(line)


def parts() -> None:
    assert_type(Synonym(lambda word: frozenset({len(word)})).gain, float)
    Stem(str.lower)
    Stem(len)  # type: ignore[arg-type]
    MatcherPart(Prefix, resource=None)
    MatcherPart(Prefix, single_words="no")  # type: ignore[arg-type]
    SearchConfig("beam", width=5)
    PhraseMatcher()  # type: ignore[abstract]


def significance(corpora: dict[str, Corpus]) -> None:
    comparison = compare_systems(corpora, samples=1000)
    assert_type(comparison, SystemComparison)
    interval = comparison.systems[0].interval
    assert_type(interval, Interval | None)
    if interval is not None:
        assert_type(interval.low, float)
    assert_type(comparison.to_dict(), dict[str, Any])
    compare_systems({"a": [corpora["a"], Output.of(corpora["b"])]}, test="bootstrap")
    compare_systems(corpora, test="t-test")  # type: ignore[arg-type]
    compare_systems(list(corpora.values()))  # type: ignore[arg-type]


def meta_evaluation(judgments: Sequence[Judgments], scorer: Scorer) -> None:
    metric = meteor(scorer, judgments, name="METEOR")
    assert_type(metric, Metric)
    assert_type(metric.scored[0].scores, Numbers)
    found = meta_evaluate(judgments, [metric])
    assert_type(found, MetaEvaluation)
    for table in found.tables:
        for agreement in table.agreements:
            assert_type(agreement.figures["pearson"].value, float)
    meta_evaluate(judgments, metric)  # type: ignore[arg-type]


def tuning(judgments: Sequence[Judgments], scorer: Scorer) -> ScorerConfig:
    tuned = tune(scorer, {"wmt14": judgments}, ["alpha", "gamma"], objective="tau")
    assert_type(tuned, Tuning)
    assert_type(tuned.gain.difference, float)
    tune(scorer, {"wmt14": judgments}, ["alpha"], method="guess")  # type: ignore[arg-type]
    return tuned.config


def arrays(scorer: Scorer, pairs: list[Pair]) -> None:
    found = scorer.arrays(pairs, jobs=2)
    assert_type(found, SegmentArrays)
    assert_type(found.counts, NDArray[np.int64])
    assert_type(found.scores, Numbers)
    assert_type(rescored(found.counts, [scorer.parameters]), Numbers)
    assert_type(found.statistics(), Statistics)
    scorer.arrays(["reference"])  # type: ignore[list-item]


def others(scorer: Scorer, texts: list[str]) -> None:
    assert_type(choose(texts, scorer, weights=[0.5, 0.5]), Choice)
    assert_type(choose(texts).text, str)
    segments = [Pair(["reference"], "hypothesis")]
    assert_type(compare([scorer, Scorer("nltk")], lambda: segments), Comparison)
    compare([scorer, "nltk"], lambda: segments)  # type: ignore[list-item]


def integrations(frame: dict[str, list[str]]) -> None:
    assert_type(nltk.meteor_score([["a", "b"]], ["a"]), float)
    assert_type(pymeteor.meteor("a b", "a"), float)
    assert_type(Meteor().compute_score({1: ["a"]}, {1: ["a"]}), tuple[float, list[float]])
    assert_type(NLGMetricverse("meteor")(predictions=["a"], references=["a"]), dict[str, Any])
    assert_type(score_frame(frame, references="reference", hypothesis="hypothesis"), dict[str, list[str]])
    nltk.meteor_score([["a", "b"]], ["a"], alpha="0.9")  # type: ignore[arg-type]
