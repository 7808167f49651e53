"""What was verified before: whole files are read once for each state that they are in, not at every start."""

from __future__ import annotations

import os
import zlib
from pathlib import Path

from meteorlib.resources.store.folder import cache_folder

FOLDER = "verified"
"""Folder in the cache folder; whatever is in it can be removed at any time."""

_known: dict[Path, str] = {}


def is_known(folder: Path, account: str) -> bool:
    """Whether the files in `folder` were verified in just the state that `account` describes.

    What is on the disk counts only if it is `account`, letter for letter. So a file that is half written, damaged, or
    of another version is as good as none, and needs neither a lock nor a rename.
    """
    place = _place(folder)
    if _known.get(place) != account:
        try:
            if place.read_bytes() != account.encode():
                return False
        except OSError:
            return False
        _known[place] = account
    return True


def remember(folder: Path, account: str) -> None:
    """Keep that the files in `folder` were verified in the state that `account` describes.

    Where the cache folder cannot be written, it is kept for this process.
    """
    place = _place(folder)
    _known[place] = account
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(account.encode())
    except OSError:
        return


def forget(folder: Path) -> None:
    """Forget what is known of the files in `folder`."""
    place = _place(folder)
    _known.pop(place, None)
    place.unlink(missing_ok=True)


def _place(folder: Path) -> Path:
    """Where it is kept; two folders that share a place only take turns."""
    return cache_folder() / FOLDER / f"{zlib.crc32(os.fsencode(folder.absolute())):08x}"
