"""Other metrics in the report: sort keys, ranges, axes of the plot."""

from __future__ import annotations

from statistics import mean

import numpy as np
import pytest

from meteorlib.analysis.significance import compare_systems
from meteorlib.analysis.significance.paired_tests import compare_metric
from meteorlib.analysis.significance.scored_outputs import MeanScore, MetricOutput, ScoredMetric
from meteorlib.reports.html import html_report

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def ratings(corpora):
    """A rating of each segment of each system, deterministic and unlike METEOR."""
    return [[(37 * index + 11 * at) % 50 / 5 for index in range(len(one))] for at, one in enumerate(corpora.values())]


@pytest.fixture(scope="module")
def rated(corpora, ratings):
    """The page of the examples with these ratings, named in a hostile way."""
    outputs = {
        name: [MetricOutput(mean(mine), np.array(mine)[:, None], np.array(mine))]
        for name, mine in zip(corpora, ratings, strict=True)
    }
    comparison = compare_systems(corpora, samples=100)
    found = compare_metric(ScoredMetric("<b>rating", "", MeanScore(len(ratings[0])), outputs), comparison)
    return html_report(corpora, comparison, references=2, metrics=[found])


def test_sorted_by_a_metric(opened, rated, ratings):
    """The table is sorted by the metric, whose values are below the scores."""
    there = opened(rated, "#sort=metric0.1-down")
    expected = sorted(range(len(ratings[1])), key=lambda index: (-ratings[1][index], index))
    assert there.order() == expected
    assert there.texts(".segments tbody tr:first-child td .against")[1] == f"<b>rating {ratings[1][expected[0]]:.2f}"


def differences(ratings, corpora):
    """The differences of the second system from the first, by METEOR and by the metric."""
    first, second = (corpus.segments for corpus in corpora.values())
    ours = [two.score - one.score for one, two in zip(first, second, strict=True)]
    return ours, [two - one for one, two in zip(*ratings, strict=True)]


def test_where_metrics_prefer_different_systems(opened, rated, ratings, corpora):
    """Segments where one metric prefers one system and the other the other come first, clear ones before close ones."""
    there = opened(rated, "#sort=metric0.opposite-up")
    products = [one * other for one, other in zip(*differences(ratings, corpora), strict=True)]
    found = [products[index] for index in there.order()]
    assert found == sorted(products)
    assert found[0] < 0 < found[-1]
    there = opened(rated)
    button = there.one("[data-apart] button")
    button.click()
    expected = [index for index, product in enumerate(products) if product < 0]
    assert (button.text, sorted(there.order())) == (str(len(expected)), expected)
    assert [products[index] for index in there.order()] == sorted(product for product in products if product < 0)
    (chip,) = there.texts("#chips bdi")
    assert chip == "METEOR and <b>rating prefer different ones of B and A"
    assert opened(rated, there.run("return location.hash")).order() == there.order()
    option = there.one("#order option[value='metric0.opposite up']")
    assert option.text == "METEOR and <b>rating prefer different systems"


def test_difference_of_the_pair(opened, rated, ratings):
    """The bar has the difference by the metric, with its p, and turns it with the pair."""
    there = opened(rated)
    value = mean(ratings[1]) - mean(ratings[0])
    (told,) = there.texts("#effect .against")
    assert told.startswith(f"<b>rating −{-value:.4f}, p 0.")
    assert "opposite" not in there.one("#answer").text
    there.run("pair.reverse(); drawCompared()")
    assert there.texts("#effect .against") == [told.replace("−", "+")]


def test_value_under_the_pointer(opened, rated):
    """The plot names the segment under the pointer with both values, and its axis has round numbers."""
    there = opened(rated, "#scatter")
    there.run(
        "axes.across = '1 metric0'; drawTable(); const dot = document.querySelector('#scatter-plot svg');"
        "const [up, across] = axesShown(), [xs, ys] = placesOf([across, up], false);"
        "const at = new DOMPoint(xs[7] * FIELD, FIELD - ys[7] * FIELD).matrixTransform(dot.getScreenCTM());"
        "dot.dispatchEvent(new PointerEvent('pointermove', {clientX: at.x, clientY: at.y}))"
    )
    (told,) = there.texts("#scatter-plot .told")
    assert told == there.run(
        "return `no. 8, B · score ${digits(data.segments.systems[1].score[7])}, A · <b>rating "
        "${data.metrics[0].segments[0][7].toFixed(4)}`"
    )
    ticks = there.texts("#scatter-plot text[text-anchor=middle]")[:5]
    assert ticks == ["0", "2.5", "5", "7.5", "10"]
    for ends, expected in (
        ([7.41, 100], [0, 100]),
        ([-3, 4], [-4, 4]),
        ([0.123, 0.131], [0.1225, 0.1325]),
        ([5, 5], [5, 9]),
    ):
        assert there.run("return roundRange(arguments[0])", ends) == pytest.approx(expected)


def test_range_of_a_metric(opened, rated, ratings):
    """A range of the metric's own values keeps exactly these segments."""
    there = opened(rated, "#f=range,0%20metric0,2.4,5")
    expected = [index for index, value in enumerate(ratings[0]) if 2.4 <= value <= 5]
    assert there.order() == expected != []
    assert "<b>rating of A: 2.4 to 5" in there.texts("#chips button")[0]


def test_metric_as_an_axis(opened, rated):
    """The plot has METEOR on one axis and the metric on the other, and then no line and no word of it."""
    from selenium.webdriver.support.select import Select

    there = opened(rated)
    assert "On the line both are equal" in there.one("#scatter-note").text
    Select(there.one("#scatter-across")).select_by_value("0 metric0")
    there.until("return document.querySelector('#scatter-plot').textContent.includes('B · <b>rating')")
    assert there.all("#scatter-plot .diagonal") == []
    assert "line" not in there.one("#scatter-note").text
    assert there.all("#scatter-plot b") == []


def test_no_scrolling_sideways_with_metrics(opened, rated):
    """On a narrow screen the long names of orders are cut, and the page does not scroll sideways."""
    there = opened(rated, "", 400)
    assert there.run("const it = document.documentElement; return it.scrollWidth - it.clientWidth") == 0


def test_accessible_with_metrics(opened, rated, axe):
    """axe-core finds no serious fault in a page with other metrics."""
    there = opened(rated, "#sort=metric0.opposite-up")
    assert there.faults(axe) == []
