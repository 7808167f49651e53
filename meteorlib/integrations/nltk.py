"""A drop-in for ``nltk.translate.meteor_score``: names, signatures and scores of NLTK 3.10.4.

``from meteorlib.integrations.nltk import meteor_score`` takes the place of the import from NLTK; neither NLTK nor its
downloads are needed. `docs/coming-from.md` says what differs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, Protocol

from attrs import evolve, frozen

from meteorlib.core.alignment import Alignment
from meteorlib.core.signature import part_name
from meteorlib.errors import InputMismatch
from meteorlib.integrations import scorer_with
from meteorlib.resources.lexicons import WORDNET_NAMES, LemmaNames
from meteorlib.resources.stemmers import stemmer as stemmer_by_name
from meteorlib.scorer import Scorer
from meteorlib.text.validation import texts_of

__all__ = [
    "NoReference",
    "align_words",
    "exact_match",
    "meteor",
    "meteor_score",
    "single_meteor_score",
    "stem_match",
    "wordnetsyn_match",
]

Pairs = list[tuple[int, int]]
"""(hypothesis position, reference position)."""

Words = list[tuple[int, str]]
"""(position, word)."""


class Stemmer(Protocol):
    """Interface of a stemmer, like NLTK's ``StemmerI``."""

    def stem(self, word: str, /) -> str:
        """The stem of `word`."""


class WordNet(Protocol):
    """Interface of a WordNet, like NLTK's ``WordNetCorpusReader``."""

    def synsets(self, word: str, /) -> Iterable[Any]:
        """Synsets: objects with ``lemmas()``, which returns objects with ``name()``."""


class NoReference(InputMismatch, ValueError):
    """No reference was given; also a `ValueError`, as in NLTK."""


def meteor_score(
    references: Iterable[Iterable[str]],
    hypothesis: Iterable[str],
    preprocess: Callable[[str], str] = str.lower,
    stemmer: Stemmer | None = None,
    wordnet: WordNet | None = None,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
) -> float:
    """Compute the METEOR score of a hypothesis against several references; the best one counts.

    Args:
        references: the words of each reference.
        hypothesis: the words of the hypothesis.
        preprocess: function applied to every word first.
        stemmer: any object with ``stem(word)``; None for NLTK's default, ``PorterStemmer()``.
        wordnet: any object with NLTK's ``synsets(word)``; None for WordNet 3.0.
        alpha: weight of recall against precision, 0..1.
        beta: exponent of fragmentation, ≥ 0.
        gamma: greatest penalty, 0..1.

    Returns:
        A score 0..1; 0 if nothing matches.

    Raises:
        TypeError: a string instead of words.
        NoReference: `references` is empty.
        InvalidText: a word with NUL or a lone surrogate.
        ValueError: alpha, beta or gamma out of range.
    """
    hypothesis = _words(hypothesis, "hypothesis", preprocess)
    analyzed = [_words(reference, "reference", preprocess) for reference in references]
    if not analyzed:
        raise NoReference("a hypothesis needs at least one reference, got none")
    return nltk_scorer(stemmer, wordnet, alpha, beta, gamma).score_tokens(analyzed, hypothesis).score


meteor = meteor_score
"""Name of `meteor_score` in ``nltk.translate``."""


def single_meteor_score(
    reference: Iterable[str],
    hypothesis: Iterable[str],
    preprocess: Callable[[str], str] = str.lower,
    stemmer: Stemmer | None = None,
    wordnet: WordNet | None = None,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
) -> float:
    """Compute the METEOR score of a hypothesis against one reference; see `meteor_score`."""
    return meteor_score([reference], hypothesis, preprocess, stemmer, wordnet, alpha, beta, gamma)


def align_words(
    hypothesis: Iterable[str],
    reference: Iterable[str],
    stemmer: Stemmer | None = None,
    wordnet: WordNet | None = None,
) -> tuple[Pairs, Words, Words]:
    """Align a hypothesis with a reference.

    Returns:
        The matches in hypothesis order, and the unmatched words of the hypothesis and of the reference. Unmatched words
        are given as stems, as in NLTK.
    """
    alignment = nltk_scorer(stemmer, wordnet).score_tokens(*_sides(hypothesis, reference)).alignment
    matches, *unmatched = _nltk_matches(alignment)
    stem = _stem_of(stemmer)
    left, right = ([(position, stem(word)) for position, word in words] for words in unmatched)
    return matches[::-1], left, right


