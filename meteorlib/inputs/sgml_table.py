"""NIST's SGML as a table: a row per segment, a column per system or reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.sgml import read_sgml
from meteorlib.inputs.table import Row

KEYS = ("set", "document", "segment")

Key = tuple[str, str, str]
"""Ids of set, document and segment."""


@frozen
class Sgml:
    """An SGML file as a `Table`, held in memory because its systems are matched by the ids of segments.

    Attributes:
        name: the path.
        texts: the text of each segment by column, without segments that a system lacks.
        order: the segments.
        columns: the keys, and one for each system.
        notes: oddities of the file.
    """

    name: str
    texts: Mapping[Key, Mapping[str, str]]
    order: Sequence[Key]
    columns: Sequence[str]
    notes: Sequence[str]
    nested: bool = False

    @classmethod
    def read(cls, source: Source, role: str) -> Sgml:
        """A file whose systems are hypotheses (``hyp``) or references (``ref``).

        Raises:
            InputMismatch: the file cannot be read, or has no set.
            InvalidText: the file is not text, or not NIST SGML.
        """
        notes: list[str] = []
        texts: dict[Key, dict[str, str]] = {}
        columns = dict.fromkeys(KEYS)
        for set_id, systems in read_sgml(source, notes.append).items():
            for system, documents in systems.items():
                columns[f"{role}:{system}"] = None
                for document, segments in documents.items():
                    for segment, text in segments.items():
                        texts.setdefault((set_id, document, segment), {})[f"{role}:{system}"] = text
        return cls(source.name, texts, list(texts), list(columns), notes)

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The texts of some systems; None where one has no such segment."""
        for number, key in enumerate(self.order, 1):
            cells = {**self.texts[key], **dict(zip(KEYS, key, strict=True))}
            yield number, [cells.get(column) for column in columns]

    def place(self, number: int) -> str:
        """File, document and segment."""
        set_id, document, segment = self.order[number - 1]
        return f"{self.name}: segment {segment!r} of document {document!r} of set {set_id!r}"
