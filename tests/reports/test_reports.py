"""Reports: the same corpus as text, JSON and TSV."""

from __future__ import annotations

import json

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.core.formula import NUMBERS
from meteorlib.reports.json import JsonReport
from meteorlib.reports.summary import Summary
from meteorlib.reports.text import TextReport
from meteorlib.reports.tsv import COLUMNS, TsvReport

SCORER = Scorer()
STAGES = ("exact", "stem", "synonym")
PAIRS = [
    (["the cat sat on the mat", "x"], "on the mat sat the cat"),
    (["x", "the cats sat on a mat"], "the cat sat on the mat"),
    (["x", "y"], ""),
    (["", "y"], "z"),
]


@pytest.fixture(scope="module")
def corpus():
    """A small corpus with segments that have no words on a side."""
    made = SCORER.corpus()
    for references, hypothesis in PAIRS:
        made.add(references, hypothesis)
    return made


@pytest.fixture(scope="module")
def summary(corpus):
    """Summary of a corpus, as reports print it."""
    return Summary(
        corpus.score(), corpus.segment_count, corpus.mean(), corpus.empty_hypotheses, corpus.empty_references,
        "meteor-2005", str(SCORER.signature), 2,
    )  # fmt: skip


@pytest.fixture
def write(corpus, summary):
    """Report → all of its text."""

    def whole(report, *, segments):
        listed = [report.segment(number, one) for number, one in enumerate(corpus.segments, 1)]
        return "".join(
            [
                report.head(summary, segments=segments),
                *(listed if segments else []),
                report.tail(summary, segments=segments),
            ]
        )

    return whole


def test_text_segments(write):
    """With segments, a table comes first; undefined values are dashes, references count from 1."""
    text = write(TextReport(), segments=True)
    table, rest = text.split("\n\n")
    head, *rows = [line.split() for line in table.splitlines()]
    assert head == ["segment", "score", "precision", "recall", "penalty", "chunks", "reference"]
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]
    assert rows[0] == ["1", "0.5000", "1.0000", "1.0000", "0.5000", "6", "1"]
    assert rows[1][-1] == "2"
    assert rows[2] == ["3", "0.0000", "–", "0.0000", "–", "0", "1"]
    assert rest == write(TextReport(), segments=False)


@pytest.mark.parametrize("segments", [False, True])
def test_json(write, corpus, segments):
    """One object with every number in full precision, NaN as null."""
    data = json.loads(write(JsonReport(), segments=segments))
    total = corpus.score()
    assert {name: data[name] for name in NUMBERS} == {name: getattr(total, name) for name in NUMBERS}
    assert data["chunks"] == total.statistics.chunks == data["statistics"]["chunks"]
    assert data["segment_count"] == 4
    assert data["mean_segment_score"] == corpus.mean()
    assert (data["references"], data["signature"]) == (2, f"{SCORER.signature}|refs:2")
    assert (data["empty_hypotheses"], data["empty_references"]) == (1, 1)
    assert ("segments" in data) is segments


def test_json_statistics(write, corpus):
    """The statistics by name, those of each stage with its matcher."""
    statistics = json.loads(write(JsonReport(), segments=False))["statistics"]
    counts = corpus.statistics
    assert statistics["hypothesis_length"] == counts.hypothesis_length
    assert [stage["matcher"] for stage in statistics["stages"]] == list(STAGES)
    assert [stage["hypothesis_content"] for stage in statistics["stages"]] == list(counts.matches)


def test_json_segments(write, corpus):
    """Each segment has the same numbers as the corpus, and its reference and matches."""
    listed = json.loads(write(JsonReport(), segments=True))["segments"]
    assert len(listed) == 4
    for data, one in zip(listed, corpus.segments, strict=True):
        for name in NUMBERS:
            assert data[name] == pytest.approx(getattr(one, name), abs=0, nan_ok=True) or data[name] is None
        assert data["reference_index"] == one.reference_index
        assert len(data["matches"]) == len(one.alignment.matches)
    assert listed[1]["matches"][1] == {
        "reference_start": 1, "reference_length": 1, "hypothesis_start": 1, "hypothesis_length": 1, "stage": "stem",
    }  # fmt: skip
    assert listed[2]["precision"] is None
    assert listed[3]["recall"] is None


