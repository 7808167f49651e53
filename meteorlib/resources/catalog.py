"""Catalog of the known language data: name, kind, license, origin and digest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

from meteorlib.core.languages import NAMES, language_code
from meteorlib.errors import UnknownName
from meteorlib.resources.digests import DIGESTS

LANGUAGES = {"en": "English", "cz": "Czech", "fr": "French", "de": "German", "es": "Spanish", "ru": "Russian"}
"""Languages with word lists and paraphrase tables in METEOR 1.5."""

_OTHER_LANGUAGES = (
    "ar bg bn ca da el fa fi he hi hu id is it ja ko lt lv mk ms nb nl pl pt ro sk sl sr sv ta tl tr uk ur vi zh"
)

FUNCTION_WORDS: Mapping[str, str] = {
    **LANGUAGES,
    **{code: NAMES[code] for code in _OTHER_LANGUAGES.split()},
    "sr": "Serbo-Croatian",  # in both alphabets
}
"""Languages with function words: METEOR 1.5's, and others by their ISO 639 codes."""

THESAURI: Mapping[str, str] = {
    "de": "OpenThesaurus (Daniel Naber and others), in Debian's mythes-de 20160424-4",
    "es": "LibreOffice's thesaurus (Marcelo Garrone), in Debian's mythes-es 7.5.0",
    "fr": "LibreOffice's thesaurus (Frédéric Labbé and others), in Debian's mythes-fr 7.5.0",
    "ru": "LibreOffice's thesaurus (Mikhail Korolyov and others), in Debian's mythes-ru 7.5.0",
}
"""Origins of the packaged thesauri by language; the Czech one has a license (GFDL) that prevents packaging."""

NEGATION_WORDS = ("negations-en",)
"""Packaged lists of negation words."""

PARAPHRASE_TABLE = "paraphrase table"
STEM_TABLE = "stem table"
WORD_WEIGHTS = "word weights"
LEXICON = "lexicon"
WORD_VECTORS = "word vectors"

LEMMAS_SUFFIX = "-lemmas"
"""Name suffix of synonyms that are also looked up by lemma."""

_USER_KINDS = {"synonyms": (LEXICON, "synonyms"), "vectors": (WORD_VECTORS, "word vectors")}
_WORDNET_LICENSE = "WordNet 3.0 license"
_LGPL = "LGPL-2.1"
_METEOR = "METEOR 1.5 (Denkowski & Lavie 2014)"
_WORDFREQ_LICENSE = "CC BY-SA 4.0"
_WORDFREQ = "wordfreq 3.1.1 (Robyn Speer)"
_DATA = Path(__file__).parent / "data"


@frozen
class Resource:
    """A piece of language data.

    Attributes:
        name: the name in configurations and commands, e.g. ``paraphrase-en``.
        language: METEOR's language code.
        origin: publication or package of its source.
        sha256: None if unknown. For packaged data it covers the content in the form in which it was packaged first, so
            that it stays the same while the format changes (`FILES` has today's checksums). Otherwise it covers the
            source that is compiled.
        size: bytes of the data that `sha256` covers.
    """

    name: str
    kind: str
    description: str
    language: str
    license: str
    origin: str
    sha256: str | None
    size: int | None
    packaged: bool


def is_path(name: str) -> bool:
    r"""Whether a name in a configuration is the path of a file: it holds a ``/``, a ``\`` or a ``.``."""
    return any(mark in name for mark in "/\\.")


def _resource(name: str, kind: str, description: str, language: str, license_: str, origin: str) -> Resource:
    sha256, size = DIGESTS.get(name, (None, None))
    is_packaged = kind not in (PARAPHRASE_TABLE, STEM_TABLE)
    return Resource(name, kind, description, language, license_, origin, sha256, size, is_packaged)


