"""Every hypothesis against every reference: rows of scores, which threads share among them."""

from __future__ import annotations

from collections.abc import Iterable

from meteorlib.engine.engine import Engine
from meteorlib.interruption import Stop, stopped_by, stopping
from meteorlib.text.validation import texts_of

SHARES = 16
"""Each thread takes so many shares of a matrix, one after the other."""

CELLS = 1 << 16
"""Scores of a share at most, but for those of one hypothesis."""


def matrix(engine: Engine, references: Iterable[str], hypotheses: Iterable[str], threads: int) -> list[list[float]]:
    """See `meteorlib.Scorer.matrix`."""
    hypotheses, listed = texts_of(hypotheses, "hypotheses"), texts_of(references, "references")
    if threads < 1:
        raise ValueError(f"threads must be at least 1, got {threads}")
    scores = engine.rows(listed)
    stop = Stop()
    size = max(1, min(len(hypotheses) // (SHARES * threads), CELLS // max(len(listed), 1)))

    def rows(first: int) -> list[list[float]]:
        with stopped_by(stop):
            return scores(hypotheses[first : first + size])

    firsts = range(0, len(hypotheses), size)
    if threads == 1:
        return [row for first in firsts for row in rows(first)]
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 – slow to load

    with ThreadPoolExecutor(threads) as pool, stopping(stop):
        return [row for some in pool.map(rows, firsts) for row in some]
