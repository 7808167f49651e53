"""NLTK's rule for synonyms."""

from __future__ import annotations

from meteorlib.matchers.lemma import Lemma
from meteorlib.resources.wordnet.lemma_names import LemmaNames, open_lemma_names

NAMES = {"cat": ["cat", "true_cat", "Cat"], "feline": ["feline", "cat"]}
PLAIN = Lemma(LemmaNames(str, lambda form: NAMES.get(form, ())))


def _pairs(matcher, reference, hypothesis):
    sides = [matcher.analyze(words, {word: [0] for word in words}) for words in (reference, hypothesis)]
    return {word: list(partners) for word, partners in matcher.pairs(*sides)}


def test_the_hypothesis_is_looked_up():
    """A hypothesis word finds its lemmas in the reference, not the other way round."""
    assert _pairs(PLAIN, ["cat"], ["feline"]) == {"cat": ["feline"]}
    assert _pairs(PLAIN, ["feline"], ["cat"]) == {}


def test_lemmas_keep_their_case_and_are_single_words():
    """A lemma of several words is no word; capitals count."""
    assert _pairs(PLAIN, ["true_cat", "Cat", "CAT"], ["cat"]) == {"Cat": ["cat"]}


def test_a_word_is_a_lemma_of_its_own():
    """Words that the lexicon lacks find themselves."""
    assert _pairs(PLAIN, ["the", "cat"], ["the", "cat"]) == {"the": ["the"], "cat": ["cat"]}


def test_several_partners():
    """All hypothesis words with that lemma are named, in their order."""
    assert _pairs(PLAIN, ["cat"], ["feline", "cat"]) == {"cat": ["feline", "cat"]}


def test_stems_are_looked_up():
    """As in NLTK, WordNet is asked for stems, and stems of the reference are compared."""
    matcher = Lemma(open_lemma_names("wordnet-en"))
    assert _pairs(matcher, ["happy"], ["glad"]) == {}
    assert _pairs(matcher, ["glad"], ["happy"]) == {}
    assert _pairs(matcher, ["auto"], ["cars"]) == {"auto": ["cars"]}
    assert _pairs(matcher, ["passes"], ["dying"]) == {"passes": ["dying"]}
