"""Tables of pandas, polars and pyarrow: the same numbers as Scorer's, in a table of the same kind."""

from __future__ import annotations

import doctest
import pickle
import subprocess
import sys
from math import isnan

import pytest

from meteorlib import Scorer
from meteorlib.errors import InputMismatch, UnknownName

pytest.importorskip("narwhals", reason="narwhals is not installed: pip install 'meteorlib[frames]'")

from meteorlib.integrations.frames import corpus_scores, score_frame, score_statistics
from meteorlib.integrations.rows import NUMBERS, InvalidRow

SCORER = Scorer("meteor-2005-exact")
NUL = "NUL character at offset 1; remove it, or read the file as UTF-16"
KINDS = ("pandas", "polars", "pyarrow")


@pytest.fixture(params=KINDS)
def kind(request):
    """Each kind of table whose package is installed."""
    pytest.importorskip(request.param, reason=f"{request.param} is not installed")
    return request.param


@pytest.fixture(scope="module")
def texts(root):
    """The example data: two systems, two references, a language and a document for each row."""
    sides = {
        name: (root / "examples" / name).read_text(encoding="utf-8").splitlines()
        for name in ("reference.0.en", "reference.1.en", "system-a.en", "system-b.en")
    }
    count = len(sides["reference.0.en"])
    return {
        "system": ["a"] * count + ["b"] * count,
        "document": [f"d{row // 12}" for row in range(count)] * 2,
        "hyp": sides["system-a.en"] + sides["system-b.en"],
        "ref": sides["reference.0.en"] * 2,
        "other": sides["reference.1.en"] * 2,
        "refs": [list(pair) for pair in zip(sides["reference.0.en"], sides["reference.1.en"], strict=True)] * 2,
    }


def make(kind, columns):
    """A table."""
    if kind == "pandas":
        import pandas

        return pandas.DataFrame(columns)
    if kind == "polars":
        import polars

        return polars.DataFrame(columns)
    import pyarrow

    return pyarrow.table(columns)


def values(frame, name):
    """A column as a list."""
    column = frame[name]
    return column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()


def names(frame):
    """The names of the columns."""
    return list(frame.column_names if hasattr(frame, "column_names") else frame.columns)


def is_null(value):
    """Whether a value is null, which is NaN in pandas."""
    return value is None or (isinstance(value, float) and isnan(value))


@pytest.mark.parametrize("references", ["ref", ["ref"], ["ref", "other"], "refs"])
def test_scores_are_the_scorers(kind, texts, references):
    """Contract: a column of scores is what Scorer gives row by row, with one reference, several columns, a list."""
    frame = make(kind, texts)
    scored = score_frame(frame, "hyp", references, SCORER, numbers=NUMBERS)
    assert type(scored) is type(frame)
    assert names(scored) == [*texts, *(f"meteor_{number}" for number in NUMBERS)]
    several = texts["refs"] if references in ("refs", ["ref", "other"]) else texts["ref"]
    expected = [SCORER.score(refs, hyp) for refs, hyp in zip(several, texts["hyp"], strict=True)]
    for number in NUMBERS:
        wanted = [getattr(breakdown, number) for breakdown in expected]
        for got, want in zip(values(scored, f"meteor_{number}"), wanted, strict=True):
            assert got == want or (is_null(got) and isnan(want))
    assert values(scored, "hyp") == texts["hyp"]
    assert names(frame) == list(texts)


@pytest.mark.parametrize("by", ["system", "document", ["system", "document"]])
def test_group_scores_are_the_corpus(kind, texts, by):
    """Contract: the row of a group is what Corpus gives for its rows; groups stand in order of first appearance."""
    scored = corpus_scores(make(kind, texts), "hyp", "refs", by, SCORER)
    keys = [by] if isinstance(by, str) else by
    corpora = {}
    for *key, refs, hyp in zip(*(texts[name] for name in keys), texts["refs"], texts["hyp"], strict=True):
        corpora.setdefault(tuple(key), SCORER.corpus()).add(refs, hyp)
    assert type(scored) is type(make(kind, texts))
    assert list(zip(*(values(scored, name) for name in keys), strict=True)) == list(corpora)
    for number in NUMBERS:
        wanted = [getattr(corpus.score(), number) for corpus in corpora.values()]
        assert values(scored, f"meteor_{number}") == wanted
    assert values(scored, "meteor_mean") == [corpus.mean() for corpus in corpora.values()]
    assert values(scored, "meteor_segments") == [len(corpus) for corpus in corpora.values()]
    assert set(values(scored, "meteor_signature")) == {str(SCORER.signature)}


