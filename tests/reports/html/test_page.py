"""The page as a file: what it holds, what it may do, what it refuses."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from functools import reduce
from hashlib import sha256

import pytest
from attrs import astuple, evolve

from meteorlib import Scorer
from meteorlib.analysis.significance import compare_systems
from meteorlib.config import load_preset
from meteorlib.errors import InputMismatch
from meteorlib.reports.html.data import Written
from meteorlib.reports.html.page import function_word_note, html_report, median_index
from meteorlib.reports.html.template import GENERATOR_TAG
from meteorlib.reports.system_table import Results, notes, rank_meaning
from tests.reports.html.test_letters import numbers

REFERENCES = [
    ["a good physician examined her", "the doctor saw her"],
    ["the cat sat on the mat", "cats sat there"],
    ["x", "y"],
]
HYPOTHESES = {
    "one": ["the doctor examined her well", "the cat sat on a mat", "x"],
    "two": ["physicians saw her", "on the mat sat the cat", ""],
}

FAULTY = [
    ("The dog did not bite the man in 1998", "the man bite the dog dog in 1999 dog"),
    ("A cat is on the mat of the house", "Cat is mat house mat not"),
    ("Seven boats sank on Monday", "Monday on sank boats seven seven seven seven"),
    ("It costs ٣ euros , 12 cents", "It costs 4 euros , 12 cents"),
    ("It costs ٣ euros , not 12", "it costs 3 euros , 12"),
    ("he said that the new bridge was closed", "he said new the bridge was closed"),
    ("nothing in common", "all else else"),
    ("The same words", "The same words"),
]
"""References and hypotheses with every kind of fault, with numbers in other digits, without matches, without faults."""


@pytest.fixture(scope="module")
def systems():
    scorer = Scorer("meteor-1.5-en-core")
    return {name: scorer.corpus().extend(references=REFERENCES, hypotheses=lines) for name, lines in HYPOTHESES.items()}


def data_of(page):
    """The data in a page."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])


def element(page, name):
    """The content of the only element `name` without attributes."""
    (found,) = re.findall(rf"<{name}>(.*?)</{name}>", page, re.DOTALL)
    return found


def test_alone(systems):
    """The page asks for nothing: no address, its own style and script by digest, no handlers, no inline styles."""
    page = html_report(systems)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)[1]
    digests = {name: b64encode(sha256(element(page, name).encode()).digest()).decode() for name in ("style", "script")}
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digests['style']}'; script-src 'sha256-{digests['script']}'; "
        "base-uri 'none'; form-action 'none'"
    )
    outside = page.replace(element(page, "script"), "")
    assert not re.search(r'\s(style|on\w+|src)=|href="(?!#)|url\(|@import', outside)
    assert page[:4096].count(GENERATOR_TAG) == 1
    assert len(element(page, "script").encode()) < 80_000


def test_segments_are_those_of_the_scorer(systems):
    """Scores in full, words, matches and statistics of every segment are in the data as the scorer has them."""
    data = data_of(html_report(systems))
    for columns, corpus in zip(data["segments"]["systems"], systems.values(), strict=True):
        assert columns["score"] == [scored.score for scored in corpus]
        for index, scored in enumerate(corpus):
            words = [
                [data["words"][number] for number in numbers(text)] for text in data["segments"]["references"][index]
            ]
            place, reference, *rest = numbers(columns["numbers"][index])
            assert (words[place], reference) == (list(scored.alignment.reference), scored.reference_index)
            hypothesis = [data["words"][number] for number in numbers(columns["hypothesis"][index])]
            assert hypothesis == list(scored.alignment.hypothesis)
            assert rest[0] == (10001 if scored.precision != scored.precision else round(scored.precision * 10000))
            assert rest[5:10] == [
                1, scored.statistics.hypothesis_length, scored.statistics.reference_length,
                scored.statistics.hypothesis_function_words, scored.statistics.reference_function_words,
            ]  # fmt: skip


