"""Output files of a run, which appear together when all of them are complete."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from meteorlib.resources.store.atomic_file import path_in_disk_errors, retry_while_open


class OutputFile:
    """A text file that is being written; errors name its final path.

    Args:
        file: the temporary file.
        path: the final path.
    """

    def __init__(self, file: IO[str], path: Path) -> None:
        self._file = file
        self._path = path

    @property
    def name(self) -> str:
        """Name of the temporary file."""
        return self._file.name

    def write(self, text: str) -> None:
        """Write text.

        Raises:
            OSError: it cannot be written, e.g. because the disk is full.
        """
        with path_in_disk_errors(self._path):
            self._file.write(text)

    def close(self) -> None:
        """Flush and close the temporary file; raises like `write`."""
        with path_in_disk_errors(self._path):
            self._file.close()


class OutputFiles:
    """Files named ``PREFIX-…``; they appear only if the ``with`` block ends without an error.

    Args:
        prefix: beginning of their names, including a folder.
        between: separator between prefix and ending.
    """

    def __init__(self, prefix: str, between: str = "-") -> None:
        self._begin = prefix + between
        self._files: dict[Path, OutputFile] = {}

    def open(self, ending: str) -> OutputFile:
        """Open a new file ``PREFIX-ending`` for text.

        Raises:
            OSError: it cannot be created.
        """
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