def test_no_group_is_one_group(kind, texts):
    """Without group columns there is one row, the corpus of all; of no rows there is no score."""
    corpus = SCORER.corpus().extend(texts["ref"], texts["hyp"])
    scored = corpus_scores(make(kind, texts), "hyp", "ref", scorer=SCORER, numbers="score", prefix="")
    assert names(scored) == ["score", "mean", "segments", "signature"]
    assert values(scored, "score") == [corpus.score().score]
    empty = make(kind, texts)[:0]
    assert values(score_frame(empty, "hyp", "ref", SCORER, statistics=True), "meteor_score") == []
    assert values(corpus_scores(empty, "hyp", "ref", "system", SCORER), "meteor_score") == []
    with pytest.raises(InputMismatch, match="nothing to score: no segment was added"):
        corpus_scores(empty, "hyp", "ref", scorer=SCORER)


def test_statistics_add_up(kind, texts):
    """Statistics columns are integers whose sums, made by anybody, score like the corpus."""
    scorer = Scorer()
    scored = score_frame(make(kind, texts), "hyp", "ref", scorer, numbers=(), statistics=True)
    added = names(scored)[len(texts) :]
    assert added[:2] == ["meteor_hypothesis_length", "meteor_reference_length"]
    assert added[-1] == "meteor_synonym_reference_function"
    sums = {name: [sum(values(scored, name))] for name in added}
    corpus = scorer.corpus().extend(texts["ref"], texts["hyp"])
    assert sums["meteor_hypothesis_length"] == [corpus.statistics.hypothesis_length]
    again = score_statistics(make(kind, sums), scorer, numbers=["score", "penalty"])
    assert values(again, "meteor_score") == [corpus.score().score]
    assert values(again, "meteor_penalty") == [corpus.score().penalty]
    with pytest.raises(UnknownName, match="unknown column 'meteor_hypothesis_length'"):
        score_statistics(make(kind, texts), scorer)
    with pytest.raises(InvalidRow) as caught:
        score_statistics(make(kind, sums | {"meteor_chunks": [1.5]}), scorer)
    assert str(caught.value) == "column 'meteor_chunks', row 0 (counted from 0): expected a count, got 1.5"


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("hyp", None, "column 'hyp', row 2 (counted from 0): null; fill it (an empty string scores 0) or drop the row"),
        (
            "other",
            None,
            "column 'other', row 2 (counted from 0): null; fill it (an empty string scores 0) or drop the row",
        ),
        (
            "hyp",
            "a\0b",
            f"column 'hyp', row 2 (counted from 0): {NUL}",
        ),
        (
            "other",
            "a\0b",
            f"column 'ref, other', row 2 (counted from 0): {NUL}",
        ),
        (
            "system",
            None,
            "column 'system', row 2 (counted from 0): null; a row needs its group: fill it or drop the row",
        ),
    ],
)
def test_bad_row_is_named(kind, texts, column, value, said):
    """What cannot be scored is an error that names column and row."""
    columns = {name: list(cells) for name, cells in texts.items()}
    columns[column][2] = value
    with pytest.raises(InvalidRow) as caught:
        corpus_scores(make(kind, columns), "hyp", ["ref", "other"], "system", SCORER)
    assert str(caught.value) == said
    assert caught.value.row == 2
    assert str(pickle.loads(pickle.dumps(caught.value))) == said  # noqa: S301 – our own


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ([], "an empty list; a row needs a reference"),
        (["a", None], "null; fill it (an empty string scores 0) or drop the row"),
        (None, "null; fill it (an empty string scores 0) or drop the row"),
    ],
)
def test_bad_list_is_named(kind, cell, reason):
    """So are an empty list of references, a null in one, and a null in place of one."""
    frame = make(kind, {"hyp": ["a", "b"], "refs": [["a"], cell]})
    with pytest.raises(InvalidRow) as caught:
        score_frame(frame, "hyp", "refs", SCORER)
    assert str(caught.value) == f"column 'refs', row 1 (counted from 0): {reason}"


