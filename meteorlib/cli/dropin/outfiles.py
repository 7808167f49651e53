"""The files of a run: written beside their places, moved there when all are complete."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Self


class OutputFiles:
    """Files named ``PREFIX-…``; none of them appears unless the ``with`` block ends well.

    Args:
        prefix: what their names begin with, a folder included.
        between: what stands between prefix and ending.
    """

    def __init__(self, prefix: str, between: str = "-") -> None:
        self._begin = prefix + between
        self._files: dict[Path, IO[str]] = {}

    def open(self, ending: str) -> IO[str]:
        """A new file ``PREFIX-ending``, to write text into.

        Raises:
            OSError: it cannot be made.
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
        self._files[path] = file
        return file

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
                    os.replace(file.name, path)
        finally:
            for file in self._files.values():
                with suppress(OSError):
                    os.unlink(file.name)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
