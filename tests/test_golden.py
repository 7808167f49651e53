"""What METEOR 1.5 makes of this project's own texts, as tools/record_golden.py recorded it."""

from __future__ import annotations

import json
from itertools import takewhile

import pytest

from meteorlib import Scorer
from meteorlib.errors import ResourceMissing
from tools.record_golden import GOLDEN, PRESETS, TEXTS, packed, read_lines

COUNTS = {"tests/data/en.hyp": 220, "examples/system-a.en": 48, "examples/system-b.en": 48}


def recorded(preset, text):
    """The row of a text and the rows of its segments."""
    rows = (json.loads(row) for row in read_lines(GOLDEN / f"{preset}.jsonl"))
    head = next(row for row in rows if row.get("text") == text)
    return head, list(takewhile(lambda row: "text" not in row, rows))


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("preset", PRESETS)
def test_recorded_by_the_jar(root, preset, text):
    """Statistics and alignments are METEOR 1.5's, all scores within 1e-15 of them; two references included."""
    try:
        corpus = Scorer(preset).corpus()
    except ResourceMissing as missing:
        pytest.skip(str(missing))
    head, segments = recorded(preset, text)
    references = zip(*(read_lines(root / name) for name in head["references"]), strict=True)
    corpus.extend(references, read_lines(root / text))
    assert len(segments) == len(corpus.segments) == COUNTS[text]
    for ours, theirs in zip(corpus.segments, segments, strict=True):
        statistics = " ".join(f"{number}.0" for number in theirs["statistics"].split())
        assert (ours.statistics.line(), packed(ours.alignment.matches)) == (statistics, theirs["matches"])
        numbers = [float("nan") if number is None else number for number in theirs["numbers"]]
        ours_too = [ours.precision, ours.recall, ours.penalty, ours.score]
        assert ours_too == pytest.approx(numbers, rel=1e-15, abs=0, nan_ok=True)
    assert corpus.score().score == pytest.approx(head["score"], rel=1e-15, abs=0)


def test_every_text_is_recorded():
    """The golden files hold all texts in the order of the recording program, and say with which options."""
    for preset, options in PRESETS.items():
        heads = [row for row in map(json.loads, read_lines(GOLDEN / f"{preset}.jsonl")) if "text" in row]
        assert [(head["text"], head["references"]) for head in heads] == list(TEXTS.items())
        assert all(head["options"][: len(options)] == options for head in heads)
