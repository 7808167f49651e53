"""Parquet on a real cluster of two worker processes: the same numbers as one process, whatever happens."""

from __future__ import annotations

import doctest
import logging
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from meteorlib import Scorer
from meteorlib.errors import InputMismatch, InvalidText, UnknownName

pytest.importorskip("distributed", reason="distributed is not installed: pip install 'meteorlib[dask]'")
pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'meteorlib[dask]'")

import pyarrow as pa
import pyarrow.parquet as pq
from distributed import Client, LocalCluster

import meteorlib.integrations.dask as adapter
from meteorlib.integrations import dask
from meteorlib.integrations.dask import score_parquet
from meteorlib.integrations.rows import InvalidRow

SIDES = {"references": "ref", "hypothesis": "hyp"}
BOTH = SIDES | {"references": ["ref", "other"]}
ALONE = """
from meteorlib.errors import InputMismatch
from meteorlib.integrations.dask import score_parquet
try:
    score_parquet("table", "scores", references="ref", hypothesis="hyp")
except InputMismatch as error:
    print(error)
"""


@contextmanager
def two_workers():
    """Two worker processes on this machine's loopback, no dashboard."""
    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # of its bare HTTP server, which there always is
            worker_dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def client():
    """A cluster for all that leave it as it is."""
    with two_workers() as client:
        yield client


@pytest.fixture
def mortal_client():
    """A cluster whose workers may die."""
    with two_workers() as client:
        yield client


@pytest.fixture(scope="module")
def table(root):
    """The example data of two systems, with a number for each row."""
    sides = {
        name: (root / "examples" / name).read_text(encoding="utf-8").splitlines()
        for name in ("reference.0.en", "reference.1.en", "system-a.en", "system-b.en")
    }
    count = len(sides["reference.0.en"])
    return pa.table(
        {
            "id": list(range(2 * count)),
            "hyp": sides["system-a.en"] + sides["system-b.en"],
            "ref": sides["reference.0.en"] * 2,
            "other": sides["reference.1.en"] * 2,
        }
    )


