"""A single system as text, JSON and TSV."""

from __future__ import annotations

import json

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.analysis.results import SystemComparison
from meteorlib.core.formula import NUMBERS
from meteorlib.reports.json_tsv import ALL_COLUMNS, SCORED, json_segment, tsv_segment
from meteorlib.reports.system_table import Results, signatures
from meteorlib.reports.text_table import text_segment

SCORER = Scorer()
STAGES = ("exact", "stem", "synonym")
PAIRS = [
    (["the cat sat on the mat", "x"], "on the mat sat the cat"),
    (["x", "the cats sat on a mat"], "the cat sat on the mat"),
    (["x", "y"], ""),
    (["", ""], "z"),
]


@pytest.fixture(scope="module")
def corpus():
    """A small corpus with segments that have no words on a side."""
    made = SCORER.corpus()
    for references, hypothesis in PAIRS:
        made.add(references, hypothesis)
    return made


SEGMENTS = {"text": lambda number, scored: text_segment(number, scored, 4, 1), "json": json_segment, "tsv": tsv_segment}
"""Functions that write the line of a segment."""


def single(corpus, **options):
    """A corpus as a single system."""
    found = SystemComparison.without_intervals("hyp", corpus)
    return Results(
        found, signatures(SCORER.engine.identity, 2)[0], **{"references": 2, "preset": "meteor-2005"} | options
    )


@pytest.fixture
def write(corpus):
    """Format → the whole text."""

    def whole(form, *, segments=False, **options):
        listed = {"hyp": [SEGMENTS[form](number, one) for number, one in enumerate(corpus.segments, 1)]}
        more = {"segments": True, "lines": listed} if segments else {}
        return single(corpus, **more, **options).written(form)

    return whole


def test_text_segments(write):
    """With segments, a table comes first; undefined values are dashes, references count from 1."""
    text = write("text", segments=True)
    table, rest = text.split("\n\n")
    head, *rows = [line.split() for line in table.splitlines()]
    assert head == ["segment", "score", "precision", "recall", "penalty", "chunks", "reference"]
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]
    assert rows[0] == ["1", "0.5000", "1.0000", "1.0000", "0.5000", "6", "1"]
    assert rows[1][-1] == "2"
    assert rows[2] == ["3", "0.0000", "–", "0.0000", "–", "0", "1"]
    assert rest == write("text", segments=False)


@pytest.mark.parametrize("segments", [False, True])
def test_json(write, corpus, segments):
    """One object with every number in full precision, NaN as null."""
    found = json.loads(write("json", segments=segments))
    (system,) = found["systems"]
    data, total = system["corpus"], corpus.score()
    assert {name: data[name] for name in NUMBERS} == {name: getattr(total, name) for name in NUMBERS}
    assert data["chunks"] == total.statistics.chunks == data["statistics"]["chunks"]
    assert data["segment_count"] == 4
    assert data["mean_segment_score"] == corpus.mean()
    assert (found["references"], found["preset"], found["signature"]) == (
        2,
        "meteor-2005",
        f"{SCORER.signature}|refs:2",
    )
    assert found["segment_count"] == 4
    assert [(run["score"], run["empty_hypotheses"], run["empty_references"]) for run in system["runs"]] == [
        (total.score, 1, 1)
    ]
    assert [system[name] for name in ("interval", "s_sel", "s_opt", "difference", "rank")] == [None] * 5
    assert [found[name] for name in ("test", "samples", "seed", "confidence", "pairs")] == [None] * 4 + [[]]
    assert ("segments" in system) is segments


def test_json_statistics(write, corpus):
    """The statistics by name, those of each stage with its matcher."""
    statistics = json.loads(write("json"))["systems"][0]["corpus"]["statistics"]
    counts = corpus.statistics
    assert statistics["hypothesis_length"] == counts.hypothesis_length
    assert [stage["matcher"] for stage in statistics["stages"]] == list(STAGES)
    assert [stage["hypothesis_content"] for stage in statistics["stages"]] == list(counts.matches)


def test_json_segments(write, corpus):
    """Each segment has the same numbers as the corpus, and its reference and matches."""
    listed = json.loads(write("json", segments=True))["systems"][0]["segments"]
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

    json.loads(write("json", segments=True), parse_constant=refuse)


