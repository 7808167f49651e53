"""Files that several processes use: replaced as a whole or not at all, locked, and kept in versions.

A resource is a folder with the file `POINTER`, which names the current version, and a folder for each version, which is
never renamed. Replacing that small file switches to another version, so files that a process has open or mapped need
not be renamed or removed, which Windows would refuse. Releases up to 0.1 put the files into the resource's folder
itself: such a folder is its own current version.
"""

from __future__ import annotations

import errno
import os
import re
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TypeVar

DISK_FULL = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG})
"""Error numbers of writes that fail for lack of room."""

PAUSES = tuple(0.002 * 2**turn for turn in range(9)) if sys.platform == "win32" else ()
"""Seconds to wait before each new attempt at what another program prevents; about one in all.

On Windows a file that is open, even for the moment in which a virus scanner reads it, can be neither replaced nor
removed. Elsewhere it can, and a refusal is final.
"""

POLL_INTERVAL = 0.1
"""Seconds between two attempts to get a lock that another process holds."""

Result = TypeVar("Result")


def retry_while_open(operation: Callable[[], Result]) -> Result:
    """Run an operation on files, again after each of `PAUSES` if another program has one of them open."""
    for pause in PAUSES:
        try:
            return operation()
        except PermissionError:
            time.sleep(pause)
    return operation()


@contextmanager
def path_in_disk_errors(place: str | Path | None = None) -> Iterator[None]:
    """Add the file or folder to disk-full errors that lack it, as those from writing to an open file do.

    Without `place`, it is the folder of temporary files.
    """
    try:
        yield
    except OSError as error:
        if error.errno in DISK_FULL and error.filename is None:
            error.filename = str(place or _temporary_folder())
        raise


def _temporary_folder() -> str:
    from tempfile import gettempdir  # noqa: PLC0415 – slow to load

    return f"temporary files in {gettempdir()} (TMPDIR names another folder)"


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to a file; its old content stays until everything is written, also after an `OSError`."""
    with atomic_writer(path) as file:
        file.write(data)


@contextmanager
def atomic_writer(path: Path) -> Iterator[BinaryIO]:
    """Open a new file that replaces `path` when the block succeeds, and is removed when it raises.

    On Windows that fails if another program has `path` open; the old content is then still there.
    """
    import uuid  # noqa: PLC0415 – slow to load, and errors are named without it

    beside = path.parent / f".{uuid.uuid4().hex}.part"
    try:
        with path_in_disk_errors(path), beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            beside.chmod(path.stat().st_mode & 0o777)
        retry_while_open(lambda: beside.replace(path))
    finally:
        with suppress(OSError):
            beside.unlink()


@contextmanager
def file_lock(path: Path, otherwise: Exception | None = None) -> Iterator[None]:
    """Hold an exclusive lock on the file `path`; it stays when the lock is released, except on Windows.

    If another process holds the lock, `otherwise` is raised; None: wait.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415 – only to install; scoring does not need the package

    lock = FileLock(path, fallback_to_soft=False)
    try:
        lock.acquire(timeout=-1 if otherwise is None else 0, poll_interval=POLL_INTERVAL)
    except Timeout:
        raise (otherwise or TimeoutError(str(path))) from None
    try:
        yield
    finally:
        lock.release()


POINTER, MANIFEST = "current", "manifest.json"

_NAME = re.compile(rb"[0-9a-f]{32}")


def current_version(target: Path) -> Path | None:
    """Folder of the current version of the resource `target`; None if there is none.

    If the pointer cannot be read or is damaged, the result is the pointer itself, and an attempt to open it as a folder
    says so.
    """
    pointer = target / POINTER
    try:
        name = retry_while_open(pointer.read_bytes)
    except (FileNotFoundError, NotADirectoryError):
        return target if (target / MANIFEST).is_file() else None
    except OSError:
        return pointer
    return target / name.decode() if _NAME.fullmatch(name) else pointer


@contextmanager
def new_version(target: Path) -> Iterator[Path]:
    """Empty folder in `target` for the files of a new version; removed at the end unless `make_current` was called."""
    from uuid import uuid4  # noqa: PLC0415 – slow to load, and rarely needed

    folder = target / uuid4().hex
    try:
        folder.mkdir(parents=True)
        yield folder
    finally:
        if current_version(target) != folder:
            _discard(folder)
            _remove_if_empty(target)


