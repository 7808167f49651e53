"""The report in a browser: it shows the scorer's numbers, and does what its controls say.

That no page logs anything or asks for anything, the fixture `opened` checks.
"""

from __future__ import annotations

import random

import pytest

from meteorlib import Scorer
from meteorlib.analysis.significance import compare_systems
from meteorlib.core.alignment import Chunking
from meteorlib.reports.html import html_report

pytestmark = pytest.mark.browser

DONE = "return document.querySelector('#found').textContent.includes(arguments[0])"


def keys(page, *pressed):
    """Press keys, one after the other."""
    from selenium.webdriver import ActionChains

    ActionChains(page.browser).send_keys(*pressed).perform()


def choose(page, side, system):
    """Choose a system to compare."""
    page.run(
        "const it = byId(arguments[0]); it.value = arguments[1]; it.dispatchEvent(new Event('change'))", side, system
    )


def shown(value):
    """A difference as the page writes it."""
    text = f"{value:+.4f}"
    return text[1:] if float(text) == 0 else text.replace("-", "−")


def test_table_has_the_numbers_of_the_scorer(opened, page, corpora):
    """The table has every segment with its scores and their difference."""
    a, b = corpora.values()
    rows = opened(page).run(
        "return [...document.querySelectorAll('.segments tbody tr')].map((row) => "
        "[...row.querySelectorAll('td.number')].map((cell) => cell.lastChild.textContent))"
    )
    assert rows == [
        [f"{one.score:.4f}", f"{other.score:.4f}", shown(other.score - one.score)]
        for one, other in zip(a, b, strict=True)
    ]


def test_digits_are_pythons(opened, page):
    """The page rounds as Python does, also where a number is exactly between two."""
    draw = random.Random(1)
    values = [step / 64 for step in range(-64, 65)] + [draw.uniform(-1, 1) for _ in range(2000)]
    written = opened(page).run("return arguments[0].map(digits)", values)
    assert [text.replace("−", "-") for text in written] == [
        f"{value:.4f}".replace("-0.0000", "0.0000") for value in values
    ]


def test_search(opened, page, corpora):
    """The search finds what METEOR sees of the chosen texts, whatever the case, and shows all again."""
    there = opened(page)
    there.one("#query").send_keys("COUNCIL")
    expected = [
        index
        for index, (a, b) in enumerate(zip(*corpora.values(), strict=True))
        for words in [
            {*a.alignment.reference, *b.alignment.reference, *a.alignment.hypothesis, *b.alignment.hypothesis}
        ]
        if any("council" in word for word in words)
    ]
    there.until(DONE, f"{len(expected)} of 48 ")
    assert there.order() == expected
    there.one(".filter button[type=reset]").click()
    there.until(DONE, "48 segments")
    assert there.order() == list(range(48))


def test_hits_are_marked(opened, page):
    """A search marks its hits in the rows: the words of a text, or the hits of an expression."""
    there = opened(page)
    marked = "return [...CSS.highlights.get('hit')].map((one) => one.toString().toLowerCase())"
    there.run("showOnly(['text', 'all', 'the council', ''])")
    assert set(there.run(marked)) == {"the", "council"}
    assert there.run("return 'then the councils'.match(patternOf('the council', ''))") == ["the", "council"]
    there.run("showOnly(['text', 'source', '[.]$', 'r'])")
    assert set(there.run(marked)) == {"."}
    there.run("showAll()")
    assert there.run(marked) == []


def test_nothing_found(opened, page):
    """If nothing is found, the page says so and offers a way back."""
    there = opened(page)
    there.one("#query").send_keys("nosuchword")
    there.until(DONE, "0 of 48")
    there.one("#rows button").click()
    there.until(DONE, "48 segments")


@pytest.mark.parametrize(
    ("order", "key"),
    [
        ("0 up", lambda a, _: a),
        ("1 down", lambda _, b: -b),
        ("distance down", lambda a, b: -abs(a - b)),
        ("difference up", lambda a, b: b - a),
        ("file down", None),
    ],
)
def test_sort(opened, page, corpora, order, key):
    """The table is sorted by score, difference or place, those that are equal in the order of the file."""
    there = opened(page)
    there.one(f"#order option[value='{order}']").click()
    scores = [(a.score, b.score) for a, b in zip(*corpora.values(), strict=True)]
    expected = list(range(47, -1, -1)) if key is None else sorted(range(48), key=lambda index: key(*scores[index]))
    there.until(
        "return document.querySelector('.segments tbody th').textContent === arguments[0]", str(expected[0] + 1)
    )
    assert there.order() == expected


