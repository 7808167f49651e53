"""Packaged data, opened only if size and checksum match the recorded ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from meteorlib.errors import ResourceDamaged
from meteorlib.resources.catalog import packaged_path
from meteorlib.resources.digests import FILES
from meteorlib.resources.store.data_file import DataFile


def open_packaged(name: str, *wanted: str) -> tuple[DataFile, ...]:
    """Open files of the packaged resource `name` and verify them.

    This happens at every start. A crc32 detects accidental damage and takes half a millisecond per megabyte; importing
    sha256 alone takes several milliseconds.

    Args:
        name: a name of the catalog.
        wanted: names of the files to open; all by default.

    Raises:
        ResourceDamaged: a file is missing, or its size or checksum is not the recorded one.
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
    """Turn errors while reading packaged data into `ResourceDamaged`.

    Raises:
        ResourceDamaged: in place of `OSError` and `ValueError`.
    """
    try:
        yield
    except (OSError, ValueError) as error:
        where = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
        raise _damaged(name, where) from error


def _damaged(name: str, reason: str) -> ResourceDamaged:
    return ResourceDamaged(name, reason, "install meteorlib again")
