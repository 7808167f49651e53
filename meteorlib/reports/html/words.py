"""Lists of words and phrases that a system misses, or never matches exactly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from meteorlib.core.alignment import Alignment
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.chunking import Chunking
from meteorlib.core.safe_text import visible
from meteorlib.reports.html.segments import Words, alignment_of, word_counts

LIST_LENGTH = 40
"""Most entries of a list."""

MAX_LETTERS = 60
"""Most letters of an entry; a word of a hostile file may have a million."""

RENDERINGS_SHOWN = 3
"""Most renderings shown for a word."""

CANDIDATES = 400
"""Number of most frequent candidates that are looked up at a time."""


def is_part(unit: Words, longer: Words) -> bool:
    """Whether a phrase has another one in it."""
    return any(longer[at : at + len(unit)] == unit for at in range(len(longer) - len(unit) + 1))


def never_matched(segments: Iterable[ScoreBreakdown]) -> list[list[Any]]:
    """Reference words that the system never matches, most frequent first: text and count."""
    counts_in_references, matched = word_counts(segments)
    missed = sorted((-count, word) for word, count in counts_in_references.items() if word not in matched)
    return [[entry_text((word,)), -count] for count, word in missed[:LIST_LENGTH]]


def never_exact(segments: Sequence[ScoreBreakdown]) -> list[list[Any]]:
    """Reference words and phrases that a system matches, but never exactly, most frequent first.

    A phrase counts as exact if its words are adjacent in one chunk of the reference and of the hypothesis, whatever
    stage matched them.

    Args:
        segments: the segments of the system.

    Returns:
        The word or phrase, its count for each stage, and the words that the system has instead.
    """
    stages: dict[Words, Counter[int]] = defaultdict(Counter)
    renderings: dict[Words, Counter[Words]] = defaultdict(Counter)
    for scored in segments:
        alignment = alignment_of(scored)
        for start, length, other, other_length, stage in alignment.matches:
            unit = alignment.reference[start : start + length]
            words = alignment.hypothesis[other : other + other_length]
            if unit != words:
                stages[unit][stage] += 1
                renderings[unit][words] += 1
    ranked = sorted(stages, key=lambda unit: (-stages[unit].total(), unit))
    kept: list[Words] = []
    for at in range(0, len(ranked), CANDIDATES):
        some = ranked[at : at + CANDIDATES]
        written = _written(segments, some)
        kept += [unit for unit in some if unit not in written]
        if len(kept) >= LIST_LENGTH:
            break
    return [
        [
            entry_text(unit),
            sorted(stages[unit].items()),
            [[entry_text(words), count] for words, count in _frequent(renderings[unit])],
        ]
        for unit in kept[:LIST_LENGTH]
    ]


def _written(segments: Iterable[ScoreBreakdown], units: Iterable[Words]) -> set[Words]:
    """The words and phrases among `units` that are on both sides of a chunk."""
    missing: dict[str, set[Words]] = defaultdict(set)
    for unit in units:
        missing[unit[0]].add(unit)
    written: set[Words] = set()
    for scored in segments:
        alignment = alignment_of(scored)
        if missing.keys().isdisjoint(alignment.reference):
            continue
        for piece, hypothesis in _pieces(alignment):
            for word in missing.keys() & set(piece):
                found = {unit for unit in missing[word] if is_part(unit, piece) and is_part(unit, hypothesis)}
                written |= found
                missing[word] -= found
    return written


def _pieces(alignment: Alignment) -> Iterator[tuple[Words, Words]]:
    """The words of each chunk, in the reference and in the hypothesis."""
    for start, length, other, other_length in Chunking.of(alignment.matches).chunks:
        yield alignment.reference[start : start + length], alignment.hypothesis[other : other + other_length]


def _frequent(counts: Counter[Words]) -> list[tuple[Words, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:RENDERINGS_SHOWN]


def entry_text(words: Words) -> str:
    """A word or phrase as a list shows it."""
    text = visible(" ".join(words))
    return text if len(text) <= MAX_LETTERS else f"{text[: MAX_LETTERS - 1]}…"
