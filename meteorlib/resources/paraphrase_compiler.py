"""Compiler from a METEOR paraphrase table to a memory-mapped index.

The index is a trie of words over flat arrays. A node is a sequence of words that is a phrase or the beginning of one.
Nodes are numbered level by level (by their number of words) and within a level in word order. So the children of a node
are contiguous, in the order of their last words, and a word's own number is that of its one-word node.

Layout: `WORDS` is a table of all words, whose places in it are their nodes; `NODES` has three numbers for each node n,
and one more triple at the end. The paraphrases of n are ``TARGETS[NODES[3 * n]:NODES[3 * n + 3]]``, in the order of the
file, its children are the nodes from ``NODES[3 * n + 1]`` to before ``NODES[3 * n + 4]``, and its last word is
``NODES[3 * n + 2]``.

`CHILDREN` is a hash table, in which the compiled engine finds the child of a node by its last word. An entry is the
number of a node, in as many low bits as the count of nodes needs, and bits of the hash above; 0 is a free place. A
search begins at the place that the hash says, and goes on to the next free place.
"""

from __future__ import annotations

import gzip
import re
import zlib
from array import array
from codecs import BOM_UTF8
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import chain, compress, count
from operator import ne
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from meteorlib.resources.meteor_tables import CHILDREN, NODES, TARGETS, WORDS, room_for_children
from meteorlib.resources.store.compression import MAX_LINE_BYTES, Progress, Source
from meteorlib.resources.store.manifest import Manifest, sha256_of
from meteorlib.resources.store.record_table import RecordTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[Any]

_CHUNK = 1 << 16  # phrases that are split together
_BLOCK = 1 << 20
_BLANKS = re.compile(rb"[ \t\r\f]+")
_READING, _WORDS, _WRITING = 0.65, 0.8, 0.95  # shares of the total time, for the progress


def _numbering() -> defaultdict[bytes, int]:
    """Phrase or word → its number, in the order of first appearance."""
    return defaultdict(count().__next__)


class _Entries:
    """A table in memory: numbered phrases, and groups of consecutive entries with the same source."""

    def __init__(self) -> None:
        self.numbers = _numbering()
        self.targets = array("I")
        self.group_sources = array("I")
        self.group_starts = array("I")

    def add(self, sources: list[bytes], targets: list[bytes], previous: bytes | None) -> None:
        start = len(self.targets)
        self.targets.extend(map(self.numbers.__getitem__, targets))
        changes = [*map(ne, sources, chain([previous], sources))]
        self.group_sources.extend(map(self.numbers.__getitem__, compress(sources, changes)))
        self.group_starts.extend(compress(range(start, len(self.targets)), changes))


def compile_paraphrases(
    source_gz: Path, target_dir: Path, progress: Progress, name: str = "paraphrase-en", *, if_empty: bool = False
) -> None:
    """Compile `source_gz` into the empty folder `target_dir`.

    The source is gzip, UTF-8, three lines an entry: a probability, the source phrase, the target phrase. Only LF ends a
    line; runs of blanks (space, tab, CR, FF) in a phrase are one space, at its ends none, as in METEOR 1.5. METEOR 1.5
    accepts a table without entries, which is compiled only with `if_empty`.
    """
    source = Source(source_gz, name, lambda share: progress(_READING * share))
    entries, phrases = _read_entries(source, tidy=False, if_empty=if_empty)
    words, ids, lengths = _split_words(phrases)
    if any(not word or _BLANKS.search(word) for word in words):  # as other blanks than single spaces leave
        entries, phrases = _read_entries(source, tidy=True, if_empty=if_empty)
        words, ids, lengths = _split_words(phrases)
    phrase_count = len(phrases)
    del phrases
    progress(_WORDS)
    files = {
        WORDS: RecordTable.of_words(dict.fromkeys(words, ())).data,
        **_array_files(len(words), *_number_nodes(len(words), ids, lengths), entries),
    }
    progress(_WRITING)
    Manifest.write_index(
        target_dir,
        files,
        resource=name,
        source_sha256=sha256_of(source_gz),
        source_size=source_gz.stat().st_size,
        entries=len(entries.targets),
        phrases=phrase_count,
    )
    progress(1.0)


