"""Releases that `python -m tools.release` refuses."""

from __future__ import annotations

import re
import subprocess

import pytest

from tools.release import problems, version_of, write_digests

CHANGELOG = """# Changelog

## [Unreleased]

## [1.2.3] - 2026-11-24

### Scores

No score moved.

## [1.2.2] - 2026-10-01
"""


def _git(tree, *arguments):
    who = ("-c", "user.name=Someone", "-c", "user.email=someone@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", tree, *who, *arguments], check=True, capture_output=True)


@pytest.fixture
def tree(tmp_path):
    """A committed source tree that is ready for a release."""
    (tmp_path / "meteorlib").mkdir()
    (tmp_path / "meteorlib/_version.py").write_text('"""The version."""\n\n__version__ = "1.2.3"\n')
    (tmp_path / "CITATION.cff").write_text("cff-version: 1.2.0\nversion: 1.2.3\n")
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    _git(tmp_path, "init", "-q")
    _git(tmp_path, "add", "-A")
    _git(tmp_path, "commit", "-q", "-m", "Ready")
    return tmp_path


def test_ready(tree):
    """A tree that lacks nothing can be released."""
    assert version_of(tree) == "1.2.3"
    assert list(problems(tree)) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("CHANGELOG.md", "## [1.2.3]", "## [1.2.4]", "CHANGELOG.md: no section for 1.2.3: write `## [1.2.3] - "),
        ("CHANGELOG.md", " - 2026-11-24", "", "the heading of 1.2.3 has no date"),
        ("CHANGELOG.md", "### Scores\n\nNo score moved.\n", "", "1.2.3 has no section `### Scores`"),
        ("CHANGELOG.md", "No score moved.\n", "", "1.2.3 has no section `### Scores`"),
        ("CHANGELOG.md", "[Unreleased]\n", "[Unreleased]\n\n- An entry.\n", "[Unreleased] is not empty"),
        ("CITATION.cff", "\nversion: 1.2.3", "\nversion: 1.2.2", "CITATION.cff: the version is 1.2.2, not 1.2.3"),
        ("CITATION.cff", "\nversion: 1.2.3", "", "CITATION.cff: the version is missing"),
    ],
)
def test_lacking(tree, file, old, new, told):
    """A missing or mismatching part is one problem, with the file and what to write."""
    text = (tree / file).read_text()
    assert old in text
    (tree / file).write_text(text.replace(old, new))
    _git(tree, "commit", "-q", "-a", "-m", "Not ready")
    (found,) = problems(tree)
    assert told in found


@pytest.mark.parametrize("version", ["1.2.3.dev0", "1.2", "1.2.3+local"])
def test_version_of_development(tree, version):
    """A development version is not released; changelog and citation must have the exact version."""
    (tree / "meteorlib/_version.py").write_text(f'__version__ = "{version}"\n')
    (tree / "CITATION.cff").write_text(f"cff-version: 1.2.0\nversion: {version}\n")
    (tree / "CHANGELOG.md").write_text(CHANGELOG.replace("1.2.3", version))
    _git(tree, "commit", "-q", "-a", "-m", "Not ready")
    (found,) = problems(tree)
    assert f"{version} is not the version of a release" in found


def test_no_version(tree):
    """A file of the version without one is named."""
    (tree / "meteorlib/_version.py").write_text("")
    with pytest.raises(SystemExit, match=r"_version\.py holds no line"):
        version_of(tree)


def test_not_committed(tree):
    """Changed and new files are named."""
    (tree / "new").touch()
    (tree / "CITATION.cff").write_text("version: 1.2.3\n")
    (found,) = problems(tree)
    assert re.fullmatch(r"files not committed: 2 \(CITATION\.cff, new\): commit or remove them", found)


def test_tag_that_exists(tree):
    """A version is released once."""
    _git(tree, "tag", "v1.2.3")
    (found,) = problems(tree)
    assert found == "the tag v1.2.3 exists: choose the next version"


def test_digests(tmp_path):
    """SHA256SUMS is what sha256sum writes, by name."""
    for name in ("b", "a"):
        (tmp_path / name).write_bytes(name.encode())
    written = write_digests([tmp_path / "b", tmp_path / "a"], tmp_path)
    lines = [line.split("  ") for line in written.read_text().splitlines()]
    assert [name for _, name in lines] == ["a", "b"]
    assert lines[0][0] == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
