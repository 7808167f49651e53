"""Scores and comparison of several systems, or of several runs of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Literal

from attrs import evolve, frozen

from meteorlib.api import Scoring
from meteorlib.cli.progress import progress, progress_of
from meteorlib.corpus.corpus import Corpus
from meteorlib.inputs import systems as input_systems
from meteorlib.reports.system_table import Results

if TYPE_CHECKING:
    from meteorlib.analysis.significance import Output, SystemComparison


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


def score_and_compare(
    scoring: Scoring, systems: input_systems.Systems, settings: ComparisonSettings | None
) -> tuple[Results, dict[str, list[Corpus]]]:
    """Score every run of every system, and compare them, unless `settings` is None; see `Scoring`.

    Raises:
        UnknownName: there is no such baseline.
    """
    bars = ExitStack()
    compare = None
    if settings is not None:
        baseline = input_systems.baseline_of(settings.baseline, systems)
        limit_threads(scoring.jobs)
        from meteorlib.analysis.significance import compare_systems  # noqa: PLC0415 – loads numpy, which one system does not need

        def compare(outputs: Mapping[str, Sequence[Output]]) -> SystemComparison:
            bars.close()
            with progress_of("resampling") as bar_of:
                return compare_systems(outputs, baseline=baseline, progress=bar_of, **settings.arguments())

    with bars:
        bar = bars.enter_context(progress("scoring", sum(one.count for listed in systems.values() for one in listed)))
        return evolve(scoring, compare=compare, advance=bar).results(systems)
