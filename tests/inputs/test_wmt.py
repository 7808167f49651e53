"""WMT's XML: a row a segment; hostile XML is an error with file and line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.errors import InvalidText
from meteorlib.inputs import wmt
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.columns import column_of, with_role
from meteorlib.inputs.wmt import Wmt

DATASET = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="wmt">
<collection id="general">
<doc origlang="de" id="d1" domain="news"><src lang="de"><p><seg id="1">Katze</seg><seg id="2">Hund</seg></p></src>
<ref lang="en" translator="A"><p><seg id="1">cat</seg><seg id="2">dog &amp; co</seg></p></ref>
<ref lang="en" translator="B"><p><seg id="2">hound</seg><seg id="1">kitty</seg></p></ref>
<hyp system="X" lang="en"><p><seg id="1">cats</seg><seg id="2">dogs</seg></p></hyp></doc>
</collection>
<doc origlang="en" id="d2"><src lang="de"><p><seg id="1">Baum</seg></p></src>
<ref lang="en" translator="A"><p><seg id="1">t<b>re</b>e</seg></p></ref>
<hyp system="X"><p><seg id="1"/></p></hyp></doc>
</dataset>
"""


@pytest.fixture
def table(tmp_path):
    """Content → the table."""

    def make(content):
        path = tmp_path / "wmt.xml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return Wmt(Source.open(str(path)))

    return make


def rows_of(table, *columns):
    return [list(cells) for _, cells in table.rows([column_of(table, name) for name in columns])]


def error_of(table, content):
    made = table(content)
    with pytest.raises(InvalidText) as caught:
        made.columns  # noqa: B018 – the property raises
    return str(caught.value).removeprefix(made.name)


def test_rows(table):
    """Segments are matched by id within a document; what a document lacks is None; entities are decoded."""
    made = table(DATASET)
    assert list(made.columns) == "document segment collection origlang domain src ref:A ref:B hyp:X".split()
    assert rows_of(made, "document", "segment", "src", "ref:A", "ref:B", "hyp:X") == [
        ["d1", "1", "Katze", "cat", "kitty", "cats"],
        ["d1", "2", "Hund", "dog & co", "hound", "dogs"],
        ["d2", "1", "Baum", "t re e", None, ""],
    ]
    assert rows_of(made, "domain", "collection", "origlang") == [["news", "general", "de"]] * 2 + [[None, None, "en"]]
    assert [made.place(number).rpartition("/")[2] for number, _ in made.rows(["segment"])] == [
        "wmt.xml:4: segment '1' of document 'd1'",
        "wmt.xml:4: segment '2' of document 'd1'",
        "wmt.xml:9: segment '1' of document 'd2'",
    ]


def test_attributes_that_are_called_as_ids(table):
    """The ids of a document and its collection are those of the elements, whatever attributes it has."""
    doc = '<doc id="d{0}" document="x" collection="y"><hyp system="X"><seg id="1">t</seg></hyp></doc>'
    made = table(f'<dataset><collection id="c">{doc.format(1)}</collection>{doc.format(2)}</dataset>')
    assert rows_of(made, "document", "collection") == [["d1", "c"], ["d2", "y"]]


def test_roles(table):
    """The file says which columns are hypotheses and references; their names do without that."""
    made = table(DATASET)
    assert (with_role(made, "hyp"), with_role(made, "ref")) == (["hyp:X"], ["ref:A", "ref:B"])
    assert (column_of(made, "X", "hyp"), column_of(made, "A", "ref")) == ("hyp:X", "ref:A")


def test_any_encoding(table):
    """The encoding is what the XML says."""
    assert rows_of(table(DATASET.replace("utf-8", "utf-16").encode("utf-16")), "src")[0] == ["Katze"]
    latin = DATASET.replace("utf-8", "iso-8859-1").replace("Katze", "Kätzchen").encode("latin-1")
    assert rows_of(table(latin), "src")[0] == ["Kätzchen"]


