"""Rehearse or make a release: check version and changelog, build, verify, list parts and digests, and tag.

Without --tag it is a rehearsal: everything is built and checked, and what a release still lacks is listed at the end.
Files for publication that other systems need are built by the workflow `release.yml`, which the pushed tag starts.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tools.check_wheels import installed
from tools.recipes import INDEX, resources, write_recipes
from tools.wheels import PURE, SOURCE, build, run

ROOT = Path(__file__).parents[1]
VERSION_FILE = "meteorlib/_version.py"
"""The only file that holds the version; CITATION.cff repeats it for those who cite."""

RELEASED = re.compile(r"\d+\.\d+\.\d+(rc\d+)?")


def version_of(root: Path) -> str:
    """The version of the package in a source tree."""
    found = re.search(r'^__version__ = "([^"]+)"$', (root / VERSION_FILE).read_text("utf-8"), re.MULTILINE)
    if found is None:
        sys.exit(f'{VERSION_FILE} holds no line __version__ = "..."')
    return found[1]


def problems(root: Path) -> Iterator[str]:
    """Problems that keep a source tree from being released, each with what to do."""
    version = version_of(root)
    if not RELEASED.fullmatch(version):
        yield f"{VERSION_FILE}: {version} is not the version of a release: write one such as 1.2.3 or 1.2.3rc1"
    cited = re.search(r"^version: (\S+)$", (root / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    if cited is None or cited[1] != version:
        found = cited[1] if cited else "missing"
        yield f"CITATION.cff: the version is {found}, not {version}: write `version: {version}`"
    yield from _changelog_problems((root / "CHANGELOG.md").read_text("utf-8"), version)
    if changed := _git(root, "status", "--porcelain").splitlines():
        listed = ", ".join(line[3:] for line in changed[:5])
        yield f"files not committed: {len(changed)} ({listed}): commit or remove them"
    if _git(root, "tag", "--list", f"v{version}"):
        yield f"the tag v{version} exists: choose the next version"


def _changelog_problems(text: str, version: str) -> Iterator[str]:
    sections = dict(re.findall(r"^## \[([^\]]+)\]([^\n]*\n.*?)(?=^## \[|\Z)", text, re.MULTILINE | re.DOTALL))
    section = sections.get(version)
    if section is None:
        yield f"CHANGELOG.md: no section for {version}: write `## [{version}] - YYYY-MM-DD` below `## [Unreleased]`"
        return
    if not re.match(r" - \d{4}-\d\d-\d\d\n", section):
        yield f"CHANGELOG.md: the heading of {version} has no date: write `## [{version}] - YYYY-MM-DD`"
    if not re.search(r"^### Scores\n+\S", section, re.MULTILINE):
        yield f"CHANGELOG.md: {version} has no section `### Scores`: say which scores moved, or that none did"
    if re.search(r"\S", sections.get("Unreleased", "")):
        yield f"CHANGELOG.md: [Unreleased] is not empty: move its entries to [{version}]"


def make_parts_list(python: Path, target: Path) -> Path:
    """Write the software bill of materials (CycloneDX) of an environment with nothing but a wheel and what it needs."""
    subprocess.run(  # noqa: S603 – this environment's cyclonedx-bom
        [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible", "-o", target, str(python)],
        check=True,
    )
    return target


def fill_recipes(python: Path, archive: Path, address: str, out: Path) -> list[Path]:
    """Write the files of recipes/ for a source archive that will be found below an address."""
    values = {
        "VERSION": version_of(ROOT),
        "URL": f"{address}/{archive.name}",
        "SHA256": hashlib.sha256(archive.read_bytes()).hexdigest(),
        "HOMEPAGE": "https://pypi.org/project/meteorlib/",
        "RESOURCES": resources(python),
    }
    return write_recipes(values, out)


def write_digests(files: list[Path], out: Path) -> Path:
    """Write SHA256SUMS, which `sha256sum --check` reads."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(files)]
    target = out / "SHA256SUMS"
    target.write_text("".join(lines), encoding="utf-8", newline="\n")
    return target


def release(kinds: list[str], address: str, out: Path) -> None:
    """Build, check and verify the files of a release, and write their parts, digests and recipes beside them."""
    if out.exists() and any(out.iterdir()):
        sys.exit(f"{out} is not empty: remove it, or name another folder with --out")
    files = build(kinds, out)
    _checked([sys.executable, "-m", "twine", "check", "--strict", *map(str, files)])
    _checked([sys.executable, "-m", "tools.check_wheels", *map(str, files)])
    archive = next(path for path in files if path.name.endswith(".tar.gz"))
    wheel = next(path for path in files if path.name.endswith("-none-any.whl"))
    with tempfile.TemporaryDirectory() as name:
        python = installed(wheel, Path(name, "environment"))
        files.append(make_parts_list(python, out / f"{wheel.name.split('-py3')[0]}.cdx.json"))
        recipes = fill_recipes(python, archive, address, out / "recipes")
    files.append(write_digests(files, out))
    files.extend(recipes)
    for path in files:
        print(f"{path}  {path.stat().st_size:,} bytes")  # noqa: T201 – the output of a script


def _checked(command: list[str]) -> None:
    done = subprocess.run(command, cwd=ROOT, check=False)  # noqa: S603 – commands of this script
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed with status {done.returncode}")


def _git(root: Path, *arguments: str) -> str:
    return run(["git", "-C", str(root), *arguments])


def main() -> None:
    """Rehearse or make a release."""
    summary, details = (__doc__ or "").split("\n\n")
    parser = argparse.ArgumentParser(description=summary, epilog=details)
    parser.add_argument(
        "--tag", action="store_true", help="make the release: stop at the first problem, tag at the end"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="FOLDER", help="default: dist")
    parser.add_argument("--system", action="append", metavar="SYSTEM", help="of tools.wheels; default: linux-x86_64")
    help_text = "folder on the web that will hold the source archive; default: the Python Package Index"
    parser.add_argument("--address", default=f"{INDEX}/m/meteorlib", metavar="URL", help=help_text)
    given = parser.parse_args()
    lacking = list(problems(ROOT))
    if given.tag and lacking:
        sys.exit("\n".join(lacking))
    release([SOURCE, PURE, *(given.system or ["linux-x86_64"])], given.address, given.out)
    if lacking:
        sys.exit("a release still lacks:\n" + "\n".join(f"- {problem}" for problem in lacking))
    version = version_of(ROOT)
    if given.tag:
        _git(ROOT, "tag", "--annotate", f"v{version}", "--message", f"meteorlib {version}")
        print(f"tagged; publish with: git push origin v{version}")  # noqa: T201
    else:
        print(f"ready: python -m tools.release --tag makes v{version}")  # noqa: T201


if __name__ == "__main__":
    main()
