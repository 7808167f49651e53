"""METEOR's tuned numbers: the table is what the jar prints, gaps included."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from attrs import astuple

from meteorlib.config import load_preset, preset_names, tasks
from meteorlib.core.languages import LANGUAGES

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "tasks.jsonl"
SIX = " ".join(["exact"] * 6)


@cache
def records():
    """Recorded output of the jar: its head by its arguments."""
    listed = map(json.loads, GOLDEN.read_text(encoding="utf-8").splitlines())
    return {tuple(record["arguments"]): record["head"] for record in listed}


def printed(language, task, matchers=None):
    """Recorded output of the jar for a language and a task: matchers, weights, parameters."""
    asked = ["-l", language] + ([] if task is None else ["-t", task])
    asked += ["-a", "empty.gz"] if matchers is None else ["-m", matchers]
    rows = dict(line.split(":", 1) for line in records()[tuple(asked)].splitlines() if ":" in line)
    numbers = (tuple(map(float, rows[name].split())) for name in ("Weights", "Parameters"))
    return rows["Task"].strip(), tuple(rows["Modules"].split()), *numbers


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_task_of_every_language(language):
    """Matchers, weights (by position, those that are missing 0) and parameters are the jar's."""
    for task in (None, *tasks.TASKS):
        named = tasks.default_task(language) if task is None else task
        found = tasks.numbers(language, named)
        name, matchers, weights, parameters = printed(language, task)
        assert name == tasks.TASKS[named], task
        assert matchers == tasks.stages(language, named), task
        assert parameters == found.parameters, task
        padded = (*found.weights, *(0.0,) * 6)[:6]
        assert weights == padded[: len(matchers)], task
        assert printed(language, task, SIX)[2] == padded, task


def test_tasks_without_numbers():
    """adq, hter and util are English (and other's); rank is of six languages (and other's)."""
    assert tasks.tasks_of("en") == tuple(tasks.TASKS)
    assert tasks.tasks_of("other") == tuple(tasks.TASKS)
    assert tasks.tasks_of("fr") == ("rank", "tune", "li", "universal")
    assert tasks.tasks_of("da") == ("tune", "li", "universal")
    assert tasks.numbers("da", "rank") is tasks.NO_NUMBERS


def test_the_numbers_are_those_of_the_presets():
    """Parameters and weights of every task are those of a built-in preset, with as many weights as it has matchers."""
    presets = [load_preset(name) for name in preset_names() if name.startswith("meteor-1.5-")]
    known = [(astuple(preset.parameters)[:4], preset.formula_parameters().weights) for preset in presets]
    for (language, task), numbers in tasks.task_table().items():
        assert len(numbers.weights) == len(tasks.stages(language, task))
        assert any(
            numbers.parameters == parameters and numbers.weights == weights[: len(numbers.weights)]
            for parameters, weights in known
        )


def test_table():
    """The table holds every language and task that has numbers, and no gap."""
    table = tasks.task_table()
    assert table["ru", "rank"].parameters == (0.75, 1.4, 0.7, 0.5)
    assert ("ru", "adq") not in table
    assert tasks.NO_NUMBERS not in table.values()
