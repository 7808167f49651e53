"""The Python engine: the matchers and the search of a preset put together. It is the one that decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from meteorlib.caches import Memo
from meteorlib.config.schema import ScorerConfig
from meteorlib.core.alignment import Match
from meteorlib.core.breakdown import breakdown
from meteorlib.core.origin import Origin
from meteorlib.core.segment import Segment
from meteorlib.core.statistics import Statistics
from meteorlib.engine.aligning import Aligned, AligningEngine
from meteorlib.interruption import look_up
from meteorlib.matchers.matcher import Matcher, propose
from meteorlib.search.search import Search


class Text(Protocol):
    """A text mode. It may have a method ``token``, too; see `meteorlib.text.token`."""

    def words(self, line: str) -> Sequence[str]:
        """The words of a line of raw text."""


_new = tuple.__new__  # quicker than Match._make


class PythonEngine(AligningEngine[Segment]):
    """The readable reference.

    Attributes:
        text: the text mode.
        matchers: one for each stage.
        search: finds the alignment.
        gains: for each stage, what a word is worth in the search.
        is_function: word → whether it is a function word.
    """

    def __init__(
        self,
        config: ScorerConfig,
        origin: Origin,
        text: Text,
        matchers: Sequence[Matcher],
        search: Search,
        is_function: Callable[[str], bool],
    ) -> None:
        super().__init__(config, origin)
        self.text = text
        self.matchers = tuple(matchers)
        self.search = search
        self.gains = tuple(getattr(matcher, getattr(search, "worth", "gain")) for matcher in matchers)
        self.is_function = Memo(is_function)

    def read(self, line: str) -> Segment:
        """See `AligningEngine.read`."""
        return self.analyze(self.text.words(line))

    def analyze(self, words: Sequence[str]) -> Segment:
        """See `AligningEngine.analyze`."""
        positions: dict[str, list[int]] = {}
        for position, word in enumerate(words):
            if word in positions:
                positions[word].append(position)
            else:
                positions[word] = [position]
        is_function = self.is_function
        sizes = (1,) * len(words)
        if self.config.count == "characters":
            sizes = tuple(len(word.encode("utf-16-le")) // 2 for word in words)
        return Segment(
            tuple(words),
            [is_function[word] for word in words],
            sizes,
            positions,
            [matcher.analyze(words, positions) for matcher in self.matchers],
        )

    def align(self, reference: Segment, hypothesis: Segment) -> Aligned:
        """See `AligningEngine.align`."""
        look_up()
        candidates = propose(self.matchers, reference, hypothesis)
        found, optimal = self.search(candidates, len(hypothesis.words), self.gains)
        statistics = Statistics.of(reference, hypothesis, found, len(self.matchers), self.config.formula)
        return Aligned(tuple([_new(Match, match) for match in found]), statistics, optimal)

    def scores(self, references: list[Segment], hypothesis: Segment) -> list[float]:
        """See `AligningEngine.scores`."""
        return [
            breakdown(self.align(reference, hypothesis).statistics, self.parameters).score for reference in references
        ]
