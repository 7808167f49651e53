"""Phrase tables from aligned parallel text: relative frequencies in both directions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice, pairwise
from pathlib import Path

import numpy as np
from attrs import frozen

from meteorlib.cancellation import check_cancel
from meteorlib.core.numbers_and_letters import java_double
from meteorlib.universal.phrases import (
    MAX_PHRASE_LENGTH,
    Array,
    Flags,
    Keys,
    Numbering,
    number_words,
    write_array,
    zeros_on_disk,
)
from meteorlib.universal.pivot import MINIMUM, SYMBOLS
from meteorlib.universal.texts import (
    Link,
    Progress,
    Text,
    aligned_words,
    no_progress,
    packed_lines,
    partial_progress,
    read_links,
)

BATCH_SIZE = 20_000
"""Sentence pairs of which phrases are extracted at a time."""

_ROWS_PER_BLOCK = 1 << 16
"""Rows that are numbers of Python's at a time, which take more memory than those of arrays."""

MAX_PAIRS = 8_000_000
"""Pairs in memory; some 200 MB while they are sorted."""

_SHIFT = 32

Spans = tuple[Array, Array, Array, Array]
"""Foreign phrases and phrases of the language: first word and number of words of each."""

_NO_LINK = np.iinfo(np.int32).max


