"""Compiler from a METEOR paraphrase table to a memory-mapped index.

The index is a trie of words over flat arrays. A node is a sequence of words that is a phrase or the beginning of one.
Nodes are numbered level by level (by their number of words) and within a level in word order. So the children of a node
are contiguous, in the order of their last words, and a word's own number is that of its one-word node.

Layout: `WORDS` is a static trie (marisa) of all words; `NUMBERS` gives the node of each of its keys; `LAST_WORDS` holds
the last word of every node; `NODES` has two numbers for each node n, and one more pair at the end. The paraphrases of n
are ``TARGETS[NODES[2 * n]:NODES[2 * n + 2]]``, in the order of the file, and its children are the nodes from
``NODES[2 * n + 1]`` to before ``NODES[2 * n + 3]``.
"""

from __future__ import annotations

import gzip
import re
import zlib
from array import array
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise
from pathlib import Path
from typing import BinaryIO

import marisa_trie

from meteorlib.errors import ResourceDamaged
from meteorlib.resources.paraphrases.table import LAST_WORDS, NODES, NUMBERS, TARGETS, WORDS
from meteorlib.resources.store.manifest import Manifest, sha256_of, write_durably

_BLOCK = 1 << 20
_BLANKS = re.compile(rb"[ \t\r\f]+")
_ODD_BLANKS = (b"  ", b"\t", b"\r", b"\f", b" \n", b"\n ")
_READING, _NODES = 0.4, 0.7  # shares of the total time, for the progress


class _Numbering(dict[bytes, int]):
    """Phrase → its number, in the order of first appearance."""

    def __missing__(self, phrase: bytes) -> int:
        number = self[phrase] = len(self)
        return number


class _Entries:
    """A table in memory: numbered phrases, and groups of consecutive entries with the same source."""

    def __init__(self) -> None:
        self.numbers = _Numbering()
        self.targets = array("I")
        self.group_sources = array("I")
        self.group_starts = array("I")

    def add(self, sources: list[bytes], targets: list[bytes], previous: bytes | None) -> None:
        start = len(self.targets)
        self.targets.extend(map(self.numbers.__getitem__, targets))
        for index, source in enumerate(sources, start):
            if source != previous:
                self.group_sources.append(self.numbers[source])
                self.group_starts.append(index)
                previous = source


def compile_paraphrases(
    source_gz: Path, target_dir: Path, progress: Callable[[float], None], name: str = "paraphrase-en"
) -> None:
    """Compile `source_gz` into `target_dir`, which must exist; the manifest is written last.

    Args:
        source_gz: gzip, UTF-8, three lines an entry: a probability, the source phrase, the target phrase. Only LF ends
            a line; runs of blanks (space, tab, CR, FF) in a phrase are one space, at its ends none, as in METEOR 1.5.
        target_dir: an empty folder.
        progress: callback, called periodically with the share that is done, 0..1.
        name: name of the resource, for the manifest and messages.

    Raises:
        ResourceDamaged: the source is not such a file; the message names the line.
        OSError: a file cannot be read or written.
    """
    from hashlib import sha256  # noqa: PLC0415 – 3 MB that scoring does not need

    entries = _Entries()
    size = source_gz.stat().st_size
    with source_gz.open("rb") as raw:
        previous = None
        for sources, targets in _read_blocks(raw, source_gz, name):
            entries.add(sources, targets, previous)
            previous = sources[-1]
            progress(_READING * min(raw.tell() / size, 1.0))
    if not entries.targets:
        raise _malformed_error(name, source_gz, 0, "there is no entry")
    phrases = list(entries.numbers)
    entries.numbers.clear()
    nodes = _number_nodes(phrases)
    progress(_NODES)
    ids = array("I", map(nodes.__getitem__, phrases))
    words = [node.decode() for node in nodes if b" " not in node]
    trie = marisa_trie.Trie(words)
    files = {
        WORDS: trie.tobytes(),
        NUMBERS: _word_numbers(trie, words).tobytes(),
        **_array_files(list(nodes), nodes, entries, ids),
    }
    for file, data in files.items():
        write_durably(target_dir / file, data)
    Manifest(
        resource=name,
        source_sha256=sha256_of(source_gz),
        source_size=size,
        entries=len(entries.targets),
        phrases=len(phrases),
        files={file: (len(data), sha256(data).hexdigest()) for file, data in files.items()},
    ).write(target_dir)
    progress(1.0)


