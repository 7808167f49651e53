"""Groups of segments in the report: tables that are sorted, and rows that list the segments of a group."""

from __future__ import annotations

import pytest

from meteorlib.analysis.significance import compare_systems
from meteorlib.core.breakdown import breakdown
from meteorlib.reports.html import html_report
from tests.browser.conftest import lines
from tests.reports.html.test_page import HOSTILE

pytestmark = pytest.mark.browser

LABELS = [
    "news" if place < 5 else f"talk {HOSTILE}" if place < 14 else "" if place < 27 else "web, blogs"
    for place in (index * 7 % 48 for index in range(48))
]
SHOWN = {"": "–"}


@pytest.fixture(scope="module")
def grouped(corpora):
    """The page of the examples by document, with labels that a page must not run."""
    comparison = compare_systems(corpora, samples=100)
    return html_report(corpora, comparison, references=2, sources=lines("reference.1.en"), groups={"document": LABELS})


def expected(corpora):
    """Label → its segments and the score of each system, recounted."""
    found = {}
    for label in dict.fromkeys(LABELS):
        places = [index for index, one in enumerate(LABELS) if one == label]
        sums = [
            sum((corpus[at].statistics for at in places[1:]), corpus[places[0]].statistics)
            for corpus in corpora.values()
        ]
        parameters = next(iter(corpora.values())).parameters
        found[SHOWN.get(label, label)] = places, [breakdown(one, parameters).score for one in sums]
    return found


def rows(there, at=0):
    """The texts of the rows of a table of groups."""
    return there.rows(f"#group-tables > section:nth-of-type({at + 1}) tbody tr")


def test_scores_and_differences(opened, grouped, corpora):
    """Every group has its size, the score of each system and their difference; the largest lead comes first."""
    there = opened(grouped)
    found = expected(corpora)
    shown = rows(there)
    assert {label[:4] for label, *_ in shown} == {label[:4] for label in found}
    by_size = {size: row for _, size, *row in shown}
    assert len(by_size) == len(found)
    for places, scores in found.values():
        one, other, difference = by_size[str(len(places))]
        assert [one, other] == [f"{score:.4f}" for score in scores]
        assert difference == f"{scores[1] - scores[0]:+.4f}".replace("-", "−")
    leads = [float(row[4].replace("−", "-")) for row in shown]
    assert leads == sorted(leads)
    assert there.run("return window.hacked") is None
    assert there.all("#group-tables script") == []


def test_sorted_by_its_headings(opened, grouped, corpora):
    """A click on a heading sorts, a second one reverses; the heading shows the order and keeps the focus."""
    there = opened(grouped)
    sizes = sorted(len(places) for places, _ in expected(corpora).values())
    for way, order in (("ascending", sizes), ("descending", sizes[::-1])):
        there.one("#group-0-size").send_keys("\ue007")
        assert [int(row[1]) for row in rows(there)] == order
        assert there.one("th:has(#group-0-size)").get_attribute("aria-sort") == way
        assert there.run("return document.activeElement.id") == "group-0-size"
    there.one("#group-0-difference").click()  # ascending, as at the beginning
    differences = [float(row[4].replace("−", "-")) for row in rows(there)]
    assert differences == sorted(differences)


def test_a_group_lists_its_segments(opened, grouped, corpora):
    """A click lists exactly the segments of the group, worst first; the address says so; Back shows all again."""
    there = opened(grouped)
    scores = [scored.score for scored in corpora["system-b.en"]]
    for places, _ in expected(corpora).values():
        button = next(
            each
            for each in there.all("#group-tables > section:first-child tbody button")
            if each.find_element("xpath", "../../td").text == str(len(places))
        )
        there.run("arguments[0].click()", button)
        worst_first = sorted(places, key=scores.__getitem__)
        assert there.order() == worst_first
        address = there.run("return location.hash")
        assert address.startswith("#sort=1-up&f=group,0,")
        assert there.texts("#chips bdi")[0].startswith("document: ")
        assert opened(grouped, address).order() == worst_first
        there = opened(grouped)
    there.run("document.querySelector('#group-tables tbody button').click()")
    there.browser.back()
    there.until("return document.querySelectorAll('#chips li').length === 0")
    assert there.order() == list(range(48))


def test_source_lengths_and_rare_words(opened, grouped, corpora):
    """Rows of the bands of source lengths and rare words list as many segments as they say, and together all."""
    there = opened(grouped)
    sources = [len(text.split()) for text in lines("reference.1.en")]
    for at, name in ((1, "Length of the source"), (2, "Rare words")):
        assert there.texts("#group-tables > section h3")[at] == name
        listed = []
        for place, row in enumerate(rows(there, at)):
            there.run("showOnly(['group', arguments[0], arguments[1]])", at, place)
            found = there.order()
            assert len(found) == int(row[1])
            if at == 1:
                low, _, high = row[0].replace(" and more", "–").partition("–")
                assert found == [i for i, size in enumerate(sources) if int(low) <= size <= int(high or 10**6)]
            listed += found
        assert sorted(listed) == list(range(48))


def test_the_answer_names_the_group(opened, grouped, corpora):
    """The paragraph names the group where the better system leads most."""
    there = opened(grouped)
    leads = {label: scores[0] - scores[1] for label, (_, scores) in expected(corpora).items()}
    label, lead = max(leads.items(), key=lambda entry: entry[1])
    told = there.one("#parts").text
    assert f"By document, the lead is largest in “{label[:4]}" in told
    assert f"({lead:+.4f}; {len(expected(corpora)[label][0])} segments, not tested)" in told


def test_accessible(opened, grouped, axe):
    """axe-core finds no serious fault in a page with groups."""
    there = opened(grouped, "#f=group,0,1")
    assert there.faults(axe) == []


def test_length_ratios_list_their_segments(opened, grouped, corpora):
    """A value of a length ratio lists the system's segments with such a ratio; all bands together are all segments."""
    there = opened(grouped)
    table = "[aria-label='By length ratio'] tbody"
    for place, corpus in enumerate(corpora.values()):
        ratios = [round(1000 * len(one.alignment.hypothesis) / len(one.alignment.reference)) for one in corpus]
        listed = []
        for row in there.all(f"{table} tr"):
            label = row.find_element("css selector", "th").text
            ends = [float(word) * 1000 for word in label.replace("up", "0").split() if word[0].isdigit()]
            low, high = ends if len(ends) == 2 else (ends[0], 10**9)
            there.run("arguments[0].click()", row.find_elements("css selector", "td button")[place])
            found = there.order()
            if found:
                assert found == [index for index, ratio in enumerate(ratios) if low - 0.1 <= ratio <= high + 0.1]
            listed += found
        assert sorted(listed) == list(range(48))
