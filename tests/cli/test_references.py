"""References as people have them: a row each, different numbers, absent ones, and references that are systems."""

from __future__ import annotations

import csv
import io
import json

import pytest

from meteorlib import Scorer

HYPOTHESES = ["the cat sat on the mat", "dogs bark at night", "he said so"]
REFERENCES = [
    ["a cat sat on a mat", "the cat was on the mat"],
    ["at night dogs bark"],
    ["so he said", "he told us so", "that is what he said"],
]
ALL = ["--hyp-column", "hyp", "--ref-column", "a", "--ref-column", "b", "--ref-column", "c"]
"""Three columns of references, of which rows lack some."""

ROWS = [
    {"hyp": hypothesis, **dict(zip("abc", references, strict=False))}
    for hypothesis, references in zip(HYPOTHESES, REFERENCES, strict=True)
]


def score_of(hypotheses=HYPOTHESES, references=REFERENCES, preset="meteor-2005"):
    return Scorer(preset).corpus().extend(references=references, hypotheses=hypotheses).score().score


def jsonl(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def table(rows):
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, [*dict.fromkeys(name for row in rows for name in row)], restval="")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def parquet(rows):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    return sink.getvalue()


def lines(texts):
    return "".join(f"{text}\n" for text in texts)


def xml(rows):
    sides = [
        f'<doc id="{number}">'
        + "".join(
            f'<{"hyp system" if name == "hyp" else "ref translator"}="{name}"><p><seg id="1">{text}</seg></p>'
            f"</{'hyp' if name == 'hyp' else 'ref'}>"
            for name, text in row.items()
        )
        + "</doc>"
        for number, row in enumerate(rows)
    ]
    return f"<dataset>{''.join(sides)}</dataset>"


def sgml(kind, attribute, texts):
    documents = "".join(
        f'<doc docid="d" {attribute}="{name}">\n'
        + "".join(f'<seg id="{number}">{text}</seg>\n' for number, text in own.items())
        + "</doc>\n"
        for name, own in texts.items()
    )
    return f'<{kind} setid="s">\n{documents}</{kind}>\n'


def column(name):
    return {number: row[name] for number, row in enumerate(ROWS) if name in row}


@pytest.fixture
def score(run):
    """The only system's score, or the scores of several, and the notes."""

    def scored(*arguments, preset="meteor-2005"):
        result = run("score", *arguments, "--preset", preset, "--format", "json", "--paired", "none")
        assert result.status == 0, result.err
        systems = {system["name"]: system["score"] for system in json.loads(result.out)["systems"]}
        return systems if len(systems) > 1 else systems.popitem()[1], result.err

    return scored


NESTED = [{"hyp": row["hyp"], "refs": {name: text for name, text in row.items() if name != "hyp"}} for row in ROWS]

ABSENT = {
    "field of JSONL": (jsonl(ROWS), "d.jsonl", ALL),
    "null": (jsonl({**dict.fromkeys("abc"), **row} for row in ROWS), "d.jsonl", ALL),
    "null in a list": (
        jsonl({"hyp": row["hyp"], "refs": [None, *map(row.get, "abc")]} for row in ROWS),
        "d.jsonl",
        ["--hyp-column", "hyp", "--ref-column", "refs"],
    ),
    "a list or nothing": (
        jsonl(
            {"hyp": row["hyp"], "a": row["a"], "more": [row["b"], row.get("c")] if "b" in row else None} for row in ROWS
        ),
        "d.jsonl",
        ["--hyp-column", "hyp", "--ref-column", "a", "--ref-column", "more"],
    ),
    "an empty list beside another column": (
        jsonl({"hyp": row["hyp"], "a": row["a"], "more": [row[name] for name in "bc" if name in row]} for row in ROWS),
        "d.jsonl",
        ["--hyp-column", "hyp", "--ref-column", "a", "--ref-column", "more"],
    ),
    "field of an object": (
        jsonl(NESTED),
        "d.jsonl",
        ["--hyp-column", "hyp", *(word for name in "abc" for word in ("--ref-column", f"refs.{name}"))],
    ),
    "field of CSV": (table(ROWS), "d.csv", ALL),
    "field of TSV": (table(ROWS).replace(",", "\t"), "d.tsv", ALL),
    "null of Parquet": (lambda: parquet([{**dict.fromkeys("abc"), **row} for row in ROWS]), "d.parquet", ALL),
    "field of a struct": (
        lambda: parquet([*NESTED[2:], *NESTED[:2]]),
        "d.parquet",
        ["--hyp-column", "hyp", *(word for name in "abc" for word in ("--ref-column", f"refs.{name}"))],
    ),
    "translator": (xml(ROWS), "d.xml", []),
    "named translator": (xml(ROWS), "d.xml", ALL),
}


