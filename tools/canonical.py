"""Digests of packaged words: those of the tries (marisa) in which the data were packaged first.

Signatures name data by these digests, so that they stay the same while the format of the files changes. Checking or
renewing them needs marisa-trie, of the extra ``dev``; scoring does not.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path

import marisa_trie

from meteorlib.resources.store.record_table import RecordTable
from meteorlib.resources.wordnet.lexicon import open_synset_names

RECORDS, WEIGHTS = ">I", ">H"
"""Formats of records in tries: of lexicons, of word weights."""


def canonical_bytes(name: str, path: Path) -> bytes:
    """Bytes that the digest of a packaged resource covers.

    Args:
        name: the resource.
        path: its file or folder.
    """
    if path.is_dir():
        return b"".join(_wordnet_parts(path))
    data = path.read_bytes()
    if path.suffix != ".records":
        return data
    return trie_of(RecordTable(data).records(), WEIGHTS if name.startswith("information-") else RECORDS)


def trie_of(records: Iterable[tuple[str, int]], form: str = RECORDS) -> bytes:
    """Trie of words and their records."""
    trie = marisa_trie.RecordTrie(form, ((word, (record,)) for word, record in sorted(set(records))))
    data: bytes = trie.tobytes()
    return data


def _wordnet_parts(path: Path) -> Iterator[bytes]:
    """Files of WordNet as they were packaged first, in the order of their names."""
    names = open_synset_names()
    lists = [names.lemmas(synset) for synset in names.synsets]
    trie = marisa_trie.Trie(sorted({name for some in lists for name in some}))
    first = array("I", [0])
    for some in lists:
        first.append(first[-1] + len(some))
    yield first.tobytes()
    yield array("I", [trie[name] for some in lists for name in some]).tobytes()
    yield trie.tobytes()
    yield trie_of(RecordTable((path / "senses.records").read_bytes()).records())
    yield (path / "synsets.u32").read_bytes()