@frozen(eq=False)
class _Phrases:
    """The phrases of one language by number, and the number of words of each sentence."""

    numbering: Numbering
    lengths: Array
    usable: Flags
    """For each phrase, whether it has no symbol and at least one uncommon word."""


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
        """
        folders = [scratch / "foreign", scratch / "target"]
        for folder in folders:
            folder.mkdir()
        texts = [aligned_words(text, self.foreign, self.target) for text in (self.foreign, self.target)]
        foreign = _phrases(texts[0], self.foreign_words, folders[0], partial_progress(progress, 0.0, 0.2))
        sentences = len(foreign.lengths)
        lines = chain(texts[1], self.wanted.words())
        target = _phrases(lines, self.target_words, folders[1], partial_progress(progress, 0.2, 0.4))
        counts = PairCounts(scratch)
        _count(read_links(self.links), foreign, target, counts, partial_progress(progress, 0.4, 0.7))
        totals = tuple(
            zeros_on_disk(len(side.numbering), folders[index] / "totals.npy")
            for index, side in enumerate((foreign, target))
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

    def _rows(
        self,
        pairs: tuple[Array, Array],
        seen: Keys,
        totals: tuple[Keys, ...],
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


def _phrases(lines: Iterable[list[str]], common: frozenset[str], folder: Path, progress: Progress) -> _Phrases:
    words, text, lengths = number_words(lines)
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
    starts: Array = begins + side.sentences[begins] + place
    return starts


@frozen(eq=False)
class Side:
    """The words of one language in many sentences, one behind the other.

    Attributes:
        sentences: for each word, the index of its sentence.
        first: for each word, the first linked word of the other side; a large number if there is none.
        last: for each word, the last linked word of the other side; -1 if there is none.
    """

    sentences: Array
    first: Array
    last: Array

    @classmethod
    def of(cls, lengths: Array, own: Keys, others: Keys) -> Side:
        """A side of sentences of these lengths; for each link, its own and the other word, counted through all."""
        count = int(lengths.sum())
        first = np.full(count, _NO_LINK, dtype=np.int32)
        last = np.full(count, -1, dtype=np.int32)
        np.minimum.at(first, own, others)
        np.maximum.at(last, own, others)
        return cls(np.repeat(np.arange(len(lengths), dtype=np.int32), lengths), first, last)

    def spans(self) -> Iterator[tuple[int, Array, Array, Array]]:
        """For each number of words: the beginnings of all phrases, the first and the last word they are linked with."""
        first, last = self.first, self.last
        begins = np.arange(len(first), dtype=np.int32)
        for length in range(1, min(MAX_PHRASE_LENGTH, len(begins)) + 1):
            if length > 1:
                within = self.sentences[length - 1 :] == self.sentences[: len(self.sentences) - length + 1]
                begins = np.flatnonzero(within).astype(np.int32)
                first = np.minimum(first[: len(within)], self.first[length - 1 :])
                last = np.maximum(last[: len(within)], self.last[length - 1 :])
            yield length, begins, first[begins], last[begins]

    def free_runs(self) -> tuple[Array, Array]:
        """For each word, the number of unlinked words right before and right after it in its sentence."""
        free = self.last < 0
        before, behind = (np.zeros(len(free), dtype=np.int32) for _ in range(2))
        same = self.sentences[1:] == self.sentences[:-1]
        for _ in range(MAX_PHRASE_LENGTH - 1):
            before[1:] = np.where(same & free[:-1], before[:-1] + 1, 0)
            behind[:-1] = np.where(same & free[1:], behind[1:] + 1, 0)
        return before, behind


def phrase_pairs(foreign: Side, target: Side) -> Iterator[Spans]:
    """All phrase pairs of up to `MAX_PHRASE_LENGTH` words that are consistent with the alignment.

    A pair contains at least one link, and no link leaves it. Either phrase may have words without a link at its ends.
    """
    ranges = {length: (first, last) for length, first, last in _spans_by_start(foreign)}
    before, behind = foreign.free_runs()
    for length, *span in target.spans():
        linked = span[2] >= 0
        begins, first, last = (numbers[linked] for numbers in span)
        sizes = last - first + 1
        for size, (firsts, lasts) in ranges.items():
            chosen = sizes == size
            begin, start = begins[chosen], first[chosen]
            closed = (firsts[start] >= begin) & (lasts[start] < begin + length)
            begin, start = begin[closed], start[closed]
            yield from _with_free_ends(begin, length, start, size, before, behind)


def _spans_by_start(side: Side) -> Iterator[tuple[int, Array, Array]]:
    """The first and the last word linked with each phrase, by where it begins."""
    for length, begins, first, last in side.spans():
        firsts = np.full(len(side.first), _NO_LINK, dtype=np.int32)
        lasts = np.full(len(side.first), -1, dtype=np.int32)
        firsts[begins], lasts[begins] = first, last
        yield length, firsts, lasts


def _with_free_ends(
    begin: Array, length: int, start: Array, size: int, before: Array, behind: Array
) -> Iterator[Spans]:
    """The given pairs, and their extensions by unlinked foreign words at the ends."""
    for left in range(MAX_PHRASE_LENGTH - size + 1):
        fits = before[start] >= left
        if not fits.any():
            break
        for right in range(MAX_PHRASE_LENGTH - size - left + 1):
            chosen = fits & (behind[start + (size - 1)] >= right)
            if not chosen.any():
                break
            count = int(chosen.sum())
            yield (
                (start[chosen] - left).astype(np.int32),
                np.full(count, size + left + right, dtype=np.int32),
                begin[chosen],
                np.full(count, length, dtype=np.int32),
            )


class PairCounts:
    """Pairs of numbers below 2^31, counted in portions of `MAX_PAIRS` that are sorted and kept in files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._waiting: list[Keys] = []
        self._size = 0
        self._runs: list[tuple[Keys, Array]] = []

    def add(self, firsts: Array, seconds: Array) -> None:
        """Count pairs, of which some may be equal."""
        self._waiting.append(firsts.astype(np.int64) << _SHIFT | seconds)
        self._size += len(firsts)
        if self._size >= MAX_PAIRS:
            self._write()

    def _write(self) -> None:
        if not self._waiting:
            return
        keys, counts = np.unique(np.concatenate(self._waiting), return_counts=True)
        self._waiting.clear()
        self._size = 0
        number = len(self._runs)
        paths = self._folder / f"pairs-{number}.npy", self._folder / f"counts-{number}.npy"
        self._runs.append((write_array(keys, paths[0]), write_array(counts.astype(np.int32), paths[1])))

    def portions(self) -> Iterator[tuple[Array, Array, Keys]]:
        """First numbers, second numbers and counts of all pairs, sorted; all pairs with one first number together."""
        self._write()
        if not self._runs:
            return
        for low, high in self._bounds():
            keys, counts = [], []
            for run, run_counts in self._runs:
                begin, end = np.searchsorted(run, (low, high))
                keys.append(run[begin:end])
                counts.append(run_counts[begin:end])
            both = np.concatenate(keys)
            order = np.argsort(both, kind="stable")
            both, seen = both[order], np.concatenate(counts)[order]
            if not len(both):
                continue
            begins = np.flatnonzero(np.concatenate(([True], both[1:] != both[:-1])))
            pairs = both[begins]
            total = np.add.reduceat(seen, begins, dtype=np.int64)
            yield (pairs >> _SHIFT).astype(np.int32), (pairs & (2**_SHIFT - 1)).astype(np.int32), total

    def _bounds(self) -> Iterator[tuple[int, int]]:
        """Ranges of keys that hold about as many pairs as may be in memory, and all pairs of a first number."""
        size = sum(len(run) for run, _ in self._runs)
        sample = np.sort(np.concatenate([run[:: max(len(run) // 1000, 1)] for run, _ in self._runs]))
        parts = size // MAX_PAIRS + 1
        cuts = {int(sample[len(sample) * part // parts]) >> _SHIFT << _SHIFT for part in range(1, parts)}
        edges = [0, *sorted(cuts - {0}), 2**63 - 1]
        yield from pairwise(edges)
