"""Labels of words: read from a text file for each reference, or from a column, and checked against the tokens."""

from __future__ import annotations

import pytest

from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.formats import ColumnChoice
from meteorlib.inputs.parallel_files import open_files
from meteorlib.inputs.segment_data import WordLabels

REFERENCES = [["The cat", "A cat"], ["", "x"], ["don't go", "stop"]]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write files into the current folder."""
    monkeypatch.chdir(tmp_path)

    def write(**contents):
        for name, text in contents.items():
            (tmp_path / name).write_text(text, encoding="utf-8")

    return write


def test_a_file_for_each_reference(files):
    """Each reference of each segment has its line, with as many labels as tokens between white space."""
    files(one="DET NOUN\n\nAUX VERB\n", two="DET  NOUN\nX\nVERB\n")
    labels = WordLabels.open("pos=one,two", None, 2, 3)
    assert labels.name == "pos"
    assert labels.of(REFERENCES) == [["DET NOUN", "DET  NOUN"], ["", "X"], ["AUX VERB", "VERB"]]


def test_a_column(files):
    """Without a file, the labels are a column of the tables."""
    (table,) = ("data.jsonl",)
    files(**{table: '{"hyp": "a", "ref": "A b", "pos": "X Y"}\n{"hyp": "a", "ref": "c", "pos": "Z"}\n'})
    joined = open_files(ColumnChoice(("hyp",), ("ref",)), [], table)
    assert WordLabels.open("pos", joined, 1, 2).of([["A b"], ["c"]]) == [["X Y"], ["Z"]]


def test_other_number_of_labels(files):
    """The error names file and line, both counts, the reference, and the form of the labels."""
    files(one="DET NOUN\n\nAUX\n", two="DET NOUN\nX\nVERB\n")
    message = r"^one:3: 1 labels for 2 tokens of reference 1, \"don't go\"; give each token between spaces one label"
    with pytest.raises(InputMismatch, match=message):
        WordLabels.open("pos=one,two", None, 2, 3).of(REFERENCES)


@pytest.mark.parametrize(
    ("given", "references", "message"),
    [
        ("pos=one", 2, r"labels of 1 of 2 references; give one for each: --word-labels pos=FILE,FILE$"),
        ("pos=one", None, "labels of 1 of a varying number of references; labels need the same number"),
        ("pos=one", 1, r"^one: 2 lines of labels for 3 segments; give a line per segment$"),
        ("pos=absent", 1, "absent"),
        (
            "pos",
            1,
            r"^references that are text have no column 'pos'; give a file with the labels: --word-labels pos=FILE$",
        ),
        ("=one", 1, r"^--word-labels =one: expected NAME=FILE, or the name of a column$"),
        ("pos=", 1, r"expected NAME=FILE"),
    ],
)
def test_refused(files, given, references, message):
    """Wrong numbers of files and lines, and absent files and columns, are refused before anything is scored."""
    files(one="DET NOUN\nX\n")
    with pytest.raises(InputMismatch, match=message):
        WordLabels.open(given, None, references, 3)


def test_a_row_without_labels(files):
    """A missing cell is an error that names its place."""
    files(**{"data.jsonl": '{"hyp": "a", "ref": "A b", "pos": "X Y"}\n{"hyp": "a", "ref": "c", "pos": null}\n'})
    joined = open_files(ColumnChoice(("hyp",), ("ref",)), [], "data.jsonl")
    with pytest.raises(InvalidText, match=r"data\.jsonl:2"):
        WordLabels.open("pos", joined, 1, 2).of([["A b"], ["c"]])


def test_tables_in_different_orders(files):
    """A file that could be parallel to either of two tables joined by id is refused; a column is the references'."""
    files(
        **{
            "hyp.csv": "id,hyp,pos\n2,c d,H H\n1,a b,H H\n",
            "ref.csv": "id,ref,pos\n1,a b,A B\n2,c d,C D\n",
            "labels": "A B\nC D\n",
        }
    )
    joined = open_files(ColumnChoice(("hyp",), ("ref",)), ["ref.csv"], "hyp.csv")
    with pytest.raises(InputMismatch, match=r"labels: has no ids, and .* not clear which of them it is parallel to"):
        WordLabels.open("pos=labels", joined, 1, 2)
    assert WordLabels.open("pos", joined, 1, 2).of([["c d"], ["a b"]]) == [["C D"], ["A B"]]


def test_a_column_of_hypotheses(files):
    """Beside references that are text, a column of the hypotheses is not taken for their labels."""
    files(**{"hyp.csv": "hyp,pos\na b,H H\n", "ref": "a b\n"})
    joined = open_files(ColumnChoice(("hyp",)), ["ref"], "hyp.csv")
    with pytest.raises(InputMismatch, match="references that are text have no column 'pos'"):
        WordLabels.open("pos", joined, 1, 1)
