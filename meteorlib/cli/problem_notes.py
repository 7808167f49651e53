"""Notes on segments that scored 0 for lack of words, and on alignments that may not be the best."""

from __future__ import annotations

from collections.abc import Callable

from meteorlib.corpus.corpus import Corpus


def note_problems(corpus: Corpus, note: Callable[[str], object], whose: str = "") -> None:
    """Print notes on a scored corpus; `whose` begins them."""
    for count, problem in (
        (corpus.empty_hypotheses, "had an empty hypothesis and scored 0"),
        (corpus.empty_references, "had an empty reference and scored 0"),
        (corpus.inexact, "were too ambiguous for the search's budget: their alignment is the best found"),
    ):
        if count:
            note(f"note: {whose}{count} of {corpus.segment_count} segments {problem}")


def ignore_note(_: str) -> None:
    """Drop a note."""
