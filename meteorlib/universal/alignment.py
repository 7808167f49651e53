"""Word alignments of parallel text, with eflomal (Östling & Tiedemann 2016)."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress, islice
from pathlib import Path
from types import ModuleType

from meteorlib.errors import ExtraMissing, MeteorError
from meteorlib.universal.texts import PROGRESS_INTERVAL, Progress, Text, no_progress, packed_lines, unpacked_lines

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

    The file is packed with gzip: ``0-0 1-2 …``, foreign word first. The aligner receives words as numbers, so that both
    agree on what a word is. It keeps all text in memory; text of more than `MAX_WORDS` words is divided into parts of
    equal size, which are aligned separately.
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


def part_sizes(sizes: Sequence[int]) -> list[int]:
    """Sentence pairs in each part of about `MAX_WORDS` words; sizes are words of a pair, 0 where it is not aligned."""
    total = sum(sizes)
    count = -(-total // MAX_WORDS)
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


Link = tuple[int, int]
"""Position of a foreign word, and of a word of the language."""

_NEIGHBORS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def grow_diag_final_and(forward: Iterable[Link], reverse: Iterable[Link]) -> list[Link]:
    """The symmetrized links (Koehn, Och & Marcu 2003; Koehn 2010, section 4.5.3), sorted.

    Start with the links of both alignments. Then repeatedly add links of either alignment that are neighbors (also
    diagonal ones) of a link, if one of their words has no link yet. Finally add links whose words both have none, first
    those of `forward`, then those of `reverse`.
    """
    forward, reverse = set(forward), set(reverse)
    if forward == reverse:
        return sorted(forward)
    either = forward | reverse
    in_order = sorted(either, key=lambda link: link[::-1])
    links = forward & reverse
    foreign, target = {i for i, _ in links}, {j for _, j in links}

    def add(link: Link) -> None:
        links.add(link)
        foreign.add(link[0])
        target.add(link[1])

    grown = True
    while grown:
        grown = False
        for link in in_order:
            if link not in links:
                continue
            for down, right in _NEIGHBORS:
                new = link[0] + down, link[1] + right
                if new in either and new not in links and not (new[0] in foreign and new[1] in target):
                    add(new)
                    grown = True
    for direction in (forward, reverse):
        for link in sorted(direction):
            if link[0] not in foreign and link[1] not in target:
                add(link)
    return sorted(links)
