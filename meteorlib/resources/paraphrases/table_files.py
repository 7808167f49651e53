"""Resource files named by presets, compiled on first use and cached by their digest."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources.catalog import CATALOG
from meteorlib.resources.paraphrases.compiler import compile_paraphrases
from meteorlib.resources.paraphrases.table import ParaphraseTable, open_paraphrases
from meteorlib.resources.store.atomic_file import file_lock
from meteorlib.resources.store.folder import CACHE_VARIABLE, cache_folder
from meteorlib.resources.store.manifest import Manifest, sha256_of
from meteorlib.resources.store.versions import current_version, make_current, new_version, remove_leftovers
from meteorlib.resources.word_lists import unreadable_file_advice

FOLDER = "tables"
"""Subfolder of the cache folder; its contents can be deleted at any time."""

LARGE_FILE = 2_000_000
"""Bytes of a file whose compilation takes seconds, and so is logged as a warning."""

Opened = TypeVar("Opened")

Compiler = Callable[[Path, Path, str], None]
"""Function that compiles a file into a folder; the third argument is its name in messages."""


def open_table(name_or_path: str) -> ParaphraseTable:
    """Open a paraphrase table.

    Args:
        name_or_path: a name of the catalog, e.g. ``paraphrase-en``; a table as METEOR 1.5 has them (a ``.gz`` file);
            or a folder with a compiled index.

    Raises:
        ResourceMissing: it is not installed, there is no such file, or the cache folder cannot be written.
        ResourceDamaged: it is not such a table.
        UnknownName: neither a name of the catalog nor a path.
    """
    path = Path(name_or_path)
    if name_or_path in CATALOG or path.is_dir() or not (path.suffix == ".gz" or path.is_file()):
        return open_paraphrases(name_or_path)
    return open_compiled(path, _compile_table, open_paraphrases)


def open_compiled(path: Path, make: Compiler, open_index: Callable[[Path], Opened]) -> Opened:
    """Open the index of a file, which is compiled on first use.

    Args:
        path: the file.
        make: compiles it into a folder.
        open_index: opens that folder.

    Raises:
        ResourceMissing: there is no such file, or the cache folder cannot be written.
        ResourceDamaged: the file is not what it should be.
    """
    try:
        index = cached_index(path, make)
        try:
            return open_index(index)
        except (ResourceDamaged, ResourceMissing):  # or removed just now
            return open_index(cached_index(path, make, afresh=True))
    except OSError as error:
        raise ResourceMissing(str(path), unreadable_file_advice(str(path), error.strerror or str(error))) from error


def cached_index(source: Path, make: Compiler | None = None, *, afresh: bool = False) -> Path:
    """Folder of a file's index in the cache, compiled unless it is there already.

    Args:
        source: the file.
        make: compiles it into a folder; None: it is a paraphrase table.
        afresh: verify every byte of an existing index.

    Raises:
        ResourceMissing: the cache folder cannot be written.
        ResourceDamaged: the file is not what it should be.
        OSError: the file cannot be read.
    """
    sha256 = sha256_of(source)
    target = cache_folder() / FOLDER / sha256
    if not afresh and (folder := _usable_version(target, thorough=False)):
        return folder
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with file_lock(target.parent / f"{sha256}.lock"):
            remove_leftovers(target)
            return _usable_version(target, thorough=afresh) or _compile(source, target, make or _compile_table)
    except OSError as error:
        reason = f"its index could not be put into {target.parent} ({error.strerror or error})"
        raise ResourceMissing(str(source), f"{reason}; make room or set {CACHE_VARIABLE} to another folder") from error


def _compile(source: Path, target: Path, make: Compiler) -> Path:
    import logging  # noqa: PLC0415 – slow to load, and a table is compiled once

    size = source.stat().st_size
    level = logging.WARNING if size > LARGE_FILE else logging.INFO
    logging.getLogger(__name__).log(
        level, "compiling %s (%.1f MB) into %s; this happens only once", source, size / 1e6, target.parent
    )
    with new_version(target) as folder:
        make(source, folder, str(source))
        make_current(folder)
    return folder


def _compile_table(table: Path, index: Path, name: str) -> None:
    if _is_empty(table):  # METEOR 1.5 accepts it; an index needs an entry, and the empty phrase never matches
        entry = index / "empty.gz"
        entry.write_bytes(gzip.compress(b"0\n\n\n"))
        compile_paraphrases(entry, index, lambda _share: None, name)
        entry.unlink()
    else:
        compile_paraphrases(table, index, lambda _share: None, name)


def _usable_version(target: Path, *, thorough: bool) -> Path | None:
    """The current version; None if there is none, or it cannot be used as far as its manifest or all its bytes say."""
    folder = current_version(target)
    if folder is None:
        return None
    try:
        manifest = Manifest.read(folder, target.name)
    except ResourceDamaged:
        return None
    return folder if not thorough or manifest.is_intact(folder) else None


def _is_empty(table: Path) -> bool:
    """Whether the file is gzip without content; the compiler reports files that are not gzip."""
    try:
        with gzip.open(table) as file:
            return not file.read(1) and table.stat().st_size > 0
    except (gzip.BadGzipFile, EOFError, zlib.error):
        return False
