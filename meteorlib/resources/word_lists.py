"""Word lists: function words, negation words and non-breaking prefixes."""

from __future__ import annotations

from codecs import BOM_UTF8
from pathlib import Path

from attrs import frozen

from meteorlib.errors import InvalidText, ResourceMissing, UnknownName
from meteorlib.resources.catalog import FUNCTION_WORDS, LANGUAGES, NEGATION_WORDS
from meteorlib.resources.store.package_data import errors_as_damage, open_packaged

MAX_BYTES = 10_000_000
"""Largest file, in bytes; METEOR's own lists have a few hundred."""

_NUMERIC_ONLY = "#NUMERIC_ONLY#"


def function_words(name: str) -> frozenset[str]:
    """Load the function words of a language, or of a file with one word per line.

    The lists for en cz fr de es ru are METEOR 1.5's; the others are made by its rule (tools/build_data.py).

    Words of a file are not lowercased: a word is a function word if its lowercase form is in the file, so an entry with
    a capital letter has no effect.

    Args:
        name: a code of `FUNCTION_WORDS`, or the path of a UTF-8 file.

    Raises:
        UnknownName: neither a language with a list nor a file.
        ResourceMissing: the file cannot be read.
        InvalidText: the file is not UTF-8.
    """
    if name in FUNCTION_WORDS:
        return _words(_read_packaged(f"function-words-{name}"))
    path = Path(name)
    if path.name == name and "." not in name and not path.exists():
        raise UnknownName("function word list", name, FUNCTION_WORDS)
    return _words_of_file(name)


@frozen
class Negations:
    """The negation words of a language: ``word in negations``.

    Attributes:
        words: whole words, in lowercase.
        endings: endings of others, such as ``n't``.
    """

    words: frozenset[str]
    endings: tuple[str, ...]

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and (word in self.words or word.endswith(self.endings))


NO_NEGATIONS = Negations(frozenset(), ())


def open_negations(name: str) -> Negations:
    """Load negation words: one per line, an ending after a hyphen (``-n't``).

    Args:
        name: a name of `NEGATION_WORDS`, or the path of a UTF-8 file.

    Raises:
        ResourceMissing: the file cannot be read.
        InvalidText: the file is not UTF-8.
    """
    words = _words(_read_packaged(name)) if name in NEGATION_WORDS else _words_of_file(name)
    endings = sorted(word[1:] for word in words if len(word) > 1 and word.startswith("-"))
    return Negations(frozenset(word for word in words if not word.startswith("-")), tuple(endings))


def nonbreaking_prefixes(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Load the abbreviations whose period does not end a sentence (METEOR 1.5's lists; case-sensitive).

    Args:
        language: a language code (en cz fr de es ru).

    Returns:
        Those that apply anywhere, and those that apply only before a number.

    Raises:
        UnknownName: there is no list for that language.
    """
    if language not in LANGUAGES:
        raise UnknownName("language with non-breaking prefixes", language, LANGUAGES)
    ordinary, numeric = set(), set()
    for line in _read_packaged(f"prefixes-{language}").split("\n"):
        entry = line.strip()
        if not entry or entry.startswith("#"):
            continue
        if entry.endswith(_NUMERIC_ONLY):
            numeric.add(entry.removesuffix(_NUMERIC_ONLY).rstrip())
        else:
            ordinary.add(entry)
    return frozenset(ordinary), frozenset(numeric)


def _words(text: str) -> frozenset[str]:
    return frozenset(word for line in text.split("\n") if (word := line.strip()))


def _words_of_file(name: str) -> frozenset[str]:
    try:
        return _words(_read(Path(name)))
    except (OSError, ValueError) as error:
        raise ResourceMissing(name, unreadable_file_advice(name, _error_reason(error))) from error


def _read_packaged(name: str) -> str:
    with errors_as_damage(name):
        (file,) = open_packaged(name)
        return file.read().decode("utf-8")


def _read(path: Path) -> str:
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise ValueError("it is not a regular file")
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ValueError(f"it is larger than {MAX_BYTES:,} bytes: not a list of words")
    data = data.removeprefix(BOM_UTF8)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        offset = error.start - data.rfind(b"\n", 0, error.start) - 1
        raise InvalidText(f"{path}:{line}", f"byte {offset} of the line is not UTF-8") from error


def unreadable_file_advice(name: str, reason: str) -> str:
    """Advice for a file of a preset that cannot be read."""
    hint = ", or name its folder with 'resources: FOLDER' in a preset that extends this one"
    return f"the file cannot be read ({reason}); check the path{hint if Path(name).name == name else ''}"


def _error_reason(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
