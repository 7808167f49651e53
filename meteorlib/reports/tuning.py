"""Reports of a tuning: text, JSON and TSV of the tried points."""

from __future__ import annotations

from collections.abc import Iterator

from meteorlib.analysis.tuning.preset import conclusion, gain_summary
from meteorlib.analysis.tuning.results import Fitted, Tuning
from meteorlib.core.rows import DIGITS, digits, json_text, listing, tsv_row
from meteorlib.reports.grid import align_columns


def tuning_text(tuning: Tuning) -> str:
    """A table with a row for each fold and one for all judgments; the gain below."""
    names = [*tuning.whole.values]
    head = [f"left out ({tuning.by})", *names, "trained: base", "fitted", "left out: base", "fitted"]
    rows = [head, *([*_row(one)] for one in (*tuning.folds, tuning.whole))]
    return f"{align_columns(rows)}\n\n{listing(_notes(tuning))}\n\n{conclusion(tuning)}\n"


def tuning_json(tuning: Tuning) -> str:
    """All numbers as JSON, in full precision."""
    return json_text(tuning.to_dict(), indent=2) + "\n"


def points_tsv(tuning: Tuning) -> str:
    """All tried points as TSV: the objective on all judgments and the parameters, in full precision."""
    lines = [[tuning.objective, *tuning.whole.values], *([value, *setting] for value, setting in tuning.points)]
    return "".join(tsv_row(map(str, line)) for line in lines)


def _row(one: Fitted) -> Iterator[str]:
    yield one.left_out or "nothing"
    for value in one.values.values():
        yield f"{value:.{DIGITS}f}" if isinstance(value, float) else str(value)
    for figure in (one.base, one.train, one.left_out_base, one.left_out_value):
        yield digits(figure, DIGITS)


def _notes(tuning: Tuning) -> Iterator[tuple[str, str]]:
    gain = tuning.gain
    yield "base", tuning.base
    yield "objective", f"{tuning.objective}, the mean over language pairs"
    counts = (("judged pairs", tuning.judged["pairs"]), ("ratings", tuning.judged["ratings"]))
    judged = " and ".join(f"{count} {what}" for what, count in counts if count)
    yield "data", f"{', '.join(tuning.data)}: {judged}"
    yield "method", f"{tuning.method}, {tuning.tried} settings, seed {tuning.seed}"
    yield "left out", f"base {digits(gain.base, DIGITS)}, fitted {digits(gain.value, DIGITS)}, {gain_summary(tuning)}"
    yield "interval", f"paired bootstrap by segment, {tuning.samples} samples, widened for fits that share judgments"
