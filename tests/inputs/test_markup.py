"""Markup: the root element decides who reads a file, in any encoding that is declared; other formats are named."""

from __future__ import annotations

import pytest

from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.formats import Dialect, open_table
from meteorlib.inputs.markup import foreign_format, root_of

WMT = """<dataset id="w"><doc id="d"><src lang="de"><p><seg id="1">Kätzchen</seg></p></src>
<supplemental><p><seg id="1">x</seg></p><doc/></supplemental>
<ref lang="en" translator="A"><p><seg id="1">the cat<br/>sat <b>down</b></seg></p></ref>
<hyp system="S"><p><seg id="1">a <g id="1">cat</g>.</seg></p></hyp></doc></dataset>"""
SRCSET = '<srcset setid="s" srclang="de">\n<doc docid="d">\n<seg id="1">Kätzchen</seg>\n</doc>\n</srcset>'
REFSET = (
    '<refset setid="s" refid="A">\n<doc docid="d">\n<p><seg id="1">a caf&#xE9; &amp;lt;</seg></p>\n</doc>\n</refset>'
)
TSTSET = '<tstset setid="s" sysid="S">\n<doc docid="d">\n<seg id="1">a<br/>cat</seg>\n</doc>\n</tstset>'
MTEVAL = f"<mteval>\n{SRCSET}\n{REFSET}\n{TSTSET}\n</mteval>\n"
DECLARED = '<?xml version="1.0" encoding="UTF-8"?>\n'
DOCTYPE = '<!DOCTYPE mteval SYSTEM "ftp://jaguar.ncsl.nist.gov/mt/resources/mteval-xml-v1.3.dtd">\n'


@pytest.fixture
def table(tmp_path):
    """Content, name, role → the table."""

    def make(content, name, role="hyp"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return open_table(str(path), Dialect(), role, columns=False)

    return make


def texts_of(table):
    (row,) = [dict(zip(table.columns, cells, strict=True)) for _, cells in table.rows(table.columns)]
    return {column: text for column, text in row.items() if column == "src" or ":" in column}


@pytest.mark.parametrize("name", ["w.xml", "w.sgm", "w.sgml"])
def test_wmt(table, name):
    """WMT's XML is read by any of the names; elements in a segment separate words, and what is besides is skipped."""
    made = table(WMT, name)
    assert texts_of(made) == {"src": "Kätzchen", "ref:A": "the cat sat down ", "hyp:S": "a cat ."}
    assert list(made.notes) == [f"{made.name}: <supplemental> is skipped (line 2)"]


@pytest.mark.parametrize("name", ["m.xml", "m.sgm"])
@pytest.mark.parametrize("head", ["", DECLARED, DECLARED + DOCTYPE, DOCTYPE, "<!-- made\nby hand -->\n"])
@pytest.mark.parametrize("lines", [True, False])
def test_mteval(table, name, head, lines):
    """NIST's sets have the roles that their elements say, in one file, on lines of their own or not."""
    content = head + MTEVAL if lines else (head + MTEVAL).replace("\n", " ")
    is_xml = name == "m.xml" or head.startswith(DECLARED)
    reference = "a café &lt;" if is_xml else "a caf&#xE9; &lt;"
    assert texts_of(table(content, name)) == {"src": "Kätzchen", "ref:A": reference, "hyp:S": "a cat"}


def test_one_set_has_the_role_of_its_file(table):
    """A set of systems that is given as references is references, with or without the source texts."""
    assert texts_of(table(TSTSET, "t.sgm", "ref")) == {"ref:S": "a cat"}
    assert texts_of(table(f"{SRCSET}\n{TSTSET}", "t.sgm", "ref")) == {"src": "Kätzchen", "ref:S": "a cat"}
    assert texts_of(table(SRCSET, "t.sgm", "src")) == {"src": "Kätzchen"}


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        *((name, "utf-8") for name in ("utf8", "UTF8", "utf_8", "U8", "utf-8-sig", "UTF-8")),
        *(("utf8", "utf-8-sig"), ("utf-16", "utf-16"), ("utf16", "utf-16"), ("UTF-16", "utf-8")),
        *(("latin1", "latin-1"), ("windows-1252", "cp1252"), ("gb18030", "gb18030"), ("ISO-8859-15", "iso8859-15")),
    ],
)
@pytest.mark.parametrize("content", [WMT, MTEVAL])
def test_encodings(table, declared, encoding, content):
    """Encodings have the names that Python gives them; a false declaration of UTF-16 does no harm."""
    marked = f"<?xml version='1.0' encoding='{declared}'?>\n{content}".encode(encoding)
    assert texts_of(table(marked, "t.xml"))["src"] == "Kätzchen"


