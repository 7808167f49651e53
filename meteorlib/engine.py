"""The engine of a Scorer: words → matches and statistics, in Python or compiled.

`PythonEngine` is the reference, put together from the matchers and the search of a preset. Where the package was built
with its extension, the presets of METEOR 1.5 run on its twin, `CompiledEngine`, which gives the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from attrs import field, frozen

from meteorlib.config.schema import ScorerConfig
from meteorlib.core.alignment import Found, Match, Proposals
from meteorlib.core.parameters import Formula
from meteorlib.core.segment import Segment
from meteorlib.core.statistics import StageCounts, Statistics
from meteorlib.matchers.cache import WordCache
from meteorlib.matchers.matcher import Matcher, propose
from meteorlib.registry import MATCHERS, SEARCHES
from meteorlib.resources.compiled import compiled_engine
from meteorlib.resources.opening import open_resource

Search = Callable[[Proposals, int, Sequence[float]], Found]


class Engine(Protocol):
    """Analyses words and aligns what it has analysed."""

    def analyse(self, words: Sequence[str]) -> Any:
        """What is known of the words of one side; it has an attribute ``words``."""

    def align(self, reference: Any, hypothesis: Any) -> tuple[tuple[Match, ...], Statistics, bool]:
        """The matches in reference order, their statistics, and whether the search proved them the best."""


def make_engine(config: ScorerConfig, function_words: frozenset[str]) -> Engine:
    """The fastest engine there is for a configuration."""
    opened = [(stage.matcher, open_resource(stage.matcher, stage.resource)) for stage in config.stages]
    matchers = tuple(MATCHERS.get(name)(*resource) for name, resource in opened)
    is_function = WordCache[bool](lambda word: word.lower() in function_words)
    compiled = compiled_engine()
    if compiled is not None and _has_twin(config):
        stages = [(name, resource[0] if resource else None) for name, resource in opened]
        gains = [matcher.gain for matcher in matchers]
        characters = config.count == "characters"
        twin = compiled(stages, gains, config.search.name, config.search.width, is_function.__getitem__, characters)
        return _Compiled(twin, len(stages), config.formula)
    search = SEARCHES.get(config.search.name)(config.search.width, config.search.budget)
    return PythonEngine(config, matchers, search, is_function)


_TWINS = {"beam": {"exact", "stem", "synonym"}, "greedy": {"exact", "stem", "lemma"}}


def _has_twin(config: ScorerConfig) -> bool:
    """Whether the extension knows the search and the stages: once each, paraphrases last and only for the beam."""
    words = [stage.matcher for stage in config.stages]
    if words[-1] == "paraphrase" and config.search.name == "beam":
        words.pop()
    return len(set(words)) == len(words) and set(words) <= _TWINS.get(config.search.name, set())


@frozen(eq=False)
class PythonEngine:
    """The readable reference.

    Attributes:
        config: the configuration.
        matchers: one for each stage.
        search: finds the alignment.
        is_function: word → whether it is a function word.
    """

    config: ScorerConfig
    matchers: tuple[Matcher, ...]
    search: Search
    is_function: WordCache[bool]
    _gains: tuple[float, ...] = field(init=False)

    @_gains.default
    def _of_matchers(self) -> tuple[float, ...]:
        return tuple(matcher.gain for matcher in self.matchers)

    def analyse(self, words: Sequence[str]) -> Segment:
        """See `Engine.analyse`."""
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
            [matcher.analyse(words, positions) for matcher in self.matchers],
        )

    def align(self, reference: Segment, hypothesis: Segment) -> tuple[tuple[Match, ...], Statistics, bool]:
        """See `Engine.align`."""
        proposals = propose(self.matchers, reference, hypothesis)
        found, optimal = self.search(proposals, len(hypothesis.words), self._gains)
        statistics = Statistics.of(reference, hypothesis, found, len(self.matchers), self.config.formula)
        return tuple(map(Match._make, found)), statistics, optimal


@frozen(eq=False)
class _Compiled:
    """The extension behind the face of an engine."""

    twin: Any
    stages: int
    formula: Formula

    def analyse(self, words: Sequence[str]) -> Any:
        """See `Engine.analyse`."""
        return self.twin.analyse(words)

    def align(self, reference: Any, hypothesis: Any) -> tuple[tuple[Match, ...], Statistics, bool]:
        """See `Engine.align`."""
        matches, counts = self.twin.align(reference, hypothesis)
        end = 4 * self.stages
        chunks, hypothesis_matches, reference_matches = counts[end:]
        statistics = Statistics.counted(
            hypothesis.size,
            reference.size,
            hypothesis.function_size,
            reference.function_size,
            tuple([StageCounts(*counts[base : base + 4]) for base in range(0, end, 4)]),
            chunks,
            hypothesis_matches,
            reference_matches,
            self.formula,
        )
        return matches, statistics, True