@pytest.mark.parametrize("kind", ABSENT)
def test_absent_references(files, score, kind):
    """Null, a missing field and an empty one are no references, in every format."""
    content, name, options = ABSENT[kind]
    files(**{name: content() if callable(content) else content})
    assert score(name, *options) == (score_of(), "")


@pytest.mark.parametrize("preset", ["meteor-2005", "meteor-2026-en-core"])
def test_absent_lines(files, score, preset):
    """An empty line of one of several files is no reference; the order of the files does not matter."""
    files(h=lines([*HYPOTHESES[:2], "none of it"]), **{n: lines(row.get(n, "") for row in ROWS) for n in "abc"})
    found = {
        score("h", *(word for name in order for word in ("-r", name)), preset=preset)[0] for order in ("abc", "cba")
    }
    assert found == {score_of([*HYPOTHESES[:2], "none of it"], preset=preset)}


def test_absent_lines_of_meteor_15(files, score):
    """METEOR 1.5 takes the first of equal references, also an empty one, as its program does."""
    files(h="none of it\nhe said so\n", a="\nso he said\n", b="a cat sat\nso he said\n")
    one, other = (
        score("h", *sides, preset="meteor-1.5-en-core")[0] for sides in (["-r", "a", "-r", "b"], ["-r", "b", "-r", "a"])
    )
    assert one > other
    assert one == score_of(["none of it", "he said so"], [["", "a cat sat"], ["so he said"]], "meteor-1.5-en-core")


def test_absent_segment_of_sgml(files, score):
    """A reference that has not all segments of the others."""
    files(
        **{
            "h.sgm": sgml("tstset", "sysid", {"hyp": column("hyp")}),
            "r.sgm": sgml("refset", "refid", {name: column(name) for name in "abc"}),
        }
    )
    assert score("h.sgm", "-r", "r.sgm") == (score_of(), "")


EMPTY = [{"hyp": "x", "a": "y", "b": "z"}, {"hyp": "x", "a": "", "b": " "}]

EMPTIED = "no reference: null, missing or empty; fill one in or remove the row"

WITHOUT = {
    "lines": ({"h": "x\nx\n", "a": "y\n\n", "b": "z\n \n"}, ["h", "-r", "a", "-r", "b"], f"a:2, b:2: {EMPTIED}"),
    "CSV": ({"d.csv": table(EMPTY)}, ["d.csv", *ALL[:6]], f"d.csv:3: columns 'a', 'b': {EMPTIED}"),
    "JSONL": (
        {"d.jsonl": jsonl([ROWS[0], {"hyp": "x"}])},
        ["d.jsonl", *ALL[:4]],
        "d.jsonl:2: no reference for 1 segment; to score the others, add --keep 'a!='",
    ),
    "list": (
        {"d.jsonl": jsonl([{"hyp": "x", "a": ["y"]}, {"hyp": "x", "a": [None, ""]}])},
        ["d.jsonl", *ALL[:4]],
        f"d.jsonl:2: column 'a': {EMPTIED}",
    ),
    "XML": (
        {"d.xml": xml([ROWS[0], {"hyp": "x"}])},
        ["d.xml"],
        (
            "d.xml:1: segment '1' of document '1': no reference for document '1'; to score the others, add --keep "
            "'document=0'"
        ),
    ),
}


@pytest.mark.parametrize("kind", WITHOUT)
def test_segment_without_references(files, refused, kind):
    """A segment that has no reference left is an error that names it."""
    contents, arguments, message = WITHOUT[kind]
    files(**contents)
    assert message in refused("score", *arguments)


def test_mistyped_field(files, run):
    """A field of objects that no row has is a mistake, not an absent reference."""
    files(**{"d.jsonl": jsonl(NESTED)})
    result = run("score", "d.jsonl", "--hyp-column", "hyp", "--ref-column", "refs.a", "--ref-column", "refs.bb")
    assert (result.status, result.out) == (2, "")
    assert "d.jsonl, column 'refs.bb', has no reference in any row; correct its name, or leave it out" in result.err


def test_one_empty_reference(files, score):
    """A single reference may be empty, as ever: it scores 0."""
    files(h="a b\nc d\n", r="a b\n\n")
    assert score("h", "-r", "r")[0] == score_of(["a b", "c d"], [["a b"], [""]])


