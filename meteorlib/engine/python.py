"""PythonEngine: the reference implementation, made of the matchers and the search of a preset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Protocol

from meteorlib.caches import Memo
from meteorlib.cancellation import check_cancel
from meteorlib.core.alignment import Alignment, Candidate, Match
from meteorlib.core.breakdown import ScoreBreakdown, breakdown
from meteorlib.core.faults import first_lettered
from meteorlib.core.formula import penalize
from meteorlib.core.segment import SCALE, Pair, Segment, Trait
from meteorlib.core.statistics import Statistics
from meteorlib.engine.engine import Engine, Identity
from meteorlib.matchers.matcher import Comparison, ContextMatcher, GradedMatcher, Matcher, propose
from meteorlib.parts import SearchPart
from meteorlib.search import Search
from meteorlib.text.case import begins_with_capital, split_case


class Text(Protocol):
    """A text mode."""

    def words(self, line: str) -> Sequence[str]:
        """The words of a line of raw text."""


_new = tuple.__new__  # quicker than Match._make


class PythonEngine(Engine[Segment]):
    """The readable reference.

    ``size`` says how much a word counts, None that each counts 1; ``traits`` are None where nothing depends on them;
    ``gains`` has for each stage the gain of one matched word in the search.
    """

    def __init__(
        self,
        identity: Identity,
        text: Text,
        matchers: Sequence[Matcher],
        search: SearchPart,
        is_function: Callable[[str], bool],
        size: Callable[[str], int] | None,
        traits: Callable[[str, int, bool], Trait] | None = None,
    ) -> None:
        super().__init__(identity)
        config = identity.config
        self._stages = identity.origin.stages
        self.text = text
        self.matchers: tuple[Matcher, ...] = tuple(matchers)
        self.search: Search = config.search.settings
        self.gains: tuple[float, ...] = tuple(getattr(matcher, search.gain) for matcher in matchers)
        self.is_function: Memo[bool] = Memo(is_function)
        self.size: Memo[int] | None = None if size is None else Memo(size)
        self.traits: Memo[Trait] | None = None
        if traits is not None:
            self.traits = Memo(lambda word: traits(word, 1 if size is None else size(word), is_function(word)))
        self._most_pairs = search.most_pairs
        self._graded = config.graded
        self._weighs = search.weighs
        # whole numbers, so that the search compares exact values, in the same way as the kernel
        self._values = [round(stage.weight * SCALE) for stage in config.stages]
        self._factor = SCALE // identity.origin.scale
        self._case = None if config.case is None else round(config.case * SCALE)
        self._split_case = Memo(split_case)
        in_context = [(stage, matcher) for stage, matcher in enumerate(matchers) if isinstance(matcher, ContextMatcher)]
        self._context: tuple[int, ContextMatcher] | None = in_context[0] if in_context else None

    def prepare(self, texts: Iterable[str]) -> None:
        """See `Engine.prepare`."""
        if self._context is not None:
            lines = [line for line in dict.fromkeys(texts) if line not in self.references]
            self._context[1].prepare([self._lowercase(self.text.words(line))[0] for line in lines])

    def breakdowns(self, pairs: Iterable[Pair]) -> Iterator[ScoreBreakdown]:
        """See `Engine.breakdowns`."""
        return super().breakdowns(pairs if self._context is None else self.prepared(pairs))

    def read(self, line: str) -> Segment:
        """See `Engine.read`."""
        return self.analyze(self.text.words(line))

    def analyze(self, words: Sequence[str]) -> Segment:
        """See `Engine.analyze`."""
        written = words
        words, cases = self._lowercase(words)
        positions: dict[str, list[int]] = {}
        for position, word in enumerate(words):
            if word in positions:
                positions[word].append(position)
            else:
                positions[word] = [position]
        is_function = self.is_function
        size = self.size
        sizes = (1,) * len(words) if size is None else tuple([size[word] for word in words])
        traits = () if self.traits is None else [self.traits[word] for word in words]
        return Segment(
            tuple(words),
            [trait.function for trait in traits] if traits else [is_function[word] for word in words],
            sizes,
            positions,
            [matcher.analyze(words, positions) for matcher in self.matchers],
            cases,
            traits,
            None if cases is None else _first_is_capital(written, traits),
        )

    def _lowercase(self, words: Sequence[str]) -> tuple[Sequence[str], Sequence[int] | None]:
        """The words in lowercase and how each is written, where case counts; else the words as they are."""
        if self._case is None:
            return words, None
        read = [self._split_case[word] for word in words]
        return [small for small, _ in read], [case for _, case in read]

    def align(self, reference: Segment, hypothesis: Segment, index: int = 0) -> ScoreBreakdown:
        """See `Engine.align`."""
        matches, statistics, optimal, grades = self._aligned(reference, hypothesis)
        alignment = Alignment(reference.words, hypothesis.words, matches, self._stages, optimal, grades)
        return breakdown(statistics, self.parameters, alignment, index, optimal, self._origin)

    def scores(self, references: list[Segment], hypotheses: list[Segment]) -> list[list[float]]:
        """See `Engine.scores`."""
        return [
            [breakdown(self._aligned(reference, hypothesis)[1], self.parameters).score for reference in references]
            for hypothesis in hypotheses
        ]

    def _aligned(
        self, reference: Segment, hypothesis: Segment
    ) -> tuple[tuple[Match, ...], Statistics, bool, tuple[int, ...] | None]:
        """The matches, their counts, whether the search proved them the best, and how much of each counts."""
        check_cancel()
        comparison = self._compare(reference, hypothesis)
        candidates = propose(self.matchers, reference, hypothesis, comparison, self._most_pairs)
        grade = partial(self._grade, reference, hypothesis, comparison)
        gains: Any = partial(self._value_of, reference, hypothesis, grade) if self._weighs else self.gains
        chosen, optimal = self.search(candidates, len(hypothesis.words), gains)
        grades = [grade(match) for match in chosen] if self._graded else None
        if grades is not None and comparison is not None:
            grades = [graded * comparison.factor // SCALE for graded in grades]
        parameters = self.parameters
        counted = Statistics.of(
            reference,
            hypothesis,
            chosen,
            len(self.matchers),
            grades,
            ordered=parameters.ordered,
            faults=parameters.counts_faults,
        )
        matches = tuple([_new(Match, match) for match in chosen])
        return matches, penalize(counted, parameters), optimal, None if grades is None else tuple(grades)

    def _compare(self, reference: Segment, hypothesis: Segment) -> Comparison | None:
        """The comparison by the stage that sees whole segments; None if there is no such stage."""
        if self._context is None:
            return None
        stage, matcher = self._context
        return matcher.compare(reference.knowledge[stage], hypothesis.knowledge[stage])

    def _value_of(
        self,
        reference: Segment,
        hypothesis: Segment,
        grade_of: Callable[[tuple[int, int, int, int, int]], int],
        place: int,
        candidate: Candidate,
    ) -> int:
        """A candidate's value before costs: the mean size of its words on both sides, times the weight of its stage."""
        length, start, words, stage = candidate
        sizes = (*reference.sizes[place : place + length], *hypothesis.sizes[start : start + words])
        grade = grade_of((place, *candidate)) if self._graded else SCALE
        # rounded down word by word, like the sizes that the statistics count
        counted = sum(sizes) if grade == SCALE else sum(size * grade // SCALE for size in sizes)
        return self._values[stage] * counted * self._factor // (2 * SCALE)

    def _grade(
        self,
        reference: Segment,
        hypothesis: Segment,
        comparison: Comparison | None,
        match: tuple[int, int, int, int, int],
    ) -> int:
        """Grade a match, without `Comparison.factor`."""
        place, _, start, _, stage = match
        matcher, grade = self.matchers[stage], SCALE
        if isinstance(matcher, GradedMatcher):
            grade = matcher.grade(reference.words[place], hypothesis.words[start])
        elif comparison is not None and isinstance(matcher, ContextMatcher):
            return comparison.grade(place, start)
        elif comparison is not None and _are_equal(reference, hypothesis, match):
            grade = comparison.grade_equal(place, start)
        if self._case is not None and _differ_in_case(reference, hypothesis, match):
            grade = grade * self._case // SCALE
        return grade

    def candidates(self, pair: Pair) -> tuple[Match, ...]:
        """Candidates for the search of a segment with one reference."""
        self.check(pair)
        (reference,), hypothesis = pair.references, self.read(pair.hypothesis)
        known = self.references[reference]
        proposed = propose(self.matchers, known, hypothesis, self._compare(known, hypothesis), self._most_pairs)
        return tuple(
            Match(position, length, start, hypothesis_length, stage)
            for position, candidates in enumerate(proposed)
            for length, start, hypothesis_length, stage in candidates
        )


def _are_equal(reference: Segment, hypothesis: Segment, match: tuple[int, int, int, int, int]) -> bool:
    place, length, start, words, _ = match
    return length == words == 1 and reference.words[place] == hypothesis.words[start]


def _first_is_capital(words: Sequence[str], traits: Sequence[Trait]) -> bool | None:
    """Whether the first letter of these words is a capital; None if there is none."""
    place = first_lettered(traits)
    return None if place is None else begins_with_capital(words[place])


def _differ_in_case(reference: Segment, hypothesis: Segment, match: tuple[int, int, int, int, int]) -> bool:
    """Whether two words are written in different ways; unknown, hence false, if just one of them begins its text."""
    place, length, start, words, _ = match
    if length != 1 or words != 1 or (place == 0) != (start == 0):
        return False
    return (
        reference.cases is not None
        and hypothesis.cases is not None
        and (reference.cases[place] != hypothesis.cases[start])
    )
