"""NLGMetricverse's METEOR and its result."""

from __future__ import annotations

import sys
from string import punctuation

import pytest

from meteorlib import Scorer
from meteorlib.errors import ExtraMissing, InputMismatch, InvalidText, UnknownName
from meteorlib.integrations import nltk
from meteorlib.integrations.nlgmetricverse import AutoMetric, Meteor, NLGMetricverse, compute, load_metric

CAT = "the cat sat on the mat"
RUG = "the cat is on the mat and the rug"

SINGLE = ["There is a cat on the mat.", "Look! a wonderful day."]
SEVERAL = [
    ["the cat is on the mat", "There is cat playing on mat"],
    ["Look! what a wonderful day, today.", "Today is a very wonderful day"],
]
REFERENCE = ["The cat is playing on the mat.", "Today is a wonderful day"]
REFERENCES = [
    ["the cat is playing on the mat.", "The cat plays on the mat."],
    ["Today is a wonderful day", "The weather outside is wonderful."],
]


def score(*sides, **arguments):
    """The score that the scorer gives."""
    return NLGMetricverse()(predictions=sides[0], references=sides[1], **arguments)["meteor"]["score"]


def words(text):
    """The words of a text as that library makes them."""
    return "".join(" " if char in punctuation else char for char in text).lower().split()


def test_the_example_of_its_metric_card():
    """The example of NLGMetricverse's documentation gives the documented output."""
    scorer = NLGMetricverse(metrics=load_metric("meteor"))
    scores = scorer(predictions=[CAT], references=["on the mat sat the cat"])
    assert scores == {"total_items": 1, "empty_items": 0, "meteor": {"score": 0.5}}


@pytest.mark.parametrize(
    ("predictions", "references", "expected"),
    [
        (SINGLE, REFERENCE, 0.6190249433106576),
        (SINGLE, REFERENCES, 0.6190249433106576),
        (SEVERAL, REFERENCES, 0.9012408828265606),
    ],
    ids=["one and one", "one and several", "several and several"],
)
def test_the_values_of_its_own_tests(predictions, references, expected):
    """Expected values of NLGMetricverse's own tests of METEOR hold to the last digit."""
    assert score(predictions, references) == expected


@pytest.mark.parametrize("predictions", [SINGLE, SEVERAL], ids=["one", "several"])
@pytest.mark.parametrize("references", [REFERENCE, REFERENCES], ids=["one", "several"])
@pytest.mark.parametrize("reduce_fn", ["max", "min", "mean"])
def test_it_is_nltks_on_words_without_punctuation(predictions, references, reduce_fn):
    """For each prediction NLTK's best over the references, reduced over the predictions, averaged over the items."""
    np = pytest.importorskip("numpy")
    scores = []
    for ours, theirs in zip(predictions, references, strict=True):
        texts = [theirs] if isinstance(theirs, str) else theirs
        each = [
            nltk.meteor_score([words(text) for text in texts], words(prediction))
            for prediction in ([ours] if isinstance(ours, str) else ours)
        ]
        scores.append(getattr(np, reduce_fn)(each))
    assert score(predictions, references, reduce_fn=reduce_fn) == np.mean(scores)


@pytest.mark.parametrize("char", punctuation)
def test_punctuation_is_blank(char):
    """Each character of punctuation parts words and is none, case and white space do not count."""
    assert score([f"THE{char}cat {char} Sat{char}\n"], ["the  cat\tsat"]) == score(["the cat sat"], ["the cat sat"])


def test_marks_outside_of_ascii_are_words():
    """Only the 32 characters of `string.punctuation` are taken for punctuation."""
    assert score(["a – b"], ["a - b"]) != score(["a b"], ["a b"])


def test_one_string_is_one_item():
    """A string on both sides is one item."""
    assert compute(CAT, RUG) == compute([CAT], [RUG])


