"""Signatures: same configuration, same string; other numbers, another string."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from gzip import compress

import pytest
from attrs import evolve, fields
from hypothesis import given
from hypothesis import strategies as st

from meteorlib._version import __version__
from meteorlib.config import ParameterConfig, ScorerConfig, SearchConfig, StageConfig, WeightConfig, load_preset
from meteorlib.core.parameters import NUMERIC_PARAMETERS
from meteorlib.core.signature import Signature
from meteorlib.engine.signatures import signature_of
from meteorlib.extras import Versions

DIGESTS = {"wordnet-en": "0123456789abcdef", "paraphrase-en": "fedcba9876543210"}

EVAL_IDS = {  # recorded from METEOR 1.5
    "meteor-1.5-en": "meteor-1.5-wo-en-norm-0.85_0.2_0.6_0.75-ex_st_sy_pa-1.0_0.6_0.8_0.6",
    "meteor-1.5-en-adq": "meteor-1.5-wo-en-norm-0.75_1.4_0.45_0.7-ex_st_sy_pa-1.0_1.0_0.6_0.8",
    "meteor-1.5-en-hter": "meteor-1.5-wo-en-norm-0.4_1.5_0.35_0.55-ex_st_sy_pa-1.0_0.2_0.6_0.8",
    "meteor-1.5-en-li": "meteor-1.5-wo-en-norm-0.75_1.4_0.7_0.5-ex_st_sy_pa-1.0_0.5_0.5_0.5",
    "meteor-1.5-en-tune": "meteor-1.5-wo-en-norm-0.5_1.0_0.5_0.5-ex_st_sy_pa-1.0_0.5_0.5_0.5",
    "meteor-1.5-en-util": "meteor-1.5-ch-en-norm-0.65_0.1_0.55_0.65-ex_st_sy_pa-1.0_0.0_0.0_0.8",
    "meteor-1.5-en-universal": "meteor-1.5-wo-en-norm-0.7_1.4_0.3_0.7-ex_pa-1.0_0.6",
    "meteor-1.5-en-core": "meteor-1.5-wo-en-norm-0.85_0.2_0.6_0.75-ex_st_sy-1.0_0.6_0.8",
    "meteor-2005": None,
    "meteor-2005-exact": None,
}


def signature(config: ScorerConfig, digests: Mapping[str, str] | None = None) -> Signature:
    """The signature of a configuration whose resources have these digests."""
    return signature_of(config, config.formula_parameters(), digests or {}, {}, Versions())


def test_the_line():
    """One line of key:value fields that says all: stages with resource, digest and weight, numbers, search, version."""
    assert str(signature(load_preset("meteor-2005"), DIGESTS)) == (
        "preset:meteor-2005|language:en|text:lower|stages:exact*1.0,stem(porter)*1.0,synonym(wordnet-en@01234567)*1.0"
        "|alpha:0.9|beta:3.0|gamma:0.5|delta:0.5|formula:meteor-2005|search:staged(budget=200000)"
        f"|count:words|reduce:max|resources:paraphrase-en@fedcba98|version:meteorlib-{__version__}"
    )
    assert str(signature(load_preset("meteor-1.5-en"))) == (
        "preset:meteor-1.5-en|language:en|text:norm|stages:exact*1.0,stem(snowball-en)*0.6,"
        "synonym(wordnet-en-offsets)*0.8,paraphrase(paraphrase-en)*0.6|alpha:0.85|beta:0.2|gamma:0.6|delta:0.75"
        "|formula:meteor-1.5|search:beam(width=40)|function_words:en|count:words|reduce:max"
        f"|version:meteorlib-{__version__}"
    )


BASE = load_preset("meteor-1.5-en")
STAGE = BASE.stages[1]
CHANGES = {
    "stages": [
        BASE.stages[:3],
        BASE.stages[::-1],
        (BASE.stages[0], evolve(STAGE, weight=0.6000000000000001), *BASE.stages[2:]),
        (BASE.stages[0], evolve(STAGE, resource="porter"), *BASE.stages[2:]),
        (BASE.stages[0], evolve(STAGE, resource=None), *BASE.stages[2:]),
        (BASE.stages[0], evolve(STAGE, resource=""), *BASE.stages[2:]),
    ],
    "parameters": [evolve(BASE.parameters, **{name: 0.123}) for name in ("alpha", "beta", "gamma", "delta")],
    "language": ["de", "en|text:lower"],
    "text": ["lower", "none", "norm_nopunct"],
    "search": [SearchConfig("beam", width=41), SearchConfig("staged"), SearchConfig("staged", budget=7)],
    "formula": ["meteor-2005", "meteor-2026"],
    "perfect_segments": ["penalized"],
    "weights": [
        WeightConfig("a"),
        WeightConfig("b"),
        WeightConfig("a", floor=0.2),
        WeightConfig("a", punctuation=0.2),
        WeightConfig("a", length=0.2),
        WeightConfig("a", function=0.2),
    ],
    "case": [0.9, 1.0],
    "function_words": [None, "de", "none", "/a/words.txt", "/b/words.txt"],
    "negations": ["negations-en", "/a/negations.txt"],
    "count": ["characters"],
    "reduce": ["mean", "min"],
}


def test_whatever_moves_a_number_is_in_it():
    """Every field but name, description and source changes the line, each change in its own way."""
    names = {attribute.name for attribute in fields(ScorerConfig)}
    assert set(CHANGES) == names - {"name", "description", "source", "resources"}  # of what lies there, the digests
    changed = [evolve(BASE, **{name: value}) for name, values in CHANGES.items() for value in values]
    lines = {signature(config).numbers for config in [BASE, *changed]}
    assert len(lines) == len(changed) + 1


def test_what_moves_no_number_is_not_in_it():
    """Description and source leave the line as it is; a name changes its first field only."""
    told = evolve(BASE, description="x", source="y")
    assert signature(told) == signature(BASE)
    named = signature(evolve(BASE, name="mine"))
    assert named.numbers == signature(BASE).numbers
    assert str(named) == f"preset:mine|{named.numbers}"


def test_digests_are_in_it():
    """Other data, another line; also data that the configuration does not name, like the normalizer's prefixes."""
    lines = [{}, {"paraphrase-en": "aa" * 32}, {"paraphrase-en": "bb" * 32}, {"nonbreaking-en": "aa" * 32}]
    assert len({signature(BASE, digests).numbers for digests in lines}) == 4


