"""Evidence in the report: a click lists exactly the segments behind a number, as filters in the address."""

from __future__ import annotations

import csv
import io
import json
import re
from xml.etree import ElementTree

import pytest

from meteorlib import Scorer
from meteorlib.analysis.contrast.aligned import Aligned
from meteorlib.analysis.contrast.checks import checked
from meteorlib.analysis.contrast.missed_words import never_exact
from meteorlib.core.alignment import Chunking
from meteorlib.reports.html import html_report
from meteorlib.reports.html.data import Written
from meteorlib.resources.word_lists import function_words
from tests.browser.conftest import lines
from tests.browser.test_report import DONE, choose, keys

pytestmark = pytest.mark.browser


def rows(corpora):
    """The segments of both systems, one beside the other."""
    return list(enumerate(zip(*corpora.values(), strict=True)))


def matched(scored, word):
    """Number of times that a word or phrase is matched in one chunk."""
    unit = tuple(word.split())
    found = 0
    for start, length, *_ in Chunking.of(scored.alignment.matches).chunks:
        piece = scored.alignment.reference[start : start + length]
        found += sum(piece[at : at + len(unit)] == unit for at in range(length))
    return found


def press(there, element):
    """Press a button, and wait until a filter says so."""
    there.run("arguments[0].click()", element)
    there.until("return document.querySelectorAll('#chips li').length === 1")
    return there.order()


def test_the_sentence_lists_its_segments(opened):
    """Each word and check of the sentence lists as many segments as it says; a share lists where the two differ."""
    references = ["cats do not sleep"] * 12 + ["the dog barks"] * 12
    texts = {"one": ["cats do not"] * 12 + ["the dog"] * 12, "two": ["cats sleep do"] * 12 + ["dog"] * 12}
    scorer = Scorer("meteor-1.5-en-core")
    corpora = {name: scorer.corpus().extend(references=references, hypotheses=lines) for name, lines in texts.items()}
    there = opened(html_report(corpora))
    told = there.one("#answer").text
    assert told.endswith(
        "A wins “not” (12 : 0); it loses “sleep” (12 : 0), in segments that only one of them gets right. "
        "Negation on one side only: only in A 0, only in B 12."
    )
    assert [press(there, button) for button in there.all("#answer button")] == [
        [*range(12)],
        [*range(12)],
        [],
        [*range(12)],
    ]
    share = there.one("#parts button")
    assert share.text.startswith("fragmentation (+")
    press(there, share)
    assert there.texts("#chips bdi") == ["B and A differ in fragmentation"]


def test_words_list_the_segments_that_were_counted(opened, page, corpora):
    """Words and phrases that one system gets right list the segments where it matches them more often."""
    there = opened(page)
    for side, (winner, loser) in ((1, (1, 0)), (2, (0, 1)), (3, (1, 0)), (4, (0, 1))):
        button = there.one(f"#word-lists > section:nth-child({side}) button.text")
        text = button.text
        expected = [
            index
            for index, both in rows(corpora)
            if matched(both[winner], text) > matched(both[loser], text)
            and all(f" {text} " in f" {' '.join(one.alignment.reference)} " for one in both)
        ]
        assert press(there, button) == expected != []


def test_lists_of_words_are_sorted_and_hide_kinds(opened, page):
    """Words are sorted by their worth or by one-sidedness; punctuation and function words are hidden at first."""
    there = opened(page)
    change = """const box = document.getElementById(arguments[0]);
        if (box.type === 'checkbox') box.checked = !box.checked; else box.value = arguments[1];
        box.dispatchEvent(new Event('change', {bubbles: true}));"""

    def entries():
        cells = there.texts("#word-lists > section:nth-child(2) tbody td")
        words = there.texts("#word-lists > section:nth-child(2) tbody button.text")
        return [(word, *map(float, cells[3 * at : 3 * at + 3])) for at, word in enumerate(words)]

    shown = [word for word, *_ in entries()]
    assert shown
    assert not set(shown) & function_words("en") - {"not", "no"}
    assert all(any(letter.isalnum() for letter in word) for word in shown)
    there.run(change, "hide-function")
    assert {word for word, *_ in entries()} & function_words("en")
    there.run(change, "hide-marks")
    by_worth = entries()
    assert [worth for *_, worth in by_worth] == sorted((worth for *_, worth in by_worth), reverse=True)
    there.run(change, "word-order", "sided")
    sided = [(more - less) / (more + less) ** 0.5 for _, more, less, _ in entries()]
    assert sided == sorted(sided, reverse=True)


