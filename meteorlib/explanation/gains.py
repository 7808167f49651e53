"""Gains: what the score would be if an unmatched word were put right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from attrs import asdict, frozen

from meteorlib.core.alignment import Alignment

Edit = Literal["replace", "insert", "delete"]

Progress = Callable[[int, int], object]
"""Told how much is done, and how much there is."""


@frozen
class Gain:
    """What the hypothesis would gain by one edit; the score is that of the edited words, aligned anew.

    Attributes:
        side: ``reference`` for a word that the hypothesis lacks, ``hypothesis`` for one that it has in vain.
        position: where the word stands in its side, from 0.
        word: the word.
        edit: ``insert`` puts a reference word into the hypothesis, ``replace`` puts it in place of an unmatched word,
            ``delete`` leaves a hypothesis word out.
        place: the position in the hypothesis that is edited, from 0; ``insert`` puts the word before that one.
        replaced: the word that ``replace`` takes away; empty otherwise.
        score: the score after the edit.
        gain: that score less the one before; negative where the edit does harm.
    """

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
        return edited(hypothesis, self.edit, self.place, self.word)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self)


def edited(words: Sequence[str], edit: Edit, place: int, word: str) -> tuple[str, ...]:
    """`words` after an edit."""
    kept = words[place if edit == "insert" else place + 1 :]
    return (*words[:place], *(() if edit == "delete" else (word,)), *kept)


def gains(
    alignment: Alignment,
    score: float,
    rescore: Callable[[Sequence[str]], float],
    allowed: int | None,
    progress: Progress = lambda *_: None,
) -> tuple[tuple[Gain, ...], int]:
    """The gain of every unmatched word, greatest first (of equal ones, reference words first, in order).

    For a word of the hypothesis it is that of leaving it out. For a word of the reference it is the best of up to four
    edits: the word put in right behind the match of the nearest matched reference word before it, or right before the
    match of the nearest one after it; or put in place of the unmatched word that stands there. Where nothing is matched
    on that side, the beginning or the end of the hypothesis is the place.

    Args:
        alignment: what was matched.
        score: the score before.
        rescore: gives the score of an edited hypothesis.
        allowed: how often may be scored again, None for as often as there are edits; words are taken in order.
        progress: is told how many words are done, and of how many.

    Returns:
        The gains, and how many unmatched words were left out because no more was allowed.
    """
    words, found, left_out = alignment.hypothesis, [], 0
    count, tried = 0, list(_edits(alignment))
    for done, (side, position, edits) in enumerate(tried):
        progress(done, len(tried))
        count += len(edits)
        if allowed is not None and count > allowed:
            left_out += 1
            continue
        word = (alignment.reference if side == "reference" else words)[position]
        scored = [(rescore(edited(words, edit, place, word)), edit, place) for edit, place in edits]
        after, edit, place = max(scored, key=lambda one: one[0])
        replaced = words[place] if edit == "replace" else ""
        found.append(Gain(side, position, word, edit, place, replaced, after, after - score))
    return tuple(sorted(found, key=lambda gain: -gain.gain)), left_out


def _edits(
    alignment: Alignment,
) -> Iterator[tuple[Literal["reference", "hypothesis"], int, list[tuple[Edit, int]]]]:
    """Each unmatched word, and the edits that are tried for it."""
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
    """For each reference position: where the match before it ends in the hypothesis, and where the one after begins."""
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