def test_reduce_fn_may_be_any_reduction_of_numpy():
    """By name or as a function; it holds for several predictions, also where only one item has them."""
    np = pytest.importorskip("numpy")
    each = [score([prediction], REFERENCE[:1]) for prediction in SEVERAL[0]]
    assert each[0] != each[1]
    for given, expected in (
        ("median", np.median),
        (np.mean, np.mean),
        (np.ptp, np.ptp),
        ("std", np.std),
        (max, max),
        (lambda scores: np.array([min(scores)]), min),
    ):
        assert score([SEVERAL[0]], [REFERENCE[:1]], reduce_fn=given) == expected(each)
        metric = load_metric("meteor", compute_kwargs={"reduce_fn": given})
        assert metric.compute([SEVERAL[0]], [REFERENCE[:1]])["meteor"]["score"] == expected(each)
    assert score([SEVERAL[0], CAT], [REFERENCE[:1], CAT], reduce_fn="std") == np.mean([np.std(each), 0.0])
    assert score([[CAT], CAT], [CAT, CAT], reduce_fn="std") == score([CAT], [CAT])


@pytest.mark.parametrize("given", [3, "no such function", ["max"], "pi"])
def test_reduce_fn_of_another_kind(given):
    """A `reduce_fn` that is neither a function nor the name of one is a `TypeError`, before anything is scored."""
    pytest.importorskip("numpy")
    with pytest.raises(TypeError, match=r"^reduce_fn must be the name of a reduction of NumPy, or a callable, not "):
        score([CAT], [CAT], reduce_fn=given)


@pytest.mark.parametrize("given", [sorted, "sort", "add", "cumsum", lambda: 1.0, str])
def test_reduce_fn_that_does_not_reduce(given):
    """A callable that does not make one number of several is a `ValueError`."""
    pytest.importorskip("numpy")
    with pytest.raises(ValueError, match=r"^reduce_fn must make one number of several: "):
        Meteor(reduce_fn=given)


def test_without_numpy(monkeypatch):
    """Scores are reduced by NumPy; without it, an error says what to install."""
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(ExtraMissing, match=r"numpy is not installed: run  pip install 'meteorlib\[nlgmetricverse\]'"):
        Meteor()


def test_empty_items_are_counted_and_left_out():
    """An item is empty where one side is an empty string or list; the caller's lists stay as they are."""
    predictions, references = [CAT, "", "the", []], [CAT, "a", [], "a"]
    found = compute(predictions, references)
    assert found == {"total_items": 4, "empty_items": 3, "meteor": compute([CAT], [CAT])["meteor"]}
    assert (predictions, references) == ([CAT, "", "the", []], [CAT, "a", [], "a"])


def test_an_item_without_words_is_not_empty():
    """An item without words after normalization scores 0."""
    for nothing in (" \n", "...", [""], ["", "-"]):
        assert compute([CAT, nothing], [CAT, CAT]) == {
            "total_items": 2,
            "empty_items": 0,
            "meteor": {"score": score([CAT], [CAT]) / 2},
        }
    assert score([["", CAT]], [CAT]) == score([CAT], [["", CAT]]) == score([CAT], [CAT])


@pytest.mark.parametrize("sides", [([""], ["a"]), (["a"], [[]]), ([], [])])
def test_nothing_but_empty_items(sides):
    """If all items are empty there is a warning, and no score."""
    with pytest.warns(UserWarning, match=r"^there is no item, or all of them are empty: nothing was scored$"):
        found = NLGMetricverse()(predictions=sides[0], references=sides[1])
    assert found == {"total_items": len(sides[0]), "empty_items": len(sides[0])}


def test_parameters():
    """alpha, beta and gamma replace the preset's: of the metric, as such or as `compute_kwargs`, or of the call."""
    assert compute([CAT], [CAT], gamma=0) == {"total_items": 1, "empty_items": 0, "meteor": {"score": 1.0}}
    metric = load_metric("meteor", resulting_name="m", compute_kwargs={"gamma": 0.0})
    assert metric.compute([CAT], [CAT])["m"] == {"score": 1.0}
    assert metric == load_metric("meteor", resulting_name="m", gamma=0.0)
    assert score([CAT], [CAT], gamma=0.0) == 1.0
    reference, prediction = RUG.split(), CAT.split()
    expected = nltk.single_meteor_score(reference, prediction, alpha=0.85, beta=0.2, gamma=0.6)
    assert score([CAT], [RUG], alpha=0.85, beta=0.2, gamma=0.6) == expected
    assert compute([CAT], [RUG], 0.9, 3, 0.5) == compute([CAT], [RUG])