def test_json_is_strict(write):
    """No NaN, no Infinity: any JSON reader can read it."""

    def refuse(constant):
        raise AssertionError(constant)

    json.loads(write(JsonReport(), segments=True), parse_constant=refuse)


@pytest.mark.parametrize("segments", [False, True])
def test_tsv(write, corpus, segments):
    """A line of names, a row for each segment, a row for the corpus, in full precision; no value is an empty cell."""
    head, *rows = [line.split("\t") for line in write(TsvReport(), segments=segments).splitlines()]
    assert head == list(COLUMNS)
    assert {len(row) for row in rows} == {len(head)}
    assert [row[0] for row in rows] == ([*"1234", "corpus"] if segments else ["corpus"])
    scored = [*corpus.segments, corpus.score()] if segments else [corpus.score()]
    for row, one in zip(rows, scored, strict=True):
        for name, cell in zip(NUMBERS, row[1:], strict=False):
            value = getattr(one, name)
            assert cell == ("" if value != value else repr(value))  # noqa: PLR0124 – NaN is not
        assert row[-4:-2] == [
            str(one.statistics.chunks),
            "" if one.reference_index is None else str(one.reference_index),
        ]


@pytest.mark.parametrize("segments", [False, True])
def test_tsv_names_the_meteor(write, segments):
    """The row of the corpus has preset and signature, with the number of references."""
    _, *rows, last = [line.split("\t") for line in write(TsvReport(), segments=segments).splitlines()]
    assert last[-2:] == ["meteor-2005", f"{SCORER.signature}|refs:2"]
    assert all(row[-2:] == ["", ""] for row in rows)


def test_preset_with_a_tab(summary):
    """A preset's name stays in its cell, also with a tab or a line end."""
    row = TsvReport().tail(evolve(summary, preset="my\tpreset\n2"), segments=False)
    assert row.split("\t")[-2] == r"my\tpreset\n2"
    assert len(row.split("\t")) == len(COLUMNS)


def test_varying_references(summary):
    """If the number of references varies between segments, no number is printed."""
    several = evolve(summary, references=None)
    assert several.full_signature == f"{SCORER.signature}|refs:var"
    assert json.loads(JsonReport().head(several, segments=False) + "}")["references"] is None


def test_mean_of_references():
    """If the mean of several references counts, no single one is named and no match is listed."""
    mean = Scorer(evolve(SCORER.config, reduce="mean")).score(["a b", "b a"], "a b")
    assert TextReport().segment(1, mean).split()[-1] == "–"
    assert TsvReport().segment(1, mean).endswith("\t\t\t\n")
    data = json.loads(JsonReport().segment(1, mean))
    assert (data["reference_index"], data["matches"]) == (None, [])


def test_the_new_formula(scorer_2026, segments_2026):
    """Every format has a corpus of METEOR 2026: lengths in words for people, with their unit for programs."""
    references, hypotheses = segments_2026
    corpus = scorer_2026.corpus().extend(references=references, hypotheses=hypotheses)
    scored = corpus.score()
    found = Summary(scored, 4, corpus.mean(), 0, 0, "small-2026", str(scorer_2026.signature), 1)
    text = TextReport(verbose=True).tail(found, segments=False)
    lengths = [length / 10_000 for length in (scored.statistics.hypothesis_length, scored.statistics.reference_length)]
    assert f"length         hypothesis {lengths[0]:.2f}, reference {lengths[1]:.2f}\n" in text
    assert f"crossing       {scored.crossing:.4f}\n" in text
    data = json.loads(JsonReport().head(found, segments=False) + JsonReport().tail(found, segments=False))
    assert data["crossing"] == scored.crossing
    assert data["statistics"]["unit"] == 10_000
    assert [stage["matcher"] for stage in data["statistics"]["stages"]] == [*scored.stages]
    segment = json.loads(JsonReport().segment(1, corpus[2]))
    assert [match["grade"] for match in segment["matches"]] == [1, 0.875, 1, 1]
    row = TsvReport().segment(1, corpus[2]).split("\t")
    assert len(row) == len(COLUMNS)
    assert float(row[1]) == corpus[2].score
