"""NIST's SGML files of segments, read line by line as a table.

Tags do not span lines; unknown tags are ignored. A segment may span many lines.

The rules are METEOR 1.5's, except where METEOR silently changes text. There only ``as_meteor`` follows it:

- A line break in a segment is white space. METEOR joins the lines without a separator, which joins two words.
- A segment id that occurs twice in a document is an error. In METEOR the last segment counts.
- A second ``<seg>`` on a line is an error. In METEOR it is part of the first segment's text.
"""

from __future__ import annotations

import io
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise, starmap

from attrs import Factory, define, frozen

from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.byte_source import MAX_LINE_LENGTH, Source
from meteorlib.inputs.columns import SOURCE, Row, Table
from meteorlib.inputs.markup import encoding_of, language_in_markup
from meteorlib.inputs.text_file import FROM_LATIN_1
from meteorlib.resources.store.compression import open_decompressed

KEYS = ("set", "document", "segment")

Key = tuple[str, str, str]
"""Ids of set, document and segment."""

MAX_LENGTH = 1_000_000
"""Characters of a line, and of a segment; longer ones are refused, so that memory stays bounded."""

_HEAD = 1024

MAX_OPEN_TAGS = 1000
"""Tags that may be open at once; the limit is high because end tags may be missing."""

Document = dict[str, str]

System = dict[str, Document]

Sets = Mapping[str, Mapping[str, System]]
"""Set id → system (or reference) id → its documents; each in the order of first appearance."""

Attributes = dict[tuple[str, str], dict[str, str]]
"""Ids of set and document → what else its first ``<doc>`` says of it, such as ``origlang``, except the system."""

_SET = re.compile(r"<(tstset|refset)(?=[\s>]|$)", re.IGNORECASE)
_ANY_SET = re.compile(r"<(tstset|refset|srcset)(?=[\s>]|$)", re.IGNORECASE)
_DOC = re.compile(r"<doc(?=[\s>]|$)", re.IGNORECASE)
_SEG = re.compile(r"<seg(?=[\s/>]|$)", re.IGNORECASE)
_SEG_TAG = re.compile(r"""<seg\s+id\s*=\s*(?:"([^">]+)"|([^\s">]+))\s*>""", re.IGNORECASE)
_SEG_END = re.compile(r"</seg\s*>", re.IGNORECASE)
_OPENING = re.compile(r"<[A-Za-z][^<>/]*(?:>|$)")
_CLOSING = re.compile(r"</[A-Za-z]")
_DOC_END = re.compile(r"</doc\s*>", re.IGNORECASE)
_ATTRIBUTES = {
    names: re.compile(rf'(?<![\w-])(?:{names})\s*=\s*"([^"]+)"', re.IGNORECASE)
    for names in ("setid", "docid", "sysid|refid")
}
_ATTRIBUTE = re.compile(r"""(?<![\w:-])([A-Za-z][\w:-]*)\s*=\s*"([^"]*)\"""")
_SET_ROLES = {"tstset": "hyp", "refset": "ref", "srcset": SOURCE}
_TAG = re.compile(r"(?=<(?:(?:tst|ref|src)set|doc|seg)(?=[\s/>]|$))", re.IGNORECASE)
_ANY_ATTRIBUTES = r"""(?:\s+[\w:.-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*\s*"""
_INLINE = re.compile(
    rf"<(?:[a-z][\w.:-]*{_ANY_ATTRIBUTES}/|/?(?:a|b|big|bpt|br|bx|em|ept|ex|font|g|hl|i|img|it|mrk|ph|q|small|span|"
    rf"strong|sub|sup|tt|u|x){_ANY_ATTRIBUTES})>",
    re.IGNORECASE,
)
_REFERENCE = re.compile("&(?:(quot|apos|lt|gt|amp)|#([0-9]{1,7}|x[0-9a-f]{1,6}));", re.IGNORECASE)
_NAMED = {"quot": '"', "apos": "'", "lt": "<", "gt": ">", "amp": "&"}
_ENTITIES = [(re.compile(f"&{entity};", re.IGNORECASE), character) for entity, character in _NAMED.items()]


