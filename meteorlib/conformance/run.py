"""Compare any METEOR with the recorded scores: ``python run.py --python MODULE:FUNCTION`` or ``-- COMMAND …``.

This file needs nothing but Python's standard library and the files beside it, so the folder can be copied anywhere;
README.md has its formats and examples.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

HERE = Path(__file__).parent

TOLERANCE = 1e-12
"""Largest difference between equal scores: room for the last digits, in which powers differ between C libraries."""

FAILED = math.inf
"""Score of a case for which the METEOR under test raised an error: equal to no other."""

OWN = " (recorded by meteorlib itself)"

Scores = list[float | None]


class Case(NamedTuple):
    """One segment: a hypothesis, its references, and the rule that it tests."""

    id: str
    language: str
    about: str
    references: list[str]
    hypothesis: str


class Expected(NamedTuple):
    """Recorded results of one preset: `head` describes them, `rows` has those of each case by its id."""

    head: dict[str, Any]
    rows: dict[str, dict[str, Any]]

    @property
    def own(self) -> bool:
        """Whether meteorlib recorded itself: the results show changes, and are no evidence that they are right."""
        return str(self.head["program"]).startswith("meteorlib")


class RunnerError(Exception):
    """A METEOR under test that cannot be run, or gives no scores."""


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def read_cases() -> list[Case]:
    """All cases."""
    return [Case(**row) for row in read_rows(HERE / "cases.jsonl")]


def recorded_presets() -> list[str]:
    """Names of the presets with recorded results."""
    return sorted(path.stem for path in (HERE / "expected").glob("*.jsonl"))


def read_expected(preset: str) -> Expected:
    """Recorded results of a preset."""
    head, *rows = read_rows(HERE / "expected" / f"{preset}.jsonl")
    return Expected(head, {row["id"]: row for row in rows})


def same_number(found: float | None, expected: float | None) -> bool:
    """Whether two scores are equal within `TOLERANCE`; None means NaN."""
    if found is None or expected is None:
        return found is expected
    return abs(found - expected) <= TOLERANCE


def _number(value: Any) -> float | None:
    number = float(value)
    return None if math.isnan(number) else number


def scores_of_function(name: str, cases: Iterable[Case], *, words: bool) -> Scores:
    """Scores of a Python function of references and hypothesis; `FAILED` where it raises an error.

    Args:
        name: ``MODULE:FUNCTION``; the module may lie in the current folder.
        cases: the cases to score.
        words: whether texts are passed as lists of words, split at white space.
    """
    module, _, attribute = name.partition(":")
    sys.path.insert(0, "")
    try:
        score: Any = import_module(module)
        for part in attribute.split("."):
            score = getattr(score, part)
    except (AttributeError, ImportError, ValueError) as error:
        raise RunnerError(f"--python {name}: {error}; give MODULE:FUNCTION, e.g. my_meteor:score") from None
    finally:
        sys.path.remove("")
    scores: Scores = []
    failures: list[str] = []
    for case in cases:
        references: list[Any] = [text.split() for text in case.references] if words else list(case.references)
        try:
            scores.append(_number(score(references, case.hypothesis.split() if words else case.hypothesis)))
        except Exception as error:  # noqa: BLE001 – whatever the function under test raises
            scores.append(FAILED)
            failures.append(f"{case.id}: {type(error).__name__}: {error}\n")
    if failures:
        sys.stderr.write(f"{len(failures)} of {len(scores)} cases failed; the first: {failures[0]}")
    return scores


def scores_of_command(command: Sequence[str], cases: Sequence[Case], pattern: str) -> Scores:
    """Scores that a command prints.

    A command with ``{hypotheses}`` and ``{references}`` gets files of lines, the references of a segment one after the
    other, and runs once for each number of references (``{count}``). Any other reads a case per line of standard input,
    as JSON, and prints the scores in the same order.
    """
    if not any("{hypotheses}" in part for part in command):
        lines = "".join(f"{json.dumps(case._asdict(), ensure_ascii=False, allow_nan=False)}\n" for case in cases)
        return _run(command, lines, len(cases), pattern)
    scores: dict[str, float | None] = {}
    for count in sorted({len(case.references) for case in cases}):
        group = [case for case in cases if len(case.references) == count]
        with TemporaryDirectory() as folder:
            texts = {
                "hypotheses": [case.hypothesis for case in group],
                "references": [text for case in group for text in case.references],
            }
            values = {"count": str(count)}
            for name, lines_of_file in texts.items():
                path = Path(folder) / name
                path.write_bytes("".join(f"{line}\n" for line in lines_of_file).encode())
                values[name] = str(path)
            filled = command
            for name, value in values.items():
                filled = [part.replace(f"{{{name}}}", value) for part in filled]
            found = _run(filled, "", len(group), pattern)
        scores.update((case.id, score) for case, score in zip(group, found, strict=True))
    return [scores[case.id] for case in cases]


def _run(command: Sequence[str], text: str, count: int, pattern: str) -> Scores:
    try:
        done = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=False)  # noqa: S603 – the user's command
    except OSError as error:
        raise RunnerError(f"{command[0]}: {error.strerror or error}") from None
    if done.returncode:
        raise RunnerError(f"{command[0]}: exit status {done.returncode}\n{done.stderr[-2000:]}")
    found = [match[1] for match in re.finditer(pattern, done.stdout, re.MULTILINE)]
    if len(found) != count:
        raise RunnerError(
            f"{command[0]}: {len(found)} scores for {count} cases; --pattern is {pattern!r}, and the output begins:\n"
            f"{done.stdout[:500]}"
        )
    try:
        return [_number(score) for score in found]
    except ValueError as error:
        raise RunnerError(f"{command[0]}: {error}; --pattern is {pattern!r}") from None


def differences(expected: Expected, cases: Iterable[Case], scores: Scores) -> list[tuple[Case, float | None]]:
    """The cases whose score is not the recorded one, each with the score that was found."""
    rows = expected.rows
    return [
        (case, score)
        for case, score in zip(cases, scores, strict=True)
        if case.id in rows and not same_number(score, rows[case.id]["score"])
    ]


def compare(cases: Sequence[Case], scores: Scores, presets: Sequence[str]) -> int:
    """Print how many cases agree with each preset, for a single preset also the others; return the exit status."""
    write = sys.stdout.write
    width = max(map(len, presets))
    unlike: list[tuple[Case, float | None]] = []
    for preset in presets:
        expected = read_expected(preset)
        total = sum(case.id in expected.rows for case in cases)
        unlike = differences(expected, cases, scores)
        gaps = [math.inf if score is None else abs(score - expected.rows[case.id]["score"]) for case, score in unlike]
        write(f"{preset:{width}}  {total - len(unlike):3} of {total} equal, ")
        write(f"largest difference {max(gaps, default=0):.4g}{OWN if expected.own else ''}\n")
        if len(presets) == 1:
            for case, score in unlike:
                row = json.dumps(expected.rows[case.id], allow_nan=False)
                write(f"\n{case.id} ({case.about})\n  found {score}\n  {row}\n")
                write("".join(f"  reference: {text}\n" for text in case.references))
                write(f"  hypothesis: {case.hypothesis}\n")
    return 1 if len(presets) == 1 and unlike else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status: 1 where a preset was named and a score differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--preset", choices=recorded_presets(), metavar="NAME", help="METEOR to compare with; without "
                        "it, every one of the language")  # fmt: skip
    parser.add_argument("--language", default="en", metavar="CODE", help="language without --preset (default: en)")
    parser.add_argument("--python", metavar="MODULE:FUNCTION", help="Python function of references and hypothesis")
    parser.add_argument("--words", action="store_true", help="pass lists of words to the function, not strings")
    parser.add_argument("--pattern", default=r"(\S+)[ \t]*$", metavar="REGEX", help="what a score looks like in the "
                        "output of COMMAND; the group is the score (default: the last word of each line)")  # fmt: skip
    parser.add_argument("command", nargs="*", metavar="-- COMMAND", help="command that prints scores")
    given = parser.parse_args(arguments)
    if (given.python is None) == (not given.command):
        parser.error("give --python MODULE:FUNCTION, or a command after --")
    languages = {case.language for case in read_cases()}
    language = read_expected(given.preset).head["language"] if given.preset else given.language
    if language not in languages:
        parser.error(f"no cases of language {language!r}; known: {', '.join(sorted(languages))}")
    cases = [case for case in read_cases() if case.language == language]
    presets = [name for name in recorded_presets() if given.preset in {None, name}]
    presets = [name for name in presets if read_expected(name).head["language"] == language]
    try:
        if given.python is not None:
            scores = scores_of_function(given.python, cases, words=given.words)
        else:
            scores = scores_of_command(given.command, cases, given.pattern)
    except RunnerError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return compare(cases, scores, presets)


if __name__ == "__main__":
    sys.exit(main())
