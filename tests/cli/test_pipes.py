"""Each input of ``meteorlib score`` is opened and read once, so that a shell's ``<(command)`` is as good as a file."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
from pathlib import Path

import pytest

from meteorlib.inputs import byte_source

pytestmark = pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="needs pipes with names")

HYPOTHESES = ["the cat sat on a mat", "dogs bark, at night", "he said so"]
REFERENCES = ["the cat sat on the mat", "at night, dogs bark", "so he said"]
PLAIN = ("--preset", "nltk")
COLUMNS = (*PLAIN, "--hyp-column", "mt", "--ref-column", "ref")


def text(lines):
    return "".join(f"{line}\n" for line in lines).encode()


def delimited(column, texts, delimiter=","):
    """A table in the order of the segments, or, with references, in the opposite order."""
    written = io.StringIO()
    rows = csv.writer(written, delimiter=delimiter, lineterminator="\n")
    rows.writerows([["id", column], *(row for row in ordered(column, texts))])
    return written.getvalue().encode()


def jsonl(column, texts):
    return text(json.dumps({"id": number, column: one}) for number, one in ordered(column, texts))


def ordered(column, texts):
    rows = [*enumerate(texts)]
    return rows[::-1] if column == "ref" else rows


@pytest.fixture
def piped():
    """Bytes → the name of a pipe that gives them once."""
    ends = []

    def make(content):
        reading, writing = os.pipe()
        ends.append(reading)
        os.write(writing, content)
        os.close(writing)
        return f"/dev/fd/{reading}"

    yield make
    for end in ends:
        os.close(end)


def scores(run, arguments):
    done = run("score", *arguments, "-f", "json")
    assert done.status == 0, done.err
    return [one["score"] for one in json.loads(done.out)["systems"]]


@pytest.mark.parametrize("held", [byte_source.MAX_HELD_BYTES, 1])
@pytest.mark.parametrize(
    ("hypotheses", "references", "options"),
    [
        (text(HYPOTHESES), text(REFERENCES), PLAIN),
        (gzip.compress(text(HYPOTHESES)), text(REFERENCES), PLAIN),
        (delimited("mt", HYPOTHESES), delimited("ref", REFERENCES), (*COLUMNS, "--input-format", "csv")),
        (delimited("mt", HYPOTHESES, "\t"), delimited("ref", REFERENCES, "\t"), (*COLUMNS, "--input-format", "tsv")),
        (jsonl("mt", HYPOTHESES), jsonl("ref", REFERENCES), (*COLUMNS, "--input-format", "jsonl")),
    ],
    ids=["text", "gzip", "csv", "tsv", "jsonl"],
)
def test_pipes(run, files, piped, monkeypatch, hypotheses, references, options, held):
    """Scores are those of files, for one system and for two, and also if rows are joined by ids."""
    monkeypatch.setattr(byte_source, "MAX_HELD_BYTES", held)
    files(hyp=hypotheses, ref=references)
    for systems in (1, 2):
        expected = scores(run, ["hyp"] * systems + ["-r", "ref", *options])
        names = [piped(hypotheses) for _ in range(systems)]
        assert scores(run, [*names, "-r", piped(references), *options]) == expected


def test_labels(printed, piped):
    """Labels may come through a pipe, too, also for two systems."""
    names = [piped(text(HYPOTHESES)) for _ in range(2)]
    given = ["-r", piped(text(REFERENCES)), "--by", f"topic={piped(text('aab'))}"]
    out = printed("score", *names, *given, *PLAIN, "-f", "json")
    assert [group["label"] for group in json.loads(out)["systems"][1]["groups"]["topic"]] == ["a", "b"]


def test_advice(ok, piped):
    """Tables that are given as text are looked at without being opened again: the note lists their columns."""
    done = ok("score", piped(delimited("mt", HYPOTHESES)), "-r", piped(delimited("ref", REFERENCES)), *PLAIN)
    assert "looks like CSV (columns: id, mt)" in done.err


def test_references_on_standard_input(run, files):
    """Several systems may share references that come through standard input."""
    files(a=text(HYPOTHESES), ref=text(REFERENCES))
    expected = run("score", "a", "a", "-r", "ref", *PLAIN)
    assert run("score", "a", "a", "-r", "-", *PLAIN, stdin=text(REFERENCES)) == expected
    assert expected.status == 0
