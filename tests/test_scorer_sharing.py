"""Scorers made from configurations, copied, shared between threads, with parts of third parties."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest
from attrs import evolve
from attrs.exceptions import FrozenInstanceError

from meteorlib import ParameterConfig, Scorer, ScorerConfig, SearchConfig, StageConfig, caches
from meteorlib.config import load_preset
from meteorlib.core.segment import Pair
from meteorlib.engine import compiled
from meteorlib.engine.implementation import load_kernel
from meteorlib.errors import ConfigError, InvalidText, UnknownName
from meteorlib.integrations.nltk import nltk_scorer

PAPER = Scorer()
EXACT = Scorer("meteor-2005-exact")
NEW = Scorer("meteor-1.5-en-core")
ALL = {"2005": PAPER, "exact": EXACT, "1.5": NEW}


def test_frozen():
    """A scorer does not change, so it can be shared."""
    with pytest.raises(FrozenInstanceError):
        PAPER.config = NEW.config


@pytest.mark.parametrize("name", ALL)
def test_pickle(name):
    """A scorer comes back from a pickle with the same configuration, signature and scores."""
    metric = ALL[name]
    metric.score("the cats", "a cat")
    copy = pickle.loads(pickle.dumps(metric))  # noqa: S301
    assert (copy.config, copy.signature) == (metric.config, metric.signature)
    assert copy.score("the cats sat", "the cat sat") == metric.score("the cats sat", "the cat sat")


@pytest.mark.parametrize("name", ["meteor-2005", "nltk", "meteor-1.5-en-core"])
def test_equality(name):
    """Scorers of one configuration are equal and hash alike, copies from a pickle too; others are not."""
    one = Scorer(name)
    for like in (Scorer(name), Scorer(one.config), pickle.loads(pickle.dumps(one))):  # noqa: S301
        assert like == one
        assert hash(like) == hash(one)
        assert (like.config, like.signature) == (one.config, one.signature)
    others = [evolve(one.config, reduce="mean"), evolve(one.config, name="mine"), "meteor-2005-exact"]
    assert all(Scorer(other) != one for other in others)
    assert one != name


def test_equality_of_data(tmp_path):
    """The data behind a configuration counts: where its file has changed, it is another METEOR."""
    file = tmp_path / "words.txt"
    file.write_text("the\n", "utf-8")
    config = evolve(PAPER.config, function_words=str(file))
    one, like = Scorer(config), Scorer(config)
    assert one == like
    file.write_text("a\n", "utf-8")
    assert Scorer(config) != one


def test_parts_of_a_caller():
    """A scorer with a caller's own parts equals none but itself."""

    class Stemmer:
        def stem(self, word):
            return word[:2]

    one, other = (nltk_scorer(stemmer) for stemmer in (Stemmer(), None))
    assert one == one  # noqa: PLR0124 – the rule
    assert one != nltk_scorer(Stemmer())
    assert one != other
    assert other == Scorer(other.config)


def test_pickle_of_results():
    """Breakdowns come back from a pickle as they were."""
    found = PAPER.score("the cats sat", "a cat sits")
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301


@pytest.mark.parametrize("name", ALL)
def test_threads(name, root):
    """Four threads that share a scorer get what one gets, alignments and all."""
    names = ("reference.0.en", "reference.1.en", "system-a.en")
    *references, hypotheses = [(root / "examples" / file).read_text("utf-8").splitlines() for file in names]
    work = list(zip(zip(*references, strict=True), hypotheses, strict=True)) * 2
    shared = Scorer(ALL[name].config)
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda pair: shared.score(*pair), work))
    assert found == [ALL[name].score(*pair) for pair in work]


def test_references_are_analyzed_once():
    """A repeated reference is not analyzed again; the cache is bounded, and scores do not change."""
    metric = Scorer("meteor-2005-exact")
    metric.score("a 2", "x")
    kept = metric.engine.references["a 2"]
    metric.score("a 2", "y")
    assert metric.engine.references["a 2"] is kept
    many = [f"a {number}" for number in range(caches.REFERENCES + 10)]
    assert metric.score(many, many[-2]).reference_index == len(many) - 2
    assert len(metric.engine.references) <= caches.REFERENCES
    assert metric.score("a 2", "a b") == EXACT.score("a 2", "a b")


@pytest.mark.parametrize("name", ALL)
def test_sums_in_threads(name, root, monkeypatch):
    """Threads that sum up with one scorer, and share the references that they read, get what one gets."""
    monkeypatch.setattr(compiled, "BATCH_SIZE", 3)
    monkeypatch.setattr(caches, "REFERENCES", 20)
    names = ("reference.0.en", "reference.1.en", "system-a.en")
    *references, hypotheses = [(root / "examples" / file).read_text("utf-8").splitlines() for file in names]
    pairs = list(map(Pair, zip(*references, strict=True), hypotheses))
    shared = Scorer(ALL[name].config)
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(shared.totals, [pairs] * 4))
    assert found == [ALL[name].totals(pairs)] * 4
    assert [shared.score(*pair) for pair in pairs] == [ALL[name].score(*pair) for pair in pairs]


