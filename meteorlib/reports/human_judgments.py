"""Reports on human judgments: of meta-evaluations, as text, Markdown, JSON and TSV, and of tunings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from meteorlib.display.displayable import cell, value_at
from meteorlib.display.terminal import align_columns, escape_markdown, markdown_table, notes_block
from meteorlib.display.text import DIGITS, NONE, digits, exact, json_text, listing, one_line, tsv_row

if TYPE_CHECKING:
    from meteorlib.analysis.meta_evaluation.results import MetaEvaluation, Table
    from meteorlib.analysis.tuning.results import Fitted, Tuning
    from meteorlib.display.displayable import Grid

STATISTICS: Mapping[str, tuple[str, ...]] = {
    "ratings": (
        "pearson", "spearman", "partial_reference", "partial_lengths", "tau_b", "tau_c",
        "segment_pairs", "tau_wmt14", "tau_wmt13", "tau_wmt12", "acc_eq", "acc_eq_by_system", "acc_eq_ungrouped",
    ),
    "pairs": ("tau_wmt14", "tau_wmt13", "tau_wmt12", "accuracy"),
    "systems": ("accuracy", "pearson"),
}  # fmt: skip
"""Keys of the statistics by kind of judgment; short tables show the first one by default."""

SHORT = {"tau": "tau_wmt14"}
"""Short names of statistics, the same as in the objective of a tuning."""

COUNTS = ("concordant", "discordant", "tied")
"""Pair counts from which the taus are computed."""

EXPLANATIONS = {
    "partial_reference": "Pearson, log length of the reference regressed out",
    "partial_lengths": "Pearson, log lengths of reference and text regressed out",
    "segment_pairs": "share in the order of the ratings; equal scores count half",
    "tau_wmt14": "(concordant - discordant) / judged pairs",
    "tau_wmt13": "(concordant - discordant) / (concordant + discordant)",
    "tau_wmt12": "(concordant - discordant - tied) / judged pairs",
    "accuracy": "share of pairs that metric and people put in the same order",
    "acc_eq": "share of right pairs in a segment; scores within ε are tied",
    "acc_eq_by_system": "share of right pairs in a system; scores within ε are tied",
    "acc_eq_ungrouped": "share of right pairs of all texts; scores within ε are tied",
}
"""Explanations of the statistics whose names do not explain themselves."""

_TITLES = {
    "tau_wmt12": "tau 2012", "tau_wmt13": "tau 2013", "tau_wmt14": "tau 2014", "tau_b": "tau-b", "tau_c": "tau-c",
    "pearson": "Pearson", "spearman": "Spearman", "acc_eq_by_system": "acc_eq by system",
    "acc_eq_ungrouped": "acc_eq ungrouped", "partial_reference": "partial, reference",
    "partial_lengths": "partial, lengths", "segment_pairs": "pairs in a segment",
}  # fmt: skip


TSV_COLUMNS = (
    "name", "level", "judged", "texts", "segments", "metric", "statistic", "value", "low", "high",
    "difference", "difference_low", "difference_high", "p", "williams_p", "epsilon",
    "baseline", "samples", "seed", "confidence", "signature",
)  # fmt: skip
"""Columns of TSV."""

_FIGURE = (
    "value", "interval.low", "interval.high", "difference.value", "difference.interval.low",
    "difference.interval.high", "difference.p", "difference.williams",
)  # fmt: skip
"""Attributes of a figure in the columns of TSV from ``value`` to ``williams_p``."""

_SHOWN = ("value", "interval", "difference.value", "difference.interval", "difference.p", "difference.williams")
"""Attributes of a figure in a table for people."""


def title(key: str) -> str:
    """The display name of a statistic."""
    return _TITLES.get(key, key)


def table_statistic(level: str, requested: str) -> str:
    """Statistic of a short table: the requested one if the kind of judgment has it, else the default."""
    return requested if requested in STATISTICS[level] else STATISTICS[level][0]


def agreement_text(evaluation: MetaEvaluation, statistic: str = "", *, every: bool = False) -> str:
    """A table for each language pair and kind of judgment in aligned columns, notes below."""
    notes = notes_block([*notes_of(evaluation, statistic, every=every)], [*evaluation.signatures.items()])
    tables = (f"{one_line(name)}\n\n{align_columns(rows)}" for name, rows in _tables(evaluation, statistic, every))
    return "\n\n".join([*tables, notes]) + "\n"


def agreement_markdown(evaluation: MetaEvaluation, statistic: str = "", *, every: bool = False) -> str:
    """Markdown tables, with the notes as a list below; see `agreement_text`."""
    escape = escape_markdown
    tables = (f"{escape(name)}\n\n{markdown_table(rows)}" for name, rows in _tables(evaluation, statistic, every))
    notes = [f"- {escape(label)}: {escape(said)}" for label, said in notes_of(evaluation, statistic, every=every)]
    notes += [f"- {escape(name)}: `{one_line(signature)}`" for name, signature in evaluation.signatures.items()]
    return "\n\n".join([*tables, "\n".join(notes)]) + "\n"


def agreement_json(evaluation: MetaEvaluation) -> str:
    """All numbers as JSON, in full precision."""
    return json_text(evaluation.to_dict(), indent=2) + "\n"


def agreement_tsv(evaluation: MetaEvaluation) -> str:
    """All numbers as TSV, in full precision: column names, then a row for each table, statistic and metric."""
    settings = [evaluation.baseline, *map(repr, (evaluation.samples, evaluation.seed, evaluation.confidence))]
    lines = [tsv_row(TSV_COLUMNS)]
    for table in evaluation.tables:
        judged = [table.name, table.level, str(table.judged), str(table.texts), str(table.segments)]
        for key in _keys(table):
            for one in table.agreements:
                figure = one.figures.get(key)
                numbers = [value_at(figure, path) for path in _FIGURE]
                if key in COUNTS:
                    numbers[0] = getattr(one, key)
                epsilon = None if figure is None else one.epsilons.get(key)
                signature = evaluation.signatures.get(one.metric, "")
                lines.append(
                    tsv_row([*judged, one.metric, key, *map(exact, numbers), exact(epsilon), *settings, signature])
                )
    return "".join(lines)


def _tables(evaluation: MetaEvaluation, statistic: str, every: bool) -> Iterator[tuple[str, Grid]]:
    for table in evaluation.tables:
        rows = rows_of(table, evaluation.confidence) if every else _short_rows(table, evaluation.confidence, statistic)
        yield title_of(table), [*rows]


def title_of(table: Table) -> str:
    """Title of a table: its language pair and number of judgments."""
    if table.level == "systems":
        return f"{table.name}: {table.judged} systems"
    judged = "judged pairs" if table.level == "pairs" else "ratings"
    return f"{table.name}: {table.judged} {judged}, {table.texts} texts, {table.segments} segments"


def _short_rows(table: Table, confidence: float, statistic: str) -> Iterator[list[str]]:
    """Cells of a table of one statistic, the names of the columns first."""
    key = table_statistic(table.level, statistic)
    several = len(table.agreements) > 1
    yield ["metric", title(key), _interval(confidence), *(["difference", "p"] if several else [])]
    for one in table.agreements:
        value, interval, difference, _, p, _ = (cell(one.figures.get(key), path) for path in _SHOWN)
        yield [one.metric, value, interval, *([difference, p] if several else [])]


def rows_of(table: Table, confidence: float) -> Iterator[list[str]]:
    """Cells of a table of every statistic, the names of the columns first; empty columns are left out."""
    interval = _interval(confidence)
    rows = [["statistic", "metric", "value", interval, "difference", f"its {interval}", "p", "Williams p", "ε"]]
    for key in _keys(table):
        for one in table.agreements:
            cells = [cell(one.figures.get(key), path) for path in _SHOWN]
            if key in COUNTS and getattr(one, key) is not None:
                cells[0] = str(getattr(one, key))
            if key != "pearson":
                cells[-1] = NONE
            rows.append([title(key), one.metric, *cells, digits(one.epsilons.get(key))])
    used = [any(row[column] != NONE for row in rows[1:]) or not rows[1:] for column in range(len(rows[0]))]
    for row in rows:
        yield [shown for shown, kept in zip(row, used, strict=True) if kept]


def _interval(confidence: float) -> str:
    return f"{100 * confidence:g}% interval"


def _keys(table: Table) -> list[str]:
    """Counts and statistics that a metric has."""
    counts = [key for key in COUNTS if any(getattr(one, key) is not None for one in table.agreements)]
    return counts + [key for key in STATISTICS[table.level] if any(key in one.figures for one in table.agreements)]


def notes_of(evaluation: MetaEvaluation, statistic: str = "", *, every: bool = False) -> Iterator[tuple[str, str]]:
    """Explanations of tables, each with its label; the arguments are those of `agreement_text`."""
    agreements = [one for table in evaluation.tables for one in table.agreements]
    several = max(len(table.agreements) for table in evaluation.tables) > 1
    method = f"paired bootstrap by segment, {evaluation.samples} samples, seed {evaluation.seed}"
    yield "intervals" + (", p" if several else ""), method
    if several:
        yield "baseline", evaluation.baseline
    shown = [_keys(table) if every else [table_statistic(table.level, statistic)] for table in evaluation.tables]
    for key in dict.fromkeys(key for keys in shown for key in keys if key in EXPLANATIONS):
        yield title(key), EXPLANATIONS[key]
    if every and any(value_at(one.figures.get("pearson"), "difference.williams") is not None for one in agreements):
        yield "Williams p", "one-sided, that the better of the two correlates better"
    if any(table.name == "mean" for table in evaluation.tables):
        yield "mean", "of the figures of the language pairs"
    if not every:
        yield "more", "--all shows every statistic, and so do --format tsv and json"


def tuning_text(tuning: Tuning) -> str:
    """A table with a row for each fold and one for all judgments; the gain below."""
    from meteorlib.analysis.tuning.results import conclusion  # noqa: PLC0415 – loads numpy

    names = [*tuning.whole.values]
    head = [f"left out ({tuning.by})", *names, "trained: base", "fitted", "left out: base", "fitted"]
    rows = [head, *([*_fold_cells(one)] for one in (*tuning.folds, tuning.whole))]
    return f"{align_columns(rows)}\n\n{listing(_tuning_notes(tuning))}\n\n{conclusion(tuning)}\n"


def tuning_json(tuning: Tuning) -> str:
    """All numbers as JSON, in full precision."""
    return json_text(tuning.to_dict(), indent=2) + "\n"


def points_tsv(tuning: Tuning) -> str:
    """All tried points as TSV: the objective on all judgments and the parameters, in full precision."""
    lines = [[tuning.objective, *tuning.whole.values], *([value, *setting] for value, setting in tuning.points)]
    return "".join(tsv_row(map(str, line)) for line in lines)


def _fold_cells(one: Fitted) -> Iterator[str]:
    yield one.left_out or "nothing"
    for value in one.values.values():
        yield f"{value:.{DIGITS}f}" if isinstance(value, float) else str(value)
    for figure in (one.base, one.train, one.left_out_base, one.left_out_value):
        yield digits(figure, DIGITS)


def _tuning_notes(tuning: Tuning) -> Iterator[tuple[str, str]]:
    from meteorlib.analysis.tuning.results import gain_summary  # noqa: PLC0415 – loads numpy

    gain = tuning.gain
    yield "base", tuning.base
    yield "objective", f"{tuning.objective}, the mean over language pairs"
    counts = (("judged pairs", tuning.judged["pairs"]), ("ratings", tuning.judged["ratings"]))
    judged = " and ".join(f"{count} {what}" for what, count in counts if count)
    yield "data", f"{', '.join(tuning.data)}: {judged}"
    yield "method", f"{tuning.method}, {tuning.tried} settings, seed {tuning.seed}"
    yield "left out", f"base {digits(gain.base, DIGITS)}, fitted {digits(gain.value, DIGITS)}, {gain_summary(tuning)}"
    yield "interval", f"paired bootstrap by segment, {tuning.samples} samples, widened for fits that share judgments"
