"""SGML is read without losing or gluing text, or as METEOR 1.5 reads it; what it dies of is a clear error."""

from __future__ import annotations

import re

import pytest

from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs import sgml
from meteorlib.inputs.sgml import MAX_LENGTH, decode_entities, read_sgml

HEAD = '<tstset setid="s">\n<doc docid="d" sysid="y">\n'


@pytest.fixture
def read(tmp_path):
    """Reads a text as a file; gives the sets and the warnings."""

    def reading(text, **rule):
        path = tmp_path / "file.sgm"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        warnings = []
        sets = read_sgml(str(path), warnings.append, **rule)
        return sets, [warning.replace(str(path), "file.sgm") for warning in warnings]

    return reading


def error_of(read, text, **rule):
    """The message of the error that reading `text` ends with, without the folder."""
    with pytest.raises(InvalidText) as caught:
        read(text, **rule)
    return re.sub(r"^.*/(?=file\.sgm:)", "", str(caught.value))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ('<seg id="1">a b</seg>', {"1": "a b"}),
        ("<SEG ID=1 >a b</Seg >", {"1": "a b"}),
        ('<p><seg\tid = "1"> a b </seg></p> c', {"1": " a b "}),
        ('<seg id="1">a\nb\r\nc</seg>', {"1": "a b c"}),
        ('<seg id="1">\na\n</seg>', {"1": " a "}),
        ('<seg id="1">a <b> c</seg>', {"1": "a   c"}),
        ('<segment id="1">a</segment>\n<seg id="x y"></seg>', {"x y": ""}),
        ("<seg id='1'>a</seg>", {"'1'": "a"}),
        ('<!-- <seg id="1">a</seg> -->', {"1": "a"}),
    ],
)
def test_segments(read, lines, expected):
    """Tags in any case, blanks round =, quotes or none; a line break in a segment is a blank."""
    assert read(f"{HEAD}{lines}\n</doc>\n</tstset>")[0] == {"s": {"y": {"d": expected}}}


@pytest.mark.parametrize(
    ("lines", "expected", "told"),
    [
        (
            '<seg id="1">a\nb\r\nc</seg>',
            {"1": "abc"},
            ["3: a line break in the segment is dropped, which joins the words around it"],
        ),
        ('<seg id="1">a \n b\n</seg>', {"1": "a  b"}, []),
        (
            '<seg id="1">a</seg>\n<seg id="1">b</seg>',
            {"1": "b"},
            ["4: segment '1' of document 'd' of 'y' occurs twice; the last one counts"],
        ),
        (
            '<seg id="1">a</seg> <seg id="2">b</seg>',
            {"1": 'a</seg> <seg id="2">b'},
            ["3: another <seg> before the last </seg> of the line is taken as text"],
        ),
    ],
)
def test_as_meteor(read, lines, expected, told):
    """METEOR's rules where they lose or glue text: the same, with a warning."""
    sets, warnings = read(f"{HEAD}{lines}\n</doc>\n</tstset>", as_meteor=True)
    assert sets == {"s": {"y": {"d": expected}}}
    assert warnings == [f"file.sgm:{warning}" for warning in told]


def test_byte_order_mark(read):
    """A byte order mark is no text, in both ways of reading."""
    marked = "\ufeff" + HEAD.replace("\n", "") + '<seg id="1">a</seg>'
    assert read(marked) == read(marked, as_meteor=True) == ({"s": {"y": {"d": {"1": "a"}}}}, [])


def test_documents_and_systems(read):
    """Documents with one id are merged; one without a system is of the system before it, or of its set's."""
    text = """<mteval><refset refid="r" setid="a"><DOC docid="d"><seg id="1">x</seg></DOC>
        <doc docid="d">\r<seg id="2">y</seg></doc></refset>
        <tstset setid="b"><doc sysid="q" docid = "d">
        <seg id="1">z</seg></doc>
        <doc docid="e"><seg id="1">w</seg></doc></tstset></mteval>"""
    assert read(text) == (
        {"a": {"r": {"d": {"1": "x", "2": "y"}}}, "b": {"q": {"d": {"1": "z"}, "e": {"1": "w"}}}},
        [],
    )


def test_system_of_the_set(read):
    """If a set and a document name different systems, that of the set counts, with a warning."""
    sets, warnings = read('<tstset setid="s" sysid="set">\n<doc docid="d" sysid="doc">\n<seg id="1">a</seg>')
    assert sets == {"s": {"set": {"d": {"1": "a"}}}}
    assert warnings == ["file.sgm:2: 'doc' is of a set of 'set', which counts"]


