"""Conversion of plain text to SGML and back, like METEOR's own tool."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from attrs import frozen

from meteorlib.errors import InputMismatch
from meteorlib.inputs.sgml import Sets, System, segment_order

KINDS = {"system": ("tstset", "sysid"), "reference": ("refset", "refid"), "source": ("srcset", "")}
"""Kinds of text: the element of the set, and the attribute that names the system or reference."""

_BLANK = re.compile(r"[\t\n\v\f\r]")
_CONTROLS_AND_SPACE = "".join(map(chr, range(0x21)))


@frozen
class Set:
    """A set of SGML.

    Attributes:
        kind: one of `KINDS`.
        name: its id.
        source: language of the source, such as ``de``.
        target: language of the text.
    """

    kind: str
    name: str
    source: str = "any"
    target: str = "any"

    def sgml(self, systems: Iterable[tuple[str, Iterable[tuple[str, str]]]]) -> Iterator[str]:
        """The lines of a file.

        Args:
            systems: the name of each, and its segments in order: id of the document, text of one line. The segments of
                a document are adjacent and are numbered from 1.

        Raises:
            InputMismatch: an id contains forbidden characters.
        """
        element, attribute = KINDS[self.kind]
        target = f" trglang={_quote(self.target)}" if attribute else ""
        yield f"<{element} setid={_quote(self.name)} srclang={_quote(self.source)}{target}>\n"
        for system, segments in systems:
            whose = f" {attribute}={_quote(system)}" if attribute else ""
            document = None
            number = 0
            for name, text in segments:
                if name != document:
                    if document is not None:
                        yield "</doc>\n"
                    document, number = name, 0
                    yield f"<doc docid={_quote(name)}{whose}>\n"
                number += 1
                yield f'<seg id="{number}">{escape(text)}</seg>\n'
            if document is not None:
                yield "</doc>\n"
        yield f"</{element}>\n"


class SystemText(NamedTuple):
    """The text of a system: its set, its name, its lines."""

    set_name: str
    name: str
    lines: Sequence[str]


def texts(sets: Sets, references: Sets | None, warn: Callable[[str], None]) -> Iterator[SystemText]:
    """The text of each system, one segment per line: documents in order of their ids, segments by number.

    Args:
        sets: the systems.
        references: their segments are the lines, so that all files are parallel; a segment that a system lacks is an
            empty line. None: the segments of any system.
        warn: callback, called with missing segments, and with segments left out because no reference has them.
    """
    for set_name, systems in sets.items():
        against = systems if references is None else references.get(set_name, {})
        rows = _rows(against.values())
        for name, system in systems.items():
            yield SystemText(set_name, name, [*_lines(f"[{set_name}][{name}]", system, rows, warn)])


def _quote(name: str) -> str:
    if not (name and name.isprintable()) or set(name) & set('"<>&'):
        reason = 'it is empty, or has one of " < > & or an invisible character'
        raise InputMismatch(f"{name!r} cannot be an id in SGML: {reason}")
    return f'"{name}"'


def _rows(systems: Iterable[System]) -> dict[tuple[str, str], None]:
    """Document and segment of every line."""
    documents: dict[str, set[str]] = {}
    for system in systems:
        for document, segments in system.items():
            documents.setdefault(document, set()).update(segments)
    return {
        (document, segment): None
        for document in sorted(documents)
        for segment in sorted(documents[document], key=segment_order)
    }


def _lines(whose: str, system: System, rows: dict[tuple[str, str], None], warn: Callable[[str], None]) -> Iterator[str]:
    for document, segments in system.items():
        extra = sum((document, segment) not in rows for segment in segments)
        if extra:
            warn(f"{extra} segments of document [{document}] of {whose} are left out: no reference has them")
    for document, segment in rows:
        text = system.get(document, {}).get(segment)
        if text is None:
            warn(f"no segment [{document}][{segment}] of {whose} - writing an empty line")
        yield _BLANK.sub(" ", text or "").strip(_CONTROLS_AND_SPACE)
