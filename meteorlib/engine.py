"""The engine of a Scorer: words → matches and statistics, in Python or compiled.

`PythonEngine` is the reference, put together from the matchers and the search of a preset. Where the package was built
with its extension, the presets of METEOR 1.5 and of NLTK run on its twin, `CompiledEngine`, which gives the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Protocol

from attrs import Factory, field, frozen

from meteorlib.config.schema import ScorerConfig
from meteorlib.core.alignment import Match
from meteorlib.core.breakdown import breakdown
from meteorlib.core.parameters import Parameters
from meteorlib.core.segment import Segment
from meteorlib.core.statistics import StageCounts, Statistics
from meteorlib.corpus.totals import UNIT, Totals
from meteorlib.matchers.cache import WordCache
from meteorlib.matchers.matcher import Matcher, propose
from meteorlib.registry import MATCHERS, TEXTS
from meteorlib.resources.compiled import compiled_engine
from meteorlib.resources.opening import open_resource
from meteorlib.resources.words import nonbreaking_prefixes
from meteorlib.search.search import Search


class Text(Protocol):
    """A text mode. It may have a method ``chunk``, too; see `meteorlib.text.chunk`."""

    def words(self, line: str) -> Sequence[str]:
        """The words of a line of raw text."""


class Sums(Protocol):
    """Sums over segments, without anything of the segments themselves."""

    def read(self, line: str) -> Any:
        """Begin to analyse a reference; `add` does the rest, and only then may another thread see it."""

    def add(self, segments: list[tuple[list[Any], str]]) -> None:
        """Add a few segments (a thousand at most): of each its references, and the text of its hypothesis.

        `ScorerConfig.reduce` says which reference counts.
        """

    def totals(self) -> Totals:
        """What was added."""


class Engine(Protocol):
    """Reads and analyses text, aligns what it has analysed."""

    def read(self, line: str) -> Any:
        """What is known of the words of a line of raw text; it has an attribute ``words``."""

    def analyse(self, words: Sequence[str]) -> Any:
        """The same for given words."""

    def align(self, reference: Any, hypothesis: Any) -> tuple[tuple[Match, ...], Statistics, bool]:
        """The matches in reference order, their statistics, and whether the search proved them the best."""

    def scores(self, references: list[Any], hypothesis: Any) -> list[float]:
        """The score alone, against each reference."""

    def sums(self) -> Sums | None:
        """Sums to add segments to; None where there is no faster way than one segment after the other."""


def make_engine(config: ScorerConfig, function_words: frozenset[str]) -> Engine:
    """The fastest engine there is for a configuration."""
    opened = [(stage.matcher, open_resource(stage.matcher, stage.resource)) for stage in config.stages]
    matchers = tuple(MATCHERS.get(name)(*resource) for name, resource in opened)
    text = make_text(config)

    def is_function(word: str) -> bool:
        return word.lower() in function_words

    compiled = compiled_engine()
    if compiled is not None and _has_twin(config):
        twin = compiled(
            text,
            [(name, resource[0] if resource else None) for name, resource in opened],
            [matcher.gain for matcher in matchers],
            config.search.name,
            getattr(config.search.settings, "width", 0),
            is_function,
            config.count == "characters",
            config.formula_parameters(),
        )
        return _Compiled(twin, config.reduce)
    return PythonEngine(config, text, matchers, config.search.settings, WordCache(is_function))


def make_text(config: ScorerConfig) -> Text:
    """The text mode of a configuration."""
    normalizes = config.text in ("norm", "norm_nopunct")
    prefixes = nonbreaking_prefixes(config.language) if normalizes else (frozenset[str](), frozenset[str]())
    text: Text = TEXTS.get(config.text)(config.language, prefixes)
    return text


_TWINS = {"beam": {"exact", "stem", "synonym"}, "greedy": {"exact", "stem", "lemma"}}


def _has_twin(config: ScorerConfig) -> bool:
    """Whether the extension knows the search and the stages: once each, paraphrases last and only for the beam."""
    words = [stage.matcher for stage in config.stages]
    if words[-1] == "paraphrase" and config.search.name == "beam":
        words.pop()
    return len(set(words)) == len(words) and set(words) <= _TWINS.get(config.search.name, set())


_new = tuple.__new__  # quicker than Match._make


@frozen(eq=False)
class PythonEngine:
    """The readable reference.

    Attributes:
        config: the configuration.
        text: the text mode.
        matchers: one for each stage.
        search: finds the alignment.
        is_function: word → whether it is a function word.
    """

    config: ScorerConfig
    text: Text
    matchers: tuple[Matcher, ...]
    search: Search
    is_function: WordCache[bool]
    _gains: tuple[float, ...] = field(init=False)
    _parameters: Parameters = field(init=False)

    @_parameters.default
    def _of_config(self) -> Parameters:
        return self.config.formula_parameters()

    @_gains.default
    def _of_matchers(self) -> tuple[float, ...]:
        return tuple(matcher.gain for matcher in self.matchers)

    def read(self, line: str) -> Segment:
        """See `Engine.read`."""
        return self.analyse(self.text.words(line))

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
        return tuple([_new(Match, match) for match in found]), statistics, optimal

    def scores(self, references: list[Segment], hypothesis: Segment) -> list[float]:
        """See `Engine.scores`."""
        return [breakdown(self.align(reference, hypothesis)[1], self._parameters).score for reference in references]

    def sums(self) -> None:
        """See `Engine.sums`."""


def _of_twin(name: str) -> Any:
    """A method that is the twin's own."""
    return Factory(attrgetter(f"twin.{name}"), takes_self=True)


@frozen(eq=False)
class _Compiled:
    """The extension behind the face of an engine."""

    twin: Any
    reduce: str
    read: Callable[[str], Any] = field(init=False, default=_of_twin("read"))
    analyse: Callable[[Sequence[str]], Any] = field(init=False, default=_of_twin("analyse"))
    scores: Callable[[list[Any], Any], list[float]] = field(init=False, default=_of_twin("scores"))

    def align(self, reference: Any, hypothesis: Any) -> tuple[tuple[Match, ...], Statistics, bool]:
        """See `Engine.align`."""
        matches, counts = self.twin.align(reference, hypothesis)
        return matches, _statistics(counts), True

    def sums(self) -> Sums | None:
        """See `Engine.sums`."""
        return None if self.reduce == "mean" else _CompiledSums(self.twin.sums(self.reduce == "min"))


@frozen(eq=False)
class _CompiledSums:
    twin: Any
    read: Callable[[str], Any] = field(init=False, default=_of_twin("read"))
    add: Callable[[list[tuple[list[Any], str]]], None] = field(init=False, default=_of_twin("add"))

    def totals(self) -> Totals:
        """See `Sums.totals`."""
        twin = self.twin
        return Totals(
            _statistics(twin.counts()),
            twin.segments,
            twin.empty_hypotheses,
            twin.empty_references,
            0,
            twin.exact_sum(UNIT),
        )


def _statistics(counts: Sequence[int]) -> Statistics:
    """Statistics out of their numbers as the extension counts them."""
    stages = tuple([StageCounts(*counts[base : base + 4]) for base in range(4, len(counts) - 4, 4)])
    return Statistics(
        counts[0], counts[1], counts[2], counts[3], stages, counts[-4], counts[-3], counts[-2], counts[-1]
    )
