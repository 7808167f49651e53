"""The segments of SGML files with their references, and warnings about missing ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from meteorlib.errors import InputMismatch
from meteorlib.inputs.sgml import Document, Sets, System, segment_order

Warn = Callable[[str], None]


@frozen
class SgmlSegment:
    """A segment to score.

    Attributes:
        place: ids of set, system, document and segment.
        hypothesis: the text, empty if the system lacks it.
        references: texts of the references that have the segment.
    """

    place: tuple[str, str, str, str]
    hypothesis: str
    references: tuple[str, ...]


def pairs(references: Sets, hypotheses: Sets, warn: Warn, *, as_text: bool) -> Iterator[SgmlSegment]:
    """Segments in METEOR's order: set, system and document by code point, segments by id.

    Args:
        references: the references.
        hypotheses: the systems.
        warn: callback for each missing part.
        as_text: whether numeric ids, too, are ordered as text (1, 10, 2).

    Raises:
        InputMismatch: the references lack a set, or a system has no segment that can be scored.
    """
    for name in sorted(set(references) - set(hypotheses)):
        warn(f"no system for set [{name}] - skipping this set")
    for set_id, systems in sorted(hypotheses.items()):
        if not references.get(set_id):
            known = ", ".join(sorted(references))
            raise InputMismatch(f"no reference for set {set_id!r}; the references are of: {known}")
        ordered = {name: references[set_id][name] for name in hashtable_order(references[set_id])}
        for system_id, system in sorted(systems.items()):
            found = False
            for pair in _of_system((set_id, system_id), system, ordered, warn, as_text=as_text):
                found = True
                yield pair
            if not found:
                raise InputMismatch(
                    f"system {system_id!r} of set {set_id!r} has no segment that can be scored: "
                    "its documents are not those of the references"
                )


def _of_system(
    place: tuple[str, str], system: System, references: Mapping[str, System], warn: Warn, *, as_text: bool
) -> Iterator[SgmlSegment]:
    set_id, system_id = place
    documents = {document for reference in references.values() for document in reference}
    for document in sorted(documents | set(system)):
        where = f"document [{set_id}][{document}]"
        if document not in system:
            warn(f"no data for system [{system_id}] on {where} - skipping this document")
            continue
        usable = {name: reference[document] for name, reference in references.items() if document in reference}
        for name in references:
            if name not in usable:
                warn(f"no data for reference [{name}] on {where}")
        if not usable:
            warn(f"no usable references for {where} - skipping this document")
            continue
        yield from _of_document((set_id, system_id, document), system[document], usable, warn, as_text=as_text)


def _of_document(
    place: tuple[str, str, str], hypotheses: Document, references: Mapping[str, Document], warn: Warn, *, as_text: bool
) -> Iterator[SgmlSegment]:
    set_id, system_id, document = place
    ids = {segment for texts in references.values() for segment in texts} | set(hypotheses)
    for segment in sorted(ids, key=None if as_text else segment_order):
        where = f"segment [{set_id}][{document}][{segment}]"
        texts = [reference[segment] for reference in references.values() if segment in reference]
        for name, reference in references.items():
            if segment not in reference:
                warn(f"no data for reference [{name}] on {where}")
        if not texts:
            warn(f"no usable references for {where} - skipping this segment")
            continue
        if segment not in hypotheses:
            warn(f"no data for system [{system_id}] on {where} - scoring empty segment")
        yield SgmlSegment((*place, segment), hypotheses.get(segment, ""), tuple(texts))


def hashtable_order(names: Iterable[str]) -> Sequence[str]:
    """Distinct `names` in the order in which Java's ``Hashtable`` lists them after they are inserted in turn.

    METEOR has references in this order, and the first of those with the same score counts.
    """
    table: list[list[str]] = [[] for _ in range(11)]
    for count, name in enumerate(names):
        if count >= len(table) * 3 // 4:
            larger: list[list[str]] = [[] for _ in range(2 * len(table) + 1)]
            for old in reversed(table):
                for key in old:
                    larger[_hash(key) % len(larger)].insert(0, key)
            table = larger
        table[_hash(name) % len(table)].insert(0, name)
    return [key for keys in reversed(table) for key in keys]


def _hash(text: str) -> int:
    """Java's ``String.hashCode``, without its sign bit."""
    units = text.encode("utf-16-be")
    value = 0
    for high, low in zip(units[::2], units[1::2], strict=True):
        value = (31 * value + (high << 8 | low)) & 0xFFFFFFFF
    return value & 0x7FFFFFFF
