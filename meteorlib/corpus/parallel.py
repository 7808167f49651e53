"""Scoring a stream of segments by one or by several; the results are the same and in the same order."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import takewhile
from threading import Thread
from typing import TYPE_CHECKING, Any

from attrs import frozen

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.pair import Pair
from meteorlib.core.statistics import Statistics
from meteorlib.core.totals import Totals
from meteorlib.corpus.scoring import SegmentScorer
from meteorlib.errors import WorkerLost
from meteorlib.interruption import Stop, stopped_by

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

LOOK_UP_EVERY = 0.2
"""Seconds."""

AHEAD = 3
"""Batches given to each thread or process ahead of what was read back, so that memory does not grow with the input."""

Pieces = tuple[bytes, ...]
"""Some segments: the lines of the hypotheses, then those of each file of references; UTF-8, separated by LF.

They are taken apart where they are scored, because that is quicker than to hand thousands of strings to a process.
"""

Render = Callable[[int, ScoreBreakdown], str]
"""The number of a segment, from 1, and its score → a text for it."""


@frozen
class Batch:
    """Some segments in a row.

    Attributes:
        totals: their sums.
        rendered: a text for each, where they were asked for.
    """

    totals: Totals
    rendered: Sequence[str]


DONE, INTERRUPTED = 1, 2
"""What those who score are told when nobody waits for them any more: to end after this segment, or now."""


def score_stream(
    scorer: SegmentScorer, batches: Iterable[Pieces], jobs: int = 1, render: Render | None = None
) -> Iterator[Batch]:
    """Score segments batch by batch.

    Args:
        scorer: scores segments.
        batches: the segments; read only a few batches ahead.
        jobs: how many score at a time. They are threads where nothing is rendered and the scorer sums up without the
            interpreter's lock, else processes, each with a copy of the scorer.
        render: makes a text of each segment, where it was scored; None for none.

    Raises:
        WorkerLost: a process has ended.
    """
    numbered = _numbered(batches)
    if jobs == 1:
        for first, pieces in numbered:
            yield _score(scorer, render, Stop(), first, pieces)
        return
    from concurrent.futures import BrokenExecutor, ThreadPoolExecutor  # noqa: PLC0415 – slow to load

    pool: Executor
    stop: Any
    work: Callable[[int, Pieces], Batch]
    if render is None and scorer.threads_help:
        stop = Stop()
        pool, work = ThreadPoolExecutor(jobs), partial(_score_here, scorer, None, stop)
    else:
        from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 – slow to load
        from multiprocessing import RawValue  # noqa: PLC0415 – slow to load

        stop = RawValue("b")
        pool, work = ProcessPoolExecutor(jobs, initializer=_start, initargs=(scorer, render, stop)), _work
    with pool:
        waiting: deque[Future[Batch]] = deque()
        try:
            for future in _submitted(numbered, pool, work):
                waiting.append(future)
                if len(waiting) >= AHEAD * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenExecutor as error:
            raise WorkerLost from error
        except BaseException:
            stop.value = INTERRUPTED
            raise
        finally:
            # what waits ends at once by itself; a canceled future would break the pool of an interrupted process
            stop.value = stop.value or DONE


def _submitted(
    batches: Iterable[tuple[int, Pieces]], pool: Executor, work: Callable[[int, Pieces], Batch]
) -> Iterator[Future[Batch]]:
    """What comes of each batch; where no more can be read, that error comes last, as with one job."""
    from concurrent.futures import Future  # noqa: PLC0415 – slow to load

    try:
        for first, pieces in batches:
            yield pool.submit(work, first, pieces)
    except Exception as error:  # noqa: BLE001 – it is raised when its turn comes
        failed: Future[Batch] = Future()
        failed.set_exception(error)
        yield failed


def _numbered(batches: Iterable[Pieces]) -> Iterator[tuple[int, Pieces]]:
    """Each batch with the number of its first segment, from 1."""
    first = 1
    for pieces in batches:
        yield first, pieces
        first += pieces[0].count(b"\n") + 1


def _score_here(scorer: SegmentScorer, render: Render | None, stop: Any, first: int, pieces: Pieces) -> Batch:
    with stopped_by(stop):
        return _score(scorer, render, stop, first, pieces)


def _score(scorer: SegmentScorer, render: Render | None, stop: Any, first: int, pieces: Pieces) -> Batch:
    lines = zip(*(piece.decode().split("\n") for piece in pieces), strict=True)
    segments = takewhile(lambda _: not stop.value, lines)
    if render is None:
        return Batch(scorer.totals(Pair(references, hypothesis) for hypothesis, *references in segments), ())
    totals = Totals(Statistics.zero(scorer.stage_count))
    rendered = []
    for number, (hypothesis, *references) in enumerate(segments, first):
        scored = scorer.score(references, hypothesis)
        totals += Totals.of(scored)
        rendered.append(render(number, scored))
    return Batch(totals, rendered)


_worker: tuple[SegmentScorer, Render | None, Any]


def _start(scorer: SegmentScorer, render: Render | None, stop: Any) -> None:
    from multiprocessing import parent_process  # noqa: PLC0415 – slow to load

    global _worker  # noqa: PLW0603 – what a process of the pool works with
    _worker = scorer, render, stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that waits: it tells all to stop
    Thread(target=_end_with, args=(parent_process(), stop), daemon=True).start()


def _end_with(parent: Any, stop: Any) -> None:
    """End when the process that waits was interrupted, or killed: else this one would wait for it for ever."""
    while parent.is_alive() and stop.value != INTERRUPTED:
        parent.join(LOOK_UP_EVERY)
    os._exit(1)


def _work(first: int, pieces: Pieces) -> Batch:
    return _score(*_worker, first, pieces)
