"""``meteorlib score --nbest --oracle``: the best of n-best lists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from meteorlib import Scorer
from meteorlib.analysis.mbr import oracle
from tests.docs.pages import ROOT

LISTS = [["a cat sits", "the cat sat on the mat", "the cat sat on the mat"], ["a dog", "the dog barks"], ["x", "hello"]]
REFERENCES = [["the cat sat on the mat", "a cat"], ["the dog barks", "dogs bark"], ["hello you", "hello"]]


@pytest.fixture(autouse=True)
def lists(files):
    """N-best lists of three segments, and two files of references."""
    text = "".join(f"{number} ||| {one} ||| LM= -1 ||| -3\n" for number, each in enumerate(LISTS) for one in each)
    references = {f"ref{index}": "".join(f"{one[index]}\n" for one in REFERENCES) for index in (0, 1)}
    files(**{"moses.nbest": text, "moses.out": text, "plain": "a cat\na dog\nx\n", **references, "by": "u\nu\nv\n"})


ARGUMENTS = ("score", "--nbest", "moses.nbest", "-r", "ref0", "-r", "ref1")


def test_oracle_is_the_best_of_each_list(printed):
    """The score is that of the corpus of the best texts; each is listed with its place and its score."""
    scorer = Scorer()
    best = [
        max(texts, key=lambda text: scorer.score(references, text).score)
        for texts, references in zip(LISTS, REFERENCES, strict=True)
    ]
    corpus = scorer.corpus().extend(references=REFERENCES, hypotheses=best)
    found = json.loads(printed(*ARGUMENTS, "--oracle", "-f", "json"))["systems"][0]
    assert found["score"] == corpus.score().score
    assert [one["hypothesis"] for one in found["segments"]] == best
    assert [one["candidate"] for one in found["segments"]] == [2, 2, 2]
    assert [one["score"] for one in found["segments"]] == [one.score for one in corpus.segments]
    made = [oracle(texts, references, scorer) for texts, references in zip(LISTS, REFERENCES, strict=True)]
    assert [(one.index, one.text) for one in made] == [(1, text) for text in best]
    text = printed(*ARGUMENTS, "--oracle")
    assert text.splitlines()[0].endswith("reference  candidate  hypothesis")
    assert text.splitlines()[1].endswith("  2          the cat sat on the mat")
    head, *rows = (line.split("\t") for line in printed(*ARGUMENTS, "--oracle", "-f", "tsv").splitlines())
    assert head[-2:] == ["candidate", "hypothesis"]
    assert [row[-2:] for row in rows] == [*(["2", text] for text in best), ["", ""]]
    assert printed(*ARGUMENTS, "--oracle", "-b") == f"{corpus.score().score:.4f}\n"


def test_first_of_each_list(printed):
    """Without --oracle the first text of each list counts, as under the suffix of such files."""
    corpus = Scorer().corpus().extend(references=REFERENCES, hypotheses=[texts[0] for texts in LISTS])
    expected = f"{corpus.score().score:.4f}\n"
    assert printed(*ARGUMENTS, "-b") == printed("score", "moses.nbest", *ARGUMENTS[3:], "-b") == expected


def test_kept_segments(printed):
    """With a part of the segments, their lists are chosen from."""
    found = json.loads(printed(*ARGUMENTS, "--by", "d=by", "--keep", "d=v", "--oracle", "-f", "json"))
    assert [one["hypothesis"] for one in found["systems"][0]["segments"]] == ["hello"]


def test_beside_another_system(printed, refused):
    """Lists are compared with other lists, and without --oracle with text."""
    assert "\nOurs  " in printed(*ARGUMENTS, "--nbest", "Ours=moses.nbest", "--oracle", "-n", "10")
    assert "\nmoses.nbest  " in printed("score", "plain", *ARGUMENTS[1:], "-n", "10")
    assert "--oracle is for n-best lists, as in --nbest FILE; plain is none" in refused(
        "score", "plain", *ARGUMENTS[1:], "--oracle"
    )


def test_numbers_of_references(refused, files):
    """An id without a reference, and a missing one, are named."""
    files(short="a\nb\n", long="a\nb\nc\nd\n")
    message = refused("score", "--nbest", "moses.nbest", "-r", "short", "--oracle")
    assert "moses.nbest:6: id 2 has no reference" in message
    assert "moses.nbest ends with id 2; id 3 is missing" in refused("score", "--nbest", "moses.nbest", "-r", "long")
    assert "moses.out: is n-best lists, not text: name it moses.out:nbest" in refused(
        "score", "moses.out", "-r", "ref0"
    )


def test_schema():
    """The schema of JSON has the keys of chosen texts."""
    schema = json.loads(Path(ROOT / "docs/score.schema.json").read_text(encoding="utf-8"))
    assert {"candidate", "hypothesis"} <= set(schema["$defs"]["segment"]["properties"])
