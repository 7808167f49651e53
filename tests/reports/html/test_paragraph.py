"""Reasons for a difference: shares add up to it, whatever it is divided by."""

from __future__ import annotations

import pytest

from meteorlib import Scorer
from meteorlib.analysis.contrast.aligned import Aligned
from meteorlib.analysis.contrast.shares import FAULTS, LENGTHS, ORDER, Sides
from meteorlib.analysis.significance import compare_systems
from meteorlib.reports.html.page import html_report
from meteorlib.reports.html.paragraph import PairReasons, paragraph
from tests.reports.html.test_page import HYPOTHESES, REFERENCES, data_of


@pytest.mark.parametrize("preset", ["meteor-1.5-en-core", "meteor-2005", "nltk", "meteor-2026-en-core"])
def test_shares_add_up(preset):
    """The shares of every view add up to the difference of the corpus scores."""
    scorer = Scorer(preset)
    corpora = [scorer.corpus().extend(references=REFERENCES, hypotheses=lines) for lines in HYPOTHESES.values()]
    one, other = (corpus.score() for corpus in corpora)
    sides = Sides(one.statistics, other.statistics, corpora[0].parameters)
    for shares in (sides.by_formula(), sides.by_kind(), sides.by_stage(one.stages)):
        assert sum(shares.values()) == pytest.approx(one.score - other.score, abs=1e-12)
    compared = PairReasons.of(["A", "B"], [Aligned.of(corpus) for corpus in corpora], None)
    reasons = compared.reasons(0, 1)
    for _, rows in reasons["views"]:
        assert sum(share for _, share, _ in rows) == reasons["units"] == round((one.score - other.score) * 10_000)


def test_every_pair_has_difference_interval_and_p():
    """Each two of three systems have an interval and a p value, in the direction of the page."""
    scorer = Scorer("nltk")
    texts = {**HYPOTHESES, "three": HYPOTHESES["one"]}
    corpora = {name: scorer.corpus().extend(references=REFERENCES, hypotheses=lines) for name, lines in texts.items()}
    comparison = compare_systems(corpora, samples=100, baseline="two")
    compared = PairReasons.of("ABC", [Aligned.of(each) for each in corpora.values()], comparison)
    found = compared.reasons(0, 1)
    difference = comparison["one"].difference
    assert found["interval"] == [round(end * 10_000) for end in (difference.interval.low, difference.interval.high)]
    assert found["text"].startswith(("A scores", "B scores"))
    assert "Holm p" in found["text"] or found["adjusted"] == found["p"]
    assert not found["significant"]
    assert "Parts of METEOR's difference, which is not significant: " in found["text"]
    assert "comes from" not in found["text"]
    same = compared.reasons(0, 2)
    assert (same["units"], same["interval"], same["p"]) == (0, [0, 0], "1.0000")
    assert same["text"].startswith("A and C have the same score to four digits (95 % interval 0.0000 to 0.0000")
    assert "p 1.0000, not adjusted because neither is the baseline)" in same["text"]
    assert "not adjusted" not in found["text"]


def test_the_paragraph_names_the_leader_of_the_shown_runs():
    """If the shown runs differ otherwise than the means over runs do, the paragraph says which system leads in them."""
    views = [
        ("Formula", [("precision", -500, ""), ("recall", -354, "")]),
        ("Kinds", []),
        ("Stages", []),
        ("Lengths", []),
    ]
    text = paragraph({"difference": 667, "units": -854, "views": views}, "A", "B", None, {})
    assert text == (
        "A scores 0.0667 higher than B. In the runs shown below, B leads by 0.0854. "
        "The difference comes from precision (+0.0500) and recall (+0.0354)."
    )
    text = paragraph({"units": -854, "views": views}, "A", "B", None, {})
    assert text.startswith("B scores 0.0854 higher than A. The difference comes from precision")


def test_the_paragraph_names_words_among_words():
    """The largest shares are of kinds of words and of stages, not of the order or the lengths, and help the leader."""
    views = [
        ("Formula", [("recall", 400, "recall")]),
        ("Kinds", [("content words", 100, "content"), (ORDER, 300, "penalty")]),
        ("Stages", [("exact", -100, "stage0"), (LENGTHS, 500, "hypothesisWords")]),
        ("Lengths", [("1–10", 400, "1..10")]),
    ]
    text = paragraph({"units": 400, "views": views}, "A", "B", None, {})
    largest = "by kind of words, content words (+0.0100); by length of the reference, 1–10 words (+0.0400)"
    assert text.endswith(f"Largest shares: {largest}.")


def test_faults_are_named_and_listed():
    """A preset that penalizes faults has a share of them, which the page can list, and says which ones there are."""
    corpora = {
        name: Scorer("meteor-2026-en-core").corpus().extend(references=["the big cat"], hypotheses=[text])
        for name, text in (("one", "the cat big"), ("two", "the cat"))
    }
    page = html_report(corpora)
    rows = data_of(page)["pairs"][0]["why"]["views"][0][1]
    assert [row[2] for row in rows if row[0] == FAULTS] == ["faults"]
    assert "Faults: neighbors in the opposite order, adjacent words swapped, " in page
    assert "Faults: " not in html_report({"one": Scorer("nltk").corpus().extend(references=["a"], hypotheses=["a"])})
