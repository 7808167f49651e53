"""The site of all versions by `tools/versioned_site.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.check_site import problems
from tools.versioned_site import build_site, releases

PLACE = Path(__file__).parents[2].joinpath("docs/templates/sidebar/versions.html").read_text("utf-8")


def write_pages(version, folder):
    """Pages of a version as Sphinx builds them; only 0.10.0 and the working tree have the page of commands."""
    pages = ["index.html", "presets.html"] + ["commands/score.html"] * (version != "0.9.1")
    for page in pages:
        path = folder / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<p>{version}</p>{PLACE}", "utf-8")


def test_order():
    """Releases are in the order of their numbers, the newest first; other tags are no versions of the site."""
    assert releases(["v0.9.1", "v0.10.0", "v1.0.0rc1", "v0.9.0", "version", "v0.2"]) == ["0.10.0", "0.9.1", "0.9.0"]
    assert releases([]) == []


def test_same_page_of_another_version(tmp_path):
    """The list leads to the same page of each version, or to its first page if it lacks that page; no link is dead."""
    build_site(tmp_path / "site", ["0.10.0", "0.9.1"], write_pages)
    page = (tmp_path / "site/0.10.0/commands/score.html").read_text("utf-8")
    assert "<summary>Version 0.10.0</summary>" in page
    assert '<a href="../../0.10.0/commands/score.html" aria-current="true">0.10.0</a>' in page
    assert '<a href="../../0.9.1/index.html">0.9.1</a>' in page
    assert '<a href="../../dev/commands/score.html">dev</a>' in page
    assert '<a href="../dev/presets.html">dev</a>' in (tmp_path / "site/0.9.1/presets.html").read_text("utf-8")
    assert problems(tmp_path / "site") == []


@pytest.mark.parametrize(("versions", "first"), [(["0.10.0", "0.9.1"], "0.10.0"), ([], "dev")])
def test_first_page(tmp_path, versions, first):
    """The first page of the site leads to the newest release, or to the working tree if there is none."""
    build_site(tmp_path, versions, write_pages)
    page = (tmp_path / "index.html").read_text("utf-8")
    assert f'content="0; url={first}/index.html"' in page
    assert f'href="{first}/index.html"' in page


def test_page_without_a_place(tmp_path):
    """A page of a release that was made before the list existed stays as it is."""

    def write(version, folder):
        folder.mkdir(parents=True)
        (folder / "index.html").write_text(f"<p>{version}</p>", "utf-8")

    build_site(tmp_path, ["0.9.1"], write)
    assert (tmp_path / "0.9.1/index.html").read_text("utf-8") == "<p>0.9.1</p>"


def test_folder_with_files(tmp_path):
    """A folder that has files is refused before anything is built."""
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    with pytest.raises(SystemExit, match=r"already exists; remove it, or name another folder"):
        build_site(tmp_path, [], write_pages)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
