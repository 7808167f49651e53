"""Scoring of a stream of segments by one or several threads or processes, in order."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import takewhile
from threading import Thread
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from attrs import field, frozen

from meteorlib.cancellation import CancelFlag, cancel_when
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.segment import Pair
from meteorlib.core.totals import Totals
from meteorlib.corpus.batch import Batch, Labels
from meteorlib.engine.engine import Engine, Scoring
from meteorlib.errors import WorkerLost, blame_in, number_segment_errors

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

PARENT_CHECK_INTERVAL = 0.2
"""Seconds."""

MAX_PROCESSES = 61 if sys.platform == "win32" else None
"""Limit of a pool on Windows, where a process can wait for at most 63 others at a time."""

BATCHES_AHEAD = 3
"""Batches given to each thread or process ahead of what was read back, so that memory does not grow with the input."""

Rendered = TypeVar("Rendered")

Render = Callable[[int, ScoreBreakdown], Rendered]
"""The number of a segment, from 1, and its score → the requested result, such as a line of text."""


@frozen
class ScoredBatch(Generic[Rendered]):
    """The sums of some segments in a row, and what was made of each, where it was asked for."""

    totals: Totals
    rendered: Sequence[Rendered] = ()
    groups: Mapping[Labels, Totals] = field(factory=dict)  # those with the same labels, in the order in which they came


DONE, INTERRUPTED = 1, 2
"""Stop signals to workers whose results are no longer needed: after the current segment, or at once."""


def score_stream(
    scorer: Scoring,
    batches: Iterable[Batch],
    jobs: int = 1,
    render: Render[Rendered] | None = None,
    place_of: Callable[[int], int] = lambda place: place,
) -> Iterator[ScoredBatch[Rendered]]:
    """Score segments batch by batch; they are read only a few batches ahead.

    The jobs are threads where nothing is rendered and the scorer sums up without the GIL, else processes, each with a
    copy of the scorer, and at most `MAX_PROCESSES`. `place_of` gives the place of a segment in what the user gave, from
    0, by its place here; errors name it. A process that has ended is a `WorkerLost`.
    """
    with number_segment_errors(place_of):
        yield from _score_batches(scorer, batches, jobs, render)


def _score_batches(
    scorer: Scoring, batches: Iterable[Batch], jobs: int, render: Render[Rendered] | None
) -> Iterator[ScoredBatch[Rendered]]:
    numbered = _number_batches(batches)
    if jobs == 1:
        for first, batch in numbered:
            yield _score(scorer.engine, render, CancelFlag(), first, batch)
        return
    from concurrent.futures import BrokenExecutor  # noqa: PLC0415 – slow to load

    pool, work, stop, started = _workers(scorer, jobs, render)
    numbered = _looked_at(scorer.engine, numbered)
    with pool:
        waiting: deque[Future[ScoredBatch[Rendered]]] = deque()
        try:
            for future in _submit_batches(numbered, pool, work):
                waiting.append(future)
                if len(waiting) >= BATCHES_AHEAD * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenExecutor as error:
            raise WorkerLost(_start_method_at_fault(started)) from error
        except BaseException:
            stop.value = INTERRUPTED
            raise
        finally:
            # what waits ends at once by itself; a canceled future would break the pool of an interrupted process
            stop.value = stop.value or DONE


def _workers(
    scorer: Scoring, jobs: int, render: Render[Rendered] | None
) -> tuple[Executor, Callable[[int, Batch], ScoredBatch[Rendered]], Any, Any]:
    """Start threads or processes; see `score_stream`.

    The pool; the function that it runs; the value that ends its work; the value that says whether a process has begun,
    None for threads.
    """
    if render is None and scorer.engine.threads_help:
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 – slow to load

        stop = CancelFlag()
        return ThreadPoolExecutor(jobs), partial(_score_in_thread, scorer.engine, None, stop), stop, None
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 – slow to load
    from multiprocessing import RawValue  # noqa: PLC0415 – slow to load

    _check_main_guard()
    shared = RawValue("b"), RawValue("b")
    return (
        ProcessPoolExecutor(
            min(jobs, MAX_PROCESSES or jobs), initializer=_start_process, initargs=(scorer, render, *shared)
        ),
        _score_in_process,
        *shared,
    )


def _submit_batches(
    batches: Iterable[tuple[int, Batch]], pool: Executor, work: Callable[[int, Batch], ScoredBatch[Rendered]]
) -> Iterator[Future[ScoredBatch[Rendered]]]:
    """Submit batches; a read error becomes the last future, so it surfaces in order."""
    from concurrent.futures import BrokenExecutor, Future  # noqa: PLC0415 – slow to load

    try:
        for first, batch in batches:
            try:
                with _interrupts_held():
                    future = pool.submit(work, first, batch)
            except (EOFError, ConnectionError) as error:  # the server that starts processes has ended
                raise BrokenExecutor from error
            yield future
    except Exception as error:  # noqa: BLE001 – it is raised when its turn comes
        failed: Future[ScoredBatch[Rendered]] = Future()
        failed.set_exception(error)
        yield failed


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold back Ctrl-C where processes may start: one that gets it before it can ignore it prints a traceback."""
    import signal  # noqa: PLC0415 – 0.8 ms of every start

    if sys.platform == "win32":  # has no such mask
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _looked_at(engine: Engine[Any], batches: Iterable[tuple[int, Batch]]) -> Iterator[tuple[int, Batch]]:
    """The batches, of which the engine looks at the first segments here, as processes warn nobody."""
    for first, batch in batches:
        if engine.unseen:
            engine.look(pair for pair in batch if engine.is_valid(pair))
        yield first, batch


