"""Verbs of the package that put several parts together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import IO, TYPE_CHECKING, Any, Protocol, TypedDict, Unpack

from attrs import evolve

from meteorlib.analysis.results import Compared, Group, SystemComparison, Test, groups_of, mean_groups
from meteorlib.config.schema import DEFAULT_PRESET, ScorerConfig
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.pair import Pair
from meteorlib.corpus.batch import Batch
from meteorlib.corpus.corpus import Corpus
from meteorlib.corpus.groups import Groups
from meteorlib.corpus.parallel import Render, score_stream
from meteorlib.reports.systems.table import Systems, full_signature
from meteorlib.resources.store.atomic_file import path_in_disk_errors
from meteorlib.scorer import Scorer

if TYPE_CHECKING:
    from meteorlib.analysis.significance import Output
    from meteorlib.analysis.significance.other_metrics import ScoredMetric

IN_MEMORY = 1 << 26
"""Bytes of segment lines that are kept in memory; more go to a temporary file."""


class Texts(Protocol):
    """An output of a system with its references."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the groupings of segments."""

    @property
    def references(self) -> int | None:
        """Number of references per segment; None if it varies."""

    def batches(self) -> Iterator[Batch]:
        """The segments."""


class Settings(TypedDict, total=False):
    """Settings of a comparison; see `compare_systems`."""

    baseline: str | None
    test: Test | None
    compared: Compared
    samples: int
    seed: int
    confidence: float


def compare(
    systems: Mapping[str, Sequence[str] | Sequence[Sequence[str]]],
    references: Sequence[str | Sequence[str]],
    preset: str | ScorerConfig = DEFAULT_PRESET,
    *,
    metrics: Sequence[str] = (),
    **settings: Unpack[Settings],
) -> Systems:
    """Score systems by METEOR and other metrics, and compare them, as `meteorlib score` does with files.

    Args:
        systems: hypotheses of each system by name; a list of them for each run if a system has several.
        references: for each segment its reference, or several.
        preset: a preset's name or a configuration.
        metrics: metrics of sacrebleu: ``bleu``, ``chrf``, ``chrf++``, ``ter``.
        settings: arguments of `compare_systems`: ``baseline``, ``test``, ``compared``, ``samples``, ``seed``,
            ``confidence``.

    Raises:
        InputMismatch: systems and references differ in their number of segments, or there are none.
        UnknownName: a name is unknown.
        ExtraMissing: sacrebleu is needed for a metric.
        ValueError: a setting is out of its range.
    """
    from meteorlib.analysis.significance import compare_systems  # noqa: PLC0415 – loads numpy

    scorer = Scorer(preset)
    runs = {name: _runs(given) for name, given in systems.items()}
    corpora = {
        name: [scorer.corpus().extend(references=references, hypotheses=one) for one in listed]
        for name, listed in runs.items()
    }
    comparison = compare_systems(corpora, **settings)
    counts = {1 if isinstance(one, str) else len(one) for one in references}
    count = counts.pop() if len(counts) == 1 else None
    shown = Systems(
        comparison, full_signature(comparison.signature, count), references=count, preset=scorer.config.name
    )
    if not metrics:
        return shown
    from meteorlib.analysis.meta_evaluation.corpus_metrics import sacrebleu_corpus  # noqa: PLC0415 – loads numpy

    listed = [[one] if isinstance(one, str) else [*one] for one in references]
    texts = {name: [partial(map, Pair, listed, one) for one in of_system] for name, of_system in runs.items()}
    return with_metrics(shown, [sacrebleu_corpus(name, texts) for name in metrics])


