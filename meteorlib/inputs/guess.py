"""The likely format of a file, from its beginning; used for advice, never to choose a reader."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Sequence

from meteorlib.inputs.byte_source import Source

MAX_LINES = 20
"""Lines."""

_HEAD = 1 << 16
_MARKS = re.compile(
    rb"(?P<parquet>PAR1)|\s*(?:(?P<sgml>(?:<!DOCTYPE[^>]*>\s*)?<(?:tstset|refset|srcset|mteval)\b)|"
    rb"(?P<xml><\?xml|<dataset\b))",
    re.IGNORECASE,
)
_NAME = r'(?:"[^"]*"|\w[\w.:-]*)'
_HEADER = re.compile(rf"{_NAME}(?:([,;]){_NAME})+")


def looks_like(source: Source) -> str | None:
    """The format that a file seems to have, one of `FORMATS`; None for plain text."""
    head = source.beginning(_HEAD).removeprefix(BOM_UTF8)
    if mark := _MARKS.match(head):
        return mark.lastgroup
    text = head.decode(errors="replace")
    lines = text.split("\n")
    del lines[-1:]  # empty, or cut off
    lines = lines[:MAX_LINES] or [text]
    if all(map(_is_object, lines)):
        return "jsonl"
    if len(lines) > 1 and lines[0].count("\t") and len({line.count("\t") for line in lines}) == 1:
        return "tsv"
    return "csv" if len(lines) > 1 and _is_csv(lines) else None


def _is_object(line: str) -> bool:
    if not line.lstrip().startswith("{"):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _is_csv(lines: Sequence[str]) -> bool:
    """Whether the first line is of names alone, and the others have as many fields."""
    header = _HEADER.fullmatch(lines[0].strip())
    if not header:
        return False
    import csv  # noqa: PLC0415 – 0.5 ms of every start

    try:
        records = list(csv.reader((f"{line}\n" for line in lines), delimiter=header[1]))
    except csv.Error:
        return False
    complete = records[:-1] if len(records) > 2 else records  # a quote may be open in the last one
    return len(complete) > 1 and len({len(record) for record in complete}) == 1
