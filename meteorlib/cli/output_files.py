"""Output files of commands, written completely or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from attrs import frozen

from meteorlib.errors import InputMismatch
from meteorlib.resources.store.shared_files import atomic_writer, path_in_disk_errors, retry_while_open

MARK_WINDOW = 4096
"""Bytes at the start of a file that are searched for its mark, which is in the first lines."""


@frozen
class Target:
    """An output file; an existing file is replaced only after everything is written.

    Attributes:
        name: the name as given.
        path: the file, with links resolved.
        is_device: whether it is a pipe or a device, which cannot be replaced.
    """

    name: str
    path: Path
    is_device: bool = False

    @classmethod
    def of(cls, name: str, mark: str, *, force: bool, kind: str = "meteorlib report") -> Self:
        """Check that `name` can be written: an existing file has the mark near its beginning, or `force` is given."""
        path = Path(name)
        if not name or path.is_dir():
            raise InputMismatch(f"{name or 'an empty file name'}: is not a file that can be written; name a file")
        if path.exists() and not path.is_file():
            return cls(name, path, is_device=True)
        path = path.resolve()
        if not path.parent.is_dir():
            raise InputMismatch(f"{name}: there is no folder {path.parent}; create it first")
        if not os.access(path.parent, os.W_OK):
            raise InputMismatch(f"{name}: cannot write to the folder {path.parent}")
        if path.exists() and not force and not _begins_with(path, mark):
            raise InputMismatch(
                f"{name}: already exists and is not a {kind}; name another file, or replace it with --force"
            )
        return cls(name, path)

    def write(self, text: str) -> None:
        """Write `text` in UTF-8."""
        self.write_pieces([text])

    def write_pieces(self, pieces: Iterable[str]) -> int:
        """Write pieces of a text like `write`, and give the number of bytes."""
        size = 0
        try:
            with self.path.open("wb") if self.is_device else atomic_writer(self.path) as file:
                for piece in pieces:
                    size += file.write(piece.encode())
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.name) from None
        return size


def _begins_with(path: Path, mark: str) -> bool:
    try:
        with path.open("rb") as file:
            return mark.encode() in file.read(MARK_WINDOW)
    except OSError:
        return False


class OutputFile:
    """A text file that is being written; errors name its final path."""

    def __init__(self, file: IO[str], path: Path) -> None:
        self._file = file
        self._path = path

    @property
    def name(self) -> str:
        """Name of the temporary file."""
        return self._file.name

    def write(self, text: str) -> None:
        """Write text."""
        with path_in_disk_errors(self._path):
            self._file.write(text)

    def close(self) -> None:
        """Flush and close the temporary file; raises like `write`."""
        with path_in_disk_errors(self._path):
            self._file.close()


class OutputFiles:
    """Files named ``PREFIX-…``; they appear only if the ``with`` block ends without an error."""

    def __init__(self, prefix: str, between: str = "-") -> None:
        self._begin = prefix + between
        self._files: dict[Path, OutputFile] = {}

    def open(self, ending: str) -> OutputFile:
        """Open a new file ``PREFIX-ending`` for text."""
        path = Path(f"{self._begin}{ending}")
        try:
            file = tempfile.NamedTemporaryFile(  # noqa: SIM115 – closed at the end of the block
                "w",
                encoding="utf-8",
                newline="",
                dir=path.parent,
                prefix=f".{path.name}.",
                suffix=".part",
                delete=False,
            )
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from None
        self._files[path] = OutputFile(file, path)
        return self._files[path]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            for file in self._files.values():
                file.close()
            if error_type is None:
                for path, file in self._files.items():
                    # what mkstemp makes is for its owner alone
                    os.chmod(file.name, 0o666 & ~_umask())
                    retry_while_open(partial(os.replace, file.name, path))
        finally:
            for file in self._files.values():
                with suppress(OSError):
                    os.unlink(file.name)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
