"""The arithmetic of the benchmarks; nothing is timed here."""

from __future__ import annotations

import ast
from math import exp, log, sqrt
from pathlib import Path
from shutil import which

import pytest

from benchmarks import long
from benchmarks.__main__ import Result, middle
from benchmarks.__main__ import table as table_of_programs
from benchmarks.compare import Ratio, in_turns, ratio, shared
from benchmarks.documents import documents, joined, measure
from benchmarks.jobs import Step, batches, locked_share, measured_steps, speed_up
from meteorlib.engine.implementation import load_kernel


@pytest.mark.parametrize("path", sorted(Path(long.__file__).parent.glob("*.py")), ids=lambda path: path.stem)
def test_a_program_begins_when_all_of_it_is_defined(path):
    """The call of `main` ends a file: what stood below would not be defined yet."""
    *above, _ = ast.parse(path.read_text("utf-8")).body or [None]
    assert not any("__main__" in ast.unparse(node.test) for node in above if isinstance(node, ast.If))


@pytest.fixture
def stats():
    """Student's t of scipy, which the tests of ratios need."""
    return pytest.importorskip("scipy.stats", reason="needs scipy")


def test_ratio_by_the_textbook(stats):
    """Mean and interval of the logarithms of the pairs' ratios, by Student's formula."""
    old, new = [1.0, 2.0, 4.0, 1.0], [1.1, 2.3, 4.1, 1.2]
    logs = [log(b / a) for a, b in zip(old, new, strict=True)]
    mean = sum(logs) / 4
    error = sqrt(sum((one - mean) ** 2 for one in logs) / 3 / 4)
    half = stats.t.ppf(0.975, 3) * error
    found = ratio(old, new, 0.95)
    assert (found.mean, found.low, found.high) == pytest.approx((exp(mean), exp(mean - half), exp(mean + half)))


@pytest.mark.usefixtures("stats")
def test_ratio_of_what_disturbs_both():
    """A machine that slows down in the middle does not hide a difference, as both of a pair are slow then."""
    old = [1.0, 1.01, 3.0, 3.02, 0.99, 2.0]
    jittered = [1.05 * one * (1 + 0.002 * (-1) ** turn) for turn, one in enumerate(old)]
    assert ratio(old, jittered, 0.99).verdict(0.01) == "slower"
    assert ratio(jittered, old, 0.99).verdict(0.01) == "faster"


@pytest.mark.usefixtures("stats")
def test_ratio_is_turned_round_with_its_sides():
    """New by old is one by old by new, its interval too."""
    old, new = [1.0, 1.2, 0.9], [1.1, 1.1, 1.05]
    there, back = ratio(old, new, 0.9), ratio(new, old, 0.9)
    assert (back.mean, back.low, back.high) == pytest.approx((1 / there.mean, 1 / there.high, 1 / there.low))


def test_parts_of_a_run_on_a_cluster():
    """Workers divide the files among them; the scheduler, whose work is not divided, may be what takes longest."""
    cluster = pytest.importorskip("benchmarks.cluster", reason="needs distributed")
    parts = cluster.Parts(started=1.0, opened=2.0, row=0.5, task=1.0, scheduled=0.1, sent=100)
    assert parts.seconds(1, rows=20, files=10) == 3 + 10 * 2
    assert parts.seconds(4, rows=20, files=10) == 3 + 3 * 2
    assert parts.seconds(100, rows=20, files=10) == 3 + 10 * 0.1 + 2


@pytest.mark.parametrize(("old", "new"), [([1.0], [1.0]), ([], []), ([1.0, 1.0], [1.0])])
def test_too_few_runs(old, new):
    """One pair says nothing of noise, and pairs are pairs."""
    with pytest.raises(ValueError, match="expected two runs of each at least"):
        ratio(old, new, 0.95)


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        (Ratio(1.05, 1.02, 1.08), "slower"),
        (Ratio(1.05, 0.99, 1.11), "same"),
        (Ratio(1.005, 1.002, 1.008), "same"),
        (Ratio(0.9, 0.85, 0.95), "faster"),
        (Ratio(0.9, 0.8, 1.01), "same"),
    ],
)
def test_verdict(found, verdict):
    """A change counts as slower or faster if its whole interval agrees and it is large enough."""
    assert found.verdict(0.01) == verdict


