"""NIST's SGML files of segments made of plain text, and made into plain text, as METEOR's own tools do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from xml.sax.saxutils import escape

from meteorlib.core.numbers_and_letters import CONTROLS_AND_SPACE
from meteorlib.errors import InputMismatch
from meteorlib.inputs.sgml import Sets, System, segment_order

KINDS = {"system": ("tstset", "sysid"), "reference": ("refset", "refid"), "source": ("srcset", "")}
"""Kinds of text: the element of the set, and the attribute that names the system or reference."""

_BLANK = re.compile(r"[\t\n\v\f\r]")


def sgml_lines(
    kind: str,
    set_name: str,
    systems: Iterable[tuple[str, Iterable[tuple[str, str]]]],
    source: str = "any",
    target: str = "any",
) -> Iterator[str]:
    """The lines of a file of SGML of one of `KINDS`, as METEOR's own tool writes them.

    Each system has a name and its segments in order: id of the document, text of one line. The segments of a document
    are adjacent and are numbered from 1. `source` and `target` are languages, such as ``de``.
    """
    element, attribute = KINDS[kind]
    language = f" trglang={_quote(target)}" if attribute else ""
    yield f"<{element} setid={_quote(set_name)} srclang={_quote(source)}{language}>\n"
    for system, segments in systems:
        whose = f" {attribute}={_quote(system)}" if attribute else ""
        for document, texts in groupby(segments, lambda segment: segment[0]):
            yield f"<doc docid={_quote(document)}{whose}>\n"
            for number, (_, text) in enumerate(texts, 1):
                yield f'<seg id="{number}">{escape(text)}</seg>\n'
            yield "</doc>\n"
    yield f"</{element}>\n"


def system_texts(
    sets: Sets, references: Sets | None, warn: Callable[[str], None]
) -> Iterator[tuple[str, str, Sequence[str]]]:
    """Set, name and text of each system, a segment on each line: documents in order of their ids, segments by number.

    The lines are the segments of the `references`, so that all files are parallel, or else those of any system. `warn`
    is called with segments that a system lacks, which are empty lines, and with those that no reference has.
    """
    for set_name, systems in sets.items():
        against = systems if references is None else references.get(set_name, {})
        rows = _rows(against.values())
        for name, system in systems.items():
            yield set_name, name, [*_lines(f"[{set_name}][{name}]", system, rows, warn)]


def _quote(name: str) -> str:
    if not (name and name.isprintable()) or set(name) & set('"<>&'):
        reason = 'it is empty, or has one of " < > & or an invisible character'
        raise InputMismatch(f"{name!r} cannot be an id in SGML: {reason}")
    return f'"{name}"'


def _rows(systems: Iterable[System]) -> dict[tuple[str, str], None]:
    keys = {(document, segment) for system in systems for document, segments in system.items() for segment in segments}
    return dict.fromkeys(sorted(keys, key=lambda key: (key[0], segment_order(key[1]))))


def _lines(whose: str, system: System, rows: dict[tuple[str, str], None], warn: Callable[[str], None]) -> Iterator[str]:
    for document, segments in system.items():
        extra = sum((document, segment) not in rows for segment in segments)
        if extra:
            warn(f"{extra} segments of document [{document}] of {whose} are left out: no reference has them")
    for document, segment in rows:
        text = system.get(document, {}).get(segment)
        if text is None:
            warn(f"no segment [{document}][{segment}] of {whose} - writing an empty line")
        yield _BLANK.sub(" ", text or "").strip(CONTROLS_AND_SPACE)