def test_words_never_matched_or_never_as_written(opened, page, corpora):
    """The other lists show where the word is missed, or matched by other words."""
    there = opened(page)
    second = list(corpora.values())[1]
    button = there.one("#word-lists > section:nth-child(5) button.text")
    text = button.text
    assert press(there, button) == [i for i, one in enumerate(second) if text in one.alignment.reference] != []
    button = there.one("#word-lists > section:nth-child(6) button.text")
    text = button.text
    assert text == " ".join(never_exact(Aligned.of(second))[0].words)
    expected = [
        index
        for index, one in enumerate(second)
        for reference, hypothesis, _ in [*one.alignment.pairs()]
        if " ".join(reference) == text and reference != hypothesis
    ]
    assert press(there, button) == sorted(set(expected)) != []


def test_group_rows_list_their_segments(opened, page, corpora):
    """A row of a table of groups lists the segments that it counts."""
    there = opened(page)
    first = next(iter(corpora.values()))
    for button in there.all("#groups section:first-child th button"):
        low, _, high = button.text.partition("–")
        expected = [i for i, one in enumerate(first) if int(low) <= len(one.alignment.reference) <= int(high or 10**9)]
        cell = button.find_element("xpath", "../../td").text
        assert press(there, button) == expected
        assert len(expected) == int(cell)


def test_values_of_groups_list_their_segments(opened, page, corpora):
    """The values of stages and kinds of words list where the system has such words."""
    there = opened(page)
    for place, corpus in enumerate(corpora.values()):
        buttons = there.all(f"#groups section:nth-of-type(4) td:nth-child({place + 2}) button")
        for stage, button in enumerate(buttons):
            counts = [one.statistics for one in corpus]
            expected = [
                index
                for index, one in enumerate(counts)
                if (
                    one.stages[stage].reference_content + one.stages[stage].reference_function
                    if stage < len(one.stages)
                    else one.reference_length - one.reference_matches
                )
            ]
            assert press(there, button) == expected
        content = there.one(f"#groups section:nth-child(3) tr:first-child td:nth-last-child({2 - place}) button")
        assert press(there, content) == [
            index
            for index, one in enumerate(counts)
            if one.reference_length - one.reference_function_words > sum(each.reference_content for each in one.stages)
        ]


def test_frequent_words_list_their_segments(opened, page, corpora):
    """A row of frequencies lists segments with such words, a value those where the system misses one."""
    references = [list(dict.fromkeys(one.alignment.reference for one in both)) for _, both in rows(corpora)]
    counts = {}
    for each in references:
        for words in each:
            for word in words:
                counts[word] = counts.get(word, 0) + 1
    there = opened(page)
    row = there.one("#groups section:nth-child(2) tbody tr:nth-child(2)")
    assert row.find_element("css selector", "th").text == "2–4"
    assert press(there, row.find_element("css selector", "th button")) == [
        index
        for index, each in enumerate(references)
        if any(2 <= counts[word] <= 4 for words in each for word in words)
    ]
    second = list(corpora.values())[1]
    assert press(there, row.find_elements("css selector", "td button")[1]) == [
        index
        for index, one in enumerate(second)
        if any(2 <= counts[one.alignment.reference[place]] <= 4 for place in one.alignment.unmatched_reference)
    ]


