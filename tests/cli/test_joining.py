"""Tables with ids side by side: rows belong together by id, whatever their order; what does not fit is an error."""

from __future__ import annotations

import io
import json
import random

import pytest

from tests.single_system import single, unnamed

IDS = range(1, 13)
WORDS = "the cat sat on a mat while dogs bark at night".split()
_draw = random.Random(7)
REF, A, B = ({number: " ".join(_draw.choices(WORDS, k=6)) for number in IDS} for _ in range(3))
PRESET = ("--preset", "nltk")
COLUMNS = ("--hyp-column", "mt", "--ref-column", "ref")


def table(texts, column, order=IDS, ids="id"):
    """A CSV of ids and texts."""
    return "".join([f"{ids},{column}\n", *(f"{number},{texts[number]}\n" for number in order)])


def shuffled(seed):
    return random.Random(seed).sample(IDS, len(IDS))


@pytest.fixture
def tables(files):
    """Two systems and the references, in order and in others."""
    files(
        **{
            "a.csv": table(A, "mt"),
            "b.csv": table(B, "mt"),
            "b2.csv": table(B, "mt", shuffled(1)),
            "ref.csv": table(REF, "ref"),
            "ref2.csv": table(REF, "ref", shuffled(2), "ID"),
            "ref.txt": "".join(f"{REF[number]}\n" for number in IDS),
            "noid.csv": table(REF, "ref", ids="number"),
        }
    )


def _parquet(rows):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    return sink.getvalue()


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("r.jsonl", "".join(json.dumps({"id": number, "ref": REF[number]}) + "\n" for number in shuffled(3))),
        ("r.tsv", table(REF, "ref", shuffled(4), "Id").replace(",", "\t")),
        ("r.parquet", lambda: _parquet([{"id": float(number), "ref": REF[number]} for number in shuffled(5)])),
    ],
)
def test_other_orders(run, ok, files, tables, name, content, jobs):
    """Segments are in the order of HYP, for any order, format, type of ids and case of the column's name."""
    files(**{name: content() if callable(content) else content})
    options = (*COLUMNS, *PRESET, "--format", "json", "--segments", "--jobs", jobs)
    expected = ok("score", "a.csv", "-r", "ref.csv", *options)
    assert run("score", "a.csv", "-r", name, *options) == expected


def test_other_commands(run, tables, tmp_path):
    """All commands that read a hypothesis and its references join rows by id."""
    for command in (("compare-presets", "--presets", "nltk,meteor-2005"), ("explain", "--segment", "5", *PRESET)):
        results = [run(*command, "a.csv", "-r", name, *COLUMNS) for name in ("ref.csv", "ref2.csv")]
        assert results[0].status == 0
        assert results[0] == results[1]
    aligned = [run("align", "a.csv", name, *COLUMNS, *PRESET) for name in ("ref.csv", "ref2.csv")]
    assert aligned[0] == aligned[1]
    for name in ("ref.csv", "ref2.csv"):
        assert run("report", "a.csv", "-r", name, *COLUMNS, *PRESET, "-n", "10", "-o", f"{name}.html").status == 0
    assert (tmp_path / "ref.csv.html").read_text() == (tmp_path / "ref2.csv.html").read_text()


@pytest.mark.parametrize("more", [(), ("--runs", "C=b.csv,b2.csv")])
def test_systems_in_other_orders(run, ok, tables, more):
    """Systems are compared segment by segment: by id, whatever the order of each file."""
    options = (*COLUMNS, *PRESET, "--format", "json", "--segments", "-n", "100", *more)
    expected = ok("score", "a.csv", "b.csv", "-r", "ref.csv", *options)
    found = run("score", "a.csv", "b2.csv", "-r", "ref2.csv", *options)
    assert found.out.replace("b2.csv", "b.csv") == expected.out


def sgml(texts, order, kind=("tst", "sys")):
    """SGML of one document."""
    segments = "".join(f'<seg id="{number}">{texts[number]}</seg>\n' for number in order)
    return f'<{kind[0]}set setid="s" {kind[1]}id="A">\n<doc docid="d">\n{segments}</doc>\n</{kind[0]}set>\n'


def test_sgml_systems_in_other_orders(run, ok, files):
    """Systems in SGML are joined by id, also in files of different orders."""
    files(
        **{
            "a.sgm": sgml(A, IDS),
            "b.sgm": sgml(B, IDS),
            "c.sgm": sgml(B, shuffled(1)),
            "r.sgm": sgml(REF, shuffled(2), ("ref", "ref")),
        }
    )
    options = ("-r", "r.sgm", *PRESET, "--format", "json", "--segments", "-n", "100")
    expected = ok("score", "a.sgm", "b.sgm", *options)
    assert run("score", "a.sgm", "c.sgm", *options).out.replace("c.sgm", "b.sgm") == expected.out


