"""Stemmers by name: Snowball's as METEOR 1.5 has them, Porter's, NLTK's and external packages'.

External stemmers depend on the installed version of their package; all others are part of this package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from struct import iter_unpack
from typing import Any

from attrs import frozen

from meteorlib.errors import UnknownName
from meteorlib.registry import resolve
from meteorlib.resources.table_driven import TableDriven

ARABIC = "arabic"
"""METEOR 1.5's stemmer for Arabic in Buckwalter's letters: a table, which has to be installed."""

METEOR_SNOWBALL_LANGUAGES: Mapping[str, str] = {
    "da": "danish",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "se": "swedish",
    "sv": "swedish",
    "tr": "turkish",
}
"""Language code → algorithm, for the Snowball stemmers of METEOR 1.5."""
_INCLUDED: Mapping[str, str] = {
    **{f"snowball-{code}": name for code, name in METEOR_SNOWBALL_LANGUAGES.items()},
    "porter": "porter",
    "porter-nltk": "nltk",
    ARABIC: "table",
}
NEWER_SNOWBALL_LANGUAGES: Mapping[str, str] = {
    "ar": "Arabic",
    "ca": "Catalan",
    "cs": "Czech",
    "el": "Greek",
    "eo": "Esperanto",
    "et": "Estonian",
    "eu": "Basque",
    "fa": "Persian",
    "ga": "Irish",
    "hi": "Hindi",
    "hy": "Armenian",
    "id": "Indonesian",
    "lt": "Lithuanian",
    "ne": "Nepali",
    "pl": "Polish",
    "sr": "Serbian",
    "st": "Sesotho",
    "ta": "Tamil",
    "yi": "Yiddish",
}
"""Language code → snowballstemmer's language, for languages that METEOR 1.5's Snowball lacks."""

_SIMPLEMMA = (
    "ar ast bg ca cs cy da de el en enm eo es et fa fi fr ga gd gl grc gv hbs he hi hu hy id is it ka la lb lt lv mk "
    "ml ms nb nl nn pl pt ro ru se sk sl sq sv sw tl tr uk"
)
"""Languages of simplemma 2, by its codes: ``se`` is Northern Sami, ``sv`` Swedish, ``hbs`` Serbo-Croatian."""

EXTERNAL_NAMES = (
    *(f"snowball-{code}" for code in NEWER_SNOWBALL_LANGUAGES),
    *(f"simplemma-{code}" for code in _SIMPLEMMA.split()),
)
"""Names of the stemmers of external packages."""
STEMMERS = frozenset({*_INCLUDED, *EXTERNAL_NAMES})
STEMMERS_HINT = "porter, porter-nltk, arabic, and the snowball-XX and simplemma-XX that `meteorlib languages` lists"
"""Summary of `STEMMERS` for messages."""
METEOR_STEMMERS = frozenset({*(f"snowball-{code}" for code in METEOR_SNOWBALL_LANGUAGES), ARABIC})
"""Names of METEOR 1.5's stemmers."""

_TABLE_DRIVEN = {
    "porter-nltk": "meteorlib.resources.stemmers.nltk_porter",
    "snowball-en": "meteorlib.resources.stemmers.porter2",
    "porter": "meteorlib.resources.stemmers.porter_1980",
}
"""Modules written from descriptions of stemmers, each with a function ``stem`` and the tables of its compiled form."""
_READ_UTF16 = frozenset({"snowball-en", "porter"})
"""Names in `_TABLE_DRIVEN` whose stemmers count UTF-16 units."""

_METEOR_VARIANTS = {"finnish": "_MeteorFinnish", "german": "_MeteorGerman"}
"""Algorithms whose METEOR 1.5 version differs from the carried one, with its class."""


def stemmer_name(language: str) -> str:
    """Name of METEOR 1.5's stemmer for a language code, whether or not there is one."""
    return ARABIC if language == "ar-bw-red" else f"snowball-{language}"


def stemmer(name: str) -> Callable[[str], str]:
    """Create a stemmer by name: word → stem.

    Stemmers are stateless and can be shared between threads and pickled. NLTK's and simplemma's lowercase; the others
    keep the case. Stems in METEOR's languages do not depend on other packages: neither snowballstemmer nor PyStemmer is
    used for them. A stemmer of another package has an attribute ``versions``.

    Args:
        name: ``snowball-XX`` with a language code of METEOR's, ``porter`` (Porter 1980), ``porter-nltk``
            (`meteorlib.resources.stemmers.nltk_porter`), ``arabic``; or one of `meteorlib.resources.stemmers.external`.

    Raises:
        UnknownName: there is no stemmer of that name.
        ResourceMissing: the table of ``arabic`` is not installed.
        ExtraMissing: the package of an external stemmer is not installed.
    """
    if name not in STEMMERS:
        raise UnknownName("stemmer", name, STEMMERS, STEMMERS_HINT)
    if name in _TABLE_DRIVEN:
        return _table_driven(name)
    if name == ARABIC:
        stems: Callable[[str], str] = resolve("meteorlib.resources.stemmers.stem_table:open_stems")(name)
        return stems
    if name in EXTERNAL_NAMES:
        made = resolve("meteorlib.resources.stemmers.external:EXTERNAL_STEMMERS")[name]
        installed: Callable[[str], str] = made(name.partition("-")[2])
        return installed
    algorithm = _INCLUDED[name]
    if algorithm in _METEOR_VARIANTS:
        made = getattr(import_module("meteorlib.resources.stemmers.snowball"), _METEOR_VARIANTS[algorithm])
    else:
        module = import_module(f"meteorlib._vendor.snowball.{algorithm}_stemmer")
        made = getattr(module, f"{algorithm.capitalize()}Stemmer")
    return ByUnits(partial(_stem, made))


@cache
def _table_driven(name: str) -> TableDriven[str]:
    """Create one object per name, so that stages with the same stemmer can share its results."""
    module = import_module(_TABLE_DRIVEN[name])
    return TableDriven(ByUnits(module.stem) if name in _READ_UTF16 else module.stem, module.tables)


@frozen
class ByUnits:
    """A stemmer that counts letters in UTF-16 units, as Java does: an emoji is two.

    Attributes:
        stem: the stemmer.
    """

    stem: Callable[[str], str]

    def __call__(self, word: str) -> str:
        """The stem of a word."""
        if word.isascii() or max(word) <= "\uffff":
            return self.stem(word)
        units = "".join(chr(unit) for (unit,) in iter_unpack("<H", word.encode("utf-16-le", "surrogatepass")))
        return self.stem(units).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _stem(algorithm: Callable[[], Any], word: str) -> str:
    # A new one for each word: it holds the word that it works on, so two threads must not share it.
    stem: str = algorithm().stemWord(word)
    return stem
