"""A configuration file as nodes: values with their line and path, its presets and what they extend, its problems."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from re import fullmatch
from typing import Any, Self

from attrs import evolve, field, frozen

from meteorlib.config.schema import DEFAULT_SEARCH, Place
from meteorlib.core.languages import LANGUAGES, language_code, language_of
from meteorlib.errors import ConfigError, UnknownName, did_you_mean

MAX_PROBLEM_LENGTH = 300
"""Characters of a problem that are shown."""

MAX_PRESETS = 200
"""Presets in a file."""

MAX_NAME_LENGTH = 60
"""Characters of a preset's name."""


class Broken:
    """The value of a node whose problem has been reported already; no further problem is noted for it."""


BROKEN = Broken()


@frozen(eq=False)
class Node:
    """A value with its place.

    Attributes:
        value: text, a number, true, false or None; a dict or a list of nodes; `BROKEN`.
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
        children: Any = dict(enumerate(self.value)) if isinstance(self.value, list) else self.value
        child = children.get(key) if isinstance(children, dict) else None
        return child if isinstance(child, Node) else None

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

    def without(self, key: str) -> Node:
        """This mapping without a key."""
        return evolve(self, value={name: node for name, node in self.value.items() if name != key})

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
        origin = base if base.source == self.source else self
        return evolve(origin, value=merged)


@frozen(eq=False)
class Problems:
    """The problems of one file, each once."""

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
        """Raise all of them, or all that are in some presets, in the order of their lines."""
        chosen = [problem for problem, path in self._found.items() if presets is None or _preset(path) in presets]
        if chosen:
            lines = sorted(chosen, key=lambda problem: problem[0])
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


def require_text(value: Any) -> str:
    """`value`, which must be text."""
    if not isinstance(value, str):
        quotes = " (put it in quotes)" if isinstance(value, bool | int | float) else ""
        raise TypeError(f"must be text, not {describe_value(value)}{quotes}")
    return value


def require_mapping(value: Any) -> dict[str, Any]:
    """`value`, which must be a mapping."""
    if not isinstance(value, dict):
        raise TypeError(f"must be a mapping, not {describe_value(value)}")
    return value


def unknown_keys(node: Node, unknown: Iterable[str], known: list[str], problems: Problems, hint: str = "") -> None:
    """Note keys of `node` that mean nothing, each at its own line."""
    for key in unknown:
        child = node.value[key]
        problems.add_at(child.line, child.path[:-1], f"unknown key {key[:60]!r}{hint or did_you_mean(key, known)}")


def unknown_preset(name: str, own: Iterable[str] = (), builtin: Collection[str] = ()) -> UnknownName:
    """The error for a name that no preset has: of a file's `own`, or of the built-in ones if they may be meant.

    METEOR's other names of languages in it are understood (``meteor-1.5-cs``), and languages that METEOR 1.5 lacks.
    """
    name = name[:MAX_NAME_LENGTH]
    own = sorted(other for other in own if len(other) <= MAX_NAME_LENGTH)  # of longer ones a file has been told
    others = ["those of `meteorlib presets list`"] if builtin else []
    parts = [*map(language_code, name.lower().split("-"))]
    spelled = "-".join(parts)
    unknown = next((code for part in parts if part not in LANGUAGES and (code := language_of(part))), None)
    if spelled in LANGUAGES or spelled == "meteor":  # what papers mean
        spelled = "meteor-1.5" if spelled == "meteor" else f"meteor-1.5-{spelled}"
    elif f"meteor-{unknown}" in builtin:
        spelled = f"meteor-{unknown}"
    return UnknownName("preset", name, [*own, *builtin], listed=", ".join([*own, *others]), spelled=spelled)


def preset_nodes(root: Node, problems: Problems) -> dict[str, Node]:
    """The presets of a document by name, unchanged."""
    if not isinstance(root.value, dict):
        problems.add(root, f"must be a mapping with 'presets', not {describe_value(root.value)}")
        return {}
    unknown_keys(root, set(root.value) - {"default", "presets"}, ["default", "presets"], problems)
    nodes = root.get("presets")
    if nodes is None:
        problems.add(root, "missing key 'presets'")
        return {}
    presets: dict[str, Node] = nodes.value
    if not isinstance(presets, dict) or not presets:
        problems.add(nodes, f"must be a mapping of names to presets, not {describe_value(presets)}")
        return {}
    if len(presets) > MAX_PRESETS:
        problems.add(nodes, f"holds more than {MAX_PRESETS} presets")
        return {}
    if (default := root.get("default")) is not None:
        try:
            if require_text(default.value) not in presets:
                problems.add(default, str(unknown_preset(default.value, presets)))
        except TypeError as error:
            problems.add(default, str(error))
    for name, node in presets.items():
        if not fullmatch(r"[\w.+-]+", name) or len(name) > MAX_NAME_LENGTH:
            problems.add(node, f"a preset's name is made of at most {MAX_NAME_LENGTH} letters, digits and . _ + -")
        if not isinstance(node.value, dict):
            problems.add(node, f"must be a mapping, not {describe_value(node.value)}")
    return presets


@frozen(eq=False)
class InheritedPreset:
    """A preset with all that it inherits, without ``extends``.

    Attributes:
        whole: False where what it extends could not be found, so that what it lacks is not its fault.
    """

    node: Node
    whole: bool


def resolve_extends(
    presets: Mapping[str, Node], builtin: Mapping[str, Mapping[str, Any]], problems: Problems
) -> dict[str, InheritedPreset]:
    """Resolve ``extends`` in every preset of a file; those that are no mappings are left out.

    A preset of the file itself goes before a built-in one of the same name. Mappings are merged, lists replaced.
    Unknown names and cycles are problems.
    """
    done: dict[str, InheritedPreset] = {}
    for start in presets:
        chain: dict[str, Node] = {}
        name: str | None = start
        whole = True
        while name is not None and name in presets and name not in done and name not in chain:
            chain[name] = presets[name]
            name, whole = _base_name(presets[name], presets, builtin, problems)
        if name in chain:
            names = list(chain)
            circle = " → ".join([*names[names.index(name) :], name])
            problems.add(chain[names[-1]].value["extends"], f"is circular: {circle}")
            name, whole = None, False
        base = None if name is None else done.get(name) or InheritedPreset(Node.of(builtin[name], name), whole=True)
        for inheriting, node in reversed(chain.items()):
            own = node.without("extends") if isinstance(node.value, dict) else node
            if base is not None:
                own, whole = own.over(_without_replaced_search(base.node, own)), base.whole
            base = done[inheriting] = InheritedPreset(own, whole)
    return {name: done[name] for name in presets if isinstance(presets[name].value, dict)}


def lineage(name: str, presets: Mapping[str, Node]) -> list[str]:
    """A preset of a file and those of the same file that it extends, directly or not."""
    names: list[str] = []
    base: object = name
    while isinstance(base, str) and base in presets and base not in names:
        names.append(base)
        extends = presets[base].find(("extends",))
        base = extends.value if extends else None
    return names


def _base_name(
    preset: Node, own: Iterable[str], builtin: Collection[str], problems: Problems
) -> tuple[str | None, bool]:
    """The name of the preset that is extended, if any, and whether the key is valid."""
    extends = preset.get("extends") if isinstance(preset.value, dict) else None
    if extends is None:
        return None, isinstance(preset.value, dict)
    if not isinstance(extends.value, str):
        problems.add(extends, "must be the name of a preset")
        return None, False
    if extends.value not in {*own, *builtin}:
        problems.add(extends, str(unknown_preset(extends.value, own, builtin)))
        return None, False
    return extends.value, True


def _without_replaced_search(base: Node, own: Node) -> Node:
    """`base`, without its search if `own` names another one: the settings of a search belong to that search."""
    name, other = (node.find(("search", "name")) for node in (base, own))
    if other is None or not isinstance(base.value, dict) or (name.value if name else DEFAULT_SEARCH) == other.value:
        return base
    return base.without("search")
