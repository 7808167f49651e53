"""Groups of segments and of words: which ones they have, how the systems score there, whose label a word has."""

from __future__ import annotations

from math import isnan

import pytest

from meteorlib import Scorer
from meteorlib.analysis.contrast.aligned import Aligned, References, WordNumbers
from meteorlib.analysis.contrast.groups import (
    Grouping,
    LabeledWords,
    by_frequency,
    by_kind,
    by_length,
    by_rare_words,
    by_ratio,
    by_source,
    by_stage,
    token_owners,
)
from meteorlib.errors import InputMismatch

SHORT, LONG = "the cat sleeps", "one two three four five six seven eight nine ten eleven twelve"


def test_by_length(corpus):
    """Each band of lengths has the corpus score of its segments alone."""
    whole = corpus([SHORT, LONG, SHORT], [SHORT, "one two", "the dog"])
    short = corpus([SHORT, SHORT], [SHORT, "the dog"])
    found = by_length([Aligned.of(whole)])
    assert [(one.label, one.size) for one in found] == [("1–10", 2), ("11–20", 1)]
    assert found[0].values == (short.score().score,)


def test_empty_reference(corpus):
    """References without words have a band of their own."""
    one = corpus(["", SHORT], ["a", SHORT])
    assert [bucket.label for bucket in by_length([Aligned.of(one)])] == ["0", "1–10"]


def test_by_ratio(corpus):
    """Each system's segments are divided by its own length ratio; one without such segments has no value there."""
    references = ["a b c d e", "a b c d e", "", "a b"]
    first = corpus(references, ["a b c d e", "a b c d", "x", "a b x"])
    second = corpus(references, ["a b c d e"] * 4)
    found = by_ratio([Aligned.of(first), Aligned.of(second)])
    assert [one.label for one in found] == ["0.8 to 0.949", "0.95 to 1.049", "1.2 and more"]
    assert found[0].values[0] == corpus(["a b c d e"], ["a b c d"]).score().score
    assert isnan(found[0].values[1])
    assert found[2].values[1] == second[3].score
    assert (found[2].low, found[2].high) == ("1.2", "")


def test_by_frequency(corpus):
    """Words are grouped by their frequency in the references; the value is the share that is matched."""
    systems = [Aligned.of(corpus(["b a", "b c", "b"], ["b", "c", "b"]))]
    found = by_frequency(systems, References.of(systems))
    assert [(one.label, one.size, one.values) for one in found] == [("1", 2, (0.5,)), ("2–4", 3, (2 / 3,))]


def test_by_kind(corpus):
    """Content words and function words are distinguished as by the preset."""
    one = corpus(["the cat is on the mat"], ["the dog is on a mat"])
    content, function = by_kind([one.statistics])
    assert (content.size, content.values) == (2, (0.5,))
    assert (function.size, function.values) == (4, (0.75,))


def test_no_function_words():
    """A preset without a list of them has no share of function words."""
    one = Scorer().corpus().extend(references=["the cat"], hypotheses=["the cat"])
    _, function = by_kind([one.statistics])
    assert isnan(function.values[0])


def test_by_stage(corpus):
    """The shares of the stages, with what none of them matches, make up the whole."""
    one = corpus(["the dog sleeps well"], ["the dogs sleeps badly"])
    found = by_stage([one.statistics], one[0].stages)
    assert [bucket.label for bucket in found] == ["exact", "stem", "synonym", "not matched"]
    assert [bucket.values[0] for bucket in found] == [0.5, 0.25, 0.0, 0.25]


def test_weighted_words(scorer_2026):
    """If words are weighted, lengths are still words, and sizes of kinds are sums of weights, not parts of them."""
    text = "the cat sat on the mat of the " + "mats " * 4
    one = scorer_2026.corpus().extend(references=[text], hypotheses=["the cat sat"])
    (length,) = by_length([Aligned.of(one)])
    assert (length.label, length.values) == ("11–20", (one.score().score,))
    content, function = by_kind([one.statistics], 10_000)
    assert content.size == round(3 * 0.14 + 0.6 + 0.7 + 1.1 + 0.8 + 0.16 + 4 * 1.1)
    assert content.values == ((0.14 + 0.6 + 0.7) / (3 * 0.14 + 0.6 + 0.7 + 1.1 + 0.8 + 0.16 + 4 * 1.1),)
    assert function.size == 0
    assert isnan(function.values[0])


def test_ratios_are_rounded_as_they_are_shown(corpus):
    """A ratio of 0.9496 is shown as 0.95, and is of the band that begins there."""
    (found,) = by_ratio([Aligned.of(corpus(["a " * 119], ["a " * 113]))])
    assert found.label == "0.95 to 1.049"


TEXTS = ["the cat sleeps", "a dog barks", "the cat barks", "the bird"]