def split(table, folder, parts):
    """Write a table as the given number of files, the last of which is empty if there are several."""
    folder.mkdir(parents=True)
    size = -(-len(table) // max(parts - 1, 1))
    for part in range(parts):
        pq.write_table(table.slice(part * size, size), folder / f"part-{part:03}.parquet", row_group_size=7)
    return folder


def in_one_process(table, scorer):
    """The corpus as Scorer gives it."""
    columns = [table.column(name).to_pylist() for name in ("ref", "other", "hyp")]
    corpus = scorer.corpus()
    for ref, other, hyp in zip(*columns, strict=True):
        corpus.add([ref, other], hyp)
    return corpus


@pytest.mark.parametrize("parts", [2, *(pytest.param(parts, marks=pytest.mark.thorough) for parts in (1, 5, 40))])
def test_any_partitioning_gives_the_same(client, table, tmp_path, parts):
    """Contract: corpus score, mean, statistics and segment scores are Scorer's, however rows are split into files."""
    scorer = Scorer()
    expected = in_one_process(table, scorer)
    source = split(table, tmp_path / "in", parts)
    corpus = score_parquet(source, tmp_path / "out", **BOTH, client=client, statistics=True)
    assert corpus.score() == expected.score()
    assert corpus.mean() == expected.mean()
    assert corpus.statistics == expected.statistics
    assert len(corpus) == len(expected)
    assert sorted(os.listdir(tmp_path)) == ["in", "out"]
    assert sorted(os.listdir(tmp_path / "out")) == sorted(os.listdir(source))
    scored = pq.read_table(tmp_path / "out")
    assert scored.column_names[:3] == ["id", "meteor_score", "meteor_hypothesis_length"]
    assert scored["id"].to_pylist() == table["id"].to_pylist()
    assert scored["meteor_score"].to_pylist() == [segment.score for segment in expected.segments]
    assert sum(scored["meteor_chunks"].to_pylist()) == expected.statistics.chunks
    first = sorted((tmp_path / "out").iterdir())[0]
    assert pq.read_schema(first).metadata[b"meteorlib.signature"].decode() == str(scorer.signature)


def test_batches_and_depth_do_not_matter(client, table, tmp_path, monkeypatch, lowered):
    """Nor do the rows that are held at a time and the depth of the tree; corpora of several calls add up."""
    graphs, original = [], adapter._Job.graph

    def made(job, files):
        graphs.append(original(job, files))
        return graphs[-1]

    monkeypatch.setattr(adapter._Job, "graph", made)
    added = lowered(adapter, "FAN_IN", 2, lambda: sum(name.startswith("add ") for tasks, _ in graphs for name in tasks))
    client.run(setattr, adapter, "ROWS", 5)
    try:
        source = split(table, tmp_path / "in", 9)
        corpus = score_parquet(source, tmp_path / "out", **BOTH, client=client)
    finally:
        client.run(setattr, adapter, "ROWS", adapter.ROWS)
    assert added() == 5 + 3 + 2 + 1
    expected = in_one_process(table, Scorer())
    assert (corpus.score(), corpus.mean()) == (expected.score(), expected.mean())
    files = sorted(source.iterdir())
    halves = [
        score_parquet(half, tmp_path / name, **BOTH, client=client)
        for name, half in (("first", files[:4]), ("second", files[4:]))
    ]
    assert (halves[0] + halves[1]).score() == expected.score()


def test_data_is_opened_once_by_each_worker(client, table, tmp_path):
    """A worker makes one scorer for any number of files; a scorer of the caller's is not sent along."""
    client.run(adapter._open_scorer.cache_clear)
    source = split(table, tmp_path / "in", 12)
    score_parquet(source, tmp_path / "out", **SIDES, scorer=Scorer("meteor-2005-exact"), client=client)
    opened = client.run(lambda: adapter._open_scorer.cache_info().misses)
    assert set(opened.values()) <= {0, 1}
    assert sum(opened.values()) >= 1


def _die_in(name, marker):
    """Make this process kill itself in the middle of a file, unless one has done so already."""
    batches = dask.parquet_batches

    def dying(file, *given):
        source = Path(given[-1].args[0])
        for number, batch in enumerate(batches(file, *given)):
            if number == 1 and source.name == name and not marker.exists():
                marker.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch

    dask.parquet_batches = dying
    dask.ROWS = 5


@pytest.mark.thorough
def test_killed_worker_costs_time_only(mortal_client, table, tmp_path):
    """A worker that is killed in the middle of a file is replaced, its files scored again; the result is the same."""
    client = mortal_client
    source = split(table, tmp_path / "in", 9)
    before = set(client.run(os.getpid).values())
    client.run(_die_in, "part-005.parquet", tmp_path / "killed")
    corpus = score_parquet(source, tmp_path / "out", **BOTH, client=client)
    expected = in_one_process(table, Scorer())
    assert (corpus.score(), corpus.mean(), len(corpus)) == (expected.score(), expected.mean(), len(expected))
    assert sorted(os.listdir(tmp_path)) == ["in", "killed", "out"]
    scored = pq.read_table(tmp_path / "out")["meteor_score"].to_pylist()
    assert scored == [segment.score for segment in expected.segments]
    client.wait_for_workers(2)
    assert set(client.run(os.getpid).values()) != before


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        (None, "null; fill it (an empty string scores 0) or drop the row"),
        ("a\0b", "NUL character at offset 1; remove it, or read the file as UTF-16"),
    ],
)
def test_bad_row_names_file_and_row(client, table, tmp_path, cell, reason):
    """A row that cannot be scored is named with its file, also behind the first batch; nothing is written."""
    source = split(table, tmp_path / "in", 4)
    path = source / "part-001.parquet"
    bad = pq.read_table(path)
    hypotheses = bad["hyp"].to_pylist()
    hypotheses[20] = cell
    pq.write_table(bad.set_column(1, "hyp", pa.array(hypotheses)), path)
    client.run(setattr, adapter, "ROWS", 8)
    try:
        with pytest.raises(InvalidRow) as caught:
            score_parquet(source, tmp_path / "out", **SIDES, client=client)
    finally:
        client.run(setattr, adapter, "ROWS", adapter.ROWS)
    assert str(caught.value) == f"{path}: column 'hyp', row 20 (counted from 0): {reason}"
    assert os.listdir(tmp_path) == ["in"]


