"""The files about the project: how to cite it, forms for issues and pull requests, and workflows."""

from __future__ import annotations

import ast
import re
import tomllib

import pytest
import yaml

from meteorlib import __version__
from tests.docs.pages import ROOT

FORMS = sorted(path for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
REPORT = "`meteorlib verify --report`"


def test_citation():
    """CITATION.cff has this version, and the papers that the README links."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (cited["cff-version"], cited["version"]) == ("1.2.0", __version__)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert {paper.get("url") for paper in cited["references"]} > set(re.findall(r"https://aclanthology[^)]*", readme))
    assert all(paper["type"] and paper["authors"] for paper in cited["references"])


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_forms(path):
    """A form for issues has what such forms must have, and every one about an error asks for the report."""
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert form["name"]
    assert form["description"]
    ids = [field["id"] for field in form["body"]]
    assert len(set(ids)) == len(ids)
    assert all(field["type"] == "textarea" and field["attributes"]["label"] for field in form["body"])
    required = {field["attributes"]["label"] for field in form["body"] if field.get("validations", {}).get("required")}
    assert (f"Output of {REPORT}" in required) == (path.stem != "idea")


@pytest.mark.parametrize("name", [".github/PULL_REQUEST_TEMPLATE.md", "SECURITY.md"])
def test_reports_are_asked_for(name):
    """Pull requests and security reports are asked for the report, too."""
    assert REPORT in (ROOT / name).read_text(encoding="utf-8")


def test_files_that_pages_name():
    """The template for pull requests names files and modules that exist."""
    text = (ROOT / ".github/PULL_REQUEST_TEMPLATE.md").read_text(encoding="utf-8")
    names = re.findall(r"[\w/]+\.md|(?<=-m )tools\.\w+", text)
    paths = [name.replace(".", "/") + ".py" if name.startswith("tools.") else name for name in names]
    assert len(paths) > 3
    assert [path for path in paths if not (ROOT / path).exists()] == []


def _sessions():
    """Names of the sessions in noxfile.py."""
    tree = ast.parse((ROOT / "noxfile.py").read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.decorator_list}


def test_sessions():
    """`.ci/run`, the workflow of CI and the page for maintainers call sessions that exist."""
    sessions = _sessions()
    assert {"tests", "pure", "lint", "docs", "oracle", "sanitize", "bench", "wheels"} <= sessions
    checks = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))["jobs"]["checks"]
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    page = (ROOT / "docs/maintaining.md").read_text(encoding="utf-8")
    listed = re.search(r"`nox -s SESSION`.*", page)
    called = [*checks["strategy"]["matrix"]["session"], *re.findall(r"^session (\w+)", script, re.MULTILINE)]
    called += re.findall(r"`(\w+)`", listed[0])
    assert len(called) > 8
    assert set(called) <= sessions


def test_frameworks():
    """The workflow of frameworks runs the session of each."""
    tree = ast.parse((ROOT / "noxfile.py").read_text(encoding="utf-8"))
    (named,) = (ast.literal_eval(node.value) for node in tree.body if ast.unparse(node).startswith("FRAMEWORKS ="))
    stack = yaml.safe_load((ROOT / ".github/workflows/stack.yml").read_text(encoding="utf-8"))["jobs"]["stack"]
    assert stack["strategy"]["matrix"]["framework"] == [re.split(r"[ \[]", name)[0] for name in named]
    assert stack["steps"][-1]["run"] == 'nox -s "stack($FRAMEWORK)"'


def test_pythons():
    """CI tests and builds wheels for every Python that pyproject.toml names, on all systems that wheels are for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    named = {line.rpartition(" ")[2] for line in project["project"]["classifiers"] if re.search(r":: 3\.\d+$", line)}
    built = {f"3.{minor}" for minor in re.findall(r"cp3(\d+)-", project["tool"]["cibuildwheel"]["build"])}
    tests, compiled = (
        yaml.safe_load((ROOT / ".github/workflows" / file).read_text(encoding="utf-8"))["jobs"][job]["strategy"][
            "matrix"
        ]
        for file, job in (("ci.yml", "tests"), ("release.yml", "compiled"))
    )
    assert named <= set(tests["python"]) == built
    assert tests["system"] == compiled["system"]
