"""Tables of every kind: the same numbers as Scorer's, in a table of the same kind."""

from __future__ import annotations

import doctest
import pickle
from math import inf, isnan, nan

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.core.formula import NUMBERS
from meteorlib.errors import InputMismatch, UnknownName

pytest.importorskip("narwhals", reason="narwhals is not installed: pip install 'meteorlib[frames]'")

from meteorlib.integrations.frames import corpus_scores, score_frame, score_statistics
from meteorlib.integrations.rows import InvalidRow

SCORER = Scorer("meteor-2005-exact")
SIDES = {"references": "ref", "hypothesis": "hyp"}
NUL = "NUL character at offset 1; remove it, or read the file as UTF-16"
KINDS = (
    *("pandas", "polars", "pyarrow", "pyarrow batch", "pyarrow views", "duckdb", "datasets"),
    *("numpy dict", "pyarrow dict", "pyarrow views dict", "dict"),
)


@pytest.fixture(params=KINDS)
def kind(request):
    """Each kind of table whose package is installed."""
    package = request.param.partition(" ")[0]
    if package != "dict":
        pytest.importorskip(package, reason=f"{package} is not installed")
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
    package = None if kind == "dict" else pytest.importorskip(kind.partition(" ")[0])
    makers = {
        "pandas": lambda: package.DataFrame(columns),
        "polars": lambda: package.DataFrame(columns),
        "pyarrow": lambda: package.table(columns),
        "pyarrow batch": lambda: package.record_batch(columns),
        "pyarrow views": lambda: package.table(views(package, columns)),
        "pyarrow views dict": lambda: views(package, columns),
        "duckdb": lambda: package.from_arrow(pytest.importorskip("pyarrow").table(columns)),
        "datasets": lambda: package.Dataset.from_dict(columns),
        "numpy dict": lambda: {name: objects(package, cells) for name, cells in columns.items()},
        "pyarrow dict": lambda: {name: package.array(cells) for name, cells in columns.items()},
        "dict": lambda: columns,
    }
    return makers[kind]()


def views(pyarrow, columns):
    """Arrays whose strings are views, as polars exports them and of which Arrow chooses no rows."""
    are_texts = {
        name: all(cell is None or isinstance(cell, str) for cell in column) for name, column in columns.items()
    }
    types = {name: pyarrow.string_view() if is_text else None for name, is_text in are_texts.items()}
    return {name: pyarrow.array(cells, types[name]) for name, cells in columns.items()}


def objects(numpy, cells):
    """An array of strings, or of objects where there are others."""
    if cells and all(isinstance(cell, str) for cell in cells):
        return numpy.array(cells)
    array = numpy.empty(len(cells), dtype=object)
    array[:] = [numpy.array(cell, dtype=object) if isinstance(cell, list) else cell for cell in cells]
    return array


def same_kind(kind, scored, frame):
    """Whether a result is of the kind that was given; a relation of DuckDB becomes a table of pyarrow."""
    if kind == "duckdb":
        return type(scored).__name__ == "Table"
    if isinstance(frame, dict):
        module = type(next(iter(frame.values()))).__module__
        return type(scored) is dict and {type(column).__module__ for column in scored.values()} == {module}
    return type(scored) is type(frame)


def values(frame, name):
    """A column as a list."""
    column = frame[name]
    if hasattr(column, "to_pylist"):
        return column.to_pylist()
    return column.tolist() if hasattr(column, "tolist") else list(column)


def names(frame):
    """The names of the columns."""
    if hasattr(frame, "schema") and hasattr(frame.schema, "names"):
        return list(frame.schema.names() if callable(frame.schema.names) else frame.schema.names)
    if hasattr(frame, "column_names"):
        return list(frame.column_names)
    return list(frame.columns if hasattr(frame, "columns") else frame)


def is_null(value):
    """Whether a value is null, which is NaN in pandas."""
    return value is None or (isinstance(value, float) and isnan(value))


