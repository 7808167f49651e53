"""Built archives: metadata, the page for a package index, contents of the wheel; with Cython and without."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version

import pytest

from meteorlib.reports.html.template import SCRIPTS

try:  # asked without loading it, which takes long
    SETUPTOOLS = int(version("setuptools").partition(".")[0])
except PackageNotFoundError:
    SETUPTOOLS = 0

pytestmark = pytest.mark.skipif(SETUPTOOLS < 77, reason="builds need setuptools 77")

DESCRIBE = """
import json, sys
if sys.argv.pop() == "without Cython":
    sys.modules["Cython"] = sys.modules["Cython.Build"] = None
from setuptools import Distribution
from distutils.core import run_setup
made = run_setup("setup.py", stop_after="config")
build = made.get_command_obj("build_py")
build.ensure_finalized()
data = [name for _, _, _, names in build.data_files for name in names]
modules = [name for _, name, _ in build.find_all_modules()]
metadata = made.metadata
print(json.dumps({
    "extensions": [one.name for one in made.ext_modules or []],
    "data": data, "modules": modules, "urls": metadata.project_urls,
    "license": metadata.license_expression, "texts": metadata.license_files,
    "page": metadata.long_description, "type": metadata.long_description_content_type,
}))
"""


RUN_SETUP = """
import runpy, sys
if sys.argv.pop() == "without Cython":
    sys.modules["Cython"] = sys.modules["Cython.Build"] = None
sys.argv = ["setup.py", "--version"]
runpy.run_path("setup.py", run_name="__main__")
"""


@pytest.fixture(scope="module")
def described(root):
    """Says what would be built, of "with Cython" or "without Cython"."""

    def describe(cython):
        command = [sys.executable, "-W", "ignore", "-c", DESCRIBE, cython]
        environment = {**os.environ, "METEORLIB_PURE_PYTHON": "0", "METEORLIB_REQUIRE_COMPILED": "0"}
        done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1]), done.stderr

    return describe


@pytest.fixture(scope="module")
def plain(described):
    """Archives built without Cython."""
    return described("without Cython")


def test_without_cython(plain):
    """Without Cython the package is built without its extension, and that is said."""
    made, messages = plain
    assert made["extensions"] == []
    assert "Cython is not at hand: installing without the extension, in pure Python" in messages


@pytest.mark.parametrize(
    ("variables", "cython", "message"),
    [
        (
            {"METEORLIB_REQUIRE_COMPILED": "1", "METEORLIB_PURE_PYTHON": "0"},
            "without Cython",
            "pip install 'Cython>=3.1'",
        ),
        (
            {"METEORLIB_REQUIRE_COMPILED": "1", "METEORLIB_PURE_PYTHON": "1"},
            "with Cython",
            "METEORLIB_PURE_PYTHON and METEORLIB_REQUIRE_COMPILED exclude each other",
        ),
    ],
    ids=["no Cython", "both"],
)
@pytest.mark.thorough
def test_build_that_cannot_be(root, variables, cython, message):
    """A build that must compile ends with an error where it cannot; two variables that contradict each other, too."""
    command = [sys.executable, "-W", "ignore", "-c", RUN_SETUP, cython]
    environment = {**os.environ, **variables}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("version", [(3, 8, 18), (3, 10, 13)])
def test_old_python(root, version):
    """On an older Python than pyproject.toml requires, the build says so in one line."""
    code = RUN_SETUP.replace("sys.argv =", f"import setuptools; sys.version_info = {version}; sys.argv =")
    command = [sys.executable, "-W", "ignore", "-c", code, "without Cython"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    told = f"meteorlib needs Python 3.11 or later; this is Python {version[0]}.{version[1]}\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", told)


@pytest.mark.thorough
@pytest.mark.parametrize("required", [False, True])
def test_without_compiler(root, tmp_path, required):
    """Without a compiler the build makes pure Python, or fails if METEORLIB_REQUIRE_COMPILED is set."""
    pytest.importorskip("Cython")
    environment = {**os.environ, "CC": "/bin/false", "CXX": "/bin/false", "METEORLIB_REQUIRE_COMPILED": f"{required:d}"}
    command = [sys.executable, "-W", "ignore", "setup.py", "-q", "build", "--build-base", str(tmp_path)]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode != 0) == required, done.stderr
    assert not list(tmp_path.rglob("*.so"))


def test_pure(root):
    """METEORLIB_PURE_PYTHON=1 builds the Python code alone, though there is Cython."""
    command = [sys.executable, "-W", "ignore", "-c", DESCRIBE, "with Cython"]
    environment = {**os.environ, "METEORLIB_PURE_PYTHON": "1", "METEORLIB_REQUIRE_COMPILED": "0"}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1])["extensions"] == []


@pytest.mark.thorough
def test_with_cython(described):
    """With it the extension is built."""
    pytest.importorskip("Cython")
    assert described("with Cython")[0]["extensions"] == ["meteorlib.engine.kernel.kernel"]


def test_content(plain):
    """Python code and data are installed, no source of the extension."""
    made, _ = plain
    assert {f"reports/html/{name}" for name in ("page.html.jinja", "page.css", *SCRIPTS)} <= set(made["data"])
    assert {"__main__", "py.typed"} <= {*made["modules"], *made["data"]}
    kit = {f"conformance/{name}" for name in ("README.md", "cases.jsonl", "expected/nltk.jsonl")}
    assert kit <= set(made["data"])
    assert not [name for name in made["data"] if name.endswith((".pyx", ".pxd", ".pxi", ".cpp", ".so"))]


def test_urls(plain):
    """The package says where METEOR is from, and names no address that is not known to exist."""
    assert set(plain[0]["urls"]) == {"METEOR 2005 (paper)", "METEOR 1.5 (paper)", "METEOR 1.5 (program)"}


def test_page(plain, root):
    """On the page for a package index no link is dead: files are named, and they are in the source archive."""
    made, _ = plain
    page, readme = made["page"], (root / "README.md").read_text(encoding="utf-8")
    assert made["type"] == "text/markdown"
    links = re.findall(r"\]\(([^)\s]+)\)", page)
    assert len(links) > 2
    assert [link for link in links if not link.startswith("https://")] == []
    assert page.endswith("such as those in docs/, are in the source archive of this release.\n")
    files = {link.partition("#")[0] for link in re.findall(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)", readme)}
    files = {link for link in files if link and not link.startswith("https://")}
    assert len(files) > 10
    assert [file for file in files if not (root / file).exists() or file not in page] == []
    assert "<img" not in page
    pictures = re.findall(r'<img src="([^"]+)"', readme)
    assert [(root / picture).is_file() for picture in pictures] == [True, True]


def test_licenses(plain, root):
    """The license of the archive is that of all that is in it, and the texts go with it."""
    made, _ = plain
    assert made["license"] == "MIT AND BSD-3-Clause AND LGPL-2.1-only AND LicenseRef-WordNet-3.0 AND CC-BY-SA-4.0"
    notice = (root / "NOTICE").read_text(encoding="utf-8")
    for words in ("Snowball", "WordNet Release 3.0", "LICENSE.LGPL-2.1"):
        assert words in notice
    assert sorted(made["texts"]) == ["LICENSE", "LICENSE.LGPL-2.1", "NOTICE"]
    assert "Version 2.1, February 1999" in (root / "LICENSE.LGPL-2.1").read_text(encoding="utf-8")
