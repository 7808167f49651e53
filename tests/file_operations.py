"""File operations that are counted, interrupted, or refused as Windows refuses them.

An audit hook sees each operation before it happens, and what it raises comes out of the operation. A hook cannot be
removed, so there is one for the process, which does nothing outside of `intercepted`.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Reaction = Callable[[str, list[Path]], None]
"""Function of an operation (``open``, ``os.rename``, …) and the paths that it changes."""

_FOLDERS = {"os.mkdir": (2,), "os.remove": (1,), "os.rename": (2, 3), "os.rmdir": (1,), "os.chmod": (2,)}
"""Operations, and the places of the descriptors of folders that their paths are relative to."""

_reaction: Reaction | None = None


@contextmanager
def intercepted(reaction: Reaction) -> Iterator[None]:
    """Call `reaction` before each operation that changes a file or a folder."""
    global _reaction  # noqa: PLW0603 – there is one hook for the process
    if not _hooked:
        sys.addaudithook(_hook)
        _hooked.append(True)
    _reaction = reaction
    try:
        yield
    finally:
        _reaction = None


_hooked: list[bool] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    global _reaction  # noqa: PLW0603 – switched off while it runs
    if _reaction is None or (event not in _FOLDERS and event != "open"):
        return
    if event == "open":
        path, _, flags = arguments
        if isinstance(path, int) or not flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC):
            return
        paths = [_path(path, -1)]
    else:
        descriptors = [arguments[place] for place in _FOLDERS[event]]
        if isinstance(arguments[0], int):
            return
        paths = [_path(path, descriptor) for path, descriptor in zip(arguments, descriptors, strict=False)]
    reaction, _reaction = _reaction, None
    try:
        reaction(event, paths)
    finally:
        _reaction = reaction


def _path(path: str | bytes | os.PathLike[str], folder: int | None) -> Path:
    name = Path(os.fsdecode(path))
    return name.absolute() if folder in (-1, None) else Path(os.readlink(f"/proc/self/fd/{folder}")) / name


class Interruption:
    """Interrupts a run before its operation `number` (from 0) in a folder.

    Args:
        folder: operations elsewhere are not counted.
        number: the operation.
        error: what is raised; None: the process is killed, so every later operation fails, too.
    """

    def __init__(self, folder: Path, number: int, error: BaseException | None = None) -> None:
        self.folder, self.number, self.error = folder, number, error
        self.count = 0

    @property
    def happened(self) -> bool:
        """Whether the operation was reached."""
        return self.count > self.number

    def __call__(self, _event: str, paths: list[Path]) -> None:
        if not any(path.is_relative_to(self.folder) for path in paths):
            return
        self.count += 1
        if self.error and self.count == self.number + 1:
            raise self.error
        if not self.error and self.count > self.number:
            raise Killed


class Killed(BaseException):
    """The process would have been killed here."""


def refuse_open_files(event: str, paths: list[Path]) -> None:
    """Refuse what Windows refuses: files that this process has open or mapped are not renamed, replaced or removed.

    Nor is a folder renamed that has such a file in it. Needs /proc, as on Linux.
    """
    if event not in ("os.remove", "os.rename"):
        return
    opened, mapped = open_files()
    for path in paths:
        if path in opened | mapped or any(path in file.parents for file in opened | mapped):
            text = "The process cannot access the file because it is being used by another process"
            raise PermissionError(errno.EACCES, text, str(path))


def open_files() -> tuple[set[Path], set[Path]]:
    """Files that this process has open, and files that it has mapped."""
    opened = set()
    for descriptor in os.listdir("/proc/self/fd"):
        try:
            path = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        except OSError:
            continue
        if path.is_file():
            opened.add(path)
    maps = Path("/proc/self/maps").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    return opened, {Path(line.split(maxsplit=5)[5]) for line in maps if "/" in line}
