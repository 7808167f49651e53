"""Every adapter: the same scores as `Scorer` on the same data, and no adapter or framework but its own is loaded."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import load_preset
from meteorlib.errors import ExtraMissing, MeteorError
from meteorlib.integrations import nlgmetricverse, nltk, pymeteor
from meteorlib.integrations.pycocoevalcap import Meteor as Captions

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PRESETS = ("meteor-1.5-en-core", *(pytest.param(name, marks=pytest.mark.thorough) for name in ("meteor-2005", "nltk")))
EXACT = evolve(load_preset("meteor-2005-exact"), text="none")

FRAMEWORKS = {
    "dask": ("dask", "distributed"),
    "evaluate": ("evaluate", "datasets"),
    "frames": ("narwhals", "pandas", "polars"),
    "nlgmetricverse": (),
    "nltk": (),
    "pycocoevalcap": (),
    "pymeteor": (),
    "sacrebleu": ("sacrebleu",),
    "torchmetrics": ("torch", "torchmetrics"),
}
"""Adapter → the packages it needs."""

NEEDY = ("evaluate", "sacrebleu", "torchmetrics")
NEVER = ("nltk", "pycocoevalcap", "nlgmetricverse", "pymeteor")


def lines(name):
    return (EXAMPLES / name).read_text(encoding="utf-8").split("\n")[:-1]


HYPOTHESES = lines("system-b.en")
STREAMS = [lines("reference.0.en"), lines("reference.1.en")]
REFERENCES = [list(pair) for pair in zip(*STREAMS, strict=True)]


def by_pycocoevalcap(preset):
    gts, res = dict(enumerate(REFERENCES)), {index: [text] for index, text in enumerate(HYPOTHESES)}
    return Captions(preset).compute_score(gts, res)


def by_torchmetrics(preset):
    pytest.importorskip("torchmetrics")
    from meteorlib.integrations.torchmetrics import MeteorScore

    metric = MeteorScore(preset, return_sentence_level_score=True)
    for begin in range(0, len(HYPOTHESES), 20):
        metric.update(HYPOTHESES[begin : begin + 20], REFERENCES[begin : begin + 20])
    score, scores = metric.compute()
    return score.item(), scores.tolist()


def by_sacrebleu(preset):
    pytest.importorskip("sacrebleu")
    from meteorlib.integrations.sacrebleu import METEOR

    metric = METEOR(preset)
    segments = [metric.sentence_score(hyp, refs).score for hyp, refs in zip(HYPOTHESES, REFERENCES, strict=True)]
    return metric.corpus_score(HYPOTHESES, STREAMS).score, segments


def by_evaluate(preset):
    pytest.importorskip("evaluate")
    from meteorlib.integrations.evaluate import Meteor

    tokenizer = str.split if preset == "nltk" else None
    metric = Meteor(keep_in_memory=True)
    found = metric.compute(predictions=HYPOTHESES, references=REFERENCES, preset=preset, tokenizer=tokenizer)
    return found["corpus"], found["segments"]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("adapter", [by_pycocoevalcap, by_torchmetrics, by_sacrebleu, by_evaluate])
def test_corpus_and_segments_are_the_scorers(adapter, preset):
    """The adapter's corpus score and the score of every segment are those of `Corpus`, to the last digit."""
    corpus = Scorer(preset).corpus().extend(references=REFERENCES, hypotheses=HYPOTHESES)
    assert len(corpus) == 48
    score, scores = adapter(preset)
    assert score == corpus.score().score
    assert scores == [segment.score for segment in corpus.segments]


def test_nltk_segments_are_the_scorers():
    """NLTK's function on words gives the scores of preset `nltk` on the text."""
    corpus = Scorer("nltk").corpus().extend(references=REFERENCES, hypotheses=HYPOTHESES)
    scores = [
        nltk.meteor_score([ref.split() for ref in refs], hyp.split())
        for refs, hyp in zip(REFERENCES, HYPOTHESES, strict=True)
    ]
    assert scores == [segment.score for segment in corpus.segments]


def test_pymeteor_segments_are_the_scorers():
    """PyMETEOR's function knows one reference: each gives the score of METEOR 2005 with exact matches."""
    scorer = Scorer(EXACT)
    for stream in STREAMS:
        found = [pymeteor.meteor(ref, hyp) for ref, hyp in zip(stream, HYPOTHESES, strict=True)]
        assert found == [scorer.score(ref, hyp).score for ref, hyp in zip(stream, HYPOTHESES, strict=True)]


