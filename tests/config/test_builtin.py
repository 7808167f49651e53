"""Built-in presets, the files of configs/, and the numbers of METEOR's tasks: those of the jar, gaps included."""

from __future__ import annotations

import json
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from attrs import astuple, evolve, fields
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from meteorlib.config import (
    DEFAULT_PRESET,
    ParameterConfig,
    ScorerConfig,
    SearchConfig,
    StageConfig,
    builtin,
    load_file,
    load_preset,
    load_presets,
    preset_names,
    preset_yaml,
)
from meteorlib.config.builtin import NO_NUMBERS, TASKS, default_task, task_numbers, task_stages, tasks_of
from meteorlib.config.document import read_file, read_text
from meteorlib.config.nodes import Problems
from meteorlib.config.resolution import check, resolve_paths
from meteorlib.core.languages import LANGUAGES, TUNED_LANGUAGES
from meteorlib.errors import ConfigError, UnknownName
from meteorlib.resources.stemmers import STEMMERS
from meteorlib.search import LARGEST_BUDGET, WIDEST
from tests.presets import WHICH

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = sorted((ROOT / "meteorlib" / "config" / "presets").glob("*.yaml"))
RANK = (0.85, 0.2, 0.6, 0.75)
METEOR_15 = {  # section 7 of the description of METEOR 1.5
    "meteor-1.5-en": (RANK, (1.0, 0.6, 0.8, 0.6)),
    "meteor-1.5-en-adq": ((0.75, 1.4, 0.45, 0.7), (1.0, 1.0, 0.6, 0.8)),
    "meteor-1.5-en-hter": ((0.4, 1.5, 0.35, 0.55), (1.0, 0.2, 0.6, 0.8)),
    "meteor-1.5-en-util": ((0.65, 0.1, 0.55, 0.65), (1.0, 0.0, 0.0, 0.8)),
    "meteor-1.5-en-tune": ((0.5, 1.0, 0.5, 0.5), (1.0, 0.5, 0.5, 0.5)),
    "meteor-1.5-en-li": ((0.75, 1.4, 0.7, 0.5), (1.0, 0.5, 0.5, 0.5)),
    "meteor-1.5-en-universal": ((0.7, 1.4, 0.3, 0.7), (1.0, 0.6)),
    "meteor-1.5-en-core": (RANK, (1.0, 0.6, 0.8)),
}


def test_names():
    """METEOR 2005, in full and exact, and METEOR 1.5 for English in each task are built in; 2005 is the default."""
    assert {"meteor-2005", "meteor-2005-exact", *METEOR_15} <= set(preset_names())
    assert DEFAULT_PRESET == "meteor-2005"


def test_meteor_2005():
    """METEOR 2005 is exact, Porter, WordNet, stage by stage, 0.9 3 0.5, all words alike."""
    config = load_preset("meteor-2005")
    assert config.stages == (
        StageConfig("exact"),
        StageConfig("stem", 1.0, "porter"),
        StageConfig("synonym", 1.0, "wordnet-en"),
    )
    assert config.parameters == ParameterConfig(0.9, 3.0, 0.5, 0.5)
    assert (config.text, config.search.name, config.formula) == ("lower", "staged", "meteor-2005")
    assert (config.function_words, config.reduce, config.count) == (None, "max", "words")
    exact = load_preset("meteor-2005-exact")
    assert evolve(exact, name="", description="") == evolve(
        config, name="", description="", stages=[StageConfig("exact")]
    )


@pytest.mark.parametrize("name", METEOR_15)
def test_meteor_15(name):
    """The presets of METEOR 1.5 have the parameters and weights of its tasks; util alone counts characters."""
    config = load_preset(name)
    parameters, weights = METEOR_15[name]
    resources = {"stem": "snowball-en", "synonym": "wordnet-en-offsets", "paraphrase": "paraphrase-en"}
    assert config.parameters == ParameterConfig(*parameters)
    assert tuple(stage.weight for stage in config.stages) == weights
    assert all(stage.resource == resources.get(stage.matcher) for stage in config.stages)
    assert (config.text, config.language, config.function_words) == ("norm", "en", "en")
    assert (config.search, config.formula) == (SearchConfig("beam", width=40), "meteor-1.5")
    assert config.count == ("characters" if name.endswith("-util") else "words")


