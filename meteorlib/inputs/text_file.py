"""Text files with one segment per line, checked as a whole before anything is scored; each is a table of one column."""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby, islice
from shlex import quote
from typing import ClassVar, NamedTuple

from attrs import Factory, field, frozen

from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.byte_source import LONGEST_CHARACTER, MAX_LINE_LENGTH, Source
from meteorlib.inputs.columns import NO_REFERENCE, Row, Table
from meteorlib.text.validation import LONGEST_TEXT, too_long_message

PIECE_SIZE = 500

UTF_16 = (BOM_UTF16_LE, BOM_UTF16_BE)

TEXT = "text"
"""The one column of a `TextTable`."""

_LONE_CARRIAGE_RETURN = rb"\r(?!\n)"
_EMPTY_LINE = rb"\n[ \t\r]*\n"
_MARKED_LINE = b"\n" + BOM_UTF8
_WITHOUT_MARKS = r"perl -pe 's/^(\xEF\xBB\xBF)+//'"
_TO_LINE_FEEDS = r"tr '\r' '\n'"

FROM_LATIN_1 = "iconv -f WINDOWS-1252 -t UTF-8"
"""Windows-1252 is Latin-1 with printable characters in place of control characters."""


class LineCounts(NamedTuple):
    """Counts from one reading of a file, of lone carriage returns and lines that begin with a byte order mark.

    The `first` of each are numbers of lines, 0 without one. Lines of `classic` Mac OS seem to end in CR alone.
    """

    lines: int
    carriage_returns: int
    first: int
    marks: int
    first_mark: int
    classic: bool


