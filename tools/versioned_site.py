"""Build the documentation of every release and of the working tree: ``python tools/versioned_site.py site``.

Each tag ``vX.Y.Z`` becomes a folder ``X.Y.Z`` of the site, the working tree becomes ``dev``, and ``index.html`` leads
to the newest release. Every page lists all versions; each link leads to the same page of that version, or to its first
page if there is no such page. All links are relative, so the site works on any server, in any folder, and from disk.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]

DEVELOPMENT = "dev"
"""Folder of the site for the working tree."""

_RELEASE = re.compile(r"v(\d+)\.(\d+)\.(\d+)")
_PLACE = re.compile(r"<!-- versions: .*? -->")
_FIRST_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={folder}/index.html">
<title>meteorlib</title>
<p><a href="{folder}/index.html">Documentation of meteorlib {folder}</a></p>
</html>
"""


def releases(tags: Sequence[str]) -> list[str]:
    """Versions of the tags ``vX.Y.Z``, the newest first; other tags are left out."""
    found = [match for tag in tags if (match := _RELEASE.fullmatch(tag))]
    found.sort(key=lambda match: [*map(int, match.groups())], reverse=True)
    return [match[0][1:] for match in found]


def add_versions(site: Path, folders: Sequence[str]) -> None:
    """Put the list of versions into every page of a site, which has a folder for each."""
    for folder in folders:
        for page in sorted((site / folder).rglob("*.html")):
            text = page.read_text("utf-8")
            if _PLACE.search(text):
                menu = _menu(site, folders, folder, page.relative_to(site / folder))
                page.write_text(_PLACE.sub(lambda _, menu=menu: menu, text), "utf-8")  # type: ignore[misc]


def _menu(site: Path, folders: Sequence[str], current: str, page: Path) -> str:
    """The list of versions on a page, as a box that opens without a script."""
    up = "../" * len(page.parts)
    items = []
    for folder in folders:
        target = page.as_posix() if (site / folder / page).is_file() else "index.html"
        mark = ' aria-current="true"' if folder == current else ""
        items.append(f'<li><a href="{up}{folder}/{target}"{mark}>{folder}</a></li>')
    return f'<details class="versions"><summary>Version {current}</summary><ul>{"".join(items)}</ul></details>'


def build_site(out: Path, versions: Sequence[str], build: Callable[[str, Path], None]) -> None:
    """Build a site of releases, the newest first, and of `DEVELOPMENT`; `build` writes one into a folder."""
    if out.exists() and any(out.iterdir()):
        sys.exit(f"{out}: already exists; remove it, or name another folder")
    folders = [*versions, DEVELOPMENT]
    for folder in folders:
        build(folder, out / folder)
    add_versions(out, folders)
    (out / "index.html").write_text(_FIRST_PAGE.format(folder=folders[0]), "utf-8")


def _build(version: str, out: Path) -> None:
    """Build the documentation of a release or of the working tree with its own code, in Python."""
    if version == DEVELOPMENT:
        _run_sphinx(ROOT, out, "-W", "--keep-going")
        return
    archive = _git("archive", f"v{version}")
    with TemporaryDirectory() as folder:
        with tarfile.open(fileobj=BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
        _run_sphinx(Path(folder), out)


def _run_sphinx(source: Path, out: Path, *options: str) -> None:
    """Build the documentation in a folder of sources; its code has precedence over the installed package."""
    command = [sys.executable, "-m", "sphinx", "-q", *options, "docs", str(out.resolve())]
    environment = {**os.environ, "PYTHONPATH": str(source), "METEORLIB_PURE_PYTHON": "1"}
    if subprocess.run(command, check=False, cwd=source, env=environment).returncode:  # noqa: S603 – our own command
        sys.exit(f"the documentation of {out.name} was not built; see the messages above")


def _git(*arguments: str) -> bytes:
    """Output of git in this repository."""
    git = shutil.which("git") or sys.exit("git is not installed; it lists and exports the tags")
    return subprocess.run([git, *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout  # noqa: S603


def main() -> None:
    """Build the site of all tags and of the working tree."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("out", type=Path, help="folder of the site; must be new or empty")
    out = parser.parse_args().out
    versions = releases(_git("tag", "--list", "v*").decode().split())
    if not versions:
        sys.stderr.write("note: there is no tag vX.Y.Z, so only the working tree is built\n")
    build_site(out, versions, _build)


if __name__ == "__main__":
    main()
