"""Loader of users' YAML files into `ScorerConfig`.

A file holds ``presets:``, a mapping of names to presets, and may say which is the ``default:``. A preset may extend
another of the file or a built-in one (``extends:``); mappings are merged, lists replaced. A preset that is asked for
must be complete and right, and so must those it extends; problems of other presets do not matter. A preset may bear the
name of a built-in one only if it gives the same numbers: so a copied preset works, and a name never means two things.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike, fspath
from os import path as paths
from pathlib import Path
from typing import Self

from attrs import evolve, fields, fields_dict, frozen
from cattrs import BaseValidationError, ClassValidationError, IterableValidationError
from cattrs.errors import ForbiddenExtraKeysError

from meteorlib.config.builtin import builtin_settings, load_preset, preset_names
from meteorlib.config.converter import CLASSES, CONVERTER
from meteorlib.config.document import read_file
from meteorlib.config.nodes import Node, Problems, lineage, preset_nodes, resolve_extends, unknown_keys, unknown_preset
from meteorlib.config.resolution import conflicts, resolve_paths
from meteorlib.config.schema import DEFAULT_SEARCH, Place, ScorerConfig, StageConfig, no_such_setting, settings_class
from meteorlib.errors import ConfigError
from meteorlib.resources.catalog import is_path
from meteorlib.resources.store.data_file import unreadable_file_advice

__all__ = ["PresetFile", "load_file", "load_presets"]


def load_presets(path: str | PathLike[str]) -> dict[str, ScorerConfig]:
    r"""All presets of a YAML file, in its order.

    Resources and word lists that are paths (they hold a ``/``, a ``\`` or a ``.``) are taken from the file's folder, or
    from the folder that the preset names as ``resources``, itself taken from the file's.

    Raises:
        ConfigError: every problem of the file, with line and path.
    """
    file = PresetFile.read(path)
    return file.load(file.names)


def load_file(path: str | PathLike[str], preset: str | None = None, *, need_files: bool = False) -> ScorerConfig:
    """One preset of a YAML file; the other presets of the file may have problems.

    Args:
        path: the file.
        preset: which; None takes the file's ``default:``, or its only preset.
        need_files: a file that the preset names and that is not there is a problem, too.

    Raises:
        ConfigError: every problem of the file outside its presets, and of this preset and those that it extends, with
            line and path; or several presets and no default.
        UnknownName: the file has no preset of that name.
    """
    file = PresetFile.read(path)
    names = file.names
    if preset is None:
        preset = file.default or (names[0] if len(names) == 1 else None)
    if preset is None:
        first = names[0]
        how = f"--config {fspath(path)}:{first}, in Python Scorer.from_file({fspath(path)!r}, {first!r})"
        raise ConfigError(
            fspath(path), [f"has several presets and no 'default:', so name one of {', '.join(names)}: {how}"]
        )
    if preset not in names:
        raise unknown_preset(preset, names)
    config = file.load([preset])[preset]
    if need_files:
        _check_files(config, file.found[preset][1], Problems(fspath(path)))
    return config


@frozen(eq=False)
class PresetFile:
    """A YAML file of presets, right or not: the problems of a preset are raised when it is asked for.

    Attributes:
        default: the preset it names as its default, if any.
        written: its presets by name, as they stand there.
        found: those that are right, each with the mapping it comes from, which has all that it inherits.
        problems: all problems of the file.
    """

    path: str
    default: str | None
    written: Mapping[str, Node]
    found: Mapping[str, tuple[ScorerConfig, Node]]
    problems: Problems

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Self:
        """Read a file without problems outside its presets."""
        problems = Problems(fspath(path))
        root = read_file(path, problems)
        written = preset_nodes(root, problems) if root else {}
        presets = _presets(written, problems)
        if root is None or problems.outside:
            problems.raise_any()
        assert root is not None  # noqa: S101 – else there was a problem
        folder = paths.dirname(paths.abspath(path))
        default = root.get("default")
        right = {name: (resolve_paths(config, folder), node) for name, (config, node) in presets.items()}
        return cls(fspath(path), default.value if default else None, written, right, problems)

    @property
    def names(self) -> tuple[str, ...]:
        """Its presets, in order."""
        return tuple(self.written)

    def load(self, names: Iterable[str]) -> dict[str, ScorerConfig]:
        """Some of its presets; `ConfigError` has every problem of these and of those that they extend."""
        names = list(names)
        self.problems.raise_any({base for name in names for base in lineage(name, self.written)})
        if not self.found.keys() >= {*names}:  # the problem stands in another preset, at the anchor of an alias
            self.problems.raise_any()
        return {name: self.found[name][0] for name in names}


def _presets(presets: Mapping[str, Node], problems: Problems) -> dict[str, tuple[ScorerConfig, Node]]:
    """The presets that are right, each with all that it inherits; of the others, the problems."""
    right = {}
    for name, inherited in resolve_extends(presets, builtin_settings(), problems).items():
        config = _structure(name, inherited.node, problems, whole=inherited.whole)
        if config is None:
            continue
        known = load_preset(name) if name in preset_names() else config
        if config != evolve(known, description=config.description, source=config.source):
            problems.add(presets[name], "a built-in preset with other numbers has this name: choose another")
        right[name] = config, inherited.node
    return right


def _structure(name: str, node: Node, problems: Problems, *, whole: bool) -> ScorerConfig | None:
    own_name = node.get("name")
    if own_name is not None:
        unknown_keys(node, {"name"}, [], problems, " (a preset's name is its key under 'presets')")
        node = node.without("name")
    plain = {**node.plain(), "name": name}
    for conflict in conflicts(plain):
        problems.add(_own_node([node.find(path) for path in conflict.places], node, problems), conflict.text)
    try:
        return CONVERTER.structure(plain, ScorerConfig)
    except BaseValidationError as error:
        _explain(error, node, problems, whole=whole)
        return None


def _own_node(nodes: Iterable[Node | None], otherwise: Node, problems: Problems) -> Node:
    """The first of some nodes that stands in the file itself, where its user can change it."""
    return next((node for node in nodes if node is not None and node.source == problems.source), otherwise)


def _explain(error: BaseValidationError, node: Node, problems: Problems, *, whole: bool) -> None:
    """Note each problem that cattrs found at its place in the file."""
    for problem, key in _problems_by_key(error):
        if isinstance(problem, ForbiddenExtraKeysError):
            _explain_extra(problem, node, problems)
            continue
        child = None if key is None else node.get(key)
        if child is None:
            if whole:
                problems.add(node, f"missing key {key!r}")
        elif isinstance(problem, BaseValidationError):
            _explain(problem, child, problems, whole=whole)
        else:
            problems.add(child, str(problem))


def _explain_extra(problem: ForbiddenExtraKeysError, node: Node, problems: Problems) -> None:
    if problem.cl not in (*CLASSES, StageConfig):
        name = node.get("name")
        for key in problem.extra_fields:
            text = no_such_setting(name.value if name else DEFAULT_SEARCH, key[:60])
            problems.add_at(node.value[key].line, node.value[key].path[:-1], text)
        return
    known = [attribute.name for attribute in fields(problem.cl) if attribute.name not in {"name", "settings"}]
    matcher = node.get("matcher") if problem.cl is StageConfig else None
    own = settings_class(matcher.value) if matcher and isinstance(matcher.value, str) else None
    known += fields_dict(own) if own else ()
    unknown_keys(node, problem.extra_fields, [*known, *(["extends"] if problem.cl is ScorerConfig else [])], problems)


def _problems_by_key(error: BaseValidationError) -> Iterator[tuple[Exception, str | int | None]]:
    if isinstance(error, ClassValidationError):
        named, others = error.group_exceptions()
        yield from ((problem, note.name) for problem, note in named)
        yield from ((problem, None) for problem in others)
    elif isinstance(error, IterableValidationError):
        items, _ = error.group_exceptions()
        yield from ((problem, note.index) for problem, note in items)


def _check_files(config: ScorerConfig, node: Node, problems: Problems) -> None:
    """Refuse a preset that names files that are not there, or are none; its paths are absolute."""
    for place, name in _named_files(config):
        reason = _reason(Path(name), place) if is_path(name) else None
        if reason is not None:
            # a built-in preset names files that are looked for in the folder that another one gives
            at = _own_node([node.find(place), node.get("resources"), node], node, problems)
            problems.add(at, f"{name}: {unreadable_file_advice(name, reason)}")
    problems.raise_any()


def _named_files(config: ScorerConfig) -> Iterator[tuple[Place, str]]:
    yield ("function_words",), config.function_words or ""
    yield ("weights", "resource"), config.weights.resource if config.weights else ""
    yield ("negations",), config.negations or ""
    for index, stage in enumerate(config.stages):
        yield ("stages", index, "resource"), stage.resource or ""


def _reason(path: Path, place: Place) -> str | None:
    """Why a path cannot be language data; a stage's may be a folder, a paraphrase table's index."""
    try:
        if not path.exists():
            return "No such file or directory"
        if path.is_dir():
            return None if place[0] == "stages" else "it is a folder"
        return None if path.is_file() else "it is not a regular file"
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