@pytest.mark.parametrize("references", ["ref", ["ref"], ["ref", "other"], "refs"])
def test_scores_are_the_scorers(kind, texts, references):
    """Contract: a column of scores is what Scorer gives row by row, with one reference, several columns, a list."""
    frame = make(kind, texts)
    scored = score_frame(frame, hypothesis="hyp", references=references, scorer=SCORER, numbers=NUMBERS)
    assert same_kind(kind, scored, frame)
    assert names(scored) == [*texts, *(f"meteor_{number}" for number in NUMBERS)]
    several = texts["refs"] if references in ("refs", ["ref", "other"]) else texts["ref"]
    expected = [SCORER.score(refs, hyp) for refs, hyp in zip(several, texts["hyp"], strict=True)]
    for number in NUMBERS:
        wanted = [getattr(breakdown, number) for breakdown in expected]
        for got, want in zip(values(scored, f"meteor_{number}"), wanted, strict=True):
            assert got == want or (is_null(got) and isnan(want))
    assert values(scored, "hyp") == texts["hyp"]
    assert names(frame) == list(texts)


@pytest.mark.parametrize("references", ["ref", ["ref", "other"]])
@pytest.mark.parametrize(
    "scorer",
    [
        SCORER,
        Scorer("meteor-2005-exact", implementation="python"),
        Scorer(evolve(SCORER.config, reduce="mean")),
    ],
    ids=["compiled", "python", "mean"],
)
def test_scores_alone_are_those_of_extend(scorer, references, texts):
    """Scores alone take a quicker way than breakdowns, to the same bits; so do texts that only look like several."""
    odd = {"hyp": [" a  cat", "tab\there", "", "a | b"], "ref": ["a cat ", "\ttab here", "gone", "a || b ü"]}
    columns = {name: [*texts[name], *odd.get(name, odd["ref"])] for name in ("hyp", "ref", "other")}
    names = [references] if isinstance(references, str) else references
    rows = [list(row) for row in zip(*(columns[name] for name in names), strict=True)]
    expected = scorer.corpus().extend(references=rows, hypotheses=columns["hyp"])
    scored = score_frame(columns, scorer, references=references, hypothesis="hyp")["meteor_score"]
    assert scored == [segment.score for segment in expected.segments]


@pytest.mark.parametrize("by", ["system", "document", ["system", "document"]])
def test_group_scores_are_the_corpus(kind, texts, by):
    """The row of a group equals Corpus on its rows; groups are in order of first appearance."""
    scored = corpus_scores(make(kind, texts), hypothesis="hyp", references="refs", by=by, scorer=SCORER)
    keys = [by] if isinstance(by, str) else by
    corpora = {}
    for *key, refs, hyp in zip(*(texts[name] for name in keys), texts["refs"], texts["hyp"], strict=True):
        corpora.setdefault(tuple(key), SCORER.corpus()).add(refs, hyp)
    assert same_kind(kind, scored, make(kind, texts))
    assert list(zip(*(values(scored, name) for name in keys), strict=True)) == list(corpora)
    for number in NUMBERS:
        wanted = [getattr(corpus.score(), number) for corpus in corpora.values()]
        assert values(scored, f"meteor_{number}") == wanted
    assert values(scored, "meteor_mean") == [corpus.mean() for corpus in corpora.values()]
    assert values(scored, "meteor_segments") == [len(corpus) for corpus in corpora.values()]
    assert set(values(scored, "meteor_signature")) == {str(SCORER.signature)}


def test_no_group_is_one_group(kind, texts):
    """Without group columns there is one row, the corpus of all; of no rows there is no score."""
    corpus = SCORER.corpus().extend(references=texts["ref"], hypotheses=texts["hyp"])
    scored = corpus_scores(make(kind, texts), **SIDES, scorer=SCORER, numbers="score", prefix="")
    assert names(scored) == ["score", "mean", "segments", "signature"]
    assert values(scored, "score") == [corpus.score().score]
    assert values(corpus_scores(make(kind, texts), **SIDES, by=None, scorer=SCORER), "meteor_score") == values(
        scored, "score"
    )
    empty = make(kind, {name: cells[:0] for name, cells in texts.items()})
    assert values(score_frame(empty, **SIDES, scorer=SCORER, statistics=True), "meteor_score") == []
    assert values(corpus_scores(empty, **SIDES, by="system", scorer=SCORER), "meteor_score") == []
    with pytest.raises(InputMismatch, match="nothing to score: no segment was added"):
        corpus_scores(empty, **SIDES, scorer=SCORER)


