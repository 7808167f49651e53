"""Phrase tables from aligned parallel text: relative frequencies in both directions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt
from attrs import frozen

from meteorlib.cancellation import check_cancel
from meteorlib.core.java import java_double
from meteorlib.universal.alignment import aligned_words, read_links
from meteorlib.universal.arrays import zeros_on_disk
from meteorlib.universal.extraction import Array, Side, phrase_pairs
from meteorlib.universal.gzip_lines import packed_lines
from meteorlib.universal.phrase_counts import PairCounts
from meteorlib.universal.phrase_numbers import Flags, Numbering, number_words
from meteorlib.universal.pivot import MINIMUM, SYMBOLS
from meteorlib.universal.symmetry import Link
from meteorlib.universal.texts import Progress, Text, no_progress, partial_progress

BATCH_SIZE = 20_000
"""Sentence pairs of which phrases are extracted at a time."""

_ROWS_PER_BLOCK = 1 << 16
"""Rows that are numbers of Python's at a time, which take more memory than those of arrays."""


@frozen(eq=False)
class _Phrases:
    """The phrases of one language.

    Attributes:
        numbering: numbers of the phrases.
        lengths: number of words of each sentence.
        usable: for each phrase, whether it has no symbol and at least one uncommon word.
    """

    numbering: Numbering
    lengths: Array
    usable: Flags


@frozen
class Parallel:
    """Parallel text, and the phrases to take from it.

    Attributes:
        foreign, target: the two texts, with equally many lines.
        links: the word alignments, in the format of `write_links`.
        foreign_words, target_words: common words.
        wanted: text with the phrases to paraphrase.
        minimum: minimum probability of a translation.
    """

    foreign: Text
    target: Text
    links: Path
    foreign_words: frozenset[str]
    target_words: frozenset[str]
    wanted: Text
    minimum: float = MINIMUM

    def write_table(self, path: Path, scratch: Path, progress: Progress = no_progress) -> None:
        """Write the rows that paraphrases can come of: ``f ||| e ||| φ(f|e) 1 φ(e|f) 1``, foreign phrases together.

        Lexical weights are not used here and are written as 1. All phrase pairs are counted, but rows that cannot give
        a paraphrase are left out: rows with symbols, of common words only, improbable in both directions, or of foreign
        phrases that translate no wanted phrase.

        Args:
            path: the gzip file to write.
            scratch: folder for temporary files.
            progress: callback, called with the work done and the total.

        Raises:
            OSError: a file cannot be written, for example because the disk is full.
        """
        folders = [scratch / "foreign", scratch / "target"]
        for folder in folders:
            folder.mkdir()
        foreign = _phrases(
            self._words(self.foreign), (), self.foreign_words, folders[0], partial_progress(progress, 0.0, 0.2)
        )
        sentences = len(foreign.lengths)
        target = _phrases(
            self._words(self.target),
            self.wanted.words(),
            self.target_words,
            folders[1],
            partial_progress(progress, 0.2, 0.4),
        )
        counts = PairCounts(scratch)
        _count(read_links(self.links), foreign, target, counts, partial_progress(progress, 0.4, 0.7))
        totals = tuple(
            zeros_on_disk(len(side.numbering), folders[place] / "totals.npy")
            for place, side in enumerate((foreign, target))
        )
        for firsts, seconds, seen in counts.portions():
            for total, numbers in zip(totals, (firsts, seconds), strict=True):
                np.add.at(total, numbers, seen)
        wanted = target.usable & target.numbering.within(int(target.lengths[:sentences].sum()) + sentences)
        advance = partial_progress(progress, 0.7, 1.0)
        with packed_lines(path) as add:
            for firsts, seconds, seen in counts.portions():
                for line in self._rows((firsts, seconds), seen, totals, (foreign, target), wanted):
                    add(line)
                advance(int(firsts[-1]), len(foreign.numbering))

    def _words(self, text: Text) -> Iterator[list[str]]:
        return aligned_words(text, self.foreign, self.target)

    def _rows(
        self,
        pairs: tuple[Array, Array],
        seen: npt.NDArray[np.int64],
        totals: tuple[npt.NDArray[np.int64], ...],
        sides: tuple[_Phrases, _Phrases],
        wanted: Flags,
    ) -> Iterator[str]:
        firsts, seconds = pairs
        direct, inverse = seen / totals[0][firsts], seen / totals[1][seconds]
        usable = sides[0].usable[firsts] & sides[1].usable[seconds]
        references = usable & wanted[seconds] & (inverse >= self.minimum)
        pivots = np.unique(firsts[references])
        chosen = np.flatnonzero(usable & (references | (direct >= self.minimum)) & np.isin(firsts, pivots))
        for begin in range(0, len(chosen), _ROWS_PER_BLOCK):
            here = chosen[begin : begin + _ROWS_PER_BLOCK]
            columns = (numbers[here].tolist() for numbers in (firsts, seconds, inverse, direct))
            for first, second, back, forth in zip(*columns, strict=True):
                names = sides[0].numbering.phrase(first), sides[1].numbering.phrase(second)
                yield f"{names[0]} ||| {names[1]} ||| {java_double(back)} 1 {java_double(forth)} 1"


def _phrases(
    sentences: Iterable[list[str]],
    more: Iterable[list[str]],
    common: frozenset[str],
    folder: Path,
    progress: Progress,
) -> _Phrases:
    """The phrases of some sentences, and of more lines behind them."""
    words, text, lengths = number_words(line for part in (sentences, more) for line in part)
    numbering = Numbering(words, text, folder, progress)
    symbols = np.array([bool(SYMBOLS.search(word)) for word in words], dtype=np.bool_)
    are_common = np.array([word in common for word in words], dtype=np.bool_)
    usable = ~numbering.flagged(symbols, np.logical_or) & ~numbering.flagged(are_common, np.logical_and)
    return _Phrases(numbering, lengths, usable)


def _count(
    links: Iterable[list[Link]], foreign: _Phrases, target: _Phrases, counts: PairCounts, progress: Progress
) -> None:
    done, places = 0, (0, 0)
    links = iter(links)
    while portion := list(islice(links, BATCH_SIZE)):
        check_cancel()
        lengths = [side.lengths[done : done + len(portion)] for side in (foreign, target)]
        begins = [np.cumsum(these) - these for these in lengths]
        linked = [
            np.array([begin + link[side] for begin, these in zip(begins[side], portion, strict=True) for link in these])
            for side in (0, 1)
        ]
        own, other = (np.asarray(numbers, dtype=np.int64) for numbers in linked)
        sides = Side.of(lengths[0], own, other), Side.of(lengths[1], other, own)
        for first, size, second, length in phrase_pairs(*sides):
            counts.add(
                foreign.numbering.at(_in_text(first, sides[0], places[0]), size),
                target.numbering.at(_in_text(second, sides[1], places[1]), length),
            )
        done += len(portion)
        places = places[0] + len(sides[0].sentences) + len(portion), places[1] + len(sides[1].sentences) + len(portion)
        progress(done, len(foreign.lengths))


def _in_text(begins: Array, side: Side, place: int) -> Array:
    """Starts of phrases in the text, in which every sentence is followed by one more number."""
    found: Array = begins + side.sentences[begins] + place
    return found
