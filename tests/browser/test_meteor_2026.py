"""The page of METEOR 2026 in a browser."""

from __future__ import annotations

import pytest

from meteorlib import Scorer
from meteorlib.core.parameters import FAULTS
from meteorlib.explanation.explanation import notes as notes_on
from meteorlib.reports.html import html_report
from tests.reports.html.test_page import FAULTY

pytestmark = pytest.mark.browser


def test_formula_and_grades(opened, scorer_2026, segments_2026):
    """Each line of a segment's formula ends with the scorer's number; lengths are words; the list has grades."""
    references, hypotheses = segments_2026
    corpus = scorer_2026.corpus().extend(references=references, hypotheses=hypotheses)
    there = opened(html_report({"one": corpus}))
    names = ("precision", "recall", "f_mean", "fragmentation", "crossing", "penalty", "score")
    for index, scored in enumerate(corpus):
        there.run("drawSegment(arguments[0])", index)
        assert there.texts("dialog .formula dd > strong") == [f"{getattr(scored, name):.4f}" for name in names]
        length, function = scored.statistics.hypothesis_length, scored.statistics.hypothesis_function_words
        of_kinds = f"0.5·{(length - function) / 10_000:g} + 0.5·{function / 10_000:g}"
        assert there.texts("dialog .formula .fraction > :last-child")[0].split() == of_kinds.split()
        assert there.matches(0) == sorted(map(tuple, scored.alignment.matches))
        grades = [f"near {grade / 10_000:.2f}" for grade in scored.alignment.grades if grade < 10_000]
        assert [text[1:].strip() for text in there.texts(".matches td:nth-child(3)") if "near" in text] == grades


def test_a_quotient_without_divisor(opened, scorer_2026):
    """A quotient with nothing to divide by is no equation."""
    corpus = scorer_2026.corpus().extend(references=["cat", "cat"], hypotheses=["dog", ""])
    there = opened(html_report({"one": corpus}), "#seg-1")
    words = "nothing to divide by: 0.0000"
    assert [text == words for text in there.texts("dialog .formula dd")] == [
        False, False, True, True, True, False, False
    ]  # fmt: skip
    there.at("#seg-2")
    assert there.texts("dialog .formula dd")[0].startswith("nothing to divide by:")


def test_faults_name_their_words_and_prices(opened):
    """The list under a segment's formula has the lines of `explain`: name, penalty, description and words."""
    scorer = Scorer("meteor-2026-en-core")
    references, hypotheses = zip(*FAULTY, strict=True)
    there = opened(html_report({"one": scorer.corpus().extend(references=references, hypotheses=hypotheses)}))
    named = set()
    for index, (reference, hypothesis) in enumerate(FAULTY):
        there.run("drawSegment(arguments[0])", index)
        explanation = scorer.explain(reference, hypothesis, budget=0)
        notes = [note for label, note in notes_on(explanation) if label in {"faults", ""}]
        assert there.texts("dialog .faults li") == notes
        named |= {note.split()[0] for note in notes}
    assert named == {name for name in FAULTS if getattr(scorer.parameters, name)}


def test_share_of_faults_lists_its_segments(opened):
    """A click on the share of the faults lists the segments whose penalties for faults differ."""
    scorer = Scorer("meteor-2026-en-core")
    references, hypotheses = zip(*FAULTY, strict=True)
    texts = {"one": hypotheses, "two": references}
    corpora = {name: scorer.corpus().extend(references=references, hypotheses=each) for name, each in texts.items()}
    there = opened(html_report(corpora))
    there.run("[...document.querySelectorAll('#shares button')].find((one) => /faults/.test(one.textContent)).click()")
    assert sorted(there.order()) == [at for at, both in enumerate(FAULTY) if scorer.explain(*both, budget=0).faults]
