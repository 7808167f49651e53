"""Scored outputs of systems as arrays of segment statistics."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Self

import numpy as np
from attrs import frozen

from meteorlib.analysis.results import Run
from meteorlib.arrays import Numbers, SegmentArrays
from meteorlib.corpus.corpus import Corpus


@frozen(eq=False)
class Output:
    """Scored output of a system.

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


def segment_scores(runs: Sequence[Output]) -> Numbers:
    """Score of each segment, averaged over the runs."""
    means: Numbers = np.mean([run.arrays.scores for run in runs], axis=0)
    return means
