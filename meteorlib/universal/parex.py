"""Paraphrases of a phrase table, as METEOR 1.5's Parex writes them; their summary, and those that references need."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import nlargest, nsmallest
from itertools import islice
from operator import attrgetter
from pathlib import Path

from attrs import frozen

from meteorlib.core.numbers_and_letters import java_double, to_float
from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.resources.store.shared_files import write_atomically
from meteorlib.resources.word_lists import nonbreaking_prefixes
from meteorlib.text.normalizer import NormalizerWithoutPunctuation
from meteorlib.text.token import split
from meteorlib.universal.phrases import Phrases
from meteorlib.universal.pivot import (
    MINIMUM,
    Line,
    Paraphrase,
    PivotParaphraser,
    merge_paraphrases,
    raw_paraphrases,
    sort_paraphrases,
)
from meteorlib.universal.texts import (
    Progress,
    Text,
    common_words,
    no_progress,
    packed_lines,
    partial_progress,
    unpacked_lines,
)

FOREIGN_WORDS, TARGET_WORDS = "parex.f", "parex.e"
RAW, GROUPED, FINAL = "parex.raw.gz", "parex.group.gz", "paraphrase.gz"


@frozen
class Parex:
    """The files of METEOR 1.5's ``Parex`` in a folder; the same lines, those of the word lists in an order of ours.

    Existing files are not made again, so an interrupted run continues.

    Attributes:
        folder: the folder of the files.
        step: called when a step begins; returns the callback for its progress.
    """

    folder: Path
    step: Callable[[str], Progress] = lambda _: no_progress

    def words(self, foreign: Text, target: Text) -> None:
        """Write the common words of both languages (`FOREIGN_WORDS`, `TARGET_WORDS`).

        Raises:
            InvalidText: a file is not text.
            OSError: the folder cannot be written to.
        """
        for name, text in ((FOREIGN_WORDS, foreign), (TARGET_WORDS, target)):
            if not (self.folder / name).exists():
                words = common_words(text, self.step(f"words of {text.name}"))
                write_atomically(self.folder / name, "".join(f"{word}\n" for word in words).encode())

    def common(self, name: str) -> tuple[str, ...]:
        """The words of one of those lists."""
        return tuple((self.folder / name).read_text("utf-8").split("\n")[:-1])

    def pivot(
        self,
        table: Text,
        wanted: Text,
        *,
        minimum: float = MINIMUM,
        skipped: Callable[[str], object] = lambda _: None,
        together: bool = False,
    ) -> None:
        """Write the paraphrases by each pivot (`RAW`).

        Args:
            table: the phrase table.
            wanted: text with the phrases to paraphrase.
            minimum: minimum probability of a translation, and of a paraphrase.
            skipped: callback, called with each unreadable row.
            together: whether the rows of each foreign phrase are known to be adjacent.

        Raises:
            InputMismatch: no row of the table can be read.
            InvalidText: a file is not text.
            OSError: the folder cannot be written to.
        """
        if (self.folder / RAW).exists():
            return
        foreign, target = (frozenset(self.common(name)) for name in (FOREIGN_WORDS, TARGET_WORDS))
        paraphrasing = PivotParaphraser(foreign, target, Phrases(wanted.words()), minimum)
        progress = self.step("pivot")
        with packed_lines(self.folder / RAW) as add:
            for line in raw_paraphrases(table, paraphrasing, self.folder, skipped, progress, grouped=together):
                add(line)

    def combine(self) -> None:
        """Write the paraphrases sorted (`GROUPED`), and those of several pivots as one (`FINAL`).

        Raises:
            OSError: the folder cannot be written to.
        """
        if (self.folder / FINAL).exists():
            return
        progress = self.step("combining")
        with packed_lines(self.folder / FINAL) as add_final, packed_lines(self.folder / GROUPED) as add:

            def sorted_lines() -> Iterator[Line]:
                raw = unpacked_lines(self.folder / RAW, partial_progress(progress, 0.0, 0.5))
                for line in sort_paraphrases(raw, self.folder, partial_progress(progress, 0.5, 1.0)):
                    add(" ||| ".join(line))
                    yield line

            for paraphrase in merge_paraphrases(sorted_lines()):
                add_final(paraphrase.line)

    def paraphrases(self) -> Iterator[Paraphrase]:
        """The paraphrases found."""
        for line in unpacked_lines(self.folder / FINAL):
            reference, phrase, probability = line.split(" ||| ")
            yield Paraphrase(reference, phrase, float(probability.replace("Infinity", "inf")))


SAMPLE_SIZE = 20
"""Paraphrases of each sort."""

_BANDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
_SEED = 12345


@frozen
class Contents:
    """Counts and samples of a table.

    Attributes:
        entries: number of paraphrases.
        references: number of phrases with a paraphrase.
        lengths: number of words of a phrase → number of its paraphrases.
        bands: lower bound of the probability → number of paraphrases.
        most, least: the most and the least probable paraphrases.
        drawn: a random sample with a fixed seed.
    """

    entries: int
    references: int
    lengths: Mapping[int, int]
    bands: Mapping[float, int]
    most: Sequence[Paraphrase]
    least: Sequence[Paraphrase]
    drawn: Sequence[Paraphrase]

    @classmethod
    def of(cls, paraphrases: Iterable[Paraphrase]) -> Contents:
        """Summarize a table in which the paraphrases of a phrase are adjacent."""
        chance = random.Random(_SEED)  # noqa: S311 – a sample
        lengths: Counter[int] = Counter()
        bands: Counter[float] = Counter(dict.fromkeys(_BANDS, 0))
        most: list[Paraphrase] = []
        least: list[Paraphrase] = []
        drawn: list[Paraphrase] = []
        held: list[Paraphrase] = []
        entries = references = 0
        before = None
        for paraphrase in paraphrases:
            entries += 1
            references += paraphrase.reference != before
            before = paraphrase.reference
            lengths[paraphrase.reference.count(" ") + 1] += 1
            bands[max((band for band in _BANDS if band <= paraphrase.probability), default=_BANDS[0])] += 1
            if len(drawn) < SAMPLE_SIZE:
                drawn.append(paraphrase)
            elif (place := chance.randrange(entries)) < SAMPLE_SIZE:
                drawn[place] = paraphrase
            held.append(paraphrase)
            if len(held) == 10_000:
                most, least = _extremes(most, least, held)
                held.clear()
        most, least = _extremes(most, least, held)
        return cls(entries, references, dict(sorted(lengths.items())), bands, most, least, drawn)

    def text(self, heading: str, facts: Mapping[str, str], words: Sequence[str]) -> str:
        """The report, with further facts by name, and the function words."""
        facts = {
            **facts,
            "function words": f"{len(words):,}",
            "paraphrases": f"{self.entries:,}",
            "phrases that have one": f"{self.references:,}",
        }
        width = max(map(len, facts))
        lines = [heading, "", *(f"{name:<{width}}  {value}" for name, value in facts.items())]
        lines += ["", f"most frequent function words: {' '.join(words[:50]) or 'none'}"]
        lines += ["", "paraphrases by words of the phrase"]
        lines += [f"{length:>9}  {count:,}" for length, count in self.lengths.items()]
        lines += ["", "paraphrases by probability"]
        lines += [f"{f'from {band}':>9}  {count:,}" for band, count in self.bands.items()]
        for title, sample in (("most probable", self.most), ("least probable", self.least), ("drawn", self.drawn)):
            lines += [
                "",
                title,
                *(f"  {row.reference} → {row.phrase}  {java_double(row.probability)}" for row in sample),
            ]
        return "".join(f"{line}\n" for line in lines)


def _extremes(
    most: list[Paraphrase], least: list[Paraphrase], held: list[Paraphrase]
) -> tuple[list[Paraphrase], list[Paraphrase]]:
    key = attrgetter("probability")
    return nlargest(SAMPLE_SIZE, most + held, key=key), nsmallest(SAMPLE_SIZE, least + held, key=key)


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
