"""Scoring of plain text, one segment per line."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from itertools import islice
from typing import IO

from meteorlib.cli.dropin import report
from meteorlib.cli.dropin.arguments import Arguments
from meteorlib.cli.dropin.outfiles import OutputFiles
from meteorlib.cli.dropin.settings import Settings
from meteorlib.core.numbers_and_letters import java_double
from meteorlib.core.segment import Pair
from meteorlib.core.statistics import Statistics
from meteorlib.errors import InputMismatch
from meteorlib.inputs.byte_source import STANDARD_INPUT
from meteorlib.inputs.text_file import TextFile
from meteorlib.resources.store.atomic_file import path_in_disk_errors
from meteorlib.scorer import Scorer

IN_MEMORY = 1 << 24


def run_plain(arguments: Arguments, settings: Settings, out: IO[str], err: IO[str]) -> None:
    """Score a file against a file of references; nothing is written before everything is scored.

    Raises:
        InputMismatch: the numbers of lines do not match, or there is nothing to score.
        InvalidText: a file is not UTF-8 text.
    """
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


def _check_counts(references: TextFile, hypotheses: TextFile, each: int) -> None:
    if not hypotheses.count and not references.count:
        raise InputMismatch(f"nothing to score: {hypotheses.name} and {references.name} are empty")
    if references.count != hypotheses.count * each:
        needed = f", so that {hypotheses.count * each} lines of references are needed" if each > 1 else ""
        raise InputMismatch(
            f"test and reference are not of the same length: {hypotheses.name} has {hypotheses.count} lines, "
            f"{references.name} has {references.count}; each segment has {each} reference(s) (option -r){needed}"
        )


def _groups(references: TextFile, each: int) -> Iterator[list[str]]:
    lines = references.lines()
    while group := list(islice(lines, each)):
        yield group
