"""The native engine: the extension behind the face of an `Engine`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from meteorlib.config.schema import ScorerConfig
from meteorlib.core.origin import Origin
from meteorlib.core.pair import Pair
from meteorlib.core.statistics import OrderCounts, StageCounts, Statistics
from meteorlib.core.totals import UNIT, Totals
from meteorlib.engine.aligning import Aligned, AligningEngine
from meteorlib.text.validation import check_any, check_pair, check_text

if TYPE_CHECKING:
    from meteorlib.compiled import engine as extension

TOGETHER = 100
"""Segments that are summed up at a time: enough that threads seldom wait for each other."""


class NativeEngine(AligningEngine["extension.CompiledSegment"]):
    """The twin of `PythonEngine`, for the presets that the extension knows."""

    def __init__(self, config: ScorerConfig, origin: Origin, twin: extension.CompiledEngine) -> None:
        super().__init__(config, origin)
        self._twin = twin
        # the extension sums up the one reference that counts, and scores of 0..1
        self.threads_help = config.reduce != "mean" and self.parameters.ranged

    def read(self, line: str) -> extension.CompiledSegment:
        """See `AligningEngine.read`."""
        return self._twin.read(line)

    def analyze(self, words: Sequence[str]) -> extension.CompiledSegment:
        """See `AligningEngine.analyze`."""
        return self._twin.analyze(words)

    def align(self, reference: extension.CompiledSegment, hypothesis: extension.CompiledSegment) -> Aligned:
        """See `AligningEngine.align`."""
        matches, counts, optimal, grades = self._twin.align(reference, hypothesis)
        return Aligned(matches, self._statistics(counts), optimal, grades)

    def scores(self, references: list[extension.CompiledSegment], hypothesis: extension.CompiledSegment) -> list[float]:
        """See `AligningEngine.scores`."""
        return self._twin.scores(references, hypothesis)

    def totals(self, pairs: Iterable[Pair]) -> Totals:
        """See `Engine.totals`."""
        if not self.threads_help:
            return super().totals(pairs)
        sums = self._twin.sums(worst=self.config.reduce == "min")
        checked = self._checked(pairs)
        while together := list(islice(checked, TOGETHER)):
            sums.add(together, self.references)
        return Totals(
            self._statistics(sums.counts()),
            sums.segments,
            sums.empty_hypotheses,
            sums.empty_references,
            sums.inexact,
            sums.exact_sum(UNIT),
        )

    def _checked(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        for pair in pairs:
            check_pair(pair)
            check_any(pair.references)
            check_text(pair.hypothesis, "hypothesis")
            self._check_references(pair.references)
            yield pair

    def _statistics(self, counts: Sequence[int]) -> Statistics:
        """Statistics out of their numbers in the order in which the extension counts them."""
        end = 4 + 4 * len(self.stages)
        stages = tuple([StageCounts(*counts[base : base + 4]) for base in range(4, end, 4)])
        order = OrderCounts(*counts[end + 4 :]) if len(counts) > end + 4 else None
        h, r, fh, fr = counts[:4]
        chunks, penalized, mh, mr = counts[end : end + 4]
        return Statistics(h, r, fh, fr, stages, chunks, penalized, mh, mr, order)
