"""How judgments of people are read: options that commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from meteorlib.cli.number_types import Real, Whole
from meteorlib.cli.options import chosen_columns
from meteorlib.cli.sacrebleu_options import check_level
from meteorlib.files.column_choice import ColumnChoice


def judged_data(command: Callable[..., Any]) -> Callable[..., Any]:
    """The argument `asked` of a command: how its judgments are to be read."""

    @click.option("--pairs", default="", metavar="FILE", help="Table of pairs: segment, better, worse, count.")
    @click.option("--human-column", "human", default="", metavar="NAME", help="Column of ratings.")
    @click.option(
        "--segment-column",
        "segments",
        multiple=True,
        metavar="NAME",
        help="What says together which segment a row is of.",
    )
    @click.option("--system-column", "system", default="", metavar="NAME", help="Column of systems.")
    @click.option("--lp-column", "lp_column", default="", metavar="NAME", help="Column of language pairs.")
    @click.option("--lp", "lps", multiple=True, metavar="NAME", help="Only this language pair; repeat it for more.")
    @click.option(
        "--several",
        type=click.Choice(["mean", "each"]),
        default="mean",
        show_default=True,
        help="What counts of several ratings of a text: their mean, or each.",
    )
    @click.option("--lower-is-better", is_flag=True, help="Ratings count errors (HTER).")
    @chosen_columns
    @wraps(command)
    def reading(
        pairs: str,
        human: str,
        segments: tuple[str, ...],
        system: str,
        lp_column: str,
        lps: tuple[str, ...],
        several: Any,
        lower_is_better: bool,
        choice: ColumnChoice,
        systems: str = "",
        **others: Any,
    ) -> Any:
        from meteorlib.analysis.meta_evaluation.readers import Asked, Columns  # noqa: PLC0415 – loads numpy

        if len(choice.hypotheses) > 1:
            raise click.UsageError("--hyp-column names one column; systems stand in rows")
        columns = Columns(lp_column, segments, system, "".join(choice.hypotheses), choice.references, human)
        asked = Asked(pairs, systems, columns, choice.dialect, several, lower_is_better, lps)
        return command(asked=asked, **others)

    return reading


def resampled(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The arguments `samples`, `seed` and `confidence` of a command whose `what` come of resampled judgments."""

    def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(
            (
                click.option("-n", "--n", "samples", metavar="N", type=Whole(min=2), default=1000,
                             show_default=True, help=f"Samples of the {what}."),
                click.option("--seed", metavar="N", type=Whole(min=0), default=12345, show_default=True,
                             help="Of the random numbers."),
                click.option("--confidence", metavar="LEVEL", type=Real(), callback=check_level, default=0.95,
                             show_default=True, help=f"Of the {what}."),
            )
        ):  # fmt: skip
            command = option(command)
        return command

    return with_options
