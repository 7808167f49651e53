"""The manifest of a compiled index: its source, and the sizes and digests of its files."""

from __future__ import annotations

import json
import os
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from attrs import asdict, frozen

from meteorlib.errors import ResourceDamaged
from meteorlib.resources.catalog import CATALOG, STEM_TABLE, find_resource, is_user_resource
from meteorlib.resources.store.data_file import DataFile
from meteorlib.resources.store.shared_files import MANIFEST

FORMAT = 6
"""Version of the layout of indexes; one of another version is made anew."""

METEOR_HOME = "http://www.cs.cmu.edu/~alavie/METEOR/"
"""Web page of METEOR 1.5."""

_USER_SOURCES = {
    "synonyms": "SOURCE` with a thesaurus (a MyThes file, or system for the one that is installed), wn:LEXICON, or a "
    "file in METEOR's format",
    "vectors": "FILE` with their file (docs/presets.md has the formats)",
}
"""Sources of the data that users install, to complete a command line."""


class OtherFormat(ResourceDamaged):
    """A whole index whose format or byte order is that of another version of meteorlib or another machine."""


@frozen
class Manifest:
    """The description of an index, written last: a folder without it is not an index.

    Attributes:
        resource: its name.
        entries, phrases: of the table, phrases without repetition.
        files: for each file of the index, its size in bytes and its sha256.
        byteorder: of the numbers in the files.
        format: version of the file layout.
        origin, license: if the catalog has none.
    """

    resource: str
    source_sha256: str
    source_size: int
    entries: int
    phrases: int
    files: Mapping[str, tuple[int, str]]
    byteorder: str = sys.byteorder
    format: int = FORMAT
    origin: str = ""
    license: str = ""

    @classmethod
    def write_index(cls, folder: Path, files: Mapping[str, bytes | None], **fields: Any) -> None:
        """Write files into `folder`, None for those that are there, and last their manifest with the other fields."""
        for file, data in files.items():
            if data is not None:
                write_durably(folder / file, data)
        sizes = {file: ((folder / file).stat().st_size, sha256_of(folder / file)) for file in files}
        cls(files=sizes, **fields).write(folder)

    def write(self, folder: Path) -> None:
        """Write the manifest into `folder` and sync it to disk."""
        fields = {key: value for key, value in asdict(self).items() if value != ""}
        checked = {**fields, "crc32": _checksum(fields)}
        data = json.dumps(checked, indent=2, sort_keys=True, allow_nan=False)
        write_durably(folder / MANIFEST, data.encode() + b"\n")

    @classmethod
    def read(cls, folder: Path, name: str) -> Manifest:
        """Read the manifest of the index in `folder`.

        It contains a crc32 of its fields; older manifests without one are accepted. `OtherFormat`: it has another
        format version or byte order.
        """
        path = folder / MANIFEST
        try:
            fields = json.loads(path.read_bytes())
            _check_format(fields, folder, name)
            check = fields.pop("crc32", None)
            if check not in {None, _checksum(fields)}:
                raise damage_error(name, f"{path} has been changed")
            fields["files"] = {file: (int(size), str(sha256)) for file, (size, sha256) in fields["files"].items()}
            manifest = cls(**fields)
        except FileNotFoundError as error:
            raise damage_error(name, f"{folder} holds no {MANIFEST}") from error
        except (OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
            raise damage_error(name, f"{path} cannot be read ({error})") from error
        return manifest

    def is_intact(self, folder: Path) -> bool:
        """Whether all files in `folder` have the recorded digests; reads them all."""
        try:
            return all(sha256_of(folder / file) == sha256 for file, (_, sha256) in self.files.items())
        except OSError:
            return False


def _check_format(fields: Mapping[str, Any], folder: Path, name: str) -> None:
    """Raise `OtherFormat` if an index has another format or byte order, before its other fields are looked at."""
    form, byteorder = int(fields["format"]), fields["byteorder"]
    if (form, byteorder) == (FORMAT, sys.byteorder):
        return
    details = f"format {form}, {byteorder}-endian; this one reads format {FORMAT}, {sys.byteorder}-endian"
    if form <= FORMAT:
        reason = f"{folder} was made by another version of meteorlib ({details})"
        raise OtherFormat(name, reason, damage_error(name, reason).remedy)
    reason = f"{folder} was made by a newer version of meteorlib ({details})"
    others = "update meteorlib, set METEORLIB_CACHE to another folder for this version"
    remedy = damage_error(name, reason).remedy
    raise OtherFormat(name, reason, f"{others}, or rebuild the index for this version: {remedy}")


def damage_error(name: str, reason: str) -> ResourceDamaged:
    """Error for an index that cannot be used."""
    if is_user_resource(name):
        remedy = f"install it again: `{install_command(name)}`"
    elif name in CATALOG:
        remedy = f"run `{install_command(name)}`"
    else:
        remedy = "name the table's file, paraphrase-XX.gz, in its place: the index is then rebuilt"
    return ResourceDamaged(name, reason, remedy)


def install_advice(name: str) -> str:
    """Advice for installing missing data."""
    command = f"meteorlib resources install {name}"
    if is_user_resource(name):
        return f"run `{command} --from {_USER_SOURCES[name.partition('-')[0]]}"
    resource = find_resource(name)
    if resource.kind == STEM_TABLE:
        return f"run `{command}` (if you have METEOR's jar: --from JAR)"
    if resource.sha256:
        return f"run `{command}`"
    return (
        f"it cannot be downloaded alone. With METEOR 1.5 ({METEOR_HOME}): `{command} --from meteor-1.5.tar.gz`; "
        f"preset meteor-1.5-{resource.language}-core works without it"
    )


def install_command(name: str) -> str:
    """Command line that installs a resource of the catalog."""
    return f"meteorlib resources install {name}{'' if find_resource(name).sha256 else ' --from FILE'}"


def sha256_of(*paths: Path) -> str:
    """Hexadecimal sha256 of a file, or of several; see `sha256_of_several`."""
    return sha256_of_several([DataFile(path).sha256() for path in paths])


def sha256_of_several(digests: Sequence[str]) -> str:
    """The only one of `digests`, or the sha256 of all of them, with spaces between them."""
    from hashlib import sha256  # noqa: PLC0415 – 3 MB that scoring does not need

    return digests[0] if len(digests) == 1 else sha256(" ".join(digests).encode()).hexdigest()


def _checksum(fields: Mapping[str, Any]) -> int:
    return zlib.crc32(json.dumps(fields, sort_keys=True, allow_nan=False).encode())


def write_durably(path: Path, data: bytes) -> None:
    """Write `data` to a file and sync it to disk."""
    with durable_writer(path) as file:
        file.write(data)


@contextmanager
def durable_writer(path: Path) -> Iterator[BinaryIO]:
    """Open a new file, which is synced to disk at the end."""
    with path.open("wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