def test_numbers_are_no_text(kind):
    """A column of numbers is an error, not a guess."""
    with pytest.raises(InvalidRow, match=r"column 'hyp', row 0 .*: expected text, got int"):
        score_frame(make(kind, {"hyp": [1], "ref": ["a"]}), "hyp", "ref", SCORER)


def test_wrong_names(kind, texts):
    """Columns and numbers that do not exist are named with what exists; nothing is overwritten."""
    frame = make(kind, texts)
    with pytest.raises(UnknownName, match=r"unknown column 'hypo' \(did you mean 'hyp'\?\)"):
        score_frame(frame, "hypo", "ref", SCORER)
    with pytest.raises(UnknownName, match="unknown column 'lang'"):
        corpus_scores(frame, "hyp", "ref", "lang", SCORER)
    with pytest.raises(UnknownName, match="unknown number 'scores'"):
        score_frame(frame, "hyp", "ref", SCORER, numbers="scores")
    scored = score_frame(frame, "hyp", "ref", SCORER)
    with pytest.raises(InputMismatch, match="the table has a column 'meteor_score' already"):
        score_frame(scored, "hyp", "ref", SCORER)
    assert "second_score" in names(score_frame(scored, "hyp", "ref", SCORER, prefix="second_"))


def test_index_of_pandas_stays():
    """Rows of pandas keep their labels, also where they are not unique."""
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame({"hyp": ["a", "b", "c"], "ref": ["a", "x", "c"]}, index=[7, 3, 7])
    scored = score_frame(frame, "hyp", "ref", SCORER)
    assert list(scored.index) == [7, 3, 7]
    assert scored["meteor_score"].tolist() == [SCORER.score(a, a2).score for a, a2 in ("aa", "xb", "cc")]


def test_null_of_pandas_is_null():
    """NaN in a pandas column of objects is a null, and lists may be arrays, as they are when read from Parquet."""
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    numpy = pytest.importorskip("numpy")
    arrays = pandas.Series([numpy.array(["a", "b"], dtype=object)])
    frame = pandas.DataFrame({"hyp": ["a"], "refs": arrays})
    assert score_frame(frame, "hyp", "refs", SCORER)["meteor_score"].tolist() == [SCORER.score(["a", "b"], "a").score]
    with pytest.raises(InvalidRow, match=r"column 'hyp', row 0 .*: null"):
        score_frame(pandas.DataFrame({"hyp": pandas.Series([float("nan")], dtype=object), "ref": ["a"]}), "hyp", "ref")


def test_lazy_table_is_refused():
    """A lazy table must be collected first; the error says so."""
    polars = pytest.importorskip("polars", reason="polars is not installed")
    with pytest.raises(TypeError, match=r"expected a pandas, polars or pyarrow table, got polars.LazyFrame; collect"):
        score_frame(polars.LazyFrame({"hyp": ["a"], "ref": ["a"]}), "hyp", "ref", SCORER)
    with pytest.raises(TypeError, match=r"got builtins.dict"):
        score_frame({"hyp": ["a"], "ref": ["a"]}, "hyp", "ref", SCORER)


def test_missing_framework_is_named():
    """Without narwhals the error names the extra; no kind of table is imported by the adapter."""
    code = "import sys; sys.modules['narwhals'] = None\n"
    code += "try: import meteorlib.integrations.frames\nexcept ImportError as error: print(error)"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "pip install 'meteorlib[frames]'" in run.stdout
    code = "import sys, meteorlib.integrations.frames; print({'pandas', 'polars', 'pyarrow', 'dask'} & {*sys.modules})"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout == "set()\n"


def test_documentation(root, monkeypatch):
    """The code of docs/frames.md runs and prints what is shown."""
    for package in KINDS:
        pytest.importorskip(package, reason=f"{package} is not installed")
    monkeypatch.chdir(root)
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    result = doctest.testfile(str(root / "docs" / "frames.md"), module_relative=False, optionflags=options)
    assert result.attempted
    assert not result.failed
