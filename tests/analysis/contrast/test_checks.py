"""Named checks find what they are named after, and nothing in a good translation."""

from __future__ import annotations

from random import Random

import pytest

from meteorlib import Scorer
from meteorlib.analysis.contrast import names
from meteorlib.analysis.contrast.aligned import Aligned
from meteorlib.analysis.contrast.checks import Texts, checked
from meteorlib.analysis.contrast.names import NEAR_LETTERS, Names, names_in

REFERENCE = "On Monday, John Smith bought 1,200 shares of the old company in Paris for his two daughters."


@pytest.mark.parametrize(
    ("hypothesis", "found"),
    [
        (REFERENCE, set()),
        (REFERENCE.replace("1,200", "1200"), set()),
        (REFERENCE.replace("1,200", "2,100"), {"other numbers"}),
        (REFERENCE.replace("1,200", "many"), {"numbers missing"}),
        (REFERENCE.replace("Smith", "Miller"), {"names missing"}),
        (REFERENCE.replace("Paris", "PARIS"), set()),
        (REFERENCE.replace("the old", "the old the old"), {"repeated words"}),
        ("On Monday, John Smith bought 1,200 shares in Paris.", {"dropped text"}),
        (REFERENCE.replace("bought", "did not buy"), {"negation on one side only"}),
        ("", {"empty hypothesis", "dropped text", "numbers missing", "names missing"}),
    ],
)
def test_checks(hypothesis, found):
    """Each check finds its fault."""
    corpus = Scorer().corpus().extend(references=[REFERENCE], hypotheses=[hypothesis])
    result = checked([Aligned.of(corpus)], [Texts([REFERENCE], [hypothesis], [[REFERENCE]])], "en")
    assert {name for name, indices in result.items() if [*map(list, indices)] == [[0]]} == found


def test_names():
    """Words that begin a sentence, and initials, are no names."""
    assert names_in("when J K Rowling and I met") == ["Rowling"]
    assert names_in('He saw "Mary Ann". The king of Spain, Philip, left! Now Rome?') == [
        "Mary", "Ann", "Spain", "Philip", "Rome",
    ]  # fmt: skip


def test_duplicates():
    """Segments are found whose hypothesis, references or source another segment has, too; empty texts are not."""
    references = [["a cat", "one cat"], ["a cat", "the cat"], ["one"], ["a cat", "one cat"], ["x"]]
    hypotheses = ["a cat", "A cat", "", "a cat", ""]
    corpus = Scorer().corpus().extend(references=references, hypotheses=hypotheses)
    texts = Texts([each[0] for each in references], hypotheses, references)
    found = checked([Aligned.of(corpus)] * 2, [texts] * 2, "en", ["s", "t", "s", "", ""])
    assert found["duplicate hypothesis"] == [{0: "", 3: ""}] * 2
    assert found["duplicate references"] == [{0: "", 3: ""}] * 2
    assert found["duplicate source"] == [{0: "", 2: ""}] * 2
    assert "duplicate source" not in checked([Aligned.of(corpus)], None)


def found_in(references, hypotheses, language="en", sources=None):
    """Findings of the checks in one system."""
    corpus = Scorer().corpus().extend(references=references, hypotheses=hypotheses)
    texts = Texts(references, hypotheses, [[one] for one in references])
    return {name: each for name, (each,) in checked([Aligned.of(corpus)], [texts], language, sources).items()}


@pytest.mark.parametrize(
    ("hypothesis", "name", "words"),
    [
        (REFERENCE.replace("John Smith", "the man"), "names missing", "missing: John, Smith"),
        (REFERENCE.replace("1,200", "2,100"), "other numbers", "reference: 1200; hypothesis: 2100"),
        (REFERENCE.replace("1,200", "many"), "numbers missing", "missing: 1200"),
        (REFERENCE.replace("the old", "the old the old"), "repeated words", "repeated: the old"),
        (REFERENCE.replace("Paris", "\u202eParis\u202c").replace("Smith", "S"), "names missing", "missing: Smith"),
    ],
)
def test_words_that_checks_find(hypothesis, name, words):
    """A check says which words it has found, names as they were written."""
    assert found_in([REFERENCE], [hypothesis])[name] == {0: words}


