"""A compiled index whose files are opened together and verified."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from threading import Lock
from typing import TypeVar

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources.catalog import CATALOG, is_user_resource
from meteorlib.resources.store import verification_cache
from meteorlib.resources.store.data_file import DataFile, FileState
from meteorlib.resources.store.manifest import MANIFEST, Manifest, damage_error
from meteorlib.resources.store.versions import current_version

Opened = TypeVar("Opened")

_ATTEMPTS = 100


class Index:
    """Open files of an index, verified against its manifest.

    Digests are computed once for each state of the files (size, times, inode) and the verdict is cached in
    `meteorlib.resources.store.verification_cache`. Another program may write to a mapped file later; `check` detects
    that.

    Attributes:
        name: the resource, or the path of the index.
        manifest: the expected sizes and digests.
        files: the files by name.
    """

    def __init__(self, folder: Path, name: str, files: Collection[str], whole: Collection[str]) -> None:
        """Open the index in `folder`.

        Args:
            folder: folder of the index.
            name: name of the resource, for messages.
            files: names of all its files.
            whole: names of the files to be read whole, and checked on each opening. The others are mapped.

        Raises:
            ResourceDamaged: it is incomplete, changed, or of another version.
            ResourceMissing: it is of a resource whose name differs in case only.
        """
        self.name = name
        self.manifest: Manifest = Manifest.read(folder, name)
        found = self.manifest.resource
        if is_user_resource(name) and found != name and found.casefold() == name.casefold():
            reason = f"{folder} holds {found}, which on this file system has the same name; use that name"
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
        if not verification_cache.is_verified(folder, fingerprint):
            for file in self.files.values():
                self._verify(file)
            if all(file.state.is_settled() for file in self.files.values()):
                verification_cache.remember(folder, fingerprint)

    def check(self) -> None:
        """Make sure that the mapped files are unchanged; only those whose state changed are read again.

        Removing a file changes its state, too; the open data of a removed or replaced index stays valid.

        Raises:
            ResourceDamaged: a file was written to while in use, even if it has been restored since: wrong data may
                have been read in between.
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

    def _open(self, path: Path) -> DataFile:
        size = self.manifest.files[path.name][0]
        try:
            file = DataFile(path)
        except OSError as error:
            raise self._unreadable_error(path, error) from error
        if file.state.size != size:
            raise self.damaged(f"{path} has {file.state.size} bytes instead of {size}")
        return file

    def _fingerprint(self, folder: Path, whole: Collection[str]) -> str:
        """Text of everything that a verdict depends on."""
        lines = [ascii(str(folder.absolute()))]
        for name, file in sorted(self.files.items()):
            fields = {"sha256": self.manifest.files[name][1], **file.state._asdict()}
            if name in whole:
                fields["crc32"] = self._crc32(file)
            lines.append(" ".join([name, *[f"{key}={value}" for key, value in fields.items()]]))
        return "\n".join([*lines, ""])

    def _crc32(self, file: DataFile) -> str:
        try:
            return f"{file.crc32():08x}"
        except OSError as error:
            raise self._unreadable_error(file.path, error) from error

    def _verify(self, file: DataFile, state: FileState | None = None) -> None:
        """Compare the bytes of `file` with the manifest.

        Args:
            file: the file.
            state: its current state; by default the one it was opened in.
        """
        state = state or file.state
        size, sha256 = self.manifest.files[file.path.name]
        try:
            same = state.size == size and file.sha256() == sha256 and file.current_state() == state
        except OSError as error:
            raise self._unreadable_error(file.path, error) from error
        if not same:
            when = "" if state == file.state else " while it was in use"
            raise self.damaged(f"{file.path} has been changed{when}")
        file.state = state

    def _unreadable_error(self, path: Path, error: OSError) -> ResourceDamaged:
        return self.damaged(f"{path} cannot be read ({error.strerror})")


def open_index(target: Path, name: str, opener: Callable[[Path, str], Opened]) -> Opened | None:
    """Open the current version of an index; None if there is none.

    If another process replaces or removes that version meanwhile, the next one is opened.

    Args:
        target: folder of the resource, or of an index.
        name: the resource, or the path of the index.
        opener: opens the index in a folder.

    Raises:
        ResourceDamaged: it is there but incomplete, changed, or of another version.
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


def _manifest_state(folder: Path) -> FileState | None:
    try:
        return FileState.of((folder / MANIFEST).stat())
    except OSError:
        return None
