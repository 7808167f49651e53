"""Stemmers of packages that are installed: Snowball's newer languages, simplemma's lemmas."""

from __future__ import annotations

import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

import pytest
from attrs import evolve

from meteorlib import Scorer, StageConfig
from meteorlib.config import load_preset
from meteorlib.errors import ExtraMissing, ResourceMissing
from meteorlib.resources import stemmers
from meteorlib.resources.stemmers import (
    EXTERNAL_STEMMERS,
    METEOR_STEMMERS,
    NEWER_SNOWBALL_LANGUAGES,
    STEMMERS,
    Lemmatizer,
    stemmer,
)

ODD = ["", "a", "\0", "\ud800", "Ωμέγα", "поздравления", "running", "x" * 1000, "😀"]

STEMS = {
    "ar": ("الكتاب", "كتاب"),
    "ca": ("nacional", "nacionals"),
    "cs": ("domy", "domů"),
    "el": ("άνθρωπος", "άνθρωποι"),
    "eo": ("domo", "domoj"),
    "et": ("raamat", "raamatud"),
    "eu": ("mendiak", "mendian"),
    "fa": ("کتاب", "کتاب‌ها"),
    "ga": ("capall", "gcapall"),
    "hi": ("लड़का", "लड़के"),
    "hy": ("քաղաքներ", "քաղաքի"),
    "id": ("baca", "membaca"),
    "lt": ("namas", "namai"),
    "ne": ("घर", "घरमा"),
    "pl": ("dom", "domy"),
    "sr": ("kuća", "kuće"),
    "st": ("ruta", "rutile"),
    "ta": ("மரங்களை", "மரங்களில்"),
    "yi": ("הויז", "הויזן"),
}
"""Two forms of one word."""


@pytest.fixture(scope="module")
def snowball():
    """The version of snowballstemmer, where that has the languages."""
    pytest.importorskip("snowballstemmer.polish_stemmer", reason="needs snowballstemmer 3.1")
    return version("snowballstemmer")


@pytest.fixture(scope="module")
def simplemma():
    """The version of simplemma."""
    pytest.importorskip("simplemma", reason="needs simplemma")
    return version("simplemma")


@pytest.mark.parametrize("code", NEWER_SNOWBALL_LANGUAGES)
def test_snowball(snowball, code):
    """Every newer language of Snowball takes any string, and finds forms of one word; it says whose it is."""
    stem = stemmer(f"snowball-{code}")
    one, other = STEMS[code]
    assert stem(one) == stem(other)
    assert all(isinstance(stem(word), str) for word in ODD)
    assert stem.versions == {"snowballstemmer": snowball}


def test_simplemma_has_these_languages(simplemma):
    """The languages that can be named are simplemma's."""
    from simplemma.strategies.dictionaries import dictionary_factory

    languages = {path.name.partition(".")[0] for path in dictionary_factory.DATA_FOLDER.glob("*.plzma")}
    assert {name.partition("-")[2] for name, made in EXTERNAL_STEMMERS.items() if made is Lemmatizer} <= languages


def test_lemmas(simplemma):
    """A lemma is in small letters, as the text is; odd words stay as they are."""
    stem = stemmer("simplemma-de")
    assert [stem(word) for word in ("Kinder", "kindern", "kind", "ging", "gehen")] == ["kind"] * 3 + ["gehen"] * 2
    assert [stem(word) for word in ODD[:4]] == ODD[:4]
    assert all(isinstance(stem(word), str) for word in ODD)
    assert stem.versions == {"simplemma": simplemma}


def test_stage(simplemma):
    """A stage works with lemmas by their name; the signature says the version, and METEOR 1.5 has no Eval ID for it."""
    german = load_preset("meteor-1.5-de-core")
    stages = [StageConfig("exact"), StageConfig("stem", 0.8, "simplemma-de")]
    scorer = Scorer(evolve(german, stages=stages))
    assert scorer.signature.to_dict()["stages"] == f"exact*1.0,stem(simplemma-de,simplemma={simplemma})*0.8"
    assert scorer.signature.eval_id is None
    assert [stage for *_, stage in scorer.align("sie gehen heute", "sie ging heute").pairs()] == [
        "exact",
        "stem",
        "exact",
    ]
    again = pickle.loads(pickle.dumps(scorer))  # noqa: S301
    assert again.score("sie gehen", "sie ging") == scorer.score("sie gehen", "sie ging")


def test_both_engines(simplemma):
    """The extension asks the same stemmer."""
    german = load_preset("meteor-1.5-de-core")
    config = evolve(german, stages=[StageConfig("exact"), StageConfig("stem", 0.8, "simplemma-de")])
    pair = "Die Häuser standen am Fluss .", "Das Haus steht an den Flüssen ."
    assert Scorer(config).score(*pair) == Scorer(config, implementation="python").score(*pair)


@pytest.mark.parametrize("name", ["snowball-ar", "simplemma-en"])
def test_shared(request, name):
    """A stemmer goes through pickle, and threads that share one get the stems that one alone gets."""
    request.getfixturevalue(name.partition("-")[0])
    stem = stemmer(name)
    assert pickle.loads(pickle.dumps(stem)) == stem  # noqa: S301
    words = ["running", "houses", "كتابها", "والكتاب", "went"] * 50
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(stem, words)) == [stem(word) for word in words]


@pytest.mark.parametrize(
    ("name", "module", "message"),
    [
        ("simplemma-de", "simplemma", r"^simplemma is not installed: run  pip install 'meteorlib\[simplemma\]'$"),
        (
            "snowball-ar",
            "snowballstemmer.arabic_stemmer",
            r"^snowballstemmer with Arabic \(3.1 or newer\) is not installed: run  pip install 'meteorlib\[snowball\]'",
        ),
    ],
)
def test_missing(monkeypatch, name, module, message):
    """A missing package is named when the scorer is made, with the extra; the configuration can be written."""
    for known in (stemmers._snowball_class, stemmers._lemmatizer):
        known.cache_clear()
    monkeypatch.setitem(sys.modules, module, None)
    config = evolve(load_preset("meteor-2005"), stages=[StageConfig("exact"), StageConfig("stem", 1.0, name)])
    with pytest.raises(ExtraMissing, match=message):
        Scorer(config)


@pytest.mark.parametrize("name", ["snowball-ar", "simplemma-bg"])
def test_load(request, monkeypatch, name):
    """A stemmer is found without loading its dictionary; an unknown language is an error, as for the stemmer."""
    request.getfixturevalue(name.partition("-")[0])
    made, code = EXTERNAL_STEMMERS[name], name.partition("-")[2]
    assert callable(made.load(code))
    for known in (stemmers._snowball_class, stemmers._lemmatizer):
        known.cache_clear()
    monkeypatch.setitem(sys.modules, {"ar": "snowballstemmer.arabic_stemmer", "bg": "simplemma"}[code], None)
    with pytest.raises(ExtraMissing):
        made.load(code)


def test_a_language_that_an_older_simplemma_lacks(simplemma):
    """A language that the installed version does not have is an error that says so."""
    with pytest.raises(ResourceMissing, match=r"'simplemma-xy' .*the simplemma that is installed does not have it"):
        Lemmatizer("xy")


def test_meteors_own_stay():
    """No name of METEOR's own is another package's."""
    assert METEOR_STEMMERS.isdisjoint(EXTERNAL_STEMMERS)
    assert METEOR_STEMMERS < STEMMERS