def test_statistics_add_up(kind, texts):
    """Statistics columns are integers whose sums, made by anybody, score like the corpus."""
    scorer = Scorer()
    scored = score_frame(make(kind, texts), **SIDES, scorer=scorer, numbers=(), statistics=True)
    added = names(scored)[len(texts) :]
    assert added[:2] == ["meteor_hypothesis_length", "meteor_reference_length"]
    assert added[-1] == "meteor_synonym_reference_function"
    sums = {name: [sum(values(scored, name))] for name in added}
    corpus = scorer.corpus().extend(references=texts["ref"], hypotheses=texts["hyp"])
    assert sums["meteor_hypothesis_length"] == [corpus.statistics.hypothesis_length]
    again = score_statistics(make(kind, sums), scorer, numbers=["score", "penalty"])
    assert values(again, "meteor_score") == [corpus.score().score]
    assert values(again, "meteor_penalty") == [corpus.score().penalty]
    with pytest.raises(UnknownName, match="unknown column 'meteor_hypothesis_length'"):
        score_statistics(make(kind, texts), scorer)
    with pytest.raises(InvalidRow) as caught:
        score_statistics(make(kind, sums | {"meteor_chunks": [1.5]}), scorer)
    assert str(caught.value) == "column 'meteor_chunks', row 0 (counted from 0): expected a count, got 1.5"


@pytest.mark.parametrize("value", [inf, -inf, nan, None, "many", 1.5, -1], ids=str)
def test_what_is_no_count(value):
    """A count that is no whole number of 0 or more is refused with its column and row."""
    texts = {"ref": ["a b"] * 2, "hyp": ["a"] * 2}
    counts = score_frame(texts, references="ref", hypothesis="hyp", numbers=(), statistics=True)
    counts["meteor_chunks"] = [1, value]
    with pytest.raises(InvalidRow) as caught:
        score_statistics(counts)
    shown = None if value != value else value  # noqa: PLR0124 – a NaN is read as null
    assert str(caught.value) == f"column 'meteor_chunks', row 1 (counted from 0): expected a count, got {shown!r}"


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("hyp", None, "column 'hyp', row 2 (counted from 0): null; fill it (an empty string scores 0) or drop the row"),
        (
            "hyp",
            "a\0b",
            f"column 'hyp', row 2 (counted from 0): {NUL}",
        ),
        (
            "other",
            "a\0b",
            f"column 'other', row 2 (counted from 0): {NUL}",
        ),
        (
            "system",
            None,
            "column 'system', row 2 (counted from 0): null or NaN; every row needs a group: fill it or drop the row",
        ),
    ],
)
def test_bad_row_is_named(kind, texts, column, value, said):
    """A value that cannot be scored is an error that names column and row."""
    columns = {name: list(cells) for name, cells in texts.items()}
    columns[column][2] = value
    with pytest.raises(InvalidRow) as caught:
        corpus_scores(make(kind, columns), references=["ref", "other"], hypothesis="hyp", by="system", scorer=SCORER)
    assert str(caught.value) == said
    assert caught.value.row == 2
    assert str(pickle.loads(pickle.dumps(caught.value))) == said  # noqa: S301 – our own


@pytest.mark.parametrize("gap", [nan, None])
def test_rows_without_a_group_are_named(kind, gap):
    """NaN and null in a column of numbers are no groups, in any kind of table: an error, not a group for each row."""
    frame = make(kind, {"hyp": ["a", "b", "a"], "ref": ["a", "b", "b"], "by": [1.5, gap, gap]})
    with pytest.raises(InvalidRow, match=r"column 'by', row 1 .*: null or NaN; every row needs a group"):
        corpus_scores(frame, **SIDES, by="by", scorer=SCORER)


@pytest.mark.parametrize("type_", ["datetime64[ns]", "Int64", "string", "object", "category"])
@pytest.mark.parametrize("given", ["frame", "dict"])
def test_rows_without_a_group_in_types_of_pandas(type_, given):
    """NaT, pandas.NA and None are errors that name column and row, also in a dict with a column of pandas."""
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    column = pandas.Series([1, None, None], dtype="Int64").astype(type_)
    frame = pandas.DataFrame({"hyp": ["a", "b", "a"], "ref": ["a", "b", "b"], "by": column})
    with pytest.raises(InvalidRow, match=r"column 'by', row 1 .*: null or NaN"):
        corpus_scores(frame if given == "frame" else dict(frame.items()), **SIDES, by="by", scorer=SCORER)