def test_a_file_is_named_by_its_content():
    """The folder of a resource file does not matter where its digest is known."""
    moved = [evolve(BASE, function_words=path) for path in ("/a/words.txt", "/b/c/words.txt", "C:\\d\\words.txt")]
    lines = {signature(config, {str(config.function_words): "ab" * 32}).numbers for config in moved}
    assert len(lines) == 1
    assert "|function_words:words.txt@abababab|" in lines.pop()


def test_integers_and_floats_are_one():
    """Alpha 1 and alpha 1.0 are the same configuration and the same line."""
    one = evolve(BASE, parameters=ParameterConfig(1, 3, 0, 1))
    other = evolve(BASE, parameters=ParameterConfig(1.0, 3.0, 0.0, 1.0))
    assert one == other
    assert signature(one) == signature(other)


@given(st.text(), st.text())
def test_names_cannot_fake_fields(one, other):
    """With any characters in a name, a signature is one line with the same fields, and other names give other lines."""
    made = [evolve(BASE, name=name, stages=(StageConfig("synonym", 1.0, name),)) for name in (one, other)]
    lines = [str(signature(config)) for config in made]
    assert len(lines[0].split("|")) == len(str(signature(BASE)).split("|"))
    assert lines[0].isprintable()
    assert " " not in lines[0]
    assert (lines[0] == lines[1]) == (one == other)


@pytest.mark.parametrize("name", [attribute.name for attribute in fields(ParameterConfig)])
def test_every_parameter(name):
    """No two values of a parameter have the same signature; another formula than METEOR's has no Eval ID."""
    config = load_preset("meteor-2026-en-core")
    other = evolve(config, parameters=evolve(config.parameters, **{name: 0.37}))
    assert signature(other).numbers != signature(config).numbers
    config = load_preset("meteor-1.5-en-core")
    other = evolve(config, parameters=evolve(config.parameters, **{name: 0.37}))
    if NUMERIC_PARAMETERS[name].formula is None:  # METEOR 1.5 has none, and checks refuse them
        assert signature(other).eval_id != signature(config).eval_id


@pytest.mark.parametrize(("name", "eval_id"), EVAL_IDS.items())
def test_eval_id(name, eval_id):
    """A preset of METEOR 1.5 has METEOR's Eval ID, one of 2005 has none."""
    assert signature(load_preset(name)).eval_id == eval_id


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"text": "none"}, "wo-en-no_norm-0.85"),
        ({"text": "lower"}, "wo-en-lc_only-0.85"),
        ({"text": "norm_nopunct"}, "wo-en-norm_nopunct-0.85"),
        ({"search": SearchConfig("beam", width=1)}, "wo-en-norm-0.85"),
        ({"parameters": ParameterConfig(0.0001, 12345678, 0.001, 0.5)}, "norm-1.0E-4_1.2345678E7_0.001_0.5-ex"),
        ({"language": "no", "text": "lower", "stages": [StageConfig("exact")]}, "wo-no-lc_only-"),
    ],
)
def test_eval_id_of_variants(change, part):
    """Text mode, language and numbers are in the Eval ID as METEOR writes them; beam width is not."""
    assert part in str(signature(evolve(BASE, **change)).eval_id)


@pytest.mark.parametrize(
    "change",
    [
        {"search": SearchConfig("staged")},
        {"reduce": "mean"},
        {"language": "ja", "text": "lower"},
        {"formula": "meteor-2005"},
        {"stages": [StageConfig("stem", 1.0, "porter")]},
    ],
)
def test_no_eval_id_for_what_meteor_cannot_do(change):
    """Configurations that METEOR 1.5 cannot compute have no Eval ID."""
    assert signature(evolve(BASE, **change)).eval_id is None


OPTIONS = {
    "meteor-1.5-en": "",
    "meteor-1.5-en-adq": "-t adq",
    "meteor-1.5-en-hter": "-t hter",
    "meteor-1.5-en-li": "-t li",
    "meteor-1.5-en-tune": "-t tune",
    "meteor-1.5-en-util": "-t util -ch",
    "meteor-1.5-en-universal": "-t universal",
    "meteor-1.5-en-core": "-m|exact stem synonym|-w|1.0 0.6 0.8",
}


@pytest.mark.oracle
@pytest.mark.parametrize(("name", "options"), OPTIONS.items())
def test_eval_id_is_what_meteor_prints(tmp_path, oracles, name, options):
    """The Eval ID is the one that METEOR 1.5 prints for the options of the preset."""
    (tmp_path / "text").write_text("a b c\n")
    (tmp_path / "table.gz").write_bytes(compress(b"0.5\na\nb\n"))
    arguments = options.split("|") if "|" in options else options.split()
    jar = ["java", "-Xmx2G", "-jar", str(oracles / "meteor-1.5.jar"), "text", "text", "-l", "en", "-norm"]
    run = subprocess.run([*jar, "-a", "table.gz", *arguments], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert f"Eval ID:        {signature(load_preset(name)).eval_id}\n" in run.stdout
