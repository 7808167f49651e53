"""Tables: the cells of each format, and errors of a row by file and line."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import tracemalloc
from datetime import date
from decimal import Decimal
from importlib.util import find_spec
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.errors import ExtraMissing, InputMismatch, InvalidText, MeteorError, UnknownName
from meteorlib.inputs import table_files
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.cells import id_of, label_of, number_of
from meteorlib.inputs.cells import rows_of as rows_with_columns
from meteorlib.inputs.columns import column_of, score_column
from meteorlib.inputs.formats import FORMATS, Dialect, Format, form_of, looks_like, open_table
from meteorlib.inputs.table_files import Delimited
from meteorlib.inputs.text_file import LineTable
from meteorlib.text.validation import LONGEST_TEXT

COLUMNS = ["id", "hyp", "ref"]
TEXTS = [
    ["1", "the cat", "a cat"],
    ["2", "", "x"],
    ["3", 'a "quoted" word, and\na line', "é日本😀"],
    ["4", " leading\tand trailing ", "\u2028"],
]


def as_csv(columns, rows):
    text = io.StringIO(newline="")
    csv.writer(text).writerows([columns, *rows])
    return text.getvalue().encode()


def as_jsonl(columns, rows):
    return "".join(json.dumps(dict(zip(columns, row, strict=True))) + "\n" for row in rows).encode()


def parquet_of(content, **settings):
    """The bytes of a table: its columns by name, or its rows."""
    import pyarrow as pa
    from pyarrow import parquet as pq

    sink = io.BytesIO()
    made = pa.table(content) if isinstance(content, dict) else pa.Table.from_pylist(content)
    pq.write_table(made, sink, **settings)
    return sink.getvalue()


def as_parquet(columns, rows):
    return parquet_of({name: [row[index] for row in rows] for index, name in enumerate(columns)})


HAS_PYARROW = find_spec("pyarrow") is not None
needs_pyarrow = pytest.mark.skipif(not HAS_PYARROW, reason="needs pyarrow")
WRITERS = {"csv": as_csv, "jsonl": as_jsonl, **({"parquet": as_parquet} if HAS_PYARROW else {})}


@pytest.fixture
def table(tmp_path):
    """Content, name, dialect → the table."""

    def make(content, name, dialect=Dialect(), role="hyp"):  # noqa: B008 – it never changes
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return open_table(str(path), dialect, role, columns=True)

    return make


def rows_of(table, columns=None):
    return [list(cells) for _, cells in table.rows(table.columns if columns is None else columns)]


def error_of(table, content, name, dialect=Dialect(), columns=None):  # noqa: B008 – immutable
    with pytest.raises(MeteorError) as caught:
        rows_of(table(content, name, dialect), columns)
    return re.sub(r"(?<!\S)/\S*/", "", str(caught.value))


def test_a_column_that_the_first_object_lacks_is_known(table):
    """Writers of JSON leave out nulls: such a column is missed in the first object instead of being ignored in all."""
    made = table('{"hyp": "1"}\n{"hyp": "2", "id": 7}\n', "data.jsonl")
    assert list(made.columns) == ["hyp", "id"]
    with pytest.raises(InvalidText, match=r"data.jsonl:1: no field 'id'; its fields: hyp"):
        rows_of(made, ["hyp", "id"])


@pytest.mark.parametrize("form", WRITERS)
def test_what_was_written_is_read(table, form):
    """Any text comes out as it went in: quotes, delimiters, line breaks, blanks, letters of every plane."""
    made = table(WRITERS[form](COLUMNS, TEXTS), f"data.{form}")
    assert list(made.columns) == COLUMNS
    assert rows_of(made) == TEXTS
    assert rows_of(made, ["ref", "id"]) == [[row[2], row[0]] for row in TEXTS]
    assert rows_of(made) == TEXTS


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_packed(table, form):
    """Compressed tables are unpacked, and the suffix before that of the compression gives the format."""
    assert rows_of(table(gzip.compress(WRITERS[form](COLUMNS, TEXTS)), f"data.{form}.gz")) == TEXTS


CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=8)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=5), st.sampled_from(sorted(WRITERS)))
def test_any_text(tmp_path_factory, rows, form):
    """Any text survives writing and reading."""
    path = tmp_path_factory.mktemp("tables") / f"data.{form}"
    path.write_bytes(WRITERS[form](["a", "b"], rows))
    assert rows_of(open_table(str(path), Dialect(), "hyp", columns=True)) == [list(row) for row in rows]


def test_tsv(table):
    """Quotes are text in TSV; a field quoted as in CSV causes a note with the option that reads it."""
    made = table('a\tb\n"x\ty"\n"say ""hi"""\tz\r\n', "data.tsv")
    assert rows_of(made) == [['"x', 'y"'], ['"say ""hi"""', "z"]]
    assert [note.rpartition("/")[2] for note in made.notes] == [
        (
            "data.tsv:3 has a field in quotes, which are taken as text, as TSV has none; "
            "if they are CSV's: --input-format csv --delimiter tab"
        )
    ]
    quoted = table('a\tb\n"say ""hi"""\tz\n', "data.tsv", Dialect("csv", "\t"))
    assert (rows_of(quoted), quoted.notes) == ([['say "hi"', "z"]], ())


