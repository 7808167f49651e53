"""What a matcher is, and how the stages of a preset propose their candidates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from meteorlib.core.alignment import Candidate, Candidates
from meteorlib.core.segment import Segment

Positions = Mapping[str, Sequence[int]]


class Matcher(ABC):
    """Code that proposes matches; a stage is a matcher at its place in a preset.

    Attributes:
        gain: what one of its words is worth in METEOR 1.5's search: 1 for exact matches, ½ for all others.
        accuracy: the same in the search for the most accurate alignment, where phrases come after all words.
    """

    gain: ClassVar[float] = 0.5
    accuracy: ClassVar[float] = float(1 << 32)

    @abstractmethod
    def analyze(self, words: Sequence[str], positions: Positions) -> Any:
        """What this matcher needs to know of a segment: its words, and where each distinct word stands."""


class WordMatcher(Matcher):
    """A matcher that pairs single words, wherever they stand."""

    @abstractmethod
    def pairs(self, reference: Any, hypothesis: Any) -> Iterable[tuple[str, Sequence[str]]]:
        """Distinct words of the reference with the distinct words of the hypothesis that match them.

        Args:
            reference: what `analyze` made of the reference.
            hypothesis: what `analyze` made of the hypothesis.
        """


class GradedMatcher(WordMatcher):
    """A matcher whose matches count in part; it leaves pairs of words to the stages before it."""

    @abstractmethod
    def grade(self, reference: str, hypothesis: str) -> int:
        """How much of a match of these words counts, in units of 1/`meteorlib.core.segment.SCALE`."""


class PhraseMatcher(Matcher):
    """A matcher that pairs spans of words."""

    accuracy: ClassVar[float] = 1.0

    @abstractmethod
    def spans(self, reference: Any, hypothesis: Any) -> Iterable[tuple[int, int, int, int]]:
        """Matching spans (reference start and length, hypothesis start and length) in the order of candidates."""

    def alike(self, reference: Any) -> Mapping[int, Sequence[int]]:  # noqa: ARG002
        """Later positions of the reference at which the same spans match, by the first one.

        `spans` leaves them out, so that repeated words do not cost the square of their number.
        """
        return {}


def propose(matchers: Sequence[Matcher], reference: Segment, hypothesis: Segment) -> Candidates:
    """The candidates of every reference position, stage after stage.

    If both sides are the same words, only the first stage is asked, which keeps METEOR's search free of errors.
    """
    if reference.words == hypothesis.words:
        matchers = matchers[:1]
    found: list[list[Candidate]] = [_NONE] * len(reference.words)
    by_word: dict[str, list[Candidate]] = {}
    places = hypothesis.positions
    for stage, matcher in enumerate(matchers):
        reference_known, hypothesis_known = reference.knowledge[stage], hypothesis.knowledge[stage]
        if isinstance(matcher, PhraseMatcher):
            _place(by_word, reference.positions, found)
            by_word = {}
            spans = matcher.spans(reference_known, hypothesis_known)
            _place_spans(spans, stage, found, matcher.alike(reference_known))
        elif isinstance(matcher, GradedMatcher):
            _place(by_word, reference.positions, found)
            by_word = {}
            for word, partners in matcher.pairs(reference_known, hypothesis_known):
                near = sorted(start for partner in partners for start in places[partner])
                _place_new([(1, start, 1, stage) for start in near], reference.positions[word], found)
        elif isinstance(matcher, WordMatcher):
            for word, partners in matcher.pairs(reference_known, hypothesis_known):
                starts = places[partners[0]]
                if len(partners) > 1:
                    starts = sorted(start for partner in partners for start in places[partner])
                new = [(1, starts[0], 1, stage)] if len(starts) == 1 else [(1, start, 1, stage) for start in starts]
                if word in by_word:
                    by_word[word] += new
                else:
                    by_word[word] = new
    _place(by_word, reference.positions, found)
    return found


_NONE: list[Candidate] = []


def _place(by_word: Mapping[str, list[Candidate]], positions: Positions, found: list[list[Candidate]]) -> None:
    """Put the candidates of each word at its positions; they share one list where nothing stood there before."""
    for word, candidates in by_word.items():
        for position in positions[word]:
            found[position] = found[position] + candidates if found[position] else candidates


def _place_new(candidates: Sequence[Candidate], positions: Sequence[int], found: list[list[Candidate]]) -> None:
    """Put candidates of single words behind what is there, but for those whose words are paired there already."""
    for position in positions:
        paired = {start for length, start, words, _ in found[position] if length == 1 == words}
        new = [candidate for candidate in candidates if candidate[1] not in paired]
        if new:
            found[position] = found[position] + new


def _place_spans(
    spans: Iterable[tuple[int, int, int, int]],
    stage: int,
    found: list[list[Candidate]],
    alike: Mapping[int, Sequence[int]],
) -> None:
    """Put candidates of spans behind what is there; where the same is put behind the same, it is shared."""
    new: dict[int, list[Candidate]] = {}
    for position, length, start, hypothesis_length in spans:
        candidate = length, start, hypothesis_length, stage
        if position in new:
            new[position].append(candidate)
        else:
            new[position] = [candidate]
    for first, candidates in new.items():
        lists: dict[int, tuple[list[Candidate], list[Candidate]]] = {}
        for position in (first, *alike.get(first, ())):
            before = found[position]
            if id(before) not in lists:
                lists[id(before)] = before, before + candidates
            found[position] = lists[id(before)][1]
