"""Missing files that a preset names are all reported, each with its line."""

from __future__ import annotations

import pytest
from attrs import evolve

from meteorlib import Scorer, StageConfig
from meteorlib.config import load_file, load_preset, load_presets
from meteorlib.errors import ConfigError, ResourceMissing

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