@pytest.mark.parametrize("names", WHICH)
def test_a_built_in_preset_is_a_file_to_copy(names, tmp_path):
    """The output of `preset_yaml` is a complete file with its source, and loads as the preset itself."""
    for name in names:
        text = preset_yaml(name)
        (tmp_path / "copy.yaml").write_text(text)
        assert text.startswith("# "), name
        assert "extends" not in text, name
        assert load_file(tmp_path / "copy.yaml") == resolve_paths(load_preset(name), str(tmp_path))
        assert load_preset(name).description, name
        assert load_preset(name).source, name


@pytest.mark.parametrize("names", WHICH)
def test_a_preset_is_shown_in_full(names):
    """A shown preset depends neither on the preset that it extends nor on defaults."""
    for name in names:
        shown = read_text(preset_yaml(name), name, Problems(name)).find(("presets", name)).plain()
        left_out = {"name", *(() if name == "meteor-1.5-universal" else ("resources",))}
        left_out |= {"weights", "case", "perfect_segments", "negations"} - set(
            shown
        )  # nothing is said of what METEOR does not have
        assert set(shown) == {attribute.name for attribute in fields(ScorerConfig)} - left_out, name


@pytest.mark.parametrize("path", FAMILIES, ids=lambda path: path.stem)
def test_a_family_is_a_file_as_users_write_it(path):
    """Read as a user's file, a family has the same presets, complete and right, and none is passed over."""
    for name, config in load_presets(path).items():
        assert config == resolve_paths(load_preset(name), str(path.parent))


def test_the_data_file_has_what_the_yaml_files_say():
    """Built from the YAML files as they are; otherwise run `python setup.py build_ext --inplace`."""
    assert builtin.DATA_FILE.read_text(encoding="utf-8") == builtin.data_text()


GOOD_DATA = builtin.data_text()


@pytest.mark.parametrize(
    "content",
    [
        None,
        "",
        "{}",
        "[]",
        "null",
        '{"checksum": 0, "presets": {}}',
        GOOD_DATA[:-1],
        GOOD_DATA.replace("0.85", "0.15", 1),
    ],
    ids=["missing", "empty", "no keys", "list", "null", "stale", "cut", "changed"],
)
def test_without_a_data_file_that_fits(content, tmp_path, monkeypatch):
    """Presets are read from the YAML files if there is no data file, or if it is damaged or built from other ones."""
    settings = builtin.builtin_settings()
    monkeypatch.setattr(builtin, "DATA_FILE", tmp_path / "presets.json")
    if content is not None:
        builtin.DATA_FILE.write_text(content, encoding="utf-8")
    assert builtin.builtin_settings.__wrapped__() == settings


def test_families():
    """Each preset is in one family. Three are complete; the others extend one and state only the differences."""
    own = {}
    for path in FAMILIES:
        presets = read_file(path, Problems(path.name)).get("presets").plain()
        assert not set(own) & set(presets)
        own |= presets
    assert set(own) == set(preset_names())
    roots = {name for name, preset in own.items() if "extends" not in preset}
    assert roots == {"meteor-2005", "meteor-1.5-en", "meteor-2026-en"}
    for name, preset in own.items():
        if "extends" in preset:
            base = load_preset(preset["extends"])
            said = [key for key in preset if key not in ("extends", "description", "source", "resources")]
            assert all(getattr(load_preset(name), key) != getattr(base, key) for key in said), name


@pytest.mark.parametrize("name", [name for name in preset_names() if name.endswith("-core")])
def test_core_is_all_but_paraphrases(name):
    """A preset without paraphrases is the one with them, less that stage."""
    core, full = load_preset(name), load_preset(name.removesuffix("-core"))
    stages = tuple(stage for stage in full.stages if stage.matcher != "paraphrase")
    assert stages != full.stages
    assert core == evolve(full, name=name, description=core.description, source=core.source, stages=stages)