def test_shared_level():
    """Ten intervals of 99.9 % are all right in 99 % of cases at least."""
    assert shared(0.99, 10) == pytest.approx(0.999)
    assert shared(0.95, 1) == 0.95


@pytest.mark.thorough
@pytest.mark.skipif(which("taskset") is None, reason="needs taskset")
def test_turns(tmp_path):
    """Every folder is run as often, each in its own place of the results, and the one that begins changes."""
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
    seconds = in_turns(["sh", "-c", 'echo "${PYTHONPATH##*/}" >> ../order'], folders, 3, 0)
    assert [len(runs) for runs in seconds] == [3, 3]
    assert (tmp_path / "order").read_text() == "a\nb\nb\na\na\nb\n"


def test_documents_of_sentences():
    """Pairs of about 20 words become documents of a hundred; the ratio is that of two times of the same text."""
    pairs = [(f"{number} " + "a " * length, "b " * length) for number in range(150) for length in (5, 20, 40)]
    one, *_ = found = documents(pairs, count=1)
    assert len(found) == 1
    assert len(one) == 100
    assert joined(one[:2]) == (one[0][0] + " " + one[1][0], one[0][1] + " " + one[1][1])
    cost = measure("meteor-2005-exact", [one[:3]])
    assert cost.ratio == cost.document / cost.sentences


def test_long_texts(compiled_table):
    """A text is scored in a process of its own; seconds are shown with a digit that says something."""
    table, text = compiled_table(long.PHRASES), long.Text("12 × 9", (12, 9), ("big", "huge"))
    for pure in "01":
        scored = long.score(text, "meteor-1.5-en", table, METEORLIB_PURE_PYTHON=pure)
        assert 0 < scored.seconds < 60
        assert 10 < scored.megabytes <= scored.megabytes_when_read < 1000
        assert scored.optimal
        assert (scored.matches, scored.twice, scored.equal) == (9, 0, 0)
    assert [long.shown(seconds, 30.4) for seconds in (0.001, 0.06, 0.11, 2)] == [
        "0.01 s, 30 MB",
        "0.06 s, 30 MB",
        "0.1 s, 30 MB",
        "2.0 s, 30 MB",
    ]


def test_workers_without_a_lock():
    """Without the lock, n workers are n times as fast; if all hold it, they are as fast as one."""
    assert [speed_up([Step(0, 1)] * 48, workers) for workers in (1, 2, 4, 16)] == [1, 2, 4, 16]
    assert [speed_up([Step(1, 0)] * 48, workers) for workers in (1, 2, 4, 16)] == [1, 1, 1, 1]


def test_workers_that_wait():
    """A worker that finds the lock taken waits: three steps of 1 s with it and 1 s without it take two workers 4 s."""
    assert speed_up([Step(1, 1)] * 3, 2) == 6 / 4


@pytest.mark.parametrize("workers", [2, 3, 8, 64])
def test_bounds_of_workers(workers):
    """Workers that share the lock are no faster than its share or their number allows."""
    steps = [Step(1 + number % 3, 7 - number % 2) for number in range(500)]
    assert 1 < speed_up(steps, workers) < min(workers, 1 / locked_share(steps)) * 1.0001


@pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel")
def test_steps_of_a_text():
    """Each hundred segments of a batch are a step, and each takes time with the lock and without it."""
    pairs = [(f"the cat {number} sat", f"a cat {number} sits") for number in range(620)]
    assert [pair for batch in batches(pairs) for pair in batch] == [([ref], hyp) for hyp, ref in pairs]
    for steps in measured_steps("meteor-1.5-en-core", pairs):
        assert len(steps) == 7
        assert all(step.locked > 0 and step.unlocked > 0 for step in steps)


def test_table_of_programs():
    """Medians of turns, each figure by itself; ratios are to the first program."""
    turns = [Result("mine", 30, 1.0, 50), Result("mine", 10, 3.0, 70), Result("mine", 20, 2.0, 60)]
    assert middle(turns) == Result("mine", 20, 2.0, 60)
    rows = table_of_programs([Result("first", 10, 4.0, 120), middle(turns)]).split("\n")
    assert rows[2:] == [
        "| first | 10 | 4.00 | 120 | 1.00 | 1.00 | 1.00 |",
        "| mine | 20 | 2.00 | 60 | 2.00 | 2.00 | 2.00 |",
    ]