def test_scores_are_those_of_the_segments_alone(corpus):
    """Each group has the corpus score of its segments, of every system; labels are in order of appearance."""
    first, second = corpus(TEXTS, TEXTS[::-1]), corpus(TEXTS, ["the cat", "a dog", "the cat", "the"])
    found = Grouping.of_labels("document", ["b", "a", "b", ""], [Aligned.of(first), Aligned.of(second)])
    assert (found.labels, found.places, found.sizes) == (["b", "a", ""], [0, 1, 0, 2], [2, 1, 1])
    alone = corpus([TEXTS[0], TEXTS[2]], ["the cat", "the cat"]).score().score
    assert found.scores[1][0] == alone


def test_where_a_system_leads_most(corpus):
    """The group of the largest difference, in the direction of the whole; a single group says nothing."""
    good, bad = corpus(TEXTS, TEXTS), corpus(TEXTS, [TEXTS[0], "x", "the cat", "the bird"])
    systems = [Aligned.of(good), Aligned.of(bad)]
    found = Grouping.of_labels("document", ["b", "a", "b", "c"], systems)
    lead = found.largest(0, 1, 1)
    assert (found.labels[lead.place], lead.value) == ("a", found.scores[0][1])
    assert found.largest(1, 0, -1) == lead
    alone = Grouping.of_labels("document", ["b"] * 4, systems)
    assert alone.largest(0, 1, 1) is None


def test_bands_of_rare_words_and_of_the_source(corpus):
    """Rare words are those that occur once in all references; bands are in order, and empty ones are left out."""
    one = corpus(TEXTS, TEXTS)
    systems = [Aligned.of(one)]
    rare = by_rare_words(References.of(systems), systems)
    assert [rare.labels[place] for place in rare.places] == ["1", "2", "0", "1"]
    assert rare.labels == ["0", "1", "2"]
    source = by_source(["x " * 12, "", "x", "x " * 11], systems)
    assert [source.labels[place] for place in source.places] == ["11–20", "0", "1–10", "11–20"]


@pytest.mark.parametrize(
    ("tokens", "words", "owners"),
    [
        ([("a",), ("b", "."), (), ("c",)], ["a", "b", ".", "c"], [0, 1, 1, 3]),
        ([("mr", "."), ("x",)], ["mr.", "x"], [0, 1]),
        ([("mr.",), ("x",)], ["mr", ".", "x"], [0, 0, 1]),
        ([("a",), ("b",), ("c",)], ["a", "bc"], [0, 1]),
        ([("b",)], ["a", "b"], [0, 0]),
        ([], [], []),
    ],
)
def test_words_belong_to_tokens(tokens, words, owners):
    """Split words share their token; a word joined of several has the first; added words have the one before them."""
    assert token_owners(tokens, words) == owners


def counted(references, hypotheses, labels, scorer):
    """Words by label of systems with these hypotheses."""
    numbers = WordNumbers()
    systems = [
        Aligned.of(scorer.corpus().extend(references=references, hypotheses=texts), numbers) for texts in hypotheses
    ]
    return LabeledWords.all({"pos": labels}, references, systems, References.of(systems))


def test_counts_of_split_words():
    """All words that the text mode makes of a token have its label, also where its neighbors change them."""
    scorer = Scorer("meteor-1.5-en-core")
    references = [["Mr. Smith's dog, barks."], ["etc. it's"]]
    hypotheses = [["smith dog barks", "it"], ["mr.", "etc"]]
    words = [["mr.", "smith", "'s", "dog", ",", "barks", "."], ["etc.", "it", "'s"]]
    owners = [["TITLE", "NAME", "NAME", "NOUN", "NOUN", "VERB", "VERB"], ["ADV", "PRON", "PRON"]]
    (found,) = counted(references, hypotheses, [["TITLE NAME NOUN VERB"], ["ADV PRON"]], scorer)
    assert found.labels == ["TITLE", "NAME", "NOUN", "VERB", "ADV", "PRON"]
    for place, texts in enumerate(hypotheses):
        all_labels, matched = [], []
        for given, text, row, names in zip(references, texts, words, owners, strict=True):
            alignment = scorer.align(given[0], text)
            assert list(alignment.reference) == row
            all_labels += names
            matched += [names[at] for at in alignment.by_reference]
        assert found.sizes[place] == [all_labels.count(label) for label in found.labels]
        assert found.matched[place] == [matched.count(label) for label in found.labels]


def test_the_reference_that_counts():
    """Each system has the labels of its own reference; the words of all these references are counted."""
    references = [["one two", "three four five"]]
    (found,) = counted(references, [["one two"], ["three four"]], [["A B", "A C C"]], Scorer("meteor-1.5-en-core"))
    assert found.labels == ["A", "B", "C"]
    assert (found.sizes, found.matched) == ([[1, 1, 0], [1, 0, 2]], [[1, 1, 0], [1, 0, 1]])
    assert found.places.flat.tolist() == [0, 1, 0, 2, 2]


def test_other_number_of_labels():
    """Labels that do not fit the tokens are refused."""
    with pytest.raises(InputMismatch, match="segment 1: 1 pos labels for 2 tokens"):
        counted([["one two"]], [["one"]], [["A"]], Scorer("meteor-1.5-en-core"))
