"""WMT's XML (``<dataset>``) as a table: a row per segment, a column per system or translator."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from xml.parsers import expat
from xml.parsers.expat import errors

from attrs import Factory, define, field, frozen

from meteorlib.errors import InvalidText
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.columns import Row, Table
from meteorlib.inputs.markup import encoding_of, language_in_markup
from meteorlib.inputs.text_file import FROM_LATIN_1
from meteorlib.text.validation import LONGEST_TEXT, too_long_message

KEYS = ("document", "segment")

MAX_DEPTH = 100

MAX_TAG_SIZE = 1 << 20
"""Bytes of a tag, a comment or any other markup."""

_HEAD, _KEPT = 1024, 80
"""Bytes of the file that have the encoding, and those of the text before an error that are shown at most."""

_SIDES = {"src": ("src", "lang"), "ref": ("ref", "translator"), "hyp": ("hyp", "system")}
"""Elements with segments: the name of their column, and the attribute that names the system or translator."""

SUPPLEMENTAL = "supplemental"
"""Element of text that is not part of the test set."""


@frozen(slots=False)
class Wmt(Table):
    """WMT's XML, which declares its encoding; one document is held in memory at a time."""

    @cached_property
    def _outline(self) -> tuple[Sequence[str], Sequence[str]]:
        """The columns, and notes on what is skipped."""
        attributes: dict[str, None] = {}
        sides: dict[str, None] = {}
        reader = _Reader(self.name)
        for document in reader.read(self.source):
            attributes.update(dict.fromkeys(document.attributes))
            sides.update(dict.fromkeys(document.sides))
        if not sides:
            raise InvalidText(self.name, "contains no <doc> with <src>, <ref> or <hyp>; is it WMT's XML?")
        notes = []
        if lines := reader.supplemental:
            first = f"line {lines[0]}" + (f", the first of {len(lines)}" if len(lines) > 1 else "")
            notes.append(f"{self.name}: <{SUPPLEMENTAL}> is skipped ({first})")
        return list(dict.fromkeys([*KEYS, *attributes, *sides])), notes

    @property
    def columns(self) -> Sequence[str]:
        """``document``, ``segment``, ``collection``, attributes of documents, ``src``, ``ref:NAME``, ``hyp:NAME``."""
        return self._outline[0]

    @property
    def notes(self) -> Sequence[str]:
        """A note on text besides the segments, which is skipped."""
        return self._outline[1]

    @property
    def language(self) -> str:
        """The attribute ``trglang`` or ``lang`` of the first set, reference or hypothesis."""
        return language_in_markup(self.source)

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The texts of some columns; None where a document has none."""
        for document in _Reader(self.name).read(self.source):
            for segment, line in document.lines.items():
                cells = [
                    segment
                    if column == "segment"
                    else document.attributes.get(column)
                    if column not in document.sides
                    else document.sides[column].get(segment)
                    for column in columns
                ]
                yield (line, document.attributes["document"], segment), cells

    def place(self, number: tuple[int, str, str]) -> str:
        """File, line, document and segment."""
        line, document, segment = number
        return f"{self.name}:{line}: segment {segment!r} of document {document!r}"


@frozen
class _Document:
    """A document: its attributes, column → segment → text, and the line where each segment first begins."""

    attributes: dict[str, str]
    sides: dict[str, dict[str, str]] = field(factory=dict)
    lines: dict[str, int] = field(factory=dict)


@define
class _Reader:
    name: str
    finished: list[_Document] = Factory(list)
    collection: str = ""
    depth: int = 0
    document: _Document | None = None
    ids: set[tuple[str, str]] = Factory(set)
    side: dict[str, str] | None = None
    segment: str | None = None
    whose: str = ""
    text: list[str] = Factory(list)
    size: int = 0
    skipped: int = 0
    supplemental: list[int] = Factory(list)
    block: bytes = b""
    given: int = 0
    parser: expat.XMLParserType = Factory(lambda: expat.ParserCreate("utf-8"))

    def __attrs_post_init__(self) -> None:
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.doctype

    def read(self, source: Source) -> Iterator[_Document]:
        encoding = encoding_of(source.beginning(_HEAD), self.name)
        for block in _in_utf8(source.unpacked(), encoding, self.error):
            self.given += len(block)
            self.parse(block)
            if self.given - self.parser.CurrentByteIndex > MAX_TAG_SIZE + len(block):
                raise self.error(f"a tag or comment of more than {MAX_TAG_SIZE:,} bytes")
            yield from self.finished
            self.finished.clear()
        self.parse(b"", is_last=True)
        yield from self.finished

    def parse(self, block: bytes, *, is_last: bool = False) -> None:
        self.block = self.block[-_KEPT:] + block
        try:
            self.parser.Parse(block, is_last)
        except expat.ExpatError as error:
            at = self.parser.ErrorByteIndex - self.given + len(self.block)
            reason = f"no XML: {_fault(error.code, self.block, at)} (column {error.offset + 1})"
            raise InvalidText(f"{self.name}:{error.lineno}", self.inside() + reason) from None

    def doctype(self, *_: object) -> None:
        raise self.error("a document type declaration (<!DOCTYPE …>), which is not read; remove it")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"elements are nested deeper than {MAX_DEPTH} levels")
        if self.skipped or tag == SUPPLEMENTAL:
            if not self.skipped:
                self.supplemental.append(self.parser.CurrentLineNumber)
            self.skipped += 1
        elif tag == "collection":
            self.collection = attributes.get("id", "")
        elif tag == "doc":
            if self.document is not None:
                raise self.error("a <doc> inside of a <doc>")
            name = attributes.get("id", "")
            if name and (self.collection, name) in self.ids:
                raise self.error(f"document {name!r} occurs twice; give each document a unique id")
            self.ids.add((self.collection, name))
            ids = {"document": name, **({"collection": self.collection} if self.collection else {})}
            others = {key: value for key, value in attributes.items() if key != "id" and key not in ids}
            self.document = _Document({**ids, **others})
        elif tag in _SIDES:
            self.begin_side(tag, attributes)
        elif tag == "seg":
            self.begin_segment(attributes)
        else:
            self.separate()

    def separate(self) -> None:
        """Separate the words around the tag of an element inside of a segment."""
        if self.segment is not None and self.text and not self.text[-1][-1].isspace():
            self.text.append(" ")

    def begin_side(self, tag: str, attributes: dict[str, str]) -> None:
        if self.document is None or self.side is not None:
            raise self.error(f"<{tag}> {'inside of another' if self.side is not None else 'outside of a <doc>'}")
        role, whose = _SIDES[tag]
        name = attributes.get(whose, "")
        column = "src" if role == "src" else f"{role}:{name or role}"
        if column in self.document.sides:
            raise self.error(f"a second <{tag}> {f'of {name!r} ' if name else ''}in the document")
        self.side = self.document.sides.setdefault(column, {})
        self.whose = {"src": "source", "ref": f"reference {name!r}", "hyp": f"system {name!r}"}[role]

    def begin_segment(self, attributes: dict[str, str]) -> None:
        if self.side is None or self.document is None:
            raise self.error("<seg> outside of <src>, <ref> and <hyp>")
        if self.segment is not None:
            raise self.error("a <seg> inside of a <seg>")
        name = attributes.get("id") or str(len(self.side) + 1)
        if name in self.side:
            raise self.error(f"segment {name!r} stands twice")
        self.segment = name
        self.document.lines.setdefault(self.segment, self.parser.CurrentLineNumber)

    def characters(self, text: str) -> None:
        if self.segment is None or self.skipped:
            return
        self.size += len(text)
        if self.size > LONGEST_TEXT:
            raise self.error(too_long_message(LONGEST_TEXT))
        self.text.append(text)

    def end(self, tag: str) -> None:
        self.depth -= 1
        if self.skipped:
            self.skipped -= 1
        elif tag == "collection":
            self.collection = ""
        elif tag == "doc" and self.document is not None:
            self.finished.append(self.document)
            self.document = None
        elif tag in _SIDES:
            self.side = None
        elif tag == "seg" and self.side is not None and self.segment is not None:
            self.side[self.segment] = "".join(self.text)
            self.segment, self.size = None, 0
            self.text.clear()
        else:
            self.separate()

    def inside(self) -> str:
        """The document, system and segment that are being read."""
        parts = [f"document {self.document.attributes['document']!r}"] if self.document is not None else []
        parts += [self.whose] if self.side is not None else []
        parts += [f"segment {self.segment!r}"] if self.segment is not None else []
        return f"{', '.join(parts)}: " if parts else ""

    def error(self, reason: str) -> InvalidText:
        return InvalidText(f"{self.name}:{self.parser.CurrentLineNumber}", self.inside() + reason)


def _in_utf8(blocks: Iterator[bytes], encoding: str, error: Callable[[str], InvalidText]) -> Iterator[bytes]:
    """The blocks of a file in UTF-8, which expat checks itself."""
    if encoding == "utf-8":
        yield from blocks
        return
    decoder = codecs.getincrementaldecoder(encoding)()
    for block in chain(blocks, [None]):
        try:
            text = decoder.decode(block or b"", final=block is None)
        except UnicodeDecodeError as fault:
            reason = f"byte 0x{fault.object[fault.start]:02X} is not {encoding}, the encoding that it declares"
            raise error(reason) from None
        yield text.encode()


def _fault(code: int, block: bytes, at: int) -> str:
    """Describe the fault at a byte of a block, with the character, and how to mend it."""
    before, after = block[max(at - _KEPT, 0) : at].decode(errors="replace"), block[at : at + _KEPT]
    character = after.decode(errors="replace")[:1]
    token = re.match(r"[^\s<>;]*[;>]?", after.decode(errors="replace"))
    shown = token[0] if token else ""
    known = {
        errors.XML_ERROR_UNDEFINED_ENTITY: f"{shown} is no entity of XML; write the character itself",
        errors.XML_ERROR_BAD_CHAR_REF: f"{shown} is no character of XML; remove it",
        errors.XML_ERROR_TAG_MISMATCH: f"</{shown} ends an element that is not open",
    }
    name = expat.ErrorString(code)
    if name != errors.XML_ERROR_INVALID_TOKEN or not character:
        return known.get(name, name)
    if ampersand := re.search(r"&[\w.:#-]*$", before):
        return f"{ampersand[0] + character!r}: '&' is written &amp;"
    if before.endswith("<"):
        return f"{'<' + character!r}: '<' is written &lt;"
    if character == "\ufffd" and not after.startswith(character.encode()):
        return f"byte 0x{after[0]:02X} is not UTF-8; if the file is Latin-1: {FROM_LATIN_1}"
    return f"character U+{ord(character):04X} is not allowed here; remove it"