@pytest.mark.parametrize(
    "cell",
    [[], [None, None], ["", " "], [None, ""], None],
)
def test_row_without_references_is_named(kind, cell):
    """No text at all in a list of references or in place of it is an error that names column and row."""
    frame = make(kind, {"hyp": ["a", "b"], "refs": [["a"], cell]})
    with pytest.raises(InvalidRow) as caught:
        score_frame(frame, hypothesis="hyp", references="refs", scorer=SCORER)
    reason = "no reference: null, missing or empty; fill one in or remove the row"
    assert str(caught.value) == f"column 'refs', row 1 (counted from 0): {reason}"


def test_null_is_no_reference(kind):
    """Null in a column of references, or in a list, is no reference, if there is another."""
    columns = {
        "hyp": ["a b", "a c"],
        "ref": ["a b c", None],
        "other": [None, "a c"],
        "refs": [["a b c", None], ["a c"]],
    }
    frame = make(kind, columns)
    expected = [
        SCORER.score(reference, hypothesis).score for reference, hypothesis in (("a b c", "a b"), ("a c", "a c"))
    ]
    for references in (["ref", "other"], "refs", ["ref", "other", "refs"]):
        scored = score_frame(frame, hypothesis="hyp", references=references, scorer=SCORER)
        assert values(scored, "meteor_score") == expected


def test_rows_of_a_segment(kind):
    """Rows with one id are references of one segment, if asked for; otherwise such a table is refused."""
    columns = {
        "image": [1, 2, 1, 2, 2],
        "hyp": ["a b", "c d", "a b", "c d", "c d"],
        "ref": ["b", "d", "a", "c x d", None],
        "set": ["one", "two", "one", "two", "two"],
    }
    frame = make(kind, columns)
    with pytest.raises(InputMismatch, match=r"rows with the same image .* add group='image'; .* add group=\(\)"):
        score_frame(frame, **SIDES, scorer=SCORER)
    with pytest.raises(InputMismatch, match="group='image'"):
        corpus_scores(frame, **SIDES, scorer=SCORER)
    expected = [SCORER.score(["b", "a"], "a b"), SCORER.score(["d", "c x d"], "c d")]
    scored = score_frame(frame, **SIDES, scorer=SCORER, group="image")
    assert same_kind(kind, scored, frame)
    assert {name: values(scored, name) for name in names(scored)} == {
        "image": [1, 2],
        "hyp": ["a b", "c d"],
        "meteor_score": [segment.score for segment in expected],
    }
    by_set = corpus_scores(frame, **SIDES, scorer=SCORER, group=["image"], by="set", numbers="score")
    assert values(by_set, "set") == ["one", "two"]
    assert values(by_set, "meteor_score") == [segment.score for segment in expected]
    assert values(by_set, "meteor_segments") == [1, 1]


def test_rows_that_are_segments_and_groups_that_are_none():
    """Rows may be segments all the same; a group has one hypothesis, and every row has an id."""
    columns = {"image": ["1", "1"], "hyp": ["a", "a"], "ref": ["a", "b"]}
    assert len(score_frame(columns, **SIDES, scorer=SCORER, group=())["meteor_score"]) == 2
    assert len(score_frame({**columns, "system": ["x", "y"]}, **SIDES, scorer=SCORER)["meteor_score"]) == 2
    assert score_frame({**columns, "hyp": ["a", "a "]}, **SIDES, scorer=SCORER, group="image")["hyp"] == ["a"]
    with pytest.raises(InvalidRow, match=r"column 'hyp', row 1 .*: another value than in row 0, of the same segment"):
        score_frame({**columns, "hyp": ["a", "b"]}, **SIDES, scorer=SCORER, group="image")
    with pytest.raises(InvalidRow, match=r"column 'image', row 1 .*: expected an id, got null"):
        score_frame({**columns, "image": ["1", None]}, **SIDES, scorer=SCORER, group="image")
    listed = {**columns, "ref": ["a", "['a', 'b']"]}
    with pytest.raises(InvalidRow, match=r"column 'ref', row 1 .*: a list written as text; to read it, add :list"):
        score_frame(listed, **SIDES, scorer=SCORER, group="image")


