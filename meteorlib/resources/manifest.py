"""The manifest of a compiled index: what it was made from and what its files must be."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from attrs import asdict, frozen

from meteorlib.errors import ResourceDamaged

FORMAT = 4
MANIFEST = "manifest.json"


@frozen
class Manifest:
    """What is written last, so that an index without it is none.

    Attributes:
        resource: name of the resource.
        source_sha256: digest of the file it was compiled from.
        source_size: bytes of that file.
        entries: entries of the table.
        phrases: distinct phrases of the table.
        files: for each file of the index, its size in bytes and its sha256.
        byteorder: of the numbers in the files.
        format: version of the layout.
    """

    resource: str
    source_sha256: str
    source_size: int
    entries: int
    phrases: int
    files: Mapping[str, tuple[int, str]]
    byteorder: str = sys.byteorder
    format: int = FORMAT

    def write(self, folder: Path) -> None:
        """Write it into `folder` and wait until it is on the disk."""
        write_durably(folder / MANIFEST, json.dumps(asdict(self), indent=2, sort_keys=True).encode() + b"\n")

    @classmethod
    def read(cls, folder: Path, name: str) -> Manifest:
        """Read the manifest of the index in `folder` and check that the files have their sizes.

        Raises:
            ResourceDamaged: there is none, it is of another version or machine, or the files do not fit it.
        """
        try:
            manifest = cls(**json.loads((folder / MANIFEST).read_bytes()))
            expected = {file: int(size) for file, (size, _) in manifest.files.items()}
        except FileNotFoundError as error:
            raise damaged(name, f"{folder} holds no {MANIFEST}") from error
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise damaged(name, f"{folder / MANIFEST} cannot be read ({error})") from error
        if (manifest.format, manifest.byteorder) != (FORMAT, sys.byteorder):
            found = f"format {manifest.format}, {manifest.byteorder}-endian"
            raise damaged(name, f"{folder} is of {found}, needed is format {FORMAT}, {sys.byteorder}-endian")
        for file, size in expected.items():
            try:
                found_size = (folder / file).stat().st_size
            except OSError as error:
                raise damaged(name, f"{folder / file} cannot be read ({error.strerror})") from error
            if found_size != size:
                raise damaged(name, f"{folder / file} has {found_size} bytes instead of {size}")
        return manifest

    def intact(self, folder: Path) -> bool:
        """Whether the files in `folder` have their digests; reads them all."""
        try:
            return all(sha256_of(folder / file) == sha256 for file, (_, sha256) in self.files.items())
        except OSError:
            return False


def damaged(name: str, reason: str) -> ResourceDamaged:
    """The error of an index that cannot be used."""
    return ResourceDamaged(name, reason, f"run `meteorlib resources install {name}`")


def sha256_of(path: Path) -> str:
    """Hexadecimal sha256 of a file."""
    import hashlib  # noqa: PLC0415 – 3 MB that scoring does not need

    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_durably(path: Path, data: bytes) -> None:
    """Write `data` and wait until it is on the disk."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
