"""Stemmers by name: Snowball's as METEOR 1.5 has them, Porter's, NLTK's and external packages'.

External stemmers depend on the installed version of their package; all others are part of this package.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar

from attrs import field, frozen

from meteorlib.core.numbers_and_letters import from_java_units, java_units
from meteorlib.errors import ExtraMissing, ResourceMissing, UnknownName
from meteorlib.extras import import_extra, installed_versions
from meteorlib.registry import resolve
from meteorlib.resources.store.record_table import TableDriven

ARABIC = "arabic"
"""METEOR 1.5's stemmer for Arabic in Buckwalter's letters: a table, which has to be installed."""

METEOR_SNOWBALL_LANGUAGES: Mapping[str, str] = {
    "da": "danish", "de": "german", "en": "english", "es": "spanish", "fi": "finnish", "fr": "french",
    "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "se": "swedish", "sv": "swedish", "tr": "turkish",
}  # fmt: skip
"""Language code → algorithm, for the Snowball stemmers of METEOR 1.5."""
_INCLUDED: Mapping[str, str] = {
    **{f"snowball-{code}": name for code, name in METEOR_SNOWBALL_LANGUAGES.items()},
    "porter": "porter",
    "porter-nltk": "nltk",
    ARABIC: "table",
}
NEWER_SNOWBALL_LANGUAGES: Mapping[str, str] = {
    "ar": "Arabic", "ca": "Catalan", "cs": "Czech", "el": "Greek", "eo": "Esperanto", "et": "Estonian", "eu": "Basque",
    "fa": "Persian", "ga": "Irish", "hi": "Hindi", "hy": "Armenian", "id": "Indonesian", "lt": "Lithuanian",
    "ne": "Nepali", "pl": "Polish", "sr": "Serbian", "st": "Sesotho", "ta": "Tamil", "yi": "Yiddish",
}  # fmt: skip
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

CODE_FOLDER = Path(__file__).parent / "stemmer_code"
"""Where the build puts the carried stemmers as code."""

_TABLE_DRIVEN = {
    "porter-nltk": ("porter_nltk", "stem", "tables"),
    "snowball-en": ("porter", "stem_english", "english_tables"),
    "porter": ("porter", "stem_1980", "tables_1980"),
}
"""Stemmers written from descriptions: the module, the stemmer, and the tables of its compiled form."""
_READ_UTF16 = frozenset({"snowball-en", "porter"})
"""Names in `_TABLE_DRIVEN` whose stemmers count UTF-16 units."""


def stemmer_name(language: str) -> str:
    """Name of METEOR 1.5's stemmer for a language code, whether or not there is one."""
    return ARABIC if language == "ar-bw-red" else f"snowball-{language}"


@frozen
class StemmerCode:
    """A carried stemmer as code for the compiled engine; ``tools/stemmer_code.py`` makes it of the Python."""

    code: Sequence[int]
    pool: Sequence[int]
    registers: Sequence[int]
    entry: int
    left: str = ""  # stems with this ending are left to Python


def stemmer_code(algorithm: str) -> StemmerCode | None:
    """The code of a carried stemmer; None where the build did not make it."""
    try:
        text = (CODE_FOLDER / f"{algorithm}.json").read_text(encoding="utf-8")
    except OSError:
        return None
    return StemmerCode(**json.loads(text), left="nis" if algorithm == "german" else "")


def stemmer(name: str) -> Callable[[str], str]:
    """Create a stemmer by one of the names `STEMMERS`: word → stem.

    Stemmers are stateless and can be shared between threads and pickled. NLTK's and simplemma's lowercase; the others
    keep the case. Stems in METEOR's languages do not depend on other packages: neither snowballstemmer nor PyStemmer is
    used for them. A stemmer of another package has an attribute ``versions``.
    """
    if name not in STEMMERS:
        raise UnknownName("stemmer", name, STEMMERS, STEMMERS_HINT)
    if name in _TABLE_DRIVEN:
        return _table_driven(name)
    if name == ARABIC:
        stems: Callable[[str], str] = resolve("meteorlib.resources.meteor_tables:open_stems")(name)
        return stems
    if name in EXTERNAL_NAMES:
        return EXTERNAL_STEMMERS[name](name.partition("-")[2])
    return _carried(_INCLUDED[name])


