"""Input as people have it: every format gives the score that the same text gives, alone, in jobs, and by group."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import re
from pathlib import Path

import pytest

from meteorlib import Scorer, compare
from meteorlib.core.totals import Totals
from meteorlib.errors import InputMismatch
from meteorlib.inputs import parallel_texts
from tests.single_system import single, unnamed

PRESET = ["--preset", "nltk"]
WORDS = "the cat sat on a mat while dogs bark at night cats sit".split()


def _segments(count):
    draw = random.Random(5)
    for number in range(count):
        hyp, one, two = (" ".join(draw.choices(WORDS, k=draw.randint(1, 9))) for _ in range(3))
        yield {"id": number, "document": f"d{draw.randint(1, 4)}", "hyp": hyp, "ref": one, "other": two}


SEGMENTS = list(_segments(603))
COLUMNS = ["--hyp-column", "hyp", "--ref-column", "ref", "--ref-column", "other"]


def _text(column):
    return "".join(f"{row[column]}\n" for row in SEGMENTS)


def _csv():
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, SEGMENTS[0])
    writer.writeheader()
    writer.writerows(SEGMENTS)
    return text.getvalue()


def _parquet():
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(SEGMENTS), sink)
    return sink.getvalue()


def _sgml(kind, attribute, columns):
    documents = sorted({row["document"] for row in SEGMENTS}, reverse=kind == "refset")
    lines = [f'<{kind} setid="s">']
    for column in columns:
        for document in documents:
            lines.append(f'<doc docid="{document}" {attribute}="{column}">')
            lines += [f'<seg id="{row["id"]}">{row[column]}</seg>' for row in SEGMENTS if row["document"] == document]
            lines.append("</doc>")
    return "\n".join([*lines, f"</{kind}>", ""])


def _xml():
    lines = ["<dataset>"]
    for number, row in enumerate(SEGMENTS):
        sides = [
            f'<{tag}><p><seg id="1">{row[column]}</seg></p></{tag.split()[0]}>'
            for tag, column in (
                ('ref translator="A"', "ref"),
                ('ref translator="B"', "other"),
                ('hyp system="S"', "hyp"),
            )
        ]
        lines.append(f'<doc id="{number}" domain="{row["document"]}">{"".join(sides)}</doc>')
    return "\n".join([*lines, "</dataset>"])


@pytest.fixture
def inputs(files):
    """Texts of the same segments in all formats."""
    files(
        hyp=_text("hyp"),
        ref=_text("ref"),
        other=_text("other"),
        labels=_text("document"),
        **{
            "data.csv": _csv(),
            "data.tsv": _csv().replace(",", "\t"),
            "data.jsonl.gz": gzip.compress(
                "".join(json.dumps({**row, "refs": [row["ref"], row["other"]]}) + "\n" for row in SEGMENTS).encode()
            ),
            "hyp.sgm": _sgml("tstset", "sysid", ["hyp"]),
            "ref.sgm": _sgml("refset", "refid", ["ref", "other"]),
            "data.xml": _xml(),
        },
    )


@pytest.fixture
def expected(run, inputs):
    """Scores of plain text, with the scores of documents."""
    return run("score", "hyp", "-r", "ref", "-r", "other", *PRESET, "--by", "document=labels", "--format", "json")


WAYS = {
    "CSV": ["data.csv", *COLUMNS],
    "TSV": ["data.tsv", *COLUMNS],
    "JSONL": ["data.jsonl.gz", *COLUMNS],
    "JSONL, list of references": ["data.jsonl.gz", "--hyp-column", "hyp", "--ref-column", "refs"],
    "hypotheses as text, references of a table": ["hyp", "-r", "data.csv", *COLUMNS[2:]],
    "hypotheses of a table, references as text": ["data.csv", *COLUMNS[:2], "-r", "ref", "-r", "other"],
    "two tables": ["data.csv", *COLUMNS[:2], "-r", "data.jsonl.gz", "--ref-column", "refs"],
}


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", WAYS)
def test_every_format_gives_the_same(run, expected, name, jobs):
    """To the last digit, in one process or several; groups too."""
    result = run("score", *WAYS[name], *PRESET, "--by", "document", "--format", "json", "--jobs", jobs)
    assert unnamed(result) == unnamed(expected)


def test_parquet(run, expected, files):
    """Parquet gives the scores of plain text."""
    files(**{"data.parquet": _parquet()})
    result = run("score", "data.parquet", *COLUMNS, *PRESET, "--by", "document", "--format", "json")
    assert unnamed(result) == unnamed(expected)


def test_xml(run, expected):
    """WMT's XML gives the scores of plain text; its columns need not be named."""
    result = run("score", "data.xml", *PRESET, "--by", "domain", "--format", "json")
    assert single(result.out.replace('"domain"', '"document"')) == single(expected.out)


