"""METEOR 1.5's tuned numbers: task and language → parameters and weights, with the gaps that the program has.

Source: Denkowski and Lavie, Meteor Universal: Language Specific Translation Evaluation for Any Target Language, WMT
2014, and what METEOR 1.5 prints for every task and language.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

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
    """What a task sets for a language.

    Attributes:
        parameters: alpha, beta, gamma, delta.
        weights: by position, whatever the matchers are; what is missing is 0.
    """

    parameters: tuple[float, float, float, float]
    weights: tuple[float, ...]


NOTHING = TaskNumbers((0.0, 0.0, 0.0, 0.0), ())
"""What METEOR 1.5 takes, without a word, where a task has no numbers for a language: every score is 0."""

_TUNED: Mapping[tuple[str, str], TaskNumbers] = {
    ("en", "rank"): TaskNumbers((0.85, 0.2, 0.6, 0.75), (1.0, 0.6, 0.8, 0.6)),
    ("en", "adq"): TaskNumbers((0.75, 1.4, 0.45, 0.7), (1.0, 1.0, 0.6, 0.8)),
    ("en", "hter"): TaskNumbers((0.4, 1.5, 0.35, 0.55), (1.0, 0.2, 0.6, 0.8)),
    ("en", "util"): TaskNumbers((0.65, 0.1, 0.55, 0.65), (1.0, 0.0, 0.0, 0.8)),
    ("cz", "rank"): TaskNumbers((0.95, 0.2, 0.6, 0.8), (1.0, 0.4)),
    ("fr", "rank"): TaskNumbers((0.9, 1.4, 0.6, 0.65), (1.0, 0.2, 0.4)),
    ("es", "rank"): TaskNumbers((0.65, 1.3, 0.5, 0.8), (1.0, 0.8, 0.6)),
    ("de", "rank"): TaskNumbers((0.95, 1.0, 0.55, 0.55), (1.0, 0.8, 0.2)),
    ("ru", "rank"): TaskNumbers((0.75, 1.4, 0.7, 0.5), (1.0, 0.5, 0.5)),
}
_UNIVERSAL = TaskNumbers((0.7, 1.4, 0.3, 0.7), (1.0, 0.6))
_STEM_ONLY = ("exact", "stem")
_STAGES: Mapping[str, tuple[str, ...]] = {
    "en": ("exact", "stem", "synonym", "paraphrase"),
    "cz": ("exact", "paraphrase"),
    **dict.fromkeys(("fr", "es", "de", "ru"), ("exact", "stem", "paraphrase")),
    "other": ("exact",),
}


def default_task(language: str) -> str:
    """The task that METEOR 1.5 runs where none is named: ``rank``, or ``li`` where the language has no such numbers."""
    return "rank" if (language, "rank") in _TUNED else "li"


def stages(language: str, task: str) -> tuple[str, ...]:
    """The matchers of a language (METEOR 1.5's code), in order."""
    if task == "universal":
        return ("exact", "paraphrase")
    return _STAGES.get(language, _STEM_ONLY)


def numbers(language: str, task: str) -> TaskNumbers:
    """What METEOR 1.5 takes for a task and a language; `NOTHING` where it has no numbers."""
    tuned = _TUNED.get((language, task))
    if tuned is not None:
        return tuned
    if task == "universal":
        return _UNIVERSAL
    halves = (1.0, *(0.5 for _ in stages(language, task)[1:]))
    if task == "li" or language == "other":
        return TaskNumbers((0.75, 1.4, 0.7, 0.5), halves)
    if task == "tune":
        return TaskNumbers((0.5, 1.0, 0.5, 0.5), halves)
    return NOTHING


def tasks_of(language: str) -> tuple[str, ...]:
    """The tasks that have numbers for a language."""
    return tuple(task for task in TASKS if numbers(language, task) is not NOTHING)


def task_table() -> Mapping[tuple[str, str], TaskNumbers]:
    """Language code and task → its numbers, for all that METEOR 1.5 has."""
    return {(language, task): numbers(language, task) for language in LANGUAGES for task in tasks_of(language)}
