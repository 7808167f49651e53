"""Scoring in several processes gives what one gives, in the same order."""

from __future__ import annotations

import itertools

import pytest

from meteorlib import Scorer
from meteorlib.corpus import parallel
from meteorlib.corpus.parallel import score_stream
from meteorlib.errors import InvalidText

SEGMENTS = [(f"the cat number {n} sat on the mat", f"the cat number {n % 7} is on a mat", "a cat") for n in range(50)]


def _render(number, scored):
    return f"{number}:{scored.score!r}"


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_same_for_any_number_of_jobs(monkeypatch, jobs):
    """Totals and texts are those of a plain corpus."""
    monkeypatch.setattr(parallel, "BATCH", 4)
    scorer = Scorer()
    batches = list(score_stream(scorer, SEGMENTS, jobs, _render))
    corpus, plain = scorer.corpus(keep_segments=False), scorer.corpus()
    for hypothesis, *references in SEGMENTS:
        plain.add(references, hypothesis)
    for batch in batches:
        corpus.add_totals(batch.totals)
    assert corpus.totals == plain.totals
    assert list(itertools.chain.from_iterable(batch.rendered for batch in batches)) == [
        _render(number, scored) for number, scored in enumerate(plain.segments, 1)
    ]


@pytest.mark.parametrize("jobs", [1, 2])
def test_reads_only_a_little_ahead(monkeypatch, jobs):
    """An endless stream can be scored: no more than a few batches are read before the first comes back."""
    monkeypatch.setattr(parallel, "BATCH", 2)
    taken = itertools.count()
    endless = ((f"a cat {next(taken)}", "a cat") for _ in itertools.count())
    stream = score_stream(Scorer(), endless, jobs)
    next(stream)
    assert next(taken) <= 2 * (parallel.AHEAD * jobs + 1)
    stream.close()


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_comes_out_once(jobs):
    """What a segment raises is raised here, whichever process met it."""
    with pytest.raises(InvalidText, match="NUL character at offset 1"):
        list(score_stream(Scorer(), [("a", "b"), ("a\0", "b")], jobs))
