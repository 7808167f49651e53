"""METEOR as a module of Hugging Face's evaluate, loaded from the package, offline."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from statistics import fmean

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import ParameterConfig, load_preset
from meteorlib.errors import ExtraMissing, InputMismatch, InvalidText, ResourceMissing, UnknownName

pytest.importorskip("evaluate")

import evaluate
import numpy as np

from meteorlib.integrations.evaluate import Meteor, path
from meteorlib.text import external_tokenizer

PREDICTIONS = ["It's raining again, isn't it?", "A dog ran. It barked.", "the cat sat on the mat", ""]
REFERENCES = [
    ["Is it raining again?", "It rains."],
    ["The dog ran. It was barking."],
    ["on the mat sat the cat"] * 3,
    ["x"],
]

LOAD = """
import json, socket, sys

def refuse(*_, **__):
    raise AssertionError("the network was asked")

socket.socket.connect = socket.getaddrinfo = refuse
import evaluate
from meteorlib.integrations.evaluate import path
metric = evaluate.load(path())
metric.add(prediction="a b", reference=["a b c", "a b"])
metric.add_batch(predictions=["c"], references=[["d"]])
print(json.dumps([metric.name, metric.compute(), metric.compute(predictions=["a b"], references=["a b c"])]))
core = evaluate.load(path(), "meteor-1.5-en-core")
print(json.dumps(core.compute(predictions=["the dogs ran"], references=["a dog ran"])))
try:
    evaluate.load(path(), "meteor-1.5-en-cor")
except Exception as error:
    print(json.dumps([type(error).__name__, str(error)]))
"""


class Length(evaluate.Metric):
    """A metric that takes nothing but texts."""

    def _info(self):
        import datasets

        text = datasets.Value("string")
        features = datasets.Features(predictions=text, references=datasets.Sequence(text))
        return evaluate.MetricInfo(description="", citation="", inputs_description="", features=features)

    def _compute(self, predictions, references):
        return {"length": sum(map(len, predictions)), "references": sum(map(len, references))}


@pytest.fixture
def metric():
    return Meteor(keep_in_memory=True)


@pytest.fixture
def punkt(tmp_path, monkeypatch):
    """NLTK finds a sentence splitter that knows no abbreviation, and nothing else."""
    nltk = pytest.importorskip("nltk")
    folder = tmp_path / "tokenizers" / "punkt_tab" / "english"
    folder.mkdir(parents=True)
    for name in ("collocations.tab", "sent_starters.txt", "abbrev_types.txt", "ortho_context.tab"):
        (folder / name).write_text("", encoding="utf-8")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    nltk.tokenize._get_punkt_tokenizer.cache_clear()
    yield nltk
    nltk.tokenize._get_punkt_tokenizer.cache_clear()


def test_result(metric):
    """`meteor` is the mean of the segments, `corpus` the corpus score; segments and signature are included."""
    corpus = Scorer("meteor-1.5-en-core").corpus().extend(references=REFERENCES, hypotheses=PREDICTIONS)
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES, preset="meteor-1.5-en-core") == {
        "meteor": corpus.mean(),
        "corpus": corpus.score().score,
        "segments": [segment.score for segment in corpus.segments],
        "signature": str(Scorer("meteor-1.5-en-core").signature),
    }


def test_the_default_is_the_scorers(metric):
    """Without `preset` it is the METEOR of ``Scorer()``; one reference for each may be given as a string."""
    found = metric.compute(predictions=["a dog"], references=["the dog"])
    assert found["segments"] == [Scorer().score("the dog", "a dog").score]
    assert found == metric.compute(predictions=["a dog"], references=[["the dog"]])
    assert found["signature"] == str(Scorer().signature)


def test_parameters(metric):
    """alpha, beta and gamma replace the preset's; a configuration does for a preset."""
    config = evolve(load_preset("meteor-2005"), parameters=ParameterConfig(0.5, 1.0, 0.2))
    found = metric.compute(predictions=PREDICTIONS, references=REFERENCES, alpha=0.5, beta=1, gamma=0.2)
    assert found == metric.compute(predictions=PREDICTIONS, references=REFERENCES, preset=config)
    assert found["signature"] == str(Scorer(config).signature)
    with pytest.raises(TypeError, match="gama"):
        metric.compute(predictions=PREDICTIONS, references=REFERENCES, gama=0.2)


def test_a_tokenizer_is_in_the_signature(metric):
    """A tokenizer splits texts before the preset does, and the signature names it."""
    found = metric.compute(predictions=["a-b"], references=["a c"], tokenizer=lambda text: text.split("-"))
    assert found["segments"] == [Scorer().score("a c", "a b").score]
    assert found["signature"].startswith(f"{Scorer().signature}|tokenizer:")