def test_delimiter_and_header(table):
    """Fields may be separated by any character; names may be given where the file has none."""
    assert rows_of(table("a;b\n1;2,5\n", "data.csv", Dialect(delimiter=";"))) == [["1", "2,5"]]
    made = table("1\t2\n3\t4\n", "data.tsv", Dialect(header=("x", "y")))
    assert (made.columns, rows_of(made)) == (("x", "y"), [["1", "2"], ["3", "4"]])


def test_one_column(table):
    """A table of one column has no delimiter; an empty line of TSV is then an empty field."""
    assert rows_of(table("a\nx\n\ny\n", "data.tsv")) == [["x"], [""], ["y"]]
    assert rows_of(table('a\nx\n""\n', "data.csv")) == [["x"], [""]]


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_looks_behind_a_byte_order_mark(tmp_path, form):
    """A file looks like what it looks like without the mark."""
    path = tmp_path / "data"
    path.write_bytes(b"\xef\xbb\xbf" + WRITERS[form](COLUMNS, TEXTS[:2]))
    assert looks_like(Source.open(str(path))) == form


def test_what_is_looked_at(tmp_path):
    """A format is guessed from the first 20 lines."""
    path = tmp_path / "data"
    for lines, form in ((20, "tsv"), (19, None)):
        path.write_bytes(b"a\tb\n" * lines + b"none\n")
        assert looks_like(Source.open(str(path))) == form


@pytest.mark.parametrize("read", [Delimited.csv, Delimited.tsv])
def test_longest_line(tmp_path, monkeypatch, read):
    """A line of a table has a bound above that of a text, which is checked before the line is read."""
    monkeypatch.setattr(LineTable, "longest", 99)
    path = tmp_path / "data"
    path.write_bytes(b"a" * 99 + b"\n")
    assert list(read(Source.open(str(path)), "", ()).columns) == ["a" * 99]
    path.write_bytes(b"a" * 100 + b"\n")
    with pytest.raises(InvalidText, match=":1: "):
        read(Source.open(str(path)), "", ())


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("system,segment,comet,score", "comet"),
        ("system,segment,Score,x", "Score"),
        ("system,segment,COMET,comet", "comet"),
        ("system,x,segment", "x"),
        ("system,x,y", None),
        ("system,segment", None),
    ],
)
def test_the_column_of_scores(table, header, expected):
    """A column of scores is called as the metric or score, in any case, or is the only one without another role."""
    made = table(f"{header}\n", "scores.csv")
    assert score_column(made, "comet", ["system", "segment"]) == expected


def test_cells_of_a_row_have_columns(table):
    """A value is read by its column, also one of two roles, and an error names file, line and column."""
    (row,) = rows_with_columns(table("a,b\n1,x\n", "t.csv"), ["b", "a", "a"])
    assert (row.read("a", id_of), row.cells) == ("1", {"a": "1", "b": "x"})
    with pytest.raises(InvalidText, match=r"t\.csv:2: column 'b': expected a number, got 'x'"):
        row.read("b", number_of)


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_byte_order_mark(table, form):
    """A byte order mark is no part of the first name."""
    made = table(b"\xef\xbb\xbf" + WRITERS[form](COLUMNS, TEXTS), f"data.{form}")
    assert list(made.columns) == COLUMNS
    assert rows_of(made) == TEXTS


@pytest.mark.parametrize("form", sorted(WRITERS.keys() - {"csv"}))
def test_nested(table, form):
    """A field of an object in an object, or of a struct, is a column."""
    rows = [{"translation": {"de": "Katze", "en": "cat"}}, {"translation": {"de": "Hund", "en": "dog"}}]
    content = parquet_of(rows) if form == "parquet" else "".join(json.dumps(row) + "\n" for row in rows)
    made = table(content, f"data.{form}")
    assert rows_of(made, [column_of(made, "translation.en")]) == [["cat"], ["dog"]]


