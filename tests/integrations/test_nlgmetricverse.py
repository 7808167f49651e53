"""NLGMetricverse's METEOR and its result."""

from __future__ import annotations

import pytest

from meteorlib import Scorer
from meteorlib.errors import InputMismatch, UnknownName
from meteorlib.integrations.nlgmetricverse import Meteor, NLGMetricverse, compute, load_metric

CAT = "the cat sat on the mat"
RUG = "the cat is on the mat and the rug"


def test_the_example_of_its_metric_card():
    """The example of NLGMetricverse's documentation gives what stands there."""
    scorer = NLGMetricverse(metrics=load_metric("meteor"))
    scores = scorer(predictions=[CAT], references=["on the mat sat the cat"])
    assert scores == {"total_items": 1, "empty_items": 0, "meteor": {"score": 0.5}}


def test_the_score_is_the_mean_of_items():
    """Items are scored one by one, by NLTK's METEOR unless another preset is asked for."""
    predictions, references = [CAT, "the cat is on the mat"], [CAT, RUG]
    for preset in ("nltk", "meteor-2005"):
        scores = [Scorer(preset).score(ref, hyp).score for hyp, ref in zip(predictions, references, strict=True)]
        assert compute(predictions, references, preset=preset)["meteor"]["score"] == sum(scores) / 2
    assert compute(predictions, references) != compute(predictions, references, preset="meteor-2005")


@pytest.mark.parametrize(("reduce", "expected"), [("max", max), ("min", min), ("mean", lambda s: sum(s) / len(s))])
def test_reduce(reduce, expected):
    """`reduce` holds for the references of an item, and then for its predictions."""
    scorer = Scorer("nltk")
    predictions, references = [CAT, "mat"], ["the mat", "a cat sat"]
    scores = [[scorer.score(reference, prediction).score for reference in references] for prediction in predictions]
    assert len({score for row in scores for score in row}) == 4
    found = compute([predictions], [references], reduce=reduce)
    assert found["meteor"]["score"] == pytest.approx(expected([expected(row) for row in scores]), rel=1e-15)
    assert NLGMetricverse()(predictions=[predictions], references=[references], reduce_fn=reduce) == found


def test_empty_items_are_counted_and_left_out():
    """An item without a word on one side is counted as empty and not scored; without any other the score is 0."""
    found = compute([CAT, "", "the", " \n"], [CAT, "a", ["", " "], []])
    assert found == {"total_items": 4, "empty_items": 3, "meteor": compute([CAT], [CAT])["meteor"]}
    assert compute([""], ["a"]) == {"total_items": 1, "empty_items": 1, "meteor": {"score": 0.0}}
    assert compute([], []) == {"total_items": 0, "empty_items": 0, "meteor": {"score": 0.0}}


def test_parameters():
    """alpha, beta and gamma replace the preset's, given as such or as `compute_kwargs`."""
    assert compute([CAT], [CAT], gamma=0) == {"total_items": 1, "empty_items": 0, "meteor": {"score": 1.0}}
    metric = load_metric("meteor", resulting_name="m", compute_kwargs={"gamma": 0.0})
    assert metric.compute([CAT], [CAT])["m"] == {"score": 1.0}
    both = NLGMetricverse(metrics=["meteor", metric])(predictions=[CAT], references=[CAT])
    assert (set(both), both["m"]["score"]) == ({"total_items", "empty_items", "meteor", "m"}, 1.0)
    assert compute([CAT], [RUG], 0.9, 3, 0.5) == compute([CAT], [RUG])


def test_a_preset_keeps_its_own_parameters():
    """METEOR 1.5 is not scored with NLTK's parameters unless they are given."""
    expected = Scorer("meteor-1.5-en-core").score(RUG, CAT).score
    assert compute([CAT], [RUG], preset="meteor-1.5-en-core")["meteor"]["score"] == expected


def test_what_does_not_fit():
    """Unequal counts, strings for lists, other metrics and other words for `reduce` are refused."""
    with pytest.raises(InputMismatch, match=r"^1 predictions but 2 references: each needs its own$"):
        compute(["a"], ["a", "b"])
    with pytest.raises(TypeError, match="lists with one entry for each item, not strings"):
        compute("a", "a")
    with pytest.raises(UnknownName, match=r"^unknown metric 'bleu'; known: meteor$"):
        NLGMetricverse(metrics=["bleu"])
    with pytest.raises(ValueError, match=r"^reduce must be one of 'max', 'min', 'mean', not 'median'$"):
        Meteor(reduce="median")
    with pytest.raises(TypeError, match=r"^an item is a string or a list of strings, not 3$"):
        compute([3], ["a"])
