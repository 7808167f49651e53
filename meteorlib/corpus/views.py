"""Views of a corpus: lines for people, HTML for notebooks, data for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from meteorlib.core.lines import breakdown_lines, digits
from meteorlib.core.notebook import grid, table

if TYPE_CHECKING:
    from meteorlib.corpus.corpus import Corpus

SEGMENTS_SHOWN = 20
"""Segments that a notebook lists."""

_COLUMNS = ("score", "precision", "recall", "penalty")


def corpus_lines(corpus: Corpus) -> list[tuple[str, str]]:
    """The corpus score with its parts, the number of segments, the signature."""
    scored = breakdown_lines(corpus.score()) if len(corpus) else []
    mean = f", mean of their scores {digits(corpus.mean())}" if len(corpus) else ""
    return [*scored, ("segments", f"{len(corpus)}{mean}"), ("signature", str(corpus.signature))]


def corpus_html(corpus: Corpus) -> str:
    """The lines, and below them the first segments where they are kept."""
    lines = table(corpus_lines(corpus))
    if not corpus.keeps_segments or not len(corpus):
        return lines
    rows = [
        [
            str(index),
            *(digits(getattr(scored, name)) for name in _COLUMNS),
            str(scored.statistics.chunks),
            "–" if scored.reference_index is None else str(scored.reference_index),
        ]
        for index, scored in enumerate(corpus[:SEGMENTS_SHOWN])
    ]
    more = len(corpus) - len(rows)
    rest = f"<div>and {more} more segments; corpus[index] shows one</div>" if more else ""
    return f"<div>{lines}{grid(['index', *_COLUMNS, 'chunks', 'reference_index'], rows)}{rest}</div>"


def corpus_data(corpus: Corpus) -> dict[str, Any]:
    """What ``meteorlib score --format json`` writes, as plain data; segments where they are kept."""
    data = corpus.score().to_dict()
    data["mean_segment_score"] = corpus.mean()
    data["empty_hypotheses"] = corpus.empty_hypotheses
    data["empty_references"] = corpus.empty_references
    data["preset"] = corpus.signature.preset
    data["signature"] = str(corpus.signature)
    if corpus.keeps_segments:
        data["segments"] = [scored.to_dict() for scored in corpus]
    return data