def test_not_nested(table):
    """A column of CSV with a dot in its name has no fields."""
    with pytest.raises(UnknownName):
        column_of(table("a.b,a\n1,2\n", "data.csv"), "a.c")


@pytest.mark.parametrize("form", sorted(WRITERS.keys() - {"csv"}))
def test_lists(table, form):
    """Lists and nulls come as they are."""
    rows = [[["a", "b"], None], [[], "x"]]
    assert rows_of(table(WRITERS[form](["refs", "n"], rows), f"data.{form}")) == rows


SEPARATED = "; are the fields separated by something else? then add --delimiter"
QUOTED = "; a quote in a field is written twice, and the field is quoted"
MISTAKES = {
    "csv": {
        "too few fields": ("a,b\n1,2\n3\n", ":3: 1 field, but 2 columns"),
        "empty line": ("a,b\n1,2\n\n", ":3: an empty line, but 2 columns"),
        "line after a record of two lines": ('a,b\n"1\n1",2\n3\n', ":4: 1 field, but 2 columns"),
        "open quote": ('a,b\n1,2\n"3,4\n5,6\n', f":3: a quote is opened here and not closed{QUOTED}"),
        "text behind a quote": (
            'a,b\n1,"2"3\n',
            ":2: text after a closing quote, where ',' or a line end is due; a quote in a field is doubled",
        ),
        "CR": ("a,b\n1,2\r3\n", ":2: a carriage return (CR) outside quotes that ends no line"),
        "nothing": ("", ": is empty; its first line should name the columns"),
        "another delimiter": ("a;b\n1;2\n", f": its first line is one field, 'a;b'{SEPARATED} ';'"),
        "bars": ("a|b\n1|2\n", f": its first line is one field, 'a|b'{SEPARATED} '|'"),
        "NUL": ("a,b\n1,\0\n", ":2: NUL byte at offset 6; remove it, or convert the file if it is UTF-16"),
        "UTF-16": (
            "a,b\n".encode("utf-16"),
            ":1: is UTF-16; convert it: iconv -f UTF-16 -t UTF-8 < data.csv > data.csv.new",
        ),
        "Latin-1": (
            b"a,b\n1,\xe9\n",
            (
                ":2: byte 0xE9 at offset 6 is not UTF-8; "
                "if the file is Latin-1: iconv -f WINDOWS-1252 -t UTF-8 < data.csv > data.csv.new"
            ),
        ),
        "CR at all line ends": (
            "a,b\r1,2\r",
            ": its lines end only in CR; convert it: tr '\\r' '\\n' < data.csv > data.csv.new",
        ),
        "large field": (
            f"a,b\n1,2\n3,{'x' * (LONGEST_TEXT + 1)}\n",
            ":3: a field of more than 2,000,000 characters; is each line one segment?",
        ),
        "large quoted field": (
            f'a,b\n1,"{"x" * (LONGEST_TEXT + 1)}"\n',
            ":2: a field of more than 2,000,000 characters; is each line one segment?",
        ),
        "open quote in a large file": (
            'a,b\n1,"2\n' + "3,4\n" * (LONGEST_TEXT // 4),
            f":2: a quote is opened here and not closed within 2,000,000 characters{QUOTED}",
        ),
    },
    "tsv": {
        "too many fields": ("a\tb\n1\t2\t3\n", ":2: 3 fields, but 2 columns"),
    },
    "jsonl": {
        "no JSON": ('{"a": 1}\n{"a": }\n', ":2: not valid JSON: Expecting value at character 7"),
        "JSON over lines": (
            '{\n "a": 1\n}\n',
            (
                ":1: not valid JSON: Expecting property name enclosed in double quotes at character 2; "
                "JSONL has a whole object on each line (--input-format json reads a file of one value)"
            ),
        ),
        "number": ("1\n", ":1: expected an object, got a number"),
        "empty line of JSONL": ('{"a": 1}\n\n', ":2: an empty line; each line must be an object"),
        "field twice": ('{"a": 1, "a": 2}\n', ":1: the field 'a' occurs twice in an object"),
        "missing field": ('{"hyp": "1", "ref": "2"}\n{"hyp": "1"}\n', ":2: no field 'ref'; its fields: hyp"),
        "deep": ('{"a": ' + "[" * 100_000 + "\n", ":1: nested too deep"),
        "empty JSONL": ("", ": is empty"),
        "array": (
            '[{"a": 1}]\n',
            ":1: expected an object, got an array; --input-format json reads a file of one value",
        ),
    },
}
"""Format → kind of mistake → content, and the message behind the name of the file."""


@pytest.mark.parametrize(("form", "name"), [(form, name) for form, known in MISTAKES.items() for name in known])
def test_mistakes(table, form, name):
    """Unreadable tables are reported with file, line, and what to do."""
    content, message = MISTAKES[form][name]
    assert error_of(table, content, f"data.{form}") == f"data.{form}{message}"


def test_fields_of_objects(table):
    """Fields that only some objects have are columns; a missing one is reported with its place."""
    content = '{"hyp": "1"}\n{"hpy": "1", "id": 2}\n'
    assert table(content, "data.jsonl").columns == ["hyp", "hpy", "id"]
    assert error_of(table, content, "data.jsonl", columns=["hyp"]) == (
        "data.jsonl:2: no field 'hyp' (did you mean 'hpy'?)"
    )


@needs_pyarrow
def test_damaged_parquet(table):
    """A file that is not Parquet, or is damaged, is an error."""
    assert error_of(table, b"PAR1 and so on", "data.parquet").startswith("data.parquet: cannot be read as Parquet: ")
    content = bytearray(as_parquet(["a"], [[f"text {n}"] for n in range(5000)]))
    content[40:400] = bytes(360)
    assert error_of(table, bytes(content), "data.parquet").startswith("data.parquet: row 1: damaged here or later: ")


@needs_pyarrow
def test_parquet_that_is_not_utf8(table):
    """A string column whose bytes are no UTF-8 is an error, not a traceback."""
    import pyarrow as pa

    bad = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\1\0\0\0"), pa.py_buffer(b"\xff")])
    assert error_of(table, parquet_of({"a": bad}), "data.parquet").startswith("data.parquet: row 1: damaged here")


def test_without_pyarrow(table, monkeypatch):
    """If pyarrow is not installed, the extra is named."""
    made = table(b"PAR1", "data.parquet")
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ExtraMissing, match=r"pip install 'meteorlib\[parquet\]'"):
        made.columns  # noqa: B018 – the property raises


