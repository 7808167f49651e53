"""WMT's XML (``<dataset>``) as a table: a row per segment, a column per system or translator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from xml.parsers import expat

from attrs import Factory, define, field, frozen

from meteorlib.errors import InvalidText
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.columns import Row, Table
from meteorlib.text.validation import LONGEST_TEXT, too_long_message

KEYS = ("document", "segment")

MAX_DEPTH = 100

MAX_TAG_SIZE = 1 << 20
"""Bytes of a tag, a comment or any other markup."""

_SIDES = {"src": ("src", "lang"), "ref": ("ref", "translator"), "hyp": ("hyp", "system")}
"""Elements with segments: the name of their column, and the attribute that names the system or translator."""


@frozen(slots=False)
class Wmt(Table):
    """WMT's XML, which declares its encoding; one document is held in memory at a time."""

    @cached_property
    def columns(self) -> Sequence[str]:
        """``document``, ``segment``, ``collection``, attributes of documents, ``src``, ``ref:NAME``, ``hyp:NAME``."""
        attributes: dict[str, None] = {}
        sides: dict[str, None] = {}
        for document in self._documents():
            attributes.update(dict.fromkeys(document.attributes))
            sides.update(dict.fromkeys(document.sides))
        if not sides:
            raise InvalidText(self.name, "contains no <doc> with <src>, <ref> or <hyp>; is it WMT's XML?")
        return list(dict.fromkeys([*KEYS, *attributes, *sides]))

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The texts of some columns; None where a document has none."""
        for document in self._documents():
            for segment, line in document.lines.items():
                cells = [
                    segment
                    if column == "segment"
                    else document.attributes.get(column)
                    if column not in document.sides
                    else document.sides[column].get(segment)
                    for column in columns
                ]
                yield line, cells

    def _documents(self) -> Iterator[_Document]:
        return _Reader(self.name).read(self.source)


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
    text: list[str] = Factory(list)
    size: int = 0
    parser: expat.XMLParserType = Factory(expat.ParserCreate)

    def __attrs_post_init__(self) -> None:
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.doctype

    def read(self, source: Source) -> Iterator[_Document]:
        given = 0
        for block in source.unpacked():
            given += len(block)
            self.parse(block)
            if given - self.parser.CurrentByteIndex > MAX_TAG_SIZE + len(block):
                raise self.error(f"a tag or comment of more than {MAX_TAG_SIZE:,} bytes")
            yield from self.finished
            self.finished.clear()
        self.parse(b"", is_last=True)
        yield from self.finished

    def parse(self, block: bytes, *, is_last: bool = False) -> None:
        try:
            self.parser.Parse(block, is_last)
        except expat.ExpatError as error:
            where = f"{self.name}:{error.lineno}"
            raise InvalidText(where, f"no XML: {expat.ErrorString(error.code)} (column {error.offset + 1})") from None
        except (LookupError, ValueError) as error:  # an encoding that Python does not know
            raise self.error(f"cannot be decoded: {error}") from None

    def doctype(self, *_: object) -> None:
        raise self.error("a document type declaration (<!DOCTYPE …>), which is not read; remove it")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"elements are nested deeper than {MAX_DEPTH} levels")
        if tag == "collection":
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

    def begin_side(self, tag: str, attributes: dict[str, str]) -> None:
        if self.document is None or self.side is not None:
            raise self.error(f"<{tag}> {'inside of another' if self.side is not None else 'outside of a <doc>'}")
        role, whose = _SIDES[tag]
        name = attributes.get(whose, "")
        column = "src" if role == "src" else f"{role}:{name or role}"
        if column in self.document.sides:
            raise self.error(f"a second <{tag}> {f'of {name!r} ' if name else ''}in the document")
        self.side = self.document.sides.setdefault(column, {})

    def begin_segment(self, attributes: dict[str, str]) -> None:
        if self.side is None or self.document is None:
            raise self.error("<seg> outside of <src>, <ref> and <hyp>")
        if self.segment is not None:
            raise self.error("a <seg> inside of a <seg>")
        self.segment = attributes.get("id") or str(len(self.side) + 1)
        if self.segment in self.side:
            raise self.error(f"segment {self.segment!r} stands twice")
        self.document.lines.setdefault(self.segment, self.parser.CurrentLineNumber)

    def characters(self, text: str) -> None:
        if self.segment is None:
            return
        self.size += len(text)
        if self.size > LONGEST_TEXT:
            raise self.error(too_long_message(LONGEST_TEXT))
        self.text.append(text)

    def end(self, tag: str) -> None:
        self.depth -= 1
        if tag == "collection":
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

    def error(self, reason: str) -> InvalidText:
        return InvalidText(f"{self.name}:{self.parser.CurrentLineNumber}", reason)
