"""``meteorlib identify``."""

from __future__ import annotations

import json
import shlex

import pytest

HYPOTHESES = "The cats sat.\nA small house, perhaps\non the mat sat the cat\n"
REFERENCES = "The cat sat down!\nperhaps a little house\nthe cat sat on the mat\n"
OTHERS = "Cats sat.\na house\non the mat\n"


@pytest.fixture
def texts(files, cache):
    """Three segments with two references."""
    files(hyp=HYPOTHESES, ref=REFERENCES, other=OTHERS)


@pytest.mark.parametrize("inputs", [("hyp", "-r", "ref", "-r", "other"), ("table.tsv",)])
def test_commands_give_their_scores(ok, texts, files, inputs):
    """Each command that is printed gives the score beside it."""
    columns = zip(*(text.splitlines() for text in (HYPOTHESES, REFERENCES, OTHERS)), strict=True)
    files(**{"table.tsv": "hyp\tref\tref2\n" + "".join(f"{'	'.join(row)}\n" for row in columns)})
    if inputs == ("table.tsv",):
        inputs = ("table.tsv", "--hyp-column", "hyp", "--ref-column", "ref", "--ref-column", "ref2")
    presets = "--preset", "nltk", "--preset", "nltk-3.5", "--preset", "meteor-1.5-en-core"
    of_first = ok("score", "hyp", "-r", "ref", "-p", "nltk", "-b", "--mean").out.strip()
    listed = []
    for score in ("99.99", of_first):
        data = json.loads(ok("identify", score, *inputs, *presets, "-f", "json").out)
        listed += data["found"] or data["nearest"]
    assert {one["references"] for one in listed} == {"best", "first"}
    for one in listed:
        program, *arguments = shlex.split(one["command"])
        assert program == "meteorlib"
        shown = ok(*arguments, "--score-only", "-w", "12").out
        assert float(shown) == pytest.approx(one["scores"][0], abs=1e-12)


def test_text(ok, texts):
    """The sentence, a table, and the commands; what was left out is a note."""
    score = ok("score", "hyp", "-r", "ref", "--preset", "nltk", "--mean", "-b").out.strip()
    result = ok("identify", score, "hyp", "-r", "ref", "--preset", "nltk")
    sentence, head, row, command, *_ = result.out.splitlines()
    assert sentence.startswith(f"{score}: reproduced by ")
    assert head.split() == ["score", "preset", "text", "references", "of"]
    assert row.split() == [score, "nltk", "split_lower", "best", "mean"]
    assert command == "  meteorlib score hyp -r ref --preset nltk --mean"
    assert result.err.startswith("note: left out: text mode word_tokenize: ") or not result.err


def test_several(run, ok, texts):
    """Several systems have their scores in order; as many as systems."""
    out = ok("identify", "99.99,88.88", "hyp", "other", "-r", "ref", "--preset", "nltk").out
    assert out.startswith("99.99 with 88.88: reproduced by none of ")
    result = run("identify", "99.99", "hyp", "other", "-r", "ref")
    assert (result.status, result.out) == (2, "")
    assert "scores: 1, systems: 2; give a score for each" in result.err


def test_table_with_references_of_one_column(ok, files):
    """If no option can leave out references, the command says what its input must be."""
    files(refs="a b\na c\n\nd\ne\n", hyp="a c\nd\n")
    out = ok("identify", "12.34", "hyp", "-r", "refs:groups", "--preset", "nltk").out
    assert " -r refs:groups " in out
    assert "  # with only the first reference of each segment" in out


def test_text_mode(run, ok, texts):
    """--text replaces the text mode of a preset, and shows in the signature; an unknown one is refused."""
    nltk = "score", "hyp", "-r", "ref", "-p", "nltk"
    scored = ok(*nltk, "--text", "split_lower_nopunct", "-f", "json").out
    assert "|text:split_lower_nopunct|" in scored
    assert json.loads(scored)["signature"] != json.loads(ok(*nltk, "-f", "json").out)["signature"]
    assert ok(*nltk, "-b").out != ok(*nltk, "--text", "split_lower_nopunct", "-b").out
    result = run("score", "hyp", "-r", "ref", "--text", "nrom")
    assert (result.status, "did you mean 'norm'" in result.err) == (2, True)