def test_documents(run, refused, files):
    """Numbers that begin anew in each document are ids together with the document."""
    rows = [(f"d{number % 3}", number // 3, number) for number in IDS]
    for name, texts, column, order in (("h.tsv", A, "mt", IDS), ("r.tsv", REF, "ref", shuffled(1))):
        lines = [f"doc\tSeg\t{column}", *("\t".join(map(str, (*rows[n - 1][:2], texts[n]))) for n in order)]
        files(**{name: "\n".join(lines) + "\n"})
    files(**{"a.csv": table(A, "mt"), "ref.csv": table(REF, "ref")})
    options = (*COLUMNS, *PRESET, "--format", "json")
    found, expected = (
        run("score", *files, *options) for files in (("h.tsv", "-r", "r.tsv"), ("a.csv", "-r", "ref.csv"))
    )
    assert unnamed(found) == unnamed(expected)
    err = refused("score", "h.tsv", "-r", "r.tsv", *options, "--id-column", "seg")
    assert "repeats 4 ids (Seg '0', again at h.tsv:3" in err


def test_named_columns(run, printed, files, tables):
    """Any columns can be named; `none` joins rows by position."""
    files(**{"h.csv": table(A, "mt", ids="number"), "r.csv": table(REF, "ref", shuffled(3), "Number")})
    options = (*PRESET, "--format", "json", "--segments")
    expected = run("score", "a.csv", "-r", "ref.csv", *COLUMNS, *options)
    found = run("score", "h.csv", "-r", "r.csv", *COLUMNS, *options, "--id-column", "number")
    assert unnamed(found) == unnamed(expected)
    out = printed("score", "h.csv", "-r", "r.csv", *COLUMNS, *options, "--id-column", "none")
    assert single(out) != single(expected.out)
    assert run("score", "a.csv", "-r", "ref2.csv", *COLUMNS, *options, "--id-column", "none") != expected
    same = single(run("score", "a.csv", "-r", "ref.csv", *COLUMNS, *options, "--id-column", "none").out)
    for number, segment in zip(IDS, same["segments"], strict=True):
        segment["id"] = str(number)
    assert same == single(expected.out)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("systems", [("b2.csv",), ("b2.csv", "a.csv"), ("a.csv", "b2.csv")])
def test_segments_have_their_ids(run, tables, systems, jobs):
    """With --segments, each score is beside the id of its segment, whatever the order of the files."""
    by_id = {number: float(one) for number, one in zip(IDS, _scores(run, "b.csv"), strict=True)}
    options = ("-r", "ref2.csv", *COLUMNS, *PRESET, "--segments", "-q", "--jobs", jobs)
    options += ("-n", "10") if len(systems) > 1 else ()
    order = shuffled(1) if systems[0] == "b2.csv" else [*IDS]
    data = json.loads(run("score", *systems, *options, "-f", "json").out)
    segments = next(one["segments"] for one in data["systems"] if one["name"] == "b2.csv")
    assert {int(one["id"]): one["score"] for one in segments} == by_id
    assert [int(one["id"]) for one in segments] == order
    head, *rows = [line.split("\t") for line in run("score", *systems, *options, "-f", "tsv").out.splitlines()]
    assert head[-1] == "id"
    column = head.index("score")
    told = {int(row[-1]): float(row[column]) for row in rows if row[-1] and row[1] not in {"a.csv"}}
    assert told == by_id
    assert {row[-1] for row in rows if row[0] == "corpus"} == {""}
    head, *lines = [line.split() for line in run("score", *systems, *options).out.split("\n\n")[0].splitlines()]
    assert [int(line[head.index("id")]) for line in lines] == order
    assert [int(line[0]) for line in lines] == [*IDS]


def _scores(run, name):
    found = run("score", name, "-r", "ref.csv", *COLUMNS, *PRESET, "--segments", "-f", "json")
    return [one["score"] for one in single(found.out)["segments"]]


def test_ids_of_several_columns(run, files):
    """They are one text with slashes; segments that were joined by position have no id."""
    for name, column in (("h.tsv", "mt"), ("r.tsv", "ref")):
        files(**{name: f"doc\tseg\t{column}\nd\t1\ta\nd\t2\tb\ne\t1\tc\n"})
    options = ("-r", "r.tsv", *COLUMNS, *PRESET, "--segments")
    found = single(run("score", "h.tsv", *options, "-f", "json").out)
    assert [one["id"] for one in found["segments"]] == ["d/1", "d/2", "e/1"]
    by_position = run("score", "h.tsv", *options, "--id-column", "none", "-f", "json").out
    assert all("id" not in one for one in single(by_position)["segments"])
    assert "id" not in run("score", "h.tsv", *options, "--id-column", "none", "-f", "tsv").out.split("\n")[0].split(
        "\t"
    )


def test_ids_stay_in_their_cells(run, files):
    """Tabs and line breaks of an id are written as in Python."""
    for name, column in (("h.csv", "mt"), ("r.csv", "ref")):
        files(**{name: f'id,{column}\n"x\ty",a\n"2\n3",b\n'})
    files(**{"g.csv": 'id,mt\n"2\n3",b\n"x\ty",a\n'})
    for systems in (["h.csv"], ["h.csv", "g.csv"]):
        for form in ("text", "tsv"):
            out = run("score", *systems, "-r", "r.csv", *COLUMNS, *PRESET, "--segments", "-n", "10", "-f", form).out
            assert "x\\ty" in out
            assert "2\\n3" in out


STRAY = {
    "space": ("t.csv", "mt, id\n", "{mt},{id}\n"),
    "two marks": ("t.csv", "\ufeff\ufeffid,mt\n", "{id},{mt}\n"),
    "camel case": ("t.csv", "segmentId,mt\n", "{id},{mt}\n"),
    "hyphen": ("t.csv", "Segment-ID,mt\n", "{id},{mt}\n"),
    "CR": ("t.tsv", "mt\tid\r\r\n", "{mt}\t{id}\n"),
}


@pytest.mark.parametrize("name", STRAY)
def test_stray_characters_in_names(run, ok, files, tables, name):
    """Columns are found whatever stray characters, case and separators their names have."""
    file, head, row = STRAY[name]
    files(**{file: head + "".join(row.format(id=number, mt=A[number]) for number in shuffled(3))})
    column = "segment_id" if "egment" in head else "id"
    files(**{"a.csv": table(A, "mt"), "r.csv": table(REF, "ref", ids=column)})
    options = ("-r", "r.csv", *COLUMNS, *PRESET, "--format", "json")
    found = ok("score", file, *options)
    files(**{"a.csv": table(A, "mt", ids=column)})
    assert single(found.out) == single(run("score", "a.csv", *options).out)


def test_stray_characters_in_names_of_texts(run, files, tables):
    """Columns of texts are found in the same way, if only one can be meant."""
    files(**{"t.csv": "id, MT,R-E-F\n1,a,a\n", "u.csv": "id,MT,Mt,ref\n1,a,a,a\n"})
    assert run("score", "t.csv", *COLUMNS, *PRESET).status == 0
    assert "unknown column of u.csv 'mt'" in run("score", "u.csv", *COLUMNS, *PRESET).err


SHARED = {
    "unusual name": ("number", "Number", IDS, shuffled(3)),
    "rows that share values": ("doc", "doc", "aaabbbcccddd", "abcdabcdabcd"),
}


@pytest.mark.parametrize("name", SHARED)
def test_another_order_by_position(run, refused, files, name):
    """Tables joined by position are refused if a column that both have shows another order."""
    column, other, values, others = SHARED[name]
    for file, head, texts, cells in (("h.csv", column, A, values), ("r.csv", other, REF, others)):
        rows = [f"{cell},{text}\n" for cell, text in zip(cells, texts.values(), strict=True)]
        files(**{file: f"{head},{'mt' if file == 'h.csv' else 'ref'}\n{''.join(rows)}"})
    err = refused("score", "h.csv", "-r", "r.csv", *COLUMNS, *PRESET)
    assert f"h.csv and r.csv are joined by position, but {column!r} has the same values in different orders" in err
    assert "(--id-column NAME; " in err
    assert run("score", "h.csv", "-r", "r.csv", *COLUMNS, *PRESET, "--id-column", "none").status == 0


def test_nested_ids_by_position(ok, refused, files):
    """Ids in objects of JSONL are not found, but show another order, also if some rows lack another column."""
    for name, column, order in (("h.jsonl", "mt", IDS), ("r.jsonl", "ref", shuffled(3))):
        rows = [{"meta": {"id": number}, column: REF[number]} | ({"x": 1} if number == 3 else {}) for number in order]
        files(**{name: "".join(json.dumps(row) + "\n" for row in rows)})
    err = refused("score", "h.jsonl", "-r", "r.jsonl", *COLUMNS, *PRESET)
    assert "h.jsonl and r.jsonl are joined by position, but 'meta' has the same values" in err
    ok("score", "h.jsonl", "-r", "r.jsonl", *COLUMNS, *PRESET, "--id-column", "meta.id")


@pytest.mark.parametrize("repeated", [("h.csv", "nr,Nr,mt"), ("r.csv", "nr,Nr,ref")])
def test_a_repeated_column_by_position(run, printed, files, repeated):
    """A column name that one table has twice is no evidence that two tables are in different orders."""
    tables = {"h.csv": "nr,mt\n1,a\n2,b\n", "r.csv": "nr,ref\n2,a\n1,b\n"}
    command = ("score", "h.csv", "-r", "r.csv", *COLUMNS, *PRESET)
    files(**tables)
    assert "'nr' has the same values in different orders" in run(*command).err
    file, head = repeated
    _, *rows = tables[file].splitlines()
    files(**{file: "\n".join([head, *(row.replace(",", ",x,") for row in rows)]) + "\n"})
    printed(*command)


def test_systems_in_another_order_by_position(refused, files, tables):
    """Systems in tables without ids, beside references in text, are refused if their rows seem to differ in order."""
    files(**{"h.csv": table(A, "mt", ids="nr"), "g.csv": table(B, "mt", shuffled(3), "nr")})
    err = refused("score", "h.csv", "g.csv", "-r", "ref.txt", "--hyp-column", "mt", *PRESET)
    assert "g.csv and h.csv are joined by position, but 'nr' has the same values in different orders" in err


def test_columns_of_texts_are_no_ids(printed, files):
    """A column of texts may have a usual name of ids."""
    files(**{"h.csv": "Segment\na\nb\n", "r.csv": "other,Segment\nc,a\nd,b\n"})
    printed("score", "h.csv", "-r", "r.csv", "--hyp-column", "Segment", "--ref-column", "Segment", *PRESET)


def test_labels_and_sources(run, files, tables, tmp_path):
    """Labels and sources come from the row with the same id."""
    order = shuffled(4)
    files(
        **{
            "src.csv": "id,src\n" + "".join(f"{number},source {number}\n" for number in order),
            "labels.csv": "id,ref,domain\n" + "".join(f"{number},{REF[number]},{number % 2}\n" for number in order),
            "domains": "".join(f"{number % 2}\n" for number in IDS),
        }
    )
    options = (*COLUMNS, *PRESET, "--format", "json")
    found = run("score", "a.csv", "-r", "labels.csv", "--by", "domain", *options)
    assert found == run("score", "a.csv", "-r", "ref.csv", "--by", "domain=domains", *options)
    report = ("report", "a.csv", "-r", "ref.csv", *COLUMNS, *PRESET, "-n", "10", "-o", "page.html")
    assert run(*report, "--source", "src.csv", "--source-column", "src").status == 0
    page = (tmp_path / "page.html").read_text()
    assert page.index("source 1") < page.index("source 2") < page.index("source 3")


def test_numbers_of_rows_beside_text(run, files, tables):
    """Text is joined by position: ids that number the rows in another order are noted, other ids are not."""
    options = ("-r", "ref.txt", *COLUMNS[:2], *PRESET)
    for order, ids, note in (
        (shuffled(3), "id", True),
        (shuffled(3), "nr", False),
        ([10 * number for number in IDS], "id", False),
        ([number - 1 for number in IDS], "id", False),
        ([number - 1 for number in shuffled(5)], "Segment-ID", True),
    ):
        texts = dict(zip(order, A.values(), strict=True))
        files(**{"h.csv": table(texts, "mt", order, ids)})
        noted = (
            f"note: line N of ref.txt is joined to row N of h.csv, whose column {ids!r} has the numbers of the rows in "
            "another order; if they are numbers of lines, sort the rows by them\n"
        )
        assert run("score", "h.csv", *options).err == (noted if note else "")


@pytest.mark.parametrize("ids", ["id", ""])
def test_contradicting_labels(run, refused, files, ids):
    """Two tables with a column of labels must agree; a row without a label differs from one with it."""
    for name, column, label in (("h.csv", "mt", "x"), ("r.csv", "ref", "y"), ("s.csv", "ref", "x")):
        files(**{name: lp_table(A if column == "mt" else REF, column, label, name="domain", ids=ids)})
    options = (*COLUMNS, *PRESET, "--by", "domain")
    err = refused("score", "h.csv", "-r", "r.csv", *options)
    assert "h.csv:2: column 'domain' is 'x', but 'y' at r.csv:2: rows of a segment must have one label;" in err
    assert run("score", "h.csv", "-r", "s.csv", *options).status == 0


def test_by_position_is_noted(run, tables):
    """If only one of two tables has ids, rows are joined by position, and a note says so."""
    options = (*COLUMNS, *PRESET, "--format", "json")
    by_position = run("score", "a.csv", "-r", "noid.csv", *options)
    assert by_position.err == "note: noid.csv and a.csv are joined by position: noid.csv lacks the ids of a.csv (id)\n"
    assert by_position.out == run("score", "a.csv", "-r", "ref.csv", *options).out
    assert run("score", "a.csv", "-r", "noid.csv", *options, "--id-column", "none").err == ""
    assert run("score", "a.csv", "-r", "ref.txt", *COLUMNS[:2], *PRESET).err == ""


def test_sources_by_position_are_noted(run, files, tables):
    """Sources from a table without ids beside tables with them are noted, too."""
    files(**{"src.csv": "src\n" + "".join(f"source {number}\n" for number in IDS)})
    report = ("report", "a.csv", "-r", "ref.csv", *COLUMNS, *PRESET, "-n", "10", "-o", "page.html")
    done = run(*report, "--source", "src.csv", "--source-column", "src")
    assert done.err.startswith(
        "note: src.csv and a.csv are joined by position: src.csv lacks the ids of a.csv (id)\npage.html"
    )


def test_ids_and_labels_in_another_form_of_unicode(run, files):
    """Names of files are the same id, and labels the same group, whether their accents are composed or not."""
    files(
        **{
            "h.csv": "image,domain,mt\ncafé.jpg,é,a cat\nb.jpg,e\u0301,b\n",
            "r.csv": "image,ref\nb.jpg,b\ncafe\u0301.jpg,a cat\n",
        }
    )
    done = run("score", "h.csv", "-r", "r.csv", *COLUMNS, *PRESET, "--by", "domain", "--segments", "-f", "json")
    found = single(done.out)
    assert found["corpus"]["precision"] == 1
    assert [(group["label"], group["segment_count"]) for group in found["groups"]["domain"]] == [("é", 2)]
    assert [one["id"] for one in found["segments"]] == ["café.jpg", "b.jpg"]


@pytest.mark.parametrize("ids", ["", "id"])
def test_different_sources(run, files, ids):
    """Tables of different source texts are noted: they may be of different test sets."""
    for name, column, head, source in (
        ("h.csv", "mt", "src", "Hund"),
        ("g.csv", "mt", "source", "Katze"),
        ("r.csv", "ref", "Source", "Hund"),
    ):
        files(**{name: lp_table(A if column == "mt" else REF, column, source, name=head, ids=ids)})
    note = "note: 12 rows have different sources, the first at {}:2 and {}:2\n"
    assert run("score", "h.csv", "-r", "r.csv", *COLUMNS, *PRESET).err == ""
    assert run("score", "g.csv", "-r", "r.csv", *COLUMNS, *PRESET).err == note.format("g.csv", "r.csv")
    files(**{"ref.txt": "".join(f"{text}\n" for text in REF.values())})
    done = run("score", "h.csv", "g.csv", "-r", "ref.txt", *COLUMNS[:2], *PRESET, "-n", "10")
    assert done.err == note.format("h.csv", "g.csv")


OTHER_IDS = {"kinds": ("id", "Segment ID"), "images": ("seg", "image_id"), "no kind": ("uid", "guid")}


@pytest.mark.parametrize("name", OTHER_IDS)
def test_ids_of_other_names(run, refused, files, name):
    """Tables with ids of different kinds are refused: the same numbers may count rows in one, segments in the other."""
    own, other = OTHER_IDS[name]
    files(**{"h.csv": table(A, "mt", shuffled(3), own), "r.csv": table(REF, "ref", ids=other)})
    options = ("-r", "r.csv", *COLUMNS, *PRESET)
    err = refused("score", "h.csv", *options)
    assert err == (
        f"meteorlib: r.csv and h.csv have columns of ids, but none in common ({other}; {own}): give the columns "
        "of the same ids one name, or join rows by position: --id-column none\n"
    )
    assert run("score", "h.csv", *options, "--id-column", "none").err == ""
    files(**{"h.csv": table(A, "mt", shuffled(3), other)})
    assert run("score", "h.csv", *options).status == 0


MISTAKES = {
    "missing and extra": (
        {"r.csv": table(REF, "ref", [1, *IDS[5:]]) + "x,y\n"},
        (),
        (
            "r.csv lacks 4 ids of a.csv (id '2'; id '3'; id '4'; and 1 more); a.csv lacks 1 id of r.csv (id 'x'); "
            "rows are joined by id: give each row a unique id, the same in every file, name other columns with "
            "--id-column, or join rows by position with --id-column none\n"
        ),
    ),
    "shortened": ({"r.csv": table(REF, "ref", IDS[:-1])}, (), "r.csv lacks 1 id of a.csv (id '12'); rows are joined"),
    "doubled": (
        {"r.csv": table(REF, "ref", [*IDS, 3, 5, 3])},
        (),
        "r.csv repeats 2 ids (id '3', again at r.csv:14; id '5', again at r.csv:15); rows are joined by id:",
    ),
    "empty": ({"r.csv": table(REF, "ref") + ",x\n"}, (), "r.csv:14: column 'id': a row without an id; rows are joined"),
    "null": (
        {"r.jsonl": '{"id": null, "ref": "x"}\n'},
        ("-r", "r.jsonl"),
        "r.jsonl:1: column 'id': a row without an id",
    ),
    "not a number": (
        {"r.jsonl": '{"id": NaN, "ref": "x"}\n'},
        ("-r", "r.jsonl"),
        "r.jsonl:1: column 'id': a row without an id",
    ),
    "list": (
        {"r.jsonl": '{"id": [1], "ref": "x"}\n'},
        ("-r", "r.jsonl"),
        "r.jsonl:1: column 'id': an id must be text or a number",
    ),
    "only in later rows": (
        {"r.jsonl": '{"ref": "x"}\n{"id": 2, "ref": "x"}\n'},
        ("-r", "r.jsonl"),
        "r.jsonl:1: no field 'id'",
    ),
    "two names": (
        {"r.csv": "id,ID,ref\n1,1,x\n"},
        (),
        "r.csv: id, ID: which one has the ids? add --id-column NAME",
    ),
    "the same name twice": ({"r.csv": "id,id,ref\n1,1,x\n"}, (), "r.csv: 2 columns are called 'id'; rename them"),
    "no such column": (
        {"r.csv": table(REF, "ref")},
        ("--id-column", "nr"),
        "unknown column of a.csv 'nr'; known: id, mt",
    ),
    "no such column in the other table": (
        {"r.csv": table(REF, "ref", [*IDS, 1])},
        ("--id-column", "id", "--id-column", "mt"),
        "unknown column of r.csv 'mt'",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(refused, files, tables, name):
    """Missing, extra, repeated and ambiguous ids are reported: a few of them, and their number."""
    content, more, message = MISTAKES[name]
    files(**content)
    references = () if "-r" in more else ("-r", "r.csv")
    err = refused("score", "a.csv", *references, *COLUMNS, *PRESET, *more)
    assert err.removeprefix("meteorlib: ").startswith(message)


def test_ids_of_one_table(run, refused, files):
    """In a table that holds all rows may share an id, unless its column is named."""
    files(**{"t.csv": "id,mt,ref\n1,a,a\n1,b,b\n"})
    assert run("score", "t.csv", *COLUMNS, *PRESET).status == 0
    err = refused("score", "t.csv", *COLUMNS, *PRESET, "--id-column", "id")
    assert err.startswith("meteorlib: t.csv repeats 1 id (id '1', again at t.csv:3); rows are joined by id:")


@pytest.mark.parametrize("form", ["{}", "{}.0", " {} "])
def test_forms_of_an_id(run, tables, files, form):
    """Whole numbers with and without ``.0``, as numbers or text, and white space around ids make no difference."""
    files(**{
        "r.csv": "".join(["id,ref\n", *(f"{form.format(number)},{REF[number]}\n" for number in shuffled(3))]),
        "r.jsonl": "".join(json.dumps({"id": float(number), "ref": REF[number]}) + "\n" for number in shuffled(4)),
    })  # fmt: skip
    for other in ("r.csv", "r.jsonl"):
        done = run("score", "a.csv", "-r", other, *COLUMNS, *PRESET)
        assert (done.status, done.out) == (0, run("score", "a.csv", "-r", "ref.csv", *COLUMNS, *PRESET).out)


def test_ids_of_text(refused, tables):
    """Text has no ids."""
    err = refused("score", "a.csv", "-r", "ref.txt", "--hyp-column", "mt", "--id-column", "id", *PRESET)
    assert "--id-column: ref.txt is text, one segment per line, and has no ids; leave the option out" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("a.csv", "-r", "ref2.csv", *COLUMNS, "--by", "d=ref.txt"),
            "ref.txt: has no ids, and a.csv and ref2.csv have the same ids in different orders",
        ),
        (
            ("b2.csv", "a.csv", "-r", "ref.txt", *COLUMNS[:2]),
            "ref.txt: has no ids, and b2.csv and a.csv have the same ids in different orders",
        ),
        (
            ("a.sgm", "b.txt", "-r", "r.sgm"),
            "b.txt: has no ids, and a.sgm and r.sgm have the same ids in different orders",
        ),
    ],
)
def test_lines_beside_two_orders(refused, files, tables, arguments, message):
    """A file without ids, beside files with the same ids in different orders, could belong to either: an error."""
    files(**{"b.txt": "".join(f"{text}\n" for text in B.values())})
    files(**{"a.sgm": sgml(A, IDS), "r.sgm": sgml(REF, shuffled(1), ("ref", "ref"))})
    assert message in refused("score", *arguments, *PRESET)


def own(texts, references, order=IDS, ids=False):
    """A TSV of a system that brings references of its own."""
    rows = [[texts[number], references[number], *([str(number)] if ids else [])] for number in order]
    return "".join("\t".join(row) + "\n" for row in [["mt", "ref", *(["id"] if ids else [])], *rows])


@pytest.mark.parametrize("changed", [[], [3], range(2, 12)])
def test_own_references_in_another_order(refused, ok, files, changed):
    """Systems with their own references are refused if one is in another row, even if only two rows are alike."""
    references = REF | {number: f"changed {number}" for number in changed}
    files(**{"a.tsv": own(A, REF), "b.tsv": own(B, references, [*IDS][::-1]), "c.tsv": own(A, B)})
    for systems in (("a.tsv", "b.tsv"), ("b.tsv", "a.tsv"), ("c.tsv", "a.tsv", "b.tsv")):
        err = refused("score", *systems, *COLUMNS, *PRESET, "-n", "10")
        one, other = systems[-2:]
        assert f"{one} and {other} seem to have their rows in different orders: a reference in row " in err
    overruled = ok("score", "a.tsv", "b.tsv", *COLUMNS, *PRESET, "-n", "10", "--id-column", "none")
    assert "a.tsv and b.tsv have different references in 12 of 12 rows" in overruled.err


def test_other_references(run, ok, files):
    """References that differ in place are noted, with their number and the first row."""
    twice = REF | {5: REF[1]}
    files(**{"a.tsv": own(A, REF), "b.tsv": own(B, REF | {4: "x", 9: "y"}), "c.tsv": own(B, twice)})
    done = ok("score", "a.tsv", "b.tsv", "c.tsv", *COLUMNS, *PRESET, "-n", "10")
    told = "of 12 rows, the first of them row"
    assert (
        f"note: a.tsv and b.tsv have different references in 2 {told} 4; they are still compared row by row" in done.err
    )
    assert (
        f"note: a.tsv and c.tsv have different references in 1 {told} 5; they are still compared row by row" in done.err
    )
    assert done.err.count("different references") == 2
    assert "references in" not in run("score", "a.tsv", "a.tsv", *COLUMNS, *PRESET, "-n", "10").err


def test_own_references_with_ids(run, ok, files):
    """If ids join the rows of systems, references may be in other rows."""
    files(**{"a.tsv": own(A, REF, ids=True), "b.tsv": own(B, REF, shuffled(1), ids=True)})
    done = run("score", "a.tsv", "b.tsv", *COLUMNS, *PRESET, "-n", "10")
    assert (done.status, "references in" in done.err) == (0, False)
    swapped = REF | {1: REF[2], 2: REF[1]}
    files(**{"b.tsv": own(B, swapped, shuffled(1), ids=True)})
    done = ok("score", "a.tsv", "b.tsv", *COLUMNS, *PRESET, "-n", "10")
    assert "a.tsv and b.tsv have different references in 2 of 12 rows, the first of them row 1" in done.err


def test_other_numbers_of_own_references(refused, files):
    """Systems with different numbers of segments are refused for that."""
    files(**{"a.tsv": own(A, REF), "b.tsv": own(B, REF, [*IDS][1:])})
    err = refused("score", "a.tsv", "b.tsv", *COLUMNS, *PRESET, "-n", "10")
    assert "systems must have the same number of segments: 'a.tsv' has 12, 'b.tsv' has 11" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("h.jsonl", "-r", "r.jsonl", "--hyp-column", "mt"), "r.jsonl: which column holds the references?"),
        (("h.jsonl", "-r", "r.jsonl", "--ref-column", "ref"), "h.jsonl: which column holds the hypotheses?"),
    ],
)
def test_a_table_beside_columns(refused, files, arguments, message):
    """If one file is read by columns, another whose name says that it is a table is not read as text."""
    files(**{"h.jsonl": '{"mt": "a"}\n', "r.jsonl": '{"ref": "a"}\n'})
    assert message in refused("score", *arguments, *PRESET)


