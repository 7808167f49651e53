"""Words by label in the report: tables that are sorted, whose rows and shares list exactly the segments counted."""

from __future__ import annotations

import pytest

from meteorlib import Scorer
from meteorlib.analysis.significance import compare_systems
from meteorlib.reports.html import html_report
from meteorlib.reports.html.data import Written
from tests.browser.conftest import lines
from tests.reports.html.test_page import HOSTILE

pytestmark = pytest.mark.browser

REFERENCE = lines("reference.1.en")
HOSTILE_LABEL = "".join(HOSTILE.split())


def label_of(token):
    """A label for a token, by its length; long tokens have one that a page must not run."""
    return HOSTILE_LABEL if len(token) > 7 else "NOUN" if len(token) > 3 else "DET,X" if token.isalpha() else "PUNCT"


LABELS = [" ".join(map(label_of, line.split())) for line in REFERENCE]


@pytest.fixture(scope="module")
def scored():
    """The systems of the examples against the reference with labels, in words that are the tokens."""
    scorer = Scorer("nltk")
    return {
        name: scorer.corpus().extend(references=REFERENCE, hypotheses=lines(name))
        for name in ("system-a.en", "system-b.en")
    }


@pytest.fixture(scope="module")
def labeled(scored):
    """Their page with labels of the words."""
    texts = [lines(name) for name in scored]
    written = Written([[line] for line in REFERENCE], texts, labels={"pos": [[line] for line in LABELS]})
    return html_report(scored, compare_systems(scored, samples=100), references=1, written=written)


@pytest.fixture(scope="module")
def expected(scored):
    """Label → its words, as segment and system → whether each is matched, recounted."""
    found = {}
    for place, corpus in enumerate(scored.values()):
        for segment, (one, line) in enumerate(zip(corpus, REFERENCE, strict=True)):
            for at, token in enumerate(line.split()):
                found.setdefault(label_of(token), [[], []])[place].append((segment, at in one.alignment.by_reference))
    return found


def frequent_first(expected):
    """Labels with their words, those of the most words first."""
    return sorted(expected.items(), key=lambda entry: -len(entry[1][0]))


def test_counts_and_shares(opened, labeled, expected):
    """Each label has its number of words and the share that each system matches; the most frequent comes first."""
    there = opened(labeled)
    assert there.texts("#label-tables h3") == ["By pos"]
    shown = there.rows("#label-tables tbody tr")
    found = frequent_first(expected)
    assert [row[1] for row in shown] == [str(len(words)) for _, (words, _) in found]
    for row, (label, both) in zip(shown, found, strict=True):
        shares = [sum(is_matched for _, is_matched in words) / len(words) for words in both]
        assert row[0][:4] == label[:4]
        assert row[2:4] == [f"{share:.4f}" for share in shares]
        assert row[4] == f"{shares[1] - shares[0]:+.4f}".replace("-", "−")
    assert there.run("return window.hacked") is None
    there.one("#label-tables th:last-child button").click()
    differences = [float(row[4].replace("−", "-")) for row in there.rows("#label-tables tbody tr")]
    assert differences == sorted(differences)


def test_a_click_lists_the_segments_counted(opened, labeled, expected):
    """A label lists the segments with such a word, a share those where the system leaves one unmatched; Back works."""
    for place, (_, both) in enumerate(frequent_first(expected)):
        wanted = [
            sorted({segment for segment, _ in both[0]}),
            *(sorted({segment for segment, is_matched in words if not is_matched}) for words in both),
        ]
        for column, segments in enumerate(wanted):
            there = opened(labeled)
            row = there.all("#label-tables tbody tr")[place]
            there.run("arguments[0].click()", row.find_elements("css selector", "button")[column])
            there.until("return document.querySelectorAll('#chips li').length === 1")
            assert there.order() == segments
            said = ["a word of the reference", "A misses a word", "B misses a word"][column]
            assert there.texts("#chips bdi")[0].startswith(f"{said} with pos: ")
            address = there.run("return location.hash")
            assert address.startswith("#f=label,")
            there.browser.back()
            there.until("return document.querySelectorAll('#chips li').length === 0")
            assert there.order() == list(range(48))
            assert opened(labeled, address).order() == segments


def test_addresses_that_name_no_label(opened, labeled):
    """A filter with a label that does not exist, or of a table of groups, is left out."""
    for address in ("#f=label,9,0", "#f=label,1,99", "#f=label,0,0"):
        there = opened(labeled, address)
        assert there.order() == list(range(48))


def test_accessible(opened, labeled, axe):
    """axe-core finds no serious fault in a page with labels."""
    there = opened(labeled)
    assert there.faults(axe) == []
