"""Scores of METEOR 1.5 for this project's own texts, as tools/record_jar.py recorded them."""

from __future__ import annotations

import json
from itertools import takewhile

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import load_preset
from meteorlib.errors import ResourceMissing
from meteorlib.verification import packed_matches
from tools.record_golden import GOLDEN, read_lines
from tools.record_jar import RECORDINGS, TEXTS, packed_phrases

COUNTS = {
    "tests/data/en.hyp": 220,
    "tests/data/phrases.en.hyp": 150,
    "examples/system-a.en": 48,
    "examples/system-b.en": 48,
}


@pytest.fixture
def scorer(tmp_path, monkeypatch):
    """The name of a recording → a scorer that is to give the same."""

    def make(recording):
        if recording != "meteor-1.5-en-phrases":
            return Scorer(recording)
        table = tmp_path / "phrases.en.gz"
        table.write_bytes(packed_phrases())
        monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / "cache"))
        preset = load_preset("meteor-1.5-en")
        *others, paraphrase = preset.stages
        return Scorer(evolve(preset, stages=(*others, evolve(paraphrase, resource=str(table)))))

    return make


def recorded(recording, text):
    """The row of a text and the rows of its segments."""
    rows = (json.loads(row) for row in read_lines(GOLDEN / f"{recording}.jsonl"))
    head = next(row for row in rows if row.get("text") == text)
    return head, list(takewhile(lambda row: "text" not in row, rows))


def check(corpus, root, recording, text):
    """Score the text and compare all that is recorded of it."""
    head, segments = recorded(recording, text)
    references = zip(*(read_lines(root / name) for name in head["references"]), strict=True)
    corpus.extend(references=references, hypotheses=read_lines(root / text))
    assert len(segments) == len(corpus.segments) == COUNTS[text]
    for ours, theirs in zip(corpus.segments, segments, strict=True):
        statistics = " ".join(f"{number}.0" for number in theirs["statistics"].split())
        assert (ours.statistics.line(), packed_matches(ours.alignment.matches)) == (statistics, theirs["matches"])
        numbers = [float("nan") if number is None else number for number in theirs["numbers"]]
        ours_too = [ours.precision, ours.recall, ours.penalty, ours.score]
        assert ours_too == pytest.approx(numbers, rel=1e-15, abs=0, nan_ok=True)
    assert corpus.score().score == pytest.approx(head["score"], rel=1e-15, abs=0)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("recording", ["meteor-1.5-en-core", "meteor-1.5-en-phrases"])
def test_recorded_by_the_jar(root, scorer, recording, text):
    """Statistics and alignments are METEOR 1.5's, all scores within 1e-15 of them; two references included."""
    check(scorer(recording).corpus(), root, recording, text)


@pytest.mark.oracle
@pytest.mark.parametrize("text", TEXTS)
def test_recorded_with_the_table_of_the_jar(root, scorer, text):
    """Scores with METEOR's own paraphrase table equal the recorded ones."""
    try:
        corpus = scorer("meteor-1.5-en").corpus()
    except ResourceMissing as missing:
        pytest.skip(str(missing))
    check(corpus, root, "meteor-1.5-en", text)


def test_every_text_is_recorded():
    """The golden files hold all texts in the order of the recording program, and say with which options."""
    for recording, options in RECORDINGS.items():
        heads = [row for row in map(json.loads, read_lines(GOLDEN / f"{recording}.jsonl")) if "text" in row]
        assert [(head["text"], head["references"]) for head in heads] == list(TEXTS.items())
        assert all(head["options"][: len(options)] == options for head in heads)


def test_every_stage_is_recorded():
    """With our own table each stage decides matches, paraphrases of all shapes among them: 1 to 6 words for 1 to 6."""
    rows = map(json.loads, read_lines(GOLDEN / "meteor-1.5-en-phrases.jsonl"))
    matches = [match for row in rows if "matches" in row for match in row["matches"].split()]
    stages = [match.partition("/")[2] or "0" for match in matches]
    assert all(stages.count(stage) >= 100 for stage in "0123")
    spans = [match.removesuffix("/3").split("-") for match in matches if match.endswith("/3")]
    shapes = {tuple(int(span.partition(":")[2] or 1) for span in pair) for pair in spans}
    assert shapes >= {(1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1), (2, 3), (3, 2), (3, 4), (4, 3)}
