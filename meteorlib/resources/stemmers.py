"""Stemmers by name: Snowball's of about 2010, which METEOR 1.5 carries, and Porter's original one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from meteorlib.errors import ResourceDamaged, UnknownName

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
STEMMERS: Mapping[str, str] = {**{f"snowball-{code}": name for code, name in _LANGUAGES.items()}, "porter": "porter"}


def stemmer(name: str) -> Callable[[str], str]:
    """The stemmer called `name`: word → stem.

    It does not change the case, keeps nothing between calls, can be shared between threads and pickled.

    Args:
        name: ``snowball-XX`` with a language code of METEOR's, or ``porter`` (Porter 1980).

    Raises:
        UnknownName: there is no stemmer of that name.
        ResourceDamaged: another version of snowballstemmer is installed; its stems differ.
    """
    if name not in STEMMERS:
        raise UnknownName("stemmer", name, STEMMERS)
    _check_version()
    # By its module: snowballstemmer.stemmer() hands over to PyStemmer, of whatever version, where that is installed.
    algorithm = STEMMERS[name]
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
