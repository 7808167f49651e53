"""Word alignments of parallel text, with eflomal (Östling & Tiedemann 2016)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from pathlib import Path
from types import ModuleType

from meteorlib.errors import ExtraMissing, MeteorError
from meteorlib.universal.packing import packed_lines, unpacked_lines
from meteorlib.universal.symmetry import Link, grow_diag_final_and
from meteorlib.universal.texts import STRIDE, Progress, Text, nothing

LONGEST_SENTENCE = 100
"""Words of a sentence; pairs with a longer one are left out."""

LARGEST_RATIO = 9
"""Pairs are left out of which one sentence has more than so many times the words of the other."""


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
    """Whether a sentence pair is one to learn from: neither empty nor too long nor too different in length."""
    short, long = sorted((len(foreign), len(target)))
    return short > 0 and long <= min(LONGEST_SENTENCE, LARGEST_RATIO * short)


def write_links(foreign: Text, target: Text, path: Path, scratch: Path, progress: Progress = nothing) -> None:
    """Align the sentence pairs of two texts, and write the links of those that `is_aligned`, a line each.

    Words are told to the aligner as numbers, so that it takes for a word what is one here.

    Args:
        foreign: sentences of the other language.
        target: those of the language; as many.
        path: the file to write, packed with gzip: ``0-0 1-2 …``, foreign word first.
        scratch: a folder for files that are needed for a while.
        progress: told how much of the symmetrization is done.

    Raises:
        ExtraMissing: the aligner is not installed.
        MeteorError: it failed.
        OSError: a file cannot be written.
    """
    aligner = eflomal().Aligner()
    forward, reverse = scratch / "forward", scratch / "reverse"
    chosen = list(_chosen(foreign, target))
    sides = [_as_numbers(side, chosen) for side in (foreign, target)]
    try:
        aligner.align(*sides, links_filename_fwd=str(forward), links_filename_rev=str(reverse))
    except (OSError, RuntimeError, ValueError) as error:
        raise MeteorError(f"eflomal could not align the text ({error})") from error
    count = sum(chosen)
    done = 0
    with forward.open() as one, reverse.open() as other, packed_lines(path) as add:
        for done, pair in enumerate(zip(one, other, strict=False), 1):
            if done % STRIDE == 0:
                progress(done, count)
            add(" ".join([f"{i}-{j}" for i, j in grow_diag_final_and(*map(_links, pair))]))
        if done != count:
            raise MeteorError(f"eflomal aligned {done:,} of {count:,} sentence pairs; is there enough memory?")


def read_links(path: Path) -> Iterator[list[Link]]:
    """The links of each sentence pair of such a file."""
    return map(_links, unpacked_lines(path))


def aligned_words(text: Text, foreign: Text, target: Text) -> Iterator[list[str]]:
    """The sentences of `text`, which is one of the two, whose pairs are aligned."""
    return compress(text.words(), _chosen(foreign, target))


def _chosen(foreign: Text, target: Text) -> Iterator[bool]:
    return map(is_aligned, foreign.words(), target.words())


def _as_numbers(text: Text, chosen: Sequence[bool]) -> Iterator[str]:
    numbers: dict[str, int] = {}
    for words in compress(text.words(), chosen):
        yield " ".join([str(numbers.setdefault(word, len(numbers))) for word in words]) + "\n"


def _links(line: str) -> list[Link]:
    links = []
    for link in line.split():
        foreign, _, target = link.partition("-")
        links.append((int(foreign), int(target)))
    return links
