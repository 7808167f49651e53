"""Named checks find what they are named after, and nothing in a good translation."""

from __future__ import annotations

import pytest

from meteorlib import Scorer
from meteorlib.reports.html.aligned import Aligned
from meteorlib.reports.html.checks import Texts, checked, names_in

REFERENCE = "On Monday, John Smith bought 1,200 shares of the old company in Paris for his two daughters."


@pytest.mark.parametrize(
    ("hypothesis", "found"),
    [
        (REFERENCE, set()),
        (REFERENCE.replace("1,200", "1200"), set()),
        (REFERENCE.replace("1,200", "2,100"), {"other numbers"}),
        (REFERENCE.replace("1,200", "many"), {"numbers missing"}),
        (REFERENCE.replace("Smith", "Miller"), {"capitalized words missing"}),
        (REFERENCE.replace("Paris", "PARIS"), set()),
        (REFERENCE.replace("the old", "the old the old"), {"repeated words"}),
        ("On Monday, John Smith bought 1,200 shares in Paris.", {"dropped text"}),
        (REFERENCE.replace("bought", "did not buy"), {"negation on one side only"}),
        ("", {"empty hypothesis", "dropped text", "numbers missing", "capitalized words missing"}),
    ],
)
def test_checks(hypothesis, found):
    """Each check finds its fault."""
    corpus = Scorer().corpus().extend(references=[REFERENCE], hypotheses=[hypothesis])
    result = checked([Aligned.of(corpus)], [Texts([REFERENCE], [hypothesis])], "en")
    assert {name for name, indices in result.items() if indices == [[0]]} == found


def test_names():
    """Words that begin a sentence are no names."""
    assert names_in('He saw "Mary Ann". The king of Spain, Philip, left! Now Rome?') == [
        "Mary", "Ann", "Spain", "Philip", "Rome",
    ]  # fmt: skip
