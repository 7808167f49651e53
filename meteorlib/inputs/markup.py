"""Files of markup by their root element: WMT's XML, NIST's SGML and XML, and formats that are named and refused."""

from __future__ import annotations

import codecs
import re
from codecs import BOM_UTF8

from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.columns import Table
from meteorlib.inputs.text_file import UTF_16
from meteorlib.registry import resolve

EXTRACT = "write the text of each segment on a line of its own, without markup or times, and give that file"

_HEAD = 1 << 14
_NIST = ("mteval", "tstset", "refset", "srcset")
_WMT = "dataset"
_ROOTS = {
    "tmx": "TMX, a translation memory",
    "xliff": "XLIFF",
    "html": "an HTML page",
    "tt": "TTML subtitles",
    "ts": "a translation file of Qt",
    "tei": "TEI",
}
_BEGINNINGS = {
    "an HTML page": rb"\s*(?i:<!DOCTYPE html)\b",
    "SRT subtitles": rb"\s*\d+[ \t]*\r?\n\d\d?:\d\d:\d\d[,.]\d+ +-->",
    "WebVTT subtitles": rb"WEBVTT(?:\s|$)",
    "ASS subtitles": rb"\[Script Info\]",
    "a PO file of gettext": rb'(?:#[^\n]*\n|\s)*msgid "',
    "RTF": rb"\{\\rtf",
    "PDF": rb"%PDF-",
}
"""Formats by what such a file begins with."""

_DECLARED = rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._:-]+)"""
_OF_TEXT = "(?i:utf|iso|cp|gb|big5|euc|shift_?ji|koi8|mac|hz|ascii|johab|tis|kz1048|ptcp)"
_ELEMENT = r"<([A-Za-z][\w.:-]*)"


def sgml(source: Source, role: str) -> Table:
    """A file with the name of SGML; without a root element that says more it is NIST's."""
    return _by_root(source, role, _NIST[0])


def xml(source: Source, role: str) -> Table:
    """A file with the name of XML; without a root element that says more it is WMT's."""
    return _by_root(source, role, _WMT)


def _by_root(source: Source, role: str, usual: str) -> Table:
    head = source.beginning(_HEAD)
    if (title := foreign_format(head)) is not None:
        raise InputMismatch(f"{source.name}: is {title}; {EXTRACT}")
    root = root_of(head)
    if (root if root in (*_NIST, _WMT) else usual) == _WMT:
        table: Table = resolve("meteorlib.inputs.wmt:Wmt")(source)
    else:
        table = resolve("meteorlib.inputs.sgml:Sgml")(source, role, is_xml=usual == _WMT)
    return table


def foreign_format(head: bytes) -> str | None:
    """The title of a format, known by the first bytes of a file, that has texts but is not read."""
    return _ROOTS.get(root_of(head)) or next(
        (name for name, begin in _BEGINNINGS.items() if re.match(begin, head)), None
    )


def root_of(head: bytes) -> str:
    """The local name of the first element, in lowercase, behind declarations and comments; empty without one."""
    text = head.decode("utf-16" if head.startswith(UTF_16) else "utf-8", "replace").removeprefix("\ufeff")
    while True:
        text = text.lstrip()
        for begin, end in (("<?", "?>"), ("<!--", "-->"), ("<!", ">")):
            if text.startswith(begin):
                closed = text.find(end)
                if begin == "<!" and text.find("[", 0, closed) >= 0:  # a document type with declarations
                    closed = text.find(end, text.find("]"))
                break
        else:
            found = re.match(_ELEMENT, text)
            return found[1].rpartition(":")[2].lower() if found else ""
        if closed < 0:
            return ""
        text = text[closed + len(end) :]


def encoding_of(head: bytes, name: str) -> str:
    """The encoding of markup, in a file called `name`, by its first bytes and its declaration.

    Programs write UTF-8 by all of Python's names. A declaration of UTF-16 that is read byte by byte is wrong.
    """
    if head.startswith(UTF_16):
        return "utf-16"
    declared = re.match(_DECLARED, head.removeprefix(BOM_UTF8))
    if declared is None:
        return "utf-8"
    try:
        found = codecs.lookup(declared[1].decode()).name
    except LookupError:
        found = ""
    if not re.match(_OF_TEXT, found):
        raise InvalidText(f"{name}:1", f"cannot be decoded: unknown encoding: {declared[1].decode()}")
    return "utf-8" if found.startswith(("utf-8", "utf-16", "utf-32")) else found


_TAGS_WITHIN = 1 << 18
"""Bytes in which the first reference or hypothesis of a file begins."""

_LANGUAGE_IN_TAG = rb"""(?i)<(?:tstset|refset|ref|hyp)\s(?:[^>]*\s)?(?:trglang|(?:xml:)?lang)\s*=\s*["']([^"'>]+)"""


def language_in_markup(source: Source) -> str:
    """The language of the first set, reference or hypothesis of SGML or XML that says one; empty for none."""
    found = re.search(_LANGUAGE_IN_TAG, source.beginning(_TAGS_WITHIN))
    return found[1].decode(errors="replace") if found else ""