DOC = '<dataset><doc id="d">\n{}</doc></dataset>'
HOSTILE = {
    "entity bomb": (
        '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><dataset/>',
        ":1: a document type declaration (<!DOCTYPE …>), which is not read; remove it",
    ),
    "external entity": (
        '<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><dataset>&e;</dataset>',
        ":2: a document type declaration (<!DOCTYPE …>), which is not read; remove it",
    ),
    "unknown entity": (
        DOC.format("<src><seg>&e;</seg></src>"),
        ":2: document 'd', source, segment '1': no XML: &e; is no entity of XML; write the character itself (column 11)",  # noqa: E501
    ),
    "depth": ("<a>" * 200, ":1: elements are nested deeper than 100 levels"),
    "open end": ("<dataset>\n<doc>", ":2: document '': no XML: no element found (column 6)"),
    "no XML": ("hello", ":1: no XML: syntax error (column 1)"),
    "no documents": ("<dataset/>", ": contains no <doc> with <src>, <ref> or <hyp>; is it WMT's XML?"),
    "segment twice": (
        DOC.format('<src><seg id="1"/>\n<seg id="1"/></src>'),
        ":3: document 'd', source: segment '1' stands twice",
    ),
    "number of a segment without id": (
        DOC.format('<src><seg id="2"/>\n<seg/></src>'),
        ":3: document 'd', source: segment '2' stands twice",
    ),
    "system twice": (
        DOC.format('<hyp system="A"/>\n<hyp system="A"/>'),
        ":3: document 'd': a second <hyp> of 'A' in the document",
    ),
    "source twice": (DOC.format("<src/>\n<src/>"), ":3: document 'd': a second <src> in the document"),
    "side in side": (DOC.format("<src><ref/></src>"), ":2: document 'd', source: <ref> inside of another"),
    "side outside": ("<dataset>\n<src/></dataset>", ":2: <src> outside of a <doc>"),
    "segment outside": (DOC.format("<seg/>"), ":2: document 'd': <seg> outside of <src>, <ref> and <hyp>"),
    "segment in segment": (
        DOC.format("<src><seg><seg/></seg></src>"),
        ":2: document 'd', source, segment '1': a <seg> inside of a <seg>",
    ),
    "document twice": (
        '<dataset>\n<doc id="d"/>\n<doc id="d"/></dataset>',
        ":3: document 'd' occurs twice; give each document a unique id",
    ),
    "document in document": (DOC.format("<doc/>"), ":2: document 'd': a <doc> inside of a <doc>"),
    "encoding": (
        "<?xml version='1.0' encoding='x-nothing'?><dataset/>",
        ":1: cannot be decoded: unknown encoding: x-nothing",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile(table, name):
    """Invalid or malicious XML is reported with its line; nothing is fetched, nothing expanded."""
    content, message = HOSTILE[name]
    assert error_of(table, content) == message


def test_sizes(table, monkeypatch):
    """Endless text and endless tags end the reading."""
    monkeypatch.setattr(wmt, "LONGEST_TEXT", 1000)
    monkeypatch.setattr(wmt, "MAX_TAG_SIZE", 1 << 17)
    long = DOC.format(f"<src><seg>{'x' * 2000}</seg></src>")
    assert (
        error_of(table, long)
        == ":2: document 'd', source, segment '1': more than 1,000 characters; is each line one segment?"
    )
    assert (
        error_of(table, DOC.format(f"<src a='{'x' * 900_000}'/>"))
        == ":2: document 'd': a tag or comment of more than 131,072 bytes"
    )


TAGS = (
    '<dataset>|</dataset>|<doc id="d">|</doc>|<src>|</src>|<ref translator="A">|</ref>|<hyp system="B">|</hyp>|'
    """<seg id="1">|<seg id="2">|</seg>|text|&amp;|&|<|\n|<!--|-->|<![CDATA[|]]>|<?xml version='1.0'?>"""
).split("|")


@given(st.lists(st.sampled_from(TAGS), max_size=25))
def test_any_mixture_of_tags(tmp_path_factory, parts):
    """Tags in any order give rows, or an error with its place."""
    path = tmp_path_factory.mktemp("xml") / "wmt.xml"
    path.write_bytes("".join(parts).encode())
    made = Wmt(Source.open(str(path)))
    try:
        assert all(len(cells) == len(made.columns) for _, cells in made.rows(made.columns))
    except InvalidText as error:
        assert str(error).startswith(f"{path}:")  # noqa: PT017 – an error is as good as rows


def test_documents_are_read_one_at_a_time():
    """No more of a file is read than the documents that were asked for."""
    one = b'<doc><src><seg id="1">' + b"x" * 1000 + b"</seg></src></doc>"

    class Endless(Source):
        def unpacked(self):
            yield b"<dataset>"
            for _ in range(3):
                yield one
            raise AssertionError("read too far")

    documents = wmt._Reader("endless").read(Endless("endless"))
    assert [next(documents).attributes["document"] for _ in range(3)] == ["", "", ""]