def test_entities():
    """Five entities are decoded in METEOR's order, in any case; others stay."""
    assert decode_entities("&amp;quot; &QUOT; &amp;amp;lt; &lt;b&gt; &#39; &AMP;&apos;") == (
        "&quot; \" &amp;lt; <b> &#39; &'"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            f'{HEAD}<seg id="1">a',
            "3: segment '1' of document 'd' of 'y': the <seg> has no </seg> before the end of the file",
        ),
        (
            f'{HEAD}<seg id="1">\n{"a" * 999}\n' * 2,
            "3: segment '1' of document 'd' of 'y': the <seg> has no </seg> before the end of the file",
        ),
        (
            f'{HEAD}<seg id="1" x="y">a</seg>',
            '3: document \'d\' of \'y\': <seg id="1" x="y">: a segment has an id and no other attribute, as in <seg id="1">',  # noqa: E501
        ),
        (
            f"{HEAD}<seg>a</seg>",
            "3: document 'd' of 'y': <seg>: a segment has an id and no other attribute, as in <seg id=\"1\">",
        ),
        (
            f'{HEAD}<seg id="1"/>',
            "3: document 'd' of 'y': <seg id=\"1\"/>: a segment has an id and no other attribute, as in <seg id=\"1\">",
        ),
        ('<seg id="1">a</seg>', "1: <seg> before any <doc> of its set"),
        (f'{HEAD}<tstset setid="t">\n<seg id="1">', "4: <seg> before any <doc> of its set"),
        ('<doc docid="d" sysid="y">', "1: <doc> before any <tstset> or <refset>"),
        ("<tstset\n", '1: setid="…" is missing in <tstset> (a tag must be on one line)'),
        (
            '<tstset setid="s">\n<doc docid=d>',
            '2: docid="…" is missing in <doc docid=d> (a tag must be on one line)',
        ),
        (
            '<tstset setid="s">\n<doc docid="d">',
            '2: neither the set nor the document \'d\' has a sysid="…" or refid="…"',
        ),
        (
            HEAD.encode() + b"\n<seg id=1>a\xe9</seg>",
            "4: document 'd' of 'y': byte 0xE9 behind 11 characters is not UTF-8; if the file is Latin-1: iconv -f WINDOWS-1252 -t UTF-8",  # noqa: E501
        ),
        (HEAD.encode() + b"\0", "3: document 'd' of 'y': NUL byte; remove it, or convert the file if it is UTF-16"),
        (HEAD + "<p>" * 1001, "3: document 'd' of 'y': tags are nested deeper than 1,000 levels: end tags are missing"),
        (
            HEAD + '<doc docid="d">\n' * 1001 + "<p>",
            "1002: document 'd' of 'y': tags are nested deeper than 1,000 levels: end tags are missing",
        ),
    ],
)
def test_errors(read, text, message):
    """Unreadable SGML is reported with its line."""
    assert error_of(read, text) == f"file.sgm:{message}"


def test_long_line(read, monkeypatch):
    """A long line is refused before it is read to its end; METEOR's rule is stricter."""
    text = f'{HEAD}<seg id="1">{"x " * MAX_LENGTH}</seg>'
    longer = "longer than 1,000,000 characters: "
    assert error_of(read, text, as_meteor=True) == (
        f"file.sgm:3: document 'd' of 'y': {longer}this is not a file of segments"
    )
    monkeypatch.setattr(sgml, "MAX_LINE_LENGTH", MAX_LENGTH)
    assert longer in error_of(read, text)


def test_long_segment(read):
    """Lines without a </seg> are not collected for ever."""
    assert error_of(read, f'{HEAD}<seg id="1">' + "a line of text\n" * 100_000).endswith(
        "the segment of line 3 is longer than 1,000,000 characters: a </seg> is missing"
    )


@pytest.mark.parametrize("text", ["", "hello\n", "<srcset setid='s'>\n"])
def test_no_sets(read, text):
    """A file without a set is no SGML of segments."""
    with pytest.raises(InputMismatch, match=r"contains no <tstset> or <refset>; is it SGML\?"):
        read(text)


def test_missing_file(tmp_path):
    """A missing file or a folder is an error."""
    with pytest.raises(InputMismatch, match="nowhere: no such file"):
        read_sgml("nowhere")
    with pytest.raises(InputMismatch, match="is a folder"):
        read_sgml(str(tmp_path))
