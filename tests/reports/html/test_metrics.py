"""Other metrics in the report."""

from __future__ import annotations

from statistics import correlation

import numpy as np
import pytest

from meteorlib.analysis.significance import compare_systems
from meteorlib.analysis.significance.measures import MeanScore
from meteorlib.analysis.significance.other_metrics import MetricOutput, ScoredMetric, compare_metric
from meteorlib.reports.html import html_report
from meteorlib.reports.html.aligned import Aligned
from meteorlib.reports.html.metrics import metric_data, metric_rows

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
    assert [cell.score for cell in row.cells] == ["1.8333", "1.5833"]
    assert [bool(cell.interval) for cell in row.cells] == [True, True]
    assert [bool(cell.p) for cell in row.cells] == [False, True]
    ours = [scored.score for each in corpora.values() for scored in each.segments]
    expected = correlation([score for mine in SCORES.values() for score in mine], ours)
    assert row.correlation == f"{-expected if lower_is_better else expected:.3f}"


def test_scores_of_systems_only(corpora):
    """A metric without scores of segments has a row without interval, test and correlation."""
    found = compared(corpora, segments=False)
    (row,) = metric_rows([found], [*map(Aligned.of, corpora.values())])
    assert [(cell.interval, cell.p) for cell in row.cells] == [("", ""), ("", "")]
    assert row.correlation == "–"
    assert metric_data([found])[0]["segments"] is None


def test_page(corpora):
    """The page has the table, and the name of a metric stays text."""
    page = html_report(corpora, compare_systems(corpora, samples=50), metrics=[compared(corpora)])
    assert "<bdi>rating &lt;1&gt;</bdi>" in page
    assert '"segments":[[3.0,2.0,0.5],[1.0,3.5,0.25]]' in page
    assert 'id="scatter-up"' in page
    assert "Other metrics" not in html_report(corpora)
