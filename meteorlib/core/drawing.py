"""Alignments as text: two rows of words with numbered matches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from meteorlib.core.matrix import Matrix, grade_text
from meteorlib.core.rows import Row
from meteorlib.core.segment import SCALE


def alignment_rows(alignment: Matrix) -> list[Row]:
    """Both sides, ``word[3]`` for the word of match 3 and ``{two words}[3]`` for several, and the matches by stage.

    Behind a match that counts in part stands how much of it does.
    """
    numbered = list(enumerate(alignment.matches, 1))
    reference = [(start, length, number) for number, (start, length, *_) in numbered]
    hypothesis = [(start, length, number) for number, (_, _, start, length, _) in numbered]
    grades = alignment.grades or [SCALE] * len(numbered)
    parts = ["" if grade == SCALE else f" ({grade_text(grade)})" for grade in grades]
    by_stage = [
        (name, ", ".join(f"{number}{parts[number - 1]}" for number, match in numbered if match[4] == stage))
        for stage, name in enumerate(alignment.stages)
    ]
    return [
        ("reference", _numbered_words(alignment.reference, reference)),
        ("hypothesis", _numbered_words(alignment.hypothesis, hypothesis)),
        *((name, numbers) for name, numbers in by_stage if numbers),
    ]


def _numbered_words(words: Sequence[str], spans: Iterable[tuple[int, int, int]]) -> str:
    """The words of a side; a span is start, length and the number of its match."""
    parts: list[str] = []
    position = 0
    for start, length, number in sorted(spans):
        parts += words[position:start]
        position = start + length
        matched = " ".join(words[start:position])
        parts.append(f"{{{matched}}}[{number}]" if length > 1 else f"{matched}[{number}]")
    return " ".join([*parts, *words[position:]])