def test_text_beside_a_named_format(run, files, tables):
    """--input-format says what HYP is; references without a column are text all the same."""
    files(hyp=table(A, "mt"))
    done = run("score", "hyp", "--input-format", "csv", "--hyp-column", "mt", "-r", "ref.txt", *PRESET)
    assert done == run("score", "a.csv", "--hyp-column", "mt", "-r", "ref.txt", *PRESET)


def test_text_that_looks_like_a_table(run, files):
    """A file that is read as text beside columns and looks like a table is noted."""
    files(**{"h.csv": "mt\na\nb\n", "r": '{"ref": "a"}\n{"ref": "b"}\n'})
    assert (
        "r looks like JSONL (columns: ref) and is read as text"
        in run("score", "h.csv", "--hyp-column", "mt", "-r", "r", *PRESET).err
    )


XML = """<dataset id="x"><doc id="n1"><ref lang="en"><p>
<seg id="1">dogs bark</seg><seg id="2">cats sit</seg></p></ref></doc></dataset>
"""


@pytest.mark.parametrize(
    ("name", "references"),
    [
        ("r.xml", XML),
        ("r.csv", "document,segment_id,ref\nn1,1,dogs bark\nn1,2,cats sit\n"),
        ("r.csv", "docid,sid,ref\nn1,1,dogs bark\nn1,2,cats sit\n"),
    ],
)
def test_names_of_one_kind(run, files, name, references):
    """Ids under names that mean the same are joined, so that a table fits XML, whose names are fixed."""
    files(
        **{
            "h.csv": "doc,seg,mt\nn1,2,cats sit\nn1,1,dogs bark\n",
            "o.csv": "doc,seg,mt\nn1,2,cats sit\n",
            name: references,
        }
    )
    columns = ["--hyp-column", "mt", *([] if name == "r.xml" else ["--ref-column", "ref"])]
    result = run("score", "h.csv", "-r", name, *columns, *PRESET, "--format", "json")
    assert (single(result.out)["corpus"]["precision"], result.err) == (1.0, "")
    assert "1 id" in run("score", "o.csv", "-r", name, *columns, *PRESET).err


