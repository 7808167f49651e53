"""Reasons for a difference: shares add up to it, whatever it is divided by."""

from __future__ import annotations

import pytest

from meteorlib import Scorer
from meteorlib.analysis.contrast.aligned import Aligned
from meteorlib.analysis.contrast.shares import FAULTS, LENGTHS, ORDER, Sides
from meteorlib.analysis.significance import compare_systems
from meteorlib.reports.html.evidence import evidence
from meteorlib.reports.html.page import html_report
from meteorlib.reports.html.paragraph import PairReasons, parts, verdict
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
    leader = "AB"[found["units"] < 0]
    assert found["parts"][0] == f"The lead of {leader} is not significant; it has the parts "
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
    found = {"difference": 667, "units": -854, "views": views}
    assert (
        verdict(found, "A", "B", None) == "A scores 0.0667 higher than B. In the runs shown below, B leads by 0.0854."
    )
    told = said(parts(found, [], (0, "A"), (1, "B")))
    assert told == "The lead of B comes from precision (+0.0500) and recall (+0.0354). "
    assert verdict({"units": -854, "views": views}, "A", "B", None) == "B scores 0.0854 higher than A."


def test_the_paragraph_names_words_among_words():
    """The largest shares are of kinds of words and of stages, not of the order or the lengths, and help the leader."""
    views = [
        ("Formula", [("recall", 400, "recall")]),
        ("Kinds", [("content words", 100, "content"), (ORDER, 300, "penalty")]),
        ("Stages", [("exact", -100, "stage0"), (LENGTHS, 500, "hypothesisWords")]),
        ("Lengths", [("1–10", 400, "1..10")]),
    ]
    found = parts({"units": 400, "views": views}, [], (0, "A"), (1, "B"))
    largest = "by kind of words, content words (+0.0100); by length of the reference, 1–10 words (+0.0400)"
    assert said(found).endswith(f"Largest shares: {largest}. ")
    assert [part[2] for part in found if not isinstance(part, str)] == ["recall", "content", "1..10"]


def said(told):
    """The text of a paragraph."""
    return "".join(part if isinstance(part, str) else part[0] for part in told)


def test_the_sentence_names_words_and_checks():
    """Words and checks with a significant difference are named with the filters of their segments; chance is not."""
    scorer = Scorer("meteor-1.5-en-core")
    references = ["cats do not sleep"] * 12 + ["the dog barks"] * 12
    texts = {
        "one": ["cats do not"] * 12 + ["the dog"] * 9 + ["barks"] * 3,
        "two": ["cats sleep do"] * 12 + ["dog"] * 9 + ["barks"] * 3,
    }
    corpora = {name: scorer.corpus().extend(references=references, hypotheses=lines) for name, lines in texts.items()}
    (pair,) = data_of(html_report(corpora))["pairs"]
    negation = ["negation on one side only", 1, 0]
    assert [part for part in pair["evidence"] if not isinstance(part, str)] == [
        ["“not”", "won", 0, 1, "not"],
        ["“sleep”", "won", 1, 0, "sleep"],
        ["0", "check", negation[0], 0, 1],
        ["12", "check", *negation],
    ]
    assert said(pair["evidence"]) == (
        "A wins “not” (12 : 0); it loses “sleep” (12 : 0), in segments that only one of them gets right. "
        "Negation on one side only: only in A 0, only in B 12. "
    )
    assert evidence([[], []], {"empty": ({1: ""}, {})}, [(0, "A"), (1, "B")], is_first_better=True) == [
        "No word and no check differs significantly. "
    ]


def test_faults_are_named_and_listed():
    """A preset that penalizes faults has a share of them, which the page can list, and says which ones there are."""
    corpora = {
        name: Scorer("meteor-2026-en-core").corpus().extend(references=["the big cat"], hypotheses=[text])
        for name, text in (("one", "the cat big"), ("two", "the cat"))
    }
    page = html_report(corpora)
    rows = data_of(page)["pairs"][0]["why"]["views"][0][1]
    assert [row[2] for row in rows if row[0] == FAULTS] == ["faults"]
    assert "Faults: neighbors swapped, function words left out, " in page
    assert "Faults: " not in html_report({"one": Scorer("nltk").corpus().extend(references=["a"], hypotheses=["a"])})
