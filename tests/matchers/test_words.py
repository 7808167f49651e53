"""The matchers of single words: exact, stem, synonym."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.matchers.matcher import propose
from meteorlib.matchers.words import Exact, Lemma, Stem, Synonym
from meteorlib.resources.language_data import open_lexicon
from meteorlib.resources.lexicons import LemmaNames, open_lemma_names
from meteorlib.resources.stemmers import stemmer
from tests.matchers.conftest import segment

PORTER = Stem(stemmer("porter"))
WORDNET = Synonym(open_lexicon("wordnet-en"))
SETS = {"a": {1}, "b": {1, 2}, "c": {2}, "d": {3}}
SMALL = Synonym(lambda word: frozenset(SETS.get(word, ())))
FIRST = Stem(lambda word: word[0])


def test_exact(candidates):
    """A word is paired with every place of the same word, in ascending order."""
    assert candidates([Exact()], "a b a", "a c a") == [[(1, 0, 1, 0), (1, 2, 1, 0)], [], [(1, 0, 1, 0), (1, 2, 1, 0)]]


def test_exact_minds_case(candidates):
    """Words are compared as they are: lowercasing is the text mode's."""
    assert candidates([Exact()], "Cat", "cat") == [[]]


def test_stem(candidates):
    """Words are paired with other words of the same stem, in the order of their places, not with themselves."""
    assert candidates([PORTER], "cats", "cat cats catted cat") == [[(1, 0, 1, 0), (1, 2, 1, 0), (1, 3, 1, 0)]]
    assert candidates([PORTER], "cats", "cats dogs") == [[]]


def test_stem_without_families(candidates):
    """If no two words of the hypothesis share a stem, the result follows the same rule."""
    assert candidates([PORTER], "cats dogs", "dog cat cow") == [[(1, 1, 1, 0)], [(1, 0, 1, 0)]]


def test_synonym(candidates):
    """Words are paired where their synonym sets intersect; the relation is not transitive."""
    assert candidates([SMALL], "a b c", "c b d") == [[(1, 1, 1, 0)], [(1, 0, 1, 0)], [(1, 1, 1, 0)]]


def test_unknown_words_are_no_synonyms(candidates):
    """Words that the lexicon lacks have no synonyms, not even each other."""
    assert candidates([SMALL], "x y", "y z") == [[], []]


@pytest.mark.parametrize(
    ("stage", "reference", "hypothesis"), [(0, "good", "good"), (1, "goods", "good"), (2, "well", "good")]
)
def test_examples_of_meteor_2005(candidates, stage, reference, hypothesis):
    """Exact, stem and synonym matches as METEOR 2005 shows them: good-good, goods-good, well-good."""
    found = candidates([Exact(), PORTER, WORDNET], f"{reference} x", hypothesis)
    assert (1, 0, 1, stage) in found[0]
    assert all(candidate[3] >= stage for candidate in found[0])


def test_stages_follow_each_other(candidates):
    """The candidates of a position are ordered by stage, then by hypothesis position."""
    assert candidates([Exact(), FIRST], "aa", "ab aa ac aa") == [
        [(1, 1, 1, 0), (1, 3, 1, 0), (1, 0, 1, 1), (1, 2, 1, 1)],
    ]


def test_same_words_ask_only_the_first_stage(candidates):
    """If both sides are the same words, only the first stage proposes."""
    assert candidates([Exact(), FIRST], "aa ab", "aa ab") == [[(1, 0, 1, 0)], [(1, 1, 1, 0)]]
    assert candidates([FIRST, Exact()], "aa ab", "aa ab") == [[(1, 1, 1, 0)], [(1, 0, 1, 0)]]


def test_empty_sides(candidates):
    """No words, no candidates."""
    matchers = [Exact(), PORTER, WORDNET]
    assert candidates(matchers, "", "a") == []
    assert candidates(matchers, "a b", "") == [[], []]
    assert candidates(matchers, "", "") == []


def by_the_rule(matches, reference, hypothesis, stage):
    """Section 3 of the description: positions ascending whose words match."""
    return [[(1, i, 1, stage) for i, word in enumerate(hypothesis) if matches(wanted, word)] for wanted in reference]


@given(*[st.lists(st.sampled_from(["aa", "ab", "ba", "bb", "b", "a", "c", "d"]), max_size=8)] * 2)
def test_all_stages_by_the_rule(reference, hypothesis):
    """Candidates are those of the plain rule, whatever short cuts are taken."""
    rules = [
        lambda a, b: a == b,
        lambda a, b: a != b and a[0] == b[0],
        lambda a, b: a != b and not SETS.get(a, set()).isdisjoint(SETS.get(b, set())),
    ]
    stages = [Exact(), FIRST, SMALL]
    if reference == hypothesis:
        rules = rules[:1]
    expected = [[] for _ in reference]
    for stage, rule in enumerate(rules):
        for position, found in enumerate(by_the_rule(rule, reference, hypothesis, stage)):
            expected[position] += found
    found = propose(stages, segment(stages, " ".join(reference)), segment(stages, " ".join(hypothesis)))
    assert [list(candidates) for candidates in found] == expected


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
