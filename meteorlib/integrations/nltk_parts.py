"""Scorers of the preset `nltk` with a caller's own stemmer or WordNet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Literal, Protocol

from attrs import evolve, frozen

from meteorlib.config import ParameterConfig, ScorerConfig, load_preset
from meteorlib.core import caches
from meteorlib.core.signature import part_name
from meteorlib.resources.stemmers.by_name import stemmer as stemmer_by_name
from meteorlib.resources.wordnet.lemma_names import WORDNET_NAMES, LemmaNames
from meteorlib.scorer import Scorer


class Stemmer(Protocol):
    """Interface of a stemmer, like NLTK's ``StemmerI``."""

    def stem(self, word: str, /) -> str:
        """The stem of `word`."""


class WordNet(Protocol):
    """Interface of a WordNet, like NLTK's ``WordNetCorpusReader``."""

    def synsets(self, word: str, /) -> Iterable[Any]:
        """Synsets: objects with ``lemmas()``, which returns objects with ``name()``."""


def nltk_scorer(
    stemmer: Stemmer | None = None,
    wordnet: WordNet | None = None,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
    only: Literal["exact", "lemma"] | None = None,
) -> Scorer:
    """Make a scorer of the preset `nltk`, with the given parts in place of the built-in ones.

    A scorer of built-in parts is cached; one with a caller's objects is made each time, since they may change.

    Args:
        stemmer: None for NLTK's default.
        wordnet: None for WordNet 3.0.
        alpha: see `meteorlib.core.Parameters`.
        beta: see `meteorlib.core.Parameters`.
        gamma: see `meteorlib.core.Parameters`.
        only: a single stage to use; ``lemma`` alone looks up words, not stems.

    Raises:
        ValueError: a parameter out of range.
    """
    if only is None and stemmer is None and wordnet is None:
        return _builtin_scorer(alpha, beta, gamma)
    form = str if only == "lemma" else stem_of(stemmer)
    parts = {"stem": form, "lemma": LemmaNames(form, WORDNET_NAMES if wordnet is None else _WordNetNames(wordnet))}
    config = _config(alpha, beta, gamma)
    if only is not None:
        config = evolve(config, stages=[stage for stage in config.stages if stage.matcher == only])
    return Scorer(
        config, given={stage.matcher: parts[stage.matcher] for stage in config.stages if stage.matcher in parts}
    )


def stem_of(stemmer: Stemmer | None) -> Callable[[str], str]:
    """Stemming function: the method of `stemmer`, or NLTK's default."""
    return stemmer_by_name("porter-nltk") if stemmer is None else stemmer.stem


def stems(words: Iterable[str], stemmer: Stemmer | None) -> list[str]:
    """Stems of words."""
    return list(map(stem_of(stemmer), words))


@lru_cache(caches.SCORERS)
def _builtin_scorer(alpha: float, beta: float, gamma: float) -> Scorer:
    return Scorer(_config(alpha, beta, gamma))


@lru_cache(caches.SCORERS)
def _config(alpha: float, beta: float, gamma: float) -> ScorerConfig:
    return evolve(load_preset("nltk"), parameters=ParameterConfig(alpha, beta, gamma))


@frozen
class _WordNetNames:
    wordnet: WordNet

    @property
    def signature_name(self) -> str:
        """Name of the WordNet in a signature."""
        return part_name(self.wordnet)

    def __call__(self, form: str) -> Iterator[str]:
        for synset in self.wordnet.synsets(form):
            for lemma in synset.lemmas():
                yield lemma.name()