def compile_file(table: Path, target_dir: Path, name: str) -> None:
    """Compile a table that a preset names; see `compile_paraphrases`."""
    compile_paraphrases(table, target_dir, lambda _share: None, name, if_empty=True)


def _read_entries(source: Source, *, tidy: bool, if_empty: bool) -> tuple[_Entries, list[bytes]]:
    """Read all entries; and the phrases in the order of their numbers."""
    entries = _Entries()
    size = source.path.stat().st_size
    with source.path.open("rb") as raw:
        previous = None
        for sources, targets in _read_blocks(raw, source, tidy=tidy):
            entries.add(sources, targets, previous)
            previous = sources[-1]
            source.progress(min(raw.tell() / size, 1.0))
    if not entries.targets and if_empty and size:
        entries.add([b""], [b""], None)  # an index needs an entry, and the empty phrase never matches
    if not entries.targets:
        raise source.malformed_error(0, "there is no entry")
    phrases = list(entries.numbers)
    entries.numbers.clear()
    return entries, phrases


def _split_words(phrases: list[bytes]) -> tuple[list[bytes], Numbers, Numbers]:
    """All words, in order; the numbers of the words of each phrase, one phrase after the other; their lengths."""
    import numpy as np  # noqa: PLC0415 – scoring needs no numpy

    numbers, ids, lengths = _numbering(), array("I"), array("I")
    for start in range(0, len(phrases), _CHUNK):
        chunk = phrases[start : start + _CHUNK]
        ids.extend(map(numbers.__getitem__, b" ".join(chunk).split(b" ")))
        lengths.extend([phrase.count(b" ") + 1 for phrase in chunk])
    words = sorted(numbers)
    ranks = np.empty(len(words), np.uint32)
    ranks[[numbers[word] for word in words]] = np.arange(len(words), dtype=np.uint32)
    return words, ranks[np.frombuffer(ids, np.uint32)], np.frombuffer(lengths, np.uint32).astype(np.int64)


