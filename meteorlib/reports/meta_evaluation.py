"""A meta-evaluation as text, Markdown, JSON and TSV: a table for each language pair and kind of judgment."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from meteorlib.analysis.meta_evaluation.results import Agreement, Figure, MetaEvaluation, Table
from meteorlib.core.rows import DIGITS, signed
from meteorlib.reports.grid import Grid, aligned, escaped, noted, piped
from meteorlib.reports.statistics import COUNTS, EXPLAINED, STATISTICS, chosen, title
from meteorlib.reports.systems.table import NONE, bounds, digits, plain, probability

COLUMNS = (
    "name", "level", "judged", "texts", "segments", "metric", "statistic", "value", "low", "high",
    "difference", "difference_low", "difference_high", "p", "williams_p", "epsilon",
    "baseline", "samples", "seed", "confidence", "signature",
)  # fmt: skip
"""Columns of TSV."""


def agreement_text(found: MetaEvaluation, statistic: str = "", *, every: bool = False) -> str:
    """Aligned columns, notes below.

    Args:
        found: the meta-evaluation.
        statistic: the statistic that a table shows where it has it; empty for the usual one (`statistics.chosen`).
        every: whether tables show every statistic, in a row for each metric.
    """
    signatures = [(plain(name), signature) for name, signature in found.signatures.items()]
    notes = noted([*notes_of(found, statistic, every=every)], signatures)
    return "\n\n".join([*_tables(found, statistic, every, aligned, plain), notes]) + "\n"


def agreement_markdown(found: MetaEvaluation, statistic: str = "", *, every: bool = False) -> str:
    """Tables of Markdown, the notes as a list below them; see `agreement_text`."""
    notes = [f"- {escaped(label)}: {escaped(said)}" for label, said in notes_of(found, statistic, every=every)]
    notes += [f"- {escaped(plain(name))}: `{signature}`" for name, signature in found.signatures.items()]
    return "\n\n".join([*_tables(found, statistic, every, piped, escaped), "\n".join(notes)]) + "\n"


def agreement_json(found: MetaEvaluation) -> str:
    """Every number, in full precision."""
    return json.dumps(found.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def agreement_tsv(found: MetaEvaluation) -> str:
    """Every number, in full precision: a line of column names, and a row for each table, statistic and metric."""
    rows = [
        [*_place(table), plain(one.metric), key, *_exact(one, key), *_made(found, one.metric)]
        for table in found.tables
        for key in _keys(table)
        for one in table.agreements
    ]
    return "".join("\t".join(row) + "\n" for row in ([*COLUMNS], *rows))


def _tables(
    found: MetaEvaluation, statistic: str, every: bool, drawn: Callable[[Grid], str], shown: Callable[[str], str]
) -> Iterator[str]:
    for table in found.tables:
        rows = [*(rows_of(table, found.confidence) if every else _short(table, found.confidence, statistic))]
        yield f"{shown(title_of(table))}\n\n{drawn(rows)}"


def title_of(table: Table) -> str:
    """Title of a table: its language pair, and how many judgments it has."""
    if table.level == "systems":
        return f"{table.name}: {table.judged} systems"
    judged = "judged pairs" if table.level == "pairs" else "ratings"
    return f"{table.name}: {table.judged} {judged}, {table.texts} texts, {table.segments} segments"


def _short(table: Table, confidence: float, statistic: str) -> Iterator[list[str]]:
    """Cells of a table of one statistic, the names of the columns first."""
    key = chosen(table.level, statistic)
    several = len(table.agreements) > 1
    yield ["metric", title(key), _interval(confidence), *(["difference", "p"] if several else [])]
    for one in table.agreements:
        value, interval, difference, _, p = _cells(one.figures.get(key))
        yield [plain(one.metric), value, interval, *([difference, p] if several else [])]


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
            rows.append([title(key), plain(one.metric), shown, *others, williams,
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
    apart = (NONE,) * 3
    if difference is not None:
        apart = signed(difference.value, DIGITS), bounds(difference.interval, DIGITS, signed), probability(difference.p)
    return digits(figure.value, DIGITS), bounds(figure.interval, DIGITS), *apart


def _williams(agreement: Agreement) -> float | None:
    figure = agreement.figures.get("pearson")
    return None if figure is None or figure.difference is None else figure.difference.williams


def _place(table: Table) -> list[str]:
    return [plain(table.name), table.level, str(table.judged), str(table.texts), str(table.segments)]


def _exact(agreement: Agreement, key: str) -> list[str]:
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
        apart = difference.interval
        numbers += [difference.value, apart.low, apart.high, difference.p, difference.williams]
    return [*map(_number, numbers), _number(agreement.epsilons.get(key))]


def _made(found: MetaEvaluation, metric: str) -> list[str]:
    settings = [plain(found.baseline), str(found.samples), str(found.seed), repr(found.confidence)]
    return [*settings, found.signatures.get(metric, "")]


def _number(value: float | None) -> str:
    return "" if value is None else repr(value)


def notes_of(found: MetaEvaluation, statistic: str = "", *, every: bool = False) -> Iterator[tuple[str, str]]:
    """Explanations of tables, each with its label; the arguments are those of `agreement_text`."""
    several = max(len(table.agreements) for table in found.tables) > 1
    drawn = f"paired bootstrap by segment, {found.samples} samples, seed {found.seed}"
    yield "intervals" + (", p" if several else ""), drawn
    if several:
        yield "baseline", plain(found.baseline)
    shown = [_keys(table) if every else [chosen(table.level, statistic)] for table in found.tables]
    for key in dict.fromkeys(key for keys in shown for key in keys if key in EXPLAINED):
        yield title(key), EXPLAINED[key]
    if every and any(_williams(one) is not None for table in found.tables for one in table.agreements):
        yield "Williams p", "one-sided, that the better of the two correlates better"
    if any(table.name == "mean" for table in found.tables):
        yield "mean", "of the figures of the language pairs"
    if not every:
        yield "more", "--all shows every statistic, and so do --format tsv and json"
