"""Every format, shortened, doubled, shuffled or with other columns: the pairs that brute force finds, or an error."""

from __future__ import annotations

import csv
import io
import json
import random
from importlib.util import find_spec
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.errors import MeteorError
from meteorlib.inputs.formats import ColumnChoice
from meteorlib.inputs.system import Inputs

ROWS = [(f"d{number // 3}", number % 3 + 1, number) for number in range(7)]
"""Document, number within it, and number of each segment."""

NAMES = {
    "document": ("document", "segment"),
    "doc": ("doc", "seg"),
    "case": ("Document", "SEGMENT"),
    "stray": (" document", "\ufeffSegment\r"),
    "none": ("x", "y"),
}
"""Names of the columns of ids, by kind."""

ALIKE = {"doc": "document", "seg": "segment"}
"""Names of columns of ids and those that mean the same."""

TABLES = ("csv", "tsv", "jsonl", *(["parquet"] if find_spec("pyarrow") else []))
WITH_IDS = ("sgml", "xml")
FORMATS = ("text", *TABLES, *WITH_IDS)


def grouped(rows):
    """The rows in the order in which documents are written one after the other."""
    return [row for document in dict.fromkeys(row[0] for row in rows) for row in rows if row[0] == document]


def markup(rows, begin, end):
    """The documents of SGML or XML."""
    lines = []
    for document in dict.fromkeys(row[0] for row in rows):
        lines.append(begin.format(document))
        lines += [f'<seg id="{seg}">{escape(text)}</seg>' for doc, seg, text in rows if doc == document]
        lines.append(end)
    return "\n".join(lines)


def delimited(form, lines):
    """The bytes of CSV or TSV."""
    if form == "tsv":
        return "".join("\t".join(map(str, line)) + "\n" for line in lines).encode()
    sink = io.StringIO(newline="")
    csv.writer(sink).writerows(lines)
    return sink.getvalue().encode()


def written(form, role, rows, names, text):
    """The bytes of a file. Rows are document, number and text."""
    header = [*names, text]
    objects = [dict(zip(header, row, strict=True)) for row in rows]
    if form == "text":
        return "".join(f"{row[2]}\n" for row in rows).encode()
    if form in ("csv", "tsv"):
        return delimited(form, [header, *rows])
    if form == "jsonl":
        return "".join(json.dumps(one) + "\n" for one in objects).encode()
    if form == "parquet":
        sink = io.BytesIO()
        import pyarrow as pa
        from pyarrow import parquet as pq

        schema = pa.schema([(names[0], pa.string()), (names[1], pa.float64()), (text, pa.string())])
        pq.write_table(pa.Table.from_pylist(objects, schema), sink)
        return sink.getvalue()
    if form == "sgml":
        kind, whose = ("tstset", "sysid") if role == "hyp" else ("refset", "refid")
        return (
            f'<{kind} setid="s" {whose}="A">\n' + markup(rows, '<doc docid="{}">', "</doc>") + f"\n</{kind}>\n"
        ).encode()
    return ("<dataset>" + markup(rows, f'<doc id="{{}}"><{role}>', f"</{role}></doc>") + "</dataset>").encode()


DAMAGE = {
    "nothing": lambda rows, _: rows,
    "shortened": lambda rows, draw: rows[: draw.randrange(len(rows))],
    "a row lost": lambda rows, draw: without(rows, draw.randrange(len(rows))),
    "a row twice": lambda rows, draw: [*rows, draw.choice(rows)],
    "a row instead of another": lambda rows, draw: [*rows[1:], draw.choice(rows[1:])],
    "doubled": lambda rows, _: [*rows, *rows],
    "shuffled": lambda rows, draw: draw.sample(rows, len(rows)),
}


def without(rows, place):
    return [*rows[:place], *rows[place + 1 :]]


def moved(one, other):
    """Whether two columns have the same values in different orders."""
    return one != other and sorted(one) == sorted(other)