def test_preset_nltk_splits_as_evaluates_own_metric(metric, punkt):
    """With preset `nltk` words are those of NLTK's `word_tokenize`, sentence by sentence."""
    found = metric.compute(predictions=PREDICTIONS, references=REFERENCES, preset="nltk")

    def words(text):
        return " ".join(punkt.word_tokenize(text))

    scorer = Scorer("nltk")
    scores = [
        scorer.score([words(ref) for ref in refs], words(hyp)).score
        for refs, hyp in zip(REFERENCES, PREDICTIONS, strict=True)
    ]
    assert found["segments"] == scores
    assert scores != [
        segment.score for segment in scorer.corpus().extend(references=REFERENCES, hypotheses=PREDICTIONS).segments
    ]
    assert found["signature"] == f"{scorer.signature}|tokenizer:word_tokenize"
    by_hand = metric.compute(predictions=PREDICTIONS, references=REFERENCES, preset="nltk", tokenizer=str.split)
    assert by_hand["segments"] == [
        segment.score for segment in scorer.corpus().extend(references=REFERENCES, hypotheses=PREDICTIONS).segments
    ]


@pytest.mark.oracle
def test_preset_nltk_is_evaluates_own_metric(metric, punkt, oracles):
    """``compute(preset="nltk")["meteor"]`` is what evaluate's metric computes with NLTK, one reference or several."""
    from nltk.translate import meteor_score

    punkt.data.path.append(str(oracles / "nltk_data"))
    words = punkt.word_tokenize
    theirs = [
        meteor_score.meteor_score([words(ref) for ref in refs], words(pred), alpha=0.9, beta=3, gamma=0.5)
        for refs, pred in zip(REFERENCES, PREDICTIONS, strict=True)
    ]
    found = metric.compute(predictions=PREDICTIONS, references=REFERENCES, preset="nltk")
    assert found["segments"] == theirs
    assert found["meteor"] == np.mean(theirs)
    first = [refs[0] for refs in REFERENCES]
    theirs = [
        meteor_score.single_meteor_score(words(ref), words(pred), alpha=0.8, beta=2, gamma=0.4)
        for ref, pred in zip(first, PREDICTIONS, strict=True)
    ]
    found = metric.compute(predictions=PREDICTIONS, references=first, preset="nltk", alpha=0.8, beta=2, gamma=0.4)
    assert found["segments"] == theirs


def test_text_mode_word_tokenize(metric, punkt, monkeypatch):
    """The text mode `word_tokenize` of preset `nltk` gives the same scores."""
    monkeypatch.setattr(external_tokenizer, "_locked_tokenizer", external_tokenizer._locked_tokenizer.__wrapped__)
    found = metric.compute(predictions=PREDICTIONS, references=REFERENCES, preset="nltk")
    corpus = Scorer(evolve(load_preset("nltk"), text="word_tokenize")).corpus()
    scored = corpus.extend(references=REFERENCES, hypotheses=PREDICTIONS)
    assert [segment.score for segment in scored] == found["segments"]


def test_nltk_or_its_data_missing(metric, punkt, tmp_path, monkeypatch):
    """Without NLTK, or without its sentence splitter, preset `nltk` says what to install."""
    monkeypatch.setattr(punkt.data, "path", [str(tmp_path / "nowhere")])
    with pytest.raises(
        ResourceMissing, match=r"'punkt_tab' is not installed: run  python -m nltk.downloader punkt_tab"
    ):
        Meteor(keep_in_memory=True).compute(predictions=["a"], references=["a"], preset="nltk")
    monkeypatch.setitem(sys.modules, "nltk", None)
    with pytest.raises(ExtraMissing, match=r"meteorlib\[evaluate\]"):
        Meteor(keep_in_memory=True).compute(predictions=["a"], references=["a"], preset="nltk")


@pytest.mark.thorough
def test_evaluate_loads_it_offline(tmp_path):
    """``evaluate.load(path())`` works in an empty home without network, also with `add` and `add_batch`."""
    assert os.path.isfile(path())
    offline = {"HF_EVALUATE_OFFLINE": "1", "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", LOAD], env={**os.environ, **offline}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    default, core, unknown = map(json.loads, done.stdout.splitlines())
    name, several, single = default
    assert name == "meteor-2005"
    assert several["segments"] == [Scorer().score(["a b c", "a b"], "a b").score, 0.0]
    assert single["segments"] == [Scorer().score("a b c", "a b").score]
    assert core["signature"] == str(Scorer("meteor-1.5-en-core").signature)
    assert core["segments"] == [Scorer("meteor-1.5-en-core").score("a dog ran", "the dogs ran").score]
    assert unknown[0] == "UnknownName"
    assert "'meteor-1.5-en-cor' (did you mean 'meteor-1.5-en-core'?)" in unknown[1]