HYP = [{"image": f"{number}.jpg", "caption": text} for number, text in enumerate(HYPOTHESES)]
EACH = [{"image": f"{number}.jpg", "caption": text} for number, texts in enumerate(REFERENCES) for text in texts]
MIXED = [EACH[index] for index in (5, 0, 2, 3, 1, 4)]
MERGED = [{**row, "hyp": HYPOTHESES[int(row["image"][0])]} for row in MIXED]
CAPTIONS = ["--hyp-column", "caption", "--ref-column", "caption"]
NOTE = "1 to 3 references for each"

GROUPED = {
    "joined by id": (
        {"h.csv": table(HYP), "r.csv": table(MIXED)},
        ["h.csv", "-r", "r.csv", *CAPTIONS],
        f"r.csv: {NOTE} image",
    ),
    "of COCO": (
        {
            "h.jsonl": jsonl({"image_id": number, "caption": text} for number, text in enumerate(HYPOTHESES)),
            "r.jsonl": jsonl({**row, "image_id": int(row["image"][0]), "id": index} for index, row in enumerate(MIXED)),
        },
        ["h.jsonl", "-r", "r.jsonl", *CAPTIONS],
        f"r.jsonl: {NOTE} image_id",
    ),
    "of documents": (
        {
            "h.csv": table([{"doc": row["image"], "seg": 1, "caption": row["caption"]} for row in HYP]),
            "r.csv": table([{"doc": row["image"], "seg": 1, "caption": row["caption"]} for row in MIXED]),
        },
        ["h.csv", "-r", "r.csv", *CAPTIONS],
        f"r.csv: {NOTE} doc, seg",
    ),
    "by a named column": (
        {
            "h.csv": table([{"mr": row["image"], "caption": row["caption"]} for row in HYP]),
            "r.csv": table([{"mr": row["image"], "caption": row["caption"]} for row in MIXED]),
        },
        ["h.csv", "-r", "r.csv", *CAPTIONS, "--id-column", "mr"],
        f"r.csv: {NOTE} mr",
    ),
    "text beside a table": (
        {"h": lines(HYPOTHESES), "r.csv": table(EACH)},
        ["h", "-r", "r.csv", *CAPTIONS[2:], "--group", "image"],
        f"r.csv: {NOTE} image",
    ),
    "one table": (
        {"d.csv": table([MERGED[index] for index in (1, 2, 0, 3, 4, 5)])},
        ["d.csv", "--hyp-column", "hyp", *CAPTIONS[2:], "--group", "image"],
        f"d.csv: {NOTE} image",
    ),
    "equal labels": (
        {"d.jsonl": jsonl({**MERGED[row], "year": (7, 7.0)[row % 2]} for row in (1, 2, 0, 3, 4, 5))},
        ["d.jsonl", "--hyp-column", "hyp", *CAPTIONS[2:], "--group", "image", "--by", "year"],
        f"d.jsonl: {NOTE} image",
    ),
    "groups of lines": (
        {"h": lines(HYPOTHESES), "r": "\n" + "\n\n".join(map(lines, REFERENCES)) + "\n"},
        ["h", "-r", "r", "--input-format", "groups"],
        f"r: {NOTE} segment",
    ),
    "groups of lines beside a table": (
        {"h.csv": table(HYP), "r": "\n".join(map(lines, REFERENCES))},
        ["h.csv", *CAPTIONS[:2], "-r", "r", "--input-format", "groups"],
        f"r: {NOTE} segment",
    ),
}


@pytest.mark.parametrize("kind", GROUPED)
def test_row_for_each_reference(files, score, kind):
    """Rows with one id are references of one segment, and groups of lines, which a note tells."""
    contents, arguments, note = GROUPED[kind]
    files(**contents)
    found, err = score(*arguments)
    assert (found, err.strip()) == (score_of(), f"note: {note}")


def test_lists_in_grouped_rows(files, score):
    """Each row of a group may hold a list of references, whose form is said."""
    sides = enumerate(zip(HYPOTHESES, REFERENCES, strict=True))
    rows = [{"id": number, "hyp": hyp, "refs": str([ref])} for number, (hyp, refs) in sides for ref in refs]
    files(**{"d.csv": table(rows)})
    found, _ = score("d.csv", "--hyp-column", "hyp", "--ref-column", "refs:list", "--group", "id")
    assert found == score_of()


