"""Fill in the files of recipes/ for a release: version, addresses, digests, and the packages for Homebrew."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.request import Request, urlopen

from tools.wheels import run

ROOT = Path(__file__).parents[1]
PLACE = re.compile(r"(?:# )?@([A-Z0-9]+)@")
"""A word to fill in; alone in a comment where the language of the file has no such words."""

INDEX = "https://files.pythonhosted.org/packages/source"
"""Folder of the source archives of all packages of the Python Package Index."""

SIMPLE = "https://pypi.org/simple"
"""List of each package's files; downloading a source archive by pip would also run its build."""

APART = frozenset({"meteorlib", "numpy", "pip", "setuptools"})
"""Packages that are no resource: Homebrew has a formula of them, or needs none."""


def resources(python: str | Path) -> str:
    """Homebrew's resources: the source archives of all packages of an interpreter, with addresses and digests."""
    listed = run([str(python), "-m", "pip", "list", "--format", "freeze"]).split()
    blocks = []
    for name, version in sorted(line.split("==") for line in listed):
        if name.lower() not in APART:
            archive = _source_archive(name, version)
            blocks.append(f'resource "{name}" do\n  url "{archive[0]}"\n  sha256 "{archive[1]}"\nend')
    return "\n\n".join(blocks)


def _source_archive(name: str, version: str) -> tuple[str, str]:
    """Address and SHA-256 of a package's source archive, as the index lists them."""
    project = _normalized(name)
    wanted = {"Accept": "application/vnd.pypi.simple.v1+json"}
    request = Request(f"{SIMPLE}/{project}/", headers=wanted)  # noqa: S310 – https, see SIMPLE
    try:
        with urlopen(request, timeout=60) as answer:  # noqa: S310 – https, see SIMPLE
            files = json.load(answer)["files"]
    except OSError as error:
        sys.exit(f"{request.full_url} cannot be read ({error}): the release needs the network; try again")
    for file in files:
        stem, _, found = file["filename"].removesuffix(".tar.gz").rpartition("-")
        if file["filename"].endswith(".tar.gz") and (_normalized(stem), found) == (project, version):
            return file["url"], file["hashes"]["sha256"]
    sys.exit(f"{request.full_url} lists no source archive of {name} {version}: install another version")


def _normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def write_recipes(values: Mapping[str, str], out: Path, folder: Path = ROOT / "recipes") -> list[Path]:
    """Copy the files of a folder with their words between @ filled in; values of several lines keep the indent."""
    written = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        target = out / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = "\n".join(_filled(path.read_text("utf-8").split("\n"), values))
        target.write_text(text, encoding="utf-8", newline="\n")
        written.append(target)
    return written


def _filled(lines: list[str], values: Mapping[str, str]) -> Iterator[str]:
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        filled = PLACE.sub(lambda found: values[found[1]], line) if "@" in line else line
        yield filled.replace("\n", f"\n{indent}").replace(f"\n{indent}\n", "\n\n")
