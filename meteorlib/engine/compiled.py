"""CompiledEngine: the compiled kernel behind the interface of an `Engine`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.pair import Pair
from meteorlib.core.totals import SCORE_BITS, Totals
from meteorlib.engine.engine import Engine, Identity

if TYPE_CHECKING:
    from meteorlib.engine.kernel import kernel as compiled_kernel

BATCH_SIZE = 100
"""Segments of a batch: enough that threads seldom wait for each other."""


class CompiledEngine(Engine["compiled_kernel.CompiledSegment"]):
    """The compiled form of `PythonEngine`, for the presets that the kernel supports."""

    def __init__(self, identity: Identity, kernel: compiled_kernel.Kernel) -> None:
        super().__init__(identity)
        self._kernel = kernel
        # the kernel takes the one reference that counts, and sums up scores of 0..1
        self._mean = identity.config.reduce == "mean"
        self._sees_segments = kernel.sees_segments
        self.threads_help: bool = not self._mean and self.parameters.ranged and not self._sees_segments

    def prepare(self, texts: Iterable[str]) -> None:
        """See `Engine.prepare`."""
        if self._sees_segments:
            self._kernel.prepare([line for line in dict.fromkeys(texts) if line not in self.references])

    def read(self, line: str) -> compiled_kernel.CompiledSegment:
        """See `Engine.read`."""
        return self._kernel.read(line)

    def analyze(self, words: Sequence[str]) -> compiled_kernel.CompiledSegment:
        """See `Engine.analyze`."""
        return self._kernel.analyze(words)

    def align(
        self, reference: compiled_kernel.CompiledSegment, hypothesis: compiled_kernel.CompiledSegment, index: int = 0
    ) -> ScoreBreakdown:
        """See `Engine.align`."""
        return self._breakdown(self._kernel.align(reference, hypothesis, index))

    def scores(
        self, references: list[compiled_kernel.CompiledSegment], hypotheses: list[compiled_kernel.CompiledSegment]
    ) -> list[list[float]]:
        """See `Engine.scores`."""
        return self._kernel.scores(references, hypotheses)

    def score(self, pair: Pair) -> ScoreBreakdown:
        """See `Engine.score`."""
        if self._mean:
            return super().score(pair)
        texts, error = self._kernel.next_pairs(iter((pair,)), 1, self.check, 0)
        if error is not None:
            raise error
        self.prepare((*pair.references, pair.hypothesis))
        return self._breakdown(self._kernel.results(texts, self.references, 0)[0])

    def breakdowns(self, pairs: Iterable[Pair]) -> Iterator[ScoreBreakdown]:
        """See `Engine.breakdowns`."""
        if self._sees_segments:
            pairs = self.prepared(pairs)
        if self._mean:
            yield from super().breakdowns(pairs)
            return
        for place, texts in self._batches(pairs):
            yield from map(self._breakdown, self._kernel.results(texts, self.references, place))

    def totals(self, pairs: Iterable[Pair], segments: list[ScoreBreakdown] | None = None) -> Totals:
        """See `Engine.totals`."""
        if not self.threads_help:
            return super().totals(pairs, segments)
        sums = self._kernel.sums()
        for place, texts in self._batches(pairs):
            if segments is None:
                sums.add(texts, self.references, place)
            else:
                found = self._kernel.results(texts, self.references, place)
                sums.add_results(found)
                segments += map(self._breakdown, found)
        return Totals(
            sums.statistics(),
            sums.segments,
            sums.empty_hypotheses,
            sums.empty_references,
            sums.inexact,
            sums.exact_sum(SCORE_BITS),
        )

    def _batches(self, pairs: Iterable[Pair]) -> Iterator[tuple[int, list[compiled_kernel.Texts]]]:
        """Some segments at a time, and the place of the first of them, from 0."""
        remaining = iter(pairs)
        for place in count(0, BATCH_SIZE):
            texts, error = self._kernel.next_pairs(remaining, BATCH_SIZE, self.check, place)
            if texts:
                yield place, texts
            if error is not None:
                raise error
            if not texts:
                return

    def _breakdown(self, found: compiled_kernel.SegmentResult) -> ScoreBreakdown:
        return ScoreBreakdown.from_result(found, self.parameters, self._origin)