def test_scores_and_tests_are_shown(systems):
    """The first table has scores, intervals, differences and p values as `compare_systems` gives them."""
    comparison = compare_systems(systems, samples=200)
    page = html_report(systems, comparison)
    other = comparison.systems[1]
    assert f"<strong>{other.scored.score:.4f}</strong>" in page
    assert f"{other.interval.low:.4f} – {other.interval.high:.4f}" in page
    assert f">{other.difference.value:+.4f}".replace("-", "−") in page
    assert f"{other.difference.adjusted_p:.4f}" in page


def test_p_and_ranks_are_those_of_score(systems):
    """The table has Holm's p, the p of the test and the rank, by the names and in the sentence of `score`."""
    three = {**systems, "three": systems["two"]}
    comparison = compare_systems(three, samples=50, baseline="two")
    page = html_report(three, comparison)
    for name in ("Holm p", "Rank"):
        assert re.search(rf'<th scope="col" class="number"[^>]*>{name}</th>', page)
    rows = re.findall(r"<tr><th scope=\"row\"><span class=\"badge.*?</tr>", element(page, "main"), re.DOTALL)[:3]
    for row, system in zip(rows, comparison.systems, strict=True):
        found = system.difference
        told = "" if found is None else f"{found.adjusted_p:.4f}p {found.p:.4f}"
        cells = [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r'<td class="number"[^>]*>(.*?)</td>', row)]
        assert cells[2:4] == [told, str(system.rank)]
    assert "do not differ significantly" not in page
    said = f"Rank: {rank_meaning(comparison)}."
    assert said.replace("<", "&lt;") in page
    assert rank_meaning(comparison) in dict(notes(Results(comparison, "s")))["rank"]


def test_without_tests_no_p(systems):
    """A comparison without a test has no columns of p values and ranks."""
    page = html_report(systems, compare_systems(systems, samples=50, test=None))
    assert "Holm p" not in page
    assert ">Rank</th>" not in page


def test_very_small_p(systems):
    """A p value that rounds to nothing is not shown as 0."""
    comparison = compare_systems(systems, samples=50)
    first, second = comparison.systems
    tiny = evolve(second, difference=evolve(second.difference, p=1e-6, adjusted_p=1e-6))
    page = html_report(systems, evolve(comparison, systems=(first, tiny)))
    assert page.count("&lt;0.0001") == 2
    assert "0.0000</" not in element(page, "main").split("Mean of segments", 1)[0]


def test_baseline_is_known_to_the_script(systems):
    """The script begins with the baseline of the comparison, or with the first system."""
    assert data_of(html_report(systems))["baseline"] == 0
    assert data_of(html_report(systems, compare_systems(systems, samples=50, baseline="two")))["baseline"] == 1


def test_same_twice(systems):
    """Equal systems give equal pages, to the byte."""
    assert html_report(systems, compare_systems(systems, samples=50)) == html_report(
        systems, compare_systems(systems, samples=50)
    )


HOSTILE = (
    "</script><script>window.hacked=1</script><!-- <b onclick='x'>&amp; \u202eevil\u2066 \x1b[31m \u2028 {{ 7*7 }}"
)


def test_hostile_text_is_text():
    """Tags, templates, controls and directions in texts and names end no element and do nothing."""
    systems = {
        f'"><img src=x>{HOSTILE}': Scorer("nltk").corpus().extend(references=[HOSTILE], hypotheses=[HOSTILE + " x"])
    }
    page = html_report(systems, title=HOSTILE, sources=[HOSTILE])
    assert page.count("<script") == page.count("</script>") == 3
    assert "<img" not in page
    assert not re.search("[\u202e\u2066\x1b\u2028]", page)
    data = data_of(page)
    assert data["sources"] == [
        HOSTILE.translate({ord(letter): f"⟨U+{ord(letter):04X}⟩" for letter in "\u202e\u2066\x1b\u2028"})
    ]
    assert "⟨U+202E⟩evil⟨U+2066⟩" in data["words"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "no system was given"),
        ({"one": []}, "no segment was added"),
        ({"one": ["a"], "two": ["a", "b"]}, "one has 1, two has 2"),
    ],
)
def test_refused(given, message):
    """Without systems or segments, or with different numbers of them, there is no page."""
    scorer = Scorer()
    systems = {name: scorer.corpus().extend(references=lines, hypotheses=lines) for name, lines in given.items()}
    with pytest.raises(InputMismatch, match=message):
        html_report(systems)