def test_damaged_file_is_named(client, table, tmp_path):
    """A file that is no Parquet, or is cut, or has damaged pages or text, is named; nothing is written."""
    source = split(table, tmp_path / "in", 4)
    path = source / "part-002.parquet"
    whole = path.read_bytes()
    for content in (b"", b"id,hyp,ref\n", whole[: len(whole) // 2]):
        path.write_bytes(content)
        with pytest.raises(InvalidText, match=r"part-002\.parquet: cannot be read as Parquet: "):
            score_parquet(source, tmp_path / "out", **SIDES, client=client)
    path.write_bytes(whole[:4] + b"\xff" * 3000 + whole[3004:])
    latin = pa.array([b"caf\xe9"], pa.binary()).view(pa.string())
    for content in (path.read_bytes(), pa.table({"id": [1], "hyp": latin, "ref": ["x"], "other": ["y"]})):
        path.write_bytes(content) if isinstance(content, bytes) else pq.write_table(content, path)
        with pytest.raises(InvalidText, match=r"part-002\.parquet: row 0 \(counted from 0\): damaged here or later: "):
            score_parquet(source, tmp_path / "out", **SIDES, client=client)
    assert os.listdir(tmp_path) == ["in"]


def test_wrong_names(client, table, tmp_path):
    """Columns that are not there, or are already, no file, and an output that exists are errors; nothing is written."""
    source = split(table, tmp_path / "in", 2)
    with pytest.raises(UnknownName, match=r"unknown column of .*part-00.\.parquet 'hypo' \(did you mean 'hyp'\?\)"):
        score_parquet(source, tmp_path / "out", hypothesis="hypo", references="ref", client=client)
    with pytest.raises(UnknownName, match="unknown preset 'meteor-3'"):
        score_parquet(source, tmp_path / "out", **SIDES, scorer="meteor-3", client=client)
    scored = tmp_path / "scored"
    score_parquet(source, scored, **SIDES, client=client, keep=["hyp", "ref"])
    with pytest.raises(InputMismatch, match="the table has a column 'meteor_score' already"):
        score_parquet(scored, tmp_path / "out", **SIDES, client=client)
    with pytest.raises(InputMismatch, match=r"nothing to score: no \*\.parquet in "):
        score_parquet([], tmp_path / "out", **SIDES, client=client)
    with pytest.raises(InputMismatch, match="in already exists: name a new folder, or remove it"):
        score_parquet(source, tmp_path / "in", **SIDES, client=client)
    assert sorted(os.listdir(tmp_path)) == ["in", "scored"]


def test_worker_of_another_version_is_refused(client, table, tmp_path, monkeypatch):
    """A worker that would score differently from the process that asks is named; two METEORs are never added."""
    source = split(table, tmp_path / "in", 2)
    monkeypatch.setattr("meteorlib.engine.signatures.__version__", "9.9")
    adapter._open_scorer.cache_clear()
    try:
        with pytest.raises(
            InputMismatch, match=r"worker on .* scores with preset:.*, not with preset:.*version:meteorlib-9\.9"
        ):
            score_parquet(source, tmp_path / "out", **SIDES, client=client)
    finally:
        adapter._open_scorer.cache_clear()


def test_folders_stay(client, table, tmp_path):
    """Files in folders of a partitioned table keep their places; a single file is a table, too."""
    for system in "ab":
        split(table, tmp_path / "in" / f"system={system}", 2)
    corpus = score_parquet(tmp_path / "in", tmp_path / "out", **SIDES, client=client, keep=())
    assert len(corpus) == 2 * len(table)
    assert (tmp_path / "out" / "system=b" / "part-001.parquet").is_file()
    assert pq.read_table(tmp_path / "out").column_names == ["meteor_score", "system"]
    single = score_parquet(
        tmp_path / "in" / "system=a" / "part-000.parquet",
        tmp_path / "one",
        **SIDES,
        client=client,
    )
    assert len(single) == len(table)
    assert os.listdir(tmp_path / "one") == ["part-000.parquet"]


@pytest.mark.thorough
def test_documentation(client, table, tmp_path, root, monkeypatch):
    """The code of docs/cluster.md runs and prints the output shown."""
    pytest.importorskip("narwhals", reason="narwhals is not installed: pip install 'meteorlib[frames]'")
    pytest.importorskip("pandas", reason="pandas is not installed")
    split(table, tmp_path / "table", 3)
    monkeypatch.chdir(tmp_path)
    page = str(root / "docs" / "cluster.md")
    result = doctest.testfile(page, module_relative=False, globs={"client": client}, optionflags=doctest.ELLIPSIS)
    assert result.attempted
    assert not result.failed


@pytest.mark.thorough
def test_the_default_client(client, table, tmp_path):
    """Without a client, or with None, Dask's default one is taken."""
    pq.write_table(table, tmp_path / "table.parquet")
    for name, given in (("left out", {}), ("none", {"client": None})):
        corpus = score_parquet(tmp_path / "table.parquet", tmp_path / name, **BOTH, **given)
        assert corpus.score().score == in_one_process(table, Scorer()).score().score


@pytest.mark.thorough
def test_no_client(tmp_path):
    """Without a client, an error says how to make one; another object is a `TypeError`."""
    run = subprocess.run([sys.executable, "-c", ALONE], check=True, capture_output=True, text=True, cwd=tmp_path)
    said = "no cluster to score on: make one, client = distributed.Client(), and give it as client=client\n"
    assert run.stdout == said
    with pytest.raises(TypeError, match=r"^client must be a distributed.Client, got str$"):
        score_parquet("table", tmp_path / "scores", **SIDES, client="127.0.0.1:8786")
    assert not (tmp_path / "scores").exists()
