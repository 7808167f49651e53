"""Metric scores of judged texts, METEOR as such a metric, and the cache folder of its statistics."""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve, frozen

from meteorlib.analysis.meta_evaluation.correlations import Indices
from meteorlib.analysis.meta_evaluation.judgments import Judgments
from meteorlib.arrays import Counts, Numbers, SegmentArrays
from meteorlib.core.parameters import Parameters
from meteorlib.core.segment import Pair
from meteorlib.corpus.batch import Advance
from meteorlib.corpus.segment_arrays import distinct_pairs
from meteorlib.resources.store.shared_files import cache_folder, write_atomically
from meteorlib.scorer import Scorer

CACHED_BATCH_SIZE = 10_000
"""Number of texts per cache file; at most this many are aligned again after an interruption."""

FOLDER = "statistics"

UNUSED_TIME = 7 * 24 * 3600
"""Seconds after which unused statistics of other code are removed: other installations may share the folder."""

CODE = Path(__file__).parents[2]

_DIGEST_SIZE = hashlib.sha256().digest_size

_STATISTICS = re.compile(r"(meteor-[0-9a-f]{16}-)?[0-9a-f]{64}\.npz")
"""Names of files with statistics of METEOR; version 0.1 had no name of the code."""


@frozen(eq=False)
class Scored:
    """Scores of the texts of one language pair.

    Attributes:
        scores: score of each text.
        counts: statistics of each text, summed for the score of a system; None if a system's score is the mean.
        parameters: parameters of the formula that turns counts into scores.
    """

    scores: Numbers
    counts: Counts | None = None
    parameters: Parameters | None = None

    def at(self, places: Indices) -> Scored:
        """Select the scores of the texts at these indices."""
        counts = None if self.counts is None else self.counts[places]
        return evolve(self, scores=self.scores[places], counts=counts)


@frozen(eq=False)
class Metric:
    """Metric with its scores of judged texts.

    Attributes:
        name: name of the metric.
        scored: scores of each language pair, in the order of the judgments.
        signature: signature of the METEOR scorer or of sacrebleu; empty for another metric.
        notes: notes on irregularities in its scores.
    """

    name: str
    scored: tuple[Scored, ...]
    signature: str = ""
    notes: tuple[str, ...] = ()


def sort_texts(judgments: Sequence[Judgments], metrics: Sequence[Metric]) -> tuple[list[Judgments], list[Metric]]:
    """Sort the texts of each language pair in judgments and metrics; see `Judgments.in_order`."""
    found = [part.in_order() for part in judgments]
    orders = [order for _, order in found]
    ordered = [
        evolve(metric, scored=tuple(scored.at(order) for scored, order in zip(metric.scored, orders, strict=True)))
        for metric in metrics
    ]
    return [one for one, _ in found], ordered


def meteor(
    scorer: Scorer,
    judgments: Sequence[Judgments],
    *,
    name: str = "",
    jobs: int = 1,
    progress: Advance = lambda _: None,
) -> Metric:
    """Score judged texts with METEOR; statistics are cached on disk, so each text is aligned once.

    Args:
        scorer: scorer to use.
        judgments: judgments of each language pair.
        name: name of the metric; empty for the name of the preset.
        jobs: number of processes; see `meteorlib.Scorer.arrays`.
        progress: callback, called with the number of further texts scored.

    Raises:
        InvalidText: a text cannot be scored.
        WorkerLost: a process has ended; see `meteorlib.Scorer.arrays`.
    """
    scored = []
    for part in judgments:
        found = statistics_of(scorer, [text.texts for text in part.texts], jobs=jobs, progress=progress)
        scored.append(Scored(found.scores, found.counts, scorer.parameters))
    return Metric(name or scorer.config.name, tuple(scored), str(scorer.signature))


def statistics_of(
    scorer: Scorer, texts: Sequence[Pair], *, jobs: int = 1, progress: Advance = lambda _: None
) -> SegmentArrays:
    """Statistics and scores of texts, cached on disk in batches, so that each text is aligned once."""
    different, places = distinct_pairs(texts)
    parts = []
    for first in range(0, len(different), CACHED_BATCH_SIZE):
        batch = different[first : first + CACHED_BATCH_SIZE]
        make = partial(scorer.arrays, batch, jobs=jobs, progress=progress)
        parts.append(cached_statistics(this_code(), scorer.signature.numbers, batch, make))
    found = SegmentArrays.joined(parts)
    return SegmentArrays(found.counts[places], found.scores[places])


def cached_statistics(
    program: str, signature: str, texts: Sequence[Pair], make: Callable[[], SegmentArrays]
) -> SegmentArrays:
    """Statistics of texts from the cache folder; computed by `make` and stored if they are not there.

    The file name is the program, such as `this_code`, in letters, digits and hyphens, and a digest of the texts and of
    the signature, which is everything else that affects the scores. Files are written atomically, and a damaged file is
    computed again. If the folder is not writable, nothing is stored.
    """
    path = cache_folder() / FOLDER / f"{program}-{_digest(signature, texts)}.npz"
    known = read_arrays(path)
    if known is not None and len(known["scores"]) == len(texts):
        return SegmentArrays(known["counts"], known["scores"])
    found = make()
    with suppress(OSError):
        write_arrays(path, counts=found.counts, scores=found.scores)
        remove_unused(path.parent)
    return found


def this_code() -> str:
    """Name of this code for `cached_statistics`."""
    return f"meteor-{code_digest()[:16]}"


def remove_unused(folder: Path) -> None:
    """Remove statistics of METEOR that other code has computed and nobody used for `UNUSED_TIME`, as others may."""
    oldest = time.time() - UNUSED_TIME
    for path in folder.iterdir():
        if _STATISTICS.fullmatch(path.name) and not path.name.startswith(f"{this_code()}-"):
            with suppress(OSError):
                if path.stat().st_mtime < oldest:
                    path.unlink()


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


def read_arrays(path: Path) -> Mapping[str, Any] | None:
    """The arrays of a file, by name; None if it is missing or damaged."""
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
        return dict(arrays)


def write_arrays(path: Path, **arrays: Any) -> None:
    """Write arrays and a digest of them to a file atomically."""
    buffer = BytesIO()
    np.savez_compressed(buffer, **arrays)
    body = buffer.getvalue()
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, hashlib.sha256(body).digest() + body)
