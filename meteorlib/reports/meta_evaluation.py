"""Reports of a meta-evaluation: text, Markdown, JSON and TSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from meteorlib.analysis.meta_evaluation.results import Agreement, Figure, MetaEvaluation, Table
from meteorlib.core.rows import DIGITS, NONE, digits, json_text, probability, signed, tsv_row
from meteorlib.core.safe_text import one_line
from meteorlib.reports.grid import Grid, align_columns, escape_markdown, markdown_table, notes_block
from meteorlib.reports.statistics import COUNTS, EXPLANATIONS, STATISTICS, table_statistic, title
from meteorlib.reports.systems.table import bounds

COLUMNS = (
    "name", "level", "judged", "texts", "segments", "metric", "statistic", "value", "low", "high",
    "difference", "difference_low", "difference_high", "p", "williams_p", "epsilon",
    "baseline", "samples", "seed", "confidence", "signature",
)  # fmt: skip
"""Columns of TSV."""


def agreement_text(evaluation: MetaEvaluation, statistic: str = "", *, every: bool = False) -> str:
    """A table for each language pair and kind of judgment in aligned columns, notes below.

    Args:
        evaluation: the meta-evaluation.
        statistic: the statistic to show in tables that have it; empty for the default (`statistics.chosen`).
        every: whether tables show every statistic, in a row for each metric.
    """
    notes = notes_block([*notes_of(evaluation, statistic, every=every)], [*evaluation.signatures.items()])
    return "\n\n".join([*_tables(evaluation, statistic, every, align_columns, one_line), notes]) + "\n"


def agreement_markdown(evaluation: MetaEvaluation, statistic: str = "", *, every: bool = False) -> str:
    """Markdown tables, with the notes as a list below; see `agreement_text`."""
    notes = [
        f"- {escape_markdown(label)}: {escape_markdown(said)}"
        for label, said in notes_of(evaluation, statistic, every=every)
    ]
    notes += [
        f"- {escape_markdown(name)}: `{one_line(signature)}`" for name, signature in evaluation.signatures.items()
    ]
    return (
        "\n\n".join([*_tables(evaluation, statistic, every, markdown_table, escape_markdown), "\n".join(notes)]) + "\n"
    )


def agreement_json(evaluation: MetaEvaluation) -> str:
    """All numbers as JSON, in full precision."""
    return json_text(evaluation.to_dict(), indent=2) + "\n"


def agreement_tsv(evaluation: MetaEvaluation) -> str:
    """All numbers as TSV, in full precision: column names, then a row for each table, statistic and metric."""
    rows = [
        [
            *(table.name, table.level, str(table.judged), str(table.texts), str(table.segments)),
            one.metric,
            key,
            *_number_cells(one, key),
            *_settings_cells(evaluation, one.metric),
        ]
        for table in evaluation.tables
        for key in _keys(table)
        for one in table.agreements
    ]
    return "".join(map(tsv_row, ([*COLUMNS], *rows)))


def _tables(
    evaluation: MetaEvaluation, statistic: str, every: bool, draw: Callable[[Grid], str], clean: Callable[[str], str]
) -> Iterator[str]:
    for table in evaluation.tables:
        rows = [
            *(
                rows_of(table, evaluation.confidence)
                if every
                else _rows_of_statistic(table, evaluation.confidence, statistic)
            )
        ]
        yield f"{clean(title_of(table))}\n\n{draw(rows)}"


def title_of(table: Table) -> str:
    """Title of a table: its language pair and number of judgments."""
    if table.level == "systems":
        return f"{table.name}: {table.judged} systems"
    judged = "judged pairs" if table.level == "pairs" else "ratings"
    return f"{table.name}: {table.judged} {judged}, {table.texts} texts, {table.segments} segments"


def _rows_of_statistic(table: Table, confidence: float, statistic: str) -> Iterator[list[str]]:
    """Cells of a table of one statistic, the names of the columns first."""
    key = table_statistic(table.level, statistic)
    several = len(table.agreements) > 1
    yield ["metric", title(key), _interval(confidence), *(["difference", "p"] if several else [])]
    for one in table.agreements:
        value, interval, difference, _, p = _cells(one.figures.get(key))
        yield [one.metric, value, interval, *([difference, p] if several else [])]


def rows_of(table: Table, confidence: float) -> Iterator[list[str]]:
    """Cells of a table of every statistic, the names of the columns first; empty columns are left out."""
    interval = _interval(confidence)
    rows = [["statistic", "metric", "value", interval, "difference", f"its {interval}", "p", "Williams p", "ε"]]
    for key in _keys(table):
        for one in table.agreements:
            count = getattr(one, key) if key in COUNTS else None
            value, *others = _cells(one.figures.get(key))
            shown = value if count is None else str(count)
            williams = probability(_williams(one) if key == "pearson" else None)
            rows.append([title(key), one.metric, shown, *others, williams,
                         digits(one.epsilons.get(key), DIGITS)])  # fmt: skip
    used = [any(cell != NONE for cell in column) for column in zip(*rows[1:], strict=True)] or [True] * len(rows[0])
    for row in rows:
        yield [cell for cell, kept in zip(row, used, strict=True) if kept]


def _interval(confidence: float) -> str:
    return f"{100 * confidence:g}% interval"


def _keys(table: Table) -> list[str]:
    """Counts and statistics that a metric has."""
    counts = [key for key in COUNTS if any(getattr(one, key) is not None for one in table.agreements)]
    return counts + [key for key in STATISTICS[table.level] if any(key in one.figures for one in table.agreements)]


def _cells(figure: Figure | None) -> tuple[str, str, str, str, str]:
    """Value, interval, difference, its interval, and p value."""
    if figure is None:
        return (NONE,) * 5
    difference = figure.difference
    difference_cells = (NONE,) * 3
    if difference is not None:
        interval = bounds(difference.interval, signed)
        difference_cells = signed(difference.value, DIGITS), interval, probability(difference.p)
    return digits(figure.value, DIGITS), bounds(figure.interval, partial(digits, width=DIGITS)), *difference_cells


def _williams(agreement: Agreement) -> float | None:
    figure = agreement.figures.get("pearson")
    return None if figure is None or figure.difference is None else figure.difference.williams


def _number_cells(agreement: Agreement, key: str) -> list[str]:
    """The columns of TSV from value to epsilon; what has no value is empty."""
    if key in COUNTS:
        return [_number(getattr(agreement, key)), *[""] * 8]
    figure = agreement.figures.get(key)
    if figure is None:
        return [""] * 9
    numbers: list[float | None] = [figure.value, figure.interval.low, figure.interval.high]
    difference = figure.difference
    if difference is None:
        numbers += [None] * 5
    else:
        interval = difference.interval
        numbers += [difference.value, interval.low, interval.high, difference.p, difference.williams]
    return [*map(_number, numbers), _number(agreement.epsilons.get(key))]


def _settings_cells(evaluation: MetaEvaluation, metric: str) -> list[str]:
    settings = [
        evaluation.baseline,
        str(evaluation.samples),
        str(evaluation.seed),
        repr(evaluation.confidence),
    ]
    return [*settings, evaluation.signatures.get(metric, "")]


def _number(value: float | None) -> str:
    return "" if value is None else repr(value)


def notes_of(evaluation: MetaEvaluation, statistic: str = "", *, every: bool = False) -> Iterator[tuple[str, str]]:
    """Explanations of tables, each with its label; the arguments are those of `agreement_text`."""
    several = max(len(table.agreements) for table in evaluation.tables) > 1
    method = f"paired bootstrap by segment, {evaluation.samples} samples, seed {evaluation.seed}"
    yield "intervals" + (", p" if several else ""), method
    if several:
        yield "baseline", evaluation.baseline
    shown = [_keys(table) if every else [table_statistic(table.level, statistic)] for table in evaluation.tables]
    for key in dict.fromkeys(key for keys in shown for key in keys if key in EXPLANATIONS):
        yield title(key), EXPLANATIONS[key]
    if every and any(_williams(one) is not None for table in evaluation.tables for one in table.agreements):
        yield "Williams p", "one-sided, that the better of the two correlates better"
    if any(table.name == "mean" for table in evaluation.tables):
        yield "mean", "of the figures of the language pairs"
    if not every:
        yield "more", "--all shows every statistic, and so do --format tsv and json"
