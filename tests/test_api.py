"""`compare`: what ``meteorlib score`` puts together, for texts in memory."""

from __future__ import annotations

import json

import pytest

import meteorlib
from meteorlib.analysis.significance import compare_systems
from meteorlib.errors import InputMismatch, UnknownName

REFS = [["the cat sat on the mat", "a cat sat there"], ["he went home early", "he left"], ["it rains", "rain again"]]
SYSTEMS = {
    "first": ["the cat sat on a mat", "he went home", "it rains again"],
    "second": [["a cat", "early he went", "it is raining"], ["the cat", "he left", "rain"]],
}


def test_scores():
    """The comparison is that of `compare_systems` with the same settings; a list of lists has several runs."""
    found = meteorlib.compare(SYSTEMS, REFS, "nltk", samples=50, seed=3, test="bootstrap")
    scorer = meteorlib.Scorer("nltk")
    corpora = {
        name: [scorer.corpus().extend(references=REFS, hypotheses=one) for one in runs]
        for name, runs in (SYSTEMS | {"first": [SYSTEMS["first"]]}).items()
    }
    assert found.comparison == compare_systems(corpora, samples=50, seed=3, test="bootstrap")
    assert (found.references, found.preset, found.signature) == (2, "nltk", f"{scorer.signature}|refs:2")
    assert "second" in found._repr_html_()


@pytest.mark.parametrize("form", ["text", "json", "tsv", "markdown", "latex"])
def test_formats(form, tmp_path, monkeypatch, capsys):
    """Every format is written as by ``meteorlib score`` from files, other metrics among them."""
    pytest.importorskip("sacrebleu")
    monkeypatch.chdir(tmp_path)
    systems = {"first": SYSTEMS["first"], "second": SYSTEMS["second"][0]}
    for name, texts in (systems | {f"ref{place}": [one[place] for one in REFS] for place in (0, 1)}).items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    arguments = ["-r", "ref0", "-r", "ref1", "-p", "nltk", "-n", "20", "--metric", "chrf", "-q", "-f", form]
    with pytest.raises(SystemExit) as ended:
        meteorlib.cli.main(["score", *systems, *arguments])
    assert not ended.value.code
    found = meteorlib.compare(systems, REFS, "nltk", samples=20, metrics=["chrf"])
    assert found.written(form) == capsys.readouterr().out


def test_mistakes():
    """Unequal lengths, unknown metrics and formats are errors that name them."""
    with pytest.raises(InputMismatch):
        meteorlib.compare({"first": ["a"]}, REFS)
    with pytest.raises(UnknownName, match="chrff"):
        meteorlib.compare({"first": SYSTEMS["first"]}, REFS, metrics=["chrff"], samples=2)
    found = meteorlib.compare({"first": SYSTEMS["first"]}, REFS, samples=2, test=None)
    assert json.loads(found.written("json"))["systems"][0]["name"] == "first"
    with pytest.raises(UnknownName, match="latex"):
        found.written("latexx")