def _number_batches(batches: Iterable[Batch]) -> Iterator[tuple[int, Batch]]:
    """Each batch with the number of its first segment, from 1."""
    first = 1
    for batch in batches:
        yield first, batch
        first += len(batch)


def _score_in_thread(
    engine: Engine[Any], render: Render[Rendered] | None, stop: Any, first: int, batch: Batch
) -> ScoredBatch[Rendered]:
    with cancel_when(stop):
        return _score(engine, render, stop, first, batch)


def _score(
    engine: Engine[Any], render: Render[Rendered] | None, stop: Any, first: int, batch: Batch
) -> ScoredBatch[Rendered]:
    with blame_in(lambda place: first - 1 + place):
        return _score_segments(engine, render, stop, first, batch)


def _score_segments(
    engine: Engine[Any], render: Render[Rendered] | None, stop: Any, first: int, batch: Batch
) -> ScoredBatch[Rendered]:
    segments = takewhile(lambda _: not stop.value, batch)
    if not batch.labels:
        if render is None:
            return ScoredBatch(engine.totals(segments))
        kept: list[ScoreBreakdown] = []
        totals = engine.totals(segments, kept)  # the compiled engine sums up faster than `Totals.__add__`
        return ScoredBatch(totals, [render(number, scored) for number, scored in enumerate(kept, first)])
    if render is not None:
        return _score_and_render(
            engine.zero, render, zip(engine.breakdowns(segments), batch.labels, strict=False), first
        )
    by_labels: dict[Labels, dict[int, Pair]] = {}
    for place, (pair, labels) in enumerate(zip(segments, batch.labels, strict=False)):
        by_labels.setdefault(labels, {})[place] = pair
    groups = {}
    for labels, pairs in by_labels.items():
        with blame_in([*pairs].__getitem__):
            groups[labels] = engine.totals(pairs.values())
    return ScoredBatch(sum(groups.values(), engine.zero), groups=groups)


def _score_and_render(
    zero: Totals, render: Render[Rendered], segments: Iterable[tuple[ScoreBreakdown, Labels]], first: int
) -> ScoredBatch[Rendered]:
    totals = zero
    groups: dict[Labels, Totals] = {}
    rendered = []
    for number, (scored, labels) in enumerate(segments, first):
        added = Totals.of(scored)
        totals += added
        groups[labels] = groups.get(labels, zero) + added
        rendered.append(render(number, scored))
    return ScoredBatch(totals, rendered, groups)


def _check_main_guard() -> None:
    """End a worker process whose import of the main script would start another pool.

    Python would end it, too, with 50 lines for each process.
    """
    from multiprocessing import current_process, get_start_method  # noqa: PLC0415 – slow to load

    if getattr(current_process(), "_inheriting", False):
        raise SystemExit(f"meteorlib: {WorkerLost(get_start_method())}")


def _start_method_at_fault(started: Any) -> str:
    """The start method, if no process has begun to work and each was to import the main script first; else empty."""
    from multiprocessing import get_start_method  # noqa: PLC0415 – slow to load

    method = get_start_method()
    return "" if started is None or started.value or method == "fork" else method


_worker: tuple[Engine[Any], Render[Any] | None, Any]


def _start_process(scorer: Scoring, render: Render[Any] | None, stop: Any, started: Any) -> None:
    import signal  # noqa: PLC0415 – 0.8 ms of every start

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that waits: it tells all to stop
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    from multiprocessing import parent_process  # noqa: PLC0415 – slow to load

    global _worker  # noqa: PLW0603 – what a process of the pool works with
    _worker = scorer.engine, render, stop
    scorer.engine.unseen = 0
    started.value = True
    Thread(target=_exit_with_parent, args=(parent_process(), stop), daemon=True).start()


def _exit_with_parent(parent: Any, stop: Any) -> None:
    """End when the process that waits was interrupted, or killed: else this one would wait for it for ever."""
    while parent.is_alive() and stop.value != INTERRUPTED:
        parent.join(PARENT_CHECK_INTERVAL)
    os._exit(1)


def _score_in_process(first: int, batch: Batch) -> ScoredBatch[Any]:
    return _score(*_worker, first, batch)