def _number_nodes(phrases: list[bytes]) -> dict[bytes, int]:
    """Number every phrase, every beginning of a phrase and every word; ordered by number."""
    found = set(phrases)
    for phrase in phrases:
        start = phrase
        while (end := start.rfind(b" ")) > 0:
            found.add(start[end + 1 :])
            start = start[:end]
            if start in found:  # then its own beginnings are handled elsewhere
                break
            found.add(start)
    levels: dict[int, list[bytes]] = {}
    for node in found:
        levels.setdefault(node.count(b" "), []).append(node)
    found.clear()
    ordered: list[bytes] = []
    for _, level in sorted(levels.items()):
        level.sort()  # a blank sorts before any character of a word, so this is word order
        ordered += level
    return dict(zip(ordered, range(len(ordered)), strict=True))


def _word_numbers(trie: marisa_trie.Trie, words: list[str]) -> array[int]:
    numbers = array("I", bytes(4 * len(words)))
    for number, word in enumerate(words):
        numbers[trie[word]] = number
    return numbers


def _array_files(ordered: list[bytes], nodes: dict[bytes, int], entries: _Entries, ids: array[int]) -> dict[str, bytes]:
    last_words, children = array("I"), array("I", bytes(4 * (len(ordered) + 1)))
    for node in ordered:
        start, _, word = node.rpartition(b" ")
        last_words.append(nodes[word])
        if start:
            children[nodes[start] + 1] += 1
    children[0] = len(ordered) - sum(children)
    starts, targets = _grouped_targets(entries, ids, len(ordered))
    pairs = array("I", bytes(8 * len(starts)))
    pairs[::2] = starts
    pairs[1::2] = array("I", accumulate(children))
    return {LAST_WORDS: last_words.tobytes(), NODES: pairs.tobytes(), TARGETS: targets.tobytes()}


def _grouped_targets(entries: _Entries, ids: array[int], count: int) -> tuple[array[int], array[int]]:
    """Start of the paraphrases of each node, and the paraphrases of all nodes."""
    ends = [*entries.group_starts, len(entries.targets)]
    groups = sorted(zip((ids[number] for number in entries.group_sources), pairwise(ends), strict=True))
    counts, targets = array("I", bytes(4 * (count + 1))), array("I")
    for source, (start, end) in groups:
        counts[source + 1] += end - start
        targets.extend(map(ids.__getitem__, entries.targets[start:end]))
    return array("I", accumulate(counts)), targets


def _read_blocks(raw: BinaryIO, path: Path, name: str) -> Iterator[tuple[list[bytes], list[bytes]]]:
    """Read source and target phrases, in blocks of entries."""
    line, rest = 1, b""
    with gzip.GzipFile(fileobj=raw) as file:
        while True:
            try:
                data = file.read(_BLOCK)
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:  # the last also for a wrong checksum
                reason = f"gzip is damaged, or this is not gzip ({error})"
                raise _malformed_error(name, path, line + rest.count(b"\n"), reason) from error
            block = rest + data
            if line == 1:
                block = block.removeprefix(BOM_UTF8)
            if not data and block and not block.endswith(b"\n"):
                block += b"\n"
            lines = block.split(b"\n")
            count = (len(lines) - 1) // 3 * 3
            rest = b"\n".join(lines[count:])
            if count:
                del lines[count:]
                _check_lines(lines, line, path, name)
                if _has_odd_blanks(lines):
                    lines = [_BLANKS.sub(b" ", line).strip(b" ") for line in lines]
                yield lines[1::3], lines[2::3]
                line += count
            if not data:
                break
    if rest:
        last = line + rest.count(b"\n") - 1
        raise _malformed_error(name, path, last, "the number of lines is not a multiple of three")


def _check_lines(lines: list[bytes], first: int, path: Path, name: str) -> None:
    try:
        b"\n".join(lines).decode()
        for _ in map(float, lines[::3]):
            pass
    except UnicodeDecodeError:
        number = first + next(index for index, line in enumerate(lines) if not _is_utf8(line))
        raise _malformed_error(name, path, number, "not UTF-8") from None
    except ValueError:
        number, line = next((first + 3 * i, line) for i, line in enumerate(lines[::3]) if not _is_number(line))
        shown = line[:40].decode(errors="replace")
        raise _malformed_error(name, path, number, f"expected a probability, found {shown!r}") from None


def _has_odd_blanks(lines: list[bytes]) -> bool:
    """Whether a line has blanks other than single inner spaces; METEOR 1.5 splits phrases at all of them."""
    text = b"\n".join([b"", *lines, b""])
    return any(odd in text for odd in _ODD_BLANKS)


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_number(line: bytes) -> bool:
    try:
        float(line)
    except ValueError:
        return False
    return True


def _malformed_error(name: str, path: Path, line: int, reason: str) -> ResourceDamaged:
    return ResourceDamaged(name, f"{path}, line {line}: {reason}", "get the file anew")
