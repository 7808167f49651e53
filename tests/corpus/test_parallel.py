"""Scoring in several threads or processes gives what one gives, in the same order."""

from __future__ import annotations

import itertools
import os

import pytest

from meteorlib import Scorer
from meteorlib.core.segment import Pair
from meteorlib.corpus import parallel
from meteorlib.corpus.batch import Lines, Rows
from meteorlib.corpus.parallel import score_stream
from meteorlib.errors import InputMismatch, InvalidText, WorkerLost

SEGMENTS = [(f"the cat number {n} sat on the mat", f"the cat number {n % 7} is on a mat", "a cat") for n in range(50)]


def _render(number, scored):
    return f"{number}:{scored.score!r}"


def _pieces(segments, size):
    """The segments in batches of `size`, as they come out of files."""
    for start in range(0, len(segments), size):
        columns = zip(*segments[start : start + size], strict=True)
        yield Lines(tuple("\n".join(column).encode() for column in columns))


@pytest.fixture(scope="module", params=["python", "auto"])
def scorer(request):
    """A scorer that works in processes, and one that works in threads if the compiled kernel was built."""
    return Scorer("meteor-2005", implementation=request.param)


@pytest.mark.parametrize("jobs", [1, 2, pytest.param(3, marks=pytest.mark.thorough)])
def test_same_for_any_number_of_jobs(scorer, jobs):
    """Totals and texts are those of a plain corpus."""
    batches = list(score_stream(scorer, _pieces(SEGMENTS, 4), jobs, _render))
    corpus, plain = scorer.corpus(keep_segments=False), scorer.corpus()
    for hypothesis, *references in SEGMENTS:
        plain.add(references, hypothesis)
    for batch in batches:
        corpus.add_totals(batch.totals)
    assert corpus.totals == plain.totals
    summed = [batch.totals for batch in score_stream(scorer, _pieces(SEGMENTS, 7), jobs)]
    assert sum(summed[1:], summed[0]) == plain.totals
    assert list(itertools.chain.from_iterable(batch.rendered for batch in batches)) == [
        _render(number, scored) for number, scored in enumerate(plain.segments, 1)
    ]


@pytest.mark.parametrize("jobs", [1, 2])
def test_reads_only_a_little_ahead(scorer, jobs):
    """An endless stream can be scored: no more than a few batches are read before the first comes back."""
    taken = itertools.count()
    endless = (Lines((f"a cat {next(taken)}\na cat".encode(), b"a cat\na dog")) for _ in itertools.count())
    stream = score_stream(scorer, endless, jobs)
    next(stream)
    assert next(taken) <= parallel.BATCHES_AHEAD * jobs + 1
    stream.close()


@pytest.mark.parametrize("jobs", [1, 2, pytest.param(3, marks=pytest.mark.thorough)])
def test_what_was_read_before_an_error_comes_out(scorer, jobs):
    """If reading fails, all batches before come first, for any number of jobs."""

    def failing():
        yield from _pieces(SEGMENTS, 10)
        raise OSError("the disk is gone")

    stream = score_stream(scorer, failing(), jobs)
    assert sum(next(stream).totals.segment_count for _ in range(5)) == len(SEGMENTS)
    with pytest.raises(OSError, match="the disk is gone"):
        next(stream)


def _die(number, scored):
    os._exit(3)


def test_a_process_that_ends(scorer):
    """A process that dies while scoring is reported once."""
    with pytest.raises(WorkerLost, match="ended unexpectedly, perhaps for lack of memory; try fewer jobs"):
        list(score_stream(scorer, _pieces(SEGMENTS, 10), 2, _die))


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_comes_out_once(scorer, jobs):
    """An error in a segment is raised in the caller, whichever process met it."""
    with pytest.raises(InvalidText, match="NUL character at offset 1"):
        list(score_stream(scorer, [Lines((b"a\na\0", b"b\nb"))], jobs))


@pytest.mark.parametrize("jobs", [1, 2])
def test_lines_without_references(scorer, jobs):
    """Lines of hypotheses alone are segments without a reference, which are refused."""
    lines = Lines((b"a cat\na dog",))
    assert list(lines) == [Pair([], "a cat"), Pair([], "a dog")]
    with pytest.raises(InputMismatch, match="reference"):
        list(score_stream(scorer, [lines], jobs))


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_new_formula(scorer_2026, jobs):
    """Batches of METEOR 2026 add up to a plain corpus too, with texts and without, and by groups."""
    pairs = [Pair(references, hypothesis) for hypothesis, *references in SEGMENTS]
    whole = scorer_2026.totals(pairs)
    labels = [(str(place % 2),) for place in range(len(pairs))]
    for render in (None, _render):
        pieces = (Rows(pairs[start : start + 20], labels[start : start + 20]) for start in (0, 20, 40))
        groups = {("0",): [], ("1",): []}
        totals = []
        for batch in score_stream(scorer_2026, pieces, jobs, render):
            totals.append(batch.totals)
            for label, found in batch.groups.items():
                groups[label].append(found)
        assert sum(totals[1:], totals[0]) == whole
        for place, found in enumerate(groups.values()):
            assert sum(found[1:], found[0]) == scorer_2026.totals(pairs[place::2])
