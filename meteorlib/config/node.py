"""Values of a configuration file with their line and path, and the problems found there."""

from __future__ import annotations

from collections.abc import Collection
from re import fullmatch
from typing import Any, Self

from attrs import evolve, field, frozen

from meteorlib.errors import ConfigError

Place = tuple[str | int, ...]

MAX_PROBLEM_LENGTH = 300
"""Characters of a problem that are shown."""


class Broken:
    """The value of a node whose problem has been reported already; no further problem is noted for it."""


BROKEN = Broken()


@frozen(eq=False)
class Node:
    """A value with its place.

    Attributes:
        value: text, a number, true, false or None; a dict or a list of nodes; `BROKEN`.
        source: the file.
        line: counted from 1; for a value in a mapping, the line of its key.
        path: keys and indices that lead to it.
        size: how many nodes it holds, itself included.
        height: levels of nesting in it, 0 for a scalar.
    """

    value: Any
    source: str
    line: int
    path: Place
    size: int = 1
    height: int = 0

    @classmethod
    def of(cls, value: Any, source: str, path: Place = ()) -> Self:
        """Plain data as nodes without lines."""
        if isinstance(value, dict):
            value = {key: cls.of(part, source, (*path, key)) for key, part in value.items()}
        elif isinstance(value, list):
            value = [cls.of(part, source, (*path, index)) for index, part in enumerate(value)]
        return cls(value, source, 0, path)

    def get(self, key: str | int) -> Node | None:
        """The node at a key or index, if there is one."""
        if isinstance(self.value, dict):
            found = self.value.get(key)
            return found if isinstance(found, Node) else None
        if isinstance(self.value, list) and isinstance(key, int) and key < len(self.value):
            found = self.value[key]
            return found if isinstance(found, Node) else None
        return None

    def find(self, path: Place) -> Node | None:
        """The node at the end of `path`, if there is one."""
        node: Node | None = self
        for key in path:
            node = node.get(key) if node else None
        return node

    def plain(self) -> Any:
        """The value without places."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value

    def over(self, base: Node) -> Node:
        """This node laid over `base`: mappings are merged, everything else replaces.

        What is merged stands, for messages, where the base of its own file stands: a key that is missing in both is
        missing there.
        """
        if not isinstance(self.value, dict) or not isinstance(base.value, dict):
            return self
        merged = dict(base.value)
        for key, node in self.value.items():
            merged[key] = node.over(merged[key]) if key in merged else node
        place = base if base.source == self.source else self
        return evolve(place, value=merged)


@frozen(eq=False)
class Problems:
    """The problems of one file, each once.

    Attributes:
        source: the file.
    """

    source: str
    _found: dict[tuple[int, str], Place] = field(factory=dict, init=False)

    def add(self, node: Node, text: str) -> None:
        """Note a problem at `node`."""
        if node.value is not BROKEN:
            self.add_at(node.line, node.path, text)

    def add_at(self, line: int, path: Place, text: str) -> None:
        """Note a problem at a line, 0 for the whole file."""
        shown = path_text(path)
        text = f"{shown}: {text}" if shown else text
        self._found[line, text if len(text) <= MAX_PROBLEM_LENGTH else text[: MAX_PROBLEM_LENGTH - 1] + "…"] = path

    @property
    def outside(self) -> bool:
        """Whether a problem is outside of the presets, so that none of the presets can be relied on."""
        return any(_preset(path) is None for path in self._found.values())

    def raise_any(self, presets: Collection[str] | None = None) -> None:
        """Raise all of them, in the order of their lines.

        Args:
            presets: only those in these presets are raised; None for all.

        Raises:
            ConfigError: there are some.
        """
        found = [problem for problem, path in self._found.items() if presets is None or _preset(path) in presets]
        if found:
            lines = sorted(found, key=lambda problem: problem[0])
            raise ConfigError(self.source, [f":{line}: {text}" if line else text for line, text in lines])


def _preset(path: Place) -> str | int | None:
    """The preset that a place is in, if it is in one."""
    return path[1] if path[:1] == ("presets",) and len(path) > 1 else None


def path_text(path: Place) -> str:
    """``presets.mine.stages[0]``; keys that are not plain names are quoted."""
    text = ""
    for key in path:
        if isinstance(key, int):
            text += f"[{key}]"
        else:
            text += ("." if text else "") + (key if fullmatch(r"[\w.+<-]{1,60}", key) else repr(key[:60]))
    return text


def describe_value(value: Any) -> str:
    """A value described for messages."""
    if isinstance(value, dict | list):
        return f"{'a' if value else 'an empty'} {'mapping' if isinstance(value, dict) else 'list'}"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return repr(value[:60] if isinstance(value, str) else value)
