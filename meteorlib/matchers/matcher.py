"""Base classes of matchers, and how the stages of a preset propose candidates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from attrs import define

from meteorlib.core.alignment import Candidate, Candidates
from meteorlib.core.number_readings import unequal
from meteorlib.core.segment import Segment
from meteorlib.errors import InvalidText

Positions = Mapping[str, Sequence[int]]


class Matcher(ABC):
    """Base class of matchers, which propose matches; a stage is a matcher at its place in a preset.

    Attributes:
        gain: what one matched word counts in METEOR 1.5's searches: 1 for exact matches, ½ for all others.
        accuracy: the gain in the search ``accurate``, where phrases come after all words.
    """

    gain: ClassVar[float] = 0.5
    accuracy: ClassVar[float] = float(1 << 32)

    @abstractmethod
    def analyze(self, words: Sequence[str], positions: Positions) -> Any:
        """Analyze a segment for this matcher, from its words and the positions of each distinct word."""


class WordMatcher(Matcher):
    """Base class of matchers that pair single words, whatever their positions."""

    @abstractmethod
    def pairs(self, reference: Any, hypothesis: Any) -> Iterable[tuple[str, Sequence[str]]]:
        """Pairs of a distinct reference word and the distinct hypothesis words that match it.

        Args:
            reference: result of `analyze` for the reference.
            hypothesis: result of `analyze` for the hypothesis.
        """


class GradedMatcher(WordMatcher):
    """Base class of matchers whose matches count in part; earlier stages have precedence for a pair of words."""

    @abstractmethod
    def grade(self, reference: str, hypothesis: str) -> int:
        """Share of a match of these words that counts, in units of 1/`meteorlib.core.segment.SCALE`."""


class PhraseMatcher(Matcher):
    """Base class of matchers that pair spans of words.

    Attributes:
        same_letters: whether its spans have the same letters; others never match if their numbers differ.
    """

    accuracy: ClassVar[float] = 1.0
    same_letters: ClassVar[bool] = False

    @abstractmethod
    def spans(self, reference: Any, hypothesis: Any) -> Iterable[tuple[int, int, int, int]]:
        """Matching spans (reference start and length, hypothesis start and length) in the order of candidates."""

    def alike(self, reference: Any) -> Mapping[int, Sequence[int]]:  # noqa: ARG002
        """Later reference positions at which the same spans match, by the first such position.

        `spans` leaves them out, so that repeated words do not cost the square of their number.
        """
        return {}


class Comparison(ABC):
    """Two segments compared as wholes by a `ContextMatcher`. Grades are in units of 1/`meteorlib.core.segment.SCALE`.

    Attributes:
        factor: share of every match of the segment that counts, whatever its stage; the alignment does not depend on
            it.
    """

    factor: int

    @abstractmethod
    def pairs(self) -> Iterable[tuple[int, Sequence[int]]]:
        """Reference positions with the hypothesis positions that they match, ascending."""

    @abstractmethod
    def grade(self, reference: int, hypothesis: int) -> int:
        """Share of a match of the words at these positions that counts."""

    @abstractmethod
    def grade_equal(self, reference: int, hypothesis: int) -> int:
        """Share of another stage's match that counts, for equal words at these positions."""


class ContextMatcher(Matcher):
    """Base class of matchers that see whole segments; earlier stages have precedence for a pair of words.

    They pair words by position, grade these matches, and can reduce those of other stages.
    """

    def prepare(self, segments: Sequence[Sequence[str]]) -> None:
        """Do ahead, for many segments at once, what `analyze` needs; called with the words of each.

        Results must not depend on it.
        """

    @abstractmethod
    def compare(self, reference: Any, hypothesis: Any) -> Comparison:
        """Compare two segments, of which the results of `analyze` are given."""


def too_many_pairs(reference: int, hypothesis: int, most: int) -> InvalidText:
    """Error for a segment with more pairs than `most`; the other two are the numbers of words of its sides."""
    return InvalidText(
        "hypothesis and reference",
        f"{hypothesis:,} words against {reference:,}, which match in more than {most:,} pairs, are too many for this "
        "preset; is each line one segment? If so, split it, or score it with the preset meteor-2005 or nltk",
    )


@define
class PairCount:
    """Number of pairs that the stages propose for a segment, counted before they are made."""

    sides: tuple[int, int]  # number of words of the reference and of the hypothesis
    most: int | None  # the most pairs; None for no limit
    pairs: int = 0  # those counted so far; a pair that two stages propose counts twice

    def add(self, pairs: int) -> None:
        """Count more pairs; `InvalidText` if they are more than `most`."""
        self.pairs += pairs
        if self.most is not None and self.pairs > self.most:
            raise too_many_pairs(*self.sides, self.most)