def test_other_sources(systems):
    """There are as many sources as segments."""
    with pytest.raises(InputMismatch, match="the source has 1"):
        html_report(systems, sources=["a"])


def test_other_meteors(systems):
    """Systems that were scored differently cannot share a page."""
    with pytest.raises(InputMismatch, match="same METEOR; other was by another"):
        html_report({**systems, "other": Scorer().corpus().extend(references=REFERENCES, hypotheses=HYPOTHESES["one"])})


def test_comparison_of_means(systems):
    """The page shows corpus scores: a comparison of means, whose numbers would stand beside them, is refused."""
    compared = compare_systems(systems, compared="mean", samples=50)
    with pytest.raises(InputMismatch, match="shows corpus scores, but means of segments were compared"):
        html_report(systems, compared)


def test_mean_of_references():
    """A preset that takes the mean over references has no one alignment, and is refused with what to do."""
    scorer = Scorer(evolve(load_preset("meteor-2005"), reduce="mean"))
    with pytest.raises(InputMismatch, match="give one reference"):
        html_report({"one": scorer.corpus().extend(references=REFERENCES, hypotheses=HYPOTHESES["one"])})


def test_runs_of_a_system(systems):
    """Without a comparison, too, the table has the mean of the runs, and the rest of the page the middle one."""
    listed = list(systems.values())
    page = html_report({"both": [*listed, listed[1]], "one": listed[0]})
    mean = (listed[0].score().score + 2 * listed[1].score().score) / 3
    assert f"<strong>{mean:.4f}</strong>" in page
    assert "both: run 3 of 3" in page
    assert data_of(page)["segments"]["systems"][0]["score"] == [scored.score for scored in listed[1]]
    assert "s_sel" not in element(page, "main")
    assert "s_sel" in element(html_report({"both": listed}, compare_systems({"both": listed}, samples=20)), "main")


@pytest.mark.parametrize(("scores", "place"), [([0.5], 0), ([3, 1, 2], 2), ([4, 1, 2, 3], 2), ([1, 1], 0)])
def test_middle(scores, place):
    """The run in the middle is the median, the lower one of two."""
    assert median_index(scores) == place


def test_system_without_runs(systems):
    """A system has a run."""
    with pytest.raises(InputMismatch, match="one has no run"):
        html_report({"one": []})


def test_page_of_the_new_formula(scorer_2026, segments_2026):
    """Under METEOR 2026 the data has six stages, the counts of order, grades; the tables count words of the text."""
    references, hypotheses = segments_2026
    corpus = scorer_2026.corpus().extend(references=references, hypotheses=hypotheses)
    page = html_report({"one": corpus})
    data = data_of(page)
    assert (data["unit"], len(data["stages"]), data["constants"]["χ"]) == (10_000, 6, 0.25)
    (columns,) = data["segments"]["systems"]
    for index, scored in enumerate(corpus):
        *_, junctions, crossings, pairs, share = numbers(columns["numbers"][index])
        assert (junctions, crossings, pairs) == scored.statistics.order
        assert share == round(scored.crossing * 10_000)
        grades = dict(zip(*[iter(numbers(columns["parts"][index]))] * 2, strict=True))
        assert [grades.get(place, 10_000) for place in range(len(scored.alignment.matches))] == [
            *scored.alignment.grades
        ]
    assert any(columns["parts"])
    words = sum(len(scored.alignment.hypothesis) for scored in corpus)
    assert '<th scope="col" class="number">Crossing</th><th scope="col" class="number">Penalty</th>' in page
    assert f'<td class="number" data-label="Crossing">{corpus.score().crossing:.4f}</td>' in page
    assert f'<td class="number" data-label="Words">{words}</td>' in page
    assert "Words count by their weights" in page