UNGROUPED = {
    "one table": (
        {"d.csv": table(MERGED)},
        ["d.csv", "--hyp-column", "hyp", *CAPTIONS[2:]],
        (
            "d.csv: rows with the same image have one hypothesis and different references: if they are the "
            "references of one segment, add --group image; if each row is a segment, add --id-column none"
        ),
    ),
    "a column of another name": (
        {"d.csv": table([{"mr": row["image"], "hyp": row["hyp"], "caption": row["caption"]} for row in MERGED])},
        ["d.csv", "--hyp-column", "hyp", *CAPTIONS[2:]],
        "d.csv: rows with the same mr have one hypothesis",
    ),
    "documents": (
        {
            "d.csv": table(
                [{"doc": row["image"], "seg": 1, "hyp": row["hyp"], "caption": row["caption"]} for row in MERGED]
            )
        },
        ["d.csv", "--hyp-column", "hyp", *CAPTIONS[2:]],
        "add --group doc --group seg;",
    ),
    "text beside a table": (
        {"h": lines(HYPOTHESES), "r.csv": table(EACH)},
        ["h", "-r", "r.csv", *CAPTIONS[2:]],
        (
            "r.csv has 3 different values of image: if the rows with one of them are references of one segment, add "
            "--group image"
        ),
    ),
    "text beside a table with ids of another name": (
        {"h": lines(HYPOTHESES), "r.csv": table([{"mr": row["image"], "ref": row["caption"]} for row in EACH])},
        ["h", "-r", "r.csv", "--ref-column", "ref"],
        "add --group mr",
    ),
    "groups of lines": (
        {"h": lines(HYPOTHESES), "r": "\n".join(map(lines, REFERENCES))},
        ["h", "-r", "r"],
        (
            "r has 3 groups of lines, with empty lines between them: if each has the references of a segment, add "
            "--input-format groups"
        ),
    ),
    "text alone": (
        {"h": lines(HYPOTHESES), "r": lines(HYPOTHESES)},
        ["h", "-r", "r", "--group", "image"],
        "--group: h is text and has no columns",
    ),
    "no such column": (
        {"d.csv": table(MERGED)},
        ["d.csv", "--hyp-column", "hyp", *CAPTIONS[2:], "--group", "imag"],
        "unknown column of d.csv 'imag' (did you mean 'image'?)",
    ),
    "different hypotheses in a group": (
        {"d.csv": table([*MERGED, {**MERGED[0], "hyp": "another"}])},
        ["d.csv", "--hyp-column", "hyp", *CAPTIONS[2:], "--group", "image"],
        "d.csv:8: column 'hyp': 'another', but 'he said so' at d.csv:2: rows of one segment may differ in their",
    ),
    "a list as text in a group": (
        {"d.csv": table([*MERGED, {**MERGED[0], "caption": "['so', 'he said']"}])},
        ["d.csv", "--hyp-column", "hyp", *CAPTIONS[2:], "--group", "image"],
        "d.csv:8: column 'caption': a list written as text; to read it, add :list to the name of the column",
    ),
    "several hypotheses for an id": (
        {"h.csv": table([*HYP, HYP[0]]), "r.csv": table(MIXED)},
        ["h.csv", "-r", "r.csv", *CAPTIONS],
        "h.csv repeats 1 id (image '0.jpg', again at h.csv:5)",
    ),
    "a row twice": (
        {"h.csv": table(HYP), "r.csv": table([*EACH[1:3], *EACH[3:4] * 2])},
        ["h.csv", "-r", "r.csv", *CAPTIONS],
        "r.csv repeats 1 id (image '2.jpg', again at r.csv:5)",
    ),
}


@pytest.mark.parametrize("kind", UNGROUPED)
def test_rows_that_are_not_grouped(files, refused, kind):
    """A table that seems to have a row for each reference is refused, with the option to type."""
    contents, arguments, message = UNGROUPED[kind]
    files(**contents)
    assert message in refused("score", *arguments)


