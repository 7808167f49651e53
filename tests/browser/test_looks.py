"""The report for everyone: hostile text, other scripts, small screens, paper, assistive technology."""

from __future__ import annotations

import re
from base64 import b64decode

import pytest

from meteorlib import Scorer
from meteorlib.analysis.significance import compare_systems
from meteorlib.reports.html import html_report
from tests.reports.html.test_page import HOSTILE

pytestmark = pytest.mark.browser

SAYS = "return document.querySelector('#matrix .note').textContent.includes(arguments[0])"


def test_hostile_text(opened):
    """Markup in texts, names and the title is shown as text, and does nothing."""
    scorer = Scorer("nltk")
    systems = {
        f"{quote}{HOSTILE}": scorer.corpus().extend(
            references=[HOSTILE, "a b"], hypotheses=[f"x {HOSTILE}", '<img src=x onerror="window.hacked=1"> b']
        )
        for quote in "\"'"
    }
    there = opened(html_report(systems, title=f"</title>{HOSTILE}", sources=[HOSTILE, "]]>"]), "#seg-1")
    assert there.run("return [window.hacked, document.querySelectorAll('img, script').length]") == [None, 3]
    assert "</script><script>window.hacked=1</script>" in there.one(".segments tbody").get_attribute("textContent")
    assert "⟨U+202E⟩" in there.one("dialog").text
    assert there.run("return document.title").startswith("</title></script><script>")
    there.run("drawSegment(1)")
    assert "<img" in there.one("dialog").text


def test_segment_of_a_megabyte(opened):
    """A segment of a megabyte has a matrix of which the words that are scrolled to are drawn, the last ones too."""
    from selenium.webdriver.common.keys import Keys

    scorer = Scorer("nltk")
    long = "word other " * 100_000
    corpus = scorer.corpus().extend(references=[long, "x" * 1_000_000, "a"], hypotheses=[long, "x" * 1_000_000, "a"])
    there = opened(html_report({"long": corpus}), "#seg-1")
    assert "and 198,000 more words" in there.one("dialog").text
    drawn = r"Drawn: words ([\d,]+) to ([\d,]+) of 200,000 downwards, ([\d,]+) to ([\d,]+) of 200,000 across"

    def places():
        return [int(number.replace(",", "")) for number in re.search(drawn, there.one("#matrix .note").text).groups()]

    assert places()[0] == places()[2] == 1
    assert there.run("return document.querySelectorAll('*').length") < 20_000
    assert (
        there.run("return document.body.textContent.length - document.querySelector('#data').textContent.length")
        < 300_000
    )
    first, last = places()[0] - 1, min(places()[1], places()[3])
    assert there.matches(0) == [(place, 1, place, 1, 0) for place in range(first, last)]
    there.run("document.querySelector('#matrix .long').scrollTo(1e9, 1e9)")
    there.until(SAYS, "to 200,000 of 200,000 across")
    down, end, right, other_end = places()
    assert end == other_end == 200_000
    assert there.matches(0) == [(place, 1, place, 1, 0) for place in range(max(down, right) - 1, 200_000)]
    there.one("#matrix .long").send_keys(Keys.HOME)
    there.until(SAYS, "words 1 to")
    assert places()[2] == right


def test_right_to_left(opened):
    """Text of a language written from right to left runs so, its numbers and ours do not."""
    arabic = "القط جلس على السجادة 12"
    corpus = Scorer("nltk").corpus().extend(references=[arabic, "the cat"], hypotheses=[arabic, "the cat"])
    there = opened(html_report({"one": corpus}), "#seg-1")
    directions = there.run(
        "return [...document.querySelectorAll('.segments .line, dialog .line')]"
        ".map((one) => getComputedStyle(one).direction)"
    )
    assert directions == ["rtl", "rtl", "ltr", "ltr", "rtl", "rtl"]


def test_no_scrolling_sideways(opened, page):
    """On a narrow screen the page is as wide as the screen, a segment too."""
    there = opened(page, "#seg-6", width=360)
    assert there.run("const it = document.documentElement; return it.scrollWidth - it.clientWidth") == 0
    assert there.run("const it = document.querySelector('dialog'); return it.scrollWidth - it.clientWidth") == 0


@pytest.mark.parametrize("width", [360, 1300])
def test_formulas_fit_a_segment(opened, width):
    """A segment with matches of several stages and with several faults is as wide as the screen: its sums wrap."""
    reference = "The cat 7 sat on the mats that the houses of people have here"
    hypothesis = "the cats 8 not sat upon rugs rugs has mat houses people"
    corpus = Scorer("meteor-2026-en-core").corpus().extend(references=[reference], hypotheses=[hypothesis])
    there = opened(html_report({"one": corpus}), "#seg-1", width=width)
    wide = "return [...document.querySelectorAll('dialog, dialog dd')].filter((it) => it.scrollWidth > it.clientWidth)"
    assert there.run(wide) == []
    penalties = there.run("return [...document.querySelectorAll('dialog dd')].at(-3).getClientRects()[0].height")
    assert (penalties > 150) is (width == 360)


@pytest.mark.parametrize("width", [360, 400, 1024])
def test_scores_fit_the_screen(opened, page, width):
    """On a phone the scores of a system are a card with labels; nothing of the table is cut off."""
    there = opened(page, width=width)
    assert (
        there.run("const it = document.querySelector('#scores .scroll'); return it.scrollWidth - it.clientWidth") <= 0
    )
    if width < 768:
        label = "return getComputedStyle(document.querySelector('.scores td'), '::before').content"
        assert there.run(label) == '"METEOR"'


