"""Recipes for conda-forge, Homebrew, Docker and Hugging Face: they repeat what the package says, and are filled in."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
import tomllib
from urllib.error import URLError

import pytest
import yaml

from tools.recipes import PLACE, _source_archive, resources, write_recipes

VALUES = {
    "VERSION": "1.2.3",
    "URL": "https://example.org/meteorlib-1.2.3.tar.gz",
    "SHA256": "0" * 64,
    "HOMEPAGE": "https://example.org/",
    "RESOURCES": 'resource "attrs" do\n  url "https://example.org/attrs.tar.gz"\nend\n\nresource "rich" do\nend',
}


@pytest.fixture(scope="module")
def project(root):
    """The declaration of the project."""
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """The folder of the recipes, filled in."""
    out = tmp_path_factory.mktemp("recipes")
    write_recipes(VALUES, out)
    return out


def _spaced(requirements):
    return sorted(re.sub("(?=>=)", " ", one) for one in requirements)


def test_nothing_left(filled, root):
    """Each file is written, and no word between @ is left."""
    names = {path.relative_to(filled) for path in filled.rglob("*") if path.is_file()}
    assert names == {path.relative_to(root / "recipes") for path in (root / "recipes").rglob("*") if path.is_file()}
    assert [name for name in names if PLACE.search((filled / name).read_text("utf-8"))] == []


def test_word_without_value(tmp_path):
    """A word that has no value is an error, not a recipe with a hole."""
    (tmp_path / "from").mkdir()
    (tmp_path / "from" / "recipe").write_text("version: @VERSION@, @OTHER@\n")
    with pytest.raises(KeyError, match="OTHER"):
        write_recipes(VALUES, tmp_path / "to", tmp_path / "from")


def test_conda(filled, project):
    """The recipe for conda-forge needs, installs and licenses what pyproject.toml declares."""
    recipe = yaml.safe_load((filled / "conda-forge/recipe.yaml").read_text("utf-8"))
    assert recipe["context"] == {"version": "1.2.3"}
    assert recipe["source"] == {"url": VALUES["URL"], "sha256": VALUES["SHA256"]}
    needs = recipe["requirements"]
    assert sorted(needs["run"]) == _spaced(["python", *project["project"]["dependencies"]])
    built = (one.replace("Cython", "cython") for one in project["build-system"]["requires"])
    assert sorted(needs["host"]) == _spaced(["python", "pip", *built])
    scripts = [f"{name} = {place}" for name, place in project["project"]["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == scripts
    assert recipe["about"]["license"] == project["project"]["license"]
    assert recipe["about"]["license_file"] == project["project"]["license-files"]
    assert recipe["about"]["summary"] == project["project"]["description"]


def test_homebrew(filled, project):
    """The formula has the archive, the licenses and a Python that the project names; its resources are indented."""
    formula = (filled / "homebrew/meteorlib.rb").read_text("utf-8")
    assert f'  url "{VALUES["URL"]}"\n  sha256 "{VALUES["SHA256"]}"\n' in formula
    assert (
        '\n  resource "attrs" do\n    url "https://example.org/attrs.tar.gz"\n  end\n\n  resource "rich" do' in formula
    )
    licenses = re.search(r"license all_of: \[(.*?)\]", formula, re.DOTALL)[1]
    assert re.findall('"(.*?)"', licenses) == project["project"]["license"].split(" AND ")
    python = re.search('depends_on "python@(.*)"', formula)[1]
    assert f"Programming Language :: Python :: {python}" in project["project"]["classifiers"]
    if ruby := shutil.which("ruby"):
        subprocess.run([ruby, "-c"], input=formula, text=True, check=True, capture_output=True)


@pytest.mark.parametrize("name", ["A.Name", "a-name"])
def test_source_archive(monkeypatch, name):
    """The address is that of the version's archive, however the name is spelled; without one the release stops."""
    files = [f"a_name-{end}" for end in ("1.0.tar.gz", "1.0.1.tar.gz", "1.0-py3-none-any.whl")]
    listed = {"files": [{"filename": file, "url": f"at/{file}", "hashes": {"sha256": file[-9:]}} for file in files]}
    monkeypatch.setattr("tools.recipes.urlopen", lambda *_, **__: io.BytesIO(json.dumps(listed).encode()))
    assert _source_archive(name, "1.0") == ("at/a_name-1.0.tar.gz", ".0.tar.gz"[-9:])
    with pytest.raises(SystemExit, match=r"simple/a-name/ lists no source archive of .* 2\.0"):
        _source_archive(name, "2.0")


