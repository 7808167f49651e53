"""METEOR 1.5's tasks: which preset holds the parameters of a task and a language."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import astuple, frozen

from meteorlib.config.builtin import load_preset, preset_names
from meteorlib.core.languages import LANGUAGES

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


@frozen
class TaskNumbers:
    """Parameters and stage weights of a task for a language.

    Attributes:
        parameters: alpha, beta, gamma, delta.
        weights: by position, whatever the matchers are; what is missing is 0.
    """

    parameters: tuple[float, float, float, float]
    weights: tuple[float, ...]


NO_NUMBERS = TaskNumbers((0.0, 0.0, 0.0, 0.0), ())
"""METEOR 1.5's silent default if a task has no parameters for a language: every score is 0."""

_PRESETS: Mapping[tuple[str, str], str] = {
    **{("en", task): f"meteor-1.5-en-{task}" for task in ("adq", "hter", "util")},
    **{(language, "rank"): f"meteor-1.5-{language}" for language in ("en", "cz", "fr", "es", "de", "ru")},
}
"""Presets with parameters tuned for a language and a task."""

_ANY_LANGUAGE: Mapping[str, str] = {task: f"meteor-1.5-en-{task}" for task in ("tune", "li", "universal")}
"""Presets with the parameters of a task for every language; those of matchers that it lacks are left out."""


def default_task(language: str) -> str:
    """The task that METEOR 1.5 runs where none is named: ``rank``, or ``li`` where the language has no such numbers."""
    return "rank" if (language, "rank") in _PRESETS else "li"


def stages(language: str, task: str) -> tuple[str, ...]:
    """The matchers of a language (METEOR 1.5's code), in order."""
    preset = _ANY_LANGUAGE[task] if task == "universal" else f"meteor-1.5-{language}"
    if preset not in preset_names():
        return ("exact", "stem")  # ar-bw-red, for which there is no stemmer
    return tuple(stage.matcher for stage in load_preset(preset).stages)


def numbers(language: str, task: str) -> TaskNumbers:
    """METEOR 1.5's parameters for a task and a language; `NO_NUMBERS` if it has none."""
    if language == "other" and task != "universal":
        task = "li"
    preset = _PRESETS.get((language, task)) or _ANY_LANGUAGE.get(task)
    if preset is None:
        return NO_NUMBERS
    parameters, weights = load_preset(preset).parameters, load_preset(preset).formula_parameters().weights
    return TaskNumbers(astuple(parameters)[:4], weights[: len(stages(language, task))])


def tasks_of(language: str) -> tuple[str, ...]:
    """The tasks that have numbers for a language."""
    return tuple(task for task in TASKS if numbers(language, task) is not NO_NUMBERS)


def task_table() -> Mapping[tuple[str, str], TaskNumbers]:
    """Language code and task → its numbers, for all that METEOR 1.5 has."""
    return {(language, task): numbers(language, task) for language in LANGUAGES for task in tasks_of(language)}
