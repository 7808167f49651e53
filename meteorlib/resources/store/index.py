"""Compiled indexes: verified when they are opened; those of files that presets name are compiled on first use."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TypeVar

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.registry import resolve
from meteorlib.resources.catalog import CATALOG, is_user_resource
from meteorlib.resources.store.data_file import DataFile, FileState, unreadable_file_advice
from meteorlib.resources.store.manifest import (
    Manifest,
    damage_error,
    install_advice,
    sha256_of,
)
from meteorlib.resources.store.record_table import RecordTable
from meteorlib.resources.store.shared_files import (
    CACHE_VARIABLE,
    MANIFEST,
    cache_folder,
    current_version,
    file_lock,
    is_verified,
    make_current,
    new_version,
    remember,
    remove_leftovers,
)

Opened = TypeVar("Opened")

FOLDER = "tables"
"""Subfolder of the cache folder for indexes of files; its contents can be deleted at any time."""

LARGE_FILE = 2_000_000
"""Bytes of a file whose compilation takes seconds, and so is logged as a warning."""

Compiler = str
"""``module:name`` of a function that compiles a file into a folder; its third argument is the name in messages."""

_ATTEMPTS = 100


class Index:
    """Open files of an index, verified against its manifest.

    Digests are computed once for each state of the files (size, times, inode) and the verdict is cached in
    `meteorlib.resources.store.shared_files`. Another program may write to a mapped file later; `check` detects
    that.
    """

    def __init__(self, folder: Path, name: str, files: Collection[str], whole: Collection[str]) -> None:
        """Open the index in `folder`; `name` is the resource, or the path of the index.

        Of its `files`, those named by `whole` are read whole, and checked on each opening; the others are mapped. It is
        `ResourceMissing` if it is of a resource whose name differs in case only.
        """
        self.name = name
        self.manifest: Manifest = Manifest.read(folder, name)
        resource = self.manifest.resource
        if is_user_resource(name) and resource != name and resource.casefold() == name.casefold():
            reason = f"{folder} holds {resource}, which on this file system has the same name; use that name"
            raise ResourceMissing(name, reason)
        expected = CATALOG.get(name)
        if expected is not None:
            wanted = name, expected.sha256 or self.manifest.source_sha256
            if (self.manifest.resource, self.manifest.source_sha256) != wanted:
                raise self.damaged(f"{folder} is of another table")
        if set(self.manifest.files) != set(files):
            raise self.damaged(f"{folder / MANIFEST} does not name the files of an index")
        self.files: Mapping[str, DataFile] = {file: self._open(folder / file) for file in files}
        self._mapped = [self.files[file] for file in files if file not in whole]
        self._lock = Lock()
        self._damage: str | None = None
        fingerprint = self._fingerprint(folder, whole)
        if not is_verified(folder, fingerprint):
            for file in self.files.values():
                self._verify(file)
            if all(file.state.is_settled() for file in self.files.values()):
                remember(folder, fingerprint)

    def check(self) -> None:
        """Make sure that the mapped files are unchanged; only those whose state changed are read again.

        Removing a file changes its state, too; the open data of a removed or replaced index stays valid. A file that
        was written to while in use raises `ResourceDamaged`, even if it has been restored since: wrong data may have
        been read in between.
        """
        for file in self._mapped:  # before every segment: no generator
            if file.touched():
                break
        else:
            return
        with self._lock:
            if self._damage:
                raise self.damaged(self._damage)
            for file in self._mapped:
                state = file.current_state()
                if state != file.state:
                    try:
                        self._verify(file, state)
                    except ResourceDamaged as error:
                        self._damage = error.reason
                        raise

    def damaged(self, reason: str) -> ResourceDamaged:
        """Error for damage of this index."""
        return damage_error(self.name, reason)

    @contextmanager
    def reading(self, path: Path) -> Iterator[None]:
        """Turn what goes wrong while files are read, mapped and taken apart into damage of this index."""
        try:
            yield
        except (OSError, TypeError, ValueError) as error:
            raise self.damaged(f"{path} cannot be read ({getattr(error, 'strerror', None) or error})") from error

    def records(self, file: str) -> RecordTable:
        """The table of words in a file that is read whole."""
        with self.reading(self.files[file].path):
            return RecordTable(self.files[file].read())

    def _open(self, path: Path) -> DataFile:
        size = self.manifest.files[path.name][0]
        with self.reading(path):
            file = DataFile(path)
        if file.state.size != size:
            raise self.damaged(f"{path} has {file.state.size} bytes instead of {size}")
        return file

    def _fingerprint(self, folder: Path, whole: Collection[str]) -> str:
        """Text of everything that a verdict depends on."""
        lines = [ascii(str(folder.absolute()))]
        for name, file in sorted(self.files.items()):
            fields = {"sha256": self.manifest.files[name][1], **file.state._asdict()}
            if name in whole:
                with self.reading(file.path):
                    fields["crc32"] = f"{file.crc32():08x}"
            lines.append(" ".join([name, *[f"{key}={value}" for key, value in fields.items()]]))
        return "\n".join([*lines, ""])

    def _verify(self, file: DataFile, state: FileState | None = None) -> None:
        """Compare the bytes of `file` with the manifest; `state` is its current one, if not that of its opening."""
        state = state or file.state
        size, sha256 = self.manifest.files[file.path.name]
        with self.reading(file.path):
            same = state.size == size and file.sha256() == sha256 and file.current_state() == state
        if not same:
            when = "" if state == file.state else " while it was in use"
            raise self.damaged(f"{file.path} has been changed{when}")
        file.state = state


def open_index(target: Path, name: str, opener: Callable[[Path, str], Opened]) -> Opened | None:
    """Open the current version of the index `name` in the folder `target`; None if there is none.

    If another process replaces or removes that version meanwhile, the next one is opened.
    """
    for _ in range(_ATTEMPTS):
        folder = current_version(target)
        if folder is None:
            return None
        before = _manifest_state(folder)
        try:
            return opener(folder, name)
        except ResourceDamaged:
            if current_version(target) == folder and _manifest_state(folder) == before:
                raise
        time.sleep(0.001)
    return None


def open_installed(name: str, opener: Callable[[Path, str], Opened]) -> Opened:
    """Open the index of an installed resource."""
    opened = open_index(cache_folder() / name, name, opener)
    if opened is None:
        raise ResourceMissing(name, install_advice(name))
    return opened


def _manifest_state(folder: Path) -> FileState | None:
    try:
        return FileState.of((folder / MANIFEST).stat())
    except OSError:
        return None


def open_compiled(path: Path, make: Compiler, opener: Callable[[Path], Opened]) -> Opened:
    """Open the index of a file, which is compiled by `make` on first use and opened by `opener`."""
    try:
        index = cached_index(path, make)
        try:
            return opener(index)
        except (ResourceDamaged, ResourceMissing):  # or removed just now
            return opener(cached_index(path, make, afresh=True))
    except OSError as error:
        raise ResourceMissing(str(path), unreadable_file_advice(str(path), error.strerror or str(error))) from error


def cached_index(source: Path, make: Compiler, *, afresh: bool = False) -> Path:
    """Folder of a file's index in the cache, compiled unless it is there already.

    `afresh` verifies every byte of an existing index.
    """
    sha256 = sha256_of(source)
    target = cache_folder() / FOLDER / sha256
    if not afresh and (folder := _usable_version(target, thorough=False)):
        return folder
    with locked_for_writing(target, str(source)):
        return _usable_version(target, thorough=afresh) or _compile(source, target, make)


@contextmanager
def locked_for_writing(target: Path, name: str) -> Iterator[None]:
    """Hold the lock of the folder `target` of the resource `name`, which need not exist, and clear it of leftovers."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with file_lock(target.parent / f"{target.name}.lock"):
            remove_leftovers(target)
            yield
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        reason = f"it could not be put into {target.parent}: {error.strerror or error}{where}"
        raise ResourceMissing(name, f"{reason}; make room or set {CACHE_VARIABLE} to another folder") from error


def _compile(source: Path, target: Path, make: Compiler) -> Path:
    import logging  # noqa: PLC0415 – slow to load, and a table is compiled once

    size = source.stat().st_size
    level = logging.WARNING if size > LARGE_FILE else logging.INFO
    logging.getLogger(__name__).log(
        level, "compiling %s (%.1f MB) into %s; this happens only once", source, size / 1e6, target.parent
    )
    with new_version(target) as folder:
        resolve(make)(source, folder, str(source))
        make_current(folder)
    return folder


def _usable_version(target: Path, *, thorough: bool) -> Path | None:
    """The current version; None if there is none, or it cannot be used as far as its manifest or all its bytes say."""
    folder = current_version(target)
    if folder is None:
        return None
    try:
        manifest = Manifest.read(folder, target.name)
    except ResourceDamaged:
        return None
    return folder if not thorough or manifest.is_intact(folder) else None