@frozen(eq=False, slots=False)
class TextFile:
    """Segments in UTF-8, a line each, of at most `longest` characters; LF and CRLF end a line, and nothing else does.

    Attributes:
        carriage_return_ends: whether a lone CR ends a line, too (METEOR 1.5's rule).
        keeps_mark: whether a byte order mark at the beginning is text (METEOR 1.5's rule); otherwise it is dropped.
    """

    source: Source
    carriage_return_ends: bool = False
    longest: int = LONGEST_TEXT
    keeps_mark: bool = False

    @classmethod
    def open(cls, name: str, *, carriage_return_ends: bool = False, keeps_mark: bool = False) -> TextFile:
        """The file called `name`; ``-`` is standard input. Errors are those of `Source.open`."""
        return cls(Source.open(name), carriage_return_ends, keeps_mark=keeps_mark)

    @property
    def name(self) -> str:
        """The path, or ``standard input``."""
        return self.source.name

    @cached_property
    def line_counts(self) -> LineCounts:
        """The counts; making them checks every byte of the file."""
        lines = offset = carriage_returns = first = marks = first_mark = 0
        ended, raw = True, b""
        for block in self._blocks():
            self._check(block, lines, offset)
            raw = self._without_mark(block, offset)
            if b"\r" in raw and not self.carriage_return_ends:
                found = raw.count(b"\r") - raw.count(b"\r\n")
                if found and not first:
                    first = lines + 1 + raw.count(b"\n", 0, re.search(_LONE_CARRIAGE_RETURN, raw).start())  # type: ignore[union-attr]
                carriage_returns += found
            if not (raw.isascii() or self.keeps_mark) and (at := _first_marked_line(raw)) is not None:
                first_mark = first_mark or lines + 1 + self._line_ends(raw[:at])
                marks += raw.startswith(BOM_UTF8) + raw.count(_MARKED_LINE)
            offset += len(block)
            lines += self._line_ends(raw)
            ended = not raw or raw.endswith((b"\n", b"\r") if self.carriage_return_ends else b"\n")
        classic = not lines and carriage_returns > raw.endswith(b"\r")
        return LineCounts(lines if ended else lines + 1, carriage_returns, first, marks, first_mark, classic)

    @property
    def count(self) -> int:
        """Number of lines; see `line_counts`."""
        return self.line_counts.lines

    def check_line_ends(self) -> None:
        """Refuse a file whose lines seem to end in CR alone: it would be one long segment."""
        if self.line_counts.classic:
            raise InvalidText(
                self.name, f"its lines end only in CR; convert it: {self._conversion_command(_TO_LINE_FEEDS)}"
            )

    def length_advice(self, count: int) -> Iterator[str]:
        """Possible reasons why the file has more than the `count` lines of the shortest one, and how to mend it."""
        extra = self.count - count
        yield from self.groups_advice(count)
        if extra and count and not any(map(str.strip, islice(self.lines(), count, None))):
            lines = f"the last line of {self.name} is" if extra == 1 else f"the last {extra} lines of {self.name} are"
            yield f"{lines} empty; keep the others: {self._conversion_command(f'head -n {count}')}"
        if lone := self.line_counts.carriage_returns:
            ends_in_both = any(b"\r\n" in raw for raw in self._blocks())  # `tr` would make two lines of each
            command = "" if ends_in_both else f"; if they should: {self._conversion_command(_TO_LINE_FEEDS)}"
            yield f"{self.name} has carriage returns (CR) that end no line: {lone}{command}"

    def notes(self) -> Iterator[str]:
        """Notes on carriage returns within lines, and on byte order marks that begin them."""
        yield from carriage_returns(self.name, self.line_counts.carriage_returns, self.line_counts.first)
        yield from self.mark_advice()

    def mark_advice(self) -> Iterator[str]:
        """A note on lines that begin with a byte order mark, and how to remove them; nothing if there are none."""
        marks, first = self.line_counts.marks, self.line_counts.first_mark
        if marks:
            lines = f"line {first}" if marks == 1 else f"{marks} lines, the first of them line {first}"
            yield (
                f"{self.name} has a byte order mark (U+FEFF) at the beginning of {lines}; "
                f"most presets read it as text. To remove it: {self._conversion_command(_WITHOUT_MARKS)}"
            )

    def _conversion_command(self, command: str) -> str:
        """A command that converts this file into a new one; for a pipe, the command to add to it."""
        if self.source.is_plain:
            return f"{command} < {quote(self.name)} > {quote(f'{self.name}.new')}"
        if self.name.endswith(".gz"):
            return f"gzip -dc {quote(self.name)} | {command} > {quote(f'{self.name[:-3]}.new')}"
        return f"pipe its text through  {command}"

    def lines(self) -> Iterator[str]:
        """The segments in order, without their line ends."""
        for piece in self.pieces(PIECE_SIZE):
            yield from piece.decode().split("\n")

    def groups(self) -> Iterator[tuple[int, list[str]]]:
        """Groups of lines with empty lines between them: the number of the first line of each, and its lines."""
        lines = enumerate(self.lines(), 1)
        for is_group, group in groupby(lines, lambda line: bool(line[1].strip())):
            if is_group:
                numbers, texts = zip(*group, strict=True)
                yield numbers[0], [*texts]

    def groups_advice(self, count: int) -> Iterator[str]:
        """Advice for a file that has `count` groups of lines, but more lines."""
        if self.count > count > 1 and sum(1 for _ in self.groups()) == count:
            yield (
                f"{self.name} has {count} groups of lines, with empty lines between them: if each has the references "
                "of a segment, add --input-format groups"
            )

    def empty_lines(self) -> Iterator[int]:
        """The numbers of the lines that have nothing but white space; quick where there is none."""
        if any(re.search(_EMPTY_LINE, b"\n%b\n" % raw) for raw in self._blocks()):
            yield from (number for number, line in enumerate(self.lines(), 1) if not line.strip())

    def pieces(self, size: int) -> Iterator[bytes]:
        """The segments in pieces of `size` lines, the last possibly shorter; only LF separates lines."""
        lines: list[bytes] = []
        for number, block in enumerate(self._blocks()):
            raw = self._without_mark(block, number)
            lines += self._with_line_feeds(raw).split(b"\n")
            if not lines[-1]:
                lines.pop()
            full = len(lines) // size * size
            for start in range(0, full, size):
                yield b"\n".join(lines[start : start + size])
            del lines[:full]
        if lines:
            yield b"\n".join(lines)

    def _without_mark(self, block: bytes, before: int) -> bytes:
        return block if before or self.keeps_mark else block.removeprefix(BOM_UTF8)

    def _with_line_feeds(self, raw: bytes) -> bytes:
        if b"\r" not in raw:
            return raw
        raw = raw.replace(b"\r\n", b"\n")
        return raw.replace(b"\r", b"\n") if self.carriage_return_ends else raw

    def _line_ends(self, raw: bytes) -> int:
        ends = raw.count(b"\n")
        if self.carriage_return_ends and b"\r" in raw:
            ends += raw.count(b"\r") - raw.count(b"\r\n")
        return ends

    def _blocks(self) -> Iterator[bytes]:
        """The unpacked file in pieces that end where a line does."""
        parts: list[bytes] = []
        held = 0
        for block in self.source.unpacked():
            end = block.rfind(b"\n") + 1
            if self.carriage_return_ends:  # one at the end may be half of a line end
                end = max(end, block.rfind(b"\r", 0, -1) + 1)
            if end or held > LONGEST_CHARACTER * self.longest:  # else that line is refused
                yield b"".join([*parts, block[:end]])
                parts.clear()
                held = 0
            parts.append(block[end:])
            held += len(block) - end
        if rest := b"".join(parts):
            yield rest

    def _check(self, raw: bytes, lines_before: int, offset: int) -> None:
        if len(raw) > self.longest:
            self._check_lengths(raw, lines_before + 1)
        if not offset and raw.startswith(UTF_16):
            raise InvalidText(
                f"{self.name}:1", f"is UTF-16; convert it: {self._conversion_command('iconv -f UTF-16 -t UTF-8')}"
            )
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError as error:
            line = lines_before + 1 + self._line_ends(raw[: error.start])
            reason = (
                f"byte 0x{raw[error.start]:02X} at offset {offset + error.start} is not UTF-8; "
                f"if the file is Latin-1: {self._conversion_command(FROM_LATIN_1)}"
            )
            raise InvalidText(f"{self.name}:{line}", reason) from None
        if b"\0" in raw:
            at = raw.index(b"\0")
            line = lines_before + 1 + self._line_ends(raw[:at])
            reason = f"NUL byte at offset {offset + at}; remove it, or convert the file if it is UTF-16"
            raise InvalidText(f"{self.name}:{line}", reason)

    def _check_lengths(self, raw: bytes, first_line: int) -> None:
        for number, line in enumerate(self._with_line_feeds(raw).split(b"\n"), first_line):
            if len(line) > self.longest and len(line.decode("utf-8", "ignore")) > self.longest:
                raise InvalidText(f"{self.name}:{number}", too_long_message(self.longest))


