"""N-best lists as Moses writes them, one hypothesis per line: ``id ||| text ||| features ||| score``, ids from 0."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from meteorlib.errors import InvalidText
from meteorlib.inputs.columns import Row
from meteorlib.inputs.text_file import TEXT, LineTable

_ENTRY = re.compile(r"\s*([0-9]{1,18})\s*\|\|\|(?: (.*?) ?|\s*)(?:\|\|\|.*)?", re.DOTALL)
"""An id and a text; nothing else is used."""


@frozen(slots=False)
class NbestLists(LineTable):
    """N-best lists as a table with one column, the chosen text of each segment.

    Attributes:
        chosen: index of the chosen text in the list of each segment; empty for the first ones, the system's own choice.
    """

    has_columns = False
    chosen: Sequence[int] = ()

    @property
    def columns(self) -> Sequence[str]:
        """The one column that it has."""
        return (TEXT,)

    def lists(self) -> Iterator[tuple[int, Sequence[str]]]:
        """The number of the first line of each segment, and its texts."""
        first, texts, current = 1, list[str](), 0
        for number, line in enumerate(self.file.lines(), 1):
            found = _ENTRY.fullmatch(line)
            if not found:
                raise InvalidText(self.place(number), "is not of the form  id ||| text ||| features ||| score")
            segment = int(found[1])
            if texts and segment == current + 1:
                yield first, texts
                first, texts, current = number, [], segment
            elif segment < current:
                raise InvalidText(self.place(number), f"id {segment} after id {current}; sort the lines: sort -s -n")
            elif segment > current:
                missing = current + bool(texts)
                raise InvalidText(self.place(number), f"id {missing} is missing before id {segment}; ids count from 0")
            texts.append(found[2] or "")
        if texts:
            yield first, texts

    def texts(self) -> Iterator[Sequence[str]]:
        """The texts of each segment."""
        return (texts for _, texts in self.lists())

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The chosen texts."""
        for segment, (line, texts) in enumerate(self.lists()):
            index = self.chosen[segment] if self.chosen else 0
            yield line + index, [texts[index]] * len(columns)

    def advice(self, count: int) -> Iterator[str]:
        """The id that is missing, or that has no reference, where there are references for `count` segments."""
        lines = [line for line, _ in self.lists()]
        if len(lines) > count:
            yield f"{self.place(lines[count])}: id {count} has no reference; the ids count from 0"
        else:
            yield f"{self.name} ends with id {len(lines) - 1}; id {len(lines)} is missing"
