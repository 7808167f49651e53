"""Scoring of systems by METEOR and other metrics: the composition behind `compare`, `report` and their commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial
from math import fsum
from typing import IO, TYPE_CHECKING, Any

from attrs import evolve, frozen

from meteorlib import caches
from meteorlib.analysis.results import (
    METRICS,
    Compared,
    Group,
    Settings,
    SystemComparison,
    mean_breakdown,
    sacrebleu_choice,
)
from meteorlib.core.breakdown import ScoreBreakdown, WordNumbers
from meteorlib.core.languages import iso_code
from meteorlib.core.totals import SCORE_BITS
from meteorlib.corpus.batch import Advance, Batch, Groups, Texts, counted
from meteorlib.corpus.corpus import Corpus
from meteorlib.corpus.parallel import Render, score_stream
from meteorlib.errors import InputMismatch, UnknownName
from meteorlib.inputs.formats import named
from meteorlib.inputs.notes import Notes
from meteorlib.inputs.systems import references_of
from meteorlib.reports.system_table import COLUMNS, Results, signatures
from meteorlib.resources.store.data_file import release_pages
from meteorlib.resources.store.shared_files import path_in_disk_errors
from meteorlib.scorer import Scorer

if TYPE_CHECKING:
    from meteorlib.analysis.contrast.aligned import Aligned
    from meteorlib.analysis.significance.scored_outputs import Output, ScoredMetric
    from meteorlib.inputs.join import Order
    from meteorlib.reports.html.page import Page

IN_MEMORY = 1 << 26
"""Bytes of segment lines that are kept in memory; more go to a temporary file."""

FEW_REFERENCES = 1 << 10
"""References that are remembered if there are more segments than an engine remembers: no other system finds them."""

Systems = Mapping[str, Sequence[Texts]]
"""Name of a system → its runs."""

WordLabels = Callable[[Sequence[Sequence[str]]], Mapping[str, Sequence[Sequence[str]]]]
"""References → the labels of their words, by what these are; see `meteorlib.report`."""

Bar = Callable[[str], AbstractContextManager[Callable[[float, float], object]]]
"""Shows the progress of what it is called with: a context whose function takes the part done, and the whole."""


def metric_and_file(given: str) -> tuple[str, str]:
    """The parts of ``NAME`` or ``NAME=FILE``; the file is empty where there is none, as in ``bleu:tokenize=zh``."""
    if sacrebleu_choice(given) is not None:
        return given, ""
    return named(given, f"metric {given!r}", f", or one of {', '.join(METRICS)}")


@frozen
class SystemScoring:
    """Scoring of systems, and their comparison.

    Attributes:
        scorer: scores segments.
        notes: says what is odd about metrics.
        metrics: other metrics: names of sacrebleu's, or ``NAME=FILE`` for a table of scores.
        settings: settings of `compare_systems`; None for a single system without intervals, for which no segment is
            kept.
        order: order of the segments, if they have ids, by which tables of scores are joined, and what resegmented.
        jobs: how many threads or processes score at a time.
        bar: shows progress.
        language: the language of the texts by its code, for the tokenizers of other metrics; empty for the preset's.
    """

    scorer: Scorer
    notes: Notes
    metrics: Sequence[str] = ()
    settings: Settings | None = None
    order: Order | None = None
    jobs: int = 1
    bar: Bar = lambda _: nullcontext(lambda *_: None)
    language: str = ""

    def table(
        self, systems: Systems, line: Render[str] | None = None, held: ExitStack | None = None
    ) -> tuple[Results, Sequence[str]]:
        """The results of all systems, and what is odd about their scores.

        `line` writes the line of a segment of a system of one run, if segments are listed; `held` closes the files of
        lines.
        """
        others = self._other_metrics(systems)
        lines: dict[str, IO[str]] = {}
        scored: dict[str, list[tuple[Corpus, Groups, list[Any]]]] = {}
        with self._scoring(systems) as advance:
            for name, runs in systems.items():
                if line is not None and held is not None and len(runs) == 1:
                    lines[name] = held.enter_context(_line_file())
                scored[name] = [self._score(one, line, lines.get(name), advance) for one in runs]
        release_pages()
        metrics: list[SystemComparison] = []
        if self.settings is None:
            ((name, ((corpus, *_),)),) = scored.items()
            comparison = SystemComparison.without_intervals(name, corpus)
        else:
            outputs = {name: _outputs(listed) for name, listed in scored.items()}
            labels = next(iter(systems.values()))[0].segment_labels() if others else {}
            comparison, metrics = self._compare(outputs, others, labels)
        grouped = (
            evolve(system, groups=_groups([run[1] for run in scored[system.name]], self.scorer, comparison.compared))
            for system in comparison.systems
        )
        for listed in lines.values():
            listed.seek(0)
        references = references_of(systems)
        whole, short = signatures(self.scorer.engine.identity, references, self._resegmenter)
        results = Results(
            evolve(comparison, systems=tuple(grouped)), whole, lines=lines, metrics=metrics, references=references,
            preset=self.scorer.config.name, short_signature=short,
        )  # fmt: skip
        corpora = {name: [corpus for corpus, *_ in runs] for name, runs in scored.items()}
        return results, [*_problems(corpora, named=self.settings is not None)]

    def page(
        self,
        systems: Systems,
        *,
        title: str,
        sources: Sequence[str] | None = None,
        word_labels: WordLabels = lambda _: {},
        gains: int = 100,
    ) -> Iterator[str]:
        """The HTML report, piece by piece; everything is scored and compared before the first one."""
        from meteorlib.analysis.significance import Output  # noqa: PLC0415 – loads numpy
        from meteorlib.reports.html.data import Written  # noqa: PLC0415 – as above
        from meteorlib.reports.html.page import Page, median_index  # noqa: PLC0415 – as above

        others = self._other_metrics(systems)
        references: list[Sequence[str]] = []
        numbers = WordNumbers()
        scored: dict[str, list[tuple[Aligned, list[str]]]] = {}
        with self._scoring(systems) as advance:
            for name, runs in systems.items():
                scored[name] = [self._align(one, numbers, references, advance) for one in runs]
        shown = [listed[median_index([run.corpus.score().score for run, _ in listed])] for listed in scored.values()]
        hypotheses, scores = [texts for _, texts in shown], [run.scores for run, _ in shown]
        written = Written.of(self.scorer, references, hypotheses, scores, gains, word_labels(references))
        release_pages()
        outputs = {name: [Output(run.corpus, run.arrays) for run, _ in listed] for name, listed in scored.items()}
        comparison, metrics = self._compare(outputs, others, {})
        return self._drawn(
            Page(
                {name: [run for run, _ in listed] for name, listed in scored.items()},
                comparison,
                written,
                title,
                sources,
                references_of(systems),
                metrics,
                next(iter(systems.values()))[0].segment_labels(),
                self._resegmenter,
            )
        )

    @property
    def _resegmenter(self) -> str:
        return self.order.resegmenter if self.order else ""

    def _drawn(self, page: Page) -> Iterator[str]:
        with self.bar("drawing") as bar:

            def advance(done: int, steps: int) -> None:
                release_pages()  # that the analysis of words has read
                bar(done, steps)

            yield from page.pieces(advance)

    @contextmanager
    def _scoring(self, systems: Systems) -> Iterator[Advance]:
        """Shows progress; the function takes the number of further segments."""
        counts = [one.count for runs in systems.values() for one in runs]
        known, limit = (
            self.scorer.engine.references,
            FEW_REFERENCES if max(counts, default=0) > caches.REFERENCES else None,
        )
        with self.bar("scoring") as bar:
            advanced = counted(bar, sum(counts))

            def advance(more: int) -> None:
                if limit is not None and len(known) > limit:
                    known.clear()
                advanced(more)

            yield advance
        if limit is not None:
            known.clear()

    def _score(
        self, texts: Texts, line: Render[str] | None, to: IO[str] | None, advance: Advance
    ) -> tuple[Corpus, Groups, list[Any]]:
        """Score a run; its lines go to a file, and its counts and scores are kept as arrays if outputs are compared."""
        corpus, groups, kept = self.scorer.corpus(keep_segments=False), Groups(texts.labels), []
        line = None if to is None else line
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

    def _align(
        self, texts: Texts, numbers: WordNumbers, references: list[Sequence[str]], advance: Advance
    ) -> tuple[Aligned, list[str]]:
        """The segments of a run, and their hypotheses; the references of the first run stand for those of all."""
        from meteorlib.analysis.contrast.aligned import Collected  # noqa: PLC0415 – loads numpy

        corpus = self.scorer.corpus(keep_segments=False)
        collected, hypotheses, is_first = Collected(corpus, numbers), list[str](), not references

        def seen(batches: Iterable[Batch]) -> Iterator[Batch]:
            for batch in batches:
                pairs = [*batch]
                hypotheses.extend([pair.hypothesis for pair in pairs])
                if is_first:
                    references.extend([pair.references for pair in pairs])
                yield batch

        for batch in score_stream(self.scorer, seen(texts.batches()), self.jobs, _whole_segment):
            collected.extend(batch.rendered)
            corpus.add_totals(batch.totals)
            advance(len(batch.rendered))
        return collected.aligned(), hypotheses

    def _compare(
        self,
        outputs: Mapping[str, Sequence[Output]],
        others: Sequence[ScoredMetric],
        labels: Mapping[str, Sequence[str]],
    ) -> tuple[SystemComparison, list[SystemComparison]]:
        """The comparison by METEOR, and that by each other metric, with the scores of groups by the `labels`."""
        from meteorlib.analysis.significance.paired_tests import compare_metric, compare_systems  # noqa: PLC0415 – loads numpy

        with self.bar("resampling") as bar:
            comparison = compare_systems(outputs, progress=bar, **(self.settings or {}))
        metrics = []
        for metric in others:
            found = compare_metric(metric, comparison)
            systems = (evolve(system, groups=metric.groups(system.name, labels)) for system in found.systems)
            metrics.append(evolve(found, systems=tuple(systems)))
        return comparison, metrics

    def _other_metrics(self, systems: Systems) -> Sequence[ScoredMetric]:
        """Score systems with sacrebleu's metrics, and read scores from tables."""
        if not self.metrics:
            return ()
        from meteorlib.analysis.meta_evaluation.sacrebleu import sacrebleu_corpus, table_metric  # noqa: PLC0415 – loads numpy
        from meteorlib.inputs.segment_data import read_scores  # noqa: PLC0415 – as above

        found: list[ScoredMetric] = []
        count = next(iter(systems.values()))[0].count
        for name, file in map(metric_and_file, self.metrics):
            if not file and sacrebleu_choice(name) is None:
                listed = f"{', '.join(METRICS)}, or NAME=FILE for a table of scores"
                raise UnknownName("metric", name, METRICS, listed)
            if name in (*COLUMNS, "system", *(metric.name for metric in found)):
                raise InputMismatch(f"metric {name}: there already is a column {name!r}; give the metric another name")
            if file:
                scores = read_scores(name, file, [*systems], count, self.order)
                found.append(table_metric(name, scores, [*systems], count))
                continue
            texts = {system: [partial(_pairs, run) for run in runs] for system, runs in systems.items()}
            with self.bar(f"scoring {name}") as bar:
                found.append(
                    sacrebleu_corpus(name, texts, self.language or iso_code(self.scorer.config.language) or "")
                )
                bar(1, 1)
        self.notes.say(*(metric.note for metric in found if metric.note))
        return found


