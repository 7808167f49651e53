"""Users' YAML files: their keys and their meaning, presets that extend others, and missing files."""

from __future__ import annotations

import pytest
from attrs import evolve

from meteorlib import Scorer, StageConfig
from meteorlib.config import SearchConfig, load_file, load_preset, load_presets
from meteorlib.errors import ConfigError, ResourceMissing, UnknownName


@pytest.fixture
def write(tmp_path):
    """Writes my.yaml and gives its path."""

    def written(text: str):
        path = tmp_path / "my.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return written


COMPLETE = "{stages: [{matcher: exact}], parameters: {alpha: 0.9, beta: 3, gamma: 0.5}"


def test_no_is_norwegian(write):
    """Only true and false are booleans: `no`, `on` and `yes` are text."""
    assert load_file(write(f"presets: {{mine: {COMPLETE}, language: no}}}}")).language == "no"
    presets = load_presets(write(f"presets: {{no: {COMPLETE}}}, 2005: {COMPLETE}}}, true: {COMPLETE}}}}}"))
    assert list(presets) == ["no", "2005", "true"]


FAULTY = """\
presets:
  good: {extends: meteor-2005}
  typo: {extends: meteor-2005, txt: lower}
  heir: {extends: typo, count: characters}
  lost: {extends: nothing}
  alias: &shared {extends: meteor-2005, count: 1}
  same: *shared
  tag: !!map {extends: meteor-2005}
  a b: {extends: meteor-2005}
"""


def test_a_faulty_preset_is_told_when_it_is_asked_for(write):
    """A preset loads whatever is wrong with others; it is refused for its own problems and for those it inherits."""
    path = write(FAULTY)
    assert load_file(path, "good") == evolve(load_preset("meteor-2005"), name="good")
    problems = {
        "typo": ":3: presets.typo: unknown key 'txt' (did you mean 'text'?)",
        "heir": ":3: presets.typo: unknown key 'txt' (did you mean 'text'?)",
        "lost": ":5: presets.lost.extends: unknown preset 'nothing'",
        "alias": ":6: presets.alias.count: must be text, not 1",
        "same": ":6: presets.alias.count: must be text, not 1",
        "tag": ":8: presets.tag: tag '!!map': tags are not allowed",
        "a b": ":9: presets.'a b': a preset's name is made of",
    }
    for name, expected in problems.items():
        with pytest.raises(ConfigError) as caught:
            load_file(path, name)
        assert f"{path}{expected}" in str(caught.value), name
        assert name == "same" or "\n" not in str(caught.value), name
    with pytest.raises(ConfigError) as caught:
        load_presets(path)
    assert str(caught.value).count("\n") == 4


def test_what_is_wrong_outside_of_presets_concerns_all(write):
    """A file with a wrong default or a repeated preset is refused, whichever preset is requested."""
    for broken in (f"default: mine\n{FAULTY}", f"{FAULTY}  good: {{}}\n"):
        with pytest.raises(ConfigError, match=r"unknown preset 'mine'|'good' is given twice"):
            load_file(write(broken), "good")


@pytest.mark.parametrize(
    ("text", "number"),
    [("1e-3", 0.001), ("1E-3", 0.001), ("1", 1.0), ("0", 0.0), (".5", 0.5), ("+1.", 1.0), ("5e-1", 0.5)],
)
def test_numbers(write, text, number):
    """Numbers are decimal, an exponent needs no point, an integer does for a float."""
    config = load_file(write(f"presets: {{mine: {{extends: meteor-2005, parameters: {{alpha: {text}}}}}}}"))
    assert config.parameters.alpha == number
    assert type(config.parameters.alpha) is float


@pytest.mark.parametrize("text", ["0x1", "01", "0o1", "1_0", "0:30", "'1'", "yes", "one", "2005-01-01", ".Inf"])
def test_what_is_no_number(write, text):
    """Hexadecimal, octal, underscored, sexagesimal and quoted numbers are text, and text is no number."""
    with pytest.raises(ConfigError) as caught:
        load_file(write(f"presets: {{mine: {{extends: meteor-2005, parameters: {{alpha: {text}}}}}}}"))
    shown = repr(text.strip("'"))
    assert caught.value.problems == (f":1: presets.mine.parameters.alpha: must be a number, not {shown}",)