@pytest.mark.parametrize("preset", PRESETS)
def test_nlgmetricverse_segments_and_mean_are_the_scorers(preset):
    """Its result for one item is the segment's score, for all of them the mean, which it has for a corpus score."""
    corpus = Scorer(preset).corpus().extend(references=REFERENCES, hypotheses=HYPOTHESES)
    for hyp, refs, segment in zip(HYPOTHESES, REFERENCES, corpus.segments, strict=True):
        assert nlgmetricverse.compute([hyp], [refs], preset=preset)["meteor"]["score"] == segment.score
    found = nlgmetricverse.compute(HYPOTHESES, REFERENCES, preset=preset)["meteor"]["score"]
    assert found == pytest.approx(corpus.mean(), rel=1e-15, abs=0.0)


def run(code):
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()


@pytest.mark.thorough
@pytest.mark.parametrize("adapter", FRAMEWORKS)
def test_an_adapter_loads_no_other(adapter):
    """Importing an adapter loads no other one; an adapter that needs no framework loads none."""
    code = (
        "import sys\ntry:\n"
        f"    import meteorlib.integrations.{adapter}\n"
        "except ImportError as error:\n    print('missing')\n"
        "else:\n    print(*sys.modules, sep='\\n')"
    )
    loaded = run(code)
    if loaded == ["missing"]:
        pytest.skip(f"the framework of {adapter} is not installed")
    own = f"meteorlib.integrations.{adapter}"
    others = {f"meteorlib.integrations.{other}" for other in FRAMEWORKS} - {own}
    assert own in loaded
    assert sorted(others & set(loaded)) == []
    assert adapter != "frames" or not {"pandas", "polars", "pyarrow", "dask"} & set(loaded)
    if not FRAMEWORKS[adapter]:
        every = {module for modules in FRAMEWORKS.values() for module in modules} | set(NEVER)
        assert sorted(every & set(loaded)) == []


def test_installing_the_package_brings_no_framework():
    """The package depends on no framework; each has an extra, which names it."""
    project = tomllib.loads((EXAMPLES.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    brought = {re.split(r"[^\w-]", dependency)[0] for dependency in project["dependencies"]}
    named = {module for modules in FRAMEWORKS.values() for module in modules} | set(NEVER)
    assert brought & named == set()
    for extra, framework in (("coco", "pycocoevalcap"), *((name, name) for name in NEEDY)):
        extras = {re.split(r"[^\w-]", dependency)[0] for dependency in project["optional-dependencies"][extra]}
        assert framework in extras


def test_importing_the_package_loads_no_adapter():
    """``import meteorlib`` loads none of them."""
    loaded = run("import sys, meteorlib; print(*sys.modules, sep='\\n')")
    assert [name for name in loaded if name.startswith("meteorlib.integrations")] == []


MISSING = [*((name, FRAMEWORKS[name]) for name in NEEDY), ("frames", ["narwhals"])]
MISSING += [("dask", ["distributed"]), ("dask", ["pyarrow"])]


@pytest.mark.parametrize(
    ("extra", "packages"), [MISSING[0], *(pytest.param(*one, marks=pytest.mark.thorough) for one in MISSING[1:])]
)
def test_without_its_framework_an_adapter_names_the_extra(extra, packages):
    """Without a package that it needs the import ends with an error that says which extra to install."""
    code = (
        "import sys\n"
        f"for name in {packages!r}: sys.modules[name] = None\n"
        "from meteorlib.errors import MeteorError\n"
        "try:\n"
        f"    import meteorlib.integrations.{extra}\n"
        "except MeteorError as error:\n"
        "    assert isinstance(error, ImportError)\n"
        "    print(error)\n"
    )
    told = " ".join(run(code))
    assert f"pip install 'meteorlib[{extra}]'" in told
    assert any(package in told for package in packages)


def test_extra_missing_carries_its_data():
    """The error is a `MeteorError` and an `ImportError`, and names the missing package and its extra."""
    error = ExtraMissing("torch", "torchmetrics")
    assert isinstance(error, MeteorError)
    assert isinstance(error, ImportError)
    assert (error.package, error.extra) == ("torch", "torchmetrics")
    assert str(error) == "torch is not installed: run  pip install 'meteorlib[torchmetrics]'"
