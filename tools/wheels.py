"""Build wheels for Linux that run on old systems, and the wheel of the Python code alone.

Wheels are built from the source archive, for the Python that runs this script. The compiler is zig, which compiles for
x86-64 and arm64, against any version of glibc, or against musl: `pip install auditwheel build ziglang`.
A wheel whose extension could not be compiled, needs a newer system, or is too large is an error.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]

GLIBC = (2, 28)
"""Oldest version of glibc on which the wheels run: that of Debian 10 and RHEL 8."""

SYSTEMS = {
    "linux-x86_64": ("x86_64-linux-gnu.{}.{}", "manylinux_{}_{}_x86_64"),
    "linux-aarch64": ("aarch64-linux-gnu.{}.{}", "manylinux_{}_{}_aarch64"),
    "musl-x86_64": ("x86_64-linux-musl", "musllinux_1_2_x86_64"),
    "musl-aarch64": ("aarch64-linux-musl", "musllinux_1_2_aarch64"),
}
"""Zig's target and the wheel's platform tag, by system; {} are the numbers of glibc's version."""

SOURCE, PURE = "source", "pure"
KINDS = (SOURCE, PURE, *SYSTEMS)

LINES_SHOWN = 30
"""Lines of a failed command's output that are shown: the last ones name the error."""

MAX_SIZE = 9_000_000
"""Bytes of a wheel, as a guard; 7.2 MB of its 8.6 are language data."""


def build(kinds: list[str], out: Path) -> list[Path]:
    """Build the source archive, and from it wheels, into a folder; the archive is kept only if it is one of `kinds`."""
    out.mkdir(parents=True, exist_ok=True)
    built = []
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        run([sys.executable, "-m", "build", "-q", "--sdist", "--outdir", str(work), str(ROOT)])
        archive = next(work.glob("*.tar.gz"))
        for kind in kinds:
            made = archive if kind == SOURCE else _wheel(kind, archive, work / kind)
            target = out / made.name
            shutil.copyfile(made, target)
            built.append(target)
    return built


def problems(wheel: Path) -> Iterator[str]:
    """Problems of a wheel: it is too large."""
    if (size := wheel.stat().st_size) > MAX_SIZE:
        yield f"{wheel.name} has {size:,} bytes; at most {MAX_SIZE:,} are allowed"


def compiler(system: str) -> dict[str, str]:
    """Environment that makes setuptools compile for a system of `SYSTEMS` with zig."""
    found = find_spec("ziglang")
    if found is None or not found.submodule_search_locations:
        sys.exit(f"zig is not installed: {sys.executable} -m pip install ziglang")
    # by its path: builds run in an environment of their own, without this one's packages
    zig = Path(found.submodule_search_locations[0], "zig")
    target = SYSTEMS[system][0].format(*GLIBC)
    machine = system.partition("-")[2]
    libc = "musl" if system.startswith("musl") else "gnu"
    abi = sysconfig.get_config_var("SOABI").split("-")
    return {
        "CC": f"{zig} cc -target {target}",
        "CXX": f"{zig} c++ -target {target}",
        "LDFLAGS": "-s",
        "METEORLIB_PURE_PYTHON": "0",
        "METEORLIB_REQUIRE_COMPILED": "1",
        "SETUPTOOLS_EXT_SUFFIX": f".{abi[0]}-{abi[1]}-{machine}-linux-{libc}.so",
        "_PYTHON_HOST_PLATFORM": f"linux-{machine}",
    }


def _wheel(kind: str, archive: Path, work: Path) -> Path:
    if kind == PURE:
        return _pip_wheel(archive, work, {"METEORLIB_PURE_PYTHON": "1", "METEORLIB_REQUIRE_COMPILED": "0"})
    tag = SYSTEMS[kind][1].format(*GLIBC)
    wheel = _pip_wheel(archive, work, compiler(kind), f"--config-settings=--build-option=--plat-name={tag}")
    shown = run([sys.executable, "-m", "auditwheel", "show", str(wheel)])
    found = platform_tag(shown)
    if not runs_where(found, tag) and not (tag.startswith("musllinux") and needs_only_musl(shown)):
        sys.exit(f"{wheel.name} needs {found}")
    return wheel


def platform_tag(shown: str) -> str:
    """The oldest platform that a wheel runs on, out of what `auditwheel show` prints, or "another system"."""
    found = re.search(r'following platform tag: "(\w+)"', " ".join(shown.split()))
    return found[1] if found else "another system"


def needs_only_musl(shown: str) -> bool:
    """Whether the only library that `auditwheel show` objects to is ``libc.so``, the name by which zig links musl.

    Any musl takes itself for the library of that name; auditwheel knows only the name that Alpine's compiler writes.
    """
    return re.search(r"need to be eliminated:\s+libc\.so\s*\Z", shown) is not None


def runs_where(found: str, tag: str) -> bool:
    """Whether a wheel for the platform `found` runs on `tag`: the same C library, of that version or an older one."""
    parts = [re.fullmatch(r"(manylinux|musllinux)_(\d+)_(\d+)_(\w+)", name) for name in (found, tag)]
    if None in parts:
        return False
    (libc, *version, machine), (its_libc, *its_version, its_machine) = (part.groups() for part in parts if part)
    return (libc, machine) == (its_libc, its_machine) and [*map(int, version)] <= [*map(int, its_version)]


def _pip_wheel(archive: Path, out: Path, environment: Mapping[str, str], *options: str) -> Path:
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-cache-dir", *options]
    run([*command, "-w", str(out), str(archive)], {**os.environ, **environment})
    return next(out.glob("*.whl"))


def run(command: Sequence[str], environment: Mapping[str, str] | None = None, folder: Path | None = None) -> str:
    """The output of a command; if it fails, its last lines are shown, and this program ends."""
    done = subprocess.run(  # noqa: S603 – commands of these tools
        command, env=environment, cwd=folder, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    if done.returncode:
        last = "\n".join(f"{done.stdout}{done.stderr}".splitlines()[-LINES_SHOWN:])
        sys.exit(f"{last}\n{' '.join(command)} failed with status {done.returncode}")
    return done.stdout


def main() -> None:
    """Build what the command line asks for."""
    summary, details = (__doc__ or "").split("\n\n")
    parser = argparse.ArgumentParser(description=summary, epilog=details)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"{', '.join(KINDS)}; default: pure and linux-x86_64")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="FOLDER", help="default: dist")
    given = parser.parse_args()
    kinds = given.kinds or [PURE, "linux-x86_64"]
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        parser.error(f"unknown KIND {', '.join(unknown)}; there are {', '.join(KINDS)}")
    built = build(kinds, given.out)
    for path in built:
        print(f"{path}  {path.stat().st_size:,} bytes")  # noqa: T201 – the output of a script
    if found := [problem for path in built if path.suffix == ".whl" for problem in problems(path)]:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