@pytest.mark.parametrize("declared", ["zip", "hex", "idna", "unicode_escape", "punycode", "x-none"])
def test_encodings_that_are_none(table, declared):
    """Codecs that are no encodings of text files are never used."""
    for content in (WMT, MTEVAL):
        with pytest.raises(InvalidText, match=rf"t\.xml:1: cannot be decoded: unknown encoding: {declared}"):
            texts_of(table(f"<?xml version='1.0' encoding='{declared}'?>\n{content}", "t.xml"))


def test_bytes_of_another_encoding(table):
    """Bytes that the declared encoding does not have are named with the segment."""
    for name, content in (("w.xml", WMT), ("m.xml", MTEVAL)):
        head = "<?xml version='1.0' encoding='ascii'?>\n"
        with pytest.raises(InvalidText, match=r"byte 0xC3 .*is not ascii, the encoding that"):
            texts_of(table(head + content, name))


WRONG = {
    "ampersand": ("AT & T", "'& ': '&' is written &amp; (column {})", 36),
    "joined ampersand": ("AT&T", "'&T<': '&' is written &amp; (column {})", 36),
    "less than": ("I <3 u", "'<3': '<' is written &lt; (column {})", 35),
    "control character": ("a\x02b", "character U+0002 is not allowed here; remove it (column {})", 33),
    "entity of HTML": ("a&nbsp;b", "&nbsp; is no entity of XML; write the character itself (column {})", 33),
    "reference": ("a&#1;b", "&#1; is no character of XML; remove it (column {})", 33),
    "Latin-1": (b"a\xe9b", "byte 0xE9 is not UTF-8; if the file is Latin-1: iconv -f WINDOWS-1252 -t UTF-8 (column {})", 33),  # noqa: E501
    "end tag": ("a</b>", "</b> ends an element that is not open (column {})", 35),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("filler", [0, 1 << 16])
def test_wrong_character(table, name, filler):
    """The message names document, system, segment and the character, wherever the blocks of the file end."""
    wrong, message, column = WRONG[name]
    head = f'<dataset><!--{"x" * filler}--><doc id="d">\n'.encode()
    text = head + b'<hyp system="S"><p><seg id="1">' + (wrong if isinstance(wrong, bytes) else wrong.encode())
    with pytest.raises(InvalidText) as caught:
        texts_of(table(text + b"</seg></p></hyp></doc></dataset>", "w.xml"))
    inside = ":2: document 'd', system 'S', segment '1': no XML: "
    assert str(caught.value).partition("w.xml")[2] == inside + message.format(column)


FOREIGN = {
    "t.tmx": ('<?xml version="1.0"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx version="1.4"/>', "TMX, a translation memory"),  # noqa: E501
    "t.xml": ('<?xml version="1.0"?><tmx/>', "TMX, a translation memory"),
    "x.xlf": ('<xliff xmlns="urn:x" version="2.0"/>', "XLIFF"),
    "x.sgm": ("<xlf:xliff/>", "XLIFF"),
    "p.html": ("<!DOCTYPE html>\n<!-- a --><HTML lang=en>", "an HTML page"),
    "s.srt": ("\ufeff1\r\n00:00:01,000 --> 00:00:02,000\r\na\r\n", "SRT subtitles"),
    "s.txt": ("1\n00:00:01,000 --> 00:00:02,000\na\n", "SRT subtitles"),
    "s.vtt": ("WEBVTT\n\n00:01.000 --> 00:02.000\na\n", "WebVTT subtitles"),
    "d.ttml": ('<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml"/>', "TTML subtitles"),
    "m.po": ('# made\nmsgid ""\nmsgstr ""\n', "a PO file of gettext"),
}  # fmt: skip


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign(table, name):
    """Formats that have other texts around the segments are named and refused, whatever the file is called."""
    content, title = FOREIGN[name]
    with pytest.raises(InputMismatch, match=f"{name}: is {title}; write the text of each segment on a line of its own"):
        table(content, name)


@pytest.mark.parametrize(
    "text", ["1\n2\n", "WEBVTTs\n", "msgid\n", "<b>a</b>\n", "< html >\n", "", "<", "<!--", "<?", "<!x[", "3 < 4"]
)
def test_text_is_not_foreign(text):
    """Lines that resemble markup are text."""
    assert foreign_format(text.encode()) is None


@pytest.mark.parametrize(
    ("head", "root"),
    [
        *(("<a>", "a"), (" <?x?> <!-- <b> --> <a:C d='e'>", "c"), ("<!DOCTYPE a [<!ENTITY b '<c>'>]>\n<D/>", "d")),
        *(("<!DOCTYPE a>", ""), ("<!-- <a>", ""), ("text <a>", "")),
    ],
)
def test_roots(head, root):
    """The first element counts, behind declarations and comments, in any encoding with a mark."""
    assert [root_of(head.encode(encoding)) for encoding in ("utf-8", "utf-8-sig", "utf-16")] == [root] * 3
