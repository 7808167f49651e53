"""pycocoevalcap's METEOR without Java: the same checks, texts and numbers."""

from __future__ import annotations

import importlib
import subprocess
import sys
import types
from concurrent.futures import ThreadPoolExecutor

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import load_preset
from meteorlib.errors import InputMismatch, InvalidText, MeteorError
from meteorlib.integrations import pycocoevalcap
from meteorlib.integrations.pycocoevalcap import Meteor, PTBTokenizer

REFERENCES = {
    "one": ["a dog runs over the grass", "a brown dog is running outside"],
    2: ["two people sit at a table", "a couple eats dinner together", "people are dining"],
    3: ["a red bus on a street"],
}
CAPTIONS = {"one": ["a dog is running over grass"], 2: ["people at a table"], 3: ["the red bus"]}


@pytest.fixture(scope="module")
def metric():
    return Meteor("meteor-1.5-en-core")


def one(metric, references, caption):
    return metric.compute_score({1: references}, {1: [caption]})


def test_scores_come_in_the_order_of_the_references(metric):
    """The corpus score, and the score of each image in the order of `gts`, whatever the order of `res`."""
    scorer = Scorer("meteor-1.5-en-core")
    score, scores = metric.compute_score(REFERENCES, dict(reversed(CAPTIONS.items())))
    corpus = scorer.corpus().extend(
        references=REFERENCES.values(), hypotheses=[caption for (caption,) in CAPTIONS.values()]
    )
    assert score == corpus.score().score
    assert scores == [segment.score for segment in corpus.segments]
    assert metric.method() == "METEOR"


def test_a_separator_in_a_caption_is_deleted(metric):
    """``|||`` is taken out of a caption, and two blanks become one, as in pycocoevalcap."""
    assert one(metric, ["a dog runs"], "a ||| dog|||  runs") == one(metric, ["a dog runs"], "a dog runs")
    assert one(metric, ["adog"], "a|||dog") == one(metric, ["adog"], "adog")


def test_a_separator_in_a_reference_makes_two_of_it(metric):
    """``|||`` in a reference ends it and begins another, as in pycocoevalcap."""
    assert one(metric, ["a cat ||| a dog runs"], "a dog runs") == one(metric, ["a cat", "a dog runs"], "a dog runs")
    assert one(metric, ["a cat|||a dog runs"], "a cat")[0] == 1.0


def test_no_words_score_zero(metric):
    """An empty caption, an empty reference and no reference at all score 0."""
    assert one(metric, ["a dog"], "") == (0.0, [0.0])
    assert one(metric, [""], "a dog") == (0.0, [0.0])
    assert one(metric, [], "a dog") == (0.0, [0.0])


def test_a_line_break_is_a_blank(metric):
    """A caption with a line break is one caption: no answer is taken for another's."""
    assert one(metric, ["a dog runs"], "a dog\nruns") == (1.0, [1.0])


@pytest.mark.parametrize(
    ("gts", "res", "message"),
    [
        ({1: ["a"], 2: ["b"]}, {1: ["a"]}, "gts and res must have the same images; 1 differ, e.g. 2"),
        ({1: ["a"]}, {1: ["a", "b"]}, "image 1 needs exactly one caption in res, got 2"),
        ({1: ["a"]}, {1: []}, "image 1 needs exactly one caption in res, got 0"),
    ],
)
def test_the_checks_of_pycocoevalcap(metric, gts, res, message):
    """Assertions of pycocoevalcap are `AssertionError`s here, too, with messages, and `MeteorError`s."""
    with pytest.raises(AssertionError) as raised:
        metric.compute_score(gts, res)
    assert str(raised.value) == message
    assert isinstance(raised.value, MeteorError)


def test_other_mistakes_are_told(metric):
    """A string in place of a list, and nothing to score, are errors that say so."""
    with pytest.raises(TypeError, match="image 1: expected lists of captions, got a string"):
        metric.compute_score({1: "a"}, {1: ["a"]})
    with pytest.raises(TypeError, match="image 1: expected lists of captions, got a string"):
        metric.compute_score({1: ["a"]}, {1: "a"})
    with pytest.raises(InputMismatch, match="nothing to score"):
        metric.compute_score({}, {})


def test_threads_share_a_metric(metric):
    """Many threads on one metric get what one thread gets."""
    items = [({1: references}, {1: CAPTIONS[image]}) for image, references in REFERENCES.items()] * 30
    expected = [metric.compute_score(*item) for item in items]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda item: metric.compute_score(*item), items)) == expected


def test_there_is_no_second_process(monkeypatch):
    """Neither making the metric nor scoring starts a process."""

    def refuse(*_, **__):
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert one(Meteor("meteor-1.5-en-core"), ["a dog runs"], "a dog runs") == (1.0, [1.0])