def read_sgml(
    given: str | Source,
    warn: Callable[[str], None] = lambda _message: None,
    *,
    as_meteor: bool = False,
) -> Sets:
    """Read a file of systems or references; `warn` is called with oddities that do not prevent reading.

    With `as_meteor` METEOR 1.5 is followed in everything, with warnings where it changes text.
    """
    source = Source.open(given) if isinstance(given, str) else given
    if not (sets := _read(source, _Reader(source.name, warn, as_meteor)).get("")):
        raise InputMismatch(f"{source.name}: contains no <tstset> or <refset>; is it SGML?")
    return sets


def _read(source: Source, reader: _Reader) -> Mapping[str, Sets]:
    encoding = "utf-8"
    if not reader.as_meteor:
        head = source.beginning(_HEAD)
        encoding = encoding_of(head, source.name)
        reader.is_xml |= head.removeprefix(BOM_UTF8).lstrip().startswith(b"<?xml")
    reader.encoding = "utf-8-sig" if encoding == "utf-8" else encoding
    try:
        with (
            source.stream() as raw,
            io.TextIOWrapper(open_decompressed(raw, source.name), reader.encoding, "surrogateescape") as text,
        ):
            return reader.read(text)
    except OSError as error:
        raise InputMismatch(f"{source.name}: cannot be read: {error.strerror or error}") from None


