"""JSONL tables: one JSON object per line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from attrs import frozen

from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.byte_source import MAX_LINE_LENGTH, Source
from meteorlib.inputs.cells import BadCell, nested_value
from meteorlib.inputs.columns import path_of
from meteorlib.inputs.table import Row
from meteorlib.inputs.text_file import LineTable, check_text_file


@frozen(slots=False)
class JsonLines(LineTable):
    """A JSONL file as a `Table`, whose columns are the fields of the objects; ``a.b`` is field b of a nested object."""

    nested: bool = True
    notes: Sequence[str] = ()

    @classmethod
    def of(cls, source: Source) -> JsonLines:
        """The objects of a file."""
        return cls(check_text_file(source, MAX_LINE_LENGTH))

    @cached_property
    def columns(self) -> Sequence[str]:
        """The fields of all objects, those of the first one first; an object may lack some of them.

        Raises:
            InputMismatch: the file is empty.
            InvalidText: a line is not an object.
        """
        found: dict[str, None] = {}
        for number, line in enumerate(self.file.lines(), 1):
            try:
                fields = json.loads(line).keys()  # quicker than an `_object`, which says what is wrong
            except (ValueError, RecursionError, AttributeError):
                fields = self._object(line, number).keys()
            if not fields <= found.keys():
                found.update(dict.fromkeys(fields))
        if not found:
            raise InputMismatch(f"{self.name}: is empty")
        return list(found)

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The values of some fields.

        Raises:
            InvalidText: a line is not an object, or lacks one of the fields.
        """
        paths = [path_of(self, column) for column in columns]
        for number, found in self._objects():
            try:
                yield number, [nested_value(found, path) for path in paths]
            except BadCell as error:
                raise InvalidText(self.place(number), str(error)) from None

    def _objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        for number, line in enumerate(self.file.lines(), 1):
            yield number, self._object(line, number)

    def _object(self, line: str, number: int) -> dict[str, Any]:
        place = self.place(number)
        if not line.strip():
            raise InvalidText(place, "an empty line; each line must be an object")
        try:
            found = json.loads(line, object_pairs_hook=_object)
        except RecursionError:
            raise InvalidText(place, "nested too deep") from None
        except json.JSONDecodeError as error:
            hint = ""
            if number == 1 and line.lstrip().startswith(("[", "{")):
                hint = "; JSONL has a whole object on each line (jq -c '.[]' converts an array)"
            raise InvalidText(place, f"not valid JSON: {error.msg} at character {error.pos + 1}{hint}") from None
        except ValueError as error:
            raise InvalidText(place, str(error)) from None
        if not isinstance(found, dict):
            hint = "; jq -c '.[]' writes its items one per line" if isinstance(found, list) else ""
            raise InvalidText(place, f"expected an object, got {_KINDS[type(found)]}{hint}")
        return found


_KINDS = {
    list: "an array",
    str: "a string",
    int: "a number",
    float: "a number",
    bool: "a truth value",
    type(None): "null",
}


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise ValueError(f"the field {twice!r} occurs twice in an object")
    return found
