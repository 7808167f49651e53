"""The run of ``meteor-1.5``: parse the arguments, then score plain text, SGML or standard input."""

from __future__ import annotations

import io
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial, reduce
from itertools import islice
from math import isfinite
from operator import add
from typing import IO, TextIO, cast

from meteorlib.cli.dropin import report
from meteorlib.cli.dropin.arguments import USAGE, Arguments, parse
from meteorlib.cli.dropin.settings import Settings, settings
from meteorlib.cli.dropin.sgml import run_sgml
from meteorlib.cli.output_files import OutputFiles
from meteorlib.cli.streams import USER_ERROR, run_to_end, say
from meteorlib.core.numbers_and_letters import java_double
from meteorlib.core.segment import Pair
from meteorlib.core.statistics import Statistics, line_fields
from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.byte_source import STANDARD_INPUT, arriving_lines, standard_input
from meteorlib.inputs.text_file import TextFile
from meteorlib.resources.store.shared_files import path_in_disk_errors
from meteorlib.scorer import Scorer


def run(arguments: Sequence[str] | None) -> int:
    """Run the command and return the exit status; see `meteorlib.cli.dropin.main`."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if len(words) < 2 or set(words[:2]) & {"-h", "--help", "-help"}:
        sys.stderr.write(USAGE)
        return USER_ERROR
    return run_to_end("meteor-1.5", partial(_run, words))


def _run(words: Sequence[str]) -> None:
    arguments = parse(words)
    chosen = settings(arguments)
    for warning in chosen.warnings:
        say(f"Warning: {warning}")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", newline="\n")
    if arguments.stdio:
        if arguments.sgml:
            say("Warning: -stdio goes with no other mode; -sgml has no effect")
        run_stdio(arguments, chosen, standard_input(), sys.stdout)
    elif arguments.sgml:
        run_sgml(arguments, chosen, sys.stdout)
    else:
        run_plain(arguments, chosen, sys.stdout, sys.stderr)


IN_MEMORY = 1 << 24  # bytes; lines of more wait in a temporary file


def run_plain(arguments: Arguments, settings: Settings, out: IO[str], err: IO[str]) -> None:
    """Score a file against a file of references; nothing is written before everything is scored."""
    if STANDARD_INPUT in (arguments.hypotheses, arguments.references):
        raise InputMismatch("- (standard input) needs -stdio; without it, name two files")
    hypotheses, references = (
        TextFile.open(name, carriage_return_ends=True, keeps_mark=True)
        for name in (arguments.hypotheses, arguments.references)
    )
    _check_counts(references, hypotheses, arguments.reference_count)
    scorer = Scorer(settings.config)
    total = Statistics.zero(scorer.stage_count)
    with (
        tempfile.SpooledTemporaryFile(IN_MEMORY, "w+", encoding="utf-8", newline="") as lines,
        OutputFiles(arguments.prefix) as files,
    ):
        aligned = files.open("align.out") if arguments.alignments else None
        sides = zip(_groups(references, arguments.reference_count), hypotheses.lines(), strict=True)
        for number, scored in enumerate(scorer.breakdowns(map(Pair._make, sides)), 1):
            total += scored.statistics
            numbers_only = arguments.statistics or (arguments.quiet and not arguments.verbose)
            label = "" if numbers_only else f"Segment {number} score:\t"
            with path_in_disk_errors():
                lines.write(f"{label}{report.fields(scored, arguments)}\n")
            if aligned is not None:
                aligned.write(report.alignment(f"Alignment\t{number}\t{report.numbers(scored)}", scored))
        lines.seek(0)
        if arguments.statistics:
            shutil.copyfileobj(lines, out)
        elif arguments.quiet:
            shutil.copyfileobj(lines, out if arguments.verbose else err)
            out.write(f"{java_double(scorer.breakdown(total).score)}\n")
        else:
            out.write(report.head(settings, sgml=False))
            shutil.copyfileobj(lines, out)
            out.write(f"\nSystem level statistics:\n\n{report.block(scorer.breakdown(total), settings)}")


def _check_counts(references: TextFile, hypotheses: TextFile, per_segment: int) -> None:
    if not hypotheses.count and not references.count:
        raise InputMismatch(f"nothing to score: {hypotheses.name} and {references.name} are empty")
    if references.count != hypotheses.count * per_segment:
        needed = f", so that {hypotheses.count * per_segment} lines of references are needed" if per_segment > 1 else ""
        raise InputMismatch(
            f"test and reference are not of the same length: {hypotheses.name} has {hypotheses.count} lines, "
            f"{references.name} has {references.count}; each segment has {per_segment} reference(s) (option -r){needed}"
        )


def _groups(references: TextFile, per_segment: int) -> Iterator[list[str]]:
    lines = references.lines()
    while group := list(islice(lines, per_segment)):
        yield group


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
    """A service that answers lines; only the scorer's bounded caches last from one line to the next."""

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
    """Parse a line of statistics for `stages` stages; numbers after the 23rd are ignored."""
    return Statistics.from_line_numbers([_number(word) for word in line_fields(text)]).with_stages(stages)


def _number(word: str) -> int:
    value = float(word.replace(",", "")) if _NUMBER.fullmatch(word) else -1.0
    if value < 0 or not isfinite(value):
        raise ValueError(f"not a number of words: {word[:40]!r}")
    # METEOR takes fractions too (an average of statistics); the arithmetic is the same
    return int(value) if value.is_integer() else cast("int", value)
