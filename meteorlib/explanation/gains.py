"""Gains: how the score changes if an unmatched word is corrected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from attrs import asdict, frozen

from meteorlib.core.alignment import Alignment
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.display.displayable import Tabular

Edit = Literal["replace", "insert", "delete"]

Progress = Callable[[int, int], object]
"""Callback, called with the number of words done and their total."""


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
        return apply_edit(hypothesis, self.edit, self.place, self.word)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self)


def apply_edit(words: Sequence[str], edit: Edit, place: int, word: str) -> tuple[str, ...]:
    """`words` after an edit."""
    rest = words[place if edit == "insert" else place + 1 :]
    return (*words[:place], *(() if edit == "delete" else (word,)), *rest)


def word_gains(
    alignment: Alignment,
    score: float,
    rescore: Callable[[Sequence[str]], ScoreBreakdown],
    max_rescored: int | None,
    progress: Progress,
) -> tuple[tuple[Gain, ...], int]:
    """The gain of every unmatched word, greatest first (of equal ones, reference words first, in order).

    For a word of the hypothesis it is that of leaving it out. For a word of the reference it is the best of up to four
    edits: the word put in right behind the match of the nearest matched reference word before it, or right before the
    match of the nearest one after it; or put in place of the unmatched word that stands there. Where nothing is matched
    on that side, the beginning or the end of the hypothesis is the place.

    Args:
        alignment: the alignment.
        score: the original score.
        rescore: scores an edited hypothesis.
        max_rescored: limit on the number of rescored edits, None for no limit; words are taken in order.
        progress: called with the number of words done and their total.

    Returns:
        The gains, and the number of unmatched words left out because of the limit.
    """
    words, gains, left_out = alignment.hypothesis, [], 0
    count, edits_by_word = 0, list(_edits(alignment))
    for done, (side, position, edits) in enumerate(edits_by_word):
        progress(done, len(edits_by_word))
        count += len(edits)
        if max_rescored is not None and count > max_rescored:
            left_out += 1
            continue
        word = (alignment.reference if side == "reference" else words)[position]
        scored = [(rescore(apply_edit(words, edit, place, word)).score, edit, place) for edit, place in edits]
        after, edit, place = max(scored, key=lambda one: one[0])
        replaced = words[place] if edit == "replace" else ""
        gains.append(Gain(side, position, word, edit, place, replaced, after, after - score))
    return tuple(sorted(gains, key=lambda gain: -gain.gain)), left_out


def _edits(
    alignment: Alignment,
) -> Iterator[tuple[Literal["reference", "hypothesis"], int, list[tuple[Edit, int]]]]:
    """Each unmatched word, with the edits to try for it."""
    free = set(alignment.unmatched_hypothesis)
    befores, afters = _places(alignment)
    for position in alignment.unmatched_reference:
        before, after = befores[position], afters[position]
        edits: list[tuple[Edit, int]] = [("replace", place) for place in (before, after - 1) if place in free]
        edits += [("insert", before), ("insert", after)]
        yield "reference", position, list(dict.fromkeys(edits))
    for position in sorted(free):
        yield "hypothesis", position, [("delete", position)]


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
