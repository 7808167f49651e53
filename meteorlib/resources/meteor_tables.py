"""Tables of METEOR 1.5: paraphrases of phrases, in a memory-mapped index, and stems of Arabic words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from meteorlib.errors import ResourceDamaged, ResourceMissing, UnknownName
from meteorlib.resources.catalog import CATALOG, PARAPHRASE_TABLES
from meteorlib.resources.store.compression import Progress, SourceFile
from meteorlib.resources.store.data_file import DataFile
from meteorlib.resources.store.index import Index, open_compiled, open_index, open_installed
from meteorlib.resources.store.manifest import Manifest, damage_error, sha256_of
from meteorlib.resources.store.record_table import RecordTable
from meteorlib.resources.store.shared_files import MANIFEST

WORDS, NODES, CHILDREN, TARGETS = "words.records", "nodes.u32", "children.u32", "targets.u32"


def room_for_children(count: int) -> int:
    """Number of places in the hash table of `count` nodes: at most five eighths of them are taken."""
    return count * 8 // 5 + 1


class ParaphraseTable:
    """A compiled paraphrase table (Denkowski & Lavie 2010).

    A phrase is one or more words. Phrases and their beginnings have numbers (see
    `meteorlib.resources.paraphrase_compiler`); a beginning that is not itself a phrase has no paraphrases.

    The three large arrays are mapped into memory. They have been verified, but another program may still write to the
    files behind them. So readers check bounds (see `node`), call `check` before and after reading, and return nothing
    read in between.

    Attributes:
        name: the resource, or path of the index.
        phrase_count: number of distinct phrases.
        entry_count: number of entries (source, target), including repeated ones.
        targets: the paraphrases of all phrases, by number, in the order of the table's file.
        nodes: for each number, where its paraphrases begin in `targets`, where the phrases with one more word begin,
            and its last word; one triple more at the end.
        last_words: for each number, the number of its last word. Phrases with one more word stand in this order.
        children: hash table of the nodes that are not words.
        room: number of its places where a search begins.
        words: all words; the place of each is its number.
        mapped: the files behind the arrays.
        check: raises `ResourceDamaged` if these files have changed.
    """

    nodes: memoryview[int]
    last_words: memoryview[int]
    targets: memoryview[int]
    children: memoryview[int]

    def __init__(self, folder: Path, name: str) -> None:
        """Open the index in `folder`."""
        mapped = (NODES, TARGETS, CHILDREN)
        index = self._index = Index(folder, name, (*mapped, WORDS), (WORDS,))
        manifest = index.manifest
        self.name: str = name
        self.phrase_count: int = manifest.phrases
        self.entry_count: int = manifest.entries
        self.source_sha256: str = manifest.source_sha256
        self.mapped: tuple[DataFile, ...] = tuple([index.files[file] for file in mapped])
        self.check: Callable[[], None] = index.check
        self.words: RecordTable = index.records(WORDS)
        with index.reading(folder):
            self.nodes, self.targets, self.children = [file.map_numbers() for file in self.mapped]
        self.last_words = self.nodes[2:-3:3]
        self.room: int = room_for_children(len(self.last_words) - len(self.words))
        if not 0 < self.room <= len(self.children) or len(self.nodes) != 3 * len(self.last_words) + 3:
            raise self.damaged(f"the files in {folder} do not match")
        self._count, self._target_count = len(self.last_words), len(self.targets)

    def word(self, word: str) -> int:
        """The number of a word; -1 if the table does not have it."""
        return self.words.index(word)

    def node(self, number: int) -> tuple[int, int, int, int]:
        """Continuations and paraphrases of a phrase or beginning, by its number.

        The numbers of the phrases with one more word, from the first to before the second, in the order of
        `last_words`; then the slice of its paraphrases in `targets`, start and end. Numbers that point outside the
        table raise `ResourceDamaged`.
        """
        count = self._count
        if 0 <= number < count:
            begin, low, _, end, high = self.nodes[3 * number : 3 * number + 5]
            if low <= high <= count and begin <= end <= self._target_count:
                return low, high, begin, end
        raise self.damaged(f"its numbers point outside the table (at {number} of {count})")

    def damaged(self, reason: str) -> ResourceDamaged:
        """Error for damage of this table."""
        return self._index.damaged(reason)


def open_paraphrases(name_or_path: str | Path) -> ParaphraseTable:
    """Open a paraphrase table of the catalog, or the compiled index in a folder."""
    name = str(name_or_path)
    if name in PARAPHRASE_TABLES:
        return open_installed(name, ParaphraseTable)
    folder = Path(name_or_path)
    if not folder.is_dir():
        if folder.name == name:
            raise UnknownName("paraphrase table", name, PARAPHRASE_TABLES)
        raise ResourceMissing(name, "there is no folder with a compiled index at that path")
    table = open_index(folder, name, ParaphraseTable)
    if table is None:
        raise damage_error(name, f"{folder} holds no {MANIFEST}")
    return table


def open_table(name_or_path: str) -> ParaphraseTable:
    """Open a paraphrase table of the catalog, a table as METEOR 1.5 has them (``.gz``), or a compiled index."""
    path = Path(name_or_path)
    if name_or_path in CATALOG or path.is_dir() or not (path.suffix == ".gz" or path.is_file()):
        return open_paraphrases(name_or_path)
    return open_compiled(path, "meteorlib.resources.paraphrase_compiler:compile_file", open_paraphrases)


TABLE = "stems.records"
"""File of words and stems; the record of a word is the place of its stem among all of them."""


class StemTable:
    """A stemmer that looks words up; unknown words are their own stems. It can be shared and pickled."""

    __slots__ = ("_name", "_stems")

    def __init__(self, folder: Path, name: str) -> None:
        self._name, self._stems = name, Index(folder, name, [TABLE], [TABLE]).records(TABLE)

    def __call__(self, word: str) -> str:
        """The stem of `word`; the case is not changed."""
        places = self._stems.get(word)
        return self._stems.word(places[0]) if places else word

    def __reduce__(self) -> tuple[Callable[[str], StemTable], tuple[str]]:
        return open_stems, (self._name,)


def open_stems(name: str) -> StemTable:
    """Open an installed stem table of the catalog."""
    return open_installed(name, StemTable)


def compile_stems(source_gz: Path, target_dir: Path, progress: Progress, name: str) -> None:
    """Compile `source_gz` into the empty folder `target_dir`.

    The source is UTF-8, a line for a word: the word, then its stems, each behind the number of times it was seen, the
    most frequent one first, which is used; fields are separated by a space.
    """
    stems = dict(_read_rows(SourceFile(source_gz, name)))
    progress(0.5)
    places = {word: index for index, word in enumerate(sorted({word.encode() for word in {*stems, *stems.values()}}))}
    records = {word: [places[stems[word.decode()].encode()]] if word.decode() in stems else [] for word in places}
    Manifest.write_index(
        target_dir,
        {TABLE: RecordTable.of_words(records).data},
        resource=name,
        source_sha256=sha256_of(source_gz),
        source_size=source_gz.stat().st_size,
        entries=len(stems),
        phrases=len(stems),
    )
    progress(1.0)


def _read_rows(file: SourceFile) -> Iterator[tuple[str, str]]:
    for number, line in file.lines():
        word, *fields = file.decode(number, line).split(maxsplit=3) or [""]
        if len(fields) < 2:
            raise file.malformed_error(number, f"a word with its stems is expected, found {line[:40]!r}")
        yield word, fields[1]
