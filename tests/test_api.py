"""Verbs of the package: what commands put together, for texts in memory, tables and files."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

import meteorlib
from meteorlib.analysis.significance import compare_systems
from meteorlib.errors import InputMismatch, MeteorWarning, UnknownName

REFS = [["the cat sat on the mat", "a cat sat there"], ["he went home early", "he left"], ["it rains", "rain again"]]
SYSTEMS = {
    "first": ["the cat sat on a mat", "he went home", "it rains again"],
    "second": [["a cat", "early he went", "it is raining"], ["the cat", "he left", "rain"]],
}


def test_scores():
    """The comparison is that of `compare_systems` with the same settings; a list of lists has several runs."""
    found = meteorlib.compare(SYSTEMS, REFS, "nltk", samples=50, seed=3, test="bootstrap")
    scorer = meteorlib.Scorer("nltk")
    corpora = {
        name: [scorer.corpus().extend(references=REFS, hypotheses=one) for one in runs]
        for name, runs in (SYSTEMS | {"first": [SYSTEMS["first"]]}).items()
    }
    assert found.comparison == compare_systems(corpora, samples=50, seed=3, test="bootstrap")
    assert (found.references, found.preset, found.signature) == (2, "nltk", f"{scorer.signature}|refs:2")
    assert "second" in found._repr_html_()


@pytest.mark.parametrize("form", ["text", "json", "tsv", "markdown", "latex"])
def test_formats(form, tmp_path, monkeypatch, capsys):
    """Every format is written as by ``meteorlib score`` from files, other metrics among them."""
    pytest.importorskip("sacrebleu")
    monkeypatch.chdir(tmp_path)
    systems = {"first": SYSTEMS["first"], "second": SYSTEMS["second"][0]}
    for name, texts in (systems | {f"ref{place}": [one[place] for one in REFS] for place in (0, 1)}).items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    arguments = ["-r", "ref0", "-r", "ref1", "-p", "nltk", "-n", "20", "--metric", "chrf", "-q", "-f", form]
    with pytest.raises(SystemExit) as ended:
        meteorlib.cli.main(["score", *systems, *arguments])
    assert not ended.value.code
    found = meteorlib.compare(systems, REFS, "nltk", samples=20, metrics=["chrf"])
    assert found.written(form) == capsys.readouterr().out


def test_mistakes():
    """Unequal lengths, unknown metrics and formats are errors that name them."""
    with pytest.raises(InputMismatch):
        meteorlib.compare({"first": ["a"]}, REFS)
    with pytest.raises(UnknownName, match="chrff"):
        meteorlib.compare({"first": SYSTEMS["first"]}, REFS, metrics=["chrff"], samples=2)
    found = meteorlib.compare({"first": SYSTEMS["first"]}, REFS, samples=2, test=None)
    assert json.loads(found.written("json"))["systems"][0]["name"] == "first"
    with pytest.raises(UnknownName, match="latex"):
        found.written("latexx")


TEXTS = SYSTEMS["first"]


@pytest.mark.parametrize(
    ("systems", "references", "more", "said"),
    [
        ({"A": {*TEXTS}}, REFS, {}, r"hypotheses of 'A' must be a list of texts, got set"),
        ({"A": "a file"}, REFS, {}, r"hypotheses of 'A' must be a list of texts, or a file as pathlib.Path, got one"),
        ({"A": [*TEXTS[:2], None]}, REFS, {}, r"hypotheses of 'A' must be texts, or a list for each run: item 2 is No"),
        ({"A": [TEXTS, *TEXTS]}, REFS, {}, r"hypotheses of 'A' must be texts, or a list for each run: item 0 is list"),
        ([TEXTS], REFS, {}, r"systems must be a dict from names to hypotheses"),
        ({1: TEXTS}, REFS, {}, r"systems must be a dict from names to hypotheses"),
        ({"A": TEXTS}, "abc", {}, r"references must be a list of texts, or a file as pathlib.Path, got one string"),
        ({"A": TEXTS}, [Path("refs"), "b", "c"], {}, r"references must be texts or files, got both"),
        ({"A": TEXTS}, REFS, {"groups": {"domain": "abc"}}, r"labels of 'domain' must be a list of texts, got one"),
        ({"A": TEXTS}, REFS, {"groups": {"domain": {"a", "b", "c"}}}, r"labels of 'domain' must be a list of texts, g"),
    ],
)
@pytest.mark.parametrize("verb", ["compare", "report"])
def test_what_is_no_list(verb, systems, references, more, said, tmp_path, monkeypatch):
    """No text is taken apart into letters, put into the order of a set, or left out."""
    monkeypatch.chdir(tmp_path)
    Path("refs").write_text("a\n", encoding="utf-8")
    with pytest.raises(TypeError, match=said):
        getattr(meteorlib, verb)(systems, references, "nltk", **more)


def test_iterators_are_lists():
    """Texts and labels may be generators: each is read once."""
    expected = meteorlib.compare({"A": TEXTS}, REFS, "nltk", groups={"by": ["x", "y", "x"]})
    groups = {"by": iter(["x", "y", "x"])}
    assert meteorlib.compare({"A": iter(TEXTS)}, iter(REFS), "nltk", groups=groups) == expected


@pytest.mark.parametrize("verb", ["compare", "report"])
@pytest.mark.parametrize("turned", ["A", "references", "domain"])
def test_columns_in_different_orders(verb, turned):
    """Columns of pandas with one index in different orders are refused, labels too."""
    pandas = pytest.importorskip("pandas")
    columns = {"A": TEXTS, "references": [texts[0] for texts in REFS], "domain": ["x", "y", "x"]}
    index = {turned: [2, 1, 0]}
    given = {name: pandas.Series(column, index.get(name)) for name, column in columns.items()}
    groups = {"domain": given["domain"]}
    with pytest.raises(InputMismatch, match="have the same index in different orders"):
        getattr(meteorlib, verb)({"A": given["A"]}, given["references"], "nltk", groups=groups)


@pytest.mark.parametrize("verb", [meteorlib.compare, meteorlib.report])
def test_notes(verb, tmp_path):
    """Notes of the commands are warnings at the place of the call: on text, on files, and on empty segments."""
    pytest.importorskip("jinja2")
    (tmp_path / "ref").write_bytes(b"Tom &amp; me\na\rb\n")
    with pytest.warns(MeteorWarning) as caught:
        verb({"one": ["Tom and I", "a b"], "two": ["Tom &amp; I", ""]}, tmp_path / "ref", "nltk", samples=20)
    assert {warning.filename for warning in caught} == {__file__}
    said = "\n".join(str(warning.message) for warning in caught)
    assert "two seems to have escaped text (&amp; in segment 1); if so, restore the text on both sides with" in said
    assert "the text of the references seems to have escaped text" in said
    assert "carriage return (CR) that ends no line, in line 2" in said
    assert ("two: 1 of 2 segments had an empty hypothesis" in said) == (verb is meteorlib.compare)  # the page says it
    assert "one seems" not in said


def test_tables_of_scores(tmp_path):
    """A metric may be a table of scores, as for the commands; a name that is taken is refused."""
    (tmp_path / "scores.tsv").write_text("first\tsecond\n1\t2\n3\t4\n5\t7\n", encoding="utf-8")
    systems = {"first": SYSTEMS["first"], "second": SYSTEMS["second"][0]}
    with pytest.warns(MeteorWarning, match="has no column of segment ids"):
        found = meteorlib.compare(systems, REFS, "nltk", metrics=[f"mine={tmp_path / 'scores.tsv'}"], samples=20)
    assert [system.score for system in found.metrics[0].systems] == [3, pytest.approx(13 / 3)]
    with pytest.raises(InputMismatch, match="already is a column 'p'"):
        meteorlib.compare(systems, REFS, "nltk", metrics=[f"p={tmp_path / 'scores.tsv'}"], samples=20)


def test_explain():
    """An explanation is that of a scorer with the preset; its budget is passed on."""
    reference, hypothesis = "the cat sat on the mat", "the cats sat on a mat"
    scorer = meteorlib.Scorer("nltk")
    assert meteorlib.explain(reference, hypothesis, "nltk") == scorer.explain(reference, hypothesis)
    assert meteorlib.explain([reference, "x"], hypothesis, budget=0).gains == ()


@pytest.mark.parametrize("name", ["table.csv", "table.tsv", "table.jsonl"])
def test_score_table(tmp_path, name):
    """A file of any format and a dict of columns have the scores of the scorer, beside what they had."""
    pytest.importorskip("narwhals")
    rows = [{"id": "1", "ref": "a cat", "hyp": "the cat"}, {"id": "2", "ref": "a dog", "hyp": "a dog"}]
    mark = {"table.csv": ",", "table.tsv": "\t"}.get(name)
    lines = [json.dumps(row) for row in rows]
    if mark:
        lines = [mark.join(rows[0]), *(mark.join(row.values()) for row in rows)]
    (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    columns = {key: [row[key] for row in rows] for key in rows[0]}
    scorer = meteorlib.Scorer("nltk")
    expected = columns | {"meteor_score": [scorer.score(row["ref"], row["hyp"]).score for row in rows]}
    for table in (tmp_path / name, str(tmp_path / name), columns):
        assert meteorlib.score_table(table, "nltk", references="ref", hypothesis="hyp") == expected
    with pytest.raises(UnknownName, match="reference"):
        meteorlib.score_table(tmp_path / name, references="reference", hypothesis="hyp")
    with pytest.raises(InputMismatch, match="absent"):
        meteorlib.score_table("absent.csv", references="ref", hypothesis="hyp")


@pytest.mark.parametrize("verb", ["compare", "explain", "report", "score_table"])
def test_no_module_has_the_name_of_a_verb(verb):
    """Importing such a module would hide the function."""
    assert callable(getattr(meteorlib, verb))
    with pytest.raises(ModuleNotFoundError):
        import_module(f"meteorlib.{verb}")


def test_texts_in_files(tmp_path):
    """Paths of text files stand for lists of texts: a system, several runs of one, references, several of each."""
    texts = {"first": SYSTEMS["first"], "one": SYSTEMS["second"][0], "two": SYSTEMS["second"][1]}
    texts |= {f"ref{place}": [both[place] for both in REFS] for place in (0, 1)}
    paths = {name: tmp_path / name for name in texts}
    for name, path in paths.items():
        path.write_text("".join(f"{text}\n" for text in texts[name]), encoding="utf-8")
    runs = {"first": paths["first"], "second": [paths["one"], paths["two"]]}
    found = meteorlib.compare(runs, [paths["ref0"], paths["ref1"]], "nltk", samples=20)
    assert found == meteorlib.compare(SYSTEMS, REFS, "nltk", samples=20)
    alone = meteorlib.compare({"first": paths["first"]}, paths["ref0"], "nltk", samples=20)
    assert alone == meteorlib.compare({"first": texts["first"]}, texts["ref0"], "nltk", samples=20)
    with pytest.raises(InputMismatch, match="no such file"):
        meteorlib.compare({"first": tmp_path / "none"}, paths["ref0"], "nltk")
