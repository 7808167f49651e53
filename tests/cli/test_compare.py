"""``meteorlib compare-presets``."""

from __future__ import annotations

import csv
import io
import json

import pytest

from meteorlib import Scorer
from meteorlib.analysis.attribution import PARTS
from meteorlib.cli.compare import DEFAULT_PRESETS

HYPOTHESES = "on the mat sat the cat\nthe cat sat on the mat\nthe cats sat on a mat.\n"
REFERENCES = "the cat sat on the mat\n" * 3
BOTH = "meteor-2005,meteor-1.5-en-core"
LEFT_OUT = (
    "note: left out: meteor-1.5-en, meteor-1.5-en-adq, meteor-1.5-en-universal: resource 'paraphrase-en' is not "
    "installed: run `meteorlib resources install paraphrase-en`\n"
)


@pytest.fixture
def pair(files, cache):
    """Three segments and their references; no paraphrase table."""
    files(hyp=HYPOTHESES, ref=REFERENCES, other="x\nthe cat sat on a mat\ny\n")


def _corpus(preset):
    return Scorer(preset).corpus().extend(references=REFERENCES.splitlines(), hypotheses=HYPOTHESES.splitlines())


def test_default_leaves_out_what_is_not_installed(run, pair):
    """Presets that can run are compared; each other one is named once, with the command that installs its data."""
    result = run("compare-presets", "hyp", "-r", "ref")
    assert (result.status, result.err) == (0, LEFT_OUT)
    names = [line.split()[0] for line in result.out.splitlines()[1:4]]
    assert names == ["meteor-2005", "nltk", "meteor-1.5-en-core"]
    assert set(names) < set(DEFAULT_PRESETS)


def test_worst(run, pair):
    """--worst says how many segments are explained."""
    for worst in (0, 1, 2):
        result = run("compare-presets", "hyp", "-r", "ref", "--presets", BOTH, "--format", "json", "--worst", worst)
        assert len(json.loads(result.out)["segments"]) == worst


def test_json(run, pair):
    """Every number in full double precision, the reasons with the contribution of each part, and skipped presets."""
    data = json.loads(run("compare-presets", "hyp", "-r", "other", "-r", "ref", "--format", "json").out)
    assert [one["preset"] for one in data["presets"]] == ["meteor-2005", "nltk", "meteor-1.5-en-core"]
    assert [one["preset"] for one in data["left_out"]] == list(DEFAULT_PRESETS[3:])
    assert data["left_out"][0]["resource"] == "paraphrase-en"
    assert data["segment_count"] == 3
    assert sum(data["spread"]["contributions"].values()) == pytest.approx(data["spread"]["difference"])
    for segment in data["segments"]:
        index = segment["segment"] - 1
        assert segment["hypothesis"] == HYPOTHESES.splitlines()[index]
        assert segment["references"][1] == "the cat sat on the mat"
        for preset, score in segment["scores"].items():
            assert score == Scorer(preset).score(segment["references"], segment["hypothesis"]).score


def test_tsv(run, pair):
    """A row for the corpus and for each segment under each preset, as wide as the names of the columns."""
    out = run("compare-presets", "hyp", "-r", "ref", "--presets", BOTH, "--format", "tsv").out
    rows = list(csv.reader(io.StringIO(out), delimiter="\t"))
    assert rows[0][-len(PARTS) :] == list(PARTS)
    assert {len(row) for row in rows} == {len(rows[0])}
    first = dict(zip(*rows[:2], strict=True))
    assert (first["segment"], first["preset"], first["reason"]) == ("corpus", "meteor-2005", "parameters")
    assert float(first["score"]) == _corpus("meteor-2005").score().score
    assert float(first["mean_segment_score"]) == _corpus("meteor-2005").mean()
    assert first["references"] == ""


def test_presets_of_a_file(run, refused, pair, files):
    """The presets of a file come first, before the default ones; with --presets its names are known too."""
    files(**{"mine.yaml": "presets:\n  mine:\n    extends: meteor-2005\n    parameters: {gamma: 0.0}\n"})
    data = json.loads(run("compare-presets", "hyp", "-r", "ref", "--config", "mine.yaml", "--format", "json").out)
    assert [one["preset"] for one in data["presets"]] == ["mine", "meteor-2005", "nltk", "meteor-1.5-en-core"]
    chosen = run("compare-presets", "hyp", "-r", "ref", "--config", "mine.yaml", "--presets", "nltk, mine")
    assert [line.split()[0] for line in chosen.out.splitlines()[1:3]] == ["nltk", "mine"]
    err = refused("compare-presets", "hyp", "-r", "ref", "--config", "mine.yaml", "--presets", "nltk,mime")
    assert err.startswith("meteorlib: unknown preset 'mime' (did you mean 'mine'?)")


def test_faulty_presets_of_a_file(run, pair, files):
    """Presets that are not compared may have problems; with none named, all of the file are compared."""
    files(**{"mine.yaml": "presets:\n  mine: {extends: nltk}\n  other: {extends: mine, cuont: words}\n"})
    asked = "compare-presets", "hyp", "-r", "ref", "--config", "mine.yaml"
    assert run(*asked, "--presets", "nltk,mine").status == 0
    for more in ([], ["--presets", "nltk,other"]):
        wrong = run(*asked, *more)
        assert wrong.err.startswith("meteorlib: mine.yaml:3: presets.other: unknown key 'cuont'")


def test_standard_input_is_read_twice(run, pair):
    """`-` is the text on standard input, though the segments are gone through twice."""
    piped = run("compare-presets", "-", "-r", "ref", "--presets", BOTH, stdin=HYPOTHESES.encode())
    assert piped.out == run("compare-presets", "hyp", "-r", "ref", "--presets", BOTH).out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hyp", "-r", "ref", "--presets", "nltk"], "--presets needs at least two names, with commas between them"),
        (["hyp", "-r", "ref", "--presets", "nltk,nltk,"], "--presets needs at least two names"),
        (["hyp", "-r", "ref", "--presets", "nltk,meteor"], "unknown preset 'meteor'"),
        (["hyp", "-r", "ref", "--worst", "-1"], "Invalid value for '--worst'"),
        (
            ["hyp", "-r", "short"],
            "the files must have the same number of lines, one per segment: hyp has 3, short has 1",
        ),
        (["hyp", "-r", "nowhere"], "nowhere: no such file"),
        (["-", "-r", "-"], "standard input (-) can be read only once"),
        (
            ["hyp", "-r", "ref", "--presets", "nltk,meteor-1.5-en"],
            "nothing to compare\nmeteor-1.5-en: resource 'paraphrase-en' is not installed: run `meteorlib resources in",
        ),
    ],
)
def test_mistakes(refused, pair, files, arguments, message):
    """A mistake ends with status 2, one message, and nothing on standard output."""
    files(short="x\n")
    err = refused("compare-presets", *arguments)
    assert message in err
    assert "note:" not in err


def test_empty_texts(run, pair, files):
    """Empty hypotheses and references are noted once, as by `score`, and counted in JSON."""
    files(hyp="\nthe cat\na\n", ref="a\nthe cat\n\n")
    found = run("compare-presets", "hyp", "-r", "ref", "--presets", BOTH, "--format", "json")
    assert found.err == run("score", "hyp", "-r", "ref", "-b").err != ""
    counts = [(one["empty_hypotheses"], one["empty_references"]) for one in json.loads(found.out)["presets"]]
    assert counts == [(1, 1)] * 2
