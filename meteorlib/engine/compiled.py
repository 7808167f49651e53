"""The native engine: the extension behind the interface of an `Engine`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.pair import Pair
from meteorlib.core.totals import UNIT, Totals
from meteorlib.engine.engine import Engine, Identity

if TYPE_CHECKING:
    from meteorlib.engine.kernel import kernel as extension

TOGETHER = 100
"""Segments that are scored at a time: enough that threads seldom wait for each other."""


class CompiledEngine(Engine["extension.CompiledSegment"]):
    """The twin of `PythonEngine`, for the presets that the extension knows."""

    def __init__(self, identity: Identity, twin: extension.Kernel) -> None:
        super().__init__(identity)
        self._twin = twin
        # the extension takes the one reference that counts, and sums up scores of 0..1
        self._mean = identity.config.reduce == "mean"
        self.threads_help: bool = not self._mean and self.parameters.ranged

    def read(self, line: str) -> extension.CompiledSegment:
        """See `Engine.read`."""
        return self._twin.read(line)

    def analyze(self, words: Sequence[str]) -> extension.CompiledSegment:
        """See `Engine.analyze`."""
        return self._twin.analyze(words)

    def align(
        self, reference: extension.CompiledSegment, hypothesis: extension.CompiledSegment, index: int = 0
    ) -> ScoreBreakdown:
        """See `Engine.align`."""
        return self._unread(self._twin.align(reference, hypothesis, index))

    def scores(
        self, references: list[extension.CompiledSegment], hypotheses: list[extension.CompiledSegment]
    ) -> list[list[float]]:
        """See `Engine.scores`."""
        return self._twin.scores(references, hypotheses)

    def score(self, pair: Pair) -> ScoreBreakdown:
        """See `Engine.score`."""
        if self._mean:
            return super().score(pair)
        texts, error = self._twin.gather(iter((pair,)), 1, self.check, 0)
        if error is not None:
            raise error
        return self._unread(self._twin.evidence(texts, self.references, 0)[0])

    def breakdowns(self, pairs: Iterable[Pair]) -> Iterator[ScoreBreakdown]:
        """See `Engine.breakdowns`."""
        if self._mean:
            yield from super().breakdowns(pairs)
            return
        for place, texts in self._batches(pairs):
            yield from map(self._unread, self._twin.evidence(texts, self.references, place))

    def totals(self, pairs: Iterable[Pair], segments: list[ScoreBreakdown] | None = None) -> Totals:
        """See `Engine.totals`."""
        if not self.threads_help:
            return super().totals(pairs, segments)
        sums = self._twin.sums()
        for place, texts in self._batches(pairs):
            if segments is None:
                sums.add(texts, self.references, place)
            else:
                found = self._twin.evidence(texts, self.references, place)
                sums.add_found(found)
                segments += map(self._unread, found)
        return Totals(
            sums.statistics(),
            sums.segments,
            sums.empty_hypotheses,
            sums.empty_references,
            sums.inexact,
            sums.exact_sum(UNIT),
        )

    def _batches(self, pairs: Iterable[Pair]) -> Iterator[tuple[int, list[extension.Texts]]]:
        """Some segments at a time, and the place of the first of them, from 0."""
        waiting = iter(pairs)
        for place in count(0, TOGETHER):
            texts, error = self._twin.gather(waiting, TOGETHER, self.check, place)
            if texts:
                yield place, texts
            if error is not None:
                raise error
            if not texts:
                return

    def _unread(self, found: extension.Evidence) -> ScoreBreakdown:
        return ScoreBreakdown.unread(found, self.parameters, self._origin)