def test_sgml(run, expected):
    """SGML in another order of segments gives the scores of plain text; documents are matched by their ids."""
    result = run("score", "hyp.sgm", "-r", "ref.sgm", *PRESET, "--by", "document", "--format", "json")
    data, known = single(result.out), single(expected.out)
    for one in (data, known):
        one["groups"]["document"].sort(key=lambda group: group["label"])
    assert data == known


@pytest.fixture
def with_crlf(expected, tmp_path):
    """All of these files, with CRLF at the end of every line."""
    for path in tmp_path.iterdir():
        if path.is_file():
            packed = path.suffix == ".gz"
            text = gzip.decompress(path.read_bytes()) if packed else path.read_bytes()
            text = text.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
            path.write_bytes(gzip.compress(text) if packed else text)


@pytest.mark.parametrize("name", ["text", *WAYS])
def test_crlf(run, expected, with_crlf, name):
    """The ends of lines that Windows' editors write change no score, and there is no note about them."""
    given = WAYS.get(name, ["hyp", "-r", "ref", "-r", "other"])
    by = "document=labels" if name == "text" else "document"
    assert unnamed(run("score", *given, *PRESET, "--by", by, "--format", "json")) == unnamed(expected)


def test_crlf_in_sgml_and_xml(run, expected, with_crlf):
    """Nor do they in SGML and XML."""
    for given in (["hyp.sgm", "-r", "ref.sgm"], ["data.xml"]):
        found = single(run("score", *given, *PRESET, "--format", "json").out)
        assert found["score"] == single(expected.out)["score"]


def test_standard_input(run, expected):
    """Tables come through standard input, with their format named."""
    arguments = [*COLUMNS, *PRESET, "--by", "document", "--format", "json"]
    result = run("score", "-", "--input-format", "csv", *arguments, stdin=_csv().encode())
    assert unnamed(result) == unnamed(expected)
    refused = run("score", "-", *arguments, stdin=_csv().encode())
    assert refused.err == (
        "meteorlib: standard input: its name does not show the format of the table: "
        "add --input-format csv, if the guess is right\n"
    )


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.thorough)])
@pytest.mark.parametrize("segments", [pytest.param([], marks=pytest.mark.thorough), ["--segments"]])
def test_groups(run, expected, jobs, segments):
    """A group's score is that of its segments alone; groups come in order of appearance; the total is as without."""
    scorer = Scorer("nltk")
    corpora = {}
    for row in SEGMENTS:
        corpus = corpora.setdefault(row["document"], scorer.corpus())
        corpus.add([row["ref"], row["other"]], row["hyp"])
    asked = [*PRESET, "--format", "json", "--jobs", jobs, *segments]
    data = single(run("score", "data.csv", *COLUMNS, "--by", "document", "--by", "id", *asked).out)
    groups = data.pop("groups")
    assert data == single(run("score", "hyp", "-r", "ref", "-r", "other", *asked).out)
    assert [group["label"] for group in groups["document"]] == list(corpora)
    for group in groups["document"]:
        corpus = corpora[group["label"]]
        assert group["score"] == corpus.score().score
        assert group["mean_segment_score"] == corpus.mean()
        assert group["segment_count"] == len(corpus)
        assert group["statistics"] == corpus.score().to_dict()["statistics"]
    assert len(groups["id"]) == len(SEGMENTS)
    assert isinstance(sum((corpus.totals for corpus in corpora.values()), scorer.corpus().totals), Totals)


def test_groups_as_text_and_tsv(run, files):
    """A table before the total; rows before that of the corpus, with their counts."""
    files(**{"data.csv": "hyp,ref,d\na b,a b,x\nc,d,\na,a,x\n"})
    columns = ["--hyp-column", "hyp", "--ref-column", "ref", *PRESET, "--by", "d"]
    head, *rows = run("score", "data.csv", *columns).out.partition("\n\n")[0].splitlines()
    assert head.split() == ["d", "segments", "score", "precision", "recall", "penalty"]
    assert [row.split()[:2] for row in rows] == [["x", "2"], ["–", "1"]]
    table = run("score", "data.csv", *columns, "--format", "tsv", "--segments").out.splitlines()
    cells = [line.split("\t") for line in table]
    assert [(row[0], row[-1]) for row in cells[1:]] == [
        ("1", "1"),
        ("2", "1"),
        ("3", "1"),
        ("d=x", "2"),
        ("d=", "1"),
        ("corpus", "3"),
    ]
    assert {len(row) for row in cells} == {len(cells[0])}