def test_shares_list_where_the_systems_differ(opened, page, corpora):
    """A share lists the segments where the two systems differ in it, largest difference first; Show all sorts anew."""
    there = opened(page)
    recall = there.one("#shares section:first-child tr:nth-child(2) button")
    assert recall.text == "recall"
    sizes = {index: abs(round(a.recall * 10_000) - round(b.recall * 10_000)) for index, (a, b) in rows(corpora)}
    expected = sorted((index for index, size in sizes.items() if size), key=lambda index: -sizes[index])
    assert press(there, recall) == expected
    assert opened(page, there.run("return location.hash")).order() == expected
    there = opened(page)
    for button in there.all("#shares button"):
        there.run("arguments[0].click()", button)
        there.until("return byId('order').value === order && order !== 'file up'")
    there.one("#all").click()
    there.until("return byId('order').value === 'file up'")
    assert there.order() == list(range(48))


def test_filters_combine_and_back_returns(opened, page, corpora):
    """Filters are kept one by one, removed one by one, saved in the address, and undone by Back."""
    there = opened(page)
    there.run("showOnly(['range', '1 hypothesisWords', 10, 20])")
    first = there.order()
    there.run("byId('query').value = 't.e'; byId('regex').checked = true; byId('field').value = '1'; keep()")
    expected = [
        index
        for index, (_, b) in rows(corpora)
        if 10 <= len(b.alignment.hypothesis) <= 20 and re.search("t.e", f" {' '.join(b.alignment.hypothesis)} ", re.I)
    ]
    assert there.order() == expected
    assert 0 < len(expected) < len(first)
    address = there.run("return location.hash")
    assert opened(page, address).order() == expected
    there = opened(page)
    there.one("#groups section:first-child th button").click()  # Back skips what no user has done
    first = there.order()
    there.one("#more option[value='differ,text,*']").click()
    both = there.order()
    assert [text[:-2] for text in there.texts("#chips button")] == [
        "words of the reference of A: 11 to 20", "B and A differ in text",
    ]  # fmt: skip
    there.browser.back()
    there.until("return document.querySelectorAll('#chips li').length === 1")
    assert there.order() == first
    there.browser.back()
    there.until(DONE, "48 segments")
    there.browser.forward()
    there.browser.forward()
    there.until("return document.querySelectorAll('#chips li').length === 2")
    assert there.order() == both
    there.one("#chips button").click()
    there.until("return document.querySelectorAll('#chips li').length === 1")
    assert there.order() == [i for i, (a, b) in rows(corpora) if a.alignment.hypothesis != b.alignment.hypothesis]


@pytest.mark.parametrize(
    "fragment", ["#f=nothing,1", "#f=text", "#f=range,9%20score,1,2", "#f=%E0,", "#pair=7,8", "#f=text,all,(,r"]
)
def test_damaged_addresses(opened, page, fragment):
    """Damaged or unknown parts of an address filter nothing."""
    assert len(opened(page, fragment).order()) == 48


def test_bad_expression_is_said(opened, page):
    """An expression that is none shows nothing, and the field says why."""
    there = opened(page)
    there.run("byId('regex').checked = true; byId('query').value = '('; drawTable()")
    assert there.order() == []
    assert "nvalid" in there.run("return byId('query').validationMessage")


def test_segment_by_number_and_keyboard(opened, page):
    """A number opens its segment; filters are kept and removed by keys alone."""
    from selenium.webdriver.common.keys import Keys

    there = opened(page)
    keys(there, "/", "council", Keys.ENTER)
    there.until("return document.querySelectorAll('#chips li').length === 1")
    there.run("document.querySelector('#chips button').focus()")
    keys(there, Keys.ENTER)
    there.until(DONE, "48 segments")
    there.one("#goto").send_keys("17", Keys.ENTER)
    there.until("return document.querySelector('dialog').open")
    assert there.one("dialog h2").text == "Segment 17"