def _pairs(texts: Texts) -> Iterator[Any]:
    return (pair for batch in texts.batches() for pair in batch)


def _problems(corpora: Mapping[str, Sequence[Corpus]], *, named: bool) -> Iterator[str]:
    for name, listed in corpora.items():
        for number, corpus in enumerate(listed, 1):
            whose = name if len(listed) == 1 else f"{name}, run {number}"
            yield from (f"{whose}: {problem}" if named else problem for problem in corpus.problems())


def _groups(runs: Sequence[Groups], scorer: Scorer, compared: Compared) -> tuple[Group, ...]:
    """The groups of a system, scored as corpora; each number is the mean over the runs, the counts are their sum."""
    found = []
    for of_runs in zip(*runs, strict=True):
        by, label, _ = of_runs[0]
        totals = [one for *_, one in of_runs]
        scored = mean_breakdown(
            [
                evolve(scorer.breakdown(one.statistics, optimal=not one.inexact), segment_count=one.segment_count)
                for one in totals
            ]
        )
        mean = fsum(one.exact_sum / (one.segment_count << SCORE_BITS) for one in totals) / len(runs)
        score = scored.score if compared == "corpus" else mean
        found.append(Group(by, label, scored.segment_count or 0, score, scored, mean))
    return tuple(found)


def _outputs(scored: Sequence[tuple[Corpus, Groups, list[Any]]]) -> list[Output]:
    from meteorlib.analysis.significance import Output  # noqa: PLC0415 – loads numpy
    from meteorlib.arrays import SegmentArrays  # noqa: PLC0415 – loads numpy

    return [Output(corpus, SegmentArrays.joined(kept)) for corpus, _, kept in scored]


def _counts_and_score(
    line: Render[str] | None, number: int, scored: ScoreBreakdown
) -> tuple[tuple[int, ...], float, str]:
    return scored.statistics.counts(), scored.score, "" if line is None else line(number, scored)


def _whole_segment(number: int, scored: ScoreBreakdown) -> ScoreBreakdown:  # noqa: ARG001 – all segments alike
    return scored


def _line_file() -> IO[str]:
    """A buffer for the lines of segments, which are printed after all of them are scored."""
    from tempfile import SpooledTemporaryFile  # noqa: PLC0415 – slow to load

    return SpooledTemporaryFile(IN_MEMORY, "w+", encoding="utf-8", newline="")
