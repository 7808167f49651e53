"""Words by label: which token a word belongs to, and how many words of a label each system matches."""

from __future__ import annotations

import pytest

from meteorlib import Scorer
from meteorlib.errors import InputMismatch
from meteorlib.reports.html.aligned import Aligned, WordNumbers
from meteorlib.reports.html.segments import References
from meteorlib.reports.html.word_labels import LabeledWords, token_owners
from meteorlib.reports.html.written import Written


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
    written = Written(references, hypotheses, labels={"pos": labels})
    return LabeledWords.all(written, systems, References.of(systems))


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
    data = found.to_dict()
    assert data["labels"] == ["A", "B", "C"]
    assert data["sizes"] == [2, 1, 2]
    assert data["scores"] == [[1.0, 1.0, None], [1.0, None, 0.5]]
    assert data["words"] == [["AB", "ACC"]]


def test_other_number_of_labels():
    """Labels that do not fit the tokens are refused."""
    with pytest.raises(InputMismatch, match="segment 1: 1 pos labels for 2 tokens"):
        counted([["one two"]], [["one"]], [["A"]], Scorer("meteor-1.5-en-core"))
