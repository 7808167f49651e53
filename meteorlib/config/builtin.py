"""The built-in presets: YAML files, a data file that the build makes of them, and METEOR 1.5's tasks that they hold.

Without the data file a start takes 35 ms longer, for PyYAML. If there is none, if it is damaged, or if it was built
from other YAML files, the YAML files are read instead: they are the one source of the presets.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from attrs import astuple

from meteorlib.config.nodes import Node, Problems, preset_nodes, resolve_extends, unknown_preset
from meteorlib.config.schema import ParameterConfig, ScorerConfig, SearchConfig, StageConfig, WeightConfig
from meteorlib.core.languages import TUNED_LANGUAGES

_HERE = Path(__file__).parent
FAMILIES, DATA_FILE = _HERE / "presets", _HERE / "presets.json"


@cache
def _own_settings() -> Mapping[str, Node]:
    """The settings that each preset states itself in YAML, sorted by name."""
    from meteorlib.config.document import read_file  # noqa: PLC0415 – loads PyYAML

    problems = Problems(str(FAMILIES))
    settings: dict[str, Node] = {}
    for family in FAMILIES.glob("*.yaml"):
        root = read_file(family, problems, fast=True)
        settings |= preset_nodes(root, problems) if root else {}
    problems.raise_any()
    return {name: settings[name] for name in sorted(settings)}


@cache
def _settings_in_yaml() -> Mapping[str, Mapping[str, Any]]:
    problems = Problems(str(FAMILIES))
    settings = {
        name: inherited.node.plain() for name, inherited in resolve_extends(_own_settings(), {}, problems).items()
    }
    problems.raise_any()
    return settings


def data_text() -> str:
    """The content of the data file."""
    presets = json.dumps({"presets": _settings_in_yaml()}, allow_nan=False, separators=(",", ":"))[1:]
    return f"{_head(presets.encode())},{presets}"


def _head(presets: bytes) -> str:
    """The data file's text up to its first comma: a checksum of the YAML files and of what follows the comma."""
    checksum = 0
    for family in sorted(FAMILIES.glob("*.yaml")):
        checksum = crc32(family.read_bytes(), checksum)
    return f'{{"checksum":{crc32(presets, checksum)}'


@cache
def builtin_settings() -> Mapping[str, Mapping[str, Any]]:
    """The settings of each built-in preset, with all that it inherits, sorted by name."""
    try:
        data = DATA_FILE.read_bytes()
        head, _, presets = data.partition(b",")
        if head == _head(presets).encode():
            settings: Mapping[str, Mapping[str, Any]] = json.loads(data)["presets"]
            return settings
    except OSError:
        pass
    return _settings_in_yaml()


def preset_names() -> tuple[str, ...]:
    """The built-in presets."""
    return tuple(builtin_settings())


@cache
def load_preset(name: str) -> ScorerConfig:
    """A built-in preset.

    Raises:
        UnknownName: there is no such preset.
    """
    presets = builtin_settings()
    if name not in presets:
        raise unknown_preset(name, builtin=presets)
    settings = presets[name]
    weights = settings.get("weights")
    return ScorerConfig(
        **{
            **settings,
            "weights": WeightConfig(**weights) if weights else None,
            "name": name,
            "stages": [StageConfig(**stage) for stage in settings["stages"]],
            "search": SearchConfig(**settings["search"]),
            "parameters": ParameterConfig(**settings["parameters"]),
        }
    )


def preset_yaml(name: str) -> str:
    """A built-in preset as YAML, with all that it inherits: a file that can be copied, changed and loaded.

    Raises:
        UnknownName: there is no such preset.
    """
    from meteorlib.config.document import presets_as_yaml  # noqa: PLC0415 – loads PyYAML

    own = _own_settings()
    if name not in own:
        raise unknown_preset(name, builtin=own)
    return presets_as_yaml({name: _settings_in_yaml()[name]}, _comment(own[name]))


def _comment(preset: Node) -> str:
    """The comments of the preset's family and, below `#`, its own."""
    lines = Path(preset.source).read_text(encoding="utf-8").splitlines()
    family = takewhile(_is_comment, lines)
    own = [line.strip() for line in takewhile(_is_comment, reversed(lines[: preset.line - 1]))][::-1]
    return "\n".join([*family, *(["#", *own] if own else []), ""])


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


TASKS: Mapping[str, str] = {
    "rank": "Ranking",
    "adq": "Adequacy",
    "hter": "HTER",
    "util": "Translator-Utility",
    "tune": "Tune",
    "li": "Language-Independent",
    "universal": "Universal",
}
"""Task → its name as METEOR 1.5 prints it."""


class TaskNumbers(NamedTuple):
    """Alpha, beta, gamma and delta of a task for a language; weights of its stages by position, 0 for a missing one."""

    parameters: tuple[float, float, float, float]
    weights: tuple[float, ...]


NO_NUMBERS = TaskNumbers((0.0, 0.0, 0.0, 0.0), ())
"""METEOR 1.5's silent default if a task has no parameters for a language: every score is 0."""

_TUNED: Mapping[tuple[str, str], str] = {
    **{("en", task): f"meteor-1.5-en-{task}" for task in ("adq", "hter", "util")},
    **{(language, "rank"): f"meteor-1.5-{language}" for language in TUNED_LANGUAGES},
}
"""Presets with parameters tuned for a language and a task."""

_ANY_LANGUAGE: Mapping[str, str] = {task: f"meteor-1.5-en-{task}" for task in ("tune", "li", "universal")}
"""Presets with the parameters of a task for every language; those of matchers that it lacks are left out."""


def default_task(language: str) -> str:
    """The task that METEOR 1.5 runs where none is named: ``rank``, or ``li`` where the language has no such numbers."""
    return "rank" if (language, "rank") in _TUNED else "li"


def task_stages(language: str, task: str) -> tuple[str, ...]:
    """The matchers of a language (METEOR 1.5's code), in order."""
    preset = _ANY_LANGUAGE[task] if task == "universal" else f"meteor-1.5-{language}"
    if preset not in preset_names():
        return ("exact", "stem")  # ar-bw-red, for which there is no stemmer
    return tuple(stage.matcher for stage in load_preset(preset).stages)


def task_numbers(language: str, task: str) -> TaskNumbers:
    """METEOR 1.5's parameters for a task and a language; `NO_NUMBERS` if it has none."""
    if language == "other" and task != "universal":
        task = "li"
    preset = _TUNED.get((language, task)) or _ANY_LANGUAGE.get(task)
    if preset is None:
        return NO_NUMBERS
    parameters, weights = load_preset(preset).parameters, load_preset(preset).formula_parameters().weights
    return TaskNumbers(astuple(parameters)[:4], weights[: len(task_stages(language, task))])


def tasks_of(language: str) -> tuple[str, ...]:
    """The tasks that have numbers for a language."""
    return tuple(task for task in TASKS if task_numbers(language, task) is not NO_NUMBERS)
