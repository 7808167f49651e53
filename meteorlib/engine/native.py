"""The native engine: the extension behind the face of an `Engine`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from meteorlib.config.schema import ScorerConfig
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.origin import Origin
from meteorlib.core.pair import Pair
from meteorlib.core.totals import UNIT, Totals
from meteorlib.engine.aligning import Aligned, AligningEngine
from meteorlib.text.validation import check_any, check_pair, check_text

if TYPE_CHECKING:
    from meteorlib.compiled import engine as extension

TOGETHER = 100
"""Segments that are scored at a time: enough that threads seldom wait for each other."""


class NativeEngine(AligningEngine["extension.CompiledSegment"]):
    """The twin of `PythonEngine`, for the presets that the extension knows."""

    def __init__(self, config: ScorerConfig, origin: Origin, twin: extension.CompiledEngine) -> None:
        super().__init__(config, origin)
        self._twin = twin
        # the extension takes the one reference that counts, and sums up scores of 0..1
        self._mean, self._worst = config.reduce == "mean", config.reduce == "min"
        self.threads_help: bool = not self._mean and self.parameters.ranged

    def read(self, line: str) -> extension.CompiledSegment:
        """See `AligningEngine.read`."""
        return self._twin.read(line)

    def analyze(self, words: Sequence[str]) -> extension.CompiledSegment:
        """See `AligningEngine.analyze`."""
        return self._twin.analyze(words)

    def align(self, reference: extension.CompiledSegment, hypothesis: extension.CompiledSegment) -> Aligned:
        """See `AligningEngine.align`."""
        found = self._twin.align(reference, hypothesis, 0)
        return Aligned(found.matches(), found.statistics(), found.optimal, found.grades)

    def scores(
        self, references: list[extension.CompiledSegment], hypotheses: list[extension.CompiledSegment]
    ) -> list[list[float]]:
        """See `AligningEngine.scores`."""
        return self._twin.scores(references, hypotheses)

    def score(self, pair: Pair) -> ScoreBreakdown:
        """See `Engine.score`."""
        if self._mean:
            return super().score(pair)
        return self._unread(next(self._found([pair]))[0])

    def breakdowns(self, pairs: Iterable[Pair]) -> Iterator[ScoreBreakdown]:
        """See `Engine.breakdowns`."""
        if self._mean:
            yield from super().breakdowns(pairs)
            return
        for found in self._found(pairs):
            yield from map(self._unread, found)

    def summed_breakdowns(self, pairs: Iterable[Pair]) -> Iterator[tuple[list[ScoreBreakdown], Totals]]:
        """See `Engine.summed_breakdowns`."""
        if not self.threads_help:
            yield from super().summed_breakdowns(pairs)
            return
        for found in self._found(pairs):
            sums = self._twin.sums(self._worst)
            sums.add_found(found)
            yield list(map(self._unread, found)), _totals(sums)

    def totals(self, pairs: Iterable[Pair]) -> Totals:
        """See `Engine.totals`."""
        if not self.threads_help:
            return super().totals(pairs)
        sums = self._twin.sums(self._worst)
        waiting = iter(pairs)
        while together := self._twin.gather(waiting, TOGETHER, self._check):
            sums.add(together, self.references)
        return _totals(sums)

    def _found(self, pairs: Iterable[Pair]) -> Iterator[list[extension.Evidence]]:
        waiting = iter(pairs)
        while together := self._twin.gather(waiting, TOGETHER, self._check):
            yield self._twin.evidence(together, self.references, self._worst)

    def _breakdown(
        self, reference: extension.CompiledSegment, hypothesis: extension.CompiledSegment, index: int
    ) -> ScoreBreakdown:
        return self._unread(self._twin.align(reference, hypothesis, index))

    def _unread(self, found: extension.Evidence) -> ScoreBreakdown:
        return ScoreBreakdown.unread(found, self.parameters, self.origin)

    def _check(self, pair: Pair) -> None:
        check_pair(pair)
        check_any(pair.references)
        check_text(pair.hypothesis, "hypothesis")
        self._check_references(pair.references)


def _totals(sums: extension.CompiledSums) -> Totals:
    return Totals(
        sums.statistics(),
        sums.segments,
        sums.empty_hypotheses,
        sums.empty_references,
        sums.inexact,
        sums.exact_sum(UNIT),
    )