@pytest.mark.parametrize("form", ["tsv", "csv"])
def test_exported_rows(opened, page, corpora, form):
    """The listed rows are exported with their scores in full and their texts."""
    there = opened(page)
    there.run("showOnly(['range', '0 score', 0, 0.3])")
    found = list(csv.DictReader(
        io.StringIO(there.run("return exportRows(arguments[0])", form)),
        **({"delimiter": "\t", "quoting": csv.QUOTE_NONE} if form == "tsv" else {}),
    ))  # fmt: skip
    listed = [(i, both) for i, both in rows(corpora) if both[0].score <= 0.3]
    assert [int(row["segment"]) - 1 for row in found] == [index for index, _ in listed]
    for row, (_, (a, b)) in zip(found, listed, strict=True):
        assert (float(row["score of system-a.en"]), float(row["score of system-b.en"])) == (a.score, b.score)
        assert row["reference of system-a.en"] == " ".join(a.alignment.reference)
        assert "found" not in row  # no check is among the filters
    there.one(f"#{form}").click()


def test_exported_references_and_findings(opened):
    """The export has a reference that all systems share once, as it was written, and the findings of its filter."""
    scorer, reference = Scorer(), "He met Zambito."
    texts = {"one": "He met Zambito.", "two": "He met her."}
    systems = {name: scorer.corpus().extend(references=[reference], hypotheses=[text]) for name, text in texts.items()}
    written = Written([[reference]], [[text] for text in texts.values()])
    there = opened(html_report(systems, written=written))
    there.run("showOnly(['check', 'names missing', 1])")
    (row,) = csv.DictReader(io.StringIO(there.run("return exportRows('csv')")))
    assert {name: row[name] for name in row if name in {"one", "two"} or name.startswith("ref")} == {
        "reference": reference, **texts,
    }  # fmt: skip
    assert row["found"] == "two: missing: Zambito"


def test_notes_are_kept_in_the_saved_page(opened, page):
    """The saved page contains stars and notes and works as before, whatever the note says."""
    there = opened(page, "#seg-5")
    there.one("#star").click()
    there.run(
        "const note = byId('note'); note.value = arguments[0]; note.dispatchEvent(new Event('change'))",
        "</script><script>window.hacked=1</script>",
    )
    saved = there.run("document.querySelector('dialog').close(); return savedPage()")
    there.run("notesChanged = false")
    again = opened(saved, "#f=starred")
    assert again.order() == [4]
    assert again.run("return [window.hacked, notes]") == [
        None, {"5": {"star": True, "text": "</script><script>window.hacked=1</script>"}},
    ]  # fmt: skip
    assert len(again.all("#histograms svg")) > 0
    assert json.loads(again.one("#notes").get_attribute("textContent"))
    assert len(saved) < 1.05 * len(page)


def test_pair_bar(opened, page, corpora):
    """The bar has difference and interval of the pair, which turn with its direction."""
    there = opened(page)
    a, b = corpora.values()
    value = f"{b.score().score - a.score().score:+.4f}".replace("-", "−")
    assert there.texts("#effect strong") == [value]
    assert re.search(r"p 0\.\d+ \(Holm 0\.\d+\)", there.one("#effect").text)
    choose(there, "first", 0)
    choose(there, "second", 1)
    assert there.texts("#effect strong") == [value.translate(str.maketrans("+−", "−+"))]
    for table in there.run(
        "return [...document.querySelectorAll('#shares table')].map((table) => "
        "[...table.querySelectorAll('td:nth-child(2)')].map((cell) => cell.textContent.replace('−', '-')))"
    ):
        *shares, total = map(float, table)
        assert sum(shares) == pytest.approx(total, abs=1e-9)
        assert total == pytest.approx(a.score().score - b.score().score, abs=5e-5)


