"""METEOR as a metric of torchmetrics: batches, processes, pickles."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from copy import deepcopy

import pytest

from meteorlib import Scorer
from meteorlib.errors import InputMismatch

torch = pytest.importorskip("torch")
torchmetrics = pytest.importorskip("torchmetrics")

from meteorlib.integrations.torchmetrics import MeteorScore  # noqa: E402 – only where torchmetrics is

PREDS = ["the cat sat on the mat", "a dog ran", "it will rain today", "nobody came"]
TARGET = [["on the mat sat the cat", "a cat sat"], "the dog was running", "today it rains", ["nobody came", "no one"]]

WORKER = """
import json, sys
import torch.distributed as dist
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
print(json.dumps([score.item(), scores.tolist(), before, again.item()]))
dist.destroy_process_group()
"""


def expected(preds=PREDS, target=TARGET):
    corpus = Scorer().corpus().extend(target, preds)
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
    """The states that processes exchange are integer sums; only sentence scores are gathered."""
    metric = MeteorScore(return_sentence_level_score=True)
    metric.update(PREDS, TARGET)
    assert metric.counts.dtype == metric.segment_count.dtype == torch.int64
    summed = {name for name, reduction in metric._reductions.items() if reduction.__name__ == "dim_zero_sum"}
    assert summed == {"counts", "segment_count"}
    assert set(metric._reductions) == {*summed, "sentence_scores"}


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
    """A pickled, copied or cloned metric has the state and goes on alone."""
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


def test_casts_do_not_touch_counts():
    """Half precision of a model around the metric leaves its sums whole."""
    metric = MeteorScore()
    model = torch.nn.Module()
    model.metric = metric
    metric.update(PREDS, TARGET)
    model.half()
    assert metric.counts.dtype == torch.int64
    assert metric.compute().item() == expected()[0]


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
    twice = Scorer().corpus().extend(["a b"] * 2, ["a b"] * 2).score().score
    for process, (out, errors), own in zip(processes, said, (split, len(PREDS) - split), strict=True):
        assert process.returncode == 0, errors
        assert json.loads(out) == [score, scores, own, twice]