@pytest.mark.parametrize("preset", ["meteor-2005", "meteor-1.5-en-core", "meteor-2026-en-core"])
def test_formula_is_that_of_explain(preset):
    """The page has the lines that `explain` has, and for each name that stands for a parameter its number."""
    scorer = Scorer(preset)
    pair = "The dog did not bite the man in 1998", "the man bite the dog dog in 1999 dog"
    data = data_of(html_report({"one": scorer.corpus().extend(references=[pair[0]], hypotheses=[pair[1]])}))
    penalized = {fault.name for fault in scorer.explain(*pair).faults}
    left_out = [fault["name"] for fault in data["faults"] if fault["name"] not in penalized]
    written = {
        symbol: reduce(lambda line, name: line.replace(f" + {name}", ""), left_out, line)
        for symbol, _, line in data["formula"]
    }
    steps = scorer.explain(*pair).steps
    assert [(step.symbol, step.formula) for step in steps] == [
        *((s, f) for s, f in written.items() if s not in left_out)
    ]
    assert data["constants"]["1 − α"] == pytest.approx(1 - scorer.config.parameters.alpha)


def test_words_of_faults_are_those_of_explain():
    """Under METEOR 2026 a segment has the kinds and words of its faults that `explain` names."""
    scorer = Scorer("meteor-2026-en-core")
    references, hypotheses = zip(*FAULTY, strict=True)
    data = data_of(html_report({"one": scorer.corpus().extend(references=references, hypotheses=hypotheses)}))
    kinds = [fault["name"] for fault in data["faults"]]
    for letters, both in zip(data["segments"]["systems"][0]["faults"], FAULTY, strict=True):
        left, found = numbers(letters), {}
        while left:
            places = found.setdefault(kinds[left.pop(0)], [])
            places.append(tuple(tuple(left.pop(0) for _ in range(left.pop(0))) for _ in range(2)))
        named = {
            fault.name: [place[:2] for place in map(astuple, fault.places)] for fault in scorer.explain(*both).faults
        }
        assert found == {name: places for name, places in named.items() if places}


def test_page_of_the_old_formulas(systems):
    """The others have no column and no data of that."""
    page = html_report(systems)
    assert "Crossing" not in element(page, "main")
    assert "Words count by their weights" not in page
    data = data_of(page)
    assert data["unit"] == 1
    assert "parts" not in data["segments"]["systems"][0]


def test_function_words_of_another_language():
    """A page about German says at each number by kind of words that the preset's function words are English."""
    scorer = Scorer("meteor-1.5-de-core")
    texts = {"one": "in die Stadt", "two": "in der Stadt"}
    corpora = {name: scorer.corpus().extend(references=["in der Stadt"], hypotheses=[it]) for name, it in texts.items()}
    assert html_report(corpora).count("takes the English function words for German text") == 2


@pytest.mark.parametrize(
    ("preset", "said"),
    [
        ("meteor-1.5-de-core", "takes the English function words for German text, too, as METEOR 1.5 does"),
        ("meteor-1.5-cz-intended", ""),
        ("meteor-1.5-en-core", ""),
        ("nltk", ""),
    ],
)
def test_note_on_function_words(preset, said):
    """The page says so if the function words are not of the text's language."""
    note = function_word_note(load_preset(preset))
    assert said in note
    assert bool(note) == bool(said)


def test_labels_of_words(corpus):
    """The data has the label of each word, sizes over all references that count, and shares; None without words."""
    references = [["one two", "three four five"]]
    corpora = {text: corpus(references, [text]) for text in ("one two", "three four")}
    written = Written(references, [["one two"], ["three four"]], labels={"pos": [["A B", "A C C"]]})
    (found,) = [each for each in data_of(html_report(corpora, written=written))["groups"] if each["name"] == "pos"]
    assert (found["labels"], found["sizes"], found["words"]) == (["A", "B", "C"], [2, 1, 2], [["AB", "ACC"]])
    assert found["scores"] == [[1.0, 1.0, None], [1.0, None, 0.5]]


def test_groups_of_segments(systems):
    """The data has the group of each segment; a label that is missing is a dash."""
    (found, *_) = data_of(html_report(systems, groups={"document": ["b", "", "b"]}))["groups"]
    assert (found["labels"], found["places"], found["sizes"]) == (["b", "–"], "ABA", [2, 1])