def _first_marked_line(raw: bytes) -> int | None:
    """The offset of the first line that begins with a byte order mark; None if there is none."""
    if raw.startswith(BOM_UTF8):
        return 0
    at = raw.find(_MARKED_LINE)
    return None if at < 0 else at + 1


def carriage_returns(name: str, count: int, first: int) -> Iterator[str]:
    """A note on carriage returns within lines, unless there are none."""
    white_space = "white space: only LF and CRLF end a line"
    if count == 1:
        yield f"{name} has a carriage return (CR) that ends no line, in line {first}; it is {white_space}"
    elif count:
        found = f"{count} carriage returns (CR) that end no line, the first in line {first}"
        yield f"{name} has {found}; they are {white_space}"


RESEGMENT = (
    "if the hypotheses are one text in other segments, as of speech translation, add --resegment, which needs "
    "pip install 'meteorlib[resegment]'"
)


def is_resegmentable(counts: Sequence[int]) -> bool:
    """Whether, of these numbers of lines, only the first, that of hypotheses, differs, and is that of a text."""
    return counts[0] > 0 and len({*counts[1:]}) == 1 != len({*counts})


def check_same_length(files: Sequence[TextFile], *advice: str) -> int:
    """The number of segments that all files have; without other `advice`, this is for hypotheses beside references."""
    for file in files:
        file.check_line_ends()
    first = files[0]
    if any(file.count != first.count for file in files):
        counts = ", ".join(f"{file.name} has {file.count}" for file in files)
        shortest = min(file.count for file in files)
        found = [text for file in files for text in file.length_advice(shortest)]
        more = advice if is_resegmentable([file.count for file in files]) else ()
        raise InputMismatch(
            f"the files must have the same number of lines, one per segment: {counts}", *(*found, *more)[:1]
        )
    if not first.count:
        raise InputMismatch(f"nothing to score: {', '.join(file.name for file in files)} are empty")
    return first.count


def several_references(name: str, numbers: Sequence[int], what: str) -> str:
    """A note on a file of which several rows are references of each segment."""
    several = " to ".join(map(str, sorted({min(numbers, default=0), max(numbers, default=0)})))
    return f"{name}: {several} references for each {what}"


def check_references(files: Sequence[TextFile]) -> None:
    """Refuse a segment whose line is empty in each of several parallel files of references."""
    empty = set(files[0].empty_lines()) if len(files) > 1 else set()
    for file in files[1:] if empty else ():
        empty &= set(file.empty_lines())
    if empty:
        raise InvalidText(", ".join(f"{file.name}:{min(empty)}" for file in files), NO_REFERENCE)


@frozen(slots=False)
class LineTable(Table):
    """Base of tables whose rows begin on lines of a text file, which is checked in one pass when it is opened."""

    longest: ClassVar[int] = MAX_LINE_LENGTH
    file: TextFile = field(init=False, default=Factory(lambda self: self._checked(), takes_self=True))

    def _checked(self) -> TextFile:
        file = TextFile(self.source, longest=self.longest)
        file.check_line_ends()
        return file


class TextTable(LineTable):
    """A text file, a segment on each line, as a table with one column."""

    longest = LONGEST_TEXT
    has_columns = False

    @property
    def columns(self) -> Sequence[str]:
        """The one column that it has."""
        return (TEXT,)

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The lines."""
        for number, line in enumerate(self.file.lines(), 1):
            yield number, [line] * len(columns)


class GroupedText(TextTable):
    """A text file with groups of lines, the references of a segment each, and empty lines between them."""

    @cached_property
    def notes(self) -> Sequence[str]:
        """A note on the numbers of lines that are one segment."""
        return (several_references(self.name, [len(lines) for _, lines in self.file.groups()], "segment"),)

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The groups."""
        for number, lines in self.file.groups():
            yield number, [lines] * len(columns)
