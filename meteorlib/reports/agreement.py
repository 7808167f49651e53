"""A meta-evaluation for people: a table for each language pair and kind of judgment."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

from meteorlib.core.lines import DIGITS, listing
from meteorlib.judge.results import Agreement, MetaEvaluation, Table
from meteorlib.reports.grid import Grid, aligned, escaped, piped
from meteorlib.reports.systems.table import NONE, bounds, digits, plain, probability, signed

HEADLINES = {"pairs": "tau_wmt14", "ratings": "pearson", "systems": "accuracy"}
"""The statistic of which tables have interval and difference; JSON has those of all."""

NAMES = {
    "tau_wmt12": "tau 2012", "tau_wmt13": "tau 2013", "tau_wmt14": "tau 2014", "tau_b": "tau-b", "tau_c": "tau-c",
    "pearson": "Pearson", "spearman": "Spearman", "accuracy": "accuracy", "acc_eq": "acc_eq",
    "acc_eq_by_system": "acc_eq by system", "acc_eq_ungrouped": "acc_eq ungrouped",
}  # fmt: skip

WITH_TIES = ("acc_eq", "acc_eq_by_system", "acc_eq_ungrouped")
"""Accuracies that have a threshold below which scores are tied."""

_ORDER = {
    "pairs": ("tau_wmt12", "tau_wmt13", "tau_wmt14", "accuracy"),
    "ratings": (
        "pearson",
        "spearman",
        "tau_b",
        "tau_c",
        "tau_wmt12",
        "tau_wmt13",
        "tau_wmt14",
        "acc_eq",
        "acc_eq_by_system",
        "acc_eq_ungrouped",
    ),
    "systems": ("accuracy", "pearson"),
}


def agreement_text(found: MetaEvaluation) -> str:
    """Aligned columns, notes below."""
    signatures = ((plain(name), signature) for name, signature in found.signatures.items())
    notes = listing([*notes_of(found), *signatures])
    return "\n\n".join([*_tables(found, aligned, plain), notes]) + "\n"


def agreement_markdown(found: MetaEvaluation) -> str:
    """Tables of Markdown, the notes as a list below them."""
    notes = [f"- {escaped(label)}: {escaped(said)}" for label, said in notes_of(found)]
    notes += [f"- {escaped(plain(name))}: `{signature}`" for name, signature in found.signatures.items()]
    return "\n\n".join([*_tables(found, piped, escaped), "\n".join(notes)]) + "\n"


def agreement_json(found: MetaEvaluation) -> str:
    """Every number, in full precision."""
    return json.dumps(found.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _tables(found: MetaEvaluation, drawn: Callable[[Grid], str], shown: Callable[[str], str]) -> Iterator[str]:
    for table in found.tables:
        yield f"{shown(title_of(table))}\n\n{drawn([*rows_of(table, found)])}"


def title_of(table: Table) -> str:
    """What a table is of: its language pair, and how many judgments."""
    if table.level == "systems":
        return f"{table.name}: {table.judged} systems"
    judged = "judged pairs" if table.level == "pairs" else "ratings"
    return f"{table.name}: {table.judged} {judged}, {table.texts} texts, {table.segments} segments"


def rows_of(table: Table, found: MetaEvaluation) -> Iterator[list[str]]:
    """The cells of a table, the names of the columns first."""
    present = [key for key in _ORDER[table.level] if any(key in one.figures for one in table.agreements)]
    counted = any(one.concordant for one in table.agreements)
    several = len(table.agreements) > 1
    key = HEADLINES[table.level]
    if key not in present:
        key = present[0] if present else key
    percent = f"{100 * found.confidence:g}%"
    names = ["metric", *(["concordant", "discordant", "tied"] if counted else []), *_heads(present)]
    names.append(f"{NAMES[key]}: {percent} interval")
    tested = table.level != "pairs" and any(_williams(one) is not None for one in table.agreements)
    if several:
        names += ["difference", f"its {percent} interval", "p", *(["Williams p"] if tested else [])]
    yield names
    for one in table.agreements:
        row = [plain(one.metric)]
        if counted:
            row += [NONE if count is None else str(count) for count in (one.concordant, one.discordant, one.tied)]
        for each in present:
            figure = one.figures.get(each)
            row.append(digits(figure.value if figure else None, DIGITS))
            row += [digits(one.epsilons.get(each), DIGITS)] if each in WITH_TIES else []
        row += _headline(one, key, several=several)
        if several and tested:
            row.append(probability(_williams(one)))
        yield row


def _heads(present: Iterable[str]) -> Iterator[str]:
    for each in present:
        yield NAMES[each]
        if each in WITH_TIES:
            yield "its ε"


def _headline(agreement: Agreement, key: str, *, several: bool) -> list[str]:
    figure = agreement.figures.get(key)
    row = [NONE if figure is None else bounds(figure.interval, DIGITS)]
    if not several:
        return row
    difference = None if figure is None else figure.difference
    if difference is None:
        return [*row, NONE, NONE, NONE]
    return [
        *row, signed(difference.value, DIGITS), bounds(difference.interval, DIGITS, signed), probability(difference.p),
    ]  # fmt: skip


def _williams(agreement: Agreement) -> float | None:
    figure = agreement.figures.get("pearson")
    return None if figure is None or figure.difference is None else figure.difference.williams


def notes_of(found: MetaEvaluation) -> Iterator[tuple[str, str]]:
    """What a reader of the tables must know, each with what it is about."""
    several = max(len(table.agreements) for table in found.tables) > 1
    drawn = f"paired bootstrap by segment, {found.samples} samples, seed {found.seed}"
    yield "intervals" + (", p" if several else ""), drawn
    if several:
        yield "baseline", plain(found.baseline)
    levels = {table.level for table in found.tables}
    if "pairs" in levels or any("tau_wmt14" in one.figures for table in found.tables for one in table.agreements):
        yield "tau", "a tie of the metric is wrong (2012), left out (2013), or counts among all pairs only (2014)"
    if any(one.epsilons for table in found.tables for one in table.agreements):
        yield (
            "acc_eq",
            "pairwise accuracy with ties, within segments, systems, or all; scores that differ by at most ε are tied",
        )
    if any(_williams(one) is not None for table in found.tables for one in table.agreements):
        yield "Williams p", "one-sided, that the better of the two correlates better"
    if any(table.name == "mean" for table in found.tables):
        yield "mean", "of the figures of the language pairs"
