"""The page of METEOR 2026 in a browser."""

from __future__ import annotations

import pytest

from meteorlib.reports.html import html_report

pytestmark = pytest.mark.browser


def test_formula_and_grades(opened, scorer_2026, segments_2026):
    """The formula of a segment ends each line with the scorer's number; lengths are words; grades stand in the list."""
    references, hypotheses = segments_2026
    corpus = scorer_2026.corpus().extend(references=references, hypotheses=hypotheses)
    there = opened(html_report({"one": corpus}))
    names = ("precision", "recall", "f_mean", "fragmentation", "crossing", "penalty", "score")
    for index, scored in enumerate(corpus):
        there.run("drawSegment(arguments[0])", index)
        assert there.texts("dialog .formula dd > strong") == [f"{getattr(scored, name):.4f}" for name in names]
        length = f"{scored.statistics.hypothesis_length / 10_000:g}·0.5"
        assert there.texts("dialog .formula mfrac > :last-child")[0] == length
        assert there.matches(0) == sorted(map(tuple, scored.alignment.matches))
        grades = [f"near {grade / 10_000:.2f}" for grade in scored.alignment.grades if grade < 10_000]
        assert [text[1:].strip() for text in there.texts(".matches td:nth-child(3)") if "near" in text] == grades
