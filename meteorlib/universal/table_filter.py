"""Filter of a paraphrase table by references (METEOR 1.5's ``FilterParaphrase``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from attrs import frozen

from meteorlib.core.numerals import to_float
from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.resources.word_lists import nonbreaking_prefixes
from meteorlib.text.normalizer import NormalizerWithoutPunctuation
from meteorlib.text.token import split
from meteorlib.universal.gzip_lines import packed_lines
from meteorlib.universal.phrases import Phrases
from meteorlib.universal.texts import Progress, Text, no_progress


@frozen
class Filtered:
    """Number of entries of a table, and of those that were kept."""

    entries: int
    kept: int


def filter_paraphrases(
    table: Text, target: Path, references: Sequence[Text], progress: Progress = no_progress
) -> Filtered:
    """Write the entries of `table` of which a phrase occurs in a reference, in their order.

    A phrase occurs if its words are adjacent in a line. Lines are normalized by METEOR 1.5's rules for English,
        without punctuation and lowercased, whatever the language; the table is not normalized.

    Args:
        table: three lines per entry: a probability, a phrase, its paraphrase; compressed or not.
        target: the file to write, with gzip.
        references: of any language.
        progress: callback, called with the number of table lines done and the total.

    Raises:
        InputMismatch: a file does not exist; the table has no entry, or its last one is cut short.
        InvalidText: a file is not text, or an entry has no probability.
        OSError: the file cannot be written.
    """
    normalizer = NormalizerWithoutPunctuation("en", nonbreaking_prefixes("en"))
    phrases = Phrases(normalizer.words(line) for text in references for line in text.lines())
    entries = kept = 0
    with packed_lines(target) as add:
        for entry in _entries(table, progress):
            entries += 1
            if any(split(phrase) in phrases for phrase in entry[1:]):
                kept += 1
                for line in entry:
                    add(line)
        if not entries:
            raise InputMismatch(f"{table.name}: there is no entry")
    return Filtered(entries, kept)


def _entries(table: Text, progress: Progress) -> Iterator[tuple[str, ...]]:
    lines = table.lines(progress)
    first = 1
    while entry := tuple(islice(lines, 3)):
        try:
            to_float(entry[0])
        except ValueError:
            reason = f"expected a probability, found {entry[0][:40]!r}; is it a METEOR paraphrase table?"
            raise InvalidText(f"{table.name}:{first}", reason) from None
        if len(entry) < 3:
            raise InvalidText(
                f"{table.name}:{first}", "the last entry has fewer than three lines; the file is truncated"
            )
        first += 3
        yield entry
