"""Outputs of systems scored by a metric: additive columns of their segments, and the score of sums of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Protocol, Self

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.analysis.results import METEOR, Compared, Group, Run
from meteorlib.arrays import Numbers, SegmentArrays, breakdowns
from meteorlib.core.parameters import Parameters
from meteorlib.corpus.corpus import Corpus

_EXACT_IN_FLOAT32 = 1 << 24  # single precision represents all integers up to here


class SumScore(Protocol):
    """Score that is computed from sums over segments."""

    def scores(self, sums: NDArray[Any]) -> Numbers:
        """Score of each row of summed columns."""


@frozen
class CorpusScore:
    """METEOR's corpus score: the formula applied to summed statistics."""

    parameters: Parameters

    def scores(self, sums: NDArray[Any]) -> Numbers:
        """See `SumScore`."""
        return breakdowns(sums, self.parameters).score


@frozen
class MeanScore:
    """Mean of the segment scores, which are the only column."""

    segment_count: int

    def scores(self, sums: NDArray[Any]) -> Numbers:
        """See `SumScore`."""
        means: Numbers = sums[..., 0] / self.segment_count
        return means


@frozen(eq=False)
class Output:
    """Output of a system, scored by METEOR.

    Attributes:
        corpus: summed statistics; it need not keep its segments.
        arrays: statistics and scores of the segments.
    """

    corpus: Corpus
    arrays: SegmentArrays

    @classmethod
    def of(cls, corpus: Corpus) -> Self:
        """Snapshot of the current content of a corpus.

        Raises:
            InputMismatch: the corpus is empty or does not keep its segments.
        """
        corpus = copy(corpus)
        corpus.score()
        return cls(corpus, SegmentArrays.of(corpus))

    def run(self) -> Run:
        """Scores of this output."""
        return Run.of(self.corpus)


@frozen(eq=False)
class MetricOutput:
    """Output of a system, scored by any metric.

    Attributes:
        score: score of the whole test set.
        columns: additive columns, one row per segment; None if only the whole is scored.
        segments: score of each segment; None if only the whole is scored.
        run: METEOR's results; None for another metric.
    """

    score: float
    columns: NDArray[Any] | None = None
    segments: Numbers | None = None
    run: Run | None = None


@frozen(eq=False)
class ScoredMetric:
    """A metric with its scores of every run of every system.

    Attributes:
        name: name of the metric.
        signature: signature of the metric; empty if unknown.
        measure: computes the score of a test set from summed columns.
        outputs: runs of each system by name.
        lower_is_better: whether the metric counts errors.
        percent: whether scores range up to 100.
        note: what users should know of the scores; empty if nothing.
    """

    name: str
    signature: str
    measure: SumScore
    outputs: Mapping[str, Sequence[MetricOutput]]
    lower_is_better: bool = False
    percent: bool = False
    note: str = ""

    @classmethod
    def meteor(cls, outputs: Mapping[str, Sequence[Output]], compared: Compared) -> Self:
        """METEOR, by its corpus score or its mean segment score."""
        corpus = next(iter(outputs.values()))[0].corpus
        measure = CorpusScore(corpus.parameters) if compared == "corpus" else MeanScore(len(corpus))
        found = {name: [_meteor_output(output, compared) for output in runs] for name, runs in outputs.items()}
        return cls(METEOR, str(corpus.signature), measure, found)

    def groups(self, system: str, labels: Mapping[str, Sequence[str]]) -> tuple[Group, ...]:
        """Score groups of segments from summed columns, averaged over the runs; none if only whole sets are scored."""
        columns = [output.columns for output in self.outputs[system] if output.columns is not None]
        groups: list[Group] = []
        for by, listed in labels.items() if columns else ():
            index = {label: place for place, label in enumerate(dict.fromkeys(listed))}
            places = np.array([index[label] for label in listed])
            runs = []
            for table in columns:
                sums = np.zeros((len(index), table.shape[1]), table.dtype)
                np.add.at(sums, places, table)
                runs.append(self.measure.scores(sums))
            scores, counts = np.mean(runs, axis=0).tolist(), np.bincount(places).tolist()
            groups += [Group(by, label, counts[place], scores[place]) for label, place in index.items()]
        return tuple(groups)


def meteor_columns(arrays: SegmentArrays, compared: Compared) -> NDArray[Any]:
    """METEOR's additive columns: counts, in single precision if every sum of them is exact in it, or segment scores."""
    counts = arrays.counts
    if compared == "mean":
        return arrays.scores[:, np.newaxis]
    exact = len(counts) * int(counts.max(initial=0)) < _EXACT_IN_FLOAT32
    return counts.astype(np.float32) if exact else counts


def _meteor_output(output: Output, compared: Compared) -> MetricOutput:
    run, arrays = output.run(), output.arrays
    score = run.scored.score if compared == "corpus" else run.mean_segment_score
    return MetricOutput(score, meteor_columns(arrays, compared), arrays.scores, run)