@pytest.mark.parametrize("segments", [False, True])
def test_tsv(write, corpus, segments):
    """A line of names, a row for each segment, a row for the corpus, in full precision; no value is an empty cell."""
    head, *rows = [line.split("\t") for line in write("tsv", segments=segments).splitlines()]
    assert head == list(ALL_COLUMNS)
    assert {len(row) for row in rows} == {len(head)}
    assert [row[0] for row in rows] == ([*"1234", "corpus"] if segments else ["corpus"])
    scored = [*corpus.segments, corpus.score()] if segments else [corpus.score()]
    for row, one in zip(rows, scored, strict=True):
        cells = dict(zip(head, row, strict=True))
        assert cells["system"] == "hyp"
        for name in NUMBERS:
            value = getattr(one, name)
            assert cells[name] == ("" if value != value else repr(value))  # noqa: PLR0124 – NaN is not
        assert cells["chunks"] == str(one.statistics.chunks)
        assert cells["reference_index"] == ("" if one.reference_index is None else str(one.reference_index))


@pytest.mark.parametrize("segments", [False, True])
def test_tsv_names_the_meteor(write, segments):
    """The row of the corpus has preset and signature, with the number of references."""
    _, *rows, last = [line.split("\t") for line in write("tsv", segments=segments).splitlines()]
    assert last[-2:] == ["meteor-2005", f"{SCORER.signature}|refs:2"]
    assert all(row[-2:] == ["", ""] for row in rows)


def test_preset_with_a_tab(write):
    """A preset's name stays in its cell, also with a tab or a line end."""
    *_, row = write("tsv", preset="my\tpreset\n2").splitlines()
    assert row.split("\t")[-2] == r"my\tpreset\n2"
    assert len(row.split("\t")) == len(ALL_COLUMNS)


def test_varying_references(write):
    """If the number of references varies between segments, no number is printed."""
    whole, short = signatures(SCORER.engine.identity, None, "resegment:x-1")
    assert whole == f"{SCORER.signature}|refs:var|resegment:x-1"
    assert short == f"{SCORER.signature.short}|refs:var|resegment:x-1"
    assert signatures(Scorer(evolve(SCORER.config, name="mine")).engine.identity, 1)[1] == ""
    assert json.loads(write("json", references=None))["references"] is None


def test_ids(write):
    """Segments whose rows were joined by id have it: in the first key of JSON, the last cell of TSV and text."""
    ids = ["a", "b\t", '"c', "d"]
    listed = json.loads(write("json", segments=True, ids=ids))["systems"][0]["segments"]
    assert [next(iter(one.items())) for one in listed] == [("id", label) for label in ids]
    head, *rows = [line.split("\t") for line in write("tsv", segments=True, ids=ids).splitlines()]
    assert (head[-1], [row[-1] for row in rows]) == ("id", ["a", "b\\t", '"c', "d", ""])
    lines = write("text", segments=True, ids=ids).splitlines()
    assert [line.split()[-1] for line in lines[:5]] == ["id", "a", "b\\t", '"c', "d"]


def test_mean_of_references():
    """If the mean of several references counts, no single one is named and no match is listed."""
    mean = Scorer(evolve(SCORER.config, reduce="mean")).score(["a b", "b a"], "a b")
    assert text_segment(1, mean, 4, 1).split()[-1] == "–"
    assert tsv_segment(1, mean).endswith("\t\n")
    data = json.loads(json_segment(1, mean))
    assert (data["reference_index"], data["matches"]) == (None, [])


def test_the_new_formula(scorer_2026, segments_2026):
    """Every format has a corpus of METEOR 2026: lengths in words for people, with their unit for programs."""
    references, hypotheses = segments_2026
    corpus = scorer_2026.corpus().extend(references=references, hypotheses=hypotheses)
    scored = corpus.score()
    text = single(corpus, verbose=True).written()
    lengths = [length / 10_000 for length in (scored.statistics.hypothesis_length, scored.statistics.reference_length)]
    assert f"length         hypothesis {lengths[0]:.2f}, reference {lengths[1]:.2f}\n" in text
    assert f"crossing       {scored.crossing:.4f}\n" in text
    data = json.loads(single(corpus).written("json"))["systems"][0]["corpus"]
    assert data["crossing"] == scored.crossing
    assert data["statistics"]["unit"] == 10_000
    assert [stage["matcher"] for stage in data["statistics"]["stages"]] == [*scored.stages]
    segment = json.loads(json_segment(1, corpus[2]))
    assert [match["grade"] for match in segment["matches"]] == [1, 0.875, 1, 1]
    cells = tsv_segment(1, corpus[2]).rstrip("\n").split("\t")
    assert len(cells) == len(SCORED)
    assert float(cells[0]) == corpus[2].score