def lp_table(texts, column, lp, *, name="lp", ids=""):
    rows = [f"{lp},{ids and f'{number},'}{text}\n" for number, text in texts.items()]
    return f"{name},{ids and f'{ids},'}{column}\n" + "".join(rows)


@pytest.mark.parametrize("name", ["lp", "Langs", "language_pair"])
@pytest.mark.parametrize("ids", ["", "id"])
def test_language_pairs(run, refused, files, name, ids):
    """Rows of one segment must have one language pair, also in columns of different names; the message has both."""
    files(
        **{
            "h.csv": lp_table(A, "mt", "de-en", ids=ids),
            "r.csv": lp_table(REF, "ref", "fr-en", name=name, ids=ids),
            "s.csv": lp_table(REF, "ref", "de-en", name=name, ids=ids),
            "t.csv": lp_table(REF, "ref", "", name=name),
        }
    )
    err = refused("score", "h.csv", "-r", "r.csv", *COLUMNS, *PRESET)
    if ids:
        assert "r.csv lacks 12 ids of h.csv (lp 'de-en' id '1'; " in err
        assert f"h.csv lacks 12 ids of r.csv ({name} 'fr-en' id '1'; " in err
    else:
        assert f"h.csv:2: column 'lp' is 'de-en', but r.csv:2: column {name!r} is 'fr-en'" in err
        assert run("score", "h.csv", "-r", "t.csv", *COLUMNS, *PRESET).status == 0
    for options in (("s.csv",), ("r.csv", "--id-column", "none"), *([("r.csv", "--id-column", "id")] if ids else [])):
        assert run("score", "h.csv", "-r", *options, *COLUMNS, *PRESET).status == 0