def test_without_network(monkeypatch):
    """An index that cannot be asked is named, without a traceback."""

    def refuse(*_, **__):
        raise URLError("no route")

    monkeypatch.setattr("tools.recipes.urlopen", refuse)
    with pytest.raises(SystemExit, match=r"cannot be read .*no route.*try again"):
        _source_archive("a", "1")


def test_resources(monkeypatch):
    """Every package of an environment is a resource with the address and the digest of its source archive."""
    monkeypatch.setattr("tools.recipes._source_archive", lambda name, version: (f"{name}-{version}", "f00"))
    found = re.findall('resource "(.*)" do\n  url "(.*)"\n  sha256 "f00"\nend', resources(sys.executable))
    names = {name.lower() for name, _ in found}
    assert {"attrs", "cattrs", "click", "filelock", "jinja2", "rich"} <= names
    assert not names & {"meteorlib", "numpy", "pip"}
    assert all(url.startswith(f"{name}-") for name, url in found)


def test_docker(filled, project, root):
    """The image runs as a separate user, on a Python of the project; the files that its build copies exist."""
    lines = (filled / "docker/Dockerfile").read_text("utf-8").splitlines()
    bases = [line.split()[1] for line in lines if line.startswith("FROM ")]
    assert len(bases) == 2
    versions = {re.fullmatch(r"python:(3\.\d+)-alpine", base)[1] for base in bases}
    assert {f"Programming Language :: Python :: {version}" for version in versions} <= {
        *project["project"]["classifiers"]
    }
    assert "USER 1000" in lines[lines.index(f"FROM {bases[1]}") :]
    kept = (filled / "docker/Dockerfile.dockerignore").read_text("utf-8")
    kept = {line[1:] for line in kept.splitlines() if line.startswith("!")}
    assert {"meteorlib", "pyproject.toml", "setup.py", "README.md", "NOTICE"} <= kept
    assert all(list(root.glob(name)) for name in kept)


def test_evaluate(filled, root):
    """The folder for Hugging Face holds the package's script, this version, and a card that names the page."""
    folder = filled / "evaluate/meteor"
    script = root / "meteorlib/integrations/evaluate_module/meteor.py"
    assert (folder / "meteor.py").read_bytes() == script.read_bytes()
    assert "meteorlib[evaluate]==1.2.3" in (folder / "requirements.txt").read_text().splitlines()
    card = yaml.safe_load((folder / "README.md").read_text("utf-8").split("---")[1])
    assert (folder / card["app_file"]).is_file()
    assert {"evaluate", "metric"} <= {*card["tags"]}


@pytest.mark.oracle
def test_evaluate_page(filled):
    """The page gives the score and the signature of the presets that it offers."""
    pytest.importorskip("evaluate")
    code = """
import sys, types
sys.modules["gradio"] = types.SimpleNamespace(**dict.fromkeys(
    ("Interface", "Textbox", "Dropdown", "Number"), lambda *_, **__: None))
import app
for preset in app.PRESETS:
    print(preset, *app.score("the cat sat on the mat", "on the mat sat the cat\\nthe cat sat", preset))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=filled / "evaluate/meteor", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    from meteorlib import Scorer

    lines = done.stdout.splitlines()
    assert len(lines) > 2
    for line in lines:
        preset, score, signature = line.split()
        scorer = Scorer(preset)
        expected = scorer.score(["on the mat sat the cat", "the cat sat"], "the cat sat on the mat").score
        assert (float(score), signature) == (expected, str(scorer.signature))
