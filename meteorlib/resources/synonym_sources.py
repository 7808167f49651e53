"""Reader of MyThes thesauri, LibreOffice's format, packaged by Debian for some 25 languages.

The first line of a file is its encoding. An entry is a line ``word|N`` and N lines ``category|synonym|synonym…``, one
for each meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import evolve

from meteorlib.core.languages import iso_code
from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.extras import import_extra
from meteorlib.resources.lexicons import IRREGULAR
from meteorlib.resources.store.compression import SourceFile

_NON_SYNONYM_NOTES = frozenset(
    [
        *("antonym", "antonim", "ant", "antònim", "antónimo", "antônimo", "antï¿½nimo", "антоним", "andheiti"),
        *("protipomenka", "generic term", "related term", "similar term", "oberbegriff", "unterbegriff"),
        *("underbegreb", "undirheiti", "yfirheiti", "podpomenka", "nadpomenka", "kategória", "kat."),
        *("связанный термин", "сходный термин", "pojęcie nadrzędne", "pojęcie podrzędne"),
    ]
)
"""Notes on words that are no synonyms: opposites, broader and narrower terms, related and similar ones. One of them is
encoded twice in the Spanish file."""

_ENTRY = re.compile(r"([^|]*)\|\s*([0-9]{1,6})\s*")
_NOTE = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")


def is_mythes(second_line: bytes) -> bool:
    """Whether a file is a MyThes thesaurus, by its second line."""
    return re.search(rb"\|\s*\d+\s*$", second_line) is not None


def read_mythes(file: SourceFile) -> Iterator[list[str]]:
    """Read the words of each meaning, lowercased and without notes in brackets.

    Left out are multi-word terms, and those that notes mark as opposite, broader, narrower, related or similar.
    """
    encoding, total, lines = None, 0, file.lines()
    for number, line in lines:
        if encoding is None:
            encoding = file.decode(number, line).strip().lower()
            encoding = file.encoding(number, encoding.removeprefix("microsoft-"))
            continue
        text = file.decode(number, line, encoding)
        if not text.strip():
            continue
        entry = _ENTRY.fullmatch(text)
        if entry is None:
            raise file.malformed_error(number, f"expected a word and its number of meanings, found {text[:40]!r}")
        word, count = entry[1], int(entry[2])
        for done in range(count):
            at, meaning = next(lines, (number, None))
            if meaning is None:
                reason = f"{word[:40]!r} has {count} meanings, and the file ends after {done} of them"
                raise file.malformed_error(number, reason)
            words = _synonyms(word, file.decode(at, meaning, encoding))
            total += len(words)
            file.check_count(total, at)
            yield words


def _synonyms(word: str, meaning: str) -> list[str]:
    category, *listed = meaning.split("|")
    if _is_non_synonym(category):
        listed = []
    terms = dict.fromkeys(_without_notes(entry) for entry in (word, *listed) if not _is_non_synonym(entry))
    return [entry for entry in terms if entry and " " not in entry]


def _is_non_synonym(entry: str) -> bool:
    notes = [(note[1] or note[2] or "").strip().lower() for note in _NOTE.finditer(entry)]
    return not _NON_SYNONYM_NOTES.isdisjoint(notes)


def _without_notes(entry: str) -> str:
    """A term without notes, lowercased, with single spaces between its words."""
    return " ".join(_NOTE.sub(" ", entry).lower().replace("\0", " ").split())


_NUMBERS = re.compile(r"[\s0-9]*")
_SYNSETS, _EXCEPTIONS = ".synsets", ".exceptions"


def is_synsets(second_line: bytes) -> bool:
    """Whether a file is in METEOR's format, by its second line."""
    return re.fullmatch(rb"\s*\d+(\s+\d+)*\s*", second_line) is not None


def find_synsets_file(folder: Path, name: str) -> Path:
    """Find the only file of synonym sets in a folder, as for METEOR's option ``-d``."""
    paths = sorted([*folder.glob(f"*{_SYNSETS}"), *folder.glob(f"*{_SYNSETS}.gz")])
    if len(paths) != 1:
        listed = ", ".join(path.name for path in paths) or "none"
        raise ResourceMissing(name, f"one file *{_SYNSETS} is expected in {folder}, found {listed}; name the file")
    return paths[0]


def find_exceptions_file(synsets: Path) -> Path | None:
    """Find the exceptions beside a file of synonym sets; None if there are none."""
    stem, suffix, packed = synsets.name.rpartition(_SYNSETS)
    beside = [synsets.with_name(f"{stem}{_EXCEPTIONS}{ending}") for ending in (packed, "", ".gz")] if suffix else []
    return next((path for path in beside if path.is_file()), None)


def read_synsets(file: SourceFile) -> set[tuple[str, int]]:
    """Read the records of a lexicon (see `meteorlib.resources.lexicons`): words and numbers of synonym sets.

    If a word occurs twice, its later entry counts, as in METEOR 1.5.
    """
    synsets, total = {}, 0
    for number, word, text in _read_entries(file):
        synsets[word] = _parse_numbers(file, number, text)
        total += len(synsets[word])
        file.check_count(total, number)
    records = {(word, offset) for word, offsets in synsets.items() for offset in offsets}
    exceptions = find_exceptions_file(file.path)
    if exceptions is not None:
        records |= _irregular_records(evolve(file, path=exceptions), synsets)
    return records


