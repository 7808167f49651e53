"""Charts as SVG: well formed, with every point where it belongs, whatever the names are."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from meteorlib.analysis.meta_evaluation.results import Bucket, Chart, buckets
from meteorlib.reports.html.agreement import MARKS, Axis, file_names, svg_file
from tests.reports.html.test_page import HOSTILE

SPACE = {"svg": "http://www.w3.org/2000/svg"}


def drawn(chart):
    return ElementTree.fromstring(svg_file(chart))  # noqa: S314 – our own


def cloud(count, name="xx-yy", metric="m"):
    rng = np.random.default_rng(1)
    scores = rng.random(count)
    human = scores + rng.normal(size=count)
    return Chart(name, "ratings", metric, scores, human, (), buckets(scores, human, np.ones(count, int)))


def test_every_text_is_a_dot():
    """Further right is a higher score, further up a higher rating; all lie in the frame."""
    chart = cloud(200)
    (path,) = drawn(chart).findall("svg:path[@class='dots']", SPACE)
    points = np.array([[*map(float, one.split())] for one in path.get("d").removesuffix("h0").lstrip("M").split("h0M")])
    assert len(points) == 200
    assert np.corrcoef(points[:, 0], chart.scores)[0, 1] == pytest.approx(1)
    assert np.corrcoef(points[:, 1], chart.human)[0, 1] == pytest.approx(-1)
    frame = drawn(chart).find("svg:rect[@class='frame']", SPACE)
    left, top, width, height = (float(frame.get(key)) for key in ("x", "y", "width", "height"))
    assert ((points > (left, top)) & (points < (left + width, top + height))).all()


def test_many_texts_are_counted():
    """The file does not grow with them; every point lies in a cell, the fullest is the darkest."""
    chart = cloud(50_000)
    root = drawn(chart)
    assert not root.findall("svg:path[@class='dots']", SPACE)
    cells = root.findall("svg:path[@class='cells']", SPACE)
    assert {one.get("fill-opacity") for one in cells} >= {"0.1", "1.0"}
    assert len(svg_file(chart)) < 60_000


def test_buckets_say_their_numbers():
    """Each is a circle with a title."""
    chart = cloud(200)
    titles = [one.text for one in drawn(chart).findall("svg:circle[@class='mean']/svg:title", SPACE)]
    assert len(titles) == 10
    first = chart.buckets[0]
    assert titles[0] == f"scores {first.low:.4f} to {first.high:.4f}: {first.human:.4f}, 20 judgments"


def test_systems_are_named():
    """Each is a dot with its whole name; a name that would lie on another one is not written beside it."""
    names = ("A", "a system with a name that is much too long for a chart", "C", "D")
    chart = Chart("xx-yy", "systems", "m", np.array([0.1, 0.9, 0.9, 0.9]), np.array([1.0, 3.0, 3.0, 3.0]), names)
    root = drawn(chart)
    titles = [one.text for one in root.findall("svg:circle[@class='system']/svg:title", SPACE)]
    assert sorted(titles) == sorted(names)
    assert len(root.findall("svg:text[@class='name']", SPACE)) == 3


def test_pairs_are_shares():
    """From 0 to 1, whatever the shares are, with a line where chance is."""
    chart = Chart("xx-yy", "pairs", "m", np.zeros(0), np.zeros(0), (), (Bucket(0, 0.1, 0.05, 0.5, 9),))
    root = drawn(chart)
    line = root.find("svg:path[@class='even']", SPACE).get("d")
    circle = root.find("svg:circle[@class='mean']", SPACE)
    assert f" {float(circle.get('cy')):.1f}H" in line


def test_hostile_names():
    """They are text and nothing else."""
    chart = cloud(10, HOSTILE, f'"{HOSTILE}')
    root = drawn(chart)
    assert not root.findall(".//svg:script", SPACE)
    assert r"\u202e" in root.get("aria-label")


def test_files_have_names_that_any_system_takes():
    """Without folders, without spaces, each another one, also where capitals do not count."""
    charts = [cloud(3, *names) for names in (("a/b", "x y"), ("a b", "X:y"), ("..", "m"))]
    assert file_names(charts) == ["a_b.ratings.x_y.svg", "a_b.ratings.X_y.2.svg", "ratings.m.svg"]


@pytest.mark.parametrize("range_", [(0, 1), (-25, 0), (0.31, 0.3101), (-1e6, 1e6), (5, 5), (0, 0)])
def test_marks_are_round_numbers_on_the_axis(range_):
    """A few of them, evenly apart, each written as what it is."""
    axis = Axis.of(np.array(range_, float), 64, 504)
    marks = axis.marks()
    assert 2 <= len(marks) <= MARKS + 1
    for place, text in marks:
        assert 64 <= place <= 504
        assert axis.place(float(text.replace("−", "-"))) == pytest.approx(place)


def test_the_fullest_cell_is_the_darkest():
    """A cell with nearly all points is darker than one with a single point, further right."""
    scores = np.array([0.0] * 1600 + [1.0])
    chart = Chart("xx-yy", "ratings", "m", scores, scores, (), buckets(scores, scores, np.ones(1601, int)))
    faint, dark = drawn(chart).findall("svg:path[@class='cells']", SPACE)
    assert (faint.get("fill-opacity"), dark.get("fill-opacity")) == ("0.1", "1.0")
    assert float(faint.get("d")[1:].split()[0]) > float(dark.get("d")[1:].split()[0])


def test_axis_of_one_number():
    """An axis of equal numbers has a margin in proportion to them, or of a fixed size around 0."""
    assert [Axis.of(np.array([number]), 0, 1).low for number in (1000.0, -1000.0, 0.0)] == [960.0, -1040.0, -0.04]