@pytest.mark.parametrize(
    ("name", "hypothesis"),
    [
        ("Darwins", "Darwin"),
        ("Kana", "Kana-Gruppe"),
        ("André", "Andre"),
        ("Peter's", "Peters"),
        ("NATO", "Nato"),
        ("Anna-Maria", "Anna Maria"),
        ("D'Arenberg", "D 'Arenberg"),
        ("JR", "J.R."),
        ("JRR", "J.R.R."),
        ("JRR", "J. R. R. T-Test"),
        ("USA", "U.S.A."),
        ("US", "U.S."),
        ("O’Brien", "O'Brien"),
        ("O'Neill", "ONeill"),
        ("Jean-Luc", "Jeanluc"),
    ],
)
def test_other_forms_of_a_name(name, hypothesis):
    """A name may have another case, no accents, spaces or points, or an ending, or be a part of a compound."""
    found = found_in(
        [f"so sagt {name} heute"] * 2, [f"so sagt {hypothesis} heute", "so heute"], "de", [f"says {name}"] * 2
    )
    assert found["names missing"] == {1: f"missing: {name}"}


@pytest.mark.parametrize(
    ("reference", "hypothesis", "found"),
    [
        ("3.5", "3,5", {}),
        ("3.5", "35", {"other numbers": "reference: 3.5; hypothesis: 35"}),
        ("1,000.50", "1.000,50", {}),
        ("1,000,000", "1000000.", {}),
        ("in 2010 and 2012", "in 2010", {"numbers missing": "missing: 2012"}),
        ("in 2010", "in 2010 and 2012", {}),
    ],
)
def test_numbers(reference, hypothesis, found):
    """Separators of thousands and the sign before decimals may differ, values may not; each missing number counts."""
    checks = found_in([reference], [hypothesis])
    assert {name: checks[name][0] for name in ("other numbers", "numbers missing") if checks[name]} == found


def test_similar_names():
    """A name with a similar word instead is spelled differently; short words are not compared."""
    found = found_in(["and Cesar of EU saw Rome"] * 2, ["and Caesar's of EUR saw Rome", "and he of EU saw"])
    assert found["names missing"] == {0: "missing: EU", 1: "missing: Cesar, Rome"}
    assert found["names spelled differently"] == {0: "Cesar: Caesar's"}


def test_what_is_left_out_first_changes_nothing(monkeypatch):
    """Names and words that cannot be alike are left out by their letters; comparing all of them finds the same."""
    random = Random(3)

    def text(count):
        parts = "Smith smith SMITHS Smiths's Ann-Marie AnnMarie J.R. J R JR ONeill O'Neill Zoë Zoe ſs s S ’s - Césars"
        drawn = random.choices([*parts.split(), "".join(random.choices("AaSsé'-.", k=random.randrange(1, 7)))], k=count)
        return "so " + " ".join(word + random.choice(["", "", ",", ";", "s"]) for word in drawn)

    references, hypotheses = ([text(random.randrange(1, 7)) for _ in range(4000)] for _ in range(2))
    found = Names(None).found(references, hypotheses)
    monkeypatch.setattr(names, "_stands_in", lambda *_: False)
    monkeypatch.setattr(names, "_is_plain", lambda _: False)
    monkeypatch.setattr(
        Names,
        "_similar",
        lambda _, name, words: [word for word in words if min(len(name), len(word)) >= NEAR_LETTERS],
    )
    assert Names(None).found(references, hypotheses) == found
    assert min(map(len, found)) > 50


def test_words_that_stand_for_no_name():
    """A word that the reference has, too, or that is in lowercase, is no other spelling of a name."""
    found = found_in(["so Johnson met Johnston in China"], ["so Johnson met a chin"])
    assert found["names missing"] == {0: "missing: Johnston, China"}
    assert not found["names spelled differently"]


def test_names_of_the_source():
    """With a source in the same script, names stand there, too; without one, German has no such check."""
    references, hypotheses = ["Der Hund von Kana bellt", "Da sind Affen"], ["Der Kater bellt", "Da sind Tiere"]
    sources = ["The dog of Kana barks", "There are apes"]
    assert found_in(references, hypotheses, "de", sources)["names missing"] == {0: "missing: Kana"}
    assert "names missing" not in found_in(references, hypotheses, "de")
    assert "names missing" not in found_in(references, hypotheses, "de", ["собака Кана лает", "обезьяны"])
    english = found_in(["A dog of Kana"], ["A dog"], "en", ["собака Кана"])
    assert english["names missing"] == {0: "missing: Kana"}


def test_texts_that_equal_the_source():
    """References and hypotheses are found that are the source, letter by letter; empty ones are not."""
    found = found_in(["a b", "c", "", "e"], ["x", "c", "", "E"], "en", ["a b", "c", "", "e"])
    assert found["reference equals source"] == {0: "", 1: "", 3: ""}
    assert found["hypothesis equals source"] == {1: ""}
