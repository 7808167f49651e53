"""Style sheet, scripts, template and data of the HTML report as they stand in the page."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from itertools import chain, repeat
from typing import Any

from markupsafe import Markup

from meteorlib.core.rows import digits, json_text
from meteorlib.core.stages import color_variables

SCRIPTS = (
    "read.js",
    "draw.js",
    "notes.js",
    "filters.js",
    "why.js",
    "charts.js",
    "scatter.js",
    "metrics.js",
    "words.js",
    "matrix.js",
    "formula.js",
    "faults.js",
    "texts.js",
    "segment.js",
    "table.js",
    "groups.js",
    "start.js",
)

_NEEDLESS = re.compile(r"(?<=[,;{}(\[])\n")
"""Line ends that end no statement without a semicolon."""

_SPACED = re.compile(r" ?([,:?=<>&|(){}]+) ?")
"""Signs beside which a space is needless outside of texts."""

_TEXT = re.compile("[\"'`/]")
"""Signs that a line with a text, a regular expression or a comment has."""

SHORT = 20
"""Longest list whose entries are written one by one: lists of systems are, lists of segments are not."""


def style_sheet() -> Any:
    """The style sheet, with the colors of stages as variables."""
    light, dark = (color_variables("", dark=dark) for dark in (False, True))
    rules = f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
    return Markup(rules + read("page.css"))  # noqa: S704 – our own colors and file


def script() -> Any:
    """The scripts without indentation, some spaces, needless line ends, and comments on lines of their own.

    It knows no JavaScript, so the scripts keep some rules, which the tests check:

    - A statement that ends with ``}`` and is no block has its semicolon: ``const f = {…};``.
    - A comment behind code ends with none of ``, ; { } ( [``; no code shares a line with the end of a block comment,
      whose lines begin with ``/**``, ``*`` or ``*/``; other lines begin with none of these.
    - A template ends on the line where it begins.
    - No text has an arrow between spaces.
    """
    lines = [line.strip() for name in SCRIPTS for line in read(name).splitlines()]
    kept = [line for line in lines if line and not line.startswith(("//", "/**", "* ", "*/"))]
    short = [line if _TEXT.search(line) else _SPACED.sub(r"\1", line) for line in kept]
    return Markup(_NEEDLESS.sub("", "\n".join(short)).replace(" => ", "=>"))  # noqa: S704 – our own files


def digest(text: str) -> str:
    """SHA-256 of a style sheet or script, for the content security policy."""
    return b64encode(sha256(text.encode()).digest()).decode()


def template(folder: str = "html") -> Any:
    """The template of the page of a folder of `meteorlib.reports`."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 – only reports need it

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    environment.filters["digits"] = digits
    return environment.from_string(read("page.html.jinja", folder))


def embedded_json(data: dict[str, Any]) -> Iterator[str]:
    """JSON that cannot close the element it is embedded in, in pieces; what was given out is removed from `data`."""
    comma = "{"
    for name in list(data):
        yield f"{comma}{_json(name)}:"
        yield from _pieces(data.pop(name))
        comma = ","
    yield "}"


def _pieces(value: Any) -> Iterator[str]:
    """JSON of the entries of an object, and of those of a short list, one by one where they may be large."""
    if isinstance(value, dict) and any(isinstance(each, dict | list | Iterator) for each in value.values()):
        for mark, (key, each) in zip(chain("{", repeat(",")), value.items(), strict=False):
            yield f"{mark}{_json(str(key))}:"
            yield from _pieces(each)
        yield "}"
    elif isinstance(value, Iterator) or (
        isinstance(value, list) and 0 < len(value) <= SHORT and isinstance(value[0], dict | list)
    ):
        yield "["
        for comma, each in zip(chain([""], repeat(",")), value, strict=False):
            yield comma
            yield from _pieces(each)
        yield "]"
    else:
        yield _json(value)


def _json(value: Any) -> str:
    written = json_text(value, separators=(",", ":"))
    return written.replace("<", "\\u003c")


def read(name: str, folder: str = "html") -> str:
    """A file of a folder of `meteorlib.reports`."""
    return (files(f"meteorlib.reports.{folder}") / name).read_text(encoding="utf-8")
