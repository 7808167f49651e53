"""Notes on segments that scored 0 for lack of words, and on alignments that may not be the best."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from meteorlib.corpus.corpus import Corpus


def note_problems(corpus: Corpus, note: Callable[[str], object], whose: str = "") -> None:
    """Print notes on a scored corpus; `whose` begins them."""
    for told in empty_notes(corpus.empty_hypotheses, corpus.empty_references, corpus.segment_count, whose):
        note(told)
    if corpus.inexact:
        problem = "were too ambiguous for the search's budget: their alignment is the best found"
        note(f"note: {whose}{corpus.inexact} of {corpus.segment_count} segments {problem}")


def empty_notes(hypotheses: int, references: int, count: int, whose: str = "") -> Iterator[str]:
    """Notes on numbers of empty hypotheses and references, of `count` segments; `whose` begins them."""
    for number, side in ((hypotheses, "hypothesis"), (references, "reference")):
        if number:
            yield f"note: {whose}{number} of {count} segments had an empty {side} and scored 0"


def ignore_note(_: str) -> None:
    """Drop a note."""
