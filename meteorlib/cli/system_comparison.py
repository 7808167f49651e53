"""Scores and comparison of several systems, or of several runs of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from attrs import frozen

from meteorlib.cli.progress import Bar, progress, progress_of
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.rows import digits
from meteorlib.corpus.groups import Groups
from meteorlib.corpus.parallel import score_stream
from meteorlib.inputs.system import Inputs
from meteorlib.inputs.systems import Systems, baseline_of
from meteorlib.reports.groups import Group, groups_of, mean_groups
from meteorlib.reports.summary import full_signature
from meteorlib.scorer import Scorer

if TYPE_CHECKING:
    from meteorlib.analysis.significance import Output, SystemComparison
    from meteorlib.analysis.significance.other_metrics import ScoredMetric

FORMATS = ("text", "json", "tsv", "markdown", "latex")


@frozen
class ComparisonSettings:
    """Settings of a comparison; None for options that were not given.

    Attributes:
        baseline: the system to compare the others with, by its name or its file.
        paired: the test; ``none`` for none.
        n: number of samples.
        seed: random seed.
        confidence: confidence level of the intervals.
        mean: whether to compare mean segment scores.
    """

    baseline: str | None
    paired: Literal["bootstrap", "randomization", "none"] | None
    n: int | None
    seed: int | None
    confidence: float | None
    mean: bool

    @property
    def any_given(self) -> bool:
        """Whether any option was given."""
        given = (self.baseline, self.paired, self.n, self.seed, self.confidence)
        return self.mean or any(one is not None for one in given)

    def arguments(self) -> dict[str, Any]:
        """The options as arguments of `compare_systems`."""
        given = {"samples": self.n, "seed": self.seed, "confidence": self.confidence, "test": self.paired}
        arguments: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        if self.paired == "none":
            arguments["test"] = None
        return arguments | ({"compared": "mean"} if self.mean else {})


def limit_threads(jobs: int) -> None:
    """Let numpy use as many threads as there are jobs; call it before numpy is loaded.

    Waiting threads of OpenBLAS spin, which on a busy machine slows all the others down.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", str(jobs))


def score_systems(
    scorer: Scorer, systems: Systems, settings: ComparisonSettings, *, jobs: int
) -> tuple[SystemComparison, dict[str, list[Output]], dict[str, Sequence[Group]]]:
    """Score every run of every system, and compare them.

    Returns:
        The comparison, the scored runs of each system, and its groups, if there are any.

    Raises:
        UnknownName: there is no such baseline.
    """
    baseline = baseline_of(settings.baseline, systems)
    limit_threads(jobs)
    from meteorlib.analysis.significance import compare_systems  # noqa: PLC0415 – loads numpy, which one system does not need

    with progress("scoring", sum(one.count for listed in systems.values() for one in listed)) as bar:
        scored = {name: [_score_output(scorer, one, jobs, bar) for one in listed] for name, listed in systems.items()}
    outputs = {name: [output for output, _ in listed] for name, listed in scored.items()}
    groups = {name: [each for _, each in listed] for name, listed in scored.items()}
    with progress_of("resampling") as bar_of:
        comparison = compare_systems(outputs, baseline=baseline, progress=bar_of, **settings.arguments())
    means = {name: mean_groups(listed) for name, listed in groups.items() if listed[0]}
    return comparison, outputs, means


def _score_output(scorer: Scorer, inputs: Inputs, jobs: int, bar: Bar) -> tuple[Output, Sequence[Group]]:
    from meteorlib.analysis.significance import Output  # noqa: PLC0415 – slow import
    from meteorlib.arrays import SegmentArrays  # noqa: PLC0415 – loads numpy

    corpus, groups = scorer.corpus(keep_segments=False), Groups(inputs.labels)
    parts = []
    for batch in score_stream(scorer, inputs.batches(), jobs, _counts_and_score):
        corpus.add_totals(batch.totals)
        groups.add(batch.groups)
        parts.append(SegmentArrays.made(batch.rendered))
        bar(batch.totals.segment_count)
    return Output(corpus, SegmentArrays.joined(parts)), groups_of(groups, scorer)


def _counts_and_score(number: int, scored: ScoreBreakdown) -> tuple[tuple[int, ...], float]:  # noqa: ARG001 – all segments alike
    return scored.statistics.counts(), scored.score


def systems_text(
    comparison: SystemComparison,
    outputs: Mapping[str, Sequence[Output]],
    groups: Mapping[str, Sequence[Group]],
    form: str,
    *,
    references: int | None,
    width: int,
    segments: bool,
    ids: Sequence[str],
    score_only: bool,
    percent: bool,
    columns: Sequence[str],
    metrics: Sequence[ScoredMetric],
    labels: Mapping[str, Sequence[str]],
) -> str:
    """A comparison in one of `FORMATS`; with `score_only`, only the scores, one per line."""
    from meteorlib.analysis.significance.other_metrics import compare_metric, group_scores  # noqa: PLC0415 – loads numpy
    from meteorlib.analysis.significance.outputs import segment_scores  # noqa: PLC0415 – slow import
    from meteorlib.reports.systems.table import Systems  # noqa: PLC0415 – comes with numpy

    if score_only:
        return "".join(f"{digits((100 if percent else 1) * system.score, width)}\n" for system in comparison.systems)
    scores = {name: segment_scores(listed).tolist() for name, listed in outputs.items()} if segments else None
    report = getattr(import_module(f"meteorlib.reports.systems.{form}"), form)
    signature = full_signature(comparison.signature, references)
    compared = [compare_metric(metric, comparison) for metric in metrics]
    of_groups = {(by, one.name): group_scores(one, each) for by, each in labels.items() for one in metrics}
    shown = Systems(comparison, signature, width, scores, groups, ids, percent, columns, compared, of_groups)
    text: str = report(shown)
    return text
