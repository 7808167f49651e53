"""Scoring of a single system: read, score and print its report."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import IO

from meteorlib.cli.garbage_collection import rare_garbage_collection
from meteorlib.cli.progress import progress
from meteorlib.cli.streams import standard_output
from meteorlib.corpus.corpus import Corpus
from meteorlib.corpus.groups import Groups
from meteorlib.corpus.parallel import score_stream
from meteorlib.inputs.system import Inputs
from meteorlib.reports.groups import groups_of
from meteorlib.reports.json import JsonReport
from meteorlib.reports.summary import Report, Summary
from meteorlib.reports.text import TextReport
from meteorlib.reports.tsv import TsvReport
from meteorlib.resources.store.atomic_file import path_in_disk_errors
from meteorlib.scorer import Scorer

IN_MEMORY = 1 << 26
"""Bytes of segment lines that are kept in memory; more go to a temporary file."""


def make_report(form: str, width: int, ids: Sequence[str], *, grouped: bool, percent: bool, verbose: bool) -> Report:
    """The report of a single system in one of the formats text, json and tsv."""
    if form == "text":
        return TextReport(width, ids, percent=percent, verbose=verbose)
    if form == "json":
        return JsonReport(ids)
    return TsvReport(ids, grouped=grouped)


def _segment_buffer(*, used: bool) -> IO[str]:
    """A buffer for the lines of segments, which are printed after all of them are scored."""
    if not used:
        return StringIO()
    from tempfile import SpooledTemporaryFile  # noqa: PLC0415 – slow to load

    return SpooledTemporaryFile(IN_MEMORY, "w+", encoding="utf-8", newline="")


def score_one(
    scorer: Scorer,
    inputs: Inputs,
    report: Report,
    variant: tuple[str, str],
    *,
    segments: bool,
    jobs: int,
    only: tuple[int, int] | None,
) -> Corpus:
    """Score a single system and print its report, or only its score, if `only` has its digits and factor."""
    corpus, groups = scorer.corpus(keep_segments=False), Groups(inputs.labels)
    render = report.segment if segments and only is None else None
    # all is written at the end: an error or an interruption on the way leaves no half of a result
    with _segment_buffer(used=render is not None) as listed:
        with progress("scoring", inputs.count) as advance, rare_garbage_collection():
            for batch in score_stream(scorer, inputs.batches(), jobs, render):
                corpus.add_totals(batch.totals)
                groups.add(batch.groups)
                with path_in_disk_errors():
                    listed.writelines(batch.rendered)
                advance(batch.totals.segment_count)
        summary = Summary(
            corpus.score(),
            corpus.segment_count,
            corpus.mean(),
            corpus.empty_hypotheses,
            corpus.empty_references,
            scorer.config.name,
            str(scorer.signature),
            inputs.references,
            groups_of(groups, scorer),
            *variant,
        )
        listed.seek(0)
        out = standard_output()
        if only is None:
            out.write(report.head(summary, segments=segments))
            out.writelines(listed)
            out.write(report.tail(summary, segments=segments))
        else:
            out.write(f"{only[1] * summary.scored.score:.{only[0]}f}\n")
        out.flush()
    return corpus