@pytest.mark.parametrize(
    "metrics",
    [
        ["METEOR", {"path": "Meteor", "resulting_name": "M", "compute_kwargs": {"gamma": 0.0}}],
        [AutoMetric.load("meteor"), AutoMetric.load("meteor", resulting_name="M", compute_kwargs={"gamma": 0.0})],
    ],
    ids=["names", "metrics"],
)
@pytest.mark.parametrize("run_concurrent", [False, True])
def test_metrics(metrics, run_concurrent):
    """Several metrics are given by name in any case, as dictionaries, or as metrics; each has its own result."""
    found = NLGMetricverse(metrics, run_concurrent=run_concurrent)(predictions=[CAT], references=[CAT])
    assert found == {
        "total_items": 1,
        "empty_items": 0,
        "meteor": {"score": score([CAT], [CAT])},
        "M": {"score": 1.0},
    }
    (one,) = NLGMetricverse(metrics[1]).metrics
    assert one == load_metric(resulting_name="M", gamma=0.0)


def test_two_metrics_of_one_name():
    """Two different metrics of one name are an error; the same one twice is one."""
    with pytest.raises(InputMismatch, match=r"^two metrics are called 'meteor': give one a resulting_name$"):
        NLGMetricverse(["meteor", load_metric(gamma=0.0)])
    assert (
        score([CAT], [CAT])
        == NLGMetricverse(["meteor", "METEOR"])(predictions=[CAT], references=[CAT])["meteor"]["score"]
    )


def test_only_keywords():
    """The scorer takes its arguments by name, as there."""
    with pytest.raises(TypeError):
        NLGMetricverse()([CAT], [CAT])


@pytest.mark.parametrize("preset", ["nltk", "meteor-2005", "meteor-1.5-en-core"])
def test_a_preset_makes_words_in_its_own_way(preset):
    """With a preset the text goes to it as it is; its own parameters hold unless others are given."""
    pairs = list(zip(SINGLE, REFERENCES, strict=True))
    scores = [Scorer(preset).score(references, prediction).score for prediction, references in pairs]
    assert compute(SINGLE, REFERENCES, preset=preset)["meteor"]["score"] == sum(scores) / 2


def test_what_does_not_fit():
    """Unequal counts, other metrics, values other than text and invalid text are refused; the error names the item."""
    with pytest.raises(InputMismatch, match=r"^1 predictions but 2 references: each needs its own$"):
        compute(["a"], ["a", "b"])
    with pytest.raises(InputMismatch, match=r"^1 predictions but 2 references: each needs its own$"):
        compute("a", ["a", "b"])
    with pytest.raises(UnknownName, match=r"^unknown metric 'bleu'"):
        NLGMetricverse(metrics=["bleu"])
    with pytest.raises(TypeError, match=r"^item 2 is a string or a list of strings, not 3$"):
        compute(["a", 3], ["a", "b"])
    with pytest.raises(TypeError, match=r"^item 1 is a string or a list of strings, not \['a', None\]$"):
        compute(["a"], [["a", None]])
    with pytest.raises(InvalidText, match=r"^item 2: hypothesis: NUL character at offset 1; "):
        compute(["a", "a\0"], ["a", "b"])


@pytest.mark.oracle
def test_against_nltk(oracles, shared):
    """newstest2009, with its punctuation, has the mean of NLTK's scores, as NumPy makes it."""
    np, theirs = pytest.importorskip("numpy"), pytest.importorskip("nltk")
    theirs.data.path.insert(0, str(oracles / "nltk_data"))
    from nltk.translate.meteor_score import meteor_score

    folder = shared / "data" / "newstest2009"
    sides = [(folder / name).read_text(encoding="utf-8").split("\n")[:-1] for name in ("system1.en", "reference.en")]
    scores = [meteor_score([words(ref)], words(hyp)) for hyp, ref in zip(*sides, strict=True)]
    for size in (1, 7, 8, 100, 129, len(scores)):
        assert score(sides[0][:size], sides[1][:size]) == np.mean(scores[:size])
    for hyp, ref in (("...", "a b"), ("a b", "..."), ("", "")):
        assert score([[hyp, "zz"]], [[ref, "yy"]]) == meteor_score([words(ref), ["yy"]], words(hyp))
