"""METEOR as a metric of torchmetrics: batches, processes, pickles."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from copy import deepcopy
from itertools import permutations

import pytest

from meteorlib import Scorer
from meteorlib.errors import InputMismatch

torch = pytest.importorskip("torch")
torchmetrics = pytest.importorskip("torchmetrics")

from meteorlib.integrations.torchmetrics import MeteorScore  # noqa: E402 – only where torchmetrics is


@pytest.fixture
def pyplot():
    """matplotlib, drawing to nowhere."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


PREDS = ["the cat sat on the mat", "a dog ran", "it will rain today", "nobody came"]
TARGET = [["on the mat sat the cat", "a cat sat"], "the dog was running", "today it rains", ["nobody came", "no one"]]

FOUR = {"paper": "meteor-2005", "nltk": "nltk", "exact": "meteor-2005-exact", "jar": "meteor-1.5-en-core"}

WORKER = """
import json, sys
import torch.distributed as dist
from meteorlib.errors import InputMismatch
from meteorlib.integrations.torchmetrics import MeteorScore
rank, meeting, mine = int(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=2)
metric = MeteorScore(return_sentence_level_score=True)
for preds, target in mine:
    metric.update(preds, target)
score, scores = metric.compute()
before = int(metric.segment_count)
metric.reset()
metric.update(["a b"], ["a b"])
again, _ = metric.compute()
other = MeteorScore(["meteor-2005", "nltk"][rank])
other.update(["a b"], ["a b"])
try:
    refused = str(other.compute())
except InputMismatch as error:
    refused = str(error)
print(json.dumps([score.item(), scores.tolist(), before, again.item(), refused.partition(":")[0]]))
dist.destroy_process_group()
"""


def expected(preds=PREDS, target=TARGET):
    corpus = Scorer().corpus().extend(references=target, hypotheses=preds)
    return corpus.score().score, [segment.score for segment in corpus.segments]


def test_compute_is_the_corpus_score_in_double_precision():
    """`compute` gives the corpus score, however the segments came; not the mean of batches."""
    score, scores = expected()
    metric = MeteorScore()
    for preds, target in zip(PREDS, TARGET, strict=True):
        metric.update([preds], [target])
    assert metric.compute().dtype == torch.float64
    assert metric.compute().item() == score
    assert score != sum(scores) / len(scores)


def test_forward_gives_the_batch_and_keeps_the_sum():
    """Calling the metric gives the score of that batch alone and adds it to the rest."""
    metric = MeteorScore(return_sentence_level_score=True)
    for part in (slice(0, 2), slice(2, 4)):
        score, scores = metric(PREDS[part], TARGET[part])
        assert (score.item(), scores.tolist()) == expected(PREDS[part], TARGET[part])
    score, scores = metric.compute()
    assert (score.item(), scores.tolist()) == expected()


def test_states_are_sums_of_whole_numbers():
    """Processes exchange integer sums and their origin; only sentence scores are gathered."""
    metric = MeteorScore(return_sentence_level_score=True)
    metric.update(PREDS, TARGET)
    assert metric.counts.dtype == metric.segment_count.dtype == torch.int64
    summed = {name for name, reduction in metric._reductions.items() if reduction.__name__ == "dim_zero_sum"}
    assert summed == {"counts", "segment_count"}
    assert set(metric._reductions) == {*summed, "sentence_scores", "configuration"}


def test_reset():
    """After `reset` nothing is left, and what comes then is all there is."""
    metric = MeteorScore()
    metric.update(PREDS, TARGET)
    metric.reset()
    assert not metric.counts.any()
    metric.update(PREDS[:1], TARGET[:1])
    assert metric.compute().item() == expected(PREDS[:1], TARGET[:1])[0]


def pickled(metric):
    return pickle.loads(pickle.dumps(metric))  # noqa: S301 – its own


@pytest.mark.parametrize("copy", [pickled, deepcopy, MeteorScore.clone])
def test_copies_go_on_where_the_metric_was(copy):
    """A pickled, copied or cloned metric has the state and is then independent."""
    metric = MeteorScore(return_sentence_level_score=True)
    metric.update(PREDS[:2], TARGET[:2])
    other = copy(metric)
    other.update(PREDS[2:], TARGET[2:])
    score, scores = other.compute()
    assert (score.item(), scores.tolist()) == expected()
    assert metric.compute()[0].item() == expected(PREDS[:2], TARGET[:2])[0]
    assert other.scorer.signature == metric.scorer.signature


def test_in_a_collection_with_another_metric():
    """A MetricCollection takes it beside one of torchmetrics' own."""
    metrics = torchmetrics.MetricCollection([MeteorScore(), torchmetrics.text.CHRFScore()])
    target = [[texts] if isinstance(texts, str) else texts for texts in TARGET]
    found = metrics(PREDS, target)
    assert set(found) == {"MeteorScore", "CHRFScore"}
    assert found["MeteorScore"].item() == expected()[0]


