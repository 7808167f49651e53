"""Stemmers by name: Snowball's of about 2010, which METEOR 1.5 carries, Porter's original one, and NLTK's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
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
        return english.stem
    _check_version()
    # By its module: snowballstemmer.stemmer() hands over to PyStemmer, of whatever version, where that is installed.
    algorithm = STEMMERS[name]
    if algorithm in _METEORS:
        return partial(_stem, getattr(import_module("meteorlib.resources.snowball"), _METEORS[algorithm]))
    module = import_module(f"snowballstemmer.{algorithm}_stemmer")
    return partial(_stem, getattr(module, f"{algorithm.capitalize()}Stemmer"))


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
