"""METEOR 1.5 for every language: presets, names of languages, and files for a new one."""

from __future__ import annotations

import pickle

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import ParameterConfig, SearchConfig, load_file, load_preset, preset_names
from meteorlib.config.resolution import check
from meteorlib.errors import ConfigError

LI = (0.75, 1.4, 0.7, 0.5)
FULL = {  # section 7 of the description of METEOR 1.5: parameters; stages and weights
    "cz": ((0.95, 0.2, 0.6, 0.8), {"exact": 1.0, "paraphrase": 0.4}),
    "de": ((0.95, 1.0, 0.55, 0.55), {"exact": 1.0, "stem": 0.8, "paraphrase": 0.2}),
    "es": ((0.65, 1.3, 0.5, 0.8), {"exact": 1.0, "stem": 0.8, "paraphrase": 0.6}),
    "fr": ((0.9, 1.4, 0.6, 0.65), {"exact": 1.0, "stem": 0.2, "paraphrase": 0.4}),
    "ru": (LI, {"exact": 1.0, "stem": 0.5, "paraphrase": 0.5}),
}
STEMMED = "da fi hu it nl no pt ro se tr".split()
PRESETS = {
    **{f"meteor-1.5-{code}": (code, "norm", *numbers, "en") for code, numbers in FULL.items()},
    **{f"meteor-1.5-{code}-intended": (code, "norm", *numbers, code) for code, numbers in FULL.items()},
    **{
        f"meteor-1.5-{code}-core": (code, "norm", parameters, dict(list(stages.items())[:-1]), "en")
        for code, (parameters, stages) in FULL.items()
    },
    **{f"meteor-1.5-{code}": (code, "lower", LI, {"exact": 1.0, "stem": 0.5}, "en") for code in STEMMED},
    "meteor-1.5-other": ("other", "lower", LI, {"exact": 1.0}, "en"),
    "meteor-1.5-universal": (
        "other",
        "lower",
        (0.7, 1.4, 0.3, 0.7),
        {"exact": 1.0, "paraphrase": 0.6},
        "function.words",
    ),
}


@pytest.mark.parametrize("name", PRESETS)
def test_presets(name):
    """Every preset has the parameters, stages, weights, text mode and function words that METEOR 1.5 has for it."""
    language, text, parameters, weights, function_words = PRESETS[name]
    table = "paraphrase.gz" if name.endswith("universal") else f"paraphrase-{language}"
    resources = {"exact": None, "stem": f"snowball-{language}", "paraphrase": table}
    config = load_preset(name)
    assert name in preset_names()
    assert config.parameters == ParameterConfig(*parameters)
    assert {stage.matcher: stage.weight for stage in config.stages} == weights
    assert all(stage.resource == resources[stage.matcher] for stage in config.stages)
    assert (config.language, config.text, config.function_words) == (language, text, function_words)
    assert (config.search, config.formula) == (SearchConfig("beam", width=40), "meteor-1.5")
    assert (config.count, config.reduce, config.resources) == ("words", "max", None)


@pytest.fixture
def write(tmp_path):
    """Writes a preset `mine` with these settings and gives the path of the file."""

    def written(settings):
        path = tmp_path / "my.yaml"
        path.write_text(f"presets:\n  mine: {{{settings}}}\n", encoding="utf-8")
        return path

    return written


@pytest.mark.parametrize(("name", "code"), [("no", "no"), ("sv", "se"), ("Czech", "cz"), ("ja", "ja")])
def test_language(write, name, code):
    """`no` is Norwegian without quotes, other names of METEOR's languages become its code, unknown ones stay."""
    config = load_file(write(f"extends: meteor-1.5-other, language: {name}"))
    assert config.language == code
    assert config == evolve(load_preset("meteor-1.5-other"), name="mine", language=name)


def test_eval_id(write):
    """The Eval ID has METEOR's code, whatever name was given; a stemmer of the language may be called by either."""
    scorer = Scorer.from_file(write("extends: meteor-1.5-se, language: sv"))
    assert scorer.signature.eval_id == "meteor-1.5-wo-se-lc_only-0.75_1.4_0.7_0.5-ex_st-1.0_0.5"
    stages = "[{matcher: exact}, {matcher: stem, weight: 0.5, resource: snowball-sv}]"
    named = Scorer.from_file(write(f"extends: meteor-1.5-se, stages: {stages}"))
    assert named.signature.eval_id == scorer.signature.eval_id


def test_normalizer_by_another_name(write):
    """The normalizer takes the other names too, and languages that it does not know are refused."""
    config = load_file(write("extends: meteor-1.5-cz-core, language: cs"))
    check(config)
    assert Scorer(config).score("Např. to.", "např. to .").score > 0.9
    with pytest.raises(ConfigError, match="text 'norm' has no rules for language 'sv'"):
        load_file(write("extends: meteor-1.5-cz-core, language: sv"))


@pytest.mark.parametrize("resources", ["files", "./files", "absolute"])
def test_resources(write, tmp_path, monkeypatch, resources):
    """`resources` is taken from the file's folder, and from it the files that the preset names; names stay names."""
    folder = tmp_path / "files"
    given = str(folder) if resources == "absolute" else resources
    config = load_file(write(f"extends: meteor-1.5-universal, resources: {given}"))
    assert config.resources == str(folder)
    assert config.stages[1].resource == str(folder / "paraphrase.gz")
    assert config.function_words == str(folder / "function.words")
    english = load_file(write(f"extends: meteor-1.5-en, resources: {given}, function_words: ./own.txt"))
    assert [stage.resource for stage in english.stages[1:]] == ["snowball-en", "wordnet-en-offsets", "paraphrase-en"]
    assert english.function_words == str(folder / "own.txt")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert pickle.loads(pickle.dumps(config)) == config  # noqa: S301


def test_resources_without_a_folder(write, tmp_path):
    """Without `resources`, files are beside the YAML file; something else than text is refused."""
    config = load_file(write("extends: meteor-1.5-universal"))
    assert config.stages[1].resource == str(tmp_path / "paraphrase.gz")
    with pytest.raises(ConfigError, match="resources: must be text, not 3"):
        load_file(write("extends: meteor-1.5-universal, resources: 3"))
