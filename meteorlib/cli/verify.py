"""The command ``meteorlib verify``: check the installation against recorded results."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires, version

import click

from meteorlib.cli.command import Command
from meteorlib.cli.options import format_option
from meteorlib.cli.streams import show
from meteorlib.display.text import json_text
from meteorlib.engine.implementation import missing_engine
from meteorlib.resources.install import statuses
from meteorlib.verification import FAILURES, Check, Verification
from meteorlib.verification import verify as verify_installation

SHOWN = 5
"""Differences of a preset that are printed without --report."""


@click.command(
    cls=Command,
    short_help="Check this installation against recorded results.",
    examples=("meteorlib verify", "meteorlib verify nltk meteor-2005"),
)
@click.argument("presets", metavar="[PRESET]...", nargs=-1)
@click.option(
    "--report",
    is_flag=True,
    help="Print all details for a bug report: versions, packages, language data, presets and differences.",
)
@format_option(("text", "json"), ".")
def verify(presets: tuple[str, ...], report: bool, form: str) -> None:
    """Check the language data of this installation, and each PRESET (default: all) against recorded results.

    The results were recorded from METEOR 1.5, NLTK and meteorlib on short texts. Both engines must give the same
    scores, statistics and alignments. The exit status is 0 if all presets that can run here pass, and 1 otherwise.
    """
    found = verify_installation(presets or None)
    if form == "json":
        show(json_text(found.to_dict(), indent=1))
    else:
        for line in _report(found) if report else _summary(found):
            show(line)
    if not found.passed:
        raise click.ClickException(_failure(found))


def _summary(found: Verification) -> Iterator[str]:
    here = found.environment
    yield f"meteorlib {here['meteorlib']} ({here['engine']}), {here['python']}, {here['platform']}"
    yield from _engine()
    yield from _data(found)
    compared = [check for check in found.checks if check.engines]
    cases = sum(check.cases for check in compared)
    engines = " and ".join(sorted({engine for check in compared for engine in check.engines}))
    equal = sum(check.state == "equal" for check in compared)
    yield f"presets: {equal} of {len(compared)} give the recorded results ({cases} cases, {engines or 'no'} engine)"
    programs = Counter(check.program for check in compared)
    if programs:
        yield f"recorded by: {', '.join(f'{program} ({count})' for program, count in sorted(programs.items()))}"
    absent = [check.preset for check in found.checks if check.state == "cannot run"]
    unlisted = absent if len(absent) > SHOWN else []
    for check in found.checks:
        if check.state != "equal" and check.preset not in unlisted:
            yield from _lines(check, SHOWN)
    if unlisted:
        yield f"not checked: {len(unlisted)} presets that need something else (listed by --report)"
    if found.passed:
        yield "passed"


def _engine() -> Iterator[str]:
    if missing := missing_engine():
        yield f"note: {missing}"


def _failure(found: Verification) -> str:
    if found.damaged or any(check.state in FAILURES for check in found.checks):
        return "verification failed; please report it with the output of `meteorlib verify --report`"
    return "nothing could be checked"


def _data(found: Verification) -> Iterator[str]:
    if not found.damaged:
        yield "language data: intact"
    for message in found.damaged.values():
        yield f"language data: {message}"


def _lines(check: Check, shown: int | None = None) -> Iterator[str]:
    yield f"{check.preset}: {check.state}"
    yield from (f"  {detail}" for detail in check.details[:shown])
    if shown is not None and len(check.details) > shown:
        yield f"  and {len(check.details) - shown} more (--report)"


def _report(found: Verification) -> Iterator[str]:
    yield from _section(
        "environment", [*(f"{key}: {value}" for key, value in found.environment.items()), *_engine(), *_variables()]
    )
    yield from _section("packages", _packages())
    yield from _section("language data", [*_data(found), *_installed_data()])
    states = {check.state for check in found.checks}
    for state in sorted(states, key=lambda state: (state not in FAILURES, state)):
        checks = [check for check in found.checks if check.state == state]
        if state == "equal":
            yield from _section(
                state, [f"{check.preset} ({', '.join(check.engines)}; by {check.program})" for check in checks]
            )
        elif state == "cannot run":
            yield from _section(state, _by_reason(checks))
        else:
            yield from _section(state, [line for check in checks for line in _lines(check)])
    if found.passed:
        yield "passed"


def _by_reason(checks: Iterable[Check]) -> Iterator[str]:
    """One line for each reason, with the presets it concerns."""
    presets: dict[str, list[str]] = {}
    for check in checks:
        presets.setdefault(" ".join(check.details), []).append(check.preset)
    return (f"{', '.join(names)}: {reason}" for reason, names in presets.items())


def _packages() -> Iterator[str]:
    """Installed packages that meteorlib may use, with their versions."""
    try:
        required = requires("meteorlib") or []
    except PackageNotFoundError:  # run from a folder of sources
        required = []
    for name in sorted({re.split(r"[^\w.-]", requirement)[0] for requirement in required} - {"meteorlib"}):
        with suppress(PackageNotFoundError):
            yield f"{name} {version(name)}"


def _installed_data() -> Iterator[str]:
    for status in statuses():
        if status.state not in {"packaged", "missing"}:
            yield f"{status.name}: {status.state}, {status.size} bytes"


def _variables() -> Iterator[str]:
    """Environment variables that change what meteorlib does."""
    return (f"{name}: {value}" for name, value in sorted(os.environ.items()) if name.startswith("METEORLIB_"))


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield f"== {title}"
    yield from lines
    yield ""