def test_numbers_are_no_text(kind):
    """A column of numbers is an error, not a guess."""
    with pytest.raises(InvalidRow, match=r"column 'hyp', row 0 .*: expected text, got int"):
        score_frame(make(kind, {"hyp": [1], "ref": ["a"]}), **SIDES, scorer=SCORER)


def test_wrong_names(kind, texts):
    """Columns and numbers that do not exist are named with what exists; nothing is overwritten."""
    frame = make(kind, texts)
    with pytest.raises(UnknownName, match=r"unknown column 'hypo' \(did you mean 'hyp'\?\)"):
        score_frame(frame, hypothesis="hypo", references="ref", scorer=SCORER)
    with pytest.raises(UnknownName, match="unknown column 'lang'"):
        corpus_scores(frame, **SIDES, by="lang", scorer=SCORER)
    with pytest.raises(UnknownName, match="unknown number 'scores'"):
        score_frame(frame, **SIDES, scorer=SCORER, numbers="scores")
    with pytest.raises(InputMismatch, match="number 'recall' is given twice"):
        score_frame(frame, **SIDES, scorer=SCORER, numbers=["recall", "score", "recall"])
    with pytest.raises(InputMismatch, match="column of references 'ref' is given twice; name it once"):
        score_frame(frame, hypothesis="hyp", references=["ref", "ref"], scorer=SCORER)
    with pytest.raises(InputMismatch, match="column 'ref' cannot have both the hypotheses and references"):
        score_frame(frame, hypothesis="ref", references=["other", "ref"], scorer=SCORER)
    scored = score_frame(frame, **SIDES, scorer=SCORER)
    with pytest.raises(InputMismatch, match="the table has a column 'meteor_score' already"):
        score_frame(scored, **SIDES, scorer=SCORER)
    assert "second_score" in names(score_frame(scored, **SIDES, scorer=SCORER, prefix="second_"))


def test_index_of_pandas_stays():
    """Rows of pandas keep their labels, also where they are not unique."""
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame({"hyp": ["a", "b", "c"], "ref": ["a", "x", "c"]}, index=[7, 3, 7])
    scored = score_frame(frame, **SIDES, scorer=SCORER)
    assert list(scored.index) == [7, 3, 7]
    assert scored["meteor_score"].tolist() == [SCORER.score(a, a2).score for a, a2 in ("aa", "xb", "cc")]


def test_null_of_pandas_is_null():
    """NaN in a pandas column of objects is a null, and lists may be arrays, as they are when read from Parquet."""
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    numpy = pytest.importorskip("numpy")
    arrays = pandas.Series([numpy.array(["a", "b"], dtype=object)])
    frame = pandas.DataFrame({"hyp": ["a"], "refs": arrays})
    assert score_frame(frame, hypothesis="hyp", references="refs", scorer=SCORER)["meteor_score"].tolist() == [
        SCORER.score(["a", "b"], "a").score
    ]
    with pytest.raises(InvalidRow, match=r"column 'hyp', row 0 .*: null"):
        score_frame(
            pandas.DataFrame({"hyp": pandas.Series([float("nan")], dtype=object), "ref": ["a"]}),
            **SIDES,
        )


@pytest.mark.parametrize("by", [None, (), []], ids=["None", "tuple", "list"])
def test_no_group_is_none_or_empty(by):
    """``by=None`` is no group, as an empty list is."""
    frame = {"hyp": ["a", "b"], "ref": ["a", "c"]}
    assert corpus_scores(frame, **SIDES, by=by, scorer=SCORER)["meteor_segments"] == [2]


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_lazy_table_is_collected():
    """A lazy table of polars becomes one in memory; others may be too large, and the error says so."""
    polars = pytest.importorskip("polars", reason="polars is not installed")
    lazy = polars.LazyFrame({"hyp": ["a", "b"], "ref": ["a", "c"]}).filter(polars.col("hyp") == "a")
    found = score_frame(lazy, **SIDES, scorer=SCORER)
    assert isinstance(found, polars.DataFrame)
    assert found.rows() == [("a", "a", SCORER.score("a", "a").score)]
    dask = pytest.importorskip("dask.dataframe", reason="dask[dataframe] is not installed")
    frame = dask.from_dict({"hyp": ["a"], "ref": ["a"]}, npartitions=1)
    with pytest.raises(TypeError, match=r"^expected a table of .*; collect a lazy table first"):
        score_frame(frame, **SIDES, scorer=SCORER)