def make_current(folder: Path) -> None:
    """Make the complete version in `folder` the current one, and remove the others as far as no process has them open.

    Its files become read-only, because truncating a file while it is memory-mapped would crash the processes that read
    it. If the pointer cannot be written (`OSError`), the version before is still the current one.
    """
    if sys.platform != "win32":  # where it could not be removed either
        for path in folder.iterdir():
            path.chmod(path.stat().st_mode & ~0o222)
    _sync(folder)
    write_atomically(folder.parent / POINTER, folder.name.encode())
    _sync(folder.parent)
    remove_leftovers(folder.parent)


def remove_current(target: Path) -> bool:
    """Remove all versions of a resource, and return whether one of them was the current one.

    Files that another process has open on Windows stay until the next call of `remove_leftovers`. If the pointer cannot
    be removed (`OSError`), the version is still the current one.
    """
    present = current_version(target) is not None
    for path in (target / MANIFEST, target / POINTER):  # an old manifest first: without a pointer it would count again
        retry_while_open(lambda path=path: path.unlink(missing_ok=True))  # type: ignore[misc]
    remove_leftovers(target)
    return present


def remove_leftovers(target: Path) -> None:
    """Remove what is not part of the current version, as far as possible; only for the holder of the resource's lock.

    Old versions, what killed processes left, and staging folders of releases up to 0.1 are such.
    """
    current = current_version(target)
    if current == target / POINTER:
        return  # until it can be read, no version is known to be an old one
    for path in target.parent.glob(f".{target.name}.*.part"):
        _discard(path)
    if target.is_dir():
        for path in target.iterdir():
            if path.name != POINTER and path != current and not (current == target and path.is_file()):
                _discard(path)
        _remove_if_empty(target)


def _discard(path: Path) -> None:
    from shutil import rmtree  # noqa: PLC0415 – slow to load, and rarely needed

    if path.is_dir():
        rmtree(path, ignore_errors=True)
        forget(path)
    else:
        with suppress(OSError):
            path.unlink()


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def _sync(folder: Path) -> None:
    if sys.platform == "win32":  # folders cannot be opened there
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


CACHE_VARIABLE = "METEORLIB_CACHE"


def cache_folder() -> Path:
    """The folder named by METEORLIB_CACHE, else ``meteorlib`` in the user's cache folder; it need not exist."""
    return Path(os.environ.get(CACHE_VARIABLE) or _user_cache_folder()).absolute()


def _user_cache_folder() -> str:
    """The user's cache folder by platformdirs, which is slow to import and so is skipped in the usual case on Linux."""
    if sys.platform == "linux" and "ANDROID_ROOT" not in os.environ:
        named, home = os.environ.get("XDG_CACHE_HOME", ""), os.environ.get("HOME", "")
        base = named or (home and os.path.join(home, ".cache"))
        if os.path.isabs(base):
            return os.path.join(base, "meteorlib")
    from platformdirs import user_cache_dir  # noqa: PLC0415 – see above

    return user_cache_dir("meteorlib", appauthor=False)


VERDICTS = "verified"
"""Subfolder of the cache folder; its files can be deleted at any time."""

_verified: dict[Path, str] = {}


def is_verified(folder: Path, fingerprint: str) -> bool:
    """Whether the files in `folder` were verified in exactly the state that `fingerprint` describes.

    The file on disk counts only if it equals `fingerprint` byte for byte. A half-written, damaged or older file is thus
    as good as none, and writing it needs neither a lock nor a rename.
    """
    file = _verdict_file(folder)
    if _verified.get(file) != fingerprint:
        try:
            if file.read_bytes() != fingerprint.encode():
                return False
        except OSError:
            return False
        _verified[file] = fingerprint
    return True


def remember(folder: Path, fingerprint: str) -> None:
    """Record that the files in `folder` were verified in the state that `fingerprint` describes.

    If the cache folder cannot be written, the record lasts for this process only.
    """
    file = _verdict_file(folder)
    _verified[file] = fingerprint
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(fingerprint.encode())
    except OSError:
        return


def forget(folder: Path) -> None:
    """Remove the record of the files in `folder`; without them a record that cannot be removed means nothing."""
    file = _verdict_file(folder)
    _verified.pop(file, None)
    with suppress(OSError):
        file.unlink()


def _verdict_file(folder: Path) -> Path:
    """The file that holds the verdict on a folder; two folders that share one only overwrite each other's."""
    return cache_folder() / VERDICTS / f"{zlib.crc32(os.fsencode(folder.absolute())):08x}"
