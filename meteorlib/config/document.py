"""YAML: text read into nodes, data only, and presets written; the one module that imports yaml.

Only a small, plain part of YAML is read. Only ``true`` and ``false`` are booleans (``no`` is Norwegian), numbers are
decimal (``1e-3`` is one; ``0x1F``, ``010``, ``1_000`` and ``1:30`` are text), nothing is a date. Keys are text. Aliases
are followed; merge keys (``<<``) are refused in favor of ``extends``, tags always.
"""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping
from math import inf, nan
from os import PathLike, fspath
from pathlib import Path
from re import fullmatch
from typing import Any

import yaml
from attrs import evolve
from yaml.events import AliasEvent, DocumentStartEvent, Event, MappingStartEvent, NodeEvent, ScalarEvent, StreamEndEvent

from meteorlib.config.nodes import BROKEN, Node, Problems
from meteorlib.config.schema import Place

MAX_FILE_SIZE = 100_000
"""Bytes."""

MAX_DEPTH = 20
"""Levels of nesting; a preset needs five."""

MAX_NODES = 20_000
"""Values in a file, those that aliases repeat counted each time."""

_LOADER = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
MERGE_KEY = "<<"

_BOOLEANS = {"true": True, "false": False}
_NULLS = ("null", "~", "")
_NOT_FINITE = {".inf": inf, "+.inf": inf, "-.inf": -inf, ".nan": nan}


class _UnreadableError(Exception):
    """Reading cannot go on; the problem is noted."""


def read_file(path: str | PathLike[str], problems: Problems, *, fast: bool = False) -> Node | None:
    """Read the document of a YAML file like `read_text`; None, with problems noted, if it cannot be read."""
    source = fspath(path)
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_FILE_SIZE + 1)
        if len(content) > MAX_FILE_SIZE:
            problems.add_at(0, (), f"is larger than {MAX_FILE_SIZE:,} bytes: not a configuration")
            return None
        text = content.decode("utf-8-sig")
    except FileNotFoundError:
        problems.add_at(0, (), "no such file")
    except IsADirectoryError:
        problems.add_at(0, (), "is a folder, not a file")
    except UnicodeDecodeError as error:
        byte = f"byte 0x{content[error.start]:02X} at offset {error.start} is not UTF-8"
        names = "UTF-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "WINDOWS-1252"
        which = "it is UTF-16" if names == "UTF-16" else "if it is Latin-1"
        line = content.count(b"\n", 0, error.start) + 1
        problems.add_at(line, (), f"{byte}; {which}: iconv -f {names} -t UTF-8 < {source} > {source}.new")
    except (OSError, ValueError) as error:
        problems.add_at(0, (), f"cannot be read: {getattr(error, 'strerror', None) or error}")
    else:
        return read_text(text, source, problems, fast=fast)
    return None


def read_text(text: str, source: str, problems: Problems, *, fast: bool = False) -> Node | None:
    """Read the document in `text`, called `source`; None, with problems noted, if it cannot be read to its end.

    With `fast`, libyaml parses it, where PyYAML has it; its words for what is wrong are others.
    """
    try:
        return _Composer(text, source, problems, _LOADER if fast else yaml.SafeLoader).document()
    except _UnreadableError:
        pass
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        problems.add_at(line, (), f"character U+{int(error.character):04X} is not allowed")
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = ", ".join(part for part in (error.context, error.problem) if part)
        hint = " (indent with spaces)" if "'\\t'" in what else ""
        problems.add_at(mark.line + 1 if mark else 0, (), f"not valid YAML: {what}{hint}")
    except (yaml.YAMLError, ValueError, OverflowError):
        problems.add_at(0, (), "not valid YAML: a character code or version number is out of range")
    return None