def test_one_setting_for_five_languages():
    """METEOR 2026 differs from language to language, and with lemmas, in the language and its data alone."""

    def setting(name):
        preset = load_preset(name)
        stages = tuple(evolve(stage, resource=None) for stage in preset.stages)
        weights = evolve(preset.weights, resource="information")
        return evolve(preset, name="", description="", language="", stages=stages, weights=weights)

    german = setting("meteor-2026-de")
    assert all(setting(f"meteor-2026-{code}") == german for code in ("es", "fr", "ru"))
    assert all(setting(f"meteor-2026-{code}-full") == german for code in ("cz", "de", "es", "fr", "ru"))
    stages = tuple(stage for stage in german.stages if stage.matcher != "synonym")
    assert setting("meteor-2026-cz") == evolve(german, stages=stages)


@pytest.mark.thorough
def test_fast_reading_is_reading():
    """Libyaml and PyYAML's own parser make the same of every family."""
    for path in FAMILIES:
        text = path.read_text(encoding="utf-8")
        slow, fast = (read_text(text, path.name, Problems(path.name), fast=fast) for fast in (False, True))
        assert slow.plain() == fast.plain()


@pytest.mark.parametrize("path", sorted((ROOT / "configs").glob("*.yaml")), ids=lambda path: path.name)
def test_files_for_users(path):
    """Every file of configs/ loads, with a preset to take when none is named, and so does each of its presets."""
    presets = load_presets(path)
    assert load_file(path) in presets.values()
    for name, config in presets.items():
        assert load_file(path, name) == config
        check(config)


def test_example():
    """configs/example.yaml shows default, extends of a built-in preset and of its own, merged parameters."""
    path = ROOT / "configs" / "example.yaml"
    mine = load_file(path, preset="mine")
    assert load_file(path) == mine
    assert mine.parameters == ParameterConfig(0.85, 3.0, 0.5, 0.5)
    assert load_file(path, "strict").parameters == ParameterConfig(0.85, 1.5, 0.7, 0.5)
    assert load_file(path, "strict").stages == mine.stages


@pytest.mark.parametrize("ask", [load_preset, preset_yaml])
def test_unknown_preset(ask):
    """A name that no preset has is answered with the nearest one and the whole list."""
    with pytest.raises(UnknownName) as caught:
        ask("meteor-2006")
    assert str(caught.value) == (
        "unknown preset 'meteor-2006' (did you mean 'meteor-2005'?); known: those of `meteorlib presets list`"
    )


def test_a_preset_name_is_no_path():
    """Preset names are looked up in the list, never joined to a path."""
    with pytest.raises(UnknownName):
        load_preset("../presets/meteor-2005")


FRACTION = st.floats(0, 1)
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=8)
STAGES = st.one_of(
    st.builds(StageConfig, st.just("exact"), FRACTION, st.none()),
    st.builds(StageConfig, st.just("stem"), FRACTION, st.sampled_from(sorted(STEMMERS))),
    st.builds(StageConfig, st.just("synonym"), FRACTION, st.sampled_from(["wordnet-en", "wordnet-en-offsets"])),
)
CONFIGS = st.builds(
    ScorerConfig,
    name=st.from_regex(r"[\w.+-]{1,20}", fullmatch=True),
    stages=st.lists(STAGES, min_size=1, max_size=5),
    parameters=st.builds(ParameterConfig, FRACTION, st.floats(0, 1e300), FRACTION, FRACTION),
    description=NAMES,
    source=NAMES,
    language=st.sampled_from(["no", "en", "true", "1e3", "null"]),
    text=st.sampled_from(["none", "lower"]),
    search=st.builds(SearchConfig, st.just("beam"), width=st.integers(1, WIDEST))
    | st.builds(SearchConfig, st.sampled_from(["staged", "optimal"]), budget=st.integers(1, LARGEST_BUDGET)),
    formula=st.sampled_from(["meteor-1.5", "meteor-2005"]),
    function_words=st.none() | st.sampled_from(sorted(TUNED_LANGUAGES)),
    count=st.sampled_from(["words", "characters"]),
    reduce=st.sampled_from(["max", "mean", "min"]),
)


