"""Meta-evaluation of metrics: statistics, confidence intervals and differences from a baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import isnan

import numpy as np
from attrs import frozen

from meteorlib.analysis.meta_evaluation.correlations import pearson, williams
from meteorlib.analysis.meta_evaluation.judgments import (
    FEW_JUDGMENTS,
    FEW_SYSTEMS,
    Judgments,
    Kind,
    center_ratings,
    check_people,
    out_of_range,
)
from meteorlib.analysis.meta_evaluation.levels import (
    CONCORDANT,
    DISCORDANT,
    TIED,
    Level,
    SampleStatistics,
    figures_of,
    levels_of,
    omitted_accuracies,
)
from meteorlib.analysis.meta_evaluation.metrics import Metric, Scored, sort_texts
from meteorlib.analysis.meta_evaluation.results import Agreement, Difference, Figure, MetaEvaluation, Table
from meteorlib.analysis.significance.resampling import centered_p, check_sampling, interval, resamples
from meteorlib.arrays import Numbers
from meteorlib.corpus.batch import counted
from meteorlib.errors import ExtraMissing, InputMismatch, UnknownName
from meteorlib.inputs.cells import RANGE

SAMPLES = 1000
SEED = 12_345
POOLED, MEAN = "pooled", "mean"


@frozen(eq=False)
class _Column:
    """Statistics of a metric: first on the original test set, then on the resampled ones."""

    counts: Numbers
    figures: Mapping[str, Numbers]
    epsilons: Mapping[str, float]
    systems: Numbers | None = None


@frozen(eq=False)
class _Sheet:
    """Columns of all metrics on the same judgments, and the p value of Williams' test of two, where it applies.

    Tests that were left out are in the `notes`.
    """

    kind: Kind
    judged: int
    texts: int
    segments: int
    columns: Mapping[str, _Column]
    williams: Callable[[str, str], float | None] = lambda *_: None
    notes: Sequence[str] = ()


def meta_evaluate(
    judgments: Sequence[Judgments],
    metrics: Sequence[Metric],
    *,
    baseline: str | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = 0.95,
    progress: Callable[[int, int], object] = lambda *_: None,
) -> MetaEvaluation:
    """Measure how well metrics agree with human judgments; `docs/meta-eval.md` explains every number.

    Args:
        judgments: judgments of each language pair.
        metrics: scores of the same texts by each metric.
        baseline: name of the metric that the others are compared with; None for the first.
        samples: number of bootstrap samples of the segments, for intervals and tests.
        seed: random seed.
        confidence: confidence level of the intervals.
        progress: callback, called periodically with the number of samples done and their total.

    Raises:
        InputMismatch: there are no metrics or no judgments; two metrics have the same name; all ratings of a language
            pair are equal; a metric's scores do not match the texts or are not finite.
        UnknownName: the baseline is not among the metrics.
        ValueError: `samples` is less than 2, or `confidence` is not between 0 and 1.
    """
    baseline = metrics[0].name if baseline is None and metrics else baseline or ""
    _check(judgments, metrics, baseline, samples, confidence)
    judgments, metrics = sort_texts(center_ratings(judgments), metrics)
    work = [(index, level) for index, part in enumerate(judgments) for level in levels_of(part)]
    by_name = sorted(range(len(judgments)), key=lambda place: judgments[place].name)
    rated = [index for index in by_name if judgments[index].ratings is not None]
    whole = [judgments[index] for index in rated] if len(rated) > 1 else []
    advance = counted(progress, (len(work) + bool(whole)) * len(metrics) * samples)
    tables = []
    notes = [note for part in judgments for note in (*part.notes, *omitted_accuracies(part))]
    notes += [note for metric in metrics for note in metric.notes]
    sheets: dict[Kind, dict[int, _Sheet]] = {}
    for place, level in work:
        scored = {metric.name: metric.scored[place] for metric in metrics}
        sheet = _sheet(level, judgments[place], scored, samples, seed, advance)
        tables.append(_table(judgments[place].name, sheet, baseline, confidence))
        notes += [*_notes(sheet, judgments[place].name), *sheet.notes]
        sheets.setdefault(level.kind, {})[place] = sheet
    for kind, found in sheets.items():
        if len(found) < 2:
            continue
        same = [found[index] for index in by_name if index in found]
        if kind == "ratings":
            pool, scored = _pool_ratings(whole, rated, metrics)
            notes += omitted_accuracies(pool)
            (level,) = (level for level in levels_of(pool) if level.kind == kind)
            pooled = _sheet(level, pool, scored, samples, seed, advance)
        else:
            pooled = _pooled(same)
        tables += [_table(name, sheet, baseline, confidence) for name, sheet in ((POOLED, pooled), (MEAN, _mean(same)))]
    return MetaEvaluation(
        tuple(tables),
        baseline,
        samples,
        seed,
        confidence,
        {metric.name: metric.signature for metric in metrics if metric.signature},
        tuple(dict.fromkeys(notes)),
    )


def _check(
    judgments: Sequence[Judgments], metrics: Sequence[Metric], baseline: str, samples: int, confidence: float
) -> None:
    names = [metric.name for metric in metrics]
    if not metrics:
        raise InputMismatch("there is no metric to evaluate")
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputMismatch(f"two metrics are called {twice!r}; give one of them another name")
    if baseline not in names:
        raise UnknownName("metric", baseline, names)
    check_sampling(confidence, samples=samples)
    if not judgments:
        raise InputMismatch("there is no judgment")
    for metric in metrics:
        if (count := len(metric.scored)) != len(judgments):
            raise InputMismatch(f"{metric.name} has scores of {count} language pairs where {len(judgments)} are judged")
    for index, part in enumerate(judgments):
        check_people(part)
        for metric in metrics:
            scores = metric.scored[index].scores
            if len(scores) != len(part.texts) or not np.isfinite(scores).all():
                needed = f"a number for each of the {len(part.texts)} texts of {part.name}"
                raise InputMismatch(f"{metric.name} must have {needed}")
            if (odd := out_of_range(scores)) is not None:
                wrong = f"{metric.name} has a score of {odd:g}"
                raise InputMismatch(f"{part.name}: {wrong}; statistics need {RANGE}; rescale the scores")


def _pool_ratings(
    rated: Sequence[Judgments], places: Sequence[int], metrics: Sequence[Metric]
) -> tuple[Judgments, dict[str, Scored]]:
    """Pool the ratings of several language pairs, whose indices are `places`, and the scores of the metrics."""
    together = [
        Metric(metric.name, (Scored(np.concatenate([metric.scored[place].scores for place in places])),))
        for metric in metrics
    ]
    (pool,), together = sort_texts([Judgments.together(rated, POOLED)], together)
    return pool, {metric.name: metric.scored[0] for metric in together}


def _sheet(
    level: Level,
    judgments: Judgments,
    scored: Mapping[str, Scored],
    samples: int,
    seed: int,
    advance: Callable[[int], object],
) -> _Sheet:
    samplers = {name: level.sampler(scored_texts) for name, scored_texts in scored.items()}
    count = judgments.segment_count
    parts: dict[str, list[SampleStatistics]] = {
        name: [sampler.statistics(np.ones((1, count), np.int64))] for name, sampler in samplers.items()
    }
    for _, weights in resamples(count, samples, seed):
        for name, sampler in samplers.items():
            parts[name].append(sampler.statistics(weights))
            advance(len(weights))
    columns = {}
    for name, found in parts.items():
        counts = np.concatenate([one.counts for one in found])
        others = {key: np.concatenate([one.others[key] for one in found]) for key in found[0].others}
        systems = None if found[0].systems is None else np.concatenate([one.systems for one in found])
        figures = {**figures_of(level.kind, counts), **others}
        columns[name] = _Column(counts, figures, samplers[name].epsilons, systems)
    notes: list[str] = []
    test = partial(_williams, level, scored, columns, notes)
    return _Sheet(level.kind, level.judged, level.texts, count, columns, test, notes)


def _williams(
    level: Level,
    scored: Mapping[str, Scored],
    columns: Mapping[str, _Column],
    notes: list[str],
    one: str,
    other: str,
) -> float | None:
    first, second = level.williams(scored[one]), level.williams(scored[other])
    if first is None or second is None:
        return None
    better, worse = sorted((float(columns[name].figures["pearson"][0]) for name in (one, other)), reverse=True)
    try:
        found = williams(better, worse, float(pearson(first, second)), len(first))
    except ExtraMissing as missing:
        notes.append(f"Williams' test is left out: {missing}")
        return None
    return None if isnan(found) else found


def _pooled(sheets: Sequence[_Sheet]) -> _Sheet:
    """Summed counts of all language pairs, each resampled separately; their systems side by side."""
    kind = sheets[0].kind
    columns = {}
    for name in sheets[0].columns:
        listed = [sheet.columns[name] for sheet in sheets]
        counts = np.sum([one.counts for one in listed], axis=0)
        figures = figures_of(kind, counts)
        systems = [one.systems for one in listed if one.systems is not None]
        if systems:
            every = np.concatenate(systems, axis=2)
            figures["pearson"] = pearson(every[:, 0], every[:, 1])
        columns[name] = _Column(counts, figures, {})
    return _Sheet(kind, *_summed_sizes(sheets), columns)


def _mean(sheets: Sequence[_Sheet]) -> _Sheet:
    """Mean of the figures of all language pairs, each resampled separately."""
    columns = {}
    for name, first in sheets[0].columns.items():
        listed = [sheet.columns[name].figures for sheet in sheets]
        known = [key for key in first.figures if all(key in one for one in listed)]
        figures = {key: np.mean([one[key] for one in listed], axis=0) for key in known}
        columns[name] = _Column(np.zeros((0, 0)), figures, {})
    return _Sheet(sheets[0].kind, *_summed_sizes(sheets), columns)


def _summed_sizes(sheets: Sequence[_Sheet]) -> tuple[int, int, int]:
    judged, texts, segments = map(
        sum, zip(*((sheet.judged, sheet.texts, sheet.segments) for sheet in sheets), strict=True)
    )
    return judged, texts, segments


def _table(name: str, sheet: _Sheet, baseline: str, confidence: float) -> Table:
    agreements = []
    for metric, column in sheet.columns.items():
        figures = {}
        for key, values in column.figures.items():
            drawn = values[1:][np.isfinite(values[1:])]
            if np.isfinite(values[0]) and len(drawn):
                difference = None
                if metric != baseline:
                    difference = _difference(key, sheet, metric, baseline, confidence)
                figures[key] = Figure(float(values[0]), interval(drawn, confidence), difference)
        orders = [round(float(count)) for count in column.counts[0, : TIED + 1]] if len(column.counts) else [None] * 3
        agreements.append(
            Agreement(metric, orders[CONCORDANT], orders[DISCORDANT], orders[TIED], dict(column.epsilons), figures)
        )
    return Table(name, sheet.kind, sheet.judged, sheet.texts, sheet.segments, tuple(agreements))


def _difference(key: str, sheet: _Sheet, metric: str, baseline: str, confidence: float) -> Difference | None:
    one, other = sheet.columns[metric].figures[key], sheet.columns[baseline].figures[key]
    drawn = np.isfinite(one) & np.isfinite(other)
    if not drawn[0] or not drawn[1:].any():
        return None
    value = float(one[0] - other[0])
    one, other = one[1:][drawn[1:]], other[1:][drawn[1:]]
    test = sheet.williams(metric, baseline) if key == "pearson" else None
    return Difference(value, interval(one - other, confidence), centered_p(one - other, value), test)


def _notes(sheet: _Sheet, name: str) -> Iterator[str]:
    few, what = (FEW_SYSTEMS, "systems") if sheet.kind == "systems" else (FEW_JUDGMENTS, "judgments")
    if sheet.judged <= few:
        yield f"{name}: only {sheet.judged} {what}: too few to say much about a metric"
    people = next(iter(sheet.columns.values())).systems
    if people is not None and not np.ptp(people[0, 1]):
        yield f"{name}: the mean ratings of all systems are equal, so nothing correlates with them"
        return
    for metric, column in sheet.columns.items():
        if sheet.kind != "pairs" and not np.isfinite(column.figures["pearson"][0]):
            what = "systems" if sheet.kind == "systems" else "texts"
            yield f"{name}: {metric} gives all {what} the same score, so nothing correlates with it"
