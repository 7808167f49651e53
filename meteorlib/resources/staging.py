"""A folder is made beside its place and renamed when it is complete, so that there is never half of one."""

from __future__ import annotations

import os
import shutil
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def staging_for(target: Path) -> Iterator[Path]:
    """An empty folder beside `target` to make its content in; it is removed at the end, however that comes."""
    staging = target.parent / f".{target.name}.{uuid.uuid4().hex}.part"
    try:
        staging.mkdir(parents=True)
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def put_in_place(folder: Path, target: Path, staging: Path) -> None:
    """Move the complete `folder` to `target`; what was there goes into `staging`."""
    _sync(folder)
    if target.exists():
        target.rename(staging / "replaced")
    folder.rename(target)
    _sync(target.parent)


def remove_leftovers(target: Path) -> None:
    """Remove what killed processes left beside `target`; only for the holder of its lock."""
    # Only the holder of the lock makes such a folder, so none is of a living process.
    for path in target.parent.glob(f".{target.name}.*.part"):
        shutil.rmtree(path, ignore_errors=True)


def _sync(folder: Path) -> None:
    if sys.platform == "win32":  # folders cannot be opened there
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
