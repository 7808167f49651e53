"""A compiled index whose files are opened together and verified."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from threading import Lock
from typing import TypeVar

from meteorlib.errors import ResourceDamaged
from meteorlib.resources.catalog import CATALOG
from meteorlib.resources.store import verification_cache
from meteorlib.resources.store.data_file import DataFile, FileState
from meteorlib.resources.store.manifest import MANIFEST, Manifest, damage_error
from meteorlib.resources.store.staging import is_being_replaced

Opened = TypeVar("Opened")

_ATTEMPTS = 100


class Index:
    """The files of an index that have been found to be what its manifest says.

    The digests are taken once for each state of the files (size, times, number) and the verdict is remembered, see
    `meteorlib.resources.store.verification_cache`. A mapped file can be written to by somebody later; `check` finds
    that.

    Attributes:
        name: the resource, or the path of the index.
        manifest: what the files must be.
        files: the files by name.
    """

    def __init__(self, folder: Path, name: str, files: Collection[str], whole: Collection[str]) -> None:
        """Open the index in `folder`.

        Args:
            folder: where it is.
            name: the resource, for messages.
            files: the files that it has.
            whole: those that will be read whole: all their bytes are looked at every time. The others are mapped.

        Raises:
            ResourceDamaged: it is incomplete, changed, or of another version.
        """
        self.name = name
        self.manifest: Manifest = Manifest.read(folder, name)
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
        """Make sure that the mapped files are still what they were; only those that were touched are read again.

        A removal touches a file, too: the data of an index that was removed, or replaced, stays what it is.

        Raises:
            ResourceDamaged: a file was written to while it was in use, even if it is in order again: who knows what was
                read in between.
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
        """The error of this index, if it turns out to be no good."""
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
        """All that must be the same for a verdict to be the same, as text."""
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
            state: what it was found in; by default as it was opened.
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


def open_index(folder: Path, name: str, opener: Callable[[Path, str], Opened]) -> Opened | None:
    """What is in `folder`; None if there is nothing.

    Another process may put one in its place, or remove it, while it is opened: then what is there now counts.

    Args:
        folder: where the index is.
        name: the resource, or the path of the index.
        opener: opens it.

    Raises:
        ResourceDamaged: it is there but incomplete, changed, or of another version.
    """
    for _ in range(_ATTEMPTS):
        before = _manifest_state(folder)
        if before is None and not is_being_replaced(folder):
            return None
        try:
            return opener(folder, name)
        except ResourceDamaged:
            if before is not None and _manifest_state(folder) == before:
                raise
        time.sleep(0.001)
    return None


def _manifest_state(folder: Path) -> FileState | None:
    try:
        return FileState.of((folder / MANIFEST).stat())
    except OSError:
        return None
