"""Lists of words and phrases that systems match, miss, or never match exactly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import combinations
from math import sqrt
from typing import Any

from meteorlib.core.alignment import Alignment
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.chunking import Chunking
from meteorlib.core.safe_text import visible
from meteorlib.reports.html.segments import Words, alignment_of, word_counts

LIST_LENGTH = 40
"""Most entries of a list."""

LONGEST_PHRASE = 4
"""Words of the longest phrases."""

MAX_LETTERS = 60
"""Most letters of an entry; a word of a hostile file may have a million."""

RENDERINGS_SHOWN = 3
"""Most renderings shown for a word."""

FEW_SEGMENTS = 2000
"""With more segments, phrases that occur only once in the references are ignored, to save memory."""

MatchedUnits = tuple[Counter[Words], Counter[Words]]
"""Counts of matched words, and of phrases matched within one chunk."""

Wins = tuple[dict[Words, list[int]], dict[Words, list[int]]]
"""For words and phrases: how often only the first, and only the second, of two systems matches them."""


def one_sided_matches(
    systems: Sequence[Sequence[ScoreBreakdown]], references: Sequence[Sequence[Words]]
) -> list[dict[str, Any]]:
    """For each pair of systems, the words and phrases that only one of them matches.

    A phrase of two to four words is matched if all of it is in one chunk. If two systems were scored against different
    references, only words and phrases of both references are compared.

    Args:
        systems: the segments of each system.
        references: for each segment, the references that counted for any system.

    Returns:
        In the order of `itertools.combinations`: ``words`` and ``phrases``, each with the lists of the first and of the
        second system, see `_one_sided`.
    """
    wanted = None if len(references) <= FEW_SEGMENTS else _repeated(references)
    pairs = list(combinations(range(len(systems)), 2))
    wins: list[Wins] = [(defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0])) for _ in pairs]
    for same in zip(*systems, strict=True) if pairs else ():
        alignments = [alignment_of(scored) for scored in same]
        right = [_matched_units(alignment, wanted) for alignment in alignments]
        for (one, other), won in zip(pairs, wins, strict=True):
            sides = alignments[one].reference, alignments[other].reference
            _compare(right[one], right[other], None if sides[0] == sides[1] else _shared(*sides), won)
    return [
        {
            name: [_one_sided(found, side) for side in (0, 1)]
            for name, found in zip(("words", "phrases"), won, strict=True)
        }
        for won in wins
    ]


def _matched_units(alignment: Alignment, wanted: Set[Words] | None) -> MatchedUnits:
    words: Counter[Words] = Counter()
    phrases: Counter[Words] = Counter()
    for piece, _ in _pieces(alignment):
        words.update([(word,) for word in piece])
        found = _phrases(piece)
        phrases.update(found if wanted is None else [phrase for phrase in found if phrase in wanted])
    return words, phrases


def _compare(ours: MatchedUnits, theirs: MatchedUnits, shared: Set[Words] | None, won: Wins) -> None:
    """Add the words and phrases that one of two systems matches more often in a segment."""
    for mine, its, counts in zip(ours, theirs, won, strict=True):
        if mine == its:
            continue
        for unit in mine.keys() | its.keys():
            more = mine[unit] - its[unit]
            if more and (shared is None or unit in shared):
                counts[unit][more < 0] += abs(more)


def _repeated(references: Iterable[Sequence[Words]]) -> set[Words]:
    """Phrases that occur in the references more than once."""
    once: set[int] = set()
    more: set[Words] = set()
    for each in references:
        for words in each:
            for phrase in _phrases(words):
                if (mark := hash(phrase)) in once:
                    more.add(phrase)
                once.add(mark)
    return more


def _shared(one: Words, other: Words) -> set[Words]:
    units = [{*((word,) for word in words), *_phrases(words)} for words in (one, other)]
    return units[0] & units[1]


def _one_sided(won: Mapping[Words, list[int]], side: int) -> list[list[Any]]:
    """The entries that one side wins, most one-sided first: text, count of this side, count of the other.

    They are sorted by the standard errors between the counts and those of a fair coin. A phrase that is part of a
    listed phrase with the same counts is left out.
    """
    ranked = sorted(
        ((other - one) / sqrt(one + other), -len(unit), unit, one, other)
        for unit, counts in won.items()
        if (one := counts[side]) > (other := counts[1 - side])
    )
    entries: list[tuple[Words, int, int]] = []
    for _, _, unit, one, other in ranked:
        if len(entries) == LIST_LENGTH:
            break
        if not any((one, other) == (mine, its) and _is_part(unit, longer) for longer, mine, its in entries):
            entries.append((unit, one, other))
    return [[_text(unit), one, other] for unit, one, other in entries]


def _is_part(unit: Words, longer: Words) -> bool:
    return any(longer[at : at + len(unit)] == unit for at in range(len(longer) - len(unit) + 1))


def never_matched(segments: Iterable[ScoreBreakdown]) -> list[list[Any]]:
    """Reference words that the system never matches, most frequent first: text and count."""
    counts_in_references, matched = word_counts(segments)
    missed = sorted((-count, word) for word, count in counts_in_references.items() if word not in matched)
    return [[_text((word,)), -count] for count, word in missed[:LIST_LENGTH]]


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
    written = _written(segments, stages.keys())
    ranked = sorted((-counts.total(), unit) for unit, counts in stages.items() if unit not in written)
    return [
        [
            _text(unit),
            sorted(stages[unit].items()),
            [[_text(words), count] for words, count in _frequent(renderings[unit])],
        ]
        for _, unit in ranked[:LIST_LENGTH]
    ]


def _written(segments: Iterable[ScoreBreakdown], units: Set[Words]) -> set[Words]:
    """The words and phrases among `units` that are on both sides of a chunk."""
    lengths = sorted({len(unit) for unit in units})
    written: set[Words] = set()
    for scored in segments:
        for piece, hypothesis in _pieces(alignment_of(scored)):
            here = units & {unit for length in lengths for unit in _runs(piece, length)}
            written.update(unit for unit in here - written if _is_part(unit, hypothesis))
    return written


def _pieces(alignment: Alignment) -> Iterator[tuple[Words, Words]]:
    """The words of each chunk, in the reference and in the hypothesis."""
    for start, length, other, other_length in Chunking.of(alignment.matches).chunks:
        yield alignment.reference[start : start + length], alignment.hypothesis[other : other + other_length]


def _frequent(counts: Counter[Words]) -> list[tuple[Words, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:RENDERINGS_SHOWN]


def _phrases(words: Words) -> list[Words]:
    return [phrase for length in range(2, LONGEST_PHRASE + 1) for phrase in _runs(words, length)]


def _runs(words: Words, length: int) -> list[Words]:
    """All runs of `length` words."""
    return [words[start : start + length] for start in range(len(words) - length + 1)]


def _text(words: Words) -> str:
    text = visible(" ".join(words))
    return text if len(text) <= MAX_LETTERS else f"{text[: MAX_LETTERS - 1]}…"
