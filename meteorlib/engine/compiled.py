"""CompiledEngine: the compiled kernel behind the interface of an `Engine`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.segment import Pair
from meteorlib.core.totals import SCORE_BITS, Totals
from meteorlib.engine.engine import Engine, Identity
from meteorlib.engine.implementation import LeftToPython
from meteorlib.engine.python import PythonEngine
from meteorlib.errors import blame_in

if TYPE_CHECKING:
    from meteorlib.engine.kernel import kernel as compiled_kernel

BATCH_SIZE = 100
"""Segments of a batch: enough that threads seldom wait for each other."""


class CompiledEngine(Engine["compiled_kernel.CompiledSegment"]):
    """The compiled form of `PythonEngine`, for the presets that the kernel supports."""

    def __init__(
        self, identity: Identity, kernel: compiled_kernel.Kernel, make_python: Callable[[], PythonEngine]
    ) -> None:
        super().__init__(identity)
        self._kernel = kernel
        self._make_python = make_python
        # the kernel takes the one reference that counts, and sums up scores of 0..1
        self._mean = identity.config.reduce == "mean"
        self._sees_segments = kernel.sees_segments
        # words in context are encoded and compared in Python, which holds the GIL
        self.threads_help: bool = not self._mean and self.parameters.ranged and not self._sees_segments

    @cached_property
    def _python(self) -> PythonEngine:
        """The engine of the batches with a segment that the kernel leaves."""
        return self._make_python()

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
        try:
            return self._breakdown(self._kernel.align(reference, hypothesis, index))
        except LeftToPython:
            analyze = self._python.analyze
            return self._python.align(analyze(reference.words), analyze(hypothesis.words), index)

    def scores(
        self, references: list[compiled_kernel.CompiledSegment], hypotheses: list[compiled_kernel.CompiledSegment]
    ) -> list[list[float]]:
        """See `Engine.scores`."""
        try:
            return self._kernel.scores(references, hypotheses)
        except LeftToPython:
            sides = [[self._python.analyze(side.words) for side in given] for given in (references, hypotheses)]
            return self._python.scores(*sides)

    def score(self, pair: Pair) -> ScoreBreakdown:
        """See `Engine.score`."""
        if self._mean:
            return super().score(pair)
        texts, error = self._kernel.next_pairs(iter((pair,)), 1, self.check, 0)
        if error is not None:
            raise error
        if self.unseen:
            self.look([pair])
        if self._sees_segments:
            self.prepare((*pair.references, pair.hypothesis))
        try:
            return self._breakdown(self._kernel.results(texts, self.references, 0)[0])
        except LeftToPython:
            return self._python.score(pair)

    def breakdowns(self, pairs: Iterable[Pair]) -> Iterator[ScoreBreakdown]:
        """See `Engine.breakdowns`."""
        if self._sees_segments:
            pairs = self.prepared(pairs)
        if self._mean:
            yield from super().breakdowns(pairs)
            return
        for first, texts in self._batches(pairs):
            scored: list[ScoreBreakdown] = []
            try:
                scored += map(self._breakdown, self._kernel.results(texts, self.references, first))
            except LeftToPython:
                self._totals_in_python(texts, first, scored)
            yield from scored

    def totals(
        self,
        pairs: Iterable[Pair],
        segments: list[ScoreBreakdown] | None = None,
        scores: list[float] | None = None,
    ) -> Totals:
        """See `Engine.totals`."""
        if not self.threads_help:
            return super().totals(pairs, segments, scores)
        sums, left = self._kernel.sums(), self.zero
        for first, texts in self._batches(pairs):
            try:
                if segments is None:
                    sums.add(texts, self.references, first, scores)
                else:
                    results = self._kernel.results(texts, self.references, first)
                    sums.add_results(results)
                    segments += map(self._breakdown, results)
            except LeftToPython:
                left += self._totals_in_python(texts, first, segments, scores)
        return left + Totals(
            sums.statistics(),
            sums.segments,
            sums.empty_hypotheses,
            sums.empty_references,
            sums.inexact,
            sums.exact_sum(SCORE_BITS),
        )

    def _totals_in_python(
        self,
        texts: Sequence[compiled_kernel.Texts],
        place: int,
        segments: list[ScoreBreakdown] | None,
        scores: list[float] | None = None,
    ) -> Totals:
        """Sums of a batch with a segment that the kernel leaves; `place` is that of its first segment."""
        with blame_in(lambda index: place + index):
            return self._python.totals([Pair(*sides) for sides in texts], segments, scores)

    def _batches(self, pairs: Iterable[Pair]) -> Iterator[tuple[int, list[compiled_kernel.Texts]]]:
        """Some segments at a time, and the place of the first of them, from 0."""
        remaining = iter(pairs)
        for first in count(0, BATCH_SIZE):
            texts, error = self._kernel.next_pairs(remaining, BATCH_SIZE, self.check, first)
            if texts:
                if self.unseen:
                    self.look(texts)
                yield first, texts
            if error is not None:
                raise error
            if not texts:
                return

    def _breakdown(self, result: compiled_kernel.SegmentResult) -> ScoreBreakdown:
        return ScoreBreakdown.from_result(result, self.parameters, self._origin)
