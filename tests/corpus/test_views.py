"""A corpus held in hands: a sequence of its segments, at the prompt, in a notebook, as data."""

from __future__ import annotations

import json

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.corpus.views import SEGMENTS_SHOWN
from meteorlib.errors import InputMismatch

SCORER = Scorer()
REFS, HYPS = ["a b", ["c", "d e"], "f", "g"], ["a b", "d e", "", "x"]


def corpus_of(*, keep=True):
    """A small corpus."""
    return SCORER.corpus(keep_segments=keep).extend(references=REFS, hypotheses=HYPS)


def test_sequence():
    """Its length, its iteration and its indices are those of the tuple of its segments."""
    corpus = corpus_of()
    segments = corpus.segments
    assert len(corpus) == 4
    assert tuple(corpus) == segments
    assert tuple(reversed(corpus)) == segments[::-1]
    assert [corpus[place] for place in range(-4, 4)] == [segments[place] for place in range(-4, 4)]
    for place in (slice(1, 3), slice(None), slice(None, None, -1), slice(10, 20)):
        assert corpus[place] == segments[place]
    assert segments[1] in corpus
    np = pytest.importorskip("numpy")
    assert corpus[np.int64(2)] is segments[2]


@pytest.mark.parametrize("place", [4, -5])
def test_no_such_segment(place):
    """An index that is too large says how many there are."""
    with pytest.raises(IndexError, match=rf"^there is no segment {place}: the corpus has 4$"):
        corpus_of()[place]
    with pytest.raises(TypeError):
        corpus_of()["a"]


def test_without_segments():
    """A corpus that keeps no segments has a length, and says how to keep them."""
    corpus = corpus_of(keep=False)
    assert len(corpus) == 4
    for ask in (lambda: corpus[0], lambda: corpus[1:], lambda: list(corpus)):
        with pytest.raises(InputMismatch, match="does not keep its segments"):
            ask()


def test_repr():
    """One short line, whatever the preset is called."""
    assert repr(corpus_of()) == "Corpus(segments=4, score=0.6356, mean=0.4688, preset='meteor-2005')"
    assert repr(SCORER.corpus()) == "Corpus(segments=0, preset='meteor-2005')"
    long = Scorer(evolve(SCORER.config, name="x" * 500))
    for one in (long, long.signature, long.corpus().extend(references=REFS, hypotheses=HYPS)):
        assert len(repr(one)) <= 120
        assert "\n" not in repr(one)


def test_str():
    """The lines of the text report."""
    corpus = corpus_of()
    assert str(corpus).splitlines()[:2] == [f"score          {corpus.score().score:.4f}", "precision      0.8000"]
    assert str(corpus).splitlines()[-2:] == [
        f"segments       4, mean of their scores {corpus.mean():.4f}",
        f"signature      {SCORER.signature}",
    ]
    assert str(SCORER.corpus()).splitlines() == ["segments       0", f"signature      {SCORER.signature}"]


def test_html():
    """The printed corpus has its summary, the first segments, and the number of further ones."""
    for keep in (True, False):
        page = corpus_of(keep=keep)._repr_html_()
        assert "<script" not in page
        assert ("<bdi>index</bdi>" in page) is keep
        assert page.count("<tr") == 11 + 5 * keep
    many = (
        SCORER.corpus()
        .extend(references=["a b"] * (SEGMENTS_SHOWN + 3), hypotheses=["a"] * (SEGMENTS_SHOWN + 3))
        ._repr_html_()
    )
    assert many.count("<tr") == 12 + 1 + SEGMENTS_SHOWN
    assert f"the first {SEGMENTS_SHOWN} segments; corpus.worst() has the lowest" in many
    assert many.rindex("<bdi>signature</bdi>") > many.index("<bdi>index</bdi>") > many.index("<bdi>score</bdi>")
    assert "segments" in SCORER.corpus()._repr_html_()


def test_worst_segments():
    """The segments with the lowest scores, lowest first, equal ones in their order, with their words in a notebook."""
    corpus = corpus_of()
    worst = corpus.worst(3)
    assert [(index, segment) for index, segment in worst] == sorted(enumerate(corpus), key=lambda one: one[1].score)[:3]
    assert len(worst) == 3
    assert len(corpus.worst()) == len(corpus)
    assert corpus.worst(0).indices == ()
    head, first, *_ = str(worst).splitlines()
    assert head.split() == ["index", "score", "precision", "recall", "penalty", "chunks", "reference"]
    assert first.split()[:2] == [str(worst.indices[0]), f"{worst.segments[0].score:.4f}"]
    page = worst._repr_html_()
    assert all(f"<bdi>{' '.join(one.alignment.hypothesis)}</bdi>" in page for one in worst.segments)
    assert [one["index"] for one in worst.to_dict()["segments"]] == [*worst.indices]
    with pytest.raises(ValueError, match="a corpus has no -1 segments: give 0 or more"):
        corpus.worst(-1)
    with pytest.raises(InputMismatch, match="does not keep its segments"):
        corpus_of(keep=False).worst()


@pytest.mark.parametrize("keep", [True, False])
def test_plain_data(keep):
    """A corpus as data has the numbers of its score and, if they are kept, of its segments."""
    corpus = corpus_of(keep=keep)
    data = json.loads(json.dumps(corpus.to_dict(), allow_nan=False))
    assert data == corpus.to_dict()
    assert {name: data[name] for name in corpus.score().to_dict()} == corpus.score().to_dict()
    assert data.get("segments", []) == [one.to_dict() for one in (corpus if keep else [])]
    with pytest.raises(InputMismatch, match="nothing to score"):
        SCORER.corpus().to_dict()


def test_scorers_and_signatures():
    """A scorer and its signature at the prompt: a short line, the fields one below the other, plain data."""
    assert repr(SCORER) == "Scorer(preset='meteor-2005', language='en', stages='exact stem synonym')"
    assert str(SCORER).splitlines()[:3] == ["preset         meteor-2005", "language       en", "text           lower"]
    assert repr(SCORER.signature).startswith("Signature('preset:meteor-2005|language:en|text:lower|stages:exact*1.0,")
    assert len(repr(SCORER.signature)) <= 120
    for page in (SCORER._repr_html_(), SCORER.signature._repr_html_()):
        assert page.count("<tr") == len(str(SCORER).splitlines())
        assert "<bdi>meteor-2005</bdi>" in page
    data = SCORER.signature.to_dict()
    assert "|".join(f"{name}:{value}" for name, value in data.items() if name != "eval_id") == str(SCORER.signature)
    assert Scorer("meteor-1.5-en-core").signature.to_dict()["eval_id"].startswith("meteor-1.5-wo-en")
    for one in (SCORER, SCORER.signature):
        assert json.loads(json.dumps(one.to_dict(), allow_nan=False)) == one.to_dict()
    assert SCORER.to_dict()["config"]["search"] == {"name": "staged", "budget": 200_000}
    assert SCORER.to_dict()["config"]["stages"][1] == {"matcher": "stem", "weight": 1.0, "resource": "porter"}