@pytest.mark.parametrize("given", [[{"hyp": "a", "ref": "a"}], "table", None, [["a"], ["a"]]])
def test_what_is_no_table(given):
    """An object that is not a table is refused with a list of accepted ones."""
    with pytest.raises(TypeError, match=r"^expected a table of pandas, polars, pyarrow, DuckDB or datasets, or a dict"):
        score_frame(given, **SIDES, scorer=SCORER)


def test_splits_are_refused():
    """A DatasetDict has no rows: one of its splits is taken."""
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    splits = datasets.DatasetDict(test=datasets.Dataset.from_dict({"hyp": ["a"], "ref": ["a"]}))
    with pytest.raises(TypeError, match=r"got datasets.DatasetDict; .* and choose one of several splits$"):
        score_frame(splits, **SIDES, scorer=SCORER)
    assert score_frame(splits["test"], **SIDES, scorer=SCORER)["meteor_score"][:] == [0.5]


def test_dict_that_is_no_table():
    """A dict whose columns are no columns, or of different lengths, is no table."""
    with pytest.raises(TypeError, match=r"^column 'ref' must be a list or an array, got str$"):
        score_frame({"hyp": ["a"], "ref": "a"}, **SIDES, scorer=SCORER)
    with pytest.raises(TypeError, match=r"^column 'hyp' must be a list or an array, got generator$"):
        score_frame({"hyp": (text for text in "a"), "ref": ["a"]}, **SIDES, scorer=SCORER)
    for unordered in ({"a", "b"}, {"a": 1}.keys(), {0: "a"}):
        with pytest.raises(TypeError, match=r"^column 'hyp' must be a list or an array, got"):
            score_frame({"hyp": unordered, "ref": ["a"]}, **SIDES, scorer=SCORER)
    with pytest.raises(InputMismatch, match=r"^column 'hyp' has 2 rows but 'ref' has 1$"):
        score_frame({"hyp": ["a", "b"], "ref": ["a"]}, **SIDES, scorer=SCORER)


def test_names_of_pandas_that_are_no_text():
    """Other columns may have any name; those that are read need a text as name."""
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame({"hyp": ["a"], "ref": ["a"], ("one", "two"): ["b"], 3: ["c"]})
    assert values(score_frame(frame, **SIDES, scorer=SCORER), "meteor_score") == [0.5]
    with pytest.raises(UnknownName, match=r"unknown column 'hypo'.*; known: .*hyp, ref$"):
        score_frame(frame, hypothesis="hypo", references="ref", scorer=SCORER)
    with pytest.raises(
        TypeError, match=r"^the name of a column must be text, got \('one', 'two'\); rename the column$"
    ):
        score_frame(frame, hypothesis=("one", "two"), references="ref", scorer=SCORER)
    with pytest.raises(TypeError, match=r"^the name of a column must be text, got 3; rename the column$"):
        corpus_scores(frame, **SIDES, by=3, scorer=SCORER)


def test_columns_of_pandas_in_different_orders():
    """Columns of a dict with one index in different orders are no table."""
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    column = pandas.Series(["a", "b"])
    with pytest.raises(InputMismatch, match=r"^hyp and ref have the same index in different orders"):
        score_frame({"hyp": column, "other": ["x", "y"], "ref": column.iloc[::-1]}, **SIDES, scorer=SCORER)


def test_other_columns_of_a_dict_stay():
    """Columns that are not read stay the objects they are, whatever they hold; lists may be a matrix."""
    numpy = pytest.importorskip("numpy", reason="numpy is not installed")
    frame = {
        "image": numpy.zeros((2, 3, 3), dtype="uint8"),
        "hyp": numpy.array(["a", "b"]),
        "refs": numpy.array([["a", "c"], ["b", "d"]]),
    }
    scored = score_frame(
        frame, hypothesis="hyp", references="refs", scorer=SCORER, numbers=["score", "penalty"], statistics=True
    )
    assert scored["image"] is frame["image"]
    assert (scored["meteor_score"].dtype, scored["meteor_chunks"].dtype) == (numpy.float64, numpy.int64)
    assert scored["meteor_score"].tolist() == [0.5, 0.5]
    assert list(frame) == ["image", "hyp", "refs"]


