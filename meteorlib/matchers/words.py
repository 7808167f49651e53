"""Matches of single words: equal ones, and those that share a stem, a synonym set, or a lemma by NLTK's rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import ClassVar, Protocol

from attrs import Factory, define, field, frozen

from meteorlib.caches import Memo
from meteorlib.matchers.matcher import Positions, WordMatcher


@frozen
class Exact(WordMatcher):
    """Pairs a word with itself."""

    gain: ClassVar[float] = 1.0

    def analyze(self, words: Sequence[str], positions: Positions) -> Set[str]:  # noqa: ARG002
        """The distinct words."""
        return positions.keys()

    def pairs(self, reference: Set[str], hypothesis: Set[str]) -> Iterator[tuple[str, tuple[str]]]:
        """Words that both sides have."""
        # the words, not METEOR 1.5's 32-bit hashes of them, which are the same for the French words le and n'
        for word in reference & hypothesis:
            yield word, (word,)


@define
class Stem(WordMatcher):
    """Pairs different words with the same stem.

    Attributes:
        stemmer: word → stem.
    """

    stemmer: Callable[[str], str]
    _stems: Memo[str] = field(init=False, default=Factory(lambda self: Memo(self.stemmer), takes_self=True))

    def analyze(self, words: Sequence[str], positions: Positions) -> Mapping[str, str]:  # noqa: ARG002
        """The stem of each distinct word."""
        stems = self._stems
        return {word: stems[word] for word in positions}

    def pairs(self, reference: Mapping[str, str], hypothesis: Mapping[str, str]) -> Iterator[tuple[str, Sequence[str]]]:
        """Words with a common stem."""
        owners = {stem: word for word, stem in hypothesis.items()}
        if len(owners) == len(hypothesis):
            for word, stem in reference.items():
                owner = owners.get(stem, word)
                if owner != word:
                    yield word, (owner,)
            return
        families: dict[str, list[str]] = {stem: [] for stem in owners}
        for word, stem in hypothesis.items():
            families[stem].append(word)
        for word, stem in reference.items():
            partners = [partner for partner in families.get(stem, ()) if partner != word]
            if partners:
                yield word, partners


Synsets = Mapping[str, frozenset[int]]


@define
class Synonym(WordMatcher):
    """Pairs words whose synonym sets intersect.

    Attributes:
        synsets: word → the identifiers of its synonym sets, those of its base forms included.
    """

    synsets: Callable[[str], frozenset[int]]
    _synsets: Memo[frozenset[int]] = field(
        init=False, default=Factory(lambda self: Memo(self.synsets), takes_self=True)
    )

    def analyze(self, words: Sequence[str], positions: Positions) -> Synsets:  # noqa: ARG002
        """The synonym sets of each distinct word that has any."""
        synsets = self._synsets
        return {word: known for word in positions if (known := synsets[word])}

    def pairs(self, reference: Synsets, hypothesis: Synsets) -> Iterator[tuple[str, Sequence[str]]]:
        """Words with a common synonym set."""
        others = hypothesis.items()
        present: set[int] = set()
        repeated: set[int] = set()
        for synsets in hypothesis.values():
            if not present.isdisjoint(synsets):
                repeated |= present & synsets
            present |= synsets
        for word, synsets in reference.items():
            # of its own synonym sets, a word that stands in both shares with others only those that stand twice
            if not synsets.isdisjoint(repeated if word in hypothesis else present):
                yield word, [other for other, theirs in others if not synsets.isdisjoint(theirs) and other != word]


class _Lexicon(Protocol):
    """Lexicon with lemma names; see `meteorlib.resources.lexicons.LemmaNames`."""

    def form(self, word: str) -> str: ...
    def names(self, form: str) -> Iterable[str]: ...


@define
class Lemma(WordMatcher):
    """Pairs a hypothesis word with the reference words that are lemmas of its synonym sets (NLTK 3.10).

    Only the hypothesis word is looked up, so the pairs depend on the side: "feline" as hypothesis may find what
    it does not find as reference. A lemma counts as WordNet writes it, capitals included, unless it is made of several
    words; a word counts as a lemma of its own.
    """

    lexicon: _Lexicon  # word → form → lemma names
    _forms: Memo[str] = field(init=False, default=Factory(lambda self: Memo(self.lexicon.form), takes_self=True))
    _lemmas: Memo[frozenset[str]] = field(
        init=False, default=Factory(lambda self: Memo(self._single_words), takes_self=True)
    )

    def _single_words(self, form: str) -> frozenset[str]:
        return frozenset({form, *(name for name in self.lexicon.names(form) if "_" not in name)})

    def analyze(self, words: Sequence[str], positions: Positions) -> Mapping[str, str]:  # noqa: ARG002
        """The form of each distinct word."""
        forms = self._forms
        return {word: forms[word] for word in positions}

    def pairs(self, reference: Mapping[str, str], hypothesis: Mapping[str, str]) -> Iterator[tuple[str, Sequence[str]]]:
        """Words of the reference with the hypothesis words of which they are lemmas, themselves included."""
        wanted = set(reference.values())
        partners: dict[str, list[str]] = {}
        for word, form in hypothesis.items():
            for lemma in self._lemmas[form] & wanted:
                partners.setdefault(lemma, []).append(word)
        for word, form in reference.items():
            if form in partners:
                yield word, partners[form]
