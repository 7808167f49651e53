"""Stemmers by name: Snowball's of about 2010, which METEOR 1.5 carries, Porter's original one, and NLTK's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from struct import iter_unpack
from typing import Any

from meteorlib.errors import ResourceDamaged, UnknownName
from meteorlib.resources import english, porter

SNOWBALL_VERSION = "1.2.1"

_LANGUAGES = {
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
STEMMERS: Mapping[str, str] = {
    **{f"snowball-{code}": name for code, name in _LANGUAGES.items()},
    "porter": "porter",
    "porter-nltk": "nltk",
}

_METEORS = {"finnish": "MeteorFinnish", "german": "MeteorGerman"}
"""Those in which METEOR 1.5 differs."""


def stemmer(name: str) -> Callable[[str], str]:
    """The stemmer called `name`: word → stem.

    It keeps nothing between calls, can be shared between threads and pickled. NLTK's lowercases; no other changes the
    case.

    Args:
        name: ``snowball-XX`` with a language code of METEOR's, ``porter`` (Porter 1980), or ``porter-nltk``
            (`meteorlib.resources.porter`).

    Raises:
        UnknownName: there is no stemmer of that name.
        ResourceDamaged: another version of snowballstemmer is installed; its stems differ.
    """
    if name not in STEMMERS:
        raise UnknownName("stemmer", name, STEMMERS)
    if name == "porter-nltk":
        return porter.stem
    if name == "snowball-en":
        return partial(_by_units, english.stem)
    _check_version()
    # By its module: snowballstemmer.stemmer() hands over to PyStemmer, of whatever version, where that is installed.
    algorithm = STEMMERS[name]
    if algorithm in _METEORS:
        made = getattr(import_module("meteorlib.resources.snowball"), _METEORS[algorithm])
    else:
        made = getattr(import_module(f"snowballstemmer.{algorithm}_stemmer"), f"{algorithm.capitalize()}Stemmer")
    return partial(_by_units, partial(_stem, made))


def _by_units(stem: Callable[[str], str], word: str) -> str:
    """The stem of a word whose letters are counted as Java does, in UTF-16: an emoji is two."""
    if word.isascii() or max(word) <= "\uffff":
        return stem(word)
    units = "".join(chr(unit) for (unit,) in iter_unpack("<H", word.encode("utf-16-le", "surrogatepass")))
    return stem(units).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _stem(algorithm: Callable[[], Any], word: str) -> str:
    # A new one for each word: it holds the word that it works on, so two threads must not share it.
    stem: str = algorithm().stemWord(word)
    return stem


@cache
def _check_version() -> None:
    try:
        found = version("snowballstemmer")
    except PackageNotFoundError:
        found = "none"
    if found != SNOWBALL_VERSION:
        raise ResourceDamaged(
            "snowballstemmer",
            f"stems depend on its version, which must be {SNOWBALL_VERSION}, not {found}",
            f"run `pip install snowballstemmer=={SNOWBALL_VERSION}`",
        )