def test_columns_by_name(table):
    """An unknown column is an error that lists the columns and the likely one; a repeated one is an error."""
    made = table("id,hyp,ref,ref\n1,2,3,4\n", "data.csv")
    with pytest.raises(UnknownName, match=r"unknown column of .*data.csv 'hpy' \(did you mean 'hyp'\?\)"):
        column_of(made, "hpy")
    with pytest.raises(InputMismatch, match="2 columns are called 'ref'"):
        column_of(made, "ref")


@pytest.mark.parametrize(
    ("cell", "label"),
    [
        *(("x", "x"), (" x\t", "x"), (None, ""), (nan, ""), (7, "7"), (True, "true"), (1.5, "1.5")),
        *((date(2020, 1, 1), "2020-01-01"), (Decimal("1.00"), "1.00")),
    ],
)
def test_labels(cell, label):
    """Text, numbers, truth values and dates are labels; a missing one is the empty label."""
    assert label_of(cell) == label


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("a.csv", "csv"),
        ("a.TSV", "tsv"),
        ("a.jsonl.gz", "jsonl"),
        ("A.CSV.GZ", "csv"),
        ("b/a.ndjson.zst", "jsonl"),
        ("a.parquet", "parquet"),
        ("a.sgm.xz", "sgml"),
        ("a.xml", "xml"),
        ("a.en", None),
        ("a.gz", None),
        ("-", None),
        ("csv", None),
    ],
)
def test_form_by_name(name, form):
    """The ending says the format, one for compression left out."""
    assert form_of(name) == form


def test_formats_in_the_manual(root):
    """The manual lists every format with its title and suffixes."""
    manual = (root / "docs" / "inputs.md").read_text("utf-8")
    for name, row in FORMATS.items():
        suffixes = ", ".join(f"`{suffix}`" for suffix in row.suffixes) or "any other name"
        assert f"| {row.title} | {suffixes} | `{name}` |" in manual


def test_new_format(tmp_path, monkeypatch):
    """A row and a reader are a format: it is found by suffix, guessed by first bytes, and read with its options."""
    path = tmp_path / "data.rec"
    path.write_bytes(b"REC a b")
    row = Format("Records", "meteorlib.inputs.table_files:Delimited.tsv", (".rec",), ("delimiter", "header"), b"REC")
    monkeypatch.setitem(FORMATS, "records", row)
    assert form_of("data.rec.gz") == looks_like(Source.open(str(path))) == "records"
    made = open_table(str(path), Dialect(delimiter=" ", header=("x", "y", "z")), "hyp", columns=False)
    assert rows_of(made) == [["REC", "a", "b"]]


