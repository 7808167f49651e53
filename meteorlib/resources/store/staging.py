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
    """Empty folder beside `target` to build its content in; always removed at the end of the block."""
    from shutil import rmtree  # noqa: PLC0415 – slow to load, and rarely needed
    from uuid import uuid4  # noqa: PLC0415 – slow to load, and rarely needed

    staging = target.parent / f".{target.name}.{uuid4().hex}.part"
    try:
        staging.mkdir(parents=True)
        yield staging
    finally:
        rmtree(staging, ignore_errors=True)


def put_in_place(folder: Path, target: Path, staging: Path) -> None:
    """Move the complete `folder` to `target`; an existing folder there goes into `staging`.

    Its files become read-only, because truncating a file while it is memory-mapped would crash the processes that read
    it.
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
    """Whether `target` is missing only because another folder is about to replace it."""
    return any(target.parent.glob(f".{target.name}.*.part/{_REPLACED}"))


def remove_leftovers(target: Path) -> None:
    """Remove what killed processes left beside `target`; call it only while holding its lock.

    If a process was killed between moving the old folder away and the new one in, the old one is restored.
    """
    from shutil import rmtree  # noqa: PLC0415 – slow to load, and resources are made once

    # Only the holder of the lock creates such folders, so none belongs to a running process.
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