def brute_force(sides):
    """The pairs of texts, in the order of the hypotheses; None where there must be an error."""
    keys = []
    for form, names, rows in sides:
        known = NAMES["document"] if form in WITH_IDS else () if form == "text" else names
        keys.append([ALIKE.get(name := column.strip("\ufeff\r ").casefold(), name) for column in known])
        if not rows or (form in WITH_IDS and len({row[:2] for row in rows}) < len(rows)):
            return None
    (_, _, hyp), (_, _, ref) = sides
    if not (keys[0] == keys[1] != [] and keys[0] != ["x", "y"]):
        if keys[0] == keys[1] == ["x", "y"] and any(moved([r[at] for r in hyp], [r[at] for r in ref]) for at in (0, 1)):
            return None
        return [(r[2], h[2]) for r, h in zip(ref, hyp, strict=True)] if len(ref) == len(hyp) else None
    found = [[r[2] for r in ref if r[:2] == h[:2]] for h in hyp]
    once = len({h[:2] for h in hyp}) == len(hyp) == len(ref)
    return [(r[0], h[2]) for r, h in zip(found, hyp, strict=True)] if once and all(len(r) == 1 for r in found) else None


def check(folder, sides, draw):
    """Write two files, each a format, names of ids and a damage, and compare what is read with brute force."""
    written_sides = []
    for role, (form, ids, damage) in zip(("hyp", "ref"), sides, strict=True):
        rows = DAMAGE[damage]([(doc, seg, f"{role} {number}") for doc, seg, number in ROWS], draw)
        rows = grouped(rows) if form in WITH_IDS else rows
        (folder / f"{role}.{form}").write_bytes(written(form, role, rows, NAMES[ids], role))
        written_sides.append((form, NAMES[ids], rows))
    (hyp, *_), (ref, *_) = sides
    choice = ColumnChoice(("hyp",) if hyp in TABLES else (), ("ref",) if ref in TABLES else ())
    expected = brute_force(written_sides)
    try:
        inputs = Inputs.open([str(folder / f"ref.{ref}")], str(folder / f"hyp.{hyp}"), choice)
    except MeteorError as error:
        assert expected is None, (sides, error)  # noqa: PT017 – an error is as good as pairs
    else:
        assert [(pair.references[0], pair.hypothesis) for pair in inputs.segments()] == expected, sides


@pytest.mark.parametrize("ids", ["document", "none"])
@pytest.mark.parametrize("form", FORMATS)
def test_every_damage(tmp_path, form, ids):
    """Two files of a format, with ids and without, one of them damaged in any way."""
    draw = random.Random(form)
    for damage in DAMAGE:
        check(tmp_path, [(form, ids, damage), (form, ids, "nothing")], draw)
        check(tmp_path, [(form, ids, "nothing"), (form, ids, damage)], draw)


SIDE = st.tuples(st.sampled_from(FORMATS), st.sampled_from(sorted(NAMES)), st.sampled_from(sorted(DAMAGE)))


@given(SIDE, SIDE, st.randoms(use_true_random=False))
def test_two_files(tmp_path_factory, hyp, ref, draw):
    """Two files of any format, with any columns of ids and any damage, are read correctly or refused."""
    check(tmp_path_factory.mktemp("damage"), [hyp, ref], draw)


@pytest.mark.parametrize("form", TABLES)
@pytest.mark.parametrize("side", ["hyp", "ref"])
def test_renamed_column(tmp_path, form, side):
    """A column with another name is an error that names the columns, wherever it is."""
    rows = [(doc, seg, str(number)) for doc, seg, number in ROWS]
    for role in ("hyp", "ref"):
        column = f"the {role}" if role == side else role
        (tmp_path / f"{role}.{form}").write_bytes(written(form, role, rows, NAMES["document"], column))
    with pytest.raises(MeteorError, match=f"{side}.{form} '{side}'.* known: .*the {side}"):
        Inputs.open([str(tmp_path / f"ref.{form}")], str(tmp_path / f"hyp.{form}"), ColumnChoice(("hyp",), ("ref",)))


@pytest.mark.parametrize("form", TABLES)
def test_one_file(tmp_path, form):
    """In a file with both columns, rows may be in any order: each has its own reference."""
    rows = [(f"ref {number}", number, f"hyp {number}") for _, _, number in reversed(ROWS)]
    path = tmp_path / f"all.{form}"
    path.write_bytes(written(form, "", rows, ("ref", "id"), "hyp"))
    inputs = Inputs.open([], str(path), ColumnChoice(("hyp",), ("ref",)))
    assert [(pair.references[0], pair.hypothesis) for pair in inputs.segments()] == [(row[0], row[2]) for row in rows]
