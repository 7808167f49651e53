"""Cache folder for the statistics of scored texts, so that each text is aligned only once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np

import meteorlib
from meteorlib.arrays import SegmentArrays
from meteorlib.core.pair import Pair
from meteorlib.resources.store.atomic_file import write_atomically
from meteorlib.resources.store.folder import cache_folder

FOLDER = "statistics"
CODE = Path(meteorlib.__file__).parent

_DIGEST_SIZE = hashlib.sha256().digest_size


def cached_statistics(signature: str, texts: Sequence[Pair], make: Callable[[], SegmentArrays]) -> SegmentArrays:
    """Statistics of texts from the cache folder; computed and stored if they are not there.

    The file name is a digest of the texts and of the signature, which must name everything that affects the scores.
    Files are written atomically, and a damaged file is computed again. If the folder is not writable, nothing is
    stored.
    """
    path = cache_folder() / FOLDER / f"{_digest(signature, texts)}.npz"
    found = _read(path, len(texts))
    if found is None:
        found = make()
        with suppress(OSError):
            _write(path, found)
    return found


def _digest(signature: str, texts: Sequence[Pair]) -> str:
    digest = hashlib.sha256(signature.encode())
    for references, hypothesis in texts:
        digest.update(json.dumps([*references, hypothesis]).encode() + b"\n")
    return digest.hexdigest()


@cache
def code_digest() -> str:
    """Digest of meteorlib's code, part of the signature: a change of the code need not change the version."""
    digest = hashlib.sha256()
    for path in sorted(path for path in CODE.rglob("*") if path.suffix in {".py", ".so", ".pyd"}):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _read(path: Path, count: int) -> SegmentArrays | None:
    try:
        data = path.read_bytes()
    except OSError:
        return None
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