@cache
def _table_driven(name: str) -> TableDriven[str]:
    """Create one object per name, so that stages with the same stemmer can share its results."""
    module, *functions = _TABLE_DRIVEN[name]
    stem, tables = [resolve(f"meteorlib.resources.{module}:{function}") for function in functions]
    return TableDriven(ByUnits(stem) if name in _READ_UTF16 else stem, tables)


@cache
def _carried(algorithm: str) -> TableDriven[str]:
    """Create one object per algorithm, so that stages with the same stemmer can share its results."""
    return TableDriven(ByUnits(partial(_stem, algorithm)), partial(stemmer_code, algorithm))


@frozen
class ByUnits:
    """A stemmer that counts letters in UTF-16 units, as Java does: an emoji is two."""

    stem: Callable[[str], str]

    def __call__(self, word: str) -> str:
        """The stem of a word."""
        units = java_units(word)
        return self.stem(word) if len(units) == len(word) else from_java_units(self.stem(units))


_NISS = ("nisse", "nissen", "nisses")


def _stem(algorithm: str, word: str) -> str:
    # A new one for each word: it holds the word that it works on, so two threads must not share it.
    stem: str = carried_stemmer(algorithm)().stemWord(word)
    return stem


@cache
def carried_stemmer(algorithm: str) -> Callable[[], Any]:
    """A carried stemmer, German and Finnish with what is different in METEOR 1.5.

    The differences were found by comparing stems; tests/oracle/test_stems.py compares them.
    """
    if algorithm == "german":
        from meteorlib._vendor.snowball.german_stemmer import GermanStemmer  # noqa: PLC0415 – for German alone

        # as before 2010: the s of Ergebnis-s-e stays, and no later rule applies to words in -niss

        class German(GermanStemmer):
            def stemWord(self, word: str) -> str:  # noqa: N802 – snowballstemmer's name
                stem: str = super().stemWord(word)
                return f"{stem}s" if stem.endswith("nis") and word.replace("ß", "ss").endswith(_NISS) else stem

        return German
    if algorithm == "finnish":
        from meteorlib._vendor.snowball.among import Among  # noqa: PLC0415 – for Finnish alone
        from meteorlib._vendor.snowball.finnish_stemmer import FinnishStemmer  # noqa: PLC0415

        # case endings with a condition (-den, -tten, -siin, -seen) never match: only the -n of such a word is treated
        conditional = FinnishStemmer.a_6
        changed = [Among(case.s, case.substring_i, case.result, case.method and "never") for case in conditional]

        class Finnish(FinnishStemmer):
            a_6 = changed  # for the translation

            def find_among_b(self, among: Any, size: int) -> Any:
                return super().find_among_b(changed if among is conditional else among, size)

            def never(self) -> bool:
                return False

        return Finnish
    carried: Callable[[], Any] = resolve(
        f"meteorlib._vendor.snowball.{algorithm}_stemmer:{algorithm.capitalize()}Stemmer"
    )
    return carried


@frozen
class ExternalStemmer(ABC):
    """Base class of external stemmers (word → stem). They can be shared between threads and pickled."""

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
        """Import the stemmer of a language, without its dictionary."""

    @abstractmethod
    def __call__(self, word: str) -> str:
        """The stem of `word`."""


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
    stemmer_class: Callable[[], Any] = getattr(module, f"{language}Stemmer")
    return stemmer_class


@cache
def _lemmatizer() -> Callable[[str, str], str]:
    module = import_extra("simplemma", Lemmatizer.extra)
    lemmatize: Callable[[str, str], str] = module.Lemmatizer(cache_max_size=0).lemmatize
    return lemmatize


_STEMMER_CLASSES: Mapping[str, type[ExternalStemmer]] = {"snowball": SnowballStemmer, "simplemma": Lemmatizer}
EXTERNAL_STEMMERS = {name: _STEMMER_CLASSES[name.partition("-")[0]] for name in EXTERNAL_NAMES}
"""Name → stemmer class, whose argument is the language code after the hyphen."""