def test_sort_by_heading(opened, page, corpora):
    """A press on a heading sorts, worst first, and once more the other way; the heading says so."""
    there = opened(page)
    scores = [scored.score for scored in corpora["system-b.en"]]
    for way, sign in (("ascending", 1), ("descending", -1)):
        there.one("#sort-1").click()
        assert there.order() == sorted(range(48), key=lambda index: sign * scores[index])
        assert there.one("th:has(#sort-1)").get_attribute("aria-sort") == way
        assert there.run("return document.activeElement.id") == "sort-1"


def test_tables_are_copied(opened, page):
    """A button copies the signature, or the table of scores in its format, and shows what it has copied."""
    there = opened(page)
    permission = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    there.browser.execute_cdp_cmd("Browser.grantPermissions", permission)
    starts = {"LaTeX": "% segments: 48", "Markdown": "| system", "TSV": "segment\tsystem", "Signature": "preset:"}
    for form, start in starts.items():
        there.one(f"[data-copy={form}]").click()
        assert there.one("#copied").text == f"{form} copied."
        copied = there.browser.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
        assert (
            copied == there.run("return data.tables[arguments[0]]", form) == there.run("return copy.firstChild.value")
        )
        assert copied.startswith(start)


def test_bar_lists_its_segments(opened, page, corpora):
    """A click on a bar lists as many segments as it says; one histogram of each measure has all systems."""
    there = opened(page)
    for measure in ("score", "precision", "recall", "fragmentation"):
        there.one(f"[name=spread][value={measure}]").click()
        assert len(there.all("#histograms svg")) == 2
        bars = there.all("#histograms .band:has(rect:not(.target)[height]:not([height='0']))")
        for bar in random.Random(5).sample(bars, 8):
            told = bar.find_element("css selector", "title").get_attribute("textContent")
            size = told.split(": ")[1].split()[0]
            there.run("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", bar)
            there.until(DONE, "48 segments" if size == "48" else f"{size} of 48 ")
            assert len(there.order()) == int(size), told
    counts = there.run("return data.bands.map((each) => each[1])")
    for found, corpus in zip(counts, corpora.values(), strict=True):
        assert found[:-1] == [
            sum(min(int(f"{one.precision:.4f}".replace(".", "")) // 500, 19) == band for one in corpus)
            for band in range(20)
        ]


def test_drawings_have_the_matches(opened, page, corpora):
    """Each segment's matrix has exactly the matches and chunks of the alignment; so has that of both systems."""
    there = opened(page)
    for index in range(48):
        there.run("drawSegment(arguments[0])", index)
        for system, corpus in enumerate(corpora.values()):
            expected = sorted(map(tuple, corpus[index].alignment.matches))
            there.run("document.querySelectorAll('[name=matrix]')[0].click()")
            assert there.matches(system) == expected
            there.run("document.querySelectorAll('[name=matrix]')[arguments[0]].click()", system + 1)
            assert there.matches(system) == expected
            assert there.matches(1 - system) == []
            assert len(there.all("#matrix .chunk")) == corpus[index].statistics.chunks


def test_formula_has_the_numbers_of_the_scorer(opened, page, corpora):
    """The formula of a segment ends each line with the scorer's number."""
    there = opened(page)
    names = ("precision", "recall", "f_mean", "fragmentation", "penalty", "score")
    for index in range(0, 48, 5):
        there.run("drawSegment(arguments[0])", index)
        expected = [f"{getattr(corpus[index], name):.4f}" for corpus in corpora.values() for name in names]
        assert [text.replace("–", "nan") for text in there.texts("dialog .formula dd > strong")] == expected


def test_formula_adds_up(opened, page):
    """The operands before a result of the formula give that result."""
    there = opened(page)
    there.run("drawSegment(0)")
    worked = there.run(
        """const value = (node) => {
          if (node.className === "hidden") return "";
          const parts = [...node.childNodes].map(value).filter(Boolean);
          if (node.className === "fraction" || node.localName === "mfrac") return `((${parts[0]})/(${parts[1]}))`;
          if (node.localName === "msup") return `(${parts[0]}**${parts[1]})`;
          return parts.length ? parts.join("") : node.textContent.replace("·", "*").replace("−", "-").trim();
        };
        return [...document.querySelectorAll("dialog .formula dd")].map((line) =>
          [value(line.firstChild), line.querySelector("strong").textContent])"""
    )
    assert len(worked) == 12
    for term, result in worked:
        assert eval(term) == pytest.approx(float(result), abs=2e-4), term  # noqa: S307 – digits and operators


def test_address_of_a_segment(opened, page):
    """An address with #seg-17 opens that segment; closing it takes the address away, going back too."""
    there = opened(page, "#seg-17")
    assert there.one("dialog[open] h2").text == "Segment 17"
    there.one("#close").click()
    there.until("return !document.querySelector('dialog').open && !location.hash")
    there.one(".segments a[href='#seg-3']").click()
    there.until("return document.querySelector('dialog').open")
    there.browser.back()
    there.until("return !document.querySelector('dialog').open")


@pytest.mark.parametrize("fragment", ["#seg-0", "#seg-49", "#seg-x", "#seg-", "#nothing"])
def test_address_of_nothing(opened, page, fragment):
    """An address of no segment opens none."""
    assert opened(page, fragment).all("dialog[open]") == []


def test_keyboard(opened, page):
    """All can be done by keys: to search, to open a segment, to go on and back, to close it."""
    from selenium.webdriver.common.keys import Keys

    there = opened(page)
    keys(there, "/")
    assert there.run("return document.activeElement.id") == "query"
    there.run("document.querySelector('.segments a[href=\"#seg-2\"]').focus()")
    keys(there, Keys.ENTER)
    there.until("return document.querySelector('dialog').open")
    for key, heading in ((Keys.ARROW_RIGHT, "Segment 3"), ("j", "Segment 4"), (Keys.ARROW_LEFT, "Segment 3")):
        keys(there, key)
        there.until("return document.querySelector('dialog h2').textContent === arguments[0]", heading)
    keys(there, Keys.ESCAPE)
    there.until("return !document.querySelector('dialog').open")
    assert there.run("return document.activeElement.getAttribute('href')") == "#seg-2"


def test_next_segment_is_that_of_the_table(opened, page):
    """From a segment the next one is the next of the table as it is sorted."""
    there = opened(page)
    there.run("sortBy('0 up')")
    first, second = there.order()[:2]
    there.run("showSegment(arguments[0])", first)
    there.until("return document.querySelector('dialog').open")
    there.one("#step-next").click()
    there.until("return document.querySelector('dialog h2').textContent === `Segment ${arguments[0] + 1}`", second)


def test_scatter_leads_to_the_segment(opened, page, corpora):
    """A click on a dot opens its segment."""
    from selenium.webdriver import ActionChains

    there = opened(page)
    scores = [(a.score, b.score) for a, b in zip(*corpora.values(), strict=True)]
    lonely = max(
        range(48),
        key=lambda at: min(
            (scores[at][0] - x) ** 2 + (scores[at][1] - y) ** 2 for i, (x, y) in enumerate(scores) if i != at
        ),
    )
    x, y = scores[lonely]
    plot = there.one(".scatter")
    there.run("arguments[0].scrollIntoView({block: 'center'})", plot)
    left, top, width, height = there.run(
        "const p = arguments[0].querySelector('.field').getBoundingClientRect();"
        "const c = arguments[0].getBoundingClientRect();"
        "return [p.left - (c.left + c.width / 2), p.top - (c.top + c.height / 2), p.width, p.height]",
        plot,
    )
    ActionChains(there.browser).move_to_element_with_offset(
        plot, int(left + x * width), int(top + (1 - y) * height)
    ).click().perform()
    there.until("return document.querySelector('dialog').open")
    assert there.one("dialog h2").text == f"Segment {lonely + 1}"


def test_same_system_twice(opened, corpora):
    """Between two systems that are the same there is no difference anywhere."""
    one = corpora["system-a.en"]
    there = opened(html_report({"one": one, "two": one}))
    assert set(there.texts(".segments tbody tr td:nth-child(4)")) == {"B−A 0.0000"}
    assert there.run(
        "return data.pairs[0].bands.map(([, each]) => [each[10], each.at(-1), each.reduce((a, b) => a + b)])"
    ) == [[48 - missing, missing, 48] for missing in (0, 0, 0, 0)]
    assert there.run("return data.pairs[0].words.flat().length + data.pairs[0].phrases.flat().length") == 0


def test_other_pairs(opened, corpora):
    """Any two of three systems can be compared, in either direction."""
    a, b = corpora.values()
    there = opened(html_report({"first": a, "second": b, "third": a}))
    choose(there, "first", 2)
    choose(there, "second", 1)
    expected = [shown(one.score - other.score) for one, other in zip(a, b, strict=True)]
    assert there.texts(".segments tbody tr td:nth-child(4)") == [f"C−B {text}" for text in expected]
    choose(there, "second", 0)
    assert set(there.texts(".segments tbody tr td:nth-child(4)")) == {"C−A 0.0000"}
    assert "Phrases that C gets right and A does not" in there.texts("#word-lists h3")
    there.run("showSegment(0)")
    there.until("return document.querySelector('dialog').open")
    assert [text[0] for text in there.texts(".formulas h4")] == ["A", "C", "B"]


@pytest.mark.parametrize("baseline", ["system-a.en", "system-b.en", "third"])
def test_one_direction(opened, corpora, baseline):
    """At the beginning every difference on the page is a system minus the baseline, as in the table of scores."""
    systems = {**corpora, "third": corpora["system-b.en"]}
    comparison = compare_systems(systems, samples=50, baseline=baseline)
    names = list(systems)
    against = names.index(baseline)
    system = 1 if against == 0 else 0
    one, other = systems[names[system]], systems[baseline]
    mark, mark_of_baseline = "ABC"[system], "ABC"[against]
    there = opened(html_report(systems, comparison), "#seg-6")
    assert there.texts(".scores thead th")[3] == f"Minus {mark_of_baseline}"
    value = comparison.systems[system].difference.value
    assert there.texts(f".scores tbody tr:nth-child({system + 1}) td:nth-child(4)")[0].startswith(shown(value))
    assert there.run("return [byId('first').value, byId('second').value]") == [str(system), str(against)]
    assert set(there.texts("#histograms .difference figcaption")) == {f"{mark} minus {mark_of_baseline}"}
    choices = [text for text in there.texts("#measure option") if "minus" in text]
    assert {choice.split(", ")[1] for choice in choices} == {f"{mark} minus {mark_of_baseline}"}
    assert there.texts("#sort-difference")[0].startswith(f"{mark}−{mark_of_baseline}")
    assert f"{mark} better than {mark_of_baseline}" in there.texts("#order option[value='difference down']")
    differences = [first.score - second.score for first, second in zip(one, other, strict=True)]
    cells = there.texts(".segments tbody tr td:nth-child(4)")
    assert cells == [f"{mark}−{mark_of_baseline} {shown(difference)}" for difference in differences]
    better, worse = there.run(
        "const [, bands] = differenceBands(0, pair), sum = (some) => some.reduce((a, b) => a + b, 0);"
        "return [sum(bands.slice(11, 21)), sum(bands.slice(0, 10))]"
    )
    changes = comparison.systems[system].difference.changes
    assert (better, worse) == (changes.better, changes.worse)
    against_text = there.texts("dialog .against")[0 if system < against else system - 1]
    assert against_text == f"{shown(differences[5])} vs {mark_of_baseline}"


def test_filter_has_the_direction_of_the_histogram(opened, page, corpora):
    """A range of differences lists the segments whose difference lies there; an end with < is no part of it."""
    a, b = corpora.values()
    there = opened(page)
    there.run("byId('measure').value = 'difference score'; byId('most').value = '-0.5'; drawTable()")
    expected = [index for index in range(48) if b[index].score - a[index].score <= -0.5]
    assert there.order() == expected != []
    score = repr(a[expected[0]].score)
    for end, found in ((score, True), (f"<{score}", False)):
        there.run("showOnly(['range', '0 score', '', arguments[0]])", end)
        assert (expected[0] in there.order()) is found


def test_one_system(opened, corpora):
    """A page of one system has no comparison, and all the rest."""
    there = opened(html_report({"only": corpora["system-a.en"]}), "#seg-5")
    assert there.all("dialog[open] .matrix.single") != []
    assert not there.one("#pair").is_displayed()
    assert there.all("#scatter") == []
    assert len(there.order()) == 48


def test_many_segments(opened):
    """A long table draws one page of segments; a click shows the others."""
    scorer = Scorer()
    texts = [f"segment number {number} of many" for number in range(5000)]
    there = opened(html_report({"one": scorer.corpus().extend(references=texts, hypotheses=texts[::-1])}))
    assert len(there.order()) == 50
    there.one("#page-next").click()
    assert there.order()[0] == 50
    there.one("#page-last").click()
    assert there.order()[-1] == 4999
    there.run("searchFor('number 4321 of', 'reference')")
    there.until(DONE, "1 of 5,000")
    assert there.order() == [4321]


def test_segment_explains_its_signs(opened, page, corpora):
    """Chunks that do not begin the text have a bar, which the legend names; a difference says from which system."""
    there = opened(page, "#seg-6")
    for place, corpus in enumerate(corpora.values()):
        chunks = Chunking.of(corpus[5].alignment.matches).chunks
        row = f".texts tr:nth-last-child({2 - place})"
        assert len(there.all(f"dialog {row} .head")) == sum(start > 0 for _, _, start, _ in chunks) > 0
    assert "next chunk" in there.one("dialog .legend").text
    assert [text.startswith("Stages: ") for text in there.texts("#rows .legend")] == [True]
    a, b = (corpus[5].score for corpus in corpora.values())
    assert there.texts("dialog .texts .against") == [f"{shown(b - a)} vs A"]


def test_identical_texts(opened):
    """Two outputs that are the same text are called identical."""
    corpora = {name: Scorer().corpus().extend(references=["a b"], hypotheses=["a c"]) for name in ("one", "two")}
    there = opened(html_report(corpora), "#seg-1")
    assert there.texts("dialog h3 + .note")[0] == "identical"
    assert there.all("dialog .diff") == []