def test_a_reference_that_was_only_begun():
    """After an error in the middle of sums, references that were read on the way count as if they had not been."""
    metric = Scorer("meteor-1.5-en-core")
    with pytest.raises(InvalidText):
        metric.totals([Pair(["a cat sat"], "a cat"), Pair(["a dog"], "a\0")])
    assert metric.score("a cat sat", "a cat") == Scorer("meteor-1.5-en-core").score("a cat sat", "a cat")


def test_from_file(root):
    """A preset of a YAML file by name, or its default."""
    file = root / "configs" / "example.yaml"
    assert Scorer.from_file(file).config.name == Scorer.from_file(str(file), preset="mine").config.name == "mine"
    assert Scorer.from_file(file, "strict").config.parameters.gamma == 0.7
    with pytest.raises(UnknownName) as caught:
        Scorer.from_file(file, preset="strickt")
    assert str(caught.value) == "unknown preset 'strickt' (did you mean 'strict'?); known: mine, strict"


def test_configuration():
    """A scorer can be made from a configuration alone."""
    config = ScorerConfig("mine", [StageConfig("exact")], ParameterConfig(0.5, 1, 0.5), formula="meteor-2005")
    assert Scorer(config).score("a b", "b a").penalty == 0.5


def test_parts_given_by_hand():
    """A given part replaces a resource, is named in the signature, and survives pickling."""
    ours = Scorer("meteor-2005", given={"stem": last_letters})
    assert str(ours.signature) == str(PAPER.signature).replace(
        "stem(porter)", "stem(given=tests.test_scorer_sharing.last_letters)"
    )
    assert ours.score("bring", "sing").statistics.matches == (0, 1, 0)
    copy = pickle.loads(pickle.dumps(ours))  # noqa: S301
    assert copy.signature == ours.signature != PAPER.signature
    assert copy.score("bring", "sing") == ours.score("bring", "sing")


def test_parts_given_for_no_stage():
    """A part for a matcher that the configuration lacks is refused."""
    with pytest.raises(ConfigError, match="a part was given for 'stem', which is in no stage"):
        Scorer("meteor-2005-exact", given={"stem": last_letters})


def last_letters(word):
    """A stemmer."""
    return word[-3:]


def test_implementation(monkeypatch):
    """The implementation is an argument; the environment says only what it is by default."""
    python = Scorer(NEW.config, implementation="python")
    assert not python.threads_help
    assert pickle.loads(pickle.dumps(python)).implementation == "python"  # noqa: S301
    monkeypatch.setenv("METEORLIB_PURE_PYTHON", "1")
    assert not Scorer(NEW.config).threads_help
    with pytest.raises(ConfigError, match="cannot run compiled: search 'accurate' has no compiled form; use 'auto'"):
        Scorer(evolve(NEW.config, search=SearchConfig("accurate")), implementation="compiled")
    monkeypatch.setattr("meteorlib.engine.build.load_kernel", lambda: None)
    assert not Scorer(NEW.config, implementation="auto").threads_help
    with pytest.raises(ConfigError, match="cannot run compiled: the compiled kernel was not built"):
        Scorer(NEW.config, implementation="compiled")


@pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel")
@pytest.mark.parametrize(
    ("search", "stages", "case", "reason"),
    [
        ("accurate", "exact", None, "search 'accurate' has no compiled form"),
        ("beam", "exact joined", None, "stage 'joined' has no compiled form for search 'beam'"),
        (
            "weighted", "exact near joined", None,
            "search 'weighted' has no compiled form for these stages in this order: exact, near, joined",
        ),
        ("beam", "exact", 0.5, "search 'beam' has no compiled form for 'case'"),
    ],
)  # fmt: skip
def test_what_has_no_compiled_form(search, stages, case, reason):
    """The error names the search or the stage that has no compiled form."""
    config = ScorerConfig(
        "mine", [StageConfig(name) for name in stages.split()], ParameterConfig(0.5, 1, 0.5), text="none", case=case,
        search=SearchConfig(search), formula="meteor-2005",
    )  # fmt: skip
    with pytest.raises(ConfigError, match=f"cannot run compiled: {reason}; use 'auto'"):
        Scorer(config, implementation="compiled")


@pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel")
def test_compiled_is_asked_for(monkeypatch):
    """An implementation asked for by name does not depend on the environment."""
    monkeypatch.setenv("METEORLIB_PURE_PYTHON", "1")
    assert Scorer(NEW.config, implementation="compiled").threads_help


class Couples:
    """A paraphrase table in memory: "big" and "very large"."""

    targets, last_words = [3, 0], [0, 1, 2, 2]

    def word(self, word):
        return {"big": 0, "very": 1, "large": 2}.get(word, -1)

    def node(self, number):
        return {0: (3, 3, 0, 1), 1: (3, 4, 1, 1), 2: (4, 4, 1, 1), 3: (4, 4, 1, 2)}[number]

    def check(self):
        """A scorer cannot be modified."""


def test_a_table_given_by_hand():
    """A paraphrase table of one's own is read by the Python code, whichever implementation is the default."""
    config = load_preset("meteor-1.5-en")
    scorer = Scorer(config, given={"paraphrase": Couples()}, implementation="auto")
    assert [name for *_, name in scorer.align("a big house", "a very large house").pairs()] == [
        "exact", "paraphrase", "exact",
    ]  # fmt: skip
    with pytest.raises(ConfigError, match="cannot run compiled"):
        Scorer(config, given={"paraphrase": Couples()}, implementation="compiled")
