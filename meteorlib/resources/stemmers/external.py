"""Stemmers of external packages: snowballstemmer's newer languages and simplemma's lemmas.

Both are optional extras. Their results depend on the installed version, which signatures name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar

from attrs import field, frozen

from meteorlib.errors import ExtraMissing, ResourceMissing
from meteorlib.extras import import_extra, installed_versions
from meteorlib.resources.stemmers.by_name import EXTERNAL_NAMES, NEWER_SNOWBALL_LANGUAGES


@frozen
class ExternalStemmer(ABC):
    """Base class of external stemmers (word → stem). They can be shared between threads and pickled.

    Attributes:
        language: the package's code of the language.
        versions: package → installed version.
    """

    package: ClassVar[str]
    extra: ClassVar[str]

    language: str
    versions: Mapping[str, str] = field(init=False, hash=False)

    @versions.default
    def _versions(self) -> Mapping[str, str]:
        self("a")  # a missing package is an error now, not at the first word
        return installed_versions([self.package], self.extra)

    @classmethod
    @abstractmethod
    def load(cls, language: str) -> object:
        """Import the stemmer of a language, without its dictionary.

        Raises:
            ExtraMissing: it is not installed.
        """

    @abstractmethod
    def __call__(self, word: str) -> str:
        """The stem of `word`."""


@frozen
class SnowballStemmer(ExternalStemmer):
    """Snowball's stemmer for a language, from snowballstemmer's own code, never PyStemmer's."""

    package = "snowballstemmer"
    extra = "snowball"

    @classmethod
    def load(cls, language: str) -> object:
        """See `ExternalStemmer.load`."""
        return _snowball_class(NEWER_SNOWBALL_LANGUAGES[language])

    def __call__(self, word: str) -> str:
        """The stem of `word`; the case is not changed."""
        # A new one for each word: it holds the word that it works on, so two threads must not share it.
        stem: str = _snowball_class(NEWER_SNOWBALL_LANGUAGES[self.language])().stemWord(word)
        return stem


@frozen
class Lemmatizer(ExternalStemmer):
    """Stemmer that returns lemmas, by simplemma's dictionaries and rules (Barbaresi 2021)."""

    package = "simplemma"
    extra = "simplemma"

    @classmethod
    def load(cls, language: str) -> object:  # noqa: ARG003 – one package has all languages
        """See `ExternalStemmer.load`."""
        return _lemmatizer()

    def __call__(self, word: str) -> str:
        """The lemma of `word`, lowercased like the text: *kinder* and *kind* have *kind*."""
        try:
            return _lemmatizer()(word, self.language).lower() if word else word
        except UnicodeEncodeError:  # a lone surrogate: no word
            return word
        except ValueError as error:
            remedy = f"the simplemma that is installed does not have it ({error}); install a newer one"
            raise ResourceMissing(f"simplemma-{self.language}", remedy) from error


@cache
def _snowball_class(language: str) -> Callable[[], Any]:
    try:
        module = import_extra(f"snowballstemmer.{language.lower()}_stemmer", SnowballStemmer.extra)
    except ExtraMissing as error:
        raise ExtraMissing(f"snowballstemmer with {language} (3.1 or newer)", SnowballStemmer.extra) from error
    found: Callable[[], Any] = getattr(module, f"{language}Stemmer")
    return found


@cache
def _lemmatizer() -> Callable[[str, str], str]:
    found: Callable[[str, str], str] = (
        import_extra("simplemma", Lemmatizer.extra).Lemmatizer(cache_max_size=0).lemmatize
    )
    return found


_STEMMER_CLASSES: Mapping[str, type[ExternalStemmer]] = {"snowball": SnowballStemmer, "simplemma": Lemmatizer}
EXTERNAL_STEMMERS = {name: _STEMMER_CLASSES[name.partition("-")[0]] for name in EXTERNAL_NAMES}
"""Name → stemmer class, whose argument is the language code after the hyphen."""