def propose(
    matchers: Sequence[Matcher],
    reference: Segment,
    hypothesis: Segment,
    comparison: Comparison | None = None,
    most: int | None = None,
) -> Candidates:
    """Candidates of every reference position, stage by stage.

    If both sides have the same words, only the first stage is used, which keeps METEOR's search free of errors. The
    comparison is that by the `ContextMatcher` among the matchers; more than `most` pairs are refused by `InvalidText`.
    """
    count = PairCount((len(reference.words), len(hypothesis.words)), most)
    if reference.words == hypothesis.words:
        matchers = matchers[:1]
    proposed: list[list[Candidate]] = [_NO_CANDIDATES] * len(reference.words)
    by_word: dict[str, list[Candidate]] = {}
    places = hypothesis.positions
    for stage, matcher in enumerate(matchers):
        analyses = reference.knowledge[stage], hypothesis.knowledge[stage]
        graded = isinstance(matcher, GradedMatcher)
        if graded or not isinstance(matcher, WordMatcher):
            _place_words(by_word, reference.positions, proposed)
            by_word = {}
        if isinstance(matcher, PhraseMatcher):
            spans = matcher.spans(*analyses)
            if not matcher.same_letters:
                spans = _with_equal_numbers(spans, reference, hypothesis)
            _place_spans(spans, stage, proposed, matcher.alike(analyses[0]), count)
        elif isinstance(matcher, ContextMatcher):
            for position, starts in comparison.pairs() if comparison is not None else ():
                count.add(len(starts))
                _place_new([(1, start, 1, stage) for start in starts], (position,), proposed)
        elif isinstance(matcher, WordMatcher):
            for word, partners in matcher.pairs(*analyses):
                count.add(len(reference.positions[word]) * sum([len(places[partner]) for partner in partners]))
                # by position, not by partner: METEOR 1.5 lists candidates so, and their order breaks ties
                starts = (
                    places[partners[0]]
                    if len(partners) == 1
                    else sorted(start for partner in partners for start in places[partner])
                )
                new = [(1, starts[0], 1, stage)] if len(starts) == 1 else [(1, start, 1, stage) for start in starts]
                if graded:
                    _place_new(new, reference.positions[word], proposed)
                elif word in by_word:
                    by_word[word] += new
                else:
                    by_word[word] = new
    _place_words(by_word, reference.positions, proposed)
    return proposed


_NO_CANDIDATES: list[Candidate] = []


def _with_equal_numbers(
    spans: Iterable[tuple[int, int, int, int]], reference: Segment, hypothesis: Segment
) -> Iterable[tuple[int, int, int, int]]:
    """The spans but those of different numbers, where the traits of words are known."""
    sides = [[trait.number for trait in side.traits] for side in (reference, hypothesis)]
    if not all(map(any, sides)):
        return spans
    first, second = sides
    return (
        span for span in spans if not unequal(first[span[0] : span[0] + span[1]], second[span[2] : span[2] + span[3]])
    )


def _place_words(by_word: Mapping[str, list[Candidate]], positions: Positions, proposed: list[list[Candidate]]) -> None:
    """Add the candidates of each word at its positions, which share one list if they had no candidates before."""
    for word, candidates in by_word.items():
        for position in positions[word]:
            proposed[position] = proposed[position] + candidates if proposed[position] else candidates


def _place_new(candidates: Sequence[Candidate], positions: Sequence[int], proposed: list[list[Candidate]]) -> None:
    """Append candidates of single words, except those whose words are paired at the position already."""
    for position in positions:
        paired = {start for length, start, words, _ in proposed[position] if length == 1 == words}
        new = [candidate for candidate in candidates if candidate[1] not in paired]
        if new:
            proposed[position] = proposed[position] + new


def _place_spans(
    spans: Iterable[tuple[int, int, int, int]],
    stage: int,
    proposed: list[list[Candidate]],
    alike: Mapping[int, Sequence[int]],
    count: PairCount,
) -> None:
    """Append candidates of spans; positions with the same lists before and after share one."""
    new: dict[int, list[Candidate]] = {}
    for position, length, start, hypothesis_length in spans:
        candidate = length, start, hypothesis_length, stage
        count.add(1 + len(alike.get(position, ())))
        if position in new:
            new[position].append(candidate)
        else:
            new[position] = [candidate]
    for first, candidates in new.items():
        lists: dict[int, tuple[list[Candidate], list[Candidate]]] = {}
        for position in (first, *alike.get(first, ())):
            before = proposed[position]
            if id(before) not in lists:
                lists[id(before)] = before, before + candidates
            proposed[position] = lists[id(before)][1]
