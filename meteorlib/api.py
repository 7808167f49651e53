"""The functions `compare`, `explain`, `report` and `score_table`, which put several parts of the package together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import partial
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar, Unpack, overload

from attrs import evolve, field, frozen

from meteorlib.analysis.results import Settings, SystemComparison, meteor_groups
from meteorlib.config.schema import DEFAULT_PRESET, ScorerConfig
from meteorlib.core.breakdown import ScoreBreakdown, WordNumbers
from meteorlib.core.segment import Pair
from meteorlib.corpus.batch import Groups, Texts, counted
from meteorlib.corpus.corpus import Corpus
from meteorlib.corpus.parallel import Render, score_stream
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.formats import Dialect, open_table
from meteorlib.inputs.text_file import TextFile, check_same_length
from meteorlib.reports.system_table import Results, full_signature
from meteorlib.resources.store.atomic_file import atomic_writer, path_in_disk_errors
from meteorlib.scorer import Scorer

if TYPE_CHECKING:
    from meteorlib.analysis.significance import Output
    from meteorlib.analysis.significance.scored_outputs import ScoredMetric
    from meteorlib.explanation import Explanation

Frame = TypeVar("Frame")

IN_MEMORY = 1 << 26
"""Bytes of segment lines that are kept in memory; more go to a temporary file."""

Lines = Sequence[str] | PathLike[str]
"""Texts, or the path of a text file with one on each line."""

References = PathLike[str] | Sequence[str | PathLike[str] | Sequence[str]]
"""For each segment its reference, or several; or the path of a file of them, or several paths."""


def compare(
    systems: Mapping[str, Lines | Sequence[Lines]],
    references: References,
    preset: str | ScorerConfig = DEFAULT_PRESET,
    *,
    metrics: Sequence[str] = (),
    **settings: Unpack[Settings],
) -> Results:
    """Score systems by METEOR and other metrics, and compare them, as `meteorlib score` does with files.

    Texts are lists, or paths (`pathlib.Path`) of text files with one segment per line.

    Args:
        systems: hypotheses of each system by name; a list of them for each run if a system has several.
        references: for each segment its reference, or several; or a path, or a list of paths.
        preset: a preset's name or a configuration.
        metrics: metrics of sacrebleu: ``bleu``, ``chrf``, ``chrf++``, ``ter``.
        settings: ``baseline``, ``test``, ``compared``, ``samples``, ``seed``, ``confidence``; see `compare_systems`.

    Raises:
        InputMismatch: systems and references differ in their number of segments, or there are none.
        UnknownName: a name is unknown.
        ExtraMissing: sacrebleu is needed for a metric.
        ValueError: a setting is out of its range.
    """
    from meteorlib.analysis.significance import compare_systems  # noqa: PLC0415 – loads numpy

    scorer, listed = Scorer(preset), _references(references)
    runs = {name: _runs(given) for name, given in systems.items()}
    corpora = {
        name: [scorer.corpus().extend(references=listed, hypotheses=one) for one in of_system]
        for name, of_system in runs.items()
    }
    comparison = compare_systems(corpora, **settings)
    results = _results(scorer, comparison, {len(one) for one in listed})
    return with_metrics(results, _sacrebleu(metrics, runs, listed))


def explain(
    references: str | Iterable[str],
    hypothesis: str,
    preset: str | ScorerConfig = DEFAULT_PRESET,
    *,
    budget: int | None = 60_000,
) -> Explanation:
    """Explain why a segment has its score, as `meteorlib explain` does; a notebook draws the alignment.

    Args:
        references: the reference, or several.
        hypothesis: the hypothesis.
        preset: a preset's name or a configuration.
        budget: limit of the words of text that are scored again for the gains; None for no limit.

    Raises:
        InputMismatch: there is no reference.
        InvalidText: text with NUL or a lone surrogate.
        UnknownName: no such preset.
    """
    return Scorer(preset).explain(references, hypothesis, budget=budget)


@overload
def score_table(
    table: str | PathLike[str],
    preset: str | ScorerConfig = ...,
    *,
    references: str | Sequence[str],
    hypothesis: str,
    numbers: str | Sequence[str] = ...,
    statistics: bool = ...,
) -> dict[str, list[Any]]: ...
@overload
def score_table(
    table: Frame,
    preset: str | ScorerConfig = ...,
    *,
    references: str | Sequence[str],
    hypothesis: str,
    numbers: str | Sequence[str] = ...,
    statistics: bool = ...,
) -> Frame: ...
def score_table(
    table: Any,
    preset: str | ScorerConfig = DEFAULT_PRESET,
    *,
    references: str | Sequence[str],
    hypothesis: str,
    numbers: str | Sequence[str] = ("score",),
    statistics: bool = False,
) -> Any:
    """Score every row of a table of pandas, polars, pyarrow, DuckDB or datasets, of a dict of columns, or of a file.

    `meteorlib.integrations.frames` has more for tables: corpus scores of groups, and scores of sums of statistics.

    Args:
        table: the table; or the path of a file of CSV, TSV, JSON Lines or Parquet, also compressed.
        preset: a preset's name or a configuration.
        references: one or more columns of references; each row has a string or a list of strings.
        hypothesis: the column of hypotheses.
        numbers: numbers of the `ScoreBreakdown` to add as columns, each 0..1; null if undefined.
        statistics: whether to add the counts as columns, too.

    Returns:
        A table of the same kind with the same rows, and the new columns, such as ``meteor_score``, after the existing
        ones; of a file, a dict of columns.

    Raises:
        InvalidRow: a row cannot be scored; the message names column and row.
        InputMismatch: there is no such file, its format is unknown, or the table has a column with a new name.
        UnknownName: an unknown column, number or preset.
        ExtraMissing: a package for tables is needed.
    """
    from meteorlib.integrations.frames import score_frame  # noqa: PLC0415 – an extra

    if isinstance(table, str | PathLike):
        opened = open_table(os.fspath(table), Dialect())
        rows = [cells for _, cells in opened.rows(opened.columns)]
        table = {name: [row[column] for row in rows] for column, name in enumerate(opened.columns)}
    return score_frame(
        table, preset, references=references, hypothesis=hypothesis, numbers=numbers, statistics=statistics
    )


def report(
    systems: Mapping[str, Lines | Sequence[Lines]],
    references: References,
    preset: str | ScorerConfig = DEFAULT_PRESET,
    *,
    output: str | PathLike[str] | None = None,
    title: str = "METEOR report",
    sources: Lines | None = None,
    groups: Mapping[str, Sequence[str]] | None = None,
    word_labels: Mapping[str, Sequence[Sequence[str]]] | None = None,
    metrics: Sequence[str] = (),
    gains: int = 100,
    **settings: Unpack[Settings],
) -> str:
    """Make the HTML page that shows how systems score, where they differ, and why, as `meteorlib report` does.

    Texts are lists, or paths (`pathlib.Path`) of text files with one segment per line.

    Args:
        systems: hypotheses of each system by name; a list of them for each run if a system has several.
        references: for each segment its reference, or several; or a path, or a list of paths.
        preset: a preset's name or a configuration.
        output: file to write the page to; an existing one is replaced when the page is complete.
        title: heading of the page.
        sources: source text of each segment.
        groups: label of each segment, by what they are: ``document``, ``domain``, …
        word_labels: labels of words, by what they are, such as ``pos``: for each segment, the labels of the tokens of
            each of its references, separated by spaces like the tokens.
        metrics: metrics of sacrebleu: ``bleu``, ``chrf``, ``chrf++``, ``ter``.
        gains: number of segments with the gains of their unmatched words.
        settings: ``baseline``, ``test``, ``samples``, ``seed``, ``confidence``; see `compare_systems`.

    Returns:
        The page; its path if `output` is given.

    Raises:
        InputMismatch: there are no segments, or systems, references, sources or labels differ in their number; a
            segment has no one alignment.
        UnknownName: a name is unknown.
        ExtraMissing: sacrebleu is needed for a metric.
        OSError: a file cannot be read or written.
        ValueError: a setting is out of its range.
    """
    from meteorlib.analysis.contrast.aligned import Aligned  # noqa: PLC0415 – loads numpy
    from meteorlib.analysis.significance import compare_systems  # noqa: PLC0415 – as above
    from meteorlib.analysis.significance.paired_tests import compare_metric  # noqa: PLC0415 – as above
    from meteorlib.reports.html.page import PageOptions  # noqa: PLC0415 – as above
    from meteorlib.reports.html.runs import Runs  # noqa: PLC0415 – as above

    scorer, numbers = Scorer(preset), WordNumbers()
    listed = _references(references)
    texts = {name: _runs(given) for name, given in systems.items()}
    runs = {
        name: [
            (Aligned.of(scorer.corpus().extend(references=listed, hypotheses=one), numbers), one) for one in of_system
        ]
        for name, of_system in texts.items()
    }
    counts = {*map(len, listed)}
    scored = Runs(scorer, runs, listed, counts.pop() if len(counts) == 1 else None, groups or {})
    comparison = compare_systems(scored.outputs(), **settings)
    compared = [compare_metric(metric, comparison) for metric in _sacrebleu(metrics, texts, listed)]
    options = PageOptions(title, None if sources is None else _lines(sources), compared)
    pieces = scored.pieces(comparison, options, word_labels or {}, gains)
    if output is None:
        return "".join(pieces)
    with atomic_writer(Path(output)) as file:
        file.writelines(map(str.encode, pieces))
    return os.fspath(output)


def _runs(given: Lines | Sequence[Lines]) -> list[Sequence[str]]:
    """The hypotheses of each run; one list of texts is a run."""
    if isinstance(given, PathLike):
        return [_lines(given)]
    runs = [_lines(one) for one in given if not isinstance(one, str)]
    return runs or [[one for one in given if isinstance(one, str)]]


def _lines(given: Lines) -> Sequence[str]:
    """The texts of a list, or the lines of a file."""
    return [*TextFile(Source.open(os.fspath(given))).lines()] if isinstance(given, PathLike) else given


def _references(given: References) -> list[Sequence[str]]:
    """The references of each segment; several files have one of each."""
    if isinstance(given, PathLike):
        given = [given]
    files = [TextFile(Source.open(os.fspath(one))) for one in given if isinstance(one, PathLike)]
    if files:
        check_same_length(files)
        return [*zip(*(file.lines() for file in files), strict=True)]
    return [[one] if isinstance(one, str) else [*one] for one in given if not isinstance(one, PathLike)]


def _sacrebleu(
    names: Sequence[str], systems: Mapping[str, Sequence[Sequence[str]]], references: Sequence[Sequence[str]]
) -> list[ScoredMetric]:
    """The runs of systems scored by metrics of sacrebleu."""
    if not names:
        return []
    from meteorlib.analysis.meta_evaluation.sacrebleu import sacrebleu_corpus  # noqa: PLC0415 – loads numpy

    texts = {name: [partial(map, Pair, references, one) for one in listed] for name, listed in systems.items()}
    return [sacrebleu_corpus(name, texts) for name in names]


def _results(scorer: Scorer, comparison: SystemComparison, counts: set[int | None] | set[int]) -> Results:
    """The results of a comparison; `counts` has the numbers of references that segments have."""
    references = next(iter(counts)) if len(counts) == 1 else None
    signature = full_signature(comparison.signature, references)
    return Results(comparison, signature, references=references, preset=scorer.config.name)


@frozen
class Scoring:
    """Scoring of the runs of systems, and their comparison.

    Attributes:
        scorer: scores segments.
        settings: settings of `compare_systems`; None for a single system without intervals, for which no segment is
            kept.
        line: writes the line of a segment of a system of one run, if segments are listed.
        jobs: how many threads or processes score at a time.
        bar: shows the progress of what it is called with: a context whose function takes the part done, and the whole.
        held: closes the files of lines.
    """

    scorer: Scorer
    settings: Settings | None = None
    line: Render[str] | None = None
    jobs: int = 1
    bar: Callable[[str], AbstractContextManager[Callable[[float, float], object]]] = lambda _: nullcontext(_unseen)
    held: ExitStack = field(factory=ExitStack)

    def results(self, systems: Mapping[str, Sequence[Texts]]) -> tuple[Results, dict[str, list[Corpus]]]:
        """The results of all systems, and the corpora of the runs of each."""
        lines: dict[str, IO[str]] = {}
        scored: dict[str, list[tuple[Corpus, Groups, list[Any]]]] = {}
        with self.bar("scoring") as bar:
            advance = counted(bar, sum(one.count for runs in systems.values() for one in runs))
            for name, runs in systems.items():
                if self.line is not None and len(runs) == 1:
                    lines[name] = self.held.enter_context(_line_file())
                scored[name] = [self._score(one, lines.get(name), advance) for one in runs]
        corpora = {name: [corpus for corpus, *_ in listed] for name, listed in scored.items()}
        if self.settings is None:
            ((name, (corpus,)),) = corpora.items()
            comparison = SystemComparison.without_intervals(name, corpus)
        else:
            from meteorlib.analysis.significance import compare_systems  # noqa: PLC0415 – loads numpy

            with self.bar("resampling") as bar:
                outputs = {name: _outputs(listed) for name, listed in scored.items()}
                comparison = compare_systems(outputs, progress=bar, **self.settings)
        groups = {name: [of_run for _, of_run, _ in listed] for name, listed in scored.items()}
        grouped = (
            evolve(system, groups=meteor_groups(groups[system.name], self.scorer, comparison.compared))
            for system in comparison.systems
        )
        for listed in lines.values():
            listed.seek(0)
        counts = {one.references for runs in systems.values() for one in runs}
        results = _results(self.scorer, evolve(comparison, systems=tuple(grouped)), counts)
        return evolve(results, lines=lines), corpora

    def _score(
        self, texts: Texts, to: IO[str] | None, advance: Callable[[int], object]
    ) -> tuple[Corpus, Groups, list[Any]]:
        """Score a run; its lines go to a file, and its counts and scores are kept as arrays if outputs are compared."""
        corpus, groups, kept = self.scorer.corpus(keep_segments=False), Groups(texts.labels), []
        line = None if to is None else self.line
        render: Render[Any] | None = line if self.settings is None else partial(_counts_and_score, line)
        for batch in score_stream(self.scorer, texts.batches(), self.jobs, render):
            corpus.add_totals(batch.totals)
            groups.add(batch.groups)
            if self.settings is not None:
                from meteorlib.arrays import SegmentArrays  # noqa: PLC0415 – loads numpy

                kept.append(SegmentArrays.made(row[:2] for row in batch.rendered))
            if to is not None:
                with path_in_disk_errors():
                    to.writelines(batch.rendered if self.settings is None else (row[2] for row in batch.rendered))
            advance(batch.totals.segment_count)
        return corpus, groups, kept


def with_metrics(
    results: Results, metrics: Sequence[ScoredMetric], labels: Mapping[str, Sequence[str]] | None = None
) -> Results:
    """The results with other metrics beside METEOR; `labels` has the label of each segment by what groups them."""
    if not metrics:
        return results
    from meteorlib.analysis.significance.paired_tests import compare_metric  # noqa: PLC0415 – loads numpy

    compared = []
    for metric in metrics:
        found = compare_metric(metric, results.comparison)
        systems = (evolve(system, groups=metric.groups(system.name, labels or {})) for system in found.systems)
        compared.append(evolve(found, systems=tuple(systems)))
    return evolve(results, metrics=compared)


def _counts_and_score(
    line: Render[str] | None, number: int, scored: ScoreBreakdown
) -> tuple[tuple[int, ...], float, str]:
    return scored.statistics.counts(), scored.score, "" if line is None else line(number, scored)


def _unseen(_done: float, _count: float) -> None:
    """Progress that nobody sees."""


def _outputs(scored: Sequence[tuple[Corpus, Groups, list[Any]]]) -> list[Output]:
    from meteorlib.analysis.significance import Output  # noqa: PLC0415 – loads numpy
    from meteorlib.arrays import SegmentArrays  # noqa: PLC0415 – loads numpy

    return [Output(corpus, SegmentArrays.joined(kept)) for corpus, _, kept in scored]


def _line_file() -> IO[str]:
    """A buffer for the lines of segments, which are printed after all of them are scored."""
    from tempfile import SpooledTemporaryFile  # noqa: PLC0415 – slow to load

    return SpooledTemporaryFile(IN_MEMORY, "w+", encoding="utf-8", newline="")