@frozen
class Sgml(Table):
    """An SGML file, in memory: ids of segments match its systems.

    Its one set has hypotheses or references by its `role`, ``hyp`` or ``ref``; if it has sets of systems and of
    references, as NIST's ``<mteval>`` may, each has its own. The source texts have the column ``src``.
    """

    role: str
    is_xml: bool = False

    @cached_property
    def _read(self) -> tuple[Mapping[str, Sets], Sequence[str], Attributes]:
        """Sets by role, notes, and attributes of documents."""
        notes: list[str] = []
        reader = _Reader(self.name, notes.append, as_meteor=False, by_kind=True, is_xml=self.is_xml)
        kinds = _read(self.source, reader)
        texts = [kind for kind in kinds if kind != "srcset"]
        if not kinds:
            raise InputMismatch(f"{self.name}: contains no <tstset> or <refset>; is it SGML?")
        sets = {self.role if [kind] == texts else _SET_ROLES[kind]: sets for kind, sets in kinds.items()}
        return sets, notes, reader.attributes

    @cached_property
    def _rows(self) -> Sequence[Mapping[str, str]]:
        rows: dict[Key, dict[str, str]] = {}
        for role, sets in self._read[0].items():
            for system, key, text in segments_of(sets):
                row = rows.setdefault(key, {**self._read[2][key[:2]], **dict(zip(KEYS, key, strict=True))})
                row[_column(role, system)] = text
        return [*rows.values()]

    @cached_property
    def columns(self) -> Sequence[str]:
        """`KEYS`, attributes of documents, and a column for each system; errors are those of `read_sgml`."""
        attributes = dict.fromkeys(name for of_document in self._read[2].values() for name in of_document)
        named = ((role, system) for role, sets in self._read[0].items() for own in sets.values() for system in own)
        return [*dict.fromkeys((*KEYS, *attributes)), *dict.fromkeys(starmap(_column, named))]

    @property
    def notes(self) -> Sequence[str]:
        """Oddities of the file."""
        return self._read[1]

    @property
    def language(self) -> str:
        """The attribute ``trglang`` or ``lang`` of the first set, reference or hypothesis."""
        return language_in_markup(self.source)

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The texts of some systems; None where one has no such segment."""
        for number, cells in enumerate(self._rows, 1):
            yield number, [cells.get(column) for column in columns]

    def place(self, number: int) -> str:
        """File, document and segment."""
        set_id, document, segment = map(self._rows[number - 1].get, KEYS)
        return f"{self.name}: segment {segment!r} of document {document!r} of set {set_id!r}"


def _column(role: str, system: str) -> str:
    return SOURCE if role == SOURCE else f"{role}:{system}"


def segments_of(sets: Sets) -> Iterator[tuple[str, Key, str]]:
    """System, key and text of each segment, set by set and system by system."""
    for set_id, systems in sets.items():
        for system, documents in systems.items():
            for document, segments in documents.items():
                for segment, text in segments.items():
                    yield system, (set_id, document, segment), text


def decode_entities(text: str) -> str:
    """`text` with the five entities that METEOR knows decoded, in its order; others stay."""
    if "&" in text:
        for entity, character in _ENTITIES:
            text = entity.sub(character, text)
    return text


def _character(found: re.Match[str]) -> str:
    if found[1]:
        return _NAMED[found[1].lower()]
    number = int(found[2][1:], 16) if found[2][0] in "xX" else int(found[2])
    return chr(number) if number < 0xD800 or 0xDFFF < number <= 0x10FFFF else found[0]


def segment_order(segment: str) -> tuple[bool, int, str]:
    """Sort key of segment ids: numbers (Java's ``int``) first."""
    number = int(segment) if re.fullmatch(r"[-+]?[0-9]{1,10}", segment) else 1 << 31
    is_number = -(1 << 31) <= number < 1 << 31
    return not is_number, number if is_number else 0, segment


@define
class _Reader:
    name: str
    warn: Callable[[str], None]
    as_meteor: bool
    by_kind: bool = False
    is_xml: bool = False
    encoding: str = ""
    attributes: Attributes = Factory(dict)
    number: int = 0
    kinds: dict[str, dict[str, dict[str, System]]] = Factory(dict)
    set: dict[str, System] | None = None
    set_id: str = ""
    set_system: str = ""
    system: str = ""
    document: Document | None = None
    document_id: str = ""
    segment_id: str = ""
    open_documents: int = 0
    open_tags: int = 0

    def read(self, text: io.TextIOWrapper) -> Mapping[str, Sets]:
        lines = self.lines(text)
        for line in lines:
            if "<" in line:
                self.tags(line, lines)
        return self.kinds

    def lines(self, text: io.TextIOWrapper) -> Iterator[str]:
        """The lines; except in METEOR, each set, document and segment begins one of its own."""
        longest = MAX_LENGTH if self.as_meteor else MAX_LINE_LENGTH
        while line := text.readline(longest + 2):
            self.number += 1
            line = line.removesuffix("\n")
            if len(line) > longest:
                raise self.error(f"longer than {longest:,} characters: this is not a file of segments")
            self.check(line)
            if self.as_meteor or "<" not in line:
                yield line
            else:
                yield from filter(None, _TAG.split(line))

    def check(self, line: str) -> None:
        if "\0" in line:
            raise self.error("NUL byte; remove it, or convert the file if it is UTF-16")
        try:
            line.encode()
        except UnicodeEncodeError as error:
            byte = ord(line[error.start]) - 0xDC00
            reason = f"is not UTF-8; if the file is Latin-1: {FROM_LATIN_1}"
            if self.encoding != "utf-8-sig":
                reason = f"is not {self.encoding}, the encoding that the file declares"
            raise self.error(f"byte 0x{byte:02X} behind {error.start} characters {reason}") from None

    def tags(self, line: str, lines: Iterator[str]) -> None:
        begun, segment = (_ANY_SET if self.by_kind else _SET).search(line), _SEG.search(line)
        documents = list(_DOC.finditer(line if segment is None else line[: segment.start()]))
        if begun:
            self.begin_set(line[begun.start() :], begun[1].lower() if self.by_kind else "")
        if len(documents) > 1:
            raise self.error("more than one <doc> on the line; put each on a separate line")
        if documents:
            self.begin_document(line[documents[0].start() :])
        if segment:
            self.segment(line[segment.start() :], lines)
        else:
            self.nesting(line)

    def nesting(self, line: str) -> None:
        """Refuse nesting deeper than in any real file; ignored tags count from the last document."""
        self.open_documents = max(self.open_documents - len(_DOC_END.findall(line)), 0)
        self.open_tags = max(self.open_tags + len(_OPENING.findall(line)) - len(_CLOSING.findall(line)), 0)
        if max(self.open_documents, self.open_tags) > MAX_OPEN_TAGS:
            raise self.error(f"tags are nested deeper than {MAX_OPEN_TAGS:,} levels: end tags are missing")

    def begin_set(self, tag: str, kind: str) -> None:
        self.set_system = SOURCE if kind == "srcset" else self.attribute("sysid|refid", tag.partition(">")[0])
        self.system = self.set_system
        self.set_id = self.needed("setid", tag)
        self.set = self.kinds.setdefault(kind, {}).setdefault(self.set_id, {})
        self.document = None
        self.open_documents = self.open_tags = 0

    def begin_document(self, tag: str) -> None:
        if self.set is None:
            raise self.error("<doc> before any <tstset> or <refset>")
        document = self.needed("docid", tag)
        own = self.attribute("sysid|refid", tag)
        if self.set_system not in ("", SOURCE) and own and own != self.set_system:
            self.warn(f"{self.name}:{self.number}: {own!r} is of a set of {self.set_system!r}, which counts")
        # a document without a system is of the same as the one before
        self.system = self.set_system or own or self.system
        if not self.system:
            raise self.error(f'neither the set nor the document {document!r} has a sysid="…" or refid="…"')
        self.document = self.set.setdefault(self.system, {}).setdefault(document, {})
        found = {name.lower(): value for name, value in _ATTRIBUTE.findall(tag.partition(">")[0])}
        others = {name: value for name, value in found.items() if name not in ("docid", "sysid", "refid")}
        self.attributes.setdefault((self.set_id, document), others)
        self.document_id = document
        self.open_documents += 1
        self.open_tags = 0

    def segment(self, tag: str, lines: Iterator[str]) -> None:
        if self.document is None:
            raise self.error("<seg> before any <doc> of its set")
        found = _SEG_TAG.match(tag)
        if not found:
            shown = tag.partition(">")[0][:60] + ">"
            raise self.error(f'{shown}: a segment has an id and no other attribute, as in <seg id="1">')
        name, first = found[1] or found[2], self.number
        self.segment_id = name
        if name in self.document:
            twice = f"segment {name!r} of document {self.document_id!r} of {self.system!r} occurs twice"
            if not self.as_meteor:
                raise self.error(f"{twice}; give each segment a unique id")
            self.warn(f"{self.name}:{first}: {twice}; the last one counts")
        parts = self.segment_lines(tag[found.end() :], lines)
        text = ("" if self.as_meteor else " ").join(parts)
        if _SEG.search(text):
            if not self.as_meteor:
                self.number = first
                raise self.error(
                    "another <seg> before the </seg> of this one; end each segment with </seg>, and put each on a line "
                    "of its own"
                )
            self.warn(f"{self.name}:{first}: another <seg> before the last </seg> of the line is taken as text")
        if self.as_meteor and any(one[-1:].strip() and other[:1].strip() for one, other in pairwise(parts)):
            self.warn(f"{self.name}:{first}: a line break in the segment is dropped, which joins the words around it")
        if not self.as_meteor:
            text = _INLINE.sub(" ", text)
        self.document[name] = self.decoded(text)
        self.segment_id = ""

    def decoded(self, text: str) -> str:
        """The text with its entities decoded: METEOR's five in its order, or in XML all of its references at once."""
        if not self.is_xml:
            return decode_entities(text)
        if "<![CDATA[" in text:
            raise self.error("a CDATA section, which is not read; write &lt; for < and &amp; for &")
        return _REFERENCE.sub(_character, text)

    def segment_lines(self, rest: str, lines: Iterator[str]) -> list[str]:
        """The text of a segment, line by line."""
        first = self.number
        parts = []
        size = 0
        while True:
            ends = list(_SEG_END.finditer(rest))
            parts.append(rest[: ends[-1].start()] if ends else rest)
            size += len(rest)
            if size > MAX_LENGTH:
                reason = f"is longer than {MAX_LENGTH:,} characters: a </seg> is missing"
                raise self.error(f"the segment of line {first} {reason}")
            if ends:
                tail = rest[ends[-1].end() :]
                if _DOC.search(tail) or _SET.search(tail):  # in METEOR the segment would belong to these
                    raise self.error(
                        "a document or set begins after a segment on the same line; put it on a separate line"
                    )
                self.nesting(tail)
                return parts
            following = next(lines, None)
            if following is None:
                self.number = first
                raise self.error("the <seg> has no </seg> before the end of the file")
            rest = following

    def needed(self, name: str, tag: str) -> str:
        value = self.attribute(name, tag)
        if not value:
            raise self.error(f'{name}="…" is missing in {tag.partition(">")[0][:60]}> (a tag must be on one line)')
        return value

    def attribute(self, names: str, tag: str) -> str:
        found = _ATTRIBUTES[names].search(tag)
        return found[1] if found else ""

    def error(self, reason: str) -> InvalidText:
        """An error with its place: line, segment, document and system, unless the reason names them."""
        inside = f"document {self.document_id!r} of {self.system!r}" if self.document is not None else ""
        if inside and inside not in reason:
            segment = f"segment {self.segment_id!r} of " if self.segment_id else ""
            reason = f"{segment}{inside}: {reason}"
        return InvalidText(f"{self.name}:{self.number}", reason)
