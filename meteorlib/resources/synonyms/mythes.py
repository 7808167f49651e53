"""Reader of MyThes thesauri, LibreOffice's format, packaged by Debian for some 25 languages.

The first line of a file is its encoding. An entry is a line ``word|N`` and N lines ``category|synonym|synonym…``, one
for each meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from meteorlib.resources.store.source_lines import SourceFile

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

    Opposites and broader, narrower, related or similar terms, as marked by notes, are left out, and so are multi-word
    terms.

    Raises:
        ResourceDamaged: it is no such file; says at which line.
        OSError: it cannot be read.
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
        for place in range(count):
            at, meaning = next(lines, (number, None))
            if meaning is None:
                reason = f"{word[:40]!r} has {count} meanings, and the file ends after {place} of them"
                raise file.malformed_error(number, reason)
            found = _synonyms(word, file.decode(at, meaning, encoding))
            total += len(found)
            file.check_count(total, at)
            yield found


def _synonyms(word: str, meaning: str) -> list[str]:
    category, *listed = meaning.split("|")
    if _is_non_synonym(category):
        listed = []
    found = dict.fromkeys(_without_notes(entry) for entry in (word, *listed) if not _is_non_synonym(entry))
    return [entry for entry in found if entry and " " not in entry]


def _is_non_synonym(entry: str) -> bool:
    notes = [(note[1] or note[2] or "").strip().lower() for note in _NOTE.finditer(entry)]
    return not _NON_SYNONYM_NOTES.isdisjoint(notes)


def _without_notes(entry: str) -> str:
    """A term without notes, lowercased, with single spaces between its words."""
    return " ".join(_NOTE.sub(" ", entry).lower().replace("\0", " ").split())
