"""Paraphrases of a phrase table, in the files that METEOR 1.5's Parex writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from attrs import frozen

from meteorlib.resources.store.atomic_file import write_atomically
from meteorlib.universal.gzip_lines import packed_lines, unpacked_lines
from meteorlib.universal.phrases import Phrases
from meteorlib.universal.pivot import MINIMUM, PivotParaphraser, raw_paraphrases
from meteorlib.universal.pivot_merge import Line, Paraphrase, merge_paraphrases, sort_paraphrases
from meteorlib.universal.texts import Progress, Text, common_words, no_progress, partial_progress

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

            def each() -> Iterator[Line]:
                raw = unpacked_lines(self.folder / RAW, partial_progress(progress, 0.0, 0.5))
                for line in sort_paraphrases(raw, self.folder, partial_progress(progress, 0.5, 1.0)):
                    add(" ||| ".join(line))
                    yield line

            for paraphrase in merge_paraphrases(each()):
                add_final(paraphrase.line)

    def paraphrases(self) -> Iterator[Paraphrase]:
        """The paraphrases found."""
        for line in unpacked_lines(self.folder / FINAL):
            reference, phrase, probability = line.split(" ||| ")
            yield Paraphrase(reference, phrase, float(probability.replace("Infinity", "inf")))
