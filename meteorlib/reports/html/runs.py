"""Runs of systems that are scored for a report, with their texts as they were written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Self

from attrs import evolve, frozen

from meteorlib.analysis.contrast.aligned import Aligned, Collected
from meteorlib.analysis.results import SystemComparison
from meteorlib.analysis.significance import Output
from meteorlib.core.breakdown import ScoreBreakdown, WordNumbers
from meteorlib.corpus.batch import Batch, Labels, Texts
from meteorlib.corpus.parallel import score_stream
from meteorlib.reports.html.data import Progress, Written
from meteorlib.reports.html.page import PageOptions, median_index, report_pieces
from meteorlib.scorer import Scorer

Run = tuple[Aligned, Sequence[str]]
"""The segments of a run, and their hypotheses."""


@frozen(eq=False)
class Runs:
    """The scored runs of systems by name.

    ``texts`` has the references of each segment: those of the first system's first run stand for all; their number per
    segment, ``references``, is None if it varies; ``groups`` has the labels of the segments by what they are.
    """

    scorer: Scorer
    runs: Mapping[str, Sequence[Run]]
    texts: Sequence[Sequence[str]]
    references: int | None
    groups: Mapping[str, Sequence[str]]

    @classmethod
    def score(
        cls,
        scorer: Scorer,
        systems: Mapping[str, Sequence[Texts]],
        jobs: int = 1,
        advance: Callable[[int], object] = lambda _: None,
    ) -> Self:
        """Score the runs of systems; `advance` receives the number of segments that were scored."""
        numbers = WordNumbers()
        listed = [one for runs in systems.values() for one in runs]
        references: list[Sequence[str]] = []
        labels: list[Labels] = []

        def scored(run: Texts) -> Run:
            corpus = scorer.corpus(keep_segments=False)
            collected, hypotheses = Collected(corpus, numbers), list[str]()

            def seen(batches: Iterable[Batch]) -> Iterator[Batch]:
                for batch in batches:
                    pairs = [*batch]
                    hypotheses.extend([pair.hypothesis for pair in pairs])
                    if run is listed[0]:
                        references.extend([pair.references for pair in pairs])
                        labels.extend(batch.labels)
                    yield batch

            for batch in score_stream(scorer, seen(run.batches()), jobs, _whole_segment):
                collected.extend(batch.rendered)
                corpus.add_totals(batch.totals)
                advance(len(batch.rendered))
            return collected.aligned(), hypotheses

        runs = {name: [*map(scored, of_system)] for name, of_system in systems.items()}
        counts = {one.references for one in listed}
        groups = {name: [row[at] for row in labels] for at, name in enumerate(listed[0].labels)}
        return cls(scorer, runs, references, counts.pop() if len(counts) == 1 else None, groups)

    def outputs(self) -> dict[str, list[Output]]:
        """The runs as `compare_systems` takes them."""
        return {name: [Output(run.corpus, run.arrays) for run, _ in listed] for name, listed in self.runs.items()}

    def pieces(
        self,
        comparison: SystemComparison,
        options: PageOptions,
        word_labels: Mapping[str, Sequence[Sequence[str]]],
        gains: int,
        progress: Progress = lambda *_: None,
    ) -> Iterator[str]:
        """The page, piece by piece; options lack references and groups; for `word_labels` and `gains` see `Written`."""
        aligned = {name: [run for run, _ in listed] for name, listed in self.runs.items()}
        shown = [listed[median_index([run.corpus.score().score for run, _ in listed])] for listed in self.runs.values()]
        hypotheses, scores = [texts for _, texts in shown], [run.scores for run, _ in shown]
        written = Written.of(self.scorer, self.texts, hypotheses, scores, gains, word_labels)
        known = evolve(options, references=self.references, groups=self.groups)
        return report_pieces(aligned, comparison, written, known, progress)


def _whole_segment(number: int, scored: ScoreBreakdown) -> ScoreBreakdown:  # noqa: ARG001 – all segments alike
    return scored
