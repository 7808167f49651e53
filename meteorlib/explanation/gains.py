"""Gains: how the score changes if an unmatched word is corrected."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, islice
from operator import attrgetter
from typing import Any, Literal

from attrs import asdict, frozen

from meteorlib.core.alignment import Alignment
from meteorlib.corpus.batch import Progress
from meteorlib.display.displayable import Tabular

Edit = Literal["replace", "insert", "delete"]

WORDS_AT_A_TIME = 50
"""Unmatched words whose edits are scored at a time."""


@frozen
class Gain(Tabular):
    """The gain in score from one edit of the hypothesis; the edited words are aligned again.

    Attributes:
        side: ``reference`` for a word missing from the hypothesis, ``hypothesis`` for an unmatched word in it.
        position: position of the word on its side, from 0.
        word: the word.
        edit: ``insert`` puts a reference word into the hypothesis, ``replace`` puts it in place of an unmatched word,
            ``delete`` leaves a hypothesis word out.
        place: the position in the hypothesis that is edited, from 0; ``insert`` puts the word before that one.
        replaced: the word that ``replace`` removes; empty otherwise.
        score: the score after the edit.
        gain: that score minus the original one; negative if the edit lowers it.
    """

    _columns = "word side edit place replaced score gain"
    _signed = frozenset({"gain"})

    side: Literal["reference", "hypothesis"]
    position: int
    word: str
    edit: Edit
    place: int
    replaced: str
    score: float
    gain: float

    def applied(self, hypothesis: Sequence[str]) -> tuple[str, ...]:
        """The words of `hypothesis` after the edit."""
        return _edited(tuple(hypothesis), [(self.edit, self.place, self.word)])[0]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self)


def _edited(words: tuple[str, ...], edits: Iterable[tuple[Edit, int, str]]) -> list[tuple[str, ...]]:
    """`words` after each edit, at a place, with a word."""
    return [
        words[:place] + (() if edit == "delete" else (word,)) + words[place if edit == "insert" else place + 1 :]
        for edit, place, word in edits
    ]


def word_gains(
    alignment: Alignment,
    score: float,
    rescore: Callable[[Iterable[Sequence[str]]], Sequence[float]],
    max_rescored: int | None,
    progress: Progress,
) -> tuple[tuple[Gain, ...], int]:
    """The gain of every unmatched word, greatest first (of equal ones, reference words first, in order).

    For a word of the hypothesis it is that of leaving it out. For a word of the reference it is the best of up to four
    edits: the word put in right behind the match of the nearest matched reference word before it, or right before the
    match of the nearest one after it; or put in place of the unmatched word that stands there. Where nothing is matched
    on that side, the beginning or the end of the hypothesis is the place.

    `rescore` scores edited hypotheses; words are taken in order, until more than `max_rescored` edits would be scored
    (None for no limit). The number of words that were left out comes with the gains.
    """
    words, gains = alignment.hypothesis, []
    unmatched = [*_edits(alignment)]
    tried = [*accumulate([len(edits) for *_, edits in unmatched])]
    kept = len(tried) if max_rescored is None else bisect_right(tried, max_rescored)
    for first in range(0, kept, WORDS_AT_A_TIME):
        progress(first, len(unmatched))
        some = unmatched[first : min(first + WORDS_AT_A_TIME, kept)]
        scores = iter(rescore(_edited(words, [(*edit, word) for _, _, word, edits in some for edit in edits])))
        for side, position, word, edits in some:
            after_edits = [*islice(scores, len(edits))]
            after = max(after_edits)
            edit, place = edits[after_edits.index(after)]
            replaced = words[place] if edit == "replace" else ""
            gains.append(Gain(side, position, word, edit, place, replaced, after, after - score))
    return tuple(sorted(gains, key=attrgetter("gain"), reverse=True)), len(unmatched) - kept


def _edits(
    alignment: Alignment,
) -> Iterator[tuple[Literal["reference", "hypothesis"], int, str, list[tuple[Edit, int]]]]:
    """Side, position and text of each unmatched word, with the edits to try for it."""
    free = set(alignment.unmatched_hypothesis)
    befores, afters = _places(alignment)
    for position in alignment.unmatched_reference:
        before, after = befores[position], afters[position]
        edits: list[tuple[Edit, int]] = [("replace", place) for place in (before, after - 1) if place in free]
        edits += [("insert", before), ("insert", after)]
        yield "reference", position, alignment.reference[position], list(dict.fromkeys(edits))
    for position in sorted(free):
        yield "hypothesis", position, alignment.hypothesis[position], [("delete", position)]


def _places(alignment: Alignment) -> tuple[list[int], list[int]]:
    """For each reference position: end of the match before it, and start of the one after it, in the hypothesis."""
    size = len(alignment.reference)
    befores, afters = [0] * size, [len(alignment.hypothesis)] * size
    matched = alignment.by_reference
    place = 0
    for position in range(size):
        if position in matched:
            place = matched[position].hypothesis_start + matched[position].hypothesis_length
        befores[position] = place
    place = len(alignment.hypothesis)
    for position in reversed(range(size)):
        if position in matched:
            place = matched[position].hypothesis_start
        afters[position] = place
    return befores, afters