@given(st.binary(max_size=60), st.sampled_from([*WRITERS, "tsv", "sgml", "xml"]), st.booleans())
def test_random_bytes(tmp_path_factory, content, form, marked):
    """Any bytes give rows, or a meteorlib error that begins with the file."""
    path = tmp_path_factory.mktemp("random") / f"data.{form}"
    heads = {
        "parquet": b"PAR1",
        "xml": b"<dataset>",
        "sgml": b'<tstset setid="s" sysid="a">\n<doc docid="d">\n<seg id="1">',
    }
    path.write_bytes(heads.get(form, b'{"a":') + content if marked else content)
    try:
        made = open_table(str(path), Dialect(), "hyp", columns=True)
        for number, cells in made.rows(made.columns):
            assert len(cells) == len(made.columns)
            assert made.place(number).startswith(f"{path}:")
    except (InvalidText, InputMismatch) as error:
        assert str(error).startswith(f"{path}:")  # noqa: PT017 – an error is as good as rows


@given(st.data())
def test_damaged_anywhere(tmp_path_factory, data):
    """A byte changed anywhere gives rows or a meteorlib error, never another exception."""
    form = data.draw(st.sampled_from(sorted(WRITERS)))
    content = bytearray(WRITERS[form](COLUMNS, TEXTS))
    content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("damaged") / f"data.{form}"
    path.write_bytes(content)
    try:
        made = open_table(str(path), Dialect(), "hyp", columns=True)
        rows_of(made)
    except (InvalidText, InputMismatch) as error:
        assert str(path) in str(error)  # noqa: PT017 – the error is optional


@pytest.mark.parametrize("form", ["csv", "tsv", pytest.param("jsonl", marks=pytest.mark.thorough)])
def test_memory(tmp_path, form):
    """Memory does not grow with the file."""
    line = {"csv": '1,"the cat, sat"\n', "tsv": "1\tthe cat sat\n", "jsonl": '{"id": 1, "hyp": "the cat sat"}\n'}[form]
    head = "" if form == "jsonl" else {"csv": "id,hyp\n", "tsv": "id\thyp\n"}[form]
    path = tmp_path / f"data.{form}"
    path.write_text(head + line * 30_000)
    made = open_table(str(path), Dialect(), "hyp", columns=True)
    assert "hyp" in made.columns
    tracemalloc.start()
    assert sum(1 for _ in made.rows(["hyp"])) == 30_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000


@needs_pyarrow
def test_parquet_batches(tmp_path, monkeypatch, lowered):
    """Parquet is read batch by batch; the batches do not show."""
    from pyarrow import parquet as pq

    sizes = []
    original = pq.ParquetFile.iter_batches

    def sized(*given, **named):
        for batch in original(*given, **named):
            sizes.append(len(batch))
            yield batch

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", sized)
    batches = lowered(table_files, "BATCH_SIZE", 7, lambda: len(sizes))
    path = tmp_path / "data.parquet"
    path.write_bytes(parquet_of({"a": [str(n) for n in range(50)]}, row_group_size=20))
    made = open_table(str(path), Dialect(), "hyp", columns=True)
    assert list(made.rows(["a"])) == [(n + 1, [str(n)]) for n in range(50)]
    assert made.place(3) == f"{path}: row 3"
    assert (batches(), max(sizes), sum(sizes)) == (8, 7, 50)


def test_source_of_a_table_can_be_read_again(tmp_path):
    """The first bytes are looked at without taking them away."""
    path = tmp_path / "x"
    path.write_bytes(b"abc")
    source = Source.open(str(path))
    assert [source.beginning(2), source.beginning(9), b"".join(source.unpacked())] == [b"ab", b"abc", b"abc"]


@needs_pyarrow
def test_name_that_is_no_text(tmp_path):
    """A column of Parquet whose name is no UTF-8 is damage, whichever error pyarrow has for it."""
    content = bytearray(WRITERS["parquet"](COLUMNS, TEXTS))
    content[372] = 128
    (tmp_path / "data.parquet").write_bytes(content)
    with pytest.raises(InvalidText, match=r"data\.parquet"):
        rows_of(open_table(str(tmp_path / "data.parquet"), Dialect(), "hyp", columns=True))
