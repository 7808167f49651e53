"""From the names in a configuration to the data: what each kind of stage works with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from meteorlib.errors import ResourceMissing, UnknownName
from meteorlib.resources.catalog import CATALOG, LANGUAGES, PARAPHRASES
from meteorlib.resources.lemmas import open_lemma_names
from meteorlib.resources.lexicon import open_offset_lexicon, open_wordnet
from meteorlib.resources.manifest import sha256_of
from meteorlib.resources.paraphrases import open_paraphrases
from meteorlib.resources.stemmers import STEMMERS, stemmer
from meteorlib.resources.tables import open_table

_LEXICONS: dict[str, Callable[[], Any]] = {"wordnet-en": open_wordnet, "wordnet-en-offsets": open_offset_lexicon}


def open_lexicon(name: str) -> Callable[[str], frozenset[int]]:
    """The lexicon called `name`: word → its synonym sets.

    Raises:
        UnknownName: there is no lexicon of that name.
    """
    if name not in _LEXICONS:
        raise UnknownName("lexicon", name, _LEXICONS)
    synsets: Callable[[str], frozenset[int]] = _LEXICONS[name]().synsets
    return synsets


_OPENERS: dict[str, Callable[[str], Any]] = {
    "stem": stemmer,
    "synonym": open_lexicon,
    "lemma": open_lemma_names,
    "paraphrase": open_table,
}


_NAMES: Mapping[str, tuple[str, Collection[str]]] = {
    "stem": ("stemmer", STEMMERS),
    "synonym": ("lexicon", _LEXICONS),
    "lemma": ("lexicon with lemma names", ("wordnet-en",)),
    "paraphrase": ("paraphrase table", [name for name, entry in CATALOG.items() if entry.kind == PARAPHRASES]),
    "function words": ("function word list", LANGUAGES),
}


def check_name(use: str, name: str) -> None:
    """Refuse a name of language data that nothing has; a path is not looked at.

    Args:
        use: the matcher that works with it, or ``function words``; the data of other matchers is their own.
        name: what a configuration names.

    Raises:
        UnknownName: there is no such data.
    """
    kind, known = _NAMES.get(use, ("", (name,)))
    is_path = any(mark in name for mark in "/\\.") or Path(name).exists()
    if name not in known and not is_path:
        raise UnknownName(kind, name, known)


def open_resource(matcher: str, resource: str | None) -> tuple[Any, ...]:
    """What the matcher of a stage is made with: nothing, the opened data, or (third parties) the resource's name.

    Raises:
        UnknownName: there is no such resource.
        ResourceMissing: it is not installed, or the file is not there.
    """
    if resource is None:
        return ()
    opener = _OPENERS.get(matcher)
    return (resource if opener is None else opener(resource),)


def digests(resources: Iterable[str], function_words: str | None) -> dict[str, str]:
    """sha256 of the data behind the names of a configuration, in hexadecimal; stemmers are code and have none."""
    found = {}
    for name in resources:
        if name in CATALOG:
            found[name] = CATALOG[name].sha256 or open_paraphrases(name).source_sha256
        elif name not in STEMMERS:
            found[name] = _digest_of_path(name)
    if function_words in LANGUAGES:
        found[function_words] = CATALOG[f"function-words-{function_words}"].sha256 or ""
    elif function_words is not None:
        found[function_words] = _digest_of_path(function_words)
    return found


def _digest_of_path(name: str) -> str:
    path = Path(name)
    if path.is_dir():
        return open_paraphrases(path).source_sha256
    try:
        return sha256_of(path)
    except OSError as error:
        raise ResourceMissing(name, f"the file cannot be read ({error.strerror}); check the path") from None