@given(config=CONFIGS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
def test_round_trip(config, tmp_path):
    """A configuration written down (JSON is YAML) is read back equal, floats to the last digit."""
    plain = config.to_dict()
    name = plain.pop("name")
    path = tmp_path / "config.yaml"
    path.write_text(json.dumps({"default": name, "presets": {name: plain}}, ensure_ascii=False), encoding="utf-8")
    assert load_file(path) == config


def test_configurations_made_in_python_are_checked():
    """Configurations in Python follow the same rules: ranges, names and types at once, conflicts by `check`."""
    with pytest.raises(ValueError, match=r"^alpha must be between 0 and 1: 2\.0$"):
        ParameterConfig(2, 3, 0.5)
    with pytest.raises(ValueError, match=r"^weight must be between 0 and 1: 1\.5$"):
        StageConfig("exact", 1.5)
    with pytest.raises(TypeError, match=r"^must be a number, not True$"):
        StageConfig("exact", weight=True)
    with pytest.raises(UnknownName, match=r"^unknown matcher 'exat' \(did you mean 'exact'\?\)"):
        StageConfig("exat")
    with pytest.raises(ConfigError) as caught:
        check(evolve(load_preset("meteor-1.5-en"), language="ja", stages=[StageConfig("stem")]))
    assert str(caught.value) == (
        "configuration 'meteor-1.5-en': text 'norm' has no rules for language 'ja' (it has: cz, de, en, es, fr, ru);"
        " tokenize the text first and use 'none' or 'lower'\n"
        "configuration 'meteor-1.5-en': matcher 'stem' needs a 'resource': a stemmer such as 'porter' or 'snowball-en'"
    )


GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "tasks.jsonl"
SIX = " ".join(["exact"] * 6)


@cache
def records():
    """Recorded output of the jar: its head by its arguments."""
    listed = map(json.loads, GOLDEN.read_text(encoding="utf-8").splitlines())
    return {tuple(record["arguments"]): record["head"] for record in listed}


def printed(language, task, matchers=None):
    """Recorded output of the jar for a language and a task: matchers, weights, parameters."""
    asked = ["-l", language] + ([] if task is None else ["-t", task])
    asked += ["-a", "empty.gz"] if matchers is None else ["-m", matchers]
    rows = dict(line.split(":", 1) for line in records()[tuple(asked)].splitlines() if ":" in line)
    numbers = (tuple(map(float, rows[name].split())) for name in ("Weights", "Parameters"))
    return rows["Task"].strip(), tuple(rows["Modules"].split()), *numbers


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_task_of_every_language(language):
    """Matchers, weights (by position, those that are missing 0) and parameters are the jar's."""
    for task in (None, *TASKS):
        named = default_task(language) if task is None else task
        found = task_numbers(language, named)
        name, matchers, weights, parameters = printed(language, task)
        assert name == TASKS[named], task
        assert matchers == task_stages(language, named), task
        assert parameters == found.parameters, task
        padded = (*found.weights, *(0.0,) * 6)[:6]
        assert weights == padded[: len(matchers)], task
        assert printed(language, task, SIX)[2] == padded, task


def test_tasks_without_numbers():
    """adq, hter and util are English (and other's); rank is of six languages (and other's)."""
    assert tasks_of("en") == tuple(TASKS)
    assert tasks_of("other") == tuple(TASKS)
    assert tasks_of("fr") == ("rank", "tune", "li", "universal")
    assert tasks_of("da") == ("tune", "li", "universal")
    assert task_numbers("da", "rank") is NO_NUMBERS
    assert task_numbers("ru", "rank").parameters == (0.75, 1.4, 0.7, 0.5)


def test_the_numbers_are_those_of_the_presets():
    """Parameters and weights of every task are those of a built-in preset, with as many weights as it has matchers."""
    presets = [load_preset(name) for name in preset_names() if name.startswith("meteor-1.5-")]
    known = [(astuple(preset.parameters)[:4], preset.formula_parameters().weights) for preset in presets]
    for language, task in product(LANGUAGES, TASKS):
        numbers = task_numbers(language, task)
        if numbers is NO_NUMBERS:
            assert task not in tasks_of(language)
            continue
        assert len(numbers.weights) == len(task_stages(language, task))
        assert any(
            numbers.parameters == parameters and numbers.weights == weights[: len(numbers.weights)]
            for parameters, weights in known
        )
