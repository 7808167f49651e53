"""Install wheels and source archives, each in an environment of its own, and compare what they score.

There is no compiler, no home folder and no source tree at hand. Each one must pass `meteorlib verify`, say the engine
that belongs to it, and print the same scores as the others. Wheels for other systems are skipped.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.wheels import run

EXAMPLES = Path(__file__).parents[1] / "examples"
HYPOTHESES, REFERENCES = "system-a.en", ("reference.0.en", "reference.1.en")
PRESETS = ("meteor-2005", "meteor-1.5-en-core", "nltk", "meteor-2026-en-core")


def installed(path: Path, environment: Path) -> Path | None:
    """Install a wheel or source archive into a new environment: its Python; None if the wheel is for another system."""
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)  # noqa: S603 – this Python
    python = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    command = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-compile", str(path)]
    done = subprocess.run(command, env=_bare(), capture_output=True, text=True, check=False)  # noqa: S603
    if "is not a supported wheel on this platform" in done.stderr:
        return None
    if done.returncode:
        sys.exit(f"{path.name} cannot be installed:\n{done.stderr}")
    return python


def scores(python: Path, path: Path, folder: Path) -> str:
    """Verify an installation, whose engine must be what its name says; what it prints for the examples."""
    engine = "(pure Python)" if path.name.endswith((".tar.gz", "none-any.whl")) else "(compiled)"
    if engine not in (version := _run(python, folder, "--version")):
        sys.exit(f"{path.name}: {version.strip()} should be {engine}")
    _run(python, folder, "verify")
    files = [EXAMPLES / HYPOTHESES, *(part for name in REFERENCES for part in ("-r", EXAMPLES / name))]
    return "".join(_run(python, folder, "score", *files, "--segments", "-q", "-p", preset) for preset in PRESETS)


def _run(python: Path, folder: Path, *arguments: str | Path) -> str:
    return run([*map(str, (python, "-I", "-m", "meteorlib", *arguments))], _bare(), folder)


def _bare() -> dict[str, str]:
    """The environment without a home folder, a compiler, or settings of Python and meteorlib."""
    dropped = ("CC", "CXX", "HOME", "METEORLIB", "PYTHON", "USERPROFILE", "VIRTUAL_ENV", "XDG")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    return {**kept, "CC": "false", "CXX": "false", "PYTHONUTF8": "1"}


def main() -> None:
    """Check the files that the command line names."""
    summary, details = (__doc__ or "").split("\n\n")
    parser = argparse.ArgumentParser(description=summary, epilog=details)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="wheel or source archive")
    printed: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as name:
        for number, path in enumerate(parser.parse_args().files):
            if (python := installed(path.resolve(), Path(name, str(number)))) is None:
                print(f"skipped  {path.name}: for another system")  # noqa: T201 – the output of a script
                continue
            printed[path.name] = scores(python, path, Path(name))
            print(f"verified {path.name}")  # noqa: T201
    if not printed:
        sys.exit("nothing was checked: all files are for other systems")
    first, *others = printed
    if different := [other for other in others if printed[other] != printed[first]]:
        sys.exit(f"these print other scores than {first}: {', '.join(different)}")


if __name__ == "__main__":
    main()
