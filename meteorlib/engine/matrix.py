"""Scores of every hypothesis against every reference, computed by several threads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from meteorlib.cancellation import CancelFlag, cancel_on_exit, cancel_when
from meteorlib.engine.engine import Engine
from meteorlib.text.validation import check_text, texts_of

SHARES = 64
"""Number of shares per thread that limits how small a share gets."""

CELLS = 1 << 16
"""Scores of a share at most, but for those of one hypothesis."""


def matrix(
    engine: Engine[Any], references: Iterable[str], hypotheses: Iterable[str], threads: int
) -> list[list[float]]:
    """See `meteorlib.Scorer.matrix`."""
    hypotheses, reference_texts = texts_of(hypotheses, "hypotheses"), texts_of(references, "references")
    if threads < 1:
        raise ValueError(f"threads must be at least 1, got {threads}")
    for number, text in enumerate(hypotheses, 1):
        check_text(text, "hypothesis", number if len(hypotheses) > 1 else None)
    scores = engine.rows(reference_texts)
    stop = CancelFlag()
    shares = _shares(len(hypotheses), threads, max(1, CELLS // max(len(reference_texts), 1)))

    def rows(share: slice) -> list[list[float]]:
        with cancel_when(stop):
            return scores(hypotheses[share])

    if threads == 1:
        return [row for share in shares for row in rows(share)]
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 – slow to load

    with ThreadPoolExecutor(threads) as pool, cancel_on_exit(stop):
        return [row for some in pool.map(rows, shares) for row in some]


def _shares(count: int, threads: int, most: int) -> Iterator[slice]:
    """Split `rows` rows into shares: large ones first, because threads wait between shares; small ones last."""
    first, least = 0, count // (SHARES * threads)
    while first < count:
        size = min(max((count - first) // (2 * threads), least, 1), most)
        yield slice(first, min(first + size, count))
        first += size
