"""Resolution of ``extends``: each preset of a file merged over the one it extends."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from attrs import evolve, frozen

from meteorlib.config.node import Node, Problems
from meteorlib.config.schema import DEFAULT_SEARCH
from meteorlib.config.unknown_preset import unknown_preset


@frozen(eq=False)
class InheritedPreset:
    """A preset with all that it inherits.

    Attributes:
        node: the merged mapping, without ``extends``.
        whole: False where what it extends could not be found, so that what it lacks is not its fault.
    """

    node: Node
    whole: bool


def resolve_extends(
    presets: Mapping[str, Node], builtin: Mapping[str, Mapping[str, Any]], problems: Problems
) -> dict[str, InheritedPreset]:
    """Resolve ``extends`` in every preset of a file.

    A preset of the file itself goes before a built-in one of the same name. Mappings are merged, lists replaced.

    Args:
        presets: the file's presets; those that are no mappings are left out of the result.
        builtin: the settings of other presets that may be extended.
        problems: takes unknown names and cycles.
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
            base = done[inheriting] = _merge(node, base, whole=whole)
    return {name: done[name] for name in presets if isinstance(presets[name].value, dict)}


def lineage(name: str, presets: Mapping[str, Node]) -> list[str]:
    """A preset of a file and those of the same file that it extends, directly or not."""
    found: list[str] = []
    base: object = name
    while isinstance(base, str) and base in presets and base not in found:
        found.append(base)
        extends = presets[base].get("extends") if isinstance(presets[base].value, dict) else None
        base = extends.value if extends else None
    return found


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


def _merge(preset: Node, base: InheritedPreset | None, *, whole: bool) -> InheritedPreset:
    own = preset
    if isinstance(preset.value, dict):
        own = evolve(preset, value={key: node for key, node in preset.value.items() if key != "extends"})
    return (
        InheritedPreset(own, whole)
        if base is None
        else InheritedPreset(own.over(_without_replaced_search(base.node, own)), base.whole)
    )


def _without_replaced_search(base: Node, own: Node) -> Node:
    """`base`, without its search if `own` names another one: the settings of a search belong to that search."""
    name, other = (node.find(("search", "name")) for node in (base, own))
    if other is None or (name.value if name else DEFAULT_SEARCH) == other.value:
        return base
    return evolve(base, value={key: node for key, node in base.value.items() if key != "search"})
