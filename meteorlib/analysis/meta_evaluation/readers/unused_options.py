"""Check for options that have no effect on the data they are given with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from meteorlib.analysis.meta_evaluation.readers.judgments import Asked
from meteorlib.analysis.meta_evaluation.readers.mt_metrics_eval import is_mt_metrics_eval
from meteorlib.analysis.meta_evaluation.readers.trainer import RATINGS
from meteorlib.errors import InputMismatch


def check_used(names: Sequence[str], asked: Asked, *, scores: bool = False) -> None:
    """Check that each option has an effect on some of the data; in folders, columns cannot be named.

    Args:
        names: tables and folders, as for `read_judgments`.
        asked: options for reading.
        scores: whether there are also tables of other metrics' scores.

    Raises:
        InputMismatch: an option would be ignored.
    """
    folders = [Path(name) for name in names if Path(name).is_dir()]
    unused = [*_unused(folders, asked, tables=len(folders) < len(names), scores=scores)]
    if unused:
        raise InputMismatch(f"{', '.join(names)}: no effect on these data: {', '.join(unused)}; leave it out")


def _unused(folders: Sequence[Path], asked: Asked, *, tables: bool, scores: bool) -> Iterator[str]:
    columns = asked.columns
    test_set = any(is_mt_metrics_eval(folder) for folder in folders)
    rated_texts = tables and bool(columns.human or asked.systems or not asked.pairs)
    rated = rated_texts or test_set or any(path for folder in folders for path in folder.glob(f"*{RATINGS}"))
    for given, used, option in (
        (columns.lp, tables or scores, "--lp-column"),
        (columns.segments, tables or scores, "--segment-column"),
        (columns.system, tables or scores, "--system-column"),
        (columns.hypothesis, tables, "--hyp-column"),
        (columns.references, tables or test_set, "--ref-column"),
        (columns.human, tables or test_set, "--human-column"),
        (asked.lower_is_better, rated, "--lower-is-better"),
    ):
        if given and not used:
            yield option