def _runs(given: Sequence[str] | Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """The hypotheses of each run; one list of texts is a run."""
    runs = [one for one in given if not isinstance(one, str)]
    return runs or [[one for one in given if isinstance(one, str)]]


def score_systems(
    scorer: Scorer,
    systems: Mapping[str, Sequence[Texts]],
    held: ExitStack,
    compare: Callable[[Mapping[str, Sequence[Output]]], SystemComparison] | None,
    *,
    segments: bool = False,
    line: Render[str] | None = None,
    jobs: int = 1,
    advance: Callable[[int], object] = lambda _: None,
) -> tuple[Systems, dict[str, list[Corpus]]]:
    """Score every run of every system, and compare them.

    Args:
        scorer: scores segments.
        systems: runs of each system.
        held: closes the files of lines.
        compare: compares the outputs; None for a single system without intervals, for which no segment is kept.
        segments: whether segments are listed.
        line: writes the line of a segment of a system of one run.
        jobs: how many threads or processes score at a time.
        advance: receives the number of segments that were scored.

    Returns:
        The results, and the corpora of each system.
    """
    lines = {
        name: held.enter_context(_line_file())
        for name, runs in systems.items()
        if segments and line is not None and len(runs) == 1
    }
    corpora: dict[str, list[Corpus]] = {}
    groups: dict[str, Sequence[Group]] = {}
    outputs: dict[str, list[Output]] = {}
    for name, runs in systems.items():
        parts: list[list[Any]] = [[] for _ in runs]
        to = (line, lines[name]) if line is not None and name in lines else None
        scored = [
            _score(scorer, one, to, None if compare is None else kept, jobs, advance)
            for one, kept in zip(runs, parts, strict=True)
        ]
        corpora[name] = [corpus for corpus, _ in scored]
        if runs[0].labels:
            groups[name] = mean_groups([groups_of(found, scorer) for _, found in scored])
        if compare is not None:
            outputs[name] = _outputs(corpora[name], parts)
    found: dict[str, Sequence[float]] = {}
    if compare is None:
        ((name, (corpus,)),) = corpora.items()
        comparison = SystemComparison.without_intervals(name, corpus)
    else:
        comparison = compare(outputs)
        if segments:
            from meteorlib.analysis.significance.outputs import segment_scores  # noqa: PLC0415 – loads numpy

            found = {name: segment_scores(listed).tolist() for name, listed in outputs.items()}
    counts = {one.references for runs in systems.values() for one in runs}
    references = counts.pop() if len(counts) == 1 else None
    for listed in lines.values():
        listed.seek(0)
    shown = Systems(
        comparison,
        full_signature(comparison.signature, references),
        segments=found if segments else None,
        lines=lines,
        groups=groups,
        references=references,
        preset=scorer.config.name,
    )
    return shown, corpora


def with_metrics(
    systems: Systems, metrics: Sequence[ScoredMetric], labels: Mapping[str, Sequence[str]] | None = None
) -> Systems:
    """The results with other metrics beside METEOR; `labels` has the label of each segment by what groups them."""
    if not metrics:
        return systems
    from meteorlib.analysis.significance.other_metrics import compare_metric, group_scores  # noqa: PLC0415 – loads numpy

    return evolve(
        systems,
        metrics=[compare_metric(metric, systems.comparison) for metric in metrics],
        metric_groups={
            (by, one.name): group_scores(one, each) for by, each in (labels or {}).items() for one in metrics
        },
    )


def _score(
    scorer: Scorer,
    texts: Texts,
    to: tuple[Render[str], IO[str]] | None,
    kept: list[Any] | None,
    jobs: int,
    advance: Callable[[int], object],
) -> tuple[Corpus, Groups]:
    """Score a run; its lines go to a file, and its counts and scores to `kept`, as arrays."""
    corpus, groups = scorer.corpus(keep_segments=False), Groups(texts.labels)
    line = None if to is None else to[0]
    render: Render[Any] | None = line if kept is None else partial(_counts_and_score, line)
    for batch in score_stream(scorer, texts.batches(), jobs, render):
        corpus.add_totals(batch.totals)
        groups.add(batch.groups)
        if kept is not None:
            from meteorlib.arrays import SegmentArrays  # noqa: PLC0415 – loads numpy

            kept.append(SegmentArrays.made(row[:2] for row in batch.rendered))
        if to is not None:
            with path_in_disk_errors():
                to[1].writelines(batch.rendered if kept is None else (row[2] for row in batch.rendered))
        advance(batch.totals.segment_count)
    return corpus, groups


def _counts_and_score(
    line: Render[str] | None, number: int, scored: ScoreBreakdown
) -> tuple[tuple[int, ...], float, str]:
    return scored.statistics.counts(), scored.score, "" if line is None else line(number, scored)


def _outputs(corpora: Sequence[Corpus], parts: Sequence[Sequence[Any]]) -> list[Output]:
    from meteorlib.analysis.significance import Output  # noqa: PLC0415 – loads numpy
    from meteorlib.arrays import SegmentArrays  # noqa: PLC0415 – loads numpy

    return [Output(corpus, SegmentArrays.joined(kept)) for corpus, kept in zip(corpora, parts, strict=True)]


def _line_file() -> IO[str]:
    """A buffer for the lines of segments, which are printed after all of them are scored."""
    from tempfile import SpooledTemporaryFile  # noqa: PLC0415 – slow to load

    return SpooledTemporaryFile(IN_MEMORY, "w+", encoding="utf-8", newline="")
