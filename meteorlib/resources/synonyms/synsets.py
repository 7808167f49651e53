"""Reader of METEOR's synonym format: ``LANGUAGE.synsets`` with ``LANGUAGE.exceptions`` beside it.

Both have two lines an entry: a word, and the numbers of its synonym sets with blanks between them; a base form, and its
irregular forms. METEOR-E's files (Elloumi et al. 2015) are of this form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import evolve

from meteorlib.errors import ResourceMissing
from meteorlib.resources.store.source_lines import SourceFile
from meteorlib.resources.wordnet.lexicon import IRREGULAR

_NUMBERS = re.compile(r"[\s0-9]*")
_SYNSETS, _EXCEPTIONS = ".synsets", ".exceptions"


def is_synsets(second_line: bytes) -> bool:
    """Whether a file is in METEOR's format, by its second line."""
    return re.fullmatch(rb"\s*\d+(\s+\d+)*\s*", second_line) is not None


def find_synsets_file(folder: Path, name: str) -> Path:
    """Find the file of synonym sets in a folder, as for METEOR's option ``-d``.

    Raises:
        ResourceMissing: there is none, or more than one.
    """
    found = sorted([*folder.glob(f"*{_SYNSETS}"), *folder.glob(f"*{_SYNSETS}.gz")])
    if len(found) != 1:
        listed = ", ".join(path.name for path in found) or "none"
        raise ResourceMissing(name, f"one file *{_SYNSETS} is expected in {folder}, found {listed}; name the file")
    return found[0]


def find_exceptions_file(synsets: Path) -> Path | None:
    """Find the exceptions beside a file of synonym sets; None if there are none."""
    stem, found, packed = synsets.name.rpartition(_SYNSETS)
    beside = [synsets.with_name(f"{stem}{_EXCEPTIONS}{ending}") for ending in (packed, "", ".gz")] if found else []
    return next((path for path in beside if path.is_file()), None)


def read_synsets(file: SourceFile) -> set[tuple[str, int]]:
    """Read the records of a lexicon (see `meteorlib.resources.wordnet.lexicon`): words and numbers of synonym sets.

    If a word occurs twice, its later entry counts, as in METEOR 1.5.

    Raises:
        ResourceDamaged: it is no such file; says at which line.
        OSError: it cannot be read.
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
