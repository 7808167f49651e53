"""Packaged data, opened only if size and checksum match the recorded ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from meteorlib.errors import ResourceDamaged
from meteorlib.resources.catalog import packaged_path
from meteorlib.resources.digests import FILES
from meteorlib.resources.store.data_file import DataFile


def open_packaged(name: str, *wanted: str) -> tuple[DataFile, ...]:
    """Open files of the packaged resource `name` and check them.

    That is done at every start. A crc32 finds every accident and takes half a millisecond for a megabyte; the library
    with sha256 takes several to be loaded.

    Args:
        name: a name of the catalog.
        wanted: the files that are wanted; by default all.

    Raises:
        ResourceDamaged: a file is missing, or its bytes are not those that the catalog names.
    """
    path, files = packaged_path(name), FILES[name]
    opened = []
    with errors_as_damage(name):
        for wanted_file in wanted or files:
            file = DataFile(path / wanted_file if len(files) > 1 else path)
            found = file.state.size, file.crc32()
            if found != files[wanted_file]:
                reason = "{} bytes of crc32 {:08x} instead of {} of {:08x}".format(*found, *files[wanted_file])
                raise _damaged(name, f"{file.path} has been changed ({reason})")
            opened.append(file)
    return tuple(opened)


@contextmanager
def errors_as_damage(name: str) -> Iterator[None]:
    """Say of an error of the system that `name` is damaged.

    Raises:
        ResourceDamaged: in the place of `OSError`, of marisa's `RuntimeError`, and of `ValueError`.
    """
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:
        where = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
        raise _damaged(name, where) from error


def _damaged(name: str, reason: str) -> ResourceDamaged:
    return ResourceDamaged(name, reason, "install meteorlib again")