def test_the_name_of_the_configuration_is_the_preset():
    """``load(path(), NAME)`` makes ``Meteor(config_name=NAME)``: that preset, which a call may replace."""
    metric = Meteor("meteor-1.5-en-core", keep_in_memory=True)
    found = metric.compute(predictions=PREDICTIONS, references=REFERENCES)
    assert found == Meteor(keep_in_memory=True).compute(
        predictions=PREDICTIONS, references=REFERENCES, preset="meteor-1.5-en-core"
    )
    found = metric.compute(predictions=PREDICTIONS, references=REFERENCES, preset="meteor-2005-exact")
    assert found["signature"] == str(Scorer("meteor-2005-exact").signature)
    with pytest.raises(UnknownName, match=r"unknown preset 'meteor2005' \(did you mean 'meteor-2005'\?\)"):
        Meteor("meteor2005")


def test_combine():
    """`evaluate.combine` takes two METEORs beside another metric, to which no argument of METEOR may be given."""
    parts = {
        "paper": Meteor(keep_in_memory=True),
        "core": Meteor("meteor-1.5-en-core", keep_in_memory=True),
        "length": Length(keep_in_memory=True),
    }
    found = evaluate.combine(parts).compute(predictions=PREDICTIONS, references=REFERENCES)
    assert found["length"] == sum(map(len, PREDICTIONS))
    for name, preset in (("paper", "meteor-2005"), ("core", "meteor-1.5-en-core")):
        corpus = Scorer(preset).corpus().extend(references=REFERENCES, hypotheses=PREDICTIONS)
        assert found[f"{name}_meteor"] == corpus.mean()
        assert found[f"{name}_corpus"] == corpus.score().score
        assert found[f"{name}_signature"] == str(Scorer(preset).signature)


def test_combine_names_the_presets():
    """Keys that two METEORs of a list have in common begin with the name of the preset."""
    metrics = [Meteor(keep_in_memory=True), Meteor("meteor-1.5-en-core", keep_in_memory=True)]
    found = evaluate.combine(metrics).compute(predictions=PREDICTIONS, references=REFERENCES)
    assert {*found} == {
        f"{preset}_{key}"
        for preset in ("meteor-2005", "meteor-1.5-en-core")
        for key in ("meteor", "corpus", "segments", "signature")
    }
    for preset in ("meteor-2005", "meteor-1.5-en-core"):
        assert found[f"{preset}_signature"] == str(Scorer(preset).signature)


def test_the_mean_of_nltk_is_numpys(metric, punkt, root):
    """With preset `nltk` the mean is rounded as ``numpy.mean`` rounds, of which evaluate's own metric makes its own."""
    lines = [(root / "examples" / name).read_text("utf-8").splitlines() for name in ("system-a.en", "reference.0.en")]
    exact = 0
    sizes = range(3, 49, 5)
    for size in sizes:
        found = metric.compute(predictions=lines[0][:size], references=lines[1][:size], preset="nltk")
        assert found["meteor"] == np.mean(found["segments"])
        exact += found["meteor"] == fmean(found["segments"])
    assert exact < len(sizes)  # the exact mean is another number for some


def test_the_new_formula(config_2026, segments_2026):
    """A configuration of METEOR 2026 is taken like any other, and its numbers can be set."""
    references, hypotheses = segments_2026
    found = Meteor().compute(predictions=hypotheses, references=references, preset=config_2026)
    corpus = Scorer(config_2026).corpus().extend(references=references, hypotheses=hypotheses)
    assert found["corpus"] == corpus.score().score
    free = Meteor().compute(predictions=hypotheses, references=references, preset=config_2026, gamma=0.0, crossing=0.0)
    assert free["corpus"] == corpus.score().f_mean


@pytest.mark.parametrize("references", [["a cat", ["a cat", "the cat"]], [["a cat"], "the cat"]])
def test_mixed_references(references):
    """Strings and lists as references, which evaluate would cast to one another, are refused, also in batches."""
    message = r"references? \d is a (list|string), those before are (lists|strings).*\[text\]"
    for metric in (evaluate.load(path()), Meteor()):
        with pytest.raises(InputMismatch, match=message):
            metric.compute(predictions=["a cat", "the cat"], references=references)
        metric.add(prediction="a cat", reference=references[0])
        with pytest.raises(InputMismatch, match=message):
            metric.add(prediction="a cat", reference=references[1])
        with pytest.raises(InputMismatch, match=message):
            metric.add_batch(predictions=["a cat"], references=references[1:])
        assert metric.compute()["segments"] == [Scorer().score(references[0], "a cat").score]
    with pytest.raises(InputMismatch, match="prediction 2 is a list"):
        Meteor().compute(predictions=["a cat", ["a cat"]], references=["a cat", "a cat"])


def test_lists_written_as_text():
    """References that are the text of lists are refused."""
    with pytest.raises(InvalidText, match="segment 1: reference: a list written as text"):
        Meteor().compute(predictions=["a cat"], references=["['a cat', 'the cat']"])