def test_line_breaks_in_a_segment(run, files):
    """A text with line breaks is one segment, and scores as `Scorer.score` says."""
    hyp, ref = "the cat\nsat\r\non a mat", "the cat sat on\n\nthe mat"
    files(**{"data.jsonl": json.dumps({"h": hyp, "r": ref}) + "\n"})
    result = run("score", "data.jsonl", "--hyp-column", "h", "--ref-column", "r", *PRESET, "--format", "json")
    assert single(result.out)["score"] == Scorer("nltk").score(ref, hyp).score


def test_line_breaks_in_sgml(run, files):
    """A line break in a segment is white space, so that the score is that of the segment on one line."""
    one = '<{}set setid="s" {}id="A">\n<doc docid="d">\n<seg id="1">dogs bark{}at night</seg>\n</doc>\n</{}set>\n'
    for name, end in (("line.sgm", " "), ("lines.sgm", "\n"), ("crlf.sgm", "\r\n")):
        files(**{name: one.format("tst", "sys", end, "tst")})
    files(**{"ref.sgm": one.format("ref", "ref", " ", "ref")})
    for preset in ("nltk", "meteor-1.5-en-core"):
        results = [
            run("score", name, "-r", "ref.sgm", "--preset", preset) for name in ("line.sgm", "lines.sgm", "crlf.sgm")
        ]
        assert results[0].status == 0
        assert results == results[:1] * 3


def test_compare_and_align(run, inputs, files):
    """The other commands read the same."""
    heads = {"hyp": 20, "ref": 20, "other": 20, "data.csv": 21}
    texts = {name: Path(name).read_text(encoding="utf-8").splitlines(keepends=True) for name in heads}
    files(**{name: "".join(texts[name][:count]) for name, count in heads.items()})
    presets = ["--presets", "meteor-2005-exact,nltk", "--format", "json"]
    text = run("compare-presets", "hyp", "-r", "ref", "-r", "other", *presets)
    assert run("compare-presets", "data.csv", *COLUMNS, *presets) == text
    text = run("align", "hyp", "ref", "-m", "exact")
    assert run("align", "data.csv", *COLUMNS[:4], "-m", "exact") == text
    assert run("align", "hyp", "data.csv", *COLUMNS[2:4], "-m", "exact") == text


ADVICE = {
    "CSV": ("x.csv", "a,hyp,ref\n1,b,c\n", "x.csv looks like CSV (columns: a, hyp, ref) and is read as text", ""),
    "CSV by content": ("x", "a,hyp,ref\n1,b,c\n", "x looks like CSV", " --input-format csv"),
    "TSV by content": ("x", "a b\tc\nd\te f\n", "x looks like TSV", " --input-format tsv"),
    "JSONL by content": (
        "x",
        '{"mt": "a"}\n{"mt": "b"}\n',
        "x looks like JSONL (columns: mt)",
        " --input-format jsonl",
    ),
}


@pytest.mark.parametrize("name", ADVICE)
def test_a_table_given_as_text(run, ok, files, name):
    """A table given as text is read as text, with a note on its format and the options that read its columns."""
    file, content, begin, add = ADVICE[name]
    files(ref="a\nb\n", **{file: content})
    result = ok("score", file, "-r", "ref", *PRESET)
    assert result.err.startswith(f"note: {begin}")
    assert f"; to read it as such, add{add} --hyp-column NAME\n" in result.err
    assert "note: " not in run("score", file, "-r", "ref", *PRESET, "--input-format", "text").err


@pytest.mark.parametrize(
    "text", ["Hello, world\nYes, no\n", "a\tb\nc\n", "[1]\n[2]\n", "one, two\nthree, four\n", "{x}\n{y}\n"]
)
def test_text_is_no_table(run, files, text):
    """Sentences with commas, a stray tab, brackets: nothing is said of them."""
    files(hyp=text, ref=text)
    assert run("score", "hyp", "-r", "ref", *PRESET).err == ""


