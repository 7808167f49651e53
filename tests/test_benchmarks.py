"""The arithmetic of the benchmarks; nothing is timed here."""

from __future__ import annotations

from math import exp, log, sqrt

import pytest

from benchmarks import compare, long
from benchmarks.bounds import Cost, costs, parts, table
from benchmarks.compare import in_turns, report, tasks
from benchmarks.documents import documents, joined, measure
from benchmarks.history import Result, entry, record, recorded
from benchmarks.paired import Ratio, ratio, shared
from benchmarks.process import Run


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


@pytest.mark.usefixtures("stats")
def test_equal_runs():
    """Where every pair has the same ratio there is no noise."""
    assert ratio([1.0, 2.0], [2.0, 4.0], 0.99) == Ratio(2.0, 2.0, 2.0)


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
    """Slower or faster is what its whole interval says, and what is worth telling."""
    assert found.verdict(0.01) == verdict


def test_shared_level():
    """Ten intervals of 99.9 % are all right in 99 % of cases at least."""
    assert shared(0.99, 10) == pytest.approx(0.999)
    assert shared(0.95, 1) == 0.95


def test_turns(monkeypatch, tmp_path):
    """Every folder is run as often, each in its own place of the results, and who begins changes."""
    order = []

    def run(_command, _core, environment, folder):
        assert environment == {"PYTHONPATH": str(folder)}
        order.append(folder.name)
        return Run(0.0, 0.0, float(len(order)))

    monkeypatch.setattr(compare, "measure", run)
    assert in_turns(["x"], (tmp_path / "a", tmp_path / "b"), 3, 0) == [[1.0, 4.0, 5.0], [2.0, 3.0, 6.0]]
    assert order == list("abbaab")


def test_tasks(tmp_path):
    """Each preset has a corpus, a start and a loop of calls, on the files that are meant."""
    files, line = (tmp_path / "h", tmp_path / "r"), (tmp_path / "h1", tmp_path / "r1")
    listed = tasks(["nltk"], files, line)
    assert list(listed) == ["nltk, corpus", "nltk, start", "nltk, single calls"]
    assert str(files[0]) in listed["nltk, corpus"]
    assert str(line[0]) in listed["nltk, start"]
    assert listed["nltk, single calls"][-3:] == ["nltk", *map(str, files)]


def test_report():
    """A row for each task, with its verdict."""
    table = report({"a": Ratio(1.05, 1.02, 1.08)}, 0.01).splitlines()
    assert table[2] == "| a | 1.050 | 1.020 – 1.080 | slower |"


def test_history(tmp_path):
    """What is recorded comes back, run by run, with commit and machine."""
    path = tmp_path / "history.jsonl"
    runs = [entry(commit, "a machine", 10, [Result("p", 1234.6, 0.12345, 99.9)]) for commit in ("one", "two")]
    for run in runs:
        record(path, run)
    assert recorded(path) == runs
    assert runs[0]["results"] == {"p": {"rate": 1235, "start": 0.123, "memory": 100}}
    assert (runs[1]["commit"], runs[1]["machine"], runs[1]["segments"]) == ("two", "a machine", 10)


ANNOTATED = """
Ir                   D1mr        DLmr      Bcm          Bim          file:function

4,000 (100.0%)  400 (100.0%) 40 (100.0%) 60 (100.0%) 20 (100.0%)  PROGRAM TOTALS
1,000 (25.00%)  100 (25.00%) 10 (25.00%) 20 (33.33%)  4 (20.00%)  ???:__pyx_pw_6engine_12CompiledSums_3add(int) [/x.so]
  300 ( 7.50%)   30 ( 7.50%)  3 ( 7.50%)  6 (10.00%)  0           ???:__pyx_f_6engine_6Reader_words_of(int, int) [/x.so]
  100 ( 2.50%)    0           0           0           0           ???:__pyx_f_6engine_6Reader_learn_token(int) [/x.so]
  500 (12.50%)   50 (12.50%)  5 (12.50%) 10 (16.67%)  2 (10.00%)  ???:__pyx_f_6engine_5Batch_find(_object*) [/x.so]
  200 ( 5.00%)    0           0           4 ( 6.67%)  0           ???:__pyx_f_10candidates_propose_words(int) [/x.so]
   20 ( 0.50%)    0           0           0           0           ???:__pyx_f_10candidates_propose_words(int) [clone]
"""
"""What callgrind_annotate prints, in short."""


def test_costs_of_functions():
    """Numbers are read with and without shares; a clone does not count beside its function."""
    found = costs(ANNOTATED)
    assert found["__pyx_f_10candidates_propose_words"] == Cost(200, 0, 0, 4)
    assert found["__pyx_pw_6engine_12CompiledSums_3add"] == Cost(1000, 100, 10, 24)


def test_parts_add_up():
    """The parts of a segment's way are the whole, and each is without what it calls of the others."""
    divided = parts(costs(ANNOTATED))
    assert sum(divided.values(), Cost()) == Cost(1000, 100, 10, 24)
    assert divided["reading text, looking up tokens"].instructions == 200
    assert divided["counts, score"].instructions == 300
    assert divided["sums, the rest"] == Cost(200, 20, 2, 6)
    assert "| all | 100 | 100 % | 10 | 1.0 | 2 |" in table(divided, 10)


def test_the_optimal_search_counts_once():
    """What the optimal search calls of other searches is a part of it."""
    found = {"f_alignment_search_best": Cost(500), "f_beam_search_wide": Cost(300), "f_Batch_find": Cost(600)}
    assert parts(found)["search"] == Cost(500)
    assert parts({name: cost for name, cost in found.items() if "best" not in name})["search"] == Cost(300)


def test_documents_of_sentences():
    """Pairs of about 20 words become documents of a hundred; the ratio is that of two times of the same text."""
    pairs = [(f"{number} " + "a " * length, "b " * length) for number in range(150) for length in (5, 20, 40)]
    one, *_ = found = documents(pairs, count=1)
    assert len(found) == 1
    assert len(one) == 100
    assert joined(one[:2]) == (one[0][0] + " " + one[1][0], one[0][1] + " " + one[1][1])
    cost = measure("meteor-2005-exact", [one[:3]])
    assert cost.unproven == 0
    assert cost.ratio == cost.document / cost.sentences


def test_long_texts(tmp_path):
    """A text is scored in a process of its own; seconds are shown with a digit that says something."""
    table = long.make_table(tmp_path)
    text = long.Text("12 × 9", (12, 9), ("big", "huge"))
    for pure in (False, True):
        seconds, memory, optimal = long.score(text, "meteor-1.5-en", pure, table)
        assert 0 < seconds < 60
        assert 10 < memory < 1000
        assert optimal
    assert [long.shown(seconds, 30.4) for seconds in (0.001, 0.06, 0.11, 2)] == [
        "0.01 s, 30 MB",
        "0.06 s, 30 MB",
        "0.1 s, 30 MB",
        "2.0 s, 30 MB",
    ]