def _number_nodes(word_count: int, ids: Numbers, lengths: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Number every word, every phrase and every beginning of a phrase.

    Returns the last word of each node; the parent of each node that is not a word; the node of each phrase.
    """
    import numpy as np  # noqa: PLC0415 – scoring needs no numpy

    begins = lengths.cumsum() - lengths
    nodes = ids[begins].astype(np.uint64)
    last_words, parents, count = [np.arange(word_count, dtype=np.uint64)], [np.empty(0, np.uint64)], word_count
    longer = np.flatnonzero(lengths > 1)
    level = 1
    while len(longer):
        keys = nodes[longer] << np.uint64(32) | ids[begins[longer] + level]
        distinct, places = np.unique(keys, return_inverse=True)
        nodes[longer] = count + places
        parents.append(distinct >> np.uint64(32))
        last_words.append(distinct & np.uint64(0xFFFFFFFF))
        count += len(distinct)
        level += 1
        longer = longer[lengths[longer] > level]
    return np.concatenate(last_words), np.concatenate(parents), nodes


def _array_files(
    word_count: int, last_words: Numbers, parents: Numbers, nodes: Numbers, entries: _Entries
) -> dict[str, bytes]:
    import numpy as np  # noqa: PLC0415 – scoring needs no numpy

    count = len(last_words)
    starts = np.frombuffer(entries.group_starts, np.uint32).astype(np.int64)
    sizes: Numbers = np.diff(starts, append=len(entries.targets))
    sources = np.repeat(nodes[np.frombuffer(entries.group_sources, np.uint32)], sizes)
    targets = nodes[np.frombuffer(entries.targets, np.uint32)][sources.argsort(kind="stable")]
    triples = np.zeros((count + 1, 3), np.uint32)
    triples[1:, 0] = np.bincount(sources.astype(np.int64), minlength=count).cumsum()
    triples[0, 1] = word_count
    triples[1:, 1] = word_count + np.bincount(parents.astype(np.int64), minlength=count).cumsum()
    triples[:-1, 2] = last_words
    return {
        NODES: triples.tobytes(),
        TARGETS: targets.astype(np.uint32).tobytes(),
        CHILDREN: _hash_children(word_count, last_words, parents).tobytes(),
    }


def _hash_children(word_count: int, last_words: Numbers, parents: Numbers) -> Numbers:
    """The nodes that are not words by parent and last word; see above for the layout."""
    import numpy as np  # noqa: PLC0415 – scoring needs no numpy

    bits, multiplier, half = np.uint64(len(last_words).bit_length()), np.uint64(0x9E3779B97F4A7C15), np.uint64(32)
    hashes = (parents << half | last_words[word_count:]) * multiplier
    hashes = (hashes ^ hashes >> half) * multiplier
    room = room_for_children(len(parents))
    homes = ((hashes >> half) * np.uint64(room) >> half).astype(np.int64)
    order = homes.argsort(kind="stable")
    steps = np.arange(len(parents))
    # each node at its home or, where hashes collide, at the next free place
    places = np.maximum.accumulate(homes[order] - steps) + steps
    table = np.zeros(max([room, *(places[-1:] + 1)]), np.uint32)
    table[places] = (hashes << bits | np.arange(word_count, len(last_words), dtype=np.uint64))[order].astype(np.uint32)
    return table


def _read_blocks(raw: BinaryIO, source: Source, *, tidy: bool) -> Iterator[tuple[list[bytes], list[bytes]]]:
    """Read source and target phrases, in blocks of entries; if `tidy`, runs of blanks are made one space."""
    line, rest = 1, b""
    with gzip.GzipFile(fileobj=raw) as file:
        while True:
            try:
                data = file.read(_BLOCK)
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:  # the last also for a wrong checksum
                reason = f"gzip is damaged, or this is not gzip ({error})"
                raise source.malformed_error(line + rest.count(b"\n"), reason) from error
            block = rest + data
            if line == 1:
                block = block.removeprefix(BOM_UTF8)
            if not data and block and not block.endswith(b"\n"):
                block += b"\n"
            lines = block.split(b"\n")
            count = (len(lines) - 1) // 3 * 3
            rest = b"\n".join(lines[count:])
            if len(rest) > 3 * MAX_LINE_BYTES:
                reason = f"an entry, three lines, has more than {3 * MAX_LINE_BYTES:,} bytes"
                raise source.malformed_error(line + count, reason)
            if count:
                del lines[count:]
                _check_lines(lines, block[: len(block) - len(rest)], line, source)
                if tidy:
                    lines = [_BLANKS.sub(b" ", line).strip(b" ") for line in lines]
                yield lines[1::3], lines[2::3]
                line += count
            if not data:
                break
    if rest:
        last = line + rest.count(b"\n") - 1
        raise source.malformed_error(last, "the number of lines is not a multiple of three")


def _check_lines(lines: list[bytes], text: bytes, first: int, source: Source) -> None:
    try:
        text.decode()
        for _ in map(float, lines[::3]):
            pass
    except UnicodeDecodeError:
        number = first + next(index for index, line in enumerate(lines) if not _accepts(bytes.decode, line))
        raise source.malformed_error(number, "not UTF-8") from None
    except ValueError:
        number, line = next((first + 3 * i, line) for i, line in enumerate(lines[::3]) if not _accepts(float, line))
        shown = line[:40].decode(errors="replace")
        raise source.malformed_error(number, f"expected a probability, found {shown!r}") from None


def _accepts(function: Callable[[bytes], object], line: bytes) -> bool:
    try:
        function(line)
    except ValueError:
        return False
    return True
