"""Word weights (inverse document frequencies), packaged or from a file; see docs/formula.md."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from attrs import frozen

from meteorlib.core.segment import SCALE
from meteorlib.errors import InvalidText, ResourceMissing
from meteorlib.resources.catalog import PACKAGED_WEIGHTS
from meteorlib.resources.store.compression import open_decompressed
from meteorlib.resources.store.package_data import errors_as_damage, open_packaged
from meteorlib.resources.store.record_table import RecordTable
from meteorlib.resources.table_driven import TableDriven
from meteorlib.resources.word_lists import unreadable_file_advice

MAX_BYTES = 100_000_000
"""Largest decompressed file, in bytes: some millions of words."""


def open_word_weights(name: str) -> Callable[[str], int]:
    """Open word weights: word → weight in units of 1/`SCALE`; unknown words get the largest, `SCALE`.

    Args:
        name: a name of the catalog, or the path of a UTF-8 file, which may be compressed: a line for each word, the
            word, a tab, a whole number from 0 to `SCALE`.

    Raises:
        ResourceMissing: the file cannot be read.
        InvalidText: a line is malformed; the message says which.
        ResourceDamaged: the packaged file has been changed.
    """
    if name in PACKAGED_WEIGHTS:
        weights = packaged_weights(name)
        return TableDriven(weights, weights.tables)
    return _weight_lookup(_read(Path(name), name))


@frozen(eq=False)
class PackagedWeights:
    """Packaged word weights: word → weight.

    Attributes:
        table: word → its weight, as one record.
    """

    table: RecordTable

    def tables(self) -> RecordTable:
        """The table, for the compiled engine."""
        return self.table

    def __call__(self, word: str) -> int:
        """The weight of `word`; see `open_word_weights`."""
        found = self.table.get(word)
        return found[0] if found else SCALE


@cache
def packaged_weights(name: str) -> PackagedWeights:
    """Open packaged word weights by name."""
    with errors_as_damage(name):
        (file,) = open_packaged(name)
        return PackagedWeights(RecordTable(file.read()))


def _weight_lookup(known: Mapping[str, int]) -> Callable[[str], int]:
    return lambda word: known.get(word, SCALE)


def _read(path: Path, name: str) -> Mapping[str, int]:
    try:
        if path.exists() and not path.is_file():
            raise ResourceMissing(name, unreadable_file_advice(name, "it is not a regular file"))
        with path.open("rb") as file:
            data = open_decompressed(file, str(path)).read(MAX_BYTES + 1).removeprefix(BOM_UTF8)
    except (OSError, ValueError, InvalidText) as error:
        reason = error.reason if isinstance(error, InvalidText) else getattr(error, "strerror", None) or str(error)
        raise ResourceMissing(name, unreadable_file_advice(name, reason)) from error
    if len(data) > MAX_BYTES:
        raise ResourceMissing(name, unreadable_file_advice(name, f"it is larger than {MAX_BYTES:,} bytes"))
    known: dict[str, int] = {}
    lines = data.count(b"\n")
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line and number > lines:
            break
        word, weight = _parse_line(line, f"{path}:{number}")
        if word in known:
            raise InvalidText(f"{path}:{number}", f"{word!r} has a weight already")
        known[word] = weight
    return known


def _parse_line(line: bytes, where: str) -> tuple[str, int]:
    try:
        word, tab, weight = line.rstrip(b"\r").decode("utf-8").partition("\t")
    except UnicodeDecodeError as error:
        raise InvalidText(where, f"byte {error.start} of the line is not UTF-8") from error
    if not (word and tab and weight.isascii() and weight.isdigit() and int(weight) <= SCALE):
        raise InvalidText(where, f"expected a word, a tab and a whole number from 0 to {SCALE}, got {line[:60]!r}")
    return word, int(weight)
