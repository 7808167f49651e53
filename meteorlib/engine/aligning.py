"""AligningEngine: what both engines do alike, once they can analyze and align."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from attrs import evolve

from meteorlib import caches
from meteorlib.caches import Memo
from meteorlib.config.schema import ScorerConfig
from meteorlib.core.alignment import Alignment, Match
from meteorlib.core.breakdown import ScoreBreakdown, breakdown, reduced
from meteorlib.core.origin import Origin
from meteorlib.core.pair import Pair
from meteorlib.core.parameters import Parameters
from meteorlib.core.statistics import Statistics
from meteorlib.core.totals import Totals
from meteorlib.text.validation import check_any, check_pair, check_reference, check_text


class Analyzed(Protocol):
    """One side of a segment and all that is known of its words."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words in order."""


Side = TypeVar("Side", bound=Analyzed)


class Aligned(NamedTuple):
    """What an engine finds for two sides.

    Attributes:
        matches: in reference order.
        statistics: their counts.
        optimal: whether the search proved them the best.
        grades: how much of each match counts; None where all count whole.
    """

    matches: tuple[Match, ...]
    statistics: Statistics
    optimal: bool
    grades: tuple[int, ...] | None = None


class AligningEngine(ABC, Generic[Side]):
    """An `Engine` of text that is analyzed side by side.

    What it hands out and what it keeps is complete, so that threads can share it.

    Attributes:
        config: the configuration.
        origin: what its breakdowns of segments say of the METEOR that made them.
        threads_help: see `Engine`.
        references: the references that are remembered, by their text.
    """

    threads_help: bool = False

    def __init__(self, config: ScorerConfig, origin: Origin) -> None:
        self.config = config
        self.origin = origin
        self._origin_of_sums = evolve(origin, segment=False)
        self.parameters: Parameters = config.formula_parameters()
        self.stages: tuple[str, ...] = tuple(stage.matcher for stage in config.stages)
        self.references: Memo[Side] = Memo(self.read, caches.REFERENCES)

    @abstractmethod
    def read(self, line: str) -> Side:
        """Analyze a line of raw text."""

    @abstractmethod
    def analyze(self, words: Sequence[str]) -> Side:
        """Analyze given words."""

    @abstractmethod
    def align(self, reference: Side, hypothesis: Side) -> Aligned:
        """Align two sides."""

    @abstractmethod
    def scores(self, references: list[Side], hypotheses: list[Side]) -> list[list[float]]:
        """The score alone of each hypothesis, against each reference."""

    def score(self, pair: Pair) -> ScoreBreakdown:
        """See `Engine.score`."""
        return self._score(self._references(pair.references), self._hypothesis(pair.hypothesis))

    def score_tokens(self, references: Sequence[Sequence[str]], hypothesis: Sequence[str]) -> ScoreBreakdown:
        """See `Engine.score_tokens`."""
        return self._score([self.analyze(words) for words in references], self.analyze(hypothesis))

    def rows(self, references: Sequence[str]) -> Callable[[Sequence[str]], list[list[float]]]:
        """See `Engine.rows`."""
        known = self._references(references)
        return lambda hypotheses: self.scores(known, [self._hypothesis(text) for text in hypotheses])

    def breakdown(self, statistics: Statistics, *, optimal: bool = True) -> ScoreBreakdown:
        """See `Engine.breakdown`."""
        return breakdown(statistics, self.parameters, optimal=optimal, origin=self._origin_of_sums)

    def breakdowns(self, pairs: Iterable[Pair]) -> Iterator[ScoreBreakdown]:
        """See `Engine.breakdowns`."""
        for pair in pairs:
            check_pair(pair)
            yield self.score(pair)

    def totals(self, pairs: Iterable[Pair]) -> Totals:
        """See `Engine.totals`."""
        none = Totals(Statistics.zero(len(self.stages), self.config.formula))
        return sum((totals for _, totals in self.summed_breakdowns(pairs)), none)

    def summed_breakdowns(self, pairs: Iterable[Pair]) -> Iterator[tuple[list[ScoreBreakdown], Totals]]:
        """See `Engine.summed_breakdowns`."""
        for scored in self.breakdowns(pairs):
            yield [scored], Totals.of(scored)

    def _hypothesis(self, text: str) -> Side:
        check_text(text, "hypothesis")
        return self.read(text)

    def _references(self, texts: Sequence[str]) -> list[Side]:
        self._check_references(texts)
        return [self.references[text] for text in texts]

    def _check_references(self, texts: Sequence[str]) -> None:
        """Refuse what is no text; what was taken before is not looked at again."""
        for index, text in enumerate(texts):
            if not isinstance(text, str) or text not in self.references:
                check_reference(texts, index)

    def _score(self, references: Sequence[Side], hypothesis: Side) -> ScoreBreakdown:
        check_any(references)
        scored = [self._breakdown(reference, hypothesis, index) for index, reference in enumerate(references)]
        return scored[0] if len(scored) == 1 else reduced(scored, self.config.reduce)

    def _breakdown(self, reference: Side, hypothesis: Side, index: int) -> ScoreBreakdown:
        matches, statistics, optimal, grades = self.align(reference, hypothesis)
        alignment = Alignment(reference.words, hypothesis.words, matches, self.stages, optimal, grades)
        return breakdown(statistics, self.parameters, alignment, index, optimal, self.origin)