CSV = "id,hyp,ref\n1,a,b\n2,c,d\n"
TABLES = {
    "data.csv": CSV,
    "short.csv": "hyp\na\n",
    "null.jsonl": '{"h": "a", "r": "b"}\n{"h": null, "r": "b"}\n',
    "number.jsonl": '{"h": "a", "r": 3}\n',
    "none.jsonl": '{"h": "a", "r": []}\n',
    "text": "a\nb\n",
    "surrogate.jsonl": '{"h": "a", "r": "\\ud800"}\n',
    "list.jsonl": '{"h": "a", "r": "b", "l": [1]}\n',
    "head.csv": "hyp,ref\n",
    "one.sgm": '<tstset setid="s" sysid="A">\n<doc docid="d">\n<seg id="1">a</seg>\n</doc>\n</tstset>\n',
    "twice.sgm": '<tstset setid="s" sysid="A">\n<doc docid="d">\n<seg id="1">a</seg>\n<seg id="1">b</seg>\n</doc>\n',
    "open.sgm": '<tstset setid="s" sysid="A">\n<doc docid="d">\n<seg id="1">a <seg id="2">b</seg>\n</doc>\n',
    "two.sgm": '<refset setid="s" refid="R">\n<doc docid="d">\n<seg id="2">a</seg>\n</doc>\n</refset>\n',
    "one.xml": '<dataset><doc id="d"><hyp system="A"><seg id="1">a</seg></hyp><hyp system="B"><seg id="1">b</seg></hyp>'
    '<ref><seg id="1">a</seg></ref></doc></dataset>',
    "two.xml": '<dataset><doc id="d"><ref><seg id="2">a</seg></ref></doc></dataset>',
    "gap.xml": '<dataset><doc id="d"><src><seg id="1">a</seg></src><hyp system="A"></hyp><ref><seg id="1">a</seg></ref></doc></dataset>',  # noqa: E501
}
H, R, HR = ["--hyp-column", "h"], ["--ref-column", "r"], ["--hyp-column", "hyp", "--ref-column", "ref"]
MISTAKES = {
    "no such column": (
        ["data.csv", "--hyp-column", "hpy", "--ref-column", "ref"],
        "unknown column of data.csv 'hpy' (did you mean 'hyp'?); known: hyp, id, ref",
    ),
    "no column of hypotheses": (
        ["data.csv", "--ref-column", "ref"],
        "data.csv: which column holds the hypotheses? say --hyp-column NAME; its columns: id, hyp, ref",
    ),
    "no column of references": (
        ["data.csv", "--hyp-column", "hyp"],
        "data.csv: which column holds the references? say --ref-column NAME; its columns: id, hyp, ref",
    ),
    "null": (
        ["null.jsonl", *H, *R],
        "null.jsonl:2: column 'h': null; fill it (an empty string scores 0) or drop the row",
    ),
    "number": (["number.jsonl", *H, *R], "number.jsonl:1: column 'r': expected text, got int"),
    "no references": (
        ["none.jsonl", *H, *R],
        "none.jsonl:1: no reference for 1 segment",
    ),
    "lone surrogate": (
        ["surrogate.jsonl", *H, *R],
        "surrogate.jsonl:1: column 'r': lone surrogate U+D800 at offset 0; decode the text again",
    ),
    "list as label": (
        ["list.jsonl", *H, *R, "--by", "l"],
        "list.jsonl:1: column 'l': a label must be text or a number, got list",
    ),
    "no rows": (["head.csv", *HR], "nothing to score: head.csv: no segments"),
    "unequal counts": (
        ["short.csv", "--hyp-column", "hyp", "-r", "text"],
        "the files must have the same number of segments: short.csv has 1, text has 2",
    ),
    "unequal labels": (
        ["short.csv", "--hyp-column", "hyp", "-r", "short.csv", "--ref-column", "hyp", "--by", "d=text"],
        "the files must have the same number of segments: short.csv has 1, text has 2",
    ),
    "no such label": (["data.csv", *HR, "--by", "dok"], "unknown column of data.csv 'dok'; known: hyp, id, ref"),
    "labels of text": (
        ["text", "-r", "text", "--by", "document"],
        "text has no column 'document'; give a file of labels, one per line: --by document=FILE",
    ),
    "columns of text": (
        ["text", "--hyp-column", "x", "-r", "text", "--input-format", "text"],
        "text: is read as text, one segment per line, which has no columns",
    ),
    "a table without a telling name": (
        ["text", "--hyp-column", "x", "-r", "text"],
        "text: its name does not show the format of the table: add --input-format csv|tsv|jsonl|json|parquet|sgml|xml",
    ),
    "standard input twice": (
        ["-", *HR, "--by", "x=-"],
        "standard input (-) can be read only once: give the other files by name",
    ),
    "other segments of SGML": (
        ["one.sgm", "-r", "two.sgm"],
        (
            "two.sgm lacks 1 id of one.sgm (document 'd' set 's' segment '1'); one.sgm lacks 1 id of two.sgm (document "
            "'d' set 's' segment '2'); rows are joined by document, set, segment: give each row a unique id, the "
            "same in every file, name other columns with --id-column, or join rows by position with --id-column none"
        ),
    ),
    "segment twice in SGML": (
        ["twice.sgm", "-r", "one.sgm"],
        "twice.sgm:4: segment '1' of document 'd' of 'A' occurs twice; give each segment a unique id",
    ),
    "a segment without end in SGML": (
        ["open.sgm", "-r", "one.sgm"],
        (
            "open.sgm:3: segment '1' of document 'd' of 'A': another <seg> before the </seg> of this one; end each "
            "segment with </seg>, and put each on a line of its own"
        ),
    ),
    "other segments of XML": (
        ["one.xml", "--hyp-column", "A", "-r", "two.xml"],
        (
            "two.xml lacks 1 id of one.xml (document 'd' segment '1'); one.xml lacks 1 id of two.xml (document 'd' "
            "segment '2'); rows are joined by document, segment: give each row a unique id, the same in every "
            "file, name other columns with --id-column, or join rows by position with --id-column none"
        ),
    ),
    "a segment that a system lacks": (
        ["gap.xml"],
        "gap.xml:1: segment '1' of document 'd': no text of 'A' for document 'd'",
    ),
    "several systems as one run": (
        ["--runs", "S=one.xml,./one.xml"],
        "one.xml: contains several systems; name one with --hyp-column: A, B",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_one_message(refused, files, name):
    """The message says what is wrong, where, and what to do; nothing is written."""
    files(**TABLES)
    arguments, message = MISTAKES[name]
    assert sorted(refused("score", *arguments, *PRESET).removeprefix("meteorlib: ").split()) == sorted(message.split())


def test_parquet_given_as_text(run, files):
    """Parquet under another name is recognized, not called bad text."""
    files(x=_parquet(), text=_text("ref"))
    result = run("score", "x", "-r", "text", *PRESET)
    assert result.err == "meteorlib: x: is Parquet, not text: add --input-format parquet --hyp-column NAME\n"


@pytest.mark.parametrize("delimiter", ["", "ab", '"', "é"])
def test_bad_delimiter(refused, files, delimiter):
    """A delimiter is one character."""
    files(**TABLES)
    assert "one ASCII character, or tab; got" in refused("score", "data.csv", *HR, "--delimiter", delimiter)


def test_one_stream_for_each_system(files, monkeypatch):
    """Several columns of hypotheses are several systems, against the same references."""
    from meteorlib.inputs.formats import ColumnChoice
    from meteorlib.inputs.system import Inputs

    files(**{"data.csv": "a,b,ref\n1,2,3\n4,5,6\n"})
    one, two = Inputs.systems([], "data.csv", ColumnChoice(("a", "b"), ("ref",)))
    assert (one.name, two.name, one.count, one.references) == ("a", "b", 2, 1)
    assert list(one.segments()) == [(["3"], "1"), (["6"], "4")]
    assert [pair.hypothesis for batch in two.batches() for pair in batch] == ["2", "5"]
    monkeypatch.setattr(parallel_texts, "BATCH_SIZE", 1)
    assert [len(batch) for batch in two.batches()] == [1, 1]


def test_columns_are_compared_as_files_are(run, files):
    """Columns of hypotheses in one table give what as many files of text give."""
    files(**{"t.csv": "A,B,ref\nthe cat,a cat,the cat\na dog,the dog,a dog\n"})
    files(A="the cat\na dog\n", B="a cat\nthe dog\n", ref="the cat\na dog\n")
    columns = ("--hyp-column", "A", "--hyp-column", "B", "--ref-column", "ref")
    for form in ("text", "json", "tsv"):
        options = ("--n", "100", "--format", form, *PRESET)
        table = run("score", "t.csv", *columns, *options)
        assert (table.status, table.out) == (0, run("score", "A", "B", "-r", "ref", *options).out)


GROUPED = {"A": "the cat\na dog\nso\n", "B": "a cat\nthe dog\nno\n", "ref": "the cat\na dog\nso\n", "d": "x\ny\nx\n"}
BY = ("--by", "d=d", "--n", "50", *PRESET)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_groups_of_systems(run, files, jobs):
    """The groups of each system are those that it has alone; of several runs, their mean."""
    files(**GROUPED)
    options = (*BY, "--format", "json", "--jobs", jobs)
    alone = {
        name: single(run("score", name, "-r", "ref", "--by", "d=d", *PRESET, "--format", "json").out)["groups"]
        for name in ("A", "B")
    }
    systems = json.loads(run("score", "A", "B", "--runs", "C=A,B", "-r", "ref", *options).out)["systems"]
    assert [systems[0]["groups"], systems[1]["groups"]] == [alone["A"], alone["B"]]
    for place, group in enumerate(systems[2]["groups"]["d"]):
        both = [alone[name]["d"][place] for name in ("A", "B")]
        assert group["segment_count"] == both[0]["segment_count"]
        for number in ("score", "mean_segment_score"):
            assert group[number] == pytest.approx(sum(one[number] for one in both) / 2)


def test_groups_of_systems_as_text_and_tsv(run, files):
    """A table with a column for each system; rows before each system's own, with their counts."""
    files(**GROUPED)
    groups = run("score", "A", "B", "-r", "ref", *BY).out.partition("\n\n")[0].splitlines()
    assert [line.split()[:2] for line in groups] == [["d", "segments"], ["x", "2"], ["y", "1"]]
    assert groups[0].split()[2:] == ["A", "B"]
    data = json.loads(run("score", "A", "B", "-r", "ref", *BY, "--format", "json").out)["systems"]
    x = [system["groups"]["d"][0] for system in data]
    assert groups[1].split()[2:] == [f"{one['score']:.4f}" for one in x]
    means = run("score", "A", "B", "-r", "ref", *BY, "--mean").out.splitlines()
    assert means[1].split()[2:] == [f"{one['mean_segment_score']:.4f}" for one in x]
    head, *rows = (
        line.split("\t") for line in run("score", "A", "B", "-r", "ref", *BY, "--format", "tsv").out.splitlines()
    )
    assert [(row[0], row[1], row[-1]) for row in rows] == [
        (what, name, count) for name in "AB" for what, count in (("d=x", "2"), ("d=y", "1"), ("corpus", "3"))
    ]
    assert {len(row) for row in rows} == {len(head)}
    assert [float(rows[place][head.index("score")]) for place in (0, 3)] == [one["score"] for one in x]


def test_groups_of_systems_in_papers(run, files):
    """LaTeX and Markdown have a table with a row for each system and a column for each group."""
    files(**GROUPED)
    found = json.loads(run("score", "A", "B", "-r", "ref", *BY, "--format", "json").out)["systems"]
    scores = [f"{group['score']:.4f}" for group in found[1]["groups"]["d"]]
    assert f"| B | {' | '.join(scores)} |" in run("score", "A", "B", "-r", "ref", *BY, "--format", "markdown").out
    latex = run("score", "A", "B", "-r", "ref", *BY, "--format", "latex").out
    assert f"B & {' & '.join(f'${score}$' for score in scores)}" in latex
    assert r"d & x & y \\" in latex


DASHES = ["–", "", '"–"', "-"]
"""Labels that look like the sign for none."""
SHOWN_DASHES = ['"–"', "–", '""–""', "-"]


def test_labels_like_the_sign_for_none(run, files, tmp_path):
    """A label that is a dash is a group of its own, and looks other than that of segments without a label."""
    files(A="a\nb\nc\nd\n", B="a\nb\nc\nx\n", ref="a\nb\nc\nd\n", d="".join(f"{label}\n" for label in DASHES))
    for systems in ("A",), ("A", "B"):
        table = run("score", *systems, "-r", "ref", *BY[:2], *PRESET).out.partition("\n\n")[0].splitlines()
        assert [line.split()[:2] for line in table[1:]] == [[label, "1"] for label in SHOWN_DASHES]
    assert f"| d | {' | '.join(SHOWN_DASHES)} |" in run("score", "A", "-r", "ref", *BY, "-f", "markdown").out
    assert run("report", "A", "-r", "ref", *BY, "-o", "page.html").status == 0
    data = re.search(r'id="data">(.*?)</script>', (tmp_path / "page.html").read_text("utf-8"), re.DOTALL)
    assert json.loads(data[1])["groups"][0]["labels"] == SHOWN_DASHES


def test_other_groups(refused, files):
    """Systems whose rows have different labels are refused, also if the groups have the same names and sizes."""
    table = "hyp\tref\td\nthe cat\tthe cat\tx\na dog\ta dog\t{}\n"
    files(**{"a.tsv": table.format("x"), "b.tsv": table.format("y")})
    columns = ("--hyp-column", "hyp", "--ref-column", "ref", "--by", "d", *PRESET)
    err = refused("score", "a.tsv", "b.tsv", *columns)
    assert "--by d: row 2 has 'x' in a.tsv and 'y' in b.tsv, and systems are compared row by row" in err
    for name, hypothesis, labels in (("a.tsv", "the cat", "xyx"), ("b.tsv", "a dog", "xxy")):
        files(**{name: "hyp\tref\td\n" + "".join(f"{hypothesis}\t{row}\t{d}\n" for row, d in enumerate(labels))})
    for more in ((), ("--id-column", "none")):
        err = refused("score", "a.tsv", "b.tsv", *columns, *more)
    assert "--by d: row 2 has 'y' in a.tsv and 'x' in b.tsv" in err


def test_references_of_systems_that_bring_their_own(run, files):
    """The signature tells how many references there are; where systems differ in that, that they do."""
    files(**{"one.jsonl": '{"hyp": "a", "ref": ["a"]}\n', "two.jsonl": '{"hyp": "a", "ref": ["a", "b"]}\n'})
    options = ("--hyp-column", "hyp", "--ref-column", "ref", "--n", "2", *PRESET)
    assert "|refs:var\n" in run("score", "one.jsonl", "two.jsonl", *options).out
    assert "|refs:2\n" in run("score", "two.jsonl", "two.jsonl", *options).out


CAPTIONS = {1: ["a cat sits on a mat", "the cat is on the mat"], 2: ["a dog runs in the grass"], 3: ["two birds fly"]}
WRITTEN = {2: "a dog runs", 3: "birds fly", 1: "a cat on a mat"}


def _annotations(captions):
    listed = [(image, text) for number in range(2) for image, texts in captions.items() for text in texts[number:][:1]]
    found = [{"id": number, "image_id": image, "caption": text} for number, (image, text) in enumerate(listed)]
    return {"images": [{"id": image} for image in captions], "annotations": found}


@pytest.fixture
def captions(files, printed):
    """Captions and references of three images in COCO's, Karpathy's and other JSON; the result of their texts."""
    splits = [
        {"cocoid": image, "filename": f"{image}.jpg", "split": split, "sentences": [{"raw": text} for text in texts]}
        for split, known in (("train", {9: ["a train"]}), ("test", CAPTIONS))
        for image, texts in known.items()
    ]
    values = {
        "results.json": [{"image_id": image, "caption": text} for image, text in WRITTEN.items()],
        "by_id.json": {str(image): text for image, text in WRITTEN.items()},
        "by_name.json": {f"{image}.jpg": [text] for image, text in WRITTEN.items()},
        "captions_val.json": _annotations(CAPTIONS),
        "captions_more.json": _annotations({**CAPTIONS, 8: ["nothing"]}),
        "dataset_coco.json": {"dataset": "coco", "images": splits},
        "refs.json": {str(image): texts for image, texts in CAPTIONS.items()},
        "texts.json": [*WRITTEN.values()],
        "lists.json": [CAPTIONS[image] for image in WRITTEN],
        "text": [*WRITTEN.values()],
    }
    rows = [{"hyp": text, "ref": CAPTIONS[image]} for image, text in WRITTEN.items()]
    files(
        **{name: json.dumps(value, indent=1 if "more" in name else None) for name, value in values.items()},
        **{"plain.jsonl": "".join(json.dumps(row) + "\n" for row in rows)},
    )
    return single(printed("score", "plain.jsonl", *HR, *PRESET, "--format", "json"))


JSON = {
    "COCO": ["results.json", "-r", "captions_val.json"],
    "captions by id": ["by_id.json", "-r", "captions_val.json"],
    "captions by name": ["by_name.json", "-r", "dataset_coco.json", "--split", "test"],
    "Karpathy": ["results.json", "-r", "dataset_coco.json", "--split", "test"],
    "references by id": ["by_id.json", "-r", "refs.json"],
    "references by id of an array": ["results.json", "-r", "refs.json"],
    "arrays": ["texts.json", "-r", "lists.json"],
    "another name": ["text:json", "-r", "lists.json"],
    "columns beside JSON": ["plain.jsonl", "--hyp-column", "hyp", "-r", "lists.json", "--ref-column", "text"],
}


@pytest.mark.parametrize("name", JSON)
def test_json(printed, captions, name):
    """JSON gives the score of the same texts in JSONL, without a word; images are joined by their ids."""
    assert single(printed("score", *JSON[name], *PRESET, "--format", "json"))["score"] == captions["score"]


def test_a_part_of_the_images(ok, refused, captions, files):
    """Annotations may be of more images than the results, which is said; the others may not."""
    result = ok("score", "results.json", "-r", "captions_more.json", *PRESET, "--format", "json")
    assert single(result.out)["score"] == captions["score"]
    assert result.err == "note: captions_more.json has 1 more row, of an id that no other file has; it is left out\n"
    files(**{"more.json": json.dumps([{"image_id": image, "caption": "a"} for image in (1, 2, 3, 4)])})
    assert "captions_val.json lacks 1 id of more.json (image_id '4')" in refused(
        "score", "more.json", "-r", "captions_val.json", *PRESET
    )


def test_splits(refused, captions):
    """Splits are named if there are several, and only where there are any."""
    message = "has the splits train, test; add --split train|test"
    assert message in refused("score", "results.json", "-r", "dataset_coco.json", *PRESET)
    message = "--split test: no file has splits, as Karpathy's dataset_*.json has; leave it out"
    assert message in refused("score", "results.json", "-r", "captions_val.json", "--split", "test", *PRESET)


def test_json_is_no_text(refused, captions):
    """A file that is one JSON value is never scored as text, by whatever name and way it comes."""
    assert refused("score", "text", "-r", "text", *PRESET) == "meteorlib: text: is JSON, not text: name it text:json\n"
    assert "which column holds the references? say --ref-column" in refused("score", "results.json", *PRESET)
    for arguments in (["-", "-r", "plain.jsonl"], ["lists.json", "-r", "-"]):
        err = refused("score", *arguments, *PRESET, stdin=Path("text").read_bytes())
        assert err == "meteorlib: standard input: is JSON, not text: add --input-format json\n"
    for source in (Path("text"), [Path("text")]):
        with pytest.raises(InputMismatch, match="text: is JSON, not text"):
            compare({"a": Path("plain.jsonl")}, source)


@pytest.mark.parametrize("name", ["hyp:csv", "./hyp:csv"])
def test_a_format_of_one_side(printed, refused, files, name):
    """FILE:FORMAT gives the format of one file, before --input-format; a file of this whole name is that file."""
    files(hyp="h,x\na cat,1\na dog,2\n", ref="a cat\nthe dog\n", **{"ref.tsv": "a cat\nthe dog\n"})
    expected = printed("score", "ref", "-r", "ref", *PRESET, "--score-only")
    assert printed("score", name, "--hyp-column", "h", "-r", "ref", *PRESET, "--score-only") != expected
    table = printed("score", name, "-r", "ref.tsv:text", "--hyp-column", "h", *PRESET, "-f", "tsv")
    assert printed("score", name, "-r", "ref:text", "--input-format", "tsv", *H, *PRESET, "-f", "tsv") == table
    assert printed("score", "ref", "ref:text", "-r", "ref", *PRESET, "-b").split() == expected.split() * 2
    assert "hyp: which column holds the hypotheses? say --hyp-column NAME" in refused(
        "score", name, "-r", "ref", *PRESET
    )
    files(**{"ref:csv": "a cat\nthe dog\n"})
    assert printed("score", "ref:csv", "-r", "ref", *PRESET, "-b") == expected


@pytest.mark.parametrize("side", ["hyp", "ref", "src"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1\n00:00:01,000 --> 00:00:02,000\na\n", "x: is SRT subtitles; write the text of each segment on a line"),
        ("<!DOCTYPE html>\n<p>a</p>\n", "x: is an HTML page; write the text of each segment on a line of its own"),
        ("<?xml version='1.0'?>\n<tmx/>\n", "x: is TMX, a translation memory; write the text of each segment"),
        ("<?xml version='1.0'?>\n<dataset/>\n", "x: is XML, not text: name it x:xml"),
        ("<mteval>\n</mteval>\n", "x: is SGML, not text: name it x:sgml"),
        ("<REFSET>\n</REFSET>\n", "x: is SGML, not text: name it x:sgml"),
        ("<HTML>\n<P>a\n", "x: is an HTML page; write the text of each segment"),
        ("%PDF-1.7\na\n", "x: is PDF; write the text of each segment"),
        ("WEBVTT\n\na\n", "x: is WebVTT subtitles; write the text of each segment"),
    ],
)
def test_markup_is_no_text(refused, files, side, content, message):
    """Files of markup are never scored with it, on either side."""
    files(x=content, text="a\nb\n")
    ways = {
        "hyp": ["score", "x", "-r", "text"],
        "ref": ["score", "text", "-r", "x"],
        "src": ["report", "text", "-r", "text", "--source", "x", "-o", "page.html"],
    }
    assert message in refused(*ways[side], *PRESET)
