"""Target: a file that a command makes, whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Self

from attrs import frozen

from meteorlib.errors import InputMismatch
from meteorlib.resources.store.atomic_file import write_atomically

BEGINNING = 4096
"""Bytes by which a file is known."""


@frozen
class Target:
    """A place to write to; what is there is replaced when all is written, and not before.

    Attributes:
        name: as it was given.
        path: the file itself, behind links.
        is_device: whether it is a pipe or a device, in which nothing can be replaced.
    """

    name: str
    path: Path
    is_device: bool = False

    @classmethod
    def of(cls, name: str, mark: str, *, force: bool, kind: str = "report") -> Self:
        """The place called `name`.

        Args:
            name: the file.
            mark: stands near the beginning of what may be replaced.
            force: whether any file may be.
            kind: what a file with the mark is.

        Raises:
            InputMismatch: there is no such folder, or nothing can be written there; it is a folder, or a file that is
                not to be replaced.
        """
        path = Path(name)
        if not name or path.is_dir():
            raise InputMismatch(f"{name or 'a file name that is empty'}: is no file that could be written; name one")
        if path.exists() and not path.is_file():
            return cls(name, path, is_device=True)
        path = path.resolve()
        if not path.parent.is_dir():
            raise InputMismatch(f"{name}: there is no folder {path.parent}; make it first")
        if not os.access(path.parent, os.W_OK):
            raise InputMismatch(f"{name}: nothing can be written in the folder {path.parent}")
        if path.exists() and not force and not _begins_with(path, mark):
            raise InputMismatch(
                f"{name}: is there already, and is no {kind}; name another file, or replace it with --force"
            )
        return cls(name, path)

    def write(self, text: str) -> None:
        """Write `text` in UTF-8.

        Raises:
            OSError: it cannot be written, e.g. as the disk is full; what was there is still there.
        """
        data = text.encode()
        try:
            if self.is_device:
                self.path.write_bytes(data)
            else:
                write_atomically(self.path, data)
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.name) from None


def _begins_with(path: Path, mark: str) -> bool:
    try:
        with path.open("rb") as file:
            return mark.encode() in file.read(BEGINNING)
    except OSError:
        return False
