"""Statistics of all texts under one preset, one per reference, ready to be rescored."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from attrs import frozen

from meteorlib.analysis.meta_evaluation.judgments import Indices, Judgments
from meteorlib.analysis.meta_evaluation.metrics import statistics_of
from meteorlib.arrays import Counts, Numbers, rescored
from meteorlib.config.schema import Reduce
from meteorlib.core.pair import Pair
from meteorlib.core.parameters import Parameters
from meteorlib.scorer import Scorer


@frozen(eq=False)
class AlignedTexts:
    """Statistics of texts.

    Which of several references counts depends on the parameters; so each has statistics of its own.

    Attributes:
        scorer: made them.
        counts: different statistics, a row for each.
        row: the row of each reference of each text.
        start: the place of each text's first reference in `row`.
        jobs: how many threads rescore.
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
        """Align the texts of all language pairs, with so many processes, or read what is kept of them."""
        parts, sizes = [], []
        for one in judgments:
            pairs = [Pair((reference,), text.texts.hypothesis) for text in one.texts for reference in text.texts[0]]
            sizes += [len(text.texts.references) for text in one.texts]
            parts.append(statistics_of(scorer, pairs, jobs=jobs, progress=progress).counts)
        counts, row = np.unique(np.concatenate(parts), axis=0, return_inverse=True)
        start = np.cumsum([0, *sizes[:-1]])
        return cls(scorer, counts, row.reshape(-1), start, jobs)

    def scores(self, settings: Sequence[Parameters]) -> Numbers:
        """The score of every text: settings × texts."""
        found = rescored(self.counts, settings, jobs=self.jobs)
        if len(self.start) == len(self.row):
            chosen: Numbers = found[:, self.row]
            return chosen
        return _reduced_scores(found[:, self.row], self.start, self.scorer.config.reduce)


def _reduced_scores(scores: Numbers, start: Indices, how: Reduce) -> Numbers:
    if how == "mean":
        sizes = np.diff(start, append=scores.shape[1])
        found: Numbers = np.add.reduceat(scores, start, axis=1) / sizes
        return found
    best: Numbers = (np.maximum if how == "max" else np.minimum).reduceat(scores, start, axis=1)
    return best
