"""Staging folders: content is built beside its target and renamed once complete."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_REPLACED = "replaced"


@contextmanager
def staging_folder(target: Path) -> Iterator[Path]:
    """An empty folder beside `target` to make its content in; it is removed at the end, however that comes."""
    from shutil import rmtree  # noqa: PLC0415 – slow to load, and resources are made once
    from uuid import uuid4  # noqa: PLC0415 – likewise

    staging = target.parent / f".{target.name}.{uuid4().hex}.part"
    try:
        staging.mkdir(parents=True)
        yield staging
    finally:
        rmtree(staging, ignore_errors=True)


def put_in_place(folder: Path, target: Path, staging: Path) -> None:
    """Move the complete `folder` to `target`; what was there goes into `staging`.

    Its files cannot be written to afterwards, as far as the system keeps to that: a file that is cut short while it is
    mapped would end the processes that read it.
    """
    if sys.platform != "win32":  # where it could not be removed either
        for path in folder.iterdir():
            path.chmod(path.stat().st_mode & ~0o222)
    _sync(folder)
    if target.exists():
        target.rename(staging / _REPLACED)
    folder.rename(target)
    _sync(target.parent)


def is_being_replaced(target: Path) -> bool:
    """Whether another folder is about to take the place of `target`, which is not there just now."""
    return any(target.parent.glob(f".{target.name}.*.part/{_REPLACED}"))


def remove_leftovers(target: Path) -> None:
    """Remove what killed processes left beside `target`; only for the holder of its lock.

    What was there before one of them was killed, and is no longer, comes back.
    """
    from shutil import rmtree  # noqa: PLC0415 – slow to load, and resources are made once

    # Only the holder of the lock makes such a folder, so none is of a living process.
    for path in target.parent.glob(f".{target.name}.*.part"):
        if not target.exists() and (path / _REPLACED).exists():
            (path / _REPLACED).rename(target)
        rmtree(path, ignore_errors=True)


def _sync(folder: Path) -> None:
    if sys.platform == "win32":  # folders cannot be opened there
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
