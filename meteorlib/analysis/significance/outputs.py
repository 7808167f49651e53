"""Scored outputs of systems as arrays of segment statistics."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Self

import numpy as np
from attrs import frozen

from meteorlib.analysis.significance.results import Run
from meteorlib.arrays import Numbers, SegmentArrays
from meteorlib.corpus.corpus import Corpus


@frozen(eq=False)
class Output:
    """A scored output.

    Attributes:
        corpus: its sums; whether it keeps its segments does not matter.
        arrays: its segments.
    """

    corpus: Corpus
    arrays: SegmentArrays

    @classmethod
    def of(cls, corpus: Corpus) -> Self:
        """The output that a corpus holds now.

        Raises:
            InputMismatch: the corpus does not keep its segments, or has none.
        """
        corpus = copy(corpus)
        corpus.score()
        return cls(corpus, SegmentArrays.of(corpus))

    def run(self) -> Run:
        """Its scores."""
        corpus = self.corpus
        return Run(corpus.score(), corpus.mean(), corpus.empty_hypotheses, corpus.empty_references)


def segment_scores(runs: Sequence[Output]) -> Numbers:
    """The score of each segment; of several runs their mean."""
    means: Numbers = np.mean([run.arrays.scores for run in runs], axis=0)
    return means