class _Composer:
    """Composer of nodes from PyYAML's events: no objects are built, so nothing can run, recur or explode."""

    def __init__(self, text: str, source: str, problems: Problems, loader: Any) -> None:
        self.events: Iterator[Event] = yaml.parse(text, Loader=loader)
        self.source = source
        self.problems = problems
        self.anchors: dict[str, Node | None] = {}
        self.count = 0

    def document(self) -> Node | None:
        next(self.events)
        if isinstance(next(self.events), StreamEndEvent):
            self.problems.add_at(0, (), "is empty: 'presets' is expected")
            return None
        root = self.node(next(self.events), ())
        next(self.events)
        following = next(self.events)
        if isinstance(following, DocumentStartEvent):
            self.problems.add_at(_line(following), (), "a second document begins; a file may contain only one")
        return root

    def node(self, event: Event, path: Place) -> Node:
        line = _line(event)
        if len(path) > MAX_DEPTH:
            self.fail(line, path[:3], f"nested deeper than {MAX_DEPTH} levels")
        if isinstance(event, AliasEvent):
            return self.alias(event, path)
        assert isinstance(event, NodeEvent)  # noqa: S101 – the parser's grammar
        self.grow(1, line)
        before = self.count
        anchor, tag = event.anchor, getattr(event, "tag", None)
        if anchor is not None:
            self.anchors[anchor] = None
        if isinstance(event, ScalarEvent):
            value = self.scalar(event, path)
        elif isinstance(event, MappingStartEvent):
            value = self.mapping(path)
            if MERGE_KEY in value:  # told; what it would have brought is not missing
                value = BROKEN
        else:
            value = self.sequence(path)
        if tag is not None:
            self.problems.add_at(line, path, f"tag {tag.replace('tag:yaml.org,2002:', '!!')!r}: tags are not allowed")
            value = BROKEN
        children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        height = 1 + max((child.height for child in children), default=0) if isinstance(value, dict | list) else 0
        made = Node(value, self.source, line, path, self.count - before + 1, height)
        if anchor is not None:
            self.anchors[anchor] = made
        return made

    def scalar(self, event: ScalarEvent, path: Place) -> Any:
        text = event.value
        if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
            self.problems.add_at(_line(event), path, "contains NUL or a lone surrogate")
            return BROKEN
        return plain_scalar(text) if event.implicit[0] else text

    def sequence(self, path: Place) -> list[Node]:
        nodes: list[Node] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            nodes.append(self.node(event, (*path, len(nodes))))
        return nodes

    def mapping(self, path: Place) -> dict[str, Node]:
        nodes: dict[str, Node] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            line = _line(event)
            key = self.key(event, path)
            value = self.node(next(self.events), (*path, "?" if key is None else key))
            if key is None:
                continue
            if key == MERGE_KEY:
                self.problems.add_at(line, path, "merge key '<<' is not allowed: use 'extends'")
            elif key in nodes:
                self.problems.add_at(line, path, f"key {key!r} is given twice (first on line {nodes[key].line})")
                continue
            nodes[key] = evolve(value, line=line)
        return nodes

    def key(self, event: Event, path: Place) -> str | None:
        line = _line(event)
        made = self.node(event, (*path, "?"))
        if not isinstance(event, ScalarEvent):
            self.problems.add_at(line, path, "a key must be plain text")
        elif made.value is not BROKEN:
            return str(event.value)
        return None

    def alias(self, event: AliasEvent, path: Place) -> Node:
        line, name = _line(event), str(event.anchor)
        target = self.anchors.get(name)
        if target is not None:
            if len(path) + target.height > MAX_DEPTH:
                self.fail(line, path[:3], f"nested deeper than {MAX_DEPTH} levels")
            self.grow(target.size, line)
            return target
        inside = "is inside the value that it names" if name in self.anchors else "has no anchor before it"
        self.problems.add_at(line, path, f"alias '*{name}' {inside}")
        return Node(BROKEN, self.source, line, path)

    def grow(self, nodes: int, line: int) -> None:
        self.count += nodes
        if self.count > MAX_NODES:
            self.fail(line, (), f"more than {MAX_NODES:,} values, those repeated by aliases included")

    def fail(self, line: int, path: Place, text: str) -> None:
        self.problems.add_at(line, path, text)
        raise _UnreadableError


def _line(event: Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 0


def plain_scalar(text: str) -> Any:
    """The value of a scalar without quotes."""
    if text in _NULLS:
        return None
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if text in _NOT_FINITE:
        return _NOT_FINITE[text]
    if fullmatch(r"[-+]?(0|[1-9][0-9]{0,299})", text):
        return int(text)
    if fullmatch(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?", text):
        return float(text)
    return text


_BREAKS = frozenset("\r\x85\u2028\u2029")
"""Characters that YAML reads as line ends and folds into a space unless they are escaped."""


class _Dumper(yaml.SafeDumper):
    """PyYAML's dumper, but lists are indented below their key, and text that would be misread is quoted."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002 – PyYAML's
        super().increase_indent(flow, indentless=False)

    def represent_text(self, text: str) -> yaml.ScalarNode:
        plain = plain_scalar(text) == text and _BREAKS.isdisjoint(text)
        return self.represent_scalar("tag:yaml.org,2002:str", text, None if plain else '"')


_Dumper.add_representer(str, _Dumper.represent_text)


def presets_as_yaml(presets: Mapping[str, Any], comment: str = "") -> str:
    """A file of these presets, by name, as plain data: text that can be copied, changed and loaded.

    `comment` goes before them; its lines begin with ``#``.
    """
    body = yaml.dump(
        {"presets": dict(presets)},
        Dumper=_Dumper,
        default_flow_style=None,
        sort_keys=False,
        allow_unicode=True,
        width=float("inf"),
    )
    return f"{comment}\n{body}" if comment else body
