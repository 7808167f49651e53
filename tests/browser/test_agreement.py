"""The page of a meta-evaluation in a browser: whole, for everyone, without a script.

That no page logs anything or asks for anything, the fixture `opened` checks.
"""

from __future__ import annotations

import numpy as np
import pytest

from meteorlib.analysis.meta_evaluation import Judged, Judgments, Metric, Pairs, Ratings, Scored, meta_evaluate
from meteorlib.analysis.meta_evaluation.results import charts_of
from meteorlib.core.segment import Pair
from meteorlib.reports.html.agreement import agreement_page
from tests.reports.html.test_page import HOSTILE

pytestmark = pytest.mark.browser


def judged(name, segments, systems=5):
    """Ratings and pairs; later systems are better."""
    rng = np.random.default_rng(segments)
    every = tuple(
        Judged(str(segment), f"system {system}", Pair(("x",), "x"))
        for segment in range(segments)
        for system in range(systems)
    )
    values = np.tile(np.arange(float(systems)), segments) + rng.normal(size=len(every))
    first = np.arange(0, len(every), systems)
    pairs = Pairs(first + 3, first + 1, np.full(len(first), 2))
    return Judgments(name, every, pairs, Ratings(np.arange(len(every)), values))


def evaluated(*judgments, names=("meteor", "chrF")):
    """The page and the charts for metrics that are the ratings with noise."""
    rng = np.random.default_rng(5)
    metrics = [
        Metric(name, tuple(Scored(one.ratings.value + noise * rng.normal(size=len(one.texts))) for one in judgments))
        for noise, name in enumerate(names, 1)
    ]
    charts = [*charts_of(judgments, metrics)]
    return agreement_page(meta_evaluate(judgments, metrics, samples=20), charts), charts


@pytest.fixture(scope="module")
def made():
    """The page of a small language pair and of a large one, and its charts."""
    return evaluated(judged("de-en", 40), judged("cs-en", 600))


def test_every_chart_and_every_number_is_there(opened, made):
    """A table for each language pair and level, pooled and mean; a chart for each metric below the first ones."""
    page, charts = made
    there = opened(page)
    assert len(there.all("table.agreements")) == 12
    assert there.run("return [...document.querySelectorAll('svg')].map((one) => one.clientHeight > 100)") == [True] * 12
    circles = there.run("return document.querySelectorAll('circle.mean').length")
    assert circles == sum(len(chart.buckets) for chart in charts)
    assert len(there.all("path.dots")) == 2
    rows = there.texts("details tbody tr td:last-child")
    assert [int(text.replace(",", "")) for text in rows] == [
        bucket.count for level in charts for bucket in level.buckets
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1300, 360])
def test_accessible(opened, made, axe, scheme, width):
    """axe-core finds no serious fault, light or dark, wide or narrow; nothing scrolls sideways."""
    there = opened(made[0], "", width, scheme)
    assert there.faults(axe) == []
    assert there.run("const it = document.documentElement; return it.scrollWidth - it.clientWidth") == 0


def test_hostile_names(opened):
    """Names are shown, and nothing more."""
    page, _ = evaluated(judged(HOSTILE, 40), names=(f'"{HOSTILE}', "m"))
    there = opened(page)
    assert there.run("return [window.hacked, document.querySelectorAll('img, script').length]") == [None, 0]
    assert r"\u202e" in there.one("h2").text
