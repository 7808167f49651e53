"""sacrebleu's paired tests, fed with the same METEOR: the same samples, the same intervals, the same p values."""

from __future__ import annotations

import bz2
import pickle
import random
import tarfile

import pytest

from meteorlib import Scorer
from meteorlib.analysis.significance import compare_systems

pytest.importorskip("sacrebleu")

from sacrebleu.significance import PairedTest

from meteorlib.integrations.sacrebleu import METEOR

SAMPLES = 300
ROUNDING = 1e-12


@pytest.fixture(scope="module")
def systems(texts):
    """Six systems that differ in half of their segments, each from the one or the other of the examples."""
    choice = random.Random(9).choice
    pairs = list(zip(texts["system-a.en"], texts["system-b.en"], strict=True))
    return {f"system{number}": [choice(pair) for pair in pairs] for number in range(6)}


@pytest.fixture(scope="module")
def corpora(texts, systems):
    """Texts of the examples, scored."""
    references = list(zip(texts["reference.0.en"], texts["reference.1.en"], strict=True))
    return {name: Scorer().corpus().extend(references=references, hypotheses=lines) for name, lines in systems.items()}


@pytest.fixture(params=[None, "7"])
def seed(request, monkeypatch):
    """The seed that sacrebleu has by itself, and another one."""
    if request.param is not None:
        monkeypatch.setenv("SACREBLEU_SEED", request.param)
    return {} if request.param is None else {"seed": int(request.param)}


def theirs(texts, systems, test_type, **settings):
    """The results of sacrebleu by system."""
    streams = [texts["reference.0.en"], texts["reference.1.en"]]
    _, found = PairedTest([*systems.items()], {"METEOR": METEOR()}, streams, test_type, SAMPLES, **settings)()
    return dict(zip(systems, found["METEOR"], strict=True))


def test_bootstrap(texts, systems, corpora, seed):
    """Scores, means, confidence intervals and p values of six systems are sacrebleu's own."""
    expected = theirs(texts, systems, "bs")
    found = compare_systems(corpora, test="bootstrap", samples=SAMPLES, **seed)
    assert len({system.difference.p for system in found.systems[1:]}) > 3
    for system in found.systems:
        other = expected[system.name]
        assert system.score == other.score
        assert system.interval.mean == pytest.approx(other.mean, rel=ROUNDING)
        assert system.interval.half_width == pytest.approx(other.ci, rel=1e-9)
        assert (system.difference and system.difference.p) == other.p_value


def test_randomization(texts, systems, corpora, seed):
    """The p values of approximate randomization equal sacrebleu's."""
    expected = theirs(texts, systems, "ar")
    found = compare_systems(corpora, test="randomization", samples=SAMPLES, **seed)
    assert len({system.difference.p for system in found.systems[1:]}) > 3
    for system in found.systems[1:]:
        assert system.difference.p == expected[system.name].p_value


class PlainData(pickle.Unpickler):
    """Lists, tuples and texts; nothing that could act."""

    def find_class(self, module, name):
        raise pickle.UnpicklingError(f"{module}.{name}")


@pytest.fixture(scope="module")
def wmt17(oracles):
    """The systems and references of sacrebleu's published example (WMT 2017, English to German), out of its archive."""
    archive = oracles / "sacrebleu-2.6.0.tar.gz"
    if not archive.exists():
        pytest.skip(f"no {archive.name} beside the jar: pip download --no-deps --no-binary sacrebleu sacrebleu==2.6.0")
    name = f"{archive.name.removesuffix('.tar.gz')}/test/wmt17_en_de_systems.pkl.bz2"
    with tarfile.open(archive) as opened, bz2.open(opened.extractfile(name)) as data:
        *systems, (_, references) = PlainData(data).load()
    return systems, references


@pytest.mark.oracle
@pytest.mark.parametrize(("test_type", "ours"), [("bs", "bootstrap"), ("ar", "randomization")])
def test_published_example(wmt17, test_type, ours):
    """All systems of the example against the first: sacrebleu's paired tests of our METEOR give our p values."""
    systems, streams = wmt17
    assert (len(systems), len(streams[0])) == (16, 3004)
    scorer = Scorer("meteor-1.5-de-core")
    references = list(zip(*streams, strict=True))
    corpora = {name: scorer.corpus().extend(references=references, hypotheses=lines) for name, lines in systems}
    found = compare_systems(corpora, test=ours, samples=SAMPLES)
    metric = {"METEOR": METEOR("meteor-1.5-de-core")}
    _, expected = PairedTest(systems, metric, streams, test_type, SAMPLES)()
    for system, other in zip(found.systems, expected["METEOR"], strict=True):
        assert system.score == other.score
        assert (system.difference and system.difference.p) == other.p_value
    assert len({system.difference.p for system in found.systems[1:]}) > 3


def test_ties(texts, corpora):
    """A sample that equals the observed difference counts, unlike in sacrebleu.

    Two systems that differ in six segments, always for the worse, can be shuffled in 64 ways. Two of them show as large
    a difference, so that p is 2/64.
    """
    better, other = texts["system-a.en"], texts["system-b.en"]
    worse = [other[place] if place in range(6) else line for place, line in enumerate(better)]
    references = list(zip(texts["reference.0.en"], texts["reference.1.en"], strict=True))
    scored = {
        name: Scorer().corpus().extend(references=references, hypotheses=lines)
        for name, lines in (("a", better), ("b", worse))
    }
    found = compare_systems(scored, samples=20_000)["b"].difference
    assert (found.changes.worse, found.changes.better) == (6, 0)
    assert found.p == pytest.approx(2 / 64, abs=0.004)
    assert theirs(texts, {"a": better, "b": worse}, "ar")["b"].p_value == 1 / 301


def test_the_same_system(texts, systems, corpora):
    """A system compared with itself has p 1, because every sample counts; sacrebleu counts none."""
    one, scored = systems["system0"], corpora["system0"]
    for ours, test_type in (("bootstrap", "bs"), ("randomization", "ar")):
        assert theirs(texts, {"one": one, "again": one}, test_type)["again"].p_value == 1 / 301
        found = compare_systems({"one": scored, "again": scored}, test=ours, samples=SAMPLES)
        assert found["again"].difference.p == 1
