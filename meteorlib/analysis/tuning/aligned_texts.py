"""Statistics of all texts under one preset, one per reference, ready to be rescored."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from attrs import frozen

from meteorlib.analysis.meta_evaluation.correlations import Indices
from meteorlib.analysis.meta_evaluation.judgments import Judgments
from meteorlib.analysis.meta_evaluation.metrics import statistics_of
from meteorlib.arrays import Counts, Numbers, rescored
from meteorlib.config.schema import Reduce
from meteorlib.core.parameters import Parameters
from meteorlib.core.segment import Pair
from meteorlib.scorer import Scorer


@frozen(eq=False)
class AlignedTexts:
    """Statistics of aligned texts.

    The parameters determine which of several references is used, so each reference has its own statistics.

    Attributes:
        scorer: scorer that aligned the texts.
        counts: distinct statistics, one row each.
        row: row of each reference of each text.
        start: index in `row` of the first reference of each text.
        jobs: number of threads for rescoring.
    """

    scorer: Scorer
    counts: Counts
    row: Indices
    start: Indices
    jobs: int = 1

    @classmethod
    def of(
        cls, scorer: Scorer, judgments: Sequence[Judgments], jobs: int = 1, progress: Callable[[int], object] = id
    ) -> AlignedTexts:
        """Align the texts of all language pairs in `jobs` processes, or read their cached statistics."""
        parts, sizes = [], []
        for one in judgments:
            pairs = [Pair((reference,), text.texts.hypothesis) for text in one.texts for reference in text.texts[0]]
            sizes += [len(text.texts.references) for text in one.texts]
            parts.append(statistics_of(scorer, pairs, jobs=jobs, progress=progress).counts)
        counts, row = np.unique(np.concatenate(parts), axis=0, return_inverse=True)
        start = np.cumsum([0, *sizes[:-1]])
        return cls(scorer, counts, row.reshape(-1), start, jobs)

    def scores(self, settings: Sequence[Parameters]) -> Numbers:
        """Score of every text under each setting: settings × texts."""
        found = rescored(self.counts, settings, jobs=self.jobs)
        if len(self.start) == len(self.row):
            of_texts: Numbers = found[:, self.row]
            return of_texts
        return _reduced_scores(found[:, self.row], self.start, self.scorer.config.reduce)


def _reduced_scores(scores: Numbers, start: Indices, how: Reduce) -> Numbers:
    if how == "mean":
        sizes = np.diff(start, append=scores.shape[1])
        found: Numbers = np.add.reduceat(scores, start, axis=1) / sizes
        return found
    best: Numbers = (np.maximum if how == "max" else np.minimum).reduceat(scores, start, axis=1)
    return best
