"""Compiler of synonym lexicons from thesauri, wordnets and METEOR's own format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from attrs import frozen

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources.paraphrases.index import Index, open_index
from meteorlib.resources.store.folder import cache_folder
from meteorlib.resources.store.manifest import MANIFEST, Manifest, damage_error, sha256_of, write_durably
from meteorlib.resources.store.record_table import RecordTable
from meteorlib.resources.store.source_lines import SourceFile
from meteorlib.resources.synonyms.mythes import is_mythes, read_mythes
from meteorlib.resources.synonyms.synsets import find_exceptions_file, find_synsets_file, is_synsets, read_synsets
from meteorlib.resources.synonyms.system_thesauri import installed_thesaurus, license_notice
from meteorlib.resources.synonyms.wordnets import read_wordnet, wordnet
from meteorlib.resources.wordnet.lexicon import IRREGULAR, OffsetLexicon, WordLexicon

SYNSETS = "synsets.records"
"""File of lowercased words, looked up unchanged."""

OFFSETS = "offsets.records"
"""File of words in METEOR's own format, looked up by METEOR 1.5's rules."""

UNKNOWN = "not recorded"

REMEDY = (
    "run `meteorlib resources install {name} --from SOURCE` with a thesaurus (a MyThes file, or system for the one "
    "that is installed), wn:LEXICON, or a file in METEOR's format"
)

Progress = Callable[[float], None]


@frozen
class SourceRecords:
    """Records read from a source of synonyms.

    Attributes:
        file: the kind of lexicon, `SYNSETS` or `OFFSETS`.
        records: words with the numbers of their synonym sets.
        has_synonyms: whether at least two words are synonyms.
        sha256: digest of the source.
        origin: description of the source.
        license: license of the data; `UNKNOWN` if the source does not name it.
    """

    file: str
    records: set[tuple[str, int]]
    has_synonyms: bool
    sha256: str
    origin: str
    license: str = UNKNOWN


_KINDS: Mapping[str, type[WordLexicon | OffsetLexicon]] = {SYNSETS: WordLexicon, OFFSETS: OffsetLexicon}


class Synonyms:
    """An installed lexicon: word → the numbers of its synonym sets. It can be shared between threads.

    Attributes:
        source_sha256: digest of its sources.
    """

    __slots__ = ("_synsets", "source_sha256")

    def __init__(self, folder: Path, name: str) -> None:
        """Open the index in `folder`.

        Raises:
            ResourceDamaged: it is incomplete, changed, or of another version.
        """
        file = next(iter(Manifest.read(folder, name).files), "")
        if file not in _KINDS:
            raise damage_error(name, f"{folder / MANIFEST} does not name the file of a lexicon")
        index = Index(folder, name, [file], [file])
        self.source_sha256: str = index.manifest.source_sha256
        try:
            self._synsets: Callable[[str], frozenset[int]] = _KINDS[file](RecordTable(index.files[file].read())).synsets
        except (OSError, ValueError) as error:
            raise index.damaged(f"{folder / file} cannot be opened ({error})") from error

    def __call__(self, word: str) -> frozenset[int]:
        """The synonym sets of `word`; two words are synonyms if they share one."""
        return self._synsets(word)


def open_synonyms(name: str) -> Synonyms:
    """Open installed synonyms.

    Args:
        name: ``synonyms-XX``.

    Raises:
        ResourceMissing: they are not installed.
        ResourceDamaged: their files are not what was installed.
    """
    found = open_index(cache_folder() / name, name, Synonyms)
    if found is None:
        raise ResourceMissing(name, REMEDY.format(name=name))
    return found


def compile_synonyms(sources: Sequence[str], target_dir: Path, progress: Progress, name: str, license_: str) -> None:
    """Compile synonyms into `target_dir`, which must exist; the manifest is written last.

    Args:
        sources: each a MyThes file (``th_de_DE_v2.dat``); a file of METEOR's form (``german.synsets``) or the folder
            that it is in, both compressed or not; ``wn:LEXICON`` for a wordnet of the library wn; ``system`` for
            the thesaurus in ``/usr/share/mythes``. The words of several sources are looked up unchanged.
        target_dir: an empty folder.
        progress: callback, called periodically with the share that is done, 0..1.
        name: the resource, ``synonyms-XX``.
        license_: license of the data, if the source does not name it.

    Raises:
        ResourceMissing: there is no such source.
        ResourceDamaged: a source is malformed (the message names the line), or no two of its words are synonyms.
        ExtraMissing: wn is wanted and not installed.
        OSError: a file cannot be read or written.
    """
    count = len(sources)
    parts = [_read_source(source, name, _source_progress(progress, done, count)) for done, source in enumerate(sources)]
    found = parts[0] if count == 1 else _merge(parts)
    if not found.has_synonyms:
        raise ResourceDamaged(name, f"no two words of {found.origin} are synonyms", "take another source")
    try:
        data = RecordTable.of(found.records).data
    except ValueError as error:
        raise ResourceDamaged(name, f"{found.origin}: {error}", "take another source") from error
    write_durably(target_dir / found.file, data)
    Manifest(
        resource=name,
        source_sha256=found.sha256,
        source_size=len(data),
        entries=len(found.records),
        phrases=len({word for word, _ in found.records}),
        files={found.file: (len(data), sha256(data).hexdigest())},
        origin=found.origin,
        license=license_ or found.license,
    ).write(target_dir)
    progress(1.0)


def _source_progress(progress: Progress, done: int, count: int) -> Progress:
    """Progress callback for reading one source of `count`; reading is most of the work."""
    return lambda share: progress(0.8 * (done + share) / count)


def _read_source(source: str, name: str, progress: Progress) -> SourceRecords:
    if source.startswith("wn:"):
        return _read_wordnet_source(source.removeprefix("wn:"), name)
    if source == "system":
        path = installed_thesaurus(name)
        return _read_file(path, name, progress, license_notice(path) or UNKNOWN)
    path = Path(source)
    if path.is_dir():
        path = find_synsets_file(path, name)
    if not path.is_file():
        raise ResourceMissing(name, f"there is no file {path}")
    return _read_file(path, name, progress)


def _merge(parts: Sequence[SourceRecords]) -> SourceRecords:
    """Merge sources; synonym sets of different sources stay separate."""
    numbers: dict[tuple[int, int], int] = {}
    records = {
        (word.lower(), numbers.setdefault((place, number), len(numbers) + 1))
        for place, part in enumerate(parts)
        for word, number in sorted(part.records)
        if not number & IRREGULAR
    }
    digest = sha256(" ".join(part.sha256 for part in parts).encode()).hexdigest()
    origin = " and ".join(part.origin for part in parts)
    licenses = "; ".join(dict.fromkeys(part.license for part in parts))
    return SourceRecords(SYNSETS, records, any(part.has_synonyms for part in parts), digest, origin, licenses)


def _read_file(path: Path, name: str, progress: Progress, license_: str = UNKNOWN) -> SourceRecords:
    file, origin = SourceFile(path, name, progress), f"the file {path.name}"
    lines = SourceFile(path, name).lines()
    next(lines, None)
    _, second = next(lines, (2, b""))
    lines.close()
    if is_mythes(second):
        records = number_meanings(read_mythes(file))
        return SourceRecords(SYNSETS, records, _has_synonyms(records), sha256_of(path), origin, license_)
    if is_synsets(second):
        exceptions = find_exceptions_file(path)
        digests = [sha256_of(part) for part in (path, exceptions) if part]
        digest = digests[0] if len(digests) == 1 else sha256(" ".join(digests).encode()).hexdigest()
        records = read_synsets(file)
        return SourceRecords(OFFSETS, records, _has_synonyms(records), digest, origin, license_)
    reason = "this is neither a MyThes thesaurus (its second line would be word|N) nor METEOR's format (numbers)"
    raise file.malformed_error(2, reason)


def _read_wordnet_source(lexicon: str, name: str) -> SourceRecords:
    found = wordnet(lexicon, name)
    entries = {*read_wordnet(found, name)}
    pairs = sorted({(form, synset) for form, synset, _ in entries})
    numbers = {synset: number for number, synset in enumerate(sorted({synset for _, synset in pairs}), 1)}
    digest = sha256("".join(f"{form}\t{synset}\n" for form, synset in pairs).encode()).hexdigest()
    records = {(form, numbers[synset]) for form, synset in pairs}
    useful = _has_synonyms((lemma, numbers[synset]) for _, synset, lemma in entries)
    origin = f"{found.label} {found.version} (wn:{found.id}:{found.version}{f', {found.url}' if found.url else ''})"
    return SourceRecords(SYNSETS, records, useful, digest, origin, found.license or UNKNOWN)


def number_meanings(meanings: Iterable[list[str]]) -> set[tuple[str, int]]:
    """Number meanings as records; equal meanings, repeated under each of their words, get one number."""
    words: dict[str, int] = {}
    known: dict[tuple[int, ...], int] = {}
    records: set[tuple[str, int]] = set()
    for meaning in meanings:
        if len(meaning) > 1:
            key = tuple(sorted(words.setdefault(word, len(words)) for word in meaning))
            number = known.setdefault(key, len(known) + 1)
            records.update((word, number) for word in meaning)
    return records


def _has_synonyms(records: Iterable[tuple[str, int]]) -> bool:
    owners: dict[int, str] = {}
    return any(owners.setdefault(number & ~IRREGULAR, word) != word for word, number in records if number != IRREGULAR)
