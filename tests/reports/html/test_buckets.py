"""Groups of segments and of words."""

from __future__ import annotations

from math import isnan

import pytest

from meteorlib import Scorer
from meteorlib.config import load_preset
from meteorlib.reports.html.aligned import Aligned
from meteorlib.reports.html.buckets import by_frequency, by_kind, by_length, by_ratio, by_stage, function_word_note
from meteorlib.reports.html.segments import References

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
    assert found[2].each == "range,* ratio,1.2,"


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


@pytest.mark.parametrize(
    ("preset", "said"),
    [
        ("meteor-1.5-de-core", "takes the English function words for German text, too, as METEOR 1.5 does"),
        ("meteor-1.5-cz-intended", ""),
        ("meteor-1.5-en-core", ""),
        ("nltk", ""),
    ],
)
def test_function_words_of_another_language(preset, said):
    """The page says so if the function words are not of the text's language."""
    note = function_word_note(load_preset(preset))
    assert said in note
    assert bool(note) == bool(said)


def test_ratios_are_rounded_as_they_are_shown(corpus):
    """A ratio of 0.9496 is shown as 0.95, and is of the band that begins there."""
    (found,) = by_ratio([Aligned.of(corpus(["a " * 119], ["a " * 113]))])
    assert found.label == "0.95 to 1.049"
