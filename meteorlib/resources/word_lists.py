"""Lists of words: function words, negation words, non-breaking prefixes, and words with weights (docs/formula.md)."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from attrs import frozen

from meteorlib.core.languages import TUNED_LANGUAGES
from meteorlib.core.segment import SCALE
from meteorlib.errors import InvalidText, UnknownName
from meteorlib.resources.catalog import FUNCTION_WORDS, NEGATION_WORDS, PACKAGED_WEIGHTS
from meteorlib.resources.store.data_file import (
    errors_as_damage,
    open_packaged,
    packaged_records,
    reading_named_file,
)
from meteorlib.resources.store.record_table import RecordTable, TableDriven

MAX_BYTES = 10_000_000
"""Largest list of words, in bytes; METEOR's own have a few hundred."""

MAX_WEIGHT_BYTES = 100_000_000
"""Largest list of weights, in bytes: some millions of words."""

_NUMERIC_ONLY = "#NUMERIC_ONLY#"


def function_words(name: str) -> frozenset[str]:
    """The function words of a language with a list, or of a UTF-8 file with one word per line.

    The lists for en cz fr de es ru are METEOR 1.5's; the others are made by its rule (tools/build_data.py).

    Words of a file are not lowercased: a word is a function word if its lowercase form is in the file, so an entry with
    a capital letter has no effect.
    """
    if name in FUNCTION_WORDS:
        return _words(_read_packaged(f"function-words-{name}"))
    path = Path(name)
    if path.name == name and "." not in name and not path.exists():
        raise UnknownName("function word list", name, FUNCTION_WORDS)
    return _words(_read_file(name, MAX_BYTES))


@frozen
class Negations:
    """The negation words of a language, ``word in negations``: lowercase words, and endings such as ``n't``."""

    words: frozenset[str]
    endings: tuple[str, ...]

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and (word in self.words or word.endswith(self.endings))


NO_NEGATIONS = Negations(frozenset(), ())


def open_negations(name: str) -> Negations:
    """The negation words of a packaged list, or of a file: one per line, an ending after a hyphen (``-n't``)."""
    words = _words(_read_packaged(name) if name in NEGATION_WORDS else _read_file(name, MAX_BYTES))
    endings = sorted(word[1:] for word in words if len(word) > 1 and word.startswith("-"))
    return Negations(frozenset(word for word in words if not word.startswith("-")), tuple(endings))


def negations_of(language: str) -> Negations:
    """The packaged negation words of a language; none if there is no list."""
    name = f"negations-{language}"
    return open_negations(name) if name in NEGATION_WORDS else NO_NEGATIONS


def nonbreaking_prefixes(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """The abbreviations whose period does not end a sentence (METEOR 1.5's lists; case-sensitive).

    Those that apply anywhere, and those that apply only before a number.
    """
    if language not in TUNED_LANGUAGES:
        raise UnknownName("language with non-breaking prefixes", language, TUNED_LANGUAGES)
    ordinary, numeric = set(), set()
    for _, line in _read_packaged(f"prefixes-{language}"):
        entry = line.strip()
        if not entry or entry.startswith("#"):
            continue
        if entry.endswith(_NUMERIC_ONLY):
            numeric.add(entry.removesuffix(_NUMERIC_ONLY).rstrip())
        else:
            ordinary.add(entry)
    return frozenset(ordinary), frozenset(numeric)


def open_word_weights(name: str) -> Callable[[str], int]:
    """Open word weights: word → weight in units of 1/`SCALE`; unknown words get the largest, `SCALE`.

    `name` is one of the catalog, or a UTF-8 file, which may be compressed: a line for each word, the word, a tab, a
    whole number from 0 to `SCALE`.
    """
    if name in PACKAGED_WEIGHTS:
        weights = packaged_weights(name)
        return TableDriven(weights, weights.tables)
    known: dict[str, int] = {}
    for where, line in _read_file(name, MAX_WEIGHT_BYTES):
        word, tab, weight = line.rstrip("\r").partition("\t")
        if not (word and tab and weight.isascii() and weight.isdigit() and int(weight) <= SCALE):
            raise InvalidText(where, f"expected a word, a tab and a whole number from 0 to {SCALE}, got {line[:60]!r}")
        if word in known:
            raise InvalidText(where, f"{word!r} has a weight already")
        known[word] = int(weight)
    return lambda word: known.get(word, SCALE)


@frozen(eq=False)
class PackagedWeights:
    """Packaged word weights: word → its weight, as one record of a table."""

    table: RecordTable

    def tables(self) -> RecordTable:
        """The table, for the compiled engine."""
        return self.table

    def __call__(self, word: str) -> int:
        """The weight of `word`; see `open_word_weights`."""
        weights = self.table.get(word)
        return weights[0] if weights else SCALE


@cache
def packaged_weights(name: str) -> PackagedWeights:
    """Open packaged word weights by name."""
    return PackagedWeights(packaged_records(name))


Lines = Iterable[tuple[str, str]]
"""Lines of a file, each behind its place: the path and the number of the line."""


def _words(lines: Lines) -> frozenset[str]:
    return frozenset(word for _, line in lines if (word := line.strip()))


def _read_packaged(name: str) -> Lines:
    with errors_as_damage(name):
        (file,) = open_packaged(name)
        return [*_lines(file.read(), file.path)]


def _read_file(name: str, most: int) -> Lines:
    """Read the lines of a file of at most `most` bytes, once decompressed."""
    from meteorlib.resources.store.compression import open_decompressed  # noqa: PLC0415 – few presets name a file

    with reading_named_file(name), Path(name).open("rb") as file:
        data = open_decompressed(file, name).read(most + 1)
        if len(data) > most:
            raise ValueError(f"it is larger than {most:,} bytes: not a list of words")
    return _lines(data.removeprefix(BOM_UTF8), Path(name))


def _lines(data: bytes, path: Path) -> Iterator[tuple[str, str]]:
    lines = data.split(b"\n")
    for number, line in enumerate(lines if lines[-1] else lines[:-1], 1):
        where = f"{path}:{number}"
        try:
            yield where, line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InvalidText(where, f"byte {error.start} of the line is not UTF-8") from error