def test_extends_merges_mappings_and_replaces_lists(write):
    """Parameters and search are merged key by key, stages are replaced, null takes a word list away."""
    path = write(
        "presets:\n"
        "  one:\n"
        "    extends: meteor-1.5-en\n"
        "    parameters: {alpha: 0.5}\n"
        "    search: {width: 7}\n"
        "  two:\n"
        "    extends: one\n"
        "    parameters: {beta: 2}\n"
        "    stages: [{matcher: exact, weight: 0.5}]\n"
        "    function_words: null\n"
    )
    presets = load_presets(path)
    base, two = load_preset("meteor-1.5-en"), presets["two"]
    assert presets["one"].stages == base.stages
    assert (two.parameters.alpha, two.parameters.beta, two.parameters.gamma) == (0.5, 2.0, base.parameters.gamma)
    assert two.search == SearchConfig("beam", width=7)
    assert [(stage.matcher, stage.weight) for stage in two.stages] == [("exact", 0.5)]
    assert (two.function_words, two.text, two.name) == (None, "norm", "two")


def test_default_and_choice(write):
    """Without a name the default is taken, or the only preset; several without a default are an error."""
    both = f"presets: {{a: {COMPLETE}}}, b: {COMPLETE}}}}}"
    assert load_file(write(f"presets: {{a: {COMPLETE}}}}}")).name == "a"
    assert load_file(write(f"default: b\n{both}")).name == "b"
    assert load_file(write(f"default: b\n{both}"), "a").name == "a"
    path = write(both)
    with pytest.raises(ConfigError) as caught:
        load_file(path)
    assert str(caught.value) == (
        f"{path}: has several presets and no 'default:', so name one of a, b: "
        f"--config {path}:a, in Python Scorer.from_file('{path}', 'a')"
    )
    with pytest.raises(UnknownName) as unknown:
        load_file(path, "meteor-2005")
    assert str(unknown.value) == "unknown preset 'meteor-2005'; known: a, b"


def test_paths_are_relative_to_the_file(write, tmp_path, monkeypatch):
    """A name with a slash or a dot is a path beside the file, wherever the program runs; other names are left."""
    path = write(
        "presets:\n"
        "  mine:\n"
        "    extends: meteor-1.5-en\n"
        "    stages:\n"
        "      - {matcher: synonym, resource: data/words.tsv}\n"
        "      - {matcher: synonym, resource: /data/words.tsv}\n"
        "      - {matcher: stem, resource: porter}\n"
        "    function_words: ./function.txt\n"
    )
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    for config in (load_file(path), load_file("../my.yaml")):
        resources = [stage.resource for stage in config.stages]
        assert resources == [str(tmp_path / "data" / "words.tsv"), "/data/words.tsv", "porter"]
        assert config.function_words == str(tmp_path / "function.txt")


def test_aliases_are_followed(write):
    """A small alias is replaced by its content; its problems are reported once, at their place."""
    path = write(
        "presets:\n"
        "  a:\n"
        "    stages: &stages\n"
        "      - {matcher: exact}\n"
        "    parameters: &numbers {alpha: 0.9, beta: 3, gamma: 0.5}\n"
        "  b: {stages: *stages, parameters: *numbers}\n"
    )
    presets = load_presets(path)
    assert presets["a"].stages == presets["b"].stages
    path.write_text(path.read_text().replace("0.9", "1.9"))
    with pytest.raises(ConfigError) as caught:
        load_presets(path)
    assert caught.value.problems == (":5: presets.a.parameters.alpha: alpha must be between 0 and 1: 1.9",)


def test_a_byte_order_mark_and_windows_lines(tmp_path):
    """A BOM is not part of the first key, and CRLF ends a line."""
    path = tmp_path / "my.yaml"
    path.write_bytes(b"\xef\xbb\xbfpresets:\r\n  mine:\r\n    extends: meteor-2005\r\n")
    assert load_file(path).name == "mine"