def test_texts_as_written(opened, corpora):
    """A segment shows its texts as they were written, the references that do not count, the difference, and gains."""
    scorer = Scorer("meteor-1.5-en-core")
    references, hypotheses = ["I don't know the children's names."], ["I do not know their names.", "Don\u200bt know."]
    made = {
        name: scorer.corpus().extend(references=[[*references, "Something else."]], hypotheses=[text])
        for name, text in zip("xy", hypotheses, strict=True)
    }
    scores = [[each[0].score] for each in made.values()]
    written = Written.of(scorer, [[*references, "Something else."]], [[text] for text in hypotheses], scores, gains=1)
    there = opened(html_report(made, written=written), "#seg-1")
    assert there.texts("dialog .written bdi") == [
        *references, "Something else.", hypotheses[0], "Don⟨U+200B⟩t know.",
    ]  # fmt: skip
    assert there.texts("dialog .diff del") == ["I", "do", "not", "know", "their", "names."]
    assert there.texts("dialog .diff ins") == ["Don⟨U+200B⟩t", "know."]
    explained = scorer.explain([*references, "Something else."], hypotheses[0]).gains
    assert there.texts("dialog .two > div:first-child .gains td.number") == [
        f"{gain.gain:+.4f}".replace("-", "−") if round(gain.gain, 4) else "0.0000" for gain in explained
    ]
    assert there.run("return KINDS.text('reference', \"children's\")(0)")
    there.run("document.querySelector('dialog').close(); byId('query').value = \"don't\"; drawTable()")
    assert there.order() == [0]


def test_difference_of_texts(opened, page):
    """Removed and added words make up both texts."""
    there = opened(page)
    for one, other in (("a b c d", "a x c"), ("", "a"), ("a b", ""), ("a b a b", "b a b a"), ("a", "a")):
        found = there.run("return wordDiff(arguments[0], arguments[1])", one.split(), other.split())
        assert [word for kind, word in found if kind != 2] == one.split()
        assert [word for kind, word in found if kind != 1] == other.split()


def test_checks_list_their_segments(opened, page, corpora):
    """Each count of a check lists as many segments: those that the check finds, with its words or its name."""
    there = opened(page)
    expected = checked([Aligned.of(corpus) for corpus in corpora.values()], None, "en", lines("reference.1.en"))
    assert any(map(any, expected.values()))
    buttons = there.all("#checks td button")
    shown = {
        name: [*each, only(each[1], each[0]), only(each[0], each[1])] for name, each in expected.items() if any(each)
    }
    for button, (name, found) in zip(
        buttons, [(name, found) for name, each in shown.items() for found in each], strict=True
    ):
        there.run("showAll()")
        assert (press(there, button), button.text) == ([*found], str(len(found)))
        words = there.texts(".segments td.text strong")
        assert words == [words or name for words in found.values()]
    assert f"No segment: {', '.join(name for name in expected if name not in shown)}." in there.one("#checks").text


def only(found, others):
    """Findings of a check in one system only."""
    return {index: words for index, words in found.items() if index not in others}


def test_checks_are_added_to_the_filters(opened, page, corpora):
    """A check narrows down what is listed, once; a cell says which segments only one of the two has."""
    there = opened(page)
    there.run("showOnly(['range', '1 hypothesisWords', 8, 15])")
    found = checked([Aligned.of(corpus) for corpus in corpora.values()], None, "en")["negation on one side only"]
    row = next(row for row in there.all("#checks tbody tr") if row.text.startswith("negation on one side only"))
    button = row.find_elements("css selector", "button")[2]
    for _ in range(2):
        there.run("arguments[0].click()", button)
        assert there.texts("#chips bdi") == ["words of B: 8 to 15", "B, not A: negation on one side only"]
    sizes = [len(one.alignment.hypothesis) for one in corpora["system-b.en"]]
    assert there.order() == [index for index in only(found[1], found[0]) if 8 <= sizes[index] <= 15]
    assert opened(page, there.run("return location.hash")).texts("#chips bdi") == [
        "words of B: 8 to 15", "B, not A: negation on one side only",
    ]  # fmt: skip