@pytest.mark.parametrize("fragment", ["", "#seg-6"])
def test_paper(opened, page, fragment):
    """The page can be printed with its signature, without its controls; where a segment is open, that segment is."""
    there = opened(page, fragment)
    printed = there.browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    pages = b64decode(printed["data"]).count(b"/Type /Page\n")
    assert pages >= 1 if fragment else pages >= 4
    there.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not there.one(".filter").is_displayed()
    assert there.one("main").is_displayed() is not bool(fragment)
    if not fragment:
        assert "preset:" in there.one(".printed").text
        assert there.one(".more .scores").is_displayed()
        size = "return parseFloat(getComputedStyle(document.querySelector('.scores td')).fontSize)"
        assert there.run(size) > 11
        lists = [
            each for each in there.all("#word-lists section") if each.find_elements("css selector", "tr:nth-child(9)")
        ]
        assert lists
        assert all(re.search(r"^\d+ more$", each.text, re.MULTILINE) for each in lists)
        assert there.one("#rows").text.endswith("\nSegments 1 to 8 of 48 listed")
        there.run("showOnly(['range', '0 score', 0, 0.99])")
        assert re.search(r"Segments 1 to (\d+) of \1 listed$", there.one("#rows").text)
    assert "null" not in there.one("dialog").text.split()


def test_long_lists_fold(opened, page):
    """A long list shows its first rows, and the others when its button is pressed, also after it is drawn again."""
    there = opened(page)
    rows = there.all("#word-lists > section:nth-child(2) tbody tr")
    assert [row.is_displayed() for row in rows] == [True] * 8 + [False] * (len(rows) - 8)
    button = there.one("#word-lists > section:nth-child(2) > button.text")
    assert button.text == f"{len(rows) - 8} more"
    button.click()
    assert all(row.is_displayed() for row in rows)
    there.run("drawWords(pair)")
    assert all(row.is_displayed() for row in there.all("#word-lists > section:nth-child(2) tbody tr"))
    there.run("showOnly(['range', '0 score', 0, 0.99])")
    assert all(row.is_displayed() for row in there.all(".segments tbody tr"))  # what was filtered does not fold


def test_words_of_two_systems_in_the_matrix(opened, page, corpora):
    """The words of both systems stand above the matrix, each in the color of its system."""
    there = opened(page, "#seg-6")
    for place, corpus in enumerate(corpora.values()):
        words = there.all(f"#matrix text.of-system.system-{place}")
        assert [word.get_attribute("textContent") for word in words] == [*corpus[5].alignment.hypothesis]
        top = there.run("return document.querySelector('#matrix .field').getBoundingClientRect().top")
        assert all(there.run("return arguments[0].getBoundingClientRect().bottom", word) < top for word in words)
        matched = there.one(f"#matrix text.of-system.system-{place}:not(.unmatched)")
        color = there.run("return [arguments[0], document.querySelector(`#matrix .corner.system-${arguments[1]}`)]"
                          ".map((each) => getComputedStyle(each).fill)", matched, place)  # fmt: skip
        assert color[0] == color[1]


def test_small_faults(opened, corpora):
    """A name that is its mark stands once; rows have the scores of compared systems; a BLEU of 0 has two digits."""
    a, b = corpora.values()
    there = opened(
        html_report(
            {"A.en": a, "second": b, "third": a}, compare_systems({"A.en": a, "second": b, "third": a}, samples=20)
        )
    )
    assert there.texts("#first option") == ["A.en", "B · second", "C · third"]
    assert there.one("#answer").text.startswith("A.en scores ")
    assert len(there.all(".segments tbody tr:first-child td.number")) == 3
    there.run("data.metrics.push({name: 'BLEU', percent: true}, {name: 'rating', percent: false})")
    assert there.run("return [metricText(0, 'metric0'), metricText(0, 'metric1')]") == ["0.00", "0.0000"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1300, 400])
@pytest.mark.parametrize("fragment", ["", "#seg-6"])
def test_accessible(opened, page, axe, scheme, width, fragment):
    """axe-core finds no serious fault, neither in the page nor in a segment, light or dark, wide or narrow."""
    assert opened(page, fragment, width, scheme).faults(axe) == []


@pytest.mark.parametrize("width", [1300, 360])
def test_runs(opened, corpora, axe, width):
    """A page with several runs and another baseline is whole and accessible, too; differences are the baseline's."""
    one, other = corpora.values()
    systems = {"many": [one, other, one], "one": [other]}
    comparison = compare_systems(systems, samples=100, baseline="one")
    there = opened(html_report(systems, comparison), width=width)
    heads = ["Interval at 95 %", "Minus B", "Holm p", "Rank", "System", "Runs", "s_sel", "s_opt", "Precision"]
    assert there.texts(".scores thead th")[2:11] == heads
    many, single = comparison.systems
    cells = there.texts(".scores tbody tr:first-child td")
    assert cells[0] == f"{many.score:.4f}"
    assert cells[2].startswith(f"{many.difference.value:+.4f}")
    assert there.texts(".more tbody tr:first-child td")[:3] == ["3", f"{many.s_sel:.4f}", f"{many.s_opt:.4f}"]
    assert there.texts(".more tbody tr:last-child td")[:3] == ["1", f"{single.s_sel:.4f}", "–"]
    assert there.faults(axe) == []