def _rows() -> Iterator[tuple[str, str, str, str, str, str]]:
    """Name, kind, description, language, license and origin of each resource."""
    text = "WordNet 3.0 words and synset offsets without part of speech, as METEOR 1.5 has them"
    yield "wordnet-en-offsets", LEXICON, text, "en", _WORDNET_LICENSE, _METEOR
    text = "WordNet 3.0 words and synsets by part of speech, with WordNet's exception lists"
    yield "wordnet-en", LEXICON, text, "en", _WORDNET_LICENSE, "WordNet 3.0 (Princeton University 2006)"
    for code, language in FUNCTION_WORDS.items():
        source = (_LGPL, _METEOR) if code in LANGUAGES else (_WORDFREQ_LICENSE, _WORDFREQ)
        yield f"function-words-{code}", "function words", f"{language} function words", language_code(code), *source
    for code, language in LANGUAGES.items():
        text = f"{language} abbreviations that do not end a sentence"
        yield f"prefixes-{code}", "non-breaking prefixes", text, code, _LGPL, _METEOR
    for name in NEGATION_WORDS:
        code = name.removeprefix("negations-")
        yield name, "negation words", f"{LANGUAGES[code]} negation words", code, "MIT", "this project"
    for code, language in LANGUAGES.items():
        text = f"{language} words with their information content"
        yield f"information-{code}", WORD_WEIGHTS, text, code, _WORDFREQ_LICENSE, _WORDFREQ
    for code, origin in THESAURI.items():
        text = f"{LANGUAGES[code]} words and the meanings that they share"
        yield f"thesaurus-{code}", LEXICON, text, code, _LGPL, origin
    for code, language in LANGUAGES.items():
        where = "in the PyPI package pycocoevalcap 1.2" if code == "en" else "distribution (data folder)"
        yield f"paraphrase-{code}", PARAPHRASE_TABLE, f"{language} paraphrases", code, _LGPL, f"{_METEOR}, {where}"
    origin = f"{_METEOR}, in its jar, which is in the PyPI package pycocoevalcap 1.2"
    yield "arabic", STEM_TABLE, "Arabic words in Buckwalter's letters and their stems", "ar-bw-red", _LGPL, origin


CATALOG: Mapping[str, Resource] = {row[0]: _resource(*row) for row in _rows()}

PARAPHRASE_TABLES = tuple(name for name, resource in CATALOG.items() if resource.kind == PARAPHRASE_TABLE)

PACKAGED_THESAURI = tuple(f"thesaurus-{code}" for code in THESAURI)

PACKAGED_WEIGHTS = tuple(name for name, resource in CATALOG.items() if resource.kind == WORD_WEIGHTS)


def find_resource(name: str) -> Resource:
    """The resource `name`; synonyms and word vectors of any language count, others raise `UnknownName`."""
    if name in CATALOG:
        return CATALOG[name]
    if not is_user_resource(name):
        own = [f"{what}-XX" for what in _USER_KINDS]
        raise UnknownName("resource", name, [*CATALOG, *own], f"those of `meteorlib resources list`, {', '.join(own)}")
    what, _, language = name.partition("-")
    kind, called = _USER_KINDS[what]
    return Resource(name, kind, f"{called} that a user installs", language, "", "", None, None, packaged=False)


def is_user_resource(name: str) -> bool:
    """Whether users install this data from their own sources: synonyms or word vectors."""
    return is_synonyms(name) or is_vectors(name)


def is_synonyms(name: str) -> bool:
    """Whether `name` is ``synonyms-XX`` with a language code, or ``synonyms-XX-lemmas``."""
    return _has_language_code("synonyms", name)


def lexicon_name(name: str) -> str:
    """The lexicon behind synonyms that are looked up by lemma: ``synonyms-de-lemmas`` → ``synonyms-de``."""
    return name.removesuffix(LEMMAS_SUFFIX)


def is_vectors(name: str) -> bool:
    """Whether `name` is ``vectors-XX`` with a language code."""
    return _has_language_code("vectors", name)


def _has_language_code(what: str, name: str) -> bool:
    return re.fullmatch(rf"{what}-[A-Za-z]{{2,3}}([-_][A-Za-z0-9]{{1,16}}){{0,4}}", name) is not None


def packaged_path(name: str) -> Path:
    """Path of packaged data: a file, or a folder for ``wordnet-en``."""
    if name == "wordnet-en":
        return _DATA / name
    with_records = name.startswith(("information-", "thesaurus-", "wordnet-"))
    return _DATA / f"{name}{'.records' if with_records else '.txt'}"
