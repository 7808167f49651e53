"""Paraphrase tables by name or file: a file is compiled at its first use, into the cache folder, under its digest."""

from __future__ import annotations

import gzip
import logging
import zlib
from pathlib import Path

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources.catalog import CATALOG
from meteorlib.resources.compiler import compile_paraphrases
from meteorlib.resources.folder import VARIABLE, cache_folder
from meteorlib.resources.locks import locked
from meteorlib.resources.manifest import Manifest, sha256_of
from meteorlib.resources.paraphrases import ParaphraseTable, open_paraphrases
from meteorlib.resources.staging import put_in_place, remove_leftovers, staging_for
from meteorlib.resources.words import unreadable

FOLDER = "tables"
"""Folder in the cache folder; whatever is in it can be removed at any time."""

LARGE = 2_000_000
"""Bytes of a file whose compilation takes seconds and is told in the log as a warning."""

_LOGGER = logging.getLogger(__name__)


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
    try:
        index = compiled(path)
        try:
            return open_paraphrases(index)
        except (ResourceDamaged, ResourceMissing):  # or removed just now
            return open_paraphrases(compiled(path, afresh=True))
    except OSError as error:
        raise ResourceMissing(name_or_path, unreadable(name_or_path, error.strerror or str(error))) from error


def compiled(table: Path, *, afresh: bool = False) -> Path:
    """The index of a table, compiled unless it is in the cache folder already.

    Args:
        table: the file.
        afresh: look at every byte of an index that is there.

    Raises:
        ResourceMissing: the cache folder cannot be written.
        ResourceDamaged: the file is no paraphrase table.
        OSError: the file cannot be read.
    """
    sha256 = sha256_of(table)
    target = cache_folder() / FOLDER / sha256
    if not afresh and _intact(target, thorough=False):
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with locked(target.parent / f"{sha256}.lock"):
            remove_leftovers(target)
            if not _intact(target, thorough=afresh):
                _compile(table, target)
    except OSError as error:
        reason = f"its index could not be put into {target.parent} ({error.strerror or error})"
        raise ResourceMissing(str(table), f"{reason}; make room or set {VARIABLE} to another folder") from error
    return target


def _compile(table: Path, target: Path) -> None:
    name, size = str(table), table.stat().st_size
    level = logging.WARNING if size > LARGE else logging.INFO
    _LOGGER.log(level, "compiling %s (%.1f MB) into %s, this once", table, size / 1e6, target.parent)
    with staging_for(target) as staging:
        index = staging / "index"
        index.mkdir()
        if _is_empty(table):  # METEOR 1.5 takes it; an index needs an entry: no word is empty
            table = staging / "nothing.gz"
            table.write_bytes(gzip.compress(b"0\n\n\n"))
        compile_paraphrases(table, index, lambda _share: None, name)
        put_in_place(index, target, staging)


def _intact(folder: Path, *, thorough: bool) -> bool:
    try:
        manifest = Manifest.read(folder, folder.name)
    except ResourceDamaged:
        return False
    return manifest.intact(folder) if thorough else True


def _is_empty(table: Path) -> bool:
    """Whether the file is gzip and holds nothing; what is no gzip is for the compiler to tell."""
    try:
        with gzip.open(table) as file:
            return not file.read(1) and table.stat().st_size > 0
    except (gzip.BadGzipFile, EOFError, zlib.error):
        return False
