"""Word alignments of parallel text, with eflomal (Östling & Tiedemann 2016)."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress, islice
from pathlib import Path
from types import ModuleType

from meteorlib.errors import ExtraMissing, MeteorError
from meteorlib.universal.gzip_lines import packed_lines, unpacked_lines
from meteorlib.universal.symmetry import Link, grow_diag_final_and
from meteorlib.universal.texts import PROGRESS_INTERVAL, Progress, Text, no_progress

MAX_SENTENCE_LENGTH = 100
"""Words of a sentence; pairs with a longer one are left out."""

MAX_LENGTH_RATIO = 9
"""Largest ratio of the words of both sentences; pairs with a larger one are left out."""


MAX_WORDS = 12_000_000
"""Maximum number of words passed to the aligner at a time; it takes some 150 bytes of memory for each."""


def eflomal() -> ModuleType:
    """The aligner.

    Raises:
        ExtraMissing: it is not installed.
    """
    try:
        import eflomal  # noqa: PLC0415 – an extra
    except ImportError:
        raise ExtraMissing("eflomal", "universal") from None
    return eflomal  # type: ignore[no-any-return]


def is_aligned(foreign: Sequence[str], target: Sequence[str]) -> bool:
    """Whether a sentence pair is used: neither empty nor too long nor too different in length."""
    short, long = sorted((len(foreign), len(target)))
    return short > 0 and long <= min(MAX_SENTENCE_LENGTH, MAX_LENGTH_RATIO * short)


def write_links(foreign: Text, target: Text, path: Path, scratch: Path, progress: Progress = no_progress) -> None:
    """Align the sentence pairs of two texts, and write the links of those that `is_aligned`, a line each.

    The aligner receives words as numbers, so that both agree on what a word is. It keeps all text in memory;
    text of more than `MAX_WORDS` words is divided into parts of equal size, which are aligned separately.

    Args:
        foreign: sentences of the other language.
        target: sentences of the language, equally many.
        path: the file to write, packed with gzip: ``0-0 1-2 …``, foreign word first.
        scratch: folder for temporary files.
        progress: callback, called with the sentence pairs symmetrized and the total.

    Raises:
        ExtraMissing: the aligner is not installed.
        MeteorError: it failed.
        OSError: a file cannot be written.
    """
    sizes = _pair_lengths(foreign, target)
    chosen = [size > 0 for size in sizes]
    sides = [_numbered_lines(side, chosen) for side in (foreign, target)]
    parts = ([islice(side, portion) for side in sides] for portion in part_sizes(sizes))
    pairs = chain.from_iterable(_align(part, scratch) for part in parts)
    count, done = sum(chosen), 0
    with packed_lines(path) as add:
        for done, pair in enumerate(pairs, 1):
            if done % PROGRESS_INTERVAL == 0:
                progress(done, count)
            add(" ".join([f"{i}-{j}" for i, j in grow_diag_final_and(*map(_links, pair))]))
        if done != count:
            raise MeteorError(f"eflomal aligned {done:,} of {count:,} sentence pairs; is there enough memory?")


def part_sizes(sizes: Sequence[int], most: int = MAX_WORDS) -> list[int]:
    """The number of sentence pairs in each part of the text.

    Args:
        sizes: words of each sentence pair, 0 for one that is not aligned.
        most: words of a part, about.
    """
    total = sum(sizes)
    count = -(-total // most)
    parts = [0] * count
    words = 0
    for size in filter(None, sizes):
        parts[words * count // total] += 1
        words += size
    return [part for part in parts if part]


def _pair_lengths(foreign: Text, target: Text) -> Sequence[int]:
    """Words of the longer sentence of each pair; 0 where it is not `is_aligned`."""
    pairs = zip(foreign.words(), target.words(), strict=True)
    return array("H", (max(map(len, pair)) if is_aligned(*pair) else 0 for pair in pairs))


def _align(sides: Iterable[Iterator[str]], scratch: Path) -> Iterator[tuple[str, str]]:
    """The links of each sentence pair, in both directions, as the aligner writes them."""
    forward, reverse = scratch / "forward", scratch / "reverse"
    try:
        eflomal().Aligner().align(*sides, links_filename_fwd=str(forward), links_filename_rev=str(reverse))
    except (OSError, RuntimeError, ValueError) as error:
        raise MeteorError(f"eflomal could not align the text ({error})") from error
    with forward.open() as one, reverse.open() as other:
        yield from zip(one, other, strict=False)


def read_links(path: Path) -> Iterator[list[Link]]:
    """The links of each sentence pair of such a file."""
    return map(_links, unpacked_lines(path))


def aligned_words(text: Text, foreign: Text, target: Text) -> Iterator[list[str]]:
    """The sentences of `text`, which is one of the two, whose pairs are aligned."""
    return compress(text.words(), map(is_aligned, foreign.words(), target.words()))


def _numbered_lines(text: Text, chosen: Sequence[bool]) -> Iterator[str]:
    numbers: dict[str, int] = {}
    for words in compress(text.words(), chosen):
        yield " ".join([str(numbers.setdefault(word, len(numbers))) for word in words]) + "\n"


def _links(line: str) -> list[Link]:
    links = []
    for link in line.split():
        foreign, _, target = link.partition("-")
        links.append((int(foreign), int(target)))
    return links
