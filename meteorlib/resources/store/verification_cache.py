"""Cache of verification results, so that unchanged files are not read whole at every start."""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from pathlib import Path

from meteorlib.resources.store.folder import cache_folder

FOLDER = "verified"
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
    return cache_folder() / FOLDER / f"{zlib.crc32(os.fsencode(folder.absolute())):08x}"