def test_relation_of_another_connection():
    """A relation of DuckDB belongs to its connection; the table that is made of it can be queried by any."""
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    with duckdb.connect() as connection:
        connection.execute(
            "create table outputs as select * from (values ('s', 'a b', 'a b'), ('t', 'x', 'a')) t(system, hyp, ref)"
        )
        scored = score_frame(connection.table("outputs").order("system"), **SIDES, scorer=SCORER)
        assert scored.num_rows == 2
        assert connection.sql("select system, meteor_score from scored").fetchall() == [("s", 0.9375), ("t", 0.0)]
        found = corpus_scores(connection.sql("from outputs"), **SIDES, by="system", scorer=SCORER)
    assert found.column("system").to_pylist() == ["s", "t"]


def test_selected_rows_of_a_dataset(tmp_path):
    """Rows of a Dataset that were picked, in their order, are scored; its format and its files stay as they are."""
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    numpy = pytest.importorskip("numpy")
    frame = datasets.Dataset.from_dict({"hyp": ["a", "b c", "d"], "ref": ["x", "b c", "d"], "id": [1, 2, 3]})
    picked = frame.select([2, 1]).with_format("numpy")
    scored = score_frame(picked, **SIDES, scorer=SCORER, numbers=["score", "penalty"], statistics=True)
    assert scored["id"][:].tolist() == [3, 2]
    assert isinstance(scored["meteor_score"][:], numpy.ndarray)
    assert scored["meteor_score"][:].tolist() == [0.5, 0.9375]
    assert scored.features["meteor_score"].dtype == "float64"
    assert scored.features["meteor_chunks"].dtype == "int64"
    assert frame.column_names == ["hyp", "ref", "id"]
    nothing = score_frame(frame.select([0]), **SIDES, scorer=SCORER, numbers="penalty")
    assert (nothing["meteor_penalty"][:], nothing.features["meteor_penalty"].dtype) == ([None], "float64")


def test_documentation(root, monkeypatch):
    """The code of docs/frames.md runs and prints the output shown."""
    for package in ("pandas", "polars", "pyarrow"):
        pytest.importorskip(package, reason=f"{package} is not installed")
    monkeypatch.chdir(root)
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    result = doctest.testfile(str(root / "docs" / "frames.md"), module_relative=False, optionflags=options)
    assert result.attempted
    assert not result.failed


def test_the_new_formula(scorer_2026, segments_2026):
    """The counts of METEOR 2026 are columns too, those of order last; sums of them score as the corpus does."""
    references, hypotheses = segments_2026
    table = {"ref": references, "hyp": hypotheses}
    rows = score_frame(table, scorer_2026, **SIDES, statistics=True)
    assert list(rows)[-3:] == ["meteor_junctions", "meteor_crossings", "meteor_match_pairs"]
    assert "meteor_order" not in rows
    corpus = scorer_2026.corpus().extend(references=references, hypotheses=hypotheses)
    counts = {name: cells for name, cells in rows.items() if name not in {*table, "meteor_score"}}
    assert list(zip(*counts.values(), strict=True)) == [scored.statistics.counts() for scored in corpus]
    again = score_statistics(counts, scorer_2026, prefix="meteor_")
    assert again["meteor_score"] == rows["meteor_score"] == [scored.score for scored in corpus]
    summed = score_statistics({name: [sum(cells)] for name, cells in counts.items()}, scorer_2026)
    assert summed["meteor_score"] == [corpus.score().score]
    assert values(corpus_scores(table, scorer_2026, **SIDES), "meteor_score") == [corpus.score().score]


def test_columns_of_the_old_formulas():
    """The others have no columns of order."""
    columns = score_frame({"ref": ["a"], "hyp": ["a"]}, SCORER, **SIDES, statistics=True)
    assert list(columns)[3:] == [
        *(f"meteor_{name}" for name in (
            "hypothesis_length", "reference_length", "hypothesis_function_words", "reference_function_words",
            "chunks", "penalized_chunks", "hypothesis_matches", "reference_matches",
            "exact_hypothesis_content", "exact_reference_content", "exact_hypothesis_function",
            "exact_reference_function",
        )),
    ]  # fmt: skip
