"""Segments as encoded columns for the HTML report, with words as numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import frozen

from meteorlib.core.alignment import Alignment, Match
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.chunking import Chunking
from meteorlib.core.safe_text import visible
from meteorlib.core.segment import SCALE
from meteorlib.reports.html.encoding import letters
from meteorlib.reports.html.measures import ten_thousandths

Words = tuple[str, ...]

SEGMENT_NUMBERS = ("precision", "recall", "f_mean", "fragmentation", "penalty")
"""Numbers of a segment besides its score, in this order."""


@frozen
class Vocabulary:
    """All words of the page, most frequent first.

    Attributes:
        words: word of each number.
        numbers: number of each word.
    """

    words: Sequence[str]
    numbers: dict[str, int]

    @classmethod
    def of(cls, texts: Iterable[Words]) -> Vocabulary:
        """The words of `texts`; equally frequent ones are in order of appearance."""
        counts: Counter[str] = Counter()
        for text in texts:
            counts.update(text)
        words = [word for word, _ in counts.most_common()]
        return cls(words, {word: number for number, word in enumerate(words)})

    def text(self, words: Words) -> str:
        """Words as encoded numbers."""
        numbers = self.numbers
        return letters([numbers[word] for word in words])

    def to_list(self) -> list[str]:
        """The words, safe to show."""
        return [visible(word) for word in self.words]


def segment_columns(
    segments: Iterable[ScoreBreakdown], references: Iterable[Sequence[Words]], vocabulary: Vocabulary
) -> dict[str, Any]:
    """Encoded columns of the segments of a system.

    Args:
        segments: the segments.
        references: for each segment, the references that counted for any system.
        vocabulary: all words.

    Returns:
        The columns ``score`` (unencoded), ``hypothesis``, ``runs`` (see `runs`), ``chunks`` (start and length of each
        chunk, in reference and hypothesis), ``parts`` (position and grade of each match that counts in part; missing if
        there are none) and ``numbers``: index of the counting reference, its number among all, the numbers of
        `SEGMENT_NUMBERS`, whether the search was optimal, the statistics, and the share of crossing matches if it
        counts.
    """
    names = ("score", "hypothesis", "runs", "chunks", "parts", "numbers")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for scored, each in zip(segments, references, strict=True):
        alignment = alignment_of(scored)
        columns["score"].append(scored.score)
        columns["hypothesis"].append(vocabulary.text(alignment.hypothesis))
        columns["runs"].append(letters([number for run in runs(alignment.matches) for number in run]))
        chunks = Chunking.of(alignment.matches).chunks
        columns["chunks"].append(letters([number for chunk in chunks for number in chunk]))
        parts = [(place, grade) for place, grade in enumerate(alignment.grades or ()) if grade != SCALE]
        columns["parts"].append(letters([number for part in parts for number in part]))
        columns["numbers"].append(letters([each.index(alignment.reference), *_numbers(scored)]))
    if not any(columns["parts"]):
        del columns["parts"]
    return columns


def _numbers(scored: ScoreBreakdown) -> list[int]:
    statistics = scored.statistics
    return [
        scored.reference_index or 0,
        *[ten_thousandths(getattr(scored, name)) for name in SEGMENT_NUMBERS],
        int(scored.optimal),
        statistics.hypothesis_length,
        statistics.reference_length,
        statistics.hypothesis_function_words,
        statistics.reference_function_words,
        statistics.chunks,
        statistics.penalized_chunks,
        statistics.hypothesis_matches,
        statistics.reference_matches,
        *[count for stage in statistics.stages for count in stage],
        *(() if scored.crossing is None else (*(statistics.order or ()), ten_thousandths(scored.crossing))),
        *(statistics.faults or ()),
    ]


def runs(matches: Iterable[Match]) -> list[tuple[int, int, int, int, int]]:
    """Matches as runs: a shorter form without loss.

    Returns:
        Reference start, hypothesis start, stage, and then: for consecutive matches of single words, their number and 0;
        for a match of phrases, its length in the reference and in the hypothesis.
    """
    found: list[tuple[int, int, int, int, int]] = []
    start = other = stage = count = 0
    for reference, length, hypothesis, hypothesis_length, kind in matches:
        if length == 1 == hypothesis_length:
            if count and reference == start + count and hypothesis == other + count and kind == stage:
                count += 1
                continue
            if count:
                found.append((start, other, stage, count, 0))
            start, other, stage, count = reference, hypothesis, kind, 1
            continue
        if count:
            found.append((start, other, stage, count, 0))
            count = 0
        found.append((reference, hypothesis, kind, length, hypothesis_length))
    if count:
        found.append((start, other, stage, count, 0))
    return found


def references_of(systems: Sequence[Sequence[ScoreBreakdown]]) -> list[list[Words]]:
    """For each segment, the references that counted for any system, each once, in the order of the systems."""
    return [
        list(dict.fromkeys(alignment_of(scored).reference for scored in same)) for same in zip(*systems, strict=True)
    ]


def word_counts(segments: Iterable[ScoreBreakdown]) -> tuple[Counter[str], Counter[str]]:
    """Counts of each word in the references of a system's segments, and of its matches there."""
    counts_in_references: Counter[str] = Counter()
    matched: Counter[str] = Counter()
    for scored in segments:
        alignment = alignment_of(scored)
        words = alignment.reference
        counts_in_references.update(words)
        matched.update(words[at] for start, length, *_ in alignment.matches for at in range(start, start + length))
    return counts_in_references, matched


def alignment_of(scored: ScoreBreakdown) -> Alignment:
    """The alignment of a segment, which all corpora of a report have."""
    assert scored.alignment is not None  # noqa: S101 – `html_report` refuses corpora without
    return scored.alignment
