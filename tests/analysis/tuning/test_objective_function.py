"""The evaluated points of a search: whole on disk or not there."""

from __future__ import annotations

import numpy as np

from meteorlib.analysis.tuning.objective_function import EvaluatedPoints


def test_what_was_written_is_read_again():
    """Points come back in their order with their values; removed, nothing is left."""
    journal = EvaluatedPoints.open("a")
    points = [(0.3, 1.0), (0.1, 2.0)]
    journal.add(points, np.arange(8.0).reshape(2, 2, 2))
    journal.write()
    again = EvaluatedPoints.open("a")
    assert [*again.values] == points
    assert again.values[0.1, 2.0].tolist() == [[4, 5], [6, 7]]
    assert not EvaluatedPoints.open("b").values
    again.remove()
    assert not EvaluatedPoints.open("a").values


def test_a_damaged_file_is_begun_anew():
    """A file that was cut off, or changed, holds nothing."""
    journal = EvaluatedPoints.open("a")
    journal.add([(0.5,)], np.zeros((1, 2, 2)))
    journal.write()
    data = journal.path.read_bytes()
    for damaged in (data[:-1], b"", data[:40] + b"x" + data[41:]):
        journal.path.write_bytes(damaged)
        assert not EvaluatedPoints.open("a").values


def test_nothing_can_be_written(monkeypatch, tmp_path):
    """If the disk is full, nothing is kept and the search continues."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / "file"))
    journal = EvaluatedPoints.open("a")
    journal.add([(0.5,)], np.zeros((1, 2, 2)))
    journal.write()
    journal.remove()
    assert len(journal.values) == 1