def _irregular_records(file: SourceFile, synsets: Mapping[str, tuple[int, ...]]) -> set[tuple[str, int]]:
    records = set()
    for _, base, forms in _read_entries(file):
        for form in forms.split():
            records.add((form, IRREGULAR))
            records.update((form, IRREGULAR + offset) for offset in synsets.get(base, ()))
    return records


def _read_entries(file: SourceFile) -> Iterator[tuple[int, str, str]]:
    """Read entries: the number of the second line, the first line and the second."""
    lines = file.lines()
    for number, line in lines:
        word, (_, values) = file.decode(number, line), next(lines, (number, None))
        if values is None:
            raise file.malformed_error(number, "the file ends within an entry: a word has a second line")
        yield number + 1, word.replace("\0", " "), file.decode(number + 1, values)


def _parse_numbers(file: SourceFile, number: int, text: str) -> tuple[int, ...]:
    if not _NUMBERS.fullmatch(text):
        raise file.malformed_error(number, f"numbers of synonym sets are expected, found {text[:40]!r}")
    numbers = tuple(int(field) for field in text.split() if len(field) < 20)
    if len(numbers) < len(text.split()) or max(numbers, default=0) >= IRREGULAR:
        raise file.malformed_error(number, f"a number of a synonym set is below {IRREGULAR:,}; found {text[:40]!r}")
    return numbers


FOLDER = Path("/usr/share/mythes")
DOCUMENTATION = Path("/usr/share/doc")


def installed_thesaurus(name: str) -> Path:
    """The installed thesaurus for ``synonyms-XX`` or ``synonyms-XX-COUNTRY``.

    If there are several, the name's country decides (``synonyms-pt-BR``), otherwise the country whose code equals the
    language's (``de_DE``).
    """
    code, _, country = name.partition("-")[2].replace("_", "-").partition("-")
    code = iso_code(code) or code.lower()
    places = {_locale_of(path): path for path in sorted(FOLDER.glob(f"th_{code}_*.dat"))}
    locale = f"{code}_{(country or code).upper()}"
    files = {path.resolve() for path in places.values()}
    if locale in places:
        return places[locale].resolve()
    if len(files) == 1 and not country:
        return files.pop()
    if not files or country:
        package = f"mythes-{name.partition('-')[2].lower()}"
        raise ResourceMissing(
            name, f"there is no thesaurus {locale} in {FOLDER}; install one (Debian: {package}), or name its file"
        )
    listed = ", ".join(sorted(places))
    raise ResourceMissing(
        name, f"{FOLDER} has several thesauri of that language: {listed}; name the file, or install synonyms-{code}-XX"
    )


def license_notice(thesaurus: Path) -> str | None:
    """Reference to the license in the Debian package of a thesaurus in `FOLDER`; None if there is none."""
    if thesaurus.parent != FOLDER.resolve():
        return None
    code, _, country = (_locale_of(thesaurus) or thesaurus.stem.rpartition("_")[2]).lower().partition("_")
    names = [f"mythes-{code}-{country}", f"mythes-{code}", f"mythes-{country}"]
    paths = [DOCUMENTATION / name / "copyright" for name in names]
    return next((f"see {path}" for path in paths if path.is_file()), None)


def _locale_of(thesaurus: Path) -> str:
    """Language and country in the name of a file: ``de_DE`` of ``th_de_DE_v2.dat``."""
    fields = thesaurus.stem.split("_")
    return "_".join(fields[1:3]) if len(fields) > 2 else ""


EXTRA = "wn"


def wordnet(lexicon: str, name: str) -> Any:
    """The only lexicon that wn calls so (``odenet``, ``omw-fr:1.4``); `name` is the resource, for messages."""
    wn = import_extra("wn", EXTRA)
    try:
        lexicons = wn.lexicons(lexicon=lexicon)
    except wn.Error:
        lexicons = []
    if len(lexicons) != 1:
        several = lexicons or wn.lexicons()
        listed = ", ".join(sorted(f"{known.id}:{known.version}" for known in several)) or "none"
        command = f"`python -m wn download {lexicon}`"
        remedy = "name one of them" if lexicons else f"wn has {listed}; get it with {command}"
        reason = f"several lexicons are called {lexicon}: {listed}" if lexicons else f"wn has no lexicon {lexicon}"
        raise ResourceMissing(name, f"{reason}; {remedy}")
    return lexicons[0]


def read_wordnet(lexicon: Any, name: str) -> Iterator[tuple[str, str, str]]:
    """Read each lowercased form of each word of a lexicon, with the identifier of a synonym set and the lemma.

    Forms that the lexicon lists beside a lemma count like the lemma. Multi-word forms are left out.
    """
    wn = import_extra("wn", EXTRA)
    try:
        wordnet = wn.Wordnet(lexicon=f"{lexicon.id}:{lexicon.version}", expand="")
        for word in wordnet.words():
            forms = {plain for form in word.forms() if (plain := _normalized(str(form)))}
            single = [form for form in forms if " " not in form]
            if single:
                lemma = _normalized(str(word.lemma()))
                for synset in [sense.synset().id for sense in word.senses()]:
                    for form in single:
                        yield form, synset, lemma
    except wn.Error as error:
        raise ResourceDamaged(name, f"wn cannot read {lexicon.id} ({error})", "add it to wn anew") from error


def _normalized(form: str) -> str:
    return " ".join(form.lower().replace("_", " ").replace("\0", " ").split())
