"""Files of HTML pages: style sheets, scripts, templates, and data as JSON."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from meteorlib.display.drawing import color_variables
from meteorlib.display.text import digits, json_text

GENERATOR = "meteorlib"
"""Name of the generator in the page, before the version."""

GENERATOR_TAG = f'<meta name="generator" content="{GENERATOR} '
"""The tag that identifies a page as a report of meteorlib."""

SCRIPTS = (
    "read.js",
    "draw.js",
    "notes.js",
    "export.js",
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

_SPACED = re.compile(r" (?=[][,:;?=<>&|(){}*])|(?<=[][,:;?=<>&|(){}*]) | (?=[-+/] [^-+/])|(?<=[^-+/] [-+/]) ")
"""A space beside a sign, needless outside of texts."""

_TEXT = re.compile("(\"[^\"]*\"|'[^']*'|`[^`]*`)")
"""A text without escapes; a template within another one divides it where its names do not end."""

LARGE = {"written": 2, "metrics": 2, "segments": 3}
"""Data that may be large, and how many levels of it are written piece by piece."""

SHORT = 20
"""Longest list whose entries are written one by one: lists of systems are, lists of segments are not."""


def style_sheet() -> Any:
    """The style sheet, with the colors of stages as variables."""
    light, dark = (color_variables("", dark=dark) for dark in (False, True))
    rules = f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root:not(.paper){{{dark}}}}}\n"
    return Markup(rules + read("page.css"))  # noqa: S704 – our own colors and file


def script() -> Any:
    """The scripts without indentation, some spaces, needless line ends, and comments on lines of their own.

    It knows no JavaScript, so the scripts keep some rules, which the tests check:

    - A statement that ends with ``}`` and is no block has its semicolon: ``const f = {…};``.
    - A comment behind code ends with none of ``, ; { } ( [``; no code shares a line with the end of a block comment,
      whose lines begin with ``/**``, ``*`` or ``*/``; other lines begin with none of these.
    - A template ends on the line where it begins.
    - No text has an arrow between spaces, or a semicolon before a brace; no loop has an empty body.
    """
    lines = [line.strip() for name in SCRIPTS for line in read(name).splitlines()]
    kept = [line for line in lines if line and not line.startswith(("//", "/**", "* ", "*/"))]
    short = map(_without_spaces, kept)
    return Markup(_NEEDLESS.sub("", "\n".join(short)).replace(" => ", "=>").replace(";}", "}"))  # noqa: S704 – our own files


def _without_spaces(line: str) -> str:
    """A line without needless spaces, unless it may have a regular expression, a comment or a nested template."""
    pieces = _TEXT.split(line)
    if (
        "\\" in line
        or "/" in "".join(pieces[::2]).replace(" / ", "")
        or any(text.count("${") != text.count("}") for text in pieces[1::2] if text[0] == "`")
    ):
        return line
    pieces[::2] = [_SPACED.sub("", piece) for piece in pieces[::2]]
    return "".join(pieces)


def digest(text: str) -> str:
    """SHA-256 of a style sheet or script, for the content security policy."""
    return b64encode(sha256(text.encode()).digest()).decode()


def template(name: str) -> Any:
    """A template of a page; it escapes what it shows."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 – only reports need it

    environment = Environment(optimized=False, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    environment.filters["digits"] = digits
    return environment.from_string(read(name))


def embedded_json(data: dict[str, Any]) -> Iterator[str]:
    """JSON that cannot close the element it is embedded in, in pieces; what was given out is removed from `data`."""
    comma = "{"
    for name in list(data):
        yield f"{comma}{_json(name)}:"
        yield from _pieces(data.pop(name), LARGE.get(name, 0))
        comma = ","
    yield "}"


def _pieces(value: Any, depth: int) -> Iterator[str]:
    """JSON, in pieces where there is an iterator, or objects and short lists within `depth` levels."""
    if depth and isinstance(value, dict):
        brackets, entries = "{}", ((f"{_json(key)}:", each) for key, each in value.items())
    elif depth and (isinstance(value, Iterator) or (isinstance(value, list) and len(value) <= SHORT)):
        brackets, entries = "[]", (("", each) for each in value)
    else:
        yield _json(value)
        return
    comma = brackets[0]
    for key, each in entries:
        yield comma + key
        yield from _pieces(each, depth - 1)
        comma = ","
    yield brackets[1] if comma == "," else brackets


def _json(value: Any) -> str:
    written = json_text(value, separators=(",", ":"))
    return written.replace("<", "\\u003c")


def read(name: str) -> str:
    """A file beside this module."""
    return (files("meteorlib.reports.html") / name).read_text(encoding="utf-8")
