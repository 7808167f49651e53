"""Fill in the files of recipes/ for a release: version, addresses, digests, and the packages for Homebrew."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACE = re.compile(r"(?:# )?@([A-Z0-9]+)@")
"""A word to fill in; alone in a comment where the language of the file has no such words."""

INDEX = "https://files.pythonhosted.org/packages/source"
"""Folder of the source archives of all packages of the Python Package Index."""


APART = frozenset({"meteorlib", "numpy", "pip", "setuptools"})
"""Packages that are no resource: Homebrew has a formula of them, or needs none."""


def resources(python: str | Path) -> str:
    """Homebrew's resources: the source archives of all packages of an environment, with addresses and digests.

    Args:
        python: the interpreter of the environment, which has pip.
    """
    listed = subprocess.run(  # noqa: S603 – an environment of this release
        [python, "-m", "pip", "list", "--format", "freeze"], check=True, capture_output=True, text=True
    ).stdout.split()
    blocks = []
    for name, version in sorted(line.split("==") for line in listed):
        if name.lower() not in APART:
            archive = _source_archive(name, version)
            blocks.append(f'resource "{name}" do\n  url "{archive[0]}"\n  sha256 "{archive[1]}"\nend')
    return "\n\n".join(blocks)


def _source_archive(name: str, version: str) -> tuple[str, str]:
    """Address and SHA-256 of a package's source archive."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "-q",
            "--no-deps",
            "--no-binary",
            name,
            f"{name}=={version}",
        ]
        subprocess.run([*command, "--dest", folder], check=True)  # noqa: S603 – this environment's pip
        (archive,) = Path(folder).iterdir()
        digest = hashlib.sha256(archive.read_bytes()).hexdigest()
        return f"{INDEX}/{archive.name[0]}/{name}/{archive.name}", digest


def write_recipes(values: Mapping[str, str], out: Path, folder: Path = ROOT / "recipes") -> list[Path]:
    """Copy the files of recipes/ with their words filled in; values of several lines keep the place's indent.

    Args:
        values: a value for each word between @.
        out: the folder to write to; it is made.
        folder: the files to fill in.

    Returns:
        The files, sorted.

    Raises:
        KeyError: a file has a word without a value.
    """
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
