"""pycocoevalcap's METEOR without Java: the same checks, texts and numbers."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from meteorlib import Scorer
from meteorlib.errors import InputMismatch, InvalidText, MeteorError
from meteorlib.integrations.pycocoevalcap import Meteor

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