def test_rows_show_case_and_marks(opened):
    """Where words are the same and the written texts are not, a row has these, too."""
    texts = {"one": ["He met her.", "He slept"], "two": ["he met her.", "he sleeps"]}
    references = ["He met Her .", "she runs"]
    scorer = Scorer("meteor-1.5-en-core")
    corpora = {name: scorer.corpus().extend(references=references, hypotheses=lines) for name, lines in texts.items()}
    there = opened(html_report(corpora, written=Written([[line] for line in references], [*texts.values()])))
    assert there.texts(".segments .written") == ["He met Her .", "He met her.", "he met her."]


@pytest.mark.parametrize("query", ["the", "The", "[A-Z]t", r"\Sh\p{L}"])
def test_case_of_expressions(opened, page, query):
    """Case matters in a regular expression with a capital letter, other than one in the name of a class."""
    there = opened(page)
    pattern = re.compile(query.replace(r"\p{L}", "[a-z]"), 0 if query in {"The", "[A-Z]t"} else re.IGNORECASE)
    there.run("showOnly(['text', 'source', arguments[0], 'r'])", query)
    expected = [index for index, source in enumerate(lines("reference.1.en")) if pattern.search(source)]
    assert there.order() == expected
    assert query == "[A-Z]t" or expected


def test_lists_leave_the_page(opened, page):
    """Each list has a button for TSV with all its rows, and for LaTeX, where its signs are those of LaTeX."""
    there = opened(page)
    lists = there.run("return document.querySelectorAll('table:not(.segments, .scores, .texts)').length")
    assert len(there.all("[data-file=TSV]")) == len(there.all("[data-file=LaTeX]")) == lists > 10
    words = "document.querySelector('#word-lists table')"
    head, *found = csv.reader(io.StringIO(there.run(f"return listFile({words}, 'TSV')")), delimiter="\t")
    assert head == ["Word", "B only", "A only", "Worth"]
    assert found == there.rows("#word-lists > section:first-child tbody tr")
    latex = there.run(f"return listFile({words}, 'LaTeX')").splitlines()
    assert latex[:4] == [r"\begin{tabular}{lrrr}", r"\toprule", r"Word & B only & A only & Worth \\", r"\midrule"]
    assert (len(latex), latex[-1]) == (len(found) + 6, r"\end{tabular}")
    sign = there.run(
        "const table = el('table', {}, el('tbody', {}, el('tr', {}, el('td', {}, arguments[0]))));"
        "return listFile(table, 'LaTeX').split('\\n')[2]",
        r"50 % & $5_a {x} −1 ~ ^ \ #",
    )
    assert sign == (r"50 \% \& \$5\_a \{x\} $-$1 \textasciitilde{} \textasciicircum{} \textbackslash{} \# \\")
    saved = there.run(
        "const found = []; download = (...file) => found.push(file);"
        "document.querySelectorAll('#word-lists > section:first-child [data-file]').forEach((each) => each.click());"
        "return found.map(([, name, type]) => [name, type])"
    )
    name = "Words-that-B-gets-right-and-A-does-not"
    assert saved == [[f"{name}.tsv", "text/tab-separated-values"], [f"{name}.tex", "text/plain"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_charts_leave_the_page(opened, page, scheme):
    """Each chart is saved as SVG that has its styles, in the colors for paper."""
    there = opened(page, "#seg-6", scheme=scheme)
    charts = there.run(
        "return [...document.querySelectorAll('[data-file=SVG]')].map((each) => {"
        " const place = each.parentNode.previousElementSibling;"
        " return chartFile(place.matches('svg') ? place : place.querySelector('svg')); })"
    )
    assert len(charts) == 4
    drawn = [ElementTree.fromstring(chart) for chart in charts]  # noqa: S314 – of this page
    for chart in drawn:
        assert chart.tag == "{http://www.w3.org/2000/svg}svg"
        assert chart.get("width")
        assert all(each.get("fill") for each in chart.iter())
    colors = {each.get("fill") for each in drawn[0].iter("{http://www.w3.org/2000/svg}rect")}
    assert {"rgb(0, 104, 168)", "rgb(184, 74, 0)"} <= colors