SEGMENTS = {
    "row by row": ([*MERGED], ["--id-column", "none"]),
    "systems": ([{"id": 1, "system": name, "hyp": "a b", "caption": name} for name in "xy"], []),
    "questions on an image": (
        [{"image": number // 2, "hyp": "yes" if number < 3 else "no", "caption": str(number)} for number in range(4)],
        [],
    ),
    "kinds with one hypothesis": (
        [{"kind": number // 5, "hyp": ".", "caption": str(number)} for number in range(20)],
        [],
    ),
    "sources that recur": (
        [{"src": str(number % 9), "hyp": str(number % 9), "caption": str(number)} for number in range(10)],
        [],
    ),
}


@pytest.mark.parametrize("kind", SEGMENTS)
def test_rows_that_are_segments(files, score, kind):
    """Rows that only share an id, a source or a hypothesis are segments."""
    rows, options = SEGMENTS[kind]
    files(**{"d.csv": table(rows)})
    expected = score_of([row["hyp"] for row in rows], [row["caption"] for row in rows])
    assert score("d.csv", "--hyp-column", "hyp", *CAPTIONS[2:], *options) == (expected, "")


def test_groups_have_one_label(files, run):
    """Labels and ids of a segment are those of its rows."""
    rows = [{**row, "kind": "cat" if row["image"] == "0.jpg" else "other"} for row in MERGED]
    files(**{"d.csv": table(rows)})
    options = [
        "--hyp-column",
        "hyp",
        *CAPTIONS[2:],
        "--group",
        "image",
        "--by",
        "kind",
        "--segments",
        "--format",
        "json",
    ]
    (system,) = json.loads(run("score", "d.csv", *options).out)["systems"]
    assert [(group["label"], group["segment_count"]) for group in system["groups"]["kind"]] == [
        ("other", 2),
        ("cat", 1),
    ]
    assert [segment["id"] for segment in system["segments"]] == ["2.jpg", "0.jpg", "1.jpg"]


TWO = [{"hyp": row["hyp"], "A": row["a"], "B": REFERENCES[2][number]} for number, row in enumerate(ROWS)]
BOTH = {
    "hyp": score_of(HYPOTHESES, [row["B"] for row in TWO]),
    "A": score_of([row["A"] for row in TWO], [row["B"] for row in TWO]),
}
NAMED = ["--hyp-column", "hyp", "--hyp-column", "A"]

AS_SYSTEMS = {
    "XML": ({"d.xml": xml(TWO)}, ["d.xml", *NAMED]),
    "SGML": (
        {
            "h.sgm": sgml("tstset", "sysid", {"hyp": dict(enumerate(HYPOTHESES))}),
            "r.sgm": sgml("refset", "refid", {name: {n: row[name] for n, row in enumerate(TWO)} for name in "AB"}),
        },
        ["h.sgm", "-r", "r.sgm", "--hyp-column", "A"],
    ),
    "a table": ({"d.csv": table(TWO)}, ["d.csv", *NAMED, "--ref-column", "B"]),
    "tables": (
        {
            "h.csv": table([{"id": n, "hyp": row["hyp"]} for n, row in enumerate(TWO)]),
            "r.jsonl": jsonl([{"id": n, "A": row["A"], "B": row["B"]} for n, row in enumerate(TWO)][::-1]),
        },
        ["h.csv", "-r", "r.jsonl", *NAMED, "--ref-column", "B"],
    ),
}


@pytest.mark.parametrize("kind", AS_SYSTEMS)
def test_reference_as_system(files, score, kind):
    """A reference is scored beside systems, all against the other references."""
    contents, arguments = AS_SYSTEMS[kind]
    files(**contents)
    assert score(*arguments) == (BOTH, "")


def test_reference_alone_and_system_as_reference(files, score):
    """A reference is the only system; a system is the reference."""
    files(**{"d.xml": xml(TWO)})
    assert score("d.xml", "--hyp-column", "A")[0] == BOTH["A"]
    assert score("d.xml", "--hyp-column", "A", "--ref-column", "hyp")[0] == score_of(
        [row["A"] for row in TWO], HYPOTHESES
    )


def test_reference_of_several_files(files, score):
    """A reference of SGML is a system once, beside those of several files."""
    systems = {name: sgml("tstset", "sysid", {name: dict(enumerate(HYPOTHESES))}) for name in "xy"}
    references = {name: {n: row[name] for n, row in enumerate(TWO)} for name in "AB"}
    files(
        **{f"{name}.sgm": content for name, content in systems.items()},
        **{"r.sgm": sgml("refset", "refid", references)},
    )
    found, err = score("x.sgm", "y.sgm", "-r", "r.sgm", "--hyp-column", "A")
    assert (found, err) == ({"x": BOTH["hyp"], "A": BOTH["A"], "y.sgm": BOTH["hyp"]}, "")


def test_only_reference_as_system(files, run):
    """A reference cannot be scored against itself alone."""
    files(**{"d.xml": xml([{"hyp": "x", "A": "y"}])})
    result = run("score", "d.xml", "--hyp-column", "A")
    assert (result.status, result.out) == (2, "")
    assert "d.xml: A: is scored as a system (--hyp-column), and no reference is left; give another one" in result.err


def test_headless_table_of_references_beside_text(files, score):
    """The names of columns, and the delimiter, are those of the only table: of the references."""
    rows = ((number, text) for number, texts in enumerate(REFERENCES) for text in texts if text)
    files(hyp=lines(HYPOTHESES), refs="".join(f"{number};{text}\n" for number, text in rows))
    options = "--header", "image,caption", "--delimiter", ";", "--ref-column", "caption", "--group", "image"
    assert score("hyp", "-r", "refs:csv", *options)[0] == score_of()
