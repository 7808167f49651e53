"""YAML files of users → `ScorerConfig`. With `document`, which reads the YAML, the one heavy part of this package.

A file holds ``presets:``, a mapping of names to presets, and may say which is the ``default:``. A preset may extend
another of the file or a built-in one (``extends:``); mappings are merged, lists replaced. Every preset of a file must
be complete and right, also those that are not asked for. A preset may bear the name of a built-in one only if it gives
the same numbers: so a copied preset works, and a name never means two things.
"""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike, fspath
from os import path as paths

from attrs import evolve, fields, fields_dict
from cattrs import BaseValidationError, ClassValidationError, IterableValidationError
from cattrs.errors import ForbiddenExtraKeysError

from meteorlib.config.builtin import load_preset, preset_names
from meteorlib.config.conflicts import conflicts
from meteorlib.config.document import read_file
from meteorlib.config.families import builtin_preset
from meteorlib.config.inherit import inherit
from meteorlib.config.located import located
from meteorlib.config.node import Node, Problems
from meteorlib.config.outline import outlined, unknown_keys
from meteorlib.config.present import check_files
from meteorlib.config.schema import DEFAULT_SEARCH, ScorerConfig, StageConfig
from meteorlib.config.settings import no_such_setting, settings_class
from meteorlib.config.structuring import CLASSES, CONVERTER
from meteorlib.config.unknown import unknown_preset
from meteorlib.errors import ConfigError

__all__ = ["load_file", "load_presets"]


def load_presets(path: str | PathLike[str]) -> dict[str, ScorerConfig]:
    r"""All presets of a YAML file, in its order.

    Resources and word lists that are paths (they hold a ``/``, a ``\`` or a ``.``) are taken from the file's folder, or
    from the folder that the preset names as ``resources``, itself taken from the file's.

    Raises:
        ConfigError: every problem of the file, with line and path.
    """
    return {name: config for name, (config, _) in _load(path)[1].items()}


def load_file(path: str | PathLike[str], preset: str | None = None, *, need_files: bool = False) -> ScorerConfig:
    """One preset of a YAML file.

    Args:
        path: the file.
        preset: which; None takes the file's ``default:``, or its only preset.
        need_files: a file that the preset names and that is not there is a problem, too.

    Raises:
        ConfigError: every problem of the file, with line and path; or several presets and no default.
        UnknownName: the file has no preset of that name.
    """
    default, presets = _load(path)
    if preset is None:
        preset = default or (next(iter(presets)) if len(presets) == 1 else None)
    if preset is None:
        first = next(iter(presets))
        how = f"--config {fspath(path)}:{first}, in Python Scorer.from_file({fspath(path)!r}, {first!r})"
        raise ConfigError(
            fspath(path), [f"has several presets and no 'default:', so name one of {', '.join(presets)}: {how}"]
        )
    if preset not in presets:
        raise unknown_preset(preset, presets)
    config, node = presets[preset]
    if need_files:
        problems = Problems(fspath(path))
        check_files(config, node, problems)
        problems.raise_any()
    return config


def _load(path: str | PathLike[str]) -> tuple[str | None, dict[str, tuple[ScorerConfig, Node]]]:
    problems = Problems(fspath(path))
    root = read_file(path, problems)
    presets = _presets(root, problems) if root else {}
    problems.raise_any()
    assert root is not None  # noqa: S101 – else there was a problem
    folder = paths.dirname(paths.abspath(path))
    default = root.get("default")
    presets = {name: (located(config, folder), node) for name, (config, node) in presets.items()}
    return default.value if default else None, presets


def _presets(root: Node, problems: Problems) -> dict[str, tuple[ScorerConfig, Node]]:
    """The presets in a document that are right, each with all that it inherits; of the others, the problems."""
    found = {}
    presets = outlined(root, problems)
    for name, inherited in inherit(presets, preset_names(), builtin_preset, problems).items():
        config = _structured(name, inherited.node, problems, whole=inherited.whole)
        if config is None:
            continue
        if name in preset_names() and not _same_numbers(config, load_preset(name)):
            problems.add(presets[name], "a built-in preset with other numbers has this name: choose another")
        found[name] = config, inherited.node
    return found


def _same_numbers(one: ScorerConfig, other: ScorerConfig) -> bool:
    return evolve(one, description="", source="") == evolve(other, description="", source="")


def _structured(name: str, node: Node, problems: Problems, *, whole: bool) -> ScorerConfig | None:
    own_name = node.get("name")
    if own_name is not None:
        unknown_keys(node, {"name"}, [], problems, " (a preset's name is its key under 'presets')")
        node = evolve(node, value={key: value for key, value in node.value.items() if key != "name"})
    plain = {**node.plain(), "name": name}
    for conflict in conflicts(plain):
        places = [found for path in conflict.places if (found := node.find(path)) is not None]
        problems.add(next((place for place in places if place.source == problems.source), node), conflict.text)
    try:
        return CONVERTER.structure(plain, ScorerConfig)
    except BaseValidationError as error:
        _explain(error, node, problems, whole=whole)
        return None


def _explain(error: BaseValidationError, node: Node, problems: Problems, *, whole: bool) -> None:
    """Tell each problem that cattrs found at the place where it stands."""
    for problem, key in _parts(error):
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


def _parts(error: BaseValidationError) -> Iterator[tuple[Exception, str | int | None]]:
    if isinstance(error, ClassValidationError):
        named, others = error.group_exceptions()
        yield from ((problem, note.name) for problem, note in named)
        yield from ((problem, None) for problem in others)
    elif isinstance(error, IterableValidationError):
        items, _ = error.group_exceptions()
        yield from ((problem, note.index) for problem, note in items)
