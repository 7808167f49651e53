"""Options for reading and resampling human judgments, shared by ``meta-eval`` and ``tune``."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from meteorlib.cli.number_types import Real, Whole
from meteorlib.cli.options import column_options
from meteorlib.cli.sacrebleu_options import check_level
from meteorlib.inputs.formats import ColumnChoice
from meteorlib.inputs.judgment_tables import Asked, Columns


def judgment_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for reading judgments, passed to the command as the argument `asked`."""

    @click.option(
        "--pairs", default="", metavar="FILE", help="Table of pairwise judgments: segment, better, worse, count."
    )
    @click.option("--human-column", "human", default="", metavar="NAME", help="Column of human ratings.")
    @click.option(
        "--segment-column",
        "segment_columns",
        multiple=True,
        metavar="NAME",
        help="Column(s) that identify a row's segment.",
    )
    @click.option("--system-column", "system", default="", metavar="NAME", help="Column of system names.")
    @click.option("--lp-column", "lp_column", default="", metavar="NAME", help="Column of language pairs.")
    @click.option("--lp", "lps", multiple=True, metavar="NAME", help="Use only this language pair; repeatable.")
    @click.option(
        "--several",
        type=click.Choice(["mean", "each"]),
        default="mean",
        show_default=True,
        help="For texts with several ratings: use their mean, or each rating.",
    )
    @click.option("--lower-is-better", is_flag=True, help="Ratings measure errors (such as HTER).")
    @column_options
    @wraps(command)
    def reading(
        pairs: str,
        human: str,
        segment_columns: tuple[str, ...],
        system: str,
        lp_column: str,
        lps: tuple[str, ...],
        several: Any,
        lower_is_better: bool,
        choice: ColumnChoice,
        systems: str = "",
        **others: Any,
    ) -> Any:
        if len(choice.hypotheses) > 1:
            raise click.UsageError("--hyp-column names one column; systems are in rows")
        columns = Columns(lp_column, segment_columns, system, "".join(choice.hypotheses), choice.references, human)
        asked = Asked(pairs, systems, columns, choice.dialect, several, lower_is_better, lps)
        return command(asked=asked, **others)

    return reading


def resampling_options(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the options `samples`, `seed` and `confidence`; `what` names the results of resampling, for the help."""

    def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(
            (
                click.option("-n", "--n", "samples", metavar="N", type=Whole(min=2), default=1000,
                             show_default=True, help=f"Number of bootstrap samples for the {what}."),
                click.option("--seed", metavar="N", type=Whole(min=0), default=12345, show_default=True,
                             help="Random seed."),
                click.option("--confidence", metavar="LEVEL", type=Real(), callback=check_level, default=0.95,
                             show_default=True, help=f"Confidence level of the {what}."),
            )
        ):  # fmt: skip
            command = option(command)
        return command

    return with_options