def test_the_name_of_a_built_in_preset(write):
    """A preset with a built-in one's name must give its numbers; its description may differ."""
    path = write("presets: {meteor-2005-exact: {extends: meteor-2005, description: x, stages: [{matcher: exact}]}}")
    assert load_file(path).description == "x"
    path = write("presets:\n  meteor-2005-exact:\n    extends: meteor-2005\n")
    with pytest.raises(ConfigError) as caught:
        load_file(path)
    assert caught.value.problems == (
        ":2: presets.meteor-2005-exact: a built-in preset with other numbers has this name: choose another",
    )


def test_settings_belong_to_their_search(tmp_path):
    """Omitted settings have the search's own defaults; another search inherits no settings of the one it replaces."""
    path = tmp_path / "my.yaml"
    path.write_text(
        "presets:\n"
        "  optimal: {extends: meteor-2005, search: {name: optimal}}\n"
        "  cheaper: {extends: optimal, search: {budget: 5}}\n"
        "  same: {extends: cheaper, search: {name: optimal, width: 7}}\n"
        "  beam: {extends: same, search: {name: beam}}\n"
    )
    presets = load_presets(path)
    assert presets["optimal"].search == SearchConfig("optimal", width=40, budget=2_000_000)
    assert presets["cheaper"].search == SearchConfig("optimal", width=40, budget=5)
    assert presets["same"].search == SearchConfig("optimal", width=7, budget=5)
    assert presets["beam"].search == SearchConfig("beam", width=40)


MISSING = "the file cannot be read (No such file or directory); check the path"
NO_FILE = MISSING.replace("No such file or directory", "it is not a regular file")
FOLDER = MISSING.replace("No such file or directory", "it is a folder")
FILE = """default: both
presets:
  both:
    extends: meteor-1.5-en
    function_words: ./none.txt
    stages:
      - {matcher: exact}
      - matcher: paraphrase
        resource: ./none.gz
  inherited: {extends: both, function_words: null}
  elsewhere: {extends: meteor-1.5-universal, resources: ./nowhere}
  endless: {extends: meteor-2005, function_words: /dev/zero}
  folder: {extends: meteor-2005, function_words: ./.}
  right: {extends: meteor-2005, function_words: ./some.txt}
"""


@pytest.fixture
def path(tmp_path):
    """A file of presets that lack one thing or another."""
    (tmp_path / "some.txt").write_text("the\n")
    path = tmp_path / "my.yaml"
    path.write_text(FILE)
    return path


@pytest.mark.parametrize(
    ("preset", "problems"),
    [
        (
            None,
            [
                f":5: presets.both.function_words: {{folder}}/none.txt: {MISSING}",
                f":9: presets.both.stages[1].resource: {{folder}}/none.gz: {MISSING}",
            ],
        ),
        ("inherited", [f":9: presets.both.stages[1].resource: {{folder}}/none.gz: {MISSING}"]),
        (
            "elsewhere",
            [
                f":11: presets.elsewhere.resources: {{folder}}/nowhere/function.words: {MISSING}",
                f":11: presets.elsewhere.resources: {{folder}}/nowhere/paraphrase.gz: {MISSING}",
            ],
        ),
        (
            "endless",
            [f":12: presets.endless.function_words: /dev/zero: {NO_FILE}"],
        ),
        (
            "folder",
            [f":13: presets.folder.function_words: {{folder}}: {FOLDER}"],
        ),
    ],
)
def test_every_missing_file_is_told(path, preset, problems):
    """Line, place and path of each; where a built-in preset names it, the line of the folder."""
    with pytest.raises(ConfigError) as caught:
        Scorer.from_file(path, preset)
    assert list(caught.value.problems) == [problem.format(folder=path.parent) for problem in problems]


def test_other_presets_of_the_file(path):
    """A preset whose files exist can be used, whatever another one lacks; all can be loaded without their files."""
    assert load_file(path).function_words == str(path.parent / "none.txt")
    assert Scorer.from_file(path, "right").score("the cat", "the cat").score > 0
    assert len(load_presets(path)) == 6


def test_a_table_that_is_none():
    """A device is no language data, in a configuration made in Python either."""
    stages = [StageConfig("exact"), StageConfig("paraphrase", 0.6, "/dev/zero")]
    with pytest.raises(ResourceMissing):
        Scorer(evolve(load_preset("meteor-1.5-en"), stages=stages))
