"""Words and phrases: which of the reference a system gets right, and which another one does not."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import combinations
from math import sqrt
from typing import Any

from meteorlib.core.alignment import Alignment
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.chunking import Chunking
from meteorlib.core.safe_text import harmless
from meteorlib.reports.html.segments import Words, aligned, asked_and_matched

SHOWN = 40
"""Entries of a list."""

LONGEST_PHRASE = 4
"""Words."""

LONGEST_SHOWN = 60
"""Letters of an entry; a word of a hostile file may have a million."""

SAID_SHOWN = 3
"""Ways in which a system says a word."""

FEW_SEGMENTS = 2000
"""With more of them, phrases that stand only once in the references are not looked at: they are too many to keep."""

Got = tuple[Counter[Words], Counter[Words]]
"""Words that are matched, and phrases that are matched in one piece, by how often."""

Won = tuple[dict[Words, list[int]], dict[Words, list[int]]]
"""The same for two systems: how often the first alone is right, and the second."""


def only_one_gets(
    systems: Sequence[Sequence[ScoreBreakdown]], references: Sequence[Sequence[Words]]
) -> list[dict[str, Any]]:
    """For each two systems, the words and the phrases that one of them gets right where the other does not.

    A word is right where it is matched, a phrase of two to four words where it is matched within one chunk. Where two
    systems were scored against different references, only what stands in both is compared.

    Args:
        systems: the segments of each.
        references: for each segment, the references that counted for any system.

    Returns:
        In the order of `itertools.combinations`: ``words`` and ``phrases``, each with the lists of the first and of the
        second system, see `_one_sided`.
    """
    wanted = None if len(references) <= FEW_SEGMENTS else _repeated(references)
    pairs = list(combinations(range(len(systems)), 2))
    wins: list[Won] = [(defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0])) for _ in pairs]
    for same in zip(*systems, strict=True) if pairs else ():
        alignments = [aligned(scored) for scored in same]
        right = [_got(alignment, wanted) for alignment in alignments]
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


def _got(alignment: Alignment, wanted: Set[Words] | None) -> Got:
    words: Counter[Words] = Counter()
    phrases: Counter[Words] = Counter()
    for piece, _ in _pieces(alignment):
        words.update([(word,) for word in piece])
        found = _phrases(piece)
        phrases.update(found if wanted is None else [phrase for phrase in found if phrase in wanted])
    return words, phrases


def _compare(ours: Got, theirs: Got, shared: Set[Words] | None, won: Won) -> None:
    """Add what one of two systems gets more of in a segment."""
    for mine, its, counts in zip(ours, theirs, won, strict=True):
        if mine == its:
            continue
        for unit in mine.keys() | its.keys():
            more = mine[unit] - its[unit]
            if more and (shared is None or unit in shared):
                counts[unit][more < 0] += abs(more)


def _repeated(references: Iterable[Sequence[Words]]) -> set[Words]:
    """The phrases that stand in the references more than once."""
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
    """The entries that one side wins, the most one-sided first: text, how often this side alone is right, the other.

    They are sorted by the number of standard errors that a coin would be away from its middle. A phrase that is part
    of one in the list, and stands there for the same, is left out.
    """
    ranked = sorted(
        ((other - one) / sqrt(one + other), -len(unit), unit, one, other)
        for unit, counts in won.items()
        if (one := counts[side]) > (other := counts[1 - side])
    )
    listed: list[tuple[Words, int, int]] = []
    for _, _, unit, one, other in ranked:
        if len(listed) == SHOWN:
            break
        if not any((one, other) == (mine, its) and _part(unit, longer) for longer, mine, its in listed):
            listed.append((unit, one, other))
    return [[_text(unit), one, other] for unit, one, other in listed]


def _part(unit: Words, longer: Words) -> bool:
    return any(longer[at : at + len(unit)] == unit for at in range(len(longer) - len(unit) + 1))


def never_matched(segments: Iterable[ScoreBreakdown]) -> list[list[Any]]:
    """The words of the references that the system never gets, the frequent ones first: text, how often."""
    asked, matched = asked_and_matched(segments)
    missed = sorted((-count, word) for word, count in asked.items() if word not in matched)
    return [[_text((word,)), -count] for count, word in missed[:SHOWN]]


def never_exact(segments: Sequence[ScoreBreakdown]) -> list[list[Any]]:
    """Words and phrases of the references that a system has matched, but never as written, the frequent ones first.

    A phrase is written where its words stand side by side in one matched piece of the reference and of the hypothesis,
    whatever matched them.

    Args:
        segments: the segments of the system.

    Returns:
        The word or the phrase, how often each stage matched it, the words that the system has instead.
    """
    stages: dict[Words, Counter[int]] = defaultdict(Counter)
    said: dict[Words, Counter[Words]] = defaultdict(Counter)
    for scored in segments:
        alignment = aligned(scored)
        for start, length, other, other_length, stage in alignment.matches:
            unit = alignment.reference[start : start + length]
            words = alignment.hypothesis[other : other + other_length]
            if unit != words:
                stages[unit][stage] += 1
                said[unit][words] += 1
    written = _written(segments, stages.keys())
    ranked = sorted((-counts.total(), unit) for unit, counts in stages.items() if unit not in written)
    return [
        [_text(unit), sorted(stages[unit].items()), [[_text(words), count] for words, count in _frequent(said[unit])]]
        for _, unit in ranked[:SHOWN]
    ]


def _written(segments: Iterable[ScoreBreakdown], units: Set[Words]) -> set[Words]:
    """The words and phrases among `units` that stand in both sides of a chunk."""
    lengths = sorted({len(unit) for unit in units})
    written: set[Words] = set()
    for scored in segments:
        for piece, hypothesis in _pieces(aligned(scored)):
            here = units & {unit for length in lengths for unit in _runs(piece, length)}
            written.update(unit for unit in here - written if _part(unit, hypothesis))
    return written


def _pieces(alignment: Alignment) -> Iterator[tuple[Words, Words]]:
    """The words of each chunk, in the reference and in the hypothesis."""
    for start, length, other, other_length in Chunking.of(alignment.matches).chunks:
        yield alignment.reference[start : start + length], alignment.hypothesis[other : other + other_length]


def _frequent(counts: Counter[Words]) -> list[tuple[Words, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:SAID_SHOWN]


def _phrases(words: Words) -> list[Words]:
    return [phrase for length in range(2, LONGEST_PHRASE + 1) for phrase in _runs(words, length)]


def _runs(words: Words, length: int) -> list[Words]:
    """All runs of `length` words."""
    return [words[start : start + length] for start in range(len(words) - length + 1)]


def _text(words: Words) -> str:
    text = harmless(" ".join(words))
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"