@pytest.mark.parametrize(
    ("presets", "names"),
    [
        (["nltk", "meteor-1.5-en-core"], ["nltk", "meteor-1_5-en-core"]),
        (["nltk", "nltk", "meteor-2005"], ["meteor-1", "meteor-2", "meteor-3"]),
    ],
)
def test_a_list_of_meteors_is_told_the_dictionary(presets, names):
    """A collection names the metrics of a list by their class; the error shows a dictionary whose keys it takes."""
    metrics = [MeteorScore(preset) for preset in presets]
    shown = ", ".join(f'"{name}": MeteorScore(…)' for name in names)
    expected = f"Encountered two metrics both named MeteorScore; give each a name: MetricCollection({{{shown}}})"
    first, *others = metrics
    chrf = torchmetrics.text.CHRFScore()
    calls = (
        lambda: torchmetrics.MetricCollection([chrf, *metrics]),
        lambda: torchmetrics.MetricCollection(first, chrf, *others),
        lambda: torchmetrics.MetricCollection(first).add_metrics(others),
    )
    for call in calls:
        with pytest.raises(ValueError, match=re.escape(expected)):
            call()
    assert set(torchmetrics.MetricCollection(dict(zip(names, metrics, strict=True)))) == {*names}


def test_other_mistakes_of_a_collection_are_torchmetrics_own():
    """Other metrics, and objects that are no metric, cause torchmetrics' own errors."""
    chrf = torchmetrics.text.CHRFScore
    with pytest.raises(ValueError, match=r"^Encountered two metrics both named CHRFScore$"):
        torchmetrics.MetricCollection([MeteorScore(), chrf(), chrf()])
    with pytest.raises(ValueError, match=r"^Input None to `MetricCollection` is not a instance of"):
        torchmetrics.MetricCollection([MeteorScore(), None])


@pytest.mark.parametrize("order", [*permutations(FOUR, 2)], ids=" ".join)
def test_a_collection_keeps_different_meteors_apart(order):
    """Presets whose first batch gives equal counts share no state: each scores as it does alone."""
    first, then = (["the cat"], ["the cat"]), (["a happy dog goes home"], ["the glad dog is going home"])
    metrics = torchmetrics.MetricCollection({name: MeteorScore(FOUR[name]) for name in order})
    for batch in (first, then):
        metrics.update(*batch)
    for name, found in metrics.compute().items():
        alone = MeteorScore(FOUR[name])
        for batch in (first, then):
            alone.update(*batch)
        assert found.item() == alone.compute().item(), name


def test_a_collection_of_four():
    """Four presets and a copy of one of them: the copies share their states, nobody else does."""
    presets = {**FOUR, "copy": "nltk"}
    metrics = torchmetrics.MetricCollection({name: MeteorScore(preset) for name, preset in presets.items()})
    for batch in ((["the cat"], ["the cat"]), (PREDS, TARGET)):
        metrics.update(*batch)
    groups = sorted(map(sorted, metrics.compute_groups.values()))
    assert groups == [["copy", "nltk"], ["exact"], ["jar"], ["paper"]]
    found = metrics.compute()
    for name, preset in presets.items():
        corpus = Scorer(preset).corpus().extend(references=["the cat", *TARGET], hypotheses=["the cat", *PREDS])
        assert found[name].item() == corpus.score().score
    later = pickled(metrics.clone())
    later.update(["a dog"], ["the dog"])
    again = (
        Scorer("nltk")
        .corpus()
        .extend(references=["the cat", *TARGET, "the dog"], hypotheses=["the cat", *PREDS, "a dog"])
    )
    assert later.compute()["copy"].item() == again.score().score
    assert metrics.compute() == found


@pytest.mark.filterwarnings("ignore:The ``compute`` method of metric MeteorScore was called before:UserWarning")
def test_states_of_another_meteor_are_refused():
    """Sharing, merging or loading states of another METEOR is an error; states of the same one are accepted."""

    def refused():
        return pytest.raises(InputMismatch, match=r"^states of different METEORs cannot be added up: ")

    two = {"a": MeteorScore(), "b": MeteorScore("nltk")}
    shared = torchmetrics.MetricCollection(two, compute_groups=[["a", "b"]])
    shared.update(PREDS, TARGET)
    with refused():
        shared.compute()
    metric, same, other = MeteorScore(), MeteorScore(), MeteorScore("nltk")
    for each in (metric, same, other):
        each.persistent(mode=True)
        each.update(PREDS, TARGET)
    with refused():
        metric.merge_state(other)
    metric.merge_state(same)
    corpus = Scorer().corpus().extend(references=TARGET * 2, hypotheses=PREDS * 2)
    assert metric.compute().item() == corpus.score().score
    same.load_state_dict(other.state_dict())
    with refused():
        same.compute()


def drawn(axes):
    """The points of the lines of a plot, without those of its bounds."""
    return [[float(value) for value in line.get_ydata()] for line in axes.get_lines()]