@pytest.mark.parametrize(("reference", "caption", "side"), [("a", "a\0", "hypothesis"), ("a\0", "a", "reference")])
def test_the_image_whose_text_cannot_be_scored_is_named(reference, caption, side):
    """An image whose text cannot be scored is named among many."""
    gts, res = {"a.jpg": ["a"], "b.jpg": [reference]}, {"a.jpg": ["a"], "b.jpg": [caption]}
    with pytest.raises(InvalidText, match=rf"^image 'b\.jpg': {side}: NUL character at offset 1; "):
        Meteor("meteor-2005-exact").compute_score(gts, res)


def test_the_tokenizer():
    """Images keep their order, ids and texts; one without captions is left out; punctuation is dropped."""
    captions = {
        "b": [{"caption": "A man's (red) dog.", "id": 1}, {"caption": ""}],
        2: [],
        (1, 2): [{"caption": "In the\nU.S. , it isn't ..."}],
    }
    assert PTBTokenizer().tokenize(captions) == {
        "b": ["a man 's -lrb- red -rrb- dog", ""],
        (1, 2): ["in the u.s. it is n't"],
    }
    assert PTBTokenizer().tokenize({}) == {}


def test_the_tokenizer_reads_one_file():
    """A caption depends on the next one, of another image, too."""
    captions = {1: [{"caption": "vitamin D."}], 2: [{"caption": "The man"}], 3: [{"caption": "vitamin D."}]}
    assert PTBTokenizer().tokenize(captions) == {1: ["vitamin d"], 2: ["the man"], 3: ["vitamin d."]}


@pytest.mark.parametrize(
    ("caption", "error", "message"),
    [
        (None, TypeError, "^image 'b': a caption must be a string, got NoneType"),
        ("a \ud800", InvalidText, "^image 'b': caption: lone surrogate U"),
    ],
)
def test_captions_that_cannot_be_tokenized(caption, error, message):
    """The image of a caption that is no text is named."""
    with pytest.raises(error, match=message):
        PTBTokenizer().tokenize({"a": [{"caption": "a"}], "b": [{"caption": caption}]})


def test_the_preset_for_raw_captions():
    """`meteor-1.5-en-coco` scores raw captions as METEOR 1.5 scores those of the tokenizer."""
    raw = (
        {1: ["A man's dog, (brown) runs ."], 2: ["The U.S. flag!", "a flag ; waving"]},
        {1: ["The man's dog runs."], 2: ["A U.S. flag"]},
    )
    config = evolve(load_preset("meteor-1.5-en-coco"), stages=load_preset("meteor-1.5-en-core").stages)
    tokenized = [
        PTBTokenizer().tokenize({image: [{"caption": text} for text in texts] for image, texts in side.items()})
        for side in raw
    ]
    assert Meteor(config).compute_score(*raw) == Meteor("meteor-1.5-en-core").compute_score(*tokenized)
    assert load_preset("meteor-1.5-en-coco") == evolve(
        load_preset("meteor-1.5-en"),
        **{
            name: getattr(load_preset("meteor-1.5-en-coco"), name) for name in ("name", "text", "description", "source")
        },
    )


def test_names_that_forks_use(metric):
    """Forks score captions one by one, ask for their statistics, and end the process."""
    references = ["a dog runs over the grass", "a brown dog is running outside"]
    assert metric._score("a dog is running", references) == one(metric, references, "a dog is running")[1][0]
    assert metric._stat("a dog", ["a dog"]).split()[:2] == ["2.0", "2.0"]
    assert len(metric._stat("a dog", ["a dog"]).split()) == 23
    assert str(metric) == "METEOR"
    metric.close()
    metric.meteor_p.kill()
    assert metric.meteor_p.wait() == 0
    assert metric._score("a dog", ["a dog"]) == 1.0


def test_the_import_patch(monkeypatch):
    """A host that imports pycocoevalcap's modules itself gets the stand-ins out of `sys.modules`."""
    monkeypatch.setitem(sys.modules, "pycocoevalcap.meteor.meteor", pycocoevalcap)
    monkeypatch.setitem(sys.modules, "pycocoevalcap.tokenizer.ptbtokenizer", pycocoevalcap)
    monkeypatch.setitem(sys.modules, "pycocoevalcap", types.ModuleType("pycocoevalcap"))
    monkeypatch.setitem(sys.modules, "pycocoevalcap.meteor", types.ModuleType("pycocoevalcap.meteor"))
    monkeypatch.setitem(sys.modules, "pycocoevalcap.tokenizer", types.ModuleType("pycocoevalcap.tokenizer"))
    assert importlib.import_module("pycocoevalcap.meteor.meteor").Meteor is Meteor
    assert importlib.import_module("pycocoevalcap.tokenizer.ptbtokenizer").PTBTokenizer is PTBTokenizer
