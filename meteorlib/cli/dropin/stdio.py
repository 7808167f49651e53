"""The service of ``-stdio``: each line of standard input gets an answer at once.

``SCORE ||| reference ||| … ||| hypothesis`` is answered with 23 statistics, ``EVAL ||| statistics`` with a score. In
the dialect ``coco``, that of the jar that image captioning tools ship, EVAL takes many groups of statistics and
answers with the score of each and that of their sum; the single form is ``SING ||| statistics``.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from functools import reduce
from math import isfinite
from operator import add
from typing import IO, TextIO, cast

from meteorlib.cli.dropin import report
from meteorlib.cli.dropin.arguments import Arguments
from meteorlib.cli.dropin.settings import Settings
from meteorlib.core.numbers_and_letters import java_double
from meteorlib.core.statistics import Statistics, line_fields
from meteorlib.errors import InvalidText
from meteorlib.inputs.byte_source import arriving_lines
from meteorlib.scorer import Scorer

SEPARATOR = "|||"

_NUMBER = re.compile(r"[-+]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+|(?=\.[0-9]))(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?")


def run_stdio(arguments: Arguments, settings: Settings, lines: TextIO, out: IO[str]) -> None:
    """Answer each of `lines` as it arrives.

    Bytes that are not UTF-8 become U+FFFD, as in METEOR: one bad line must not end the service.
    """
    if isinstance(lines, io.TextIOWrapper):
        lines.reconfigure(encoding="utf-8", errors="replace", newline=None)
    service = Service(Scorer(settings.config), arguments.dialect)
    for number, line in enumerate(arriving_lines(lines), 1):
        for answer in service.answers(line.removesuffix("\n"), number):
            out.write(f"{answer}\n")
        out.flush()


class Service:
    """A service that answers lines; only the scorer's bounded caches last from one line to the next.

    Args:
        scorer: the scorer.
        dialect: ``cmu`` or ``coco``.
    """

    def __init__(self, scorer: Scorer, dialect: str) -> None:
        self._scorer = scorer
        self._coco = dialect == "coco"

    def answers(self, line: str, number: int) -> Iterator[str]:
        """Answers to a line, or an error message; `number` counts lines from 1."""
        command, *fields = _split(line)
        # METEOR looks at the beginning of the line only: "SCORES" is a SCORE
        if command.startswith(("SCORE", "score")):
            yield self._score(fields, number)
        elif command.startswith(("EVAL", "eval")):
            yield from self._evaluate(fields, many=self._coco)
        elif self._coco and command.startswith(("SING", "sing")):
            yield from self._evaluate(fields, many=False)
        else:
            yield f"Error: specify SCORE or EVAL{' or SING' if self._coco else ''}"

    def _score(self, fields: Sequence[str], number: int) -> str:
        if len(fields) < 2:
            return "Error: specify hypothesis and at least one reference"
        try:
            scored = self._scorer.score(fields[:-1], fields[-1])
        except InvalidText as error:
            return f"Error: line {number}: {error}"
        return report.statistics_line(scored.statistics)

    def _evaluate(self, fields: Sequence[str], *, many: bool) -> Iterator[str]:
        if not fields or (len(fields) > 1 and not many):
            yield "Error: specify Meteor stats"
            return
        try:
            groups = [read_statistics(field, self._scorer.stage_count) for field in fields]
        except ValueError as error:
            yield f"Error: {error}"
            return
        for statistics in [*groups, reduce(add, groups)] if many else groups:
            yield java_double(self._scorer.breakdown(statistics).score)


def _split(line: str) -> list[str]:
    """Fields of a line, without empty ones at the end."""
    fields = line.split(SEPARATOR)
    while len(fields) > 1 and not fields[-1]:
        fields.pop()
    return fields


def read_statistics(text: str, stages: int) -> Statistics:
    """Parse a line of statistics for `stages` stages; numbers after the 23rd are ignored.

    Raises:
        ValueError: fewer than 23 numbers, or a negative, infinite or invalid one.
    """
    return Statistics.from_line_numbers([_number(word) for word in line_fields(text)]).with_stages(stages)


def _number(word: str) -> int:
    value = float(word.replace(",", "")) if _NUMBER.fullmatch(word) else -1.0
    if value < 0 or not isfinite(value):
        raise ValueError(f"not a number of words: {word[:40]!r}")
    # METEOR takes fractions too (an average of statistics); the arithmetic is the same
    return int(value) if value.is_integer() else cast("int", value)