@pytest.mark.parametrize("sentences", [False, True], ids=["corpus", "with sentences"])
def test_plot(sentences, pyplot):
    """`plot` draws as BLEUScore's: the corpus score, or a series of them, within its bounds, into given axes too."""
    metric, bleu = MeteorScore(return_sentence_level_score=sentences), torchmetrics.text.BLEUScore()
    series = [metric([pred], [target]) for pred, target in zip(PREDS, TARGET, strict=True)]
    values = [each[0].item() if sentences else each.item() for each in series]
    for pred, target in zip(PREDS, TARGET, strict=True):
        bleu.update([pred], [[target] if isinstance(target, str) else target])
    figure, axes = metric.plot()
    theirs = bleu.plot()[1]
    assert isinstance(figure, pyplot.Figure)
    assert drawn(axes) == [[expected()[0]]]
    assert axes.get_ylim() == theirs.get_ylim()
    assert axes.get_ylabel() == "MeteorScore"
    assert drawn(metric.plot(series[0])[1]) == [values[:1]]
    given = pyplot.subplots()[1]
    assert metric.plot(series, given) == (None, given)
    assert drawn(given) == [values]


def test_plot_of_a_collection(pyplot):
    """A collection draws one picture for each metric or one for all."""
    metrics = torchmetrics.MetricCollection({name: MeteorScore(FOUR[name]) for name in ("paper", "nltk")})
    metrics.update(PREDS, TARGET)
    values = [[value.item()] for value in metrics.compute().values()]
    assert [drawn(axes) for _, axes in metrics.plot()] == [[value] for value in values]
    assert drawn(metrics.plot(together=True)[1]) == values


def test_casts_touch_neither_counts_nor_scores():
    """Half precision, of a model around the metric or by `set_dtype`, leaves its sums whole and its scores double."""
    score, scores = expected()
    metric = MeteorScore(return_sentence_level_score=True)
    model = torch.nn.Module()
    model.metric = metric
    metric.update(PREDS, TARGET)
    metrics = torchmetrics.MetricCollection([metric])
    for cast in (
        model.half,
        lambda: model.to(torch.float16),
        lambda: metric.set_dtype(torch.float16),
        lambda: metrics.set_dtype(torch.bfloat16),
    ):
        cast()
        assert metric.counts.dtype == metric.segment_count.dtype == metric.configuration.dtype == torch.int64
        found = metric.compute()
        assert (found[0].item(), found[1].tolist()) == (score, scores)
    metric.reset()
    metric.update(PREDS, TARGET)
    assert metric.counts.dtype == torch.int64
    assert metric.compute()[0].item() == score


def test_mistakes_add_nothing():
    """After an error in the middle of a batch the metric is as it was."""
    metric = MeteorScore()
    metric.update(PREDS[:1], TARGET[:1])
    before = metric.counts.clone()
    with pytest.raises(InputMismatch, match="1 references but 2 hypotheses"):
        metric.update(PREDS[:2], TARGET[:1])
    with pytest.raises(InputMismatch, match="at least one reference"):
        metric.update(PREDS[:2], [TARGET[0], []])
    with pytest.raises(TypeError, match="not strings"):
        metric.update("the cat", ["the cat"])
    with pytest.raises(TypeError, match="not strings"):
        metric.update(["the cat"], "the cat")
    assert torch.equal(metric.counts, before)


@pytest.mark.filterwarnings("ignore:The ``compute`` method of metric MeteorScore was called before:UserWarning")
def test_nothing_to_score():
    """A metric that was given nothing says so."""
    with pytest.raises(InputMismatch, match="nothing to score"):
        MeteorScore().compute()


@pytest.mark.thorough
@pytest.mark.parametrize("split", [1, 4], ids=["uneven", "one process has nothing"])
def test_two_processes_are_one_corpus(tmp_path, split):
    """Two processes that talk over gloo both get the score of one process, and keep their own part."""
    parts = [[(PREDS[:split], TARGET[:split])], [(PREDS[split:], TARGET[split:])] if PREDS[split:] else []]
    processes = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", WORKER, str(rank), str(tmp_path / "meeting"), json.dumps(part)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank, part in enumerate(parts)
    ]
    try:
        said = [process.communicate(timeout=120) for process in processes]
    finally:
        for process in processes:
            process.kill()
    score, scores = expected()
    twice = Scorer().corpus().extend(references=["a b"] * 2, hypotheses=["a b"] * 2).score().score
    for process, (out, errors), own in zip(processes, said, (split, len(PREDS) - split), strict=True):
        assert process.returncode == 0, errors
        assert json.loads(out) == [score, scores, own, twice, "states of different METEORs cannot be added up"]


def test_the_new_formula(config_2026, segments_2026):
    """States of METEOR 2026 add up as the corpus does, and go back to nothing."""
    references, hypotheses = segments_2026
    metric = MeteorScore(config_2026, return_sentence_level_score=True)
    metric.update(hypotheses[:1], references[:1])
    metric.update(hypotheses[1:], references[1:])
    corpus = Scorer(config_2026).corpus().extend(references=references, hypotheses=hypotheses)
    score, scores = metric.compute()
    assert score.item() == corpus.score().score
    assert scores.tolist() == [scored.score for scored in corpus]
    metric.reset()
    assert not metric.counts.any()
    assert len(metric.counts) == len(corpus.statistics.counts())
