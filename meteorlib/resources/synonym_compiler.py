"""Compiler of synonym lexicons from thesauri, wordnets and METEOR's own format."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

from attrs import frozen

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources.lexicons import IRREGULAR, OFFSETS, SYNSETS
from meteorlib.resources.store.compression import Progress, SourceFile
from meteorlib.resources.store.manifest import Manifest, sha256_of, sha256_of_several
from meteorlib.resources.store.record_table import RecordTable
from meteorlib.resources.synonym_sources import (
    find_exceptions_file,
    find_synsets_file,
    installed_thesaurus,
    is_mythes,
    is_synsets,
    license_notice,
    read_mythes,
    read_synsets,
    read_wordnet,
    wordnet,
)

UNKNOWN = "not recorded"


@frozen
class SourceRecords:
    """Records read from a source of synonyms.

    Attributes:
        file: the kind of lexicon, `SYNSETS` or `OFFSETS`.
        records: words with the numbers of their synonym sets.
        has_synonyms: whether at least two words are synonyms.
        license: `UNKNOWN` if the source does not name it.
    """

    file: str
    records: set[tuple[str, int]]
    has_synonyms: bool
    sha256: str
    origin: str
    license: str = UNKNOWN


def compile_synonyms(sources: Sequence[str], target_dir: Path, progress: Progress, name: str, license_: str) -> None:
    """Compile synonyms into the empty folder `target_dir`; `license_` counts if the sources name none.

    A source is a MyThes file (``th_de_DE_v2.dat``); a file of METEOR's form (``german.synsets``) or the folder that it
    is in, both compressed or not; ``wn:LEXICON`` for a wordnet of the library wn; ``system`` for the thesaurus in
    ``/usr/share/mythes``. The words of several sources are looked up unchanged.
    """
    count = len(sources)

    def progress_of(done: int) -> Progress:
        return lambda share: progress(0.8 * (done + share) / count)  # reading is most of the work

    parts = [_read_source(source, name, progress_of(done)) for done, source in enumerate(sources)]
    merged = parts[0] if count == 1 else _merge(parts)
    if not merged.has_synonyms:
        raise ResourceDamaged(name, f"no two words of {merged.origin} are synonyms", "take another source")
    try:
        data = RecordTable.of(merged.records).data
    except ValueError as error:
        raise ResourceDamaged(name, f"{merged.origin}: {error}", "take another source") from error
    Manifest.write_index(
        target_dir,
        {merged.file: data},
        resource=name,
        source_sha256=merged.sha256,
        source_size=len(data),
        entries=len(merged.records),
        phrases=len({word for word, _ in merged.records}),
        origin=merged.origin,
        license=license_ or merged.license,
    )
    progress(1.0)


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
        (word.lower(), numbers.setdefault((source, number), len(numbers) + 1))
        for source, part in enumerate(parts)
        for word, number in sorted(part.records)
        if not number & IRREGULAR
    }
    digest = sha256_of_several([part.sha256 for part in parts])
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
        digest = sha256_of(*[part for part in (path, exceptions) if part])
        records = read_synsets(file)
        return SourceRecords(OFFSETS, records, _has_synonyms(records), digest, origin, license_)
    reason = "this is neither a MyThes thesaurus (its second line would be word|N) nor METEOR's format (numbers)"
    raise file.malformed_error(2, reason)


def _read_wordnet_source(lexicon: str, name: str) -> SourceRecords:
    source = wordnet(lexicon, name)
    entries = {*read_wordnet(source, name)}
    pairs = sorted({(form, synset) for form, synset, _ in entries})
    numbers = {synset: number for number, synset in enumerate(sorted({synset for _, synset in pairs}), 1)}
    digest = sha256("".join(f"{form}\t{synset}\n" for form, synset in pairs).encode()).hexdigest()
    records = {(form, numbers[synset]) for form, synset in pairs}
    useful = _has_synonyms((lemma, numbers[synset]) for _, synset, lemma in entries)
    origin = (
        f"{source.label} {source.version} (wn:{source.id}:{source.version}{f', {source.url}' if source.url else ''})"
    )
    return SourceRecords(SYNSETS, records, useful, digest, origin, source.license or UNKNOWN)


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
