"""Cache folder for the statistics of scored texts, so that each text is aligned only once."""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np

from meteorlib.arrays import SegmentArrays
from meteorlib.core.segment import Pair
from meteorlib.resources.store.atomic_file import write_atomically
from meteorlib.resources.store.folder import cache_folder

FOLDER = "statistics"

UNUSED_TIME = 7 * 24 * 3600
"""Seconds after which unused statistics of other code are removed: other installations may share the folder."""

CODE = Path(__file__).parents[2]

_DIGEST_SIZE = hashlib.sha256().digest_size


def cached_statistics(
    program: str, signature: str, texts: Sequence[Pair], make: Callable[[], SegmentArrays]
) -> SegmentArrays:
    """Statistics of texts from the cache folder; computed and stored if they are not there.

    The file name is the program and a digest of the texts and of the signature. Files are written atomically, and a
    damaged file is computed again. If the folder is not writable, nothing is stored.

    Args:
        program: name of the program that computes them, such as `this_code`; letters, digits and hyphens.
        signature: everything else that affects the scores.
        texts: the texts.
        make: computes the statistics.
    """
    path = cache_folder() / FOLDER / f"{program}-{_digest(signature, texts)}.npz"
    found = _read(path, len(texts))
    if found is None:
        found = make()
        with suppress(OSError):
            _write(path, found)
            remove_unused(path.parent)
    return found


def this_code() -> str:
    """Name of this code for `cached_statistics`."""
    return f"meteor-{code_digest()[:16]}"


def remove_unused(folder: Path) -> None:
    """Remove statistics of METEOR that other code has computed, unless they were used in the last `UNUSED_TIME`.

    Other processes may do the same.
    """
    oldest = time.time() - UNUSED_TIME
    for path in folder.iterdir():
        if _STATISTICS.fullmatch(path.name) and not path.name.startswith(f"{this_code()}-"):
            with suppress(OSError):
                if path.stat().st_mtime < oldest:
                    path.unlink()


_STATISTICS = re.compile(r"(meteor-[0-9a-f]{16}-)?[0-9a-f]{64}\.npz")
"""Names of files with statistics of METEOR; version 0.1 had no name of the code."""


def _digest(signature: str, texts: Sequence[Pair]) -> str:
    digest = hashlib.sha256(signature.encode())
    for references, hypothesis in texts:
        digest.update(json.dumps([*references, hypothesis], allow_nan=False).encode() + b"\n")
    return digest.hexdigest()


@cache
def code_digest() -> str:
    """Digest of meteorlib's code, part of the name of files: a change of the code need not change the version."""
    digest = hashlib.sha256()
    for path in sorted(path for path in CODE.rglob("*") if path.suffix in {".py", ".so", ".pyd"}):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _read(path: Path, count: int) -> SegmentArrays | None:
    try:
        data = path.read_bytes()
    except OSError:
        return None
    with suppress(OSError):
        os.utime(path)  # see `remove_unused`
    body = data[_DIGEST_SIZE:]
    if hashlib.sha256(body).digest() != data[:_DIGEST_SIZE]:
        return None
    with np.load(BytesIO(body), allow_pickle=False) as arrays:
        found = SegmentArrays(arrays["counts"], arrays["scores"])
    return found if len(found) == count else None


def _write(path: Path, arrays: SegmentArrays) -> None:
    buffer = BytesIO()
    np.savez_compressed(buffer, counts=arrays.counts, scores=arrays.scores)
    body = buffer.getvalue()
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, hashlib.sha256(body).digest() + body)
