"""Add the scorer to the page "Try it" of a built site: ``python tools/try_it.py site``.

Copies Pyodide, which npm installs, attrs, and the part of this package that scores English beside the page's scripts.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

ROOT = Path(__file__).resolve().parent.parent

SCRIPTS = Path("_static", "try-it")
"""Folder of the page's scripts in a site."""

CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")
"""Files of npm's package that a browser loads."""

UNUSED = re.compile(r"meteorlib/((cli|integrations|reports)/|resources/data/(thesaurus|information-(?!en\.)))")
"""Files of the wheel that the page does not need: layers above scoring, and data of languages other than English."""


class NotReady(Exception):
    """Something that the page needs is missing."""


def add_scorer(site: Path, pyodide: Path) -> None:
    """Add Pyodide, from the folder of npm's package, attrs and this package to a site."""
    target = site / SCRIPTS
    if not (target / "worker.js").is_file():
        raise NotReady(f"{site} is no built documentation: run  sphinx-build docs {site}")
    if absent := [name for name in CORE if not (pyodide / name).is_file()]:
        raise NotReady(f"{pyodide} lacks {absent[0]}: run  npm install --no-save pyodide  in {ROOT}, or give --pyodide")
    packages = [pack_attrs(target), pack_meteorlib(target)]
    (target / "pyodide").mkdir(exist_ok=True)
    for name in CORE:
        shutil.copyfile(pyodide / name, target / "pyodide" / name)
    names = [path.name for path in packages]
    # last, because the page takes it as a sign that everything is there
    (target / "packages.json").write_text(json.dumps({"packages": names}) + "\n", encoding="utf-8")


def pack_attrs(folder: Path) -> Path:
    """Archive of the installed attrs, which is Python alone."""
    installed = distribution("attrs")
    path = folder / f"attrs-{installed.version}.zip"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for file in installed.files or ():
            if ".." not in file.parts and file.suffix != ".pyc":
                archive.write(installed.locate_file(file), str(file))
    return path


def pack_meteorlib(folder: Path) -> Path:
    """Archive of this package without its extension, and without the files in `UNUSED`."""
    with TemporaryDirectory() as work:
        built = build_wheel(Path(work))
        path = folder / f"{built.name.removesuffix('-py3-none-any.whl')}.zip"
        with ZipFile(built) as wheel, ZipFile(path, "w", ZIP_DEFLATED) as archive:
            for name in wheel.namelist():
                if not UNUSED.match(name):
                    archive.writestr(name, wheel.read(name))
    return path


def build_wheel(work: Path) -> Path:
    """Build the wheel of this package without its extension in an empty folder."""
    # a build folder of its own, so that nothing old gets into the wheel
    config = Path(work, "build.cfg")
    config.write_text(f"[build]\nbuild_base = {Path(work, 'build')}\n", encoding="utf-8")
    environment = {**os.environ, "METEORLIB_PURE_PYTHON": "1", "DIST_EXTRA_CONFIG": str(config)}
    options = ("-q", "--no-deps", "--no-build-isolation", "--wheel-dir", str(work))
    command = (sys.executable, "-m", "pip", "wheel", *options, str(ROOT))
    if subprocess.run(command, env=environment, check=False).returncode:  # noqa: S603 – pip
        raise NotReady("the wheel could not be built; it needs  pip install 'setuptools>=77' pyyaml attrs")
    (wheel,) = work.glob("*-py3-none-any.whl")
    return wheel


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("site", type=Path, help="folder that sphinx-build made")
    parser.add_argument("--pyodide", type=Path, default=ROOT / "node_modules" / "pyodide", metavar="FOLDER",
                        help="npm's package pyodide (default: that in node_modules)")  # fmt: skip
    given = parser.parse_args(arguments)
    try:
        add_scorer(given.site, given.pyodide)
    except (NotReady, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
