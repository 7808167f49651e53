"""Other metrics in the report."""

from __future__ import annotations

import re
from statistics import correlation

import numpy as np
import pytest

from meteorlib.analysis.contrast.aligned import Aligned
from meteorlib.analysis.significance import compare_systems
from meteorlib.analysis.significance.paired_tests import compare_metric
from meteorlib.analysis.significance.scored_outputs import MeanScore, MetricOutput, ScoredMetric
from meteorlib.reports.html import html_report
from meteorlib.reports.html.paragraph import PairReasons
from meteorlib.reports.html.scores import metric_data, metric_rows
from meteorlib.reports.system_table import COLUMNS, Column, Results

REFERENCES = ["the red cat sleeps", "a dog barks", "we go home"]
TEXTS = {"one": ["the red cat sleeps", "a cat barks", "home"], "two": ["red sleeps", "a dog barks", "go"]}
SCORES = {"one": [3.0, 2.0, 0.5], "two": [1.0, 3.5, 0.25]}


@pytest.fixture
def corpora(corpus):
    """Two systems of three segments."""
    return {name: corpus(REFERENCES, texts) for name, texts in TEXTS.items()}


def compared(corpora, *, lower_is_better=False, segments=True):
    """The comparison of these systems by a metric of theirs."""
    outputs = {
        name: [MetricOutput(sum(mine) / 3, *((np.array(mine)[:, None], np.array(mine)) if segments else ()))]
        for name, mine in SCORES.items()
    }
    metric = ScoredMetric("rating <1>", "", MeanScore(3), outputs, lower_is_better)
    return compare_metric(metric, compare_systems(corpora, samples=50))


@pytest.mark.parametrize("lower_is_better", [False, True])
def test_row(corpora, lower_is_better):
    """A row has the scores of the comparison and the correlation of all segment scores; errors are negated."""
    found = compared(corpora, lower_is_better=lower_is_better)
    (row,) = metric_rows([found], [*map(Aligned.of, corpora.values())])
    assert [cell["text"] for cell in row["cells"]] == ["1.8333", "1.5833"]
    assert [[*map(bool, cell["below"])] for cell in row["cells"]] == [[True, False], [True, True]]
    ours = [scored.score for each in corpora.values() for scored in each.segments]
    expected = correlation([score for mine in SCORES.values() for score in mine], ours)
    assert row["correlation"] == f"{-expected if lower_is_better else expected:.3f}"


def test_scores_of_systems_only(corpora):
    """A metric without scores of segments has a row without interval, test and correlation."""
    found = compared(corpora, segments=False)
    (row,) = metric_rows([found], [*map(Aligned.of, corpora.values())])
    assert [cell["below"] for cell in row["cells"]] == [["", ""], ["", ""]]
    assert row["correlation"] == "–"
    assert metric_data([found])[0]["segments"] is None


def test_page(corpora):
    """The page has the table, and the name of a metric stays text."""
    page = html_report(corpora, compare_systems(corpora, samples=50), metrics=[compared(corpora)])
    assert "<bdi>rating &lt;1&gt;</bdi>" in page
    assert '"segments":[[3.0,2.0,0.5],[1.0,3.5,0.25]]' in page
    assert 'id="scatter-up"' in page
    assert "Other metrics" not in html_report(corpora)


def test_a_column_stands_once(corpora, monkeypatch):
    """A row of the columns is all that a new column needs, in every table for people and on the page."""
    monkeypatch.setitem(COLUMNS, "half", Column("interval.half_width", "half width"))
    comparison = compare_systems(corpora, samples=50)
    shown = {f"{system.interval.half_width:.4f}" for system in comparison.systems}
    assert {*re.findall(r'data-label="half width">([^<]*)', html_report(corpora, comparison))} == shown
    for form in ("text", "markdown", "latex"):
        text = Results(comparison, "s", columns=["half"]).written(form)
        assert all(value in text for value in ("half width", *shown))


@pytest.mark.parametrize("lower_is_better", [False, True])
def test_a_metric_that_says_the_opposite(corpora, lower_is_better):
    """The paragraph says so, with size and p of the pair; a metric that agrees is not named."""
    comparison = compare_systems(corpora, samples=50)
    found = compared(corpora, lower_is_better=lower_is_better)
    (pair,) = found.pairs
    why = PairReasons.of("AB", [*map(Aligned.of, corpora.values())], comparison, metrics=[found]).reasons(0, 1)
    assert why["metrics"] == [["rating <1>", "+0.2500", "−0.2500", f"{pair.p:.4f}"]]
    assert pair.difference == -0.25
    ours = comparison.systems[0].score - comparison.systems[1].score
    opposite = (ours > 0) == lower_is_better
    better, direction = ("B", "lower") if lower_is_better else ("A", "higher")
    said = f"rating <1> says the opposite: {better} is 0.2500 {direction} (p {pair.p:.4f}, not significant)"
    assert (said in why["text"]) == opposite


def test_every_pair_of_a_metric(corpora):
    """Each two systems are tested, with the same p whichever system is the baseline, and that of the table."""
    three = {**corpora, "three": corpora["one"]}
    outputs = {
        name: [MetricOutput(sum(mine) / 3, np.array(mine)[:, None], np.array(mine))]
        for name, mine in {**SCORES, "three": [2.0, 2.0, 2.0]}.items()
    }
    metric = ScoredMetric("rating", "", MeanScore(3), outputs)
    found = {name: compare_metric(metric, compare_systems(three, samples=50, baseline=name)) for name in three}
    p_values = [{frozenset((pair.system, pair.other)): pair.p for pair in each.pairs} for each in found.values()]
    assert p_values[0] == p_values[1] == p_values[2]
    for baseline, each in found.items():
        for name, system in zip(three, each.systems, strict=True):
            assert (system.difference and system.difference.p) == p_values[0].get(frozenset((name, baseline)))
    assert compare_metric(metric, compare_systems(three, samples=50, test=None)).pairs == ()