def exact_match(hypothesis: Iterable[str], reference: Iterable[str]) -> tuple[Pairs, Words, Words]:
    """Match equal words: NLTK's first stage alone.

    Returns:
        The matches from the last hypothesis word to the first, and the unmatched words of the hypothesis and of the
        reference.
    """
    return _nltk_matches(nltk_scorer(only="exact").score_tokens(*_sides(hypothesis, reference)).alignment)


def stem_match(
    hypothesis: Iterable[str], reference: Iterable[str], stemmer: Stemmer | None = None
) -> tuple[Pairs, Words, Words]:
    """Match words with equal stems, including equal words: NLTK's second stage alone; see `exact_match`.

    Unmatched words are given as stems, as in NLTK.
    """
    (reference,), hypothesis = _sides(hypothesis, reference)
    stem = _stem_of(stemmer)
    words = [list(map(stem, reference))], list(map(stem, hypothesis))
    return _nltk_matches(nltk_scorer(only="exact").score_tokens(*words).alignment)


def wordnetsyn_match(
    hypothesis: Iterable[str], reference: Iterable[str], wordnet: WordNet | None = None
) -> tuple[Pairs, Words, Words]:
    """Match words with lemmas of the hypothesis word or itself: NLTK's third stage alone; see `exact_match`."""
    return _nltk_matches(
        nltk_scorer(None, wordnet, only="lemma").score_tokens(*_sides(hypothesis, reference)).alignment
    )


def _sides(hypothesis: Iterable[str], reference: Iterable[str]) -> tuple[list[list[str]], list[str]]:
    words = _words(hypothesis, "hypothesis", str.lower)
    return [_words(reference, "reference", str.lower)], words


def _words(words: Iterable[str], side: str, preprocess: Callable[[str], str]) -> list[str]:
    if isinstance(words, str):
        raise TypeError(f'"{side}" expects pre-tokenized {side} (Iterable[str]): {words}')
    return list(map(preprocess, texts_of(words, f'"{side}"')))


def _nltk_matches(alignment: Alignment | None) -> tuple[Pairs, Words, Words]:
    """Matches and unmatched words in NLTK's form, the last match first."""
    assert alignment is not None  # noqa: S101 – a single reference always leaves its alignment
    pairs = ((match.hypothesis_start, match.reference_start) for match in alignment.matches)
    return (
        sorted(pairs, reverse=True),
        [(position, alignment.hypothesis[position]) for position in alignment.unmatched_hypothesis],
        [(position, alignment.reference[position]) for position in alignment.unmatched_reference],
    )


def nltk_scorer(
    stemmer: Stemmer | None = None,
    wordnet: WordNet | None = None,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
    only: Literal["exact", "lemma"] | None = None,
) -> Scorer:
    """A scorer of the preset `nltk`, with the given parts in place of the built-in ones, or with one stage `only`.

    A scorer of built-in parts is cached; one with a caller's objects is made each time, since they may change.
    The stage ``lemma`` alone looks up words, not stems.
    """
    builtin = scorer_with("nltk", alpha=alpha, beta=beta, gamma=gamma)
    if only is None and stemmer is None and wordnet is None:
        return builtin
    form = str if only == "lemma" else _stem_of(stemmer)
    parts = {"stem": form, "lemma": LemmaNames(form, WORDNET_NAMES if wordnet is None else _WordNetNames(wordnet))}
    config = builtin.config
    if only is not None:
        config = evolve(config, stages=[stage for stage in config.stages if stage.matcher == only])
    return Scorer(
        config, given={stage.matcher: parts[stage.matcher] for stage in config.stages if stage.matcher in parts}
    )


def _stem_of(stemmer: Stemmer | None) -> Callable[[str], str]:
    return stemmer_by_name("porter-nltk") if stemmer is None else stemmer.stem


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
