"""Options that commands share: which files, which columns, which comparison, which format."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import click

from meteorlib.cli.number_types import Real, Whole
from meteorlib.cli.sacrebleu_options import check_level
from meteorlib.files.column_choice import ColumnChoice
from meteorlib.files.readers import FORMATS, Dialect


def scored_files(command: Callable[..., Any]) -> Callable[..., Any]:
    """The arguments `hypotheses` and `references` of a command, and `choice`: which columns of them are meant."""
    references = click.option(
        "-r",
        "--reference",
        "references",
        multiple=True,
        metavar="REF",
        help="File of references; repeat it for several references of each segment.",
    )
    return click.argument("hypotheses", metavar="HYP")(references(joined_tables(command)))


def grouped(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option `labels` of a command: what segments are grouped by."""
    return click.option(
        "--by",
        "labels",
        multiple=True,
        metavar="COLUMN",
        help="Also score groups (document, …); of text: NAME=FILE of labels.",
    )(command)


def joined_tables(command: Callable[..., Any]) -> Callable[..., Any]:
    """The argument `choice` of a command that puts several files side by side: see `chosen_columns`, and their ids."""
    ids = click.option(
        "--id-column", "ids", multiple=True, metavar="NAME", help="Id column to join tables by; none: by position."
    )
    return chosen_columns(ids(command))


def chosen_columns(command: Callable[..., Any]) -> Callable[..., Any]:
    """The argument `choice` of a command: which columns of its files are meant, and how they are read."""

    @click.option(
        "--hyp-column", "hyp_columns", multiple=True, metavar="NAME", help="HYP is a table: its column of hypotheses."
    )
    @click.option(
        "--ref-column",
        "ref_columns",
        multiple=True,
        metavar="NAME",
        help="Column of references, of REF or else of HYP; repeatable.",
    )
    @click.option(
        "--input-format",
        type=click.Choice(FORMATS),
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)}.  [default: by name]",
    )
    @click.option("--delimiter", metavar="CHAR", callback=_delimiter, help="Between fields of CSV, such as ; or tab.")
    @click.option("--header", metavar="A,B,…", help="Column names, for tables without a header row.")
    @wraps(command)
    def chosen(
        hyp_columns: tuple[str, ...],
        ref_columns: tuple[str, ...],
        input_format: str | None,
        delimiter: str,
        header: str | None,
        **others: Any,
    ) -> Any:
        names = () if header is None else tuple(name.strip() for name in header.split(","))
        dialect = Dialect(input_format, delimiter, names)
        ids = others.pop("ids", ())
        return command(choice=ColumnChoice(hyp_columns, ref_columns, others.get("labels", ()), ids, dialect), **others)

    return chosen


def _delimiter(context: click.Context, parameter: click.Parameter, value: str | None) -> str:  # noqa: ARG001 – click's
    if value is None:
        return ""
    character = {"tab": "\t", "\\t": "\t"}.get(value, value)
    if len(character) != 1 or character in '"\r\n\0' or ord(character) > 127:
        raise click.BadParameter(f"one ASCII character, or tab; got {value!r}")
    return character


def scored_systems(command: Callable[..., Any]) -> Callable[..., Any]:
    """The arguments of a command that scores several systems: `hypotheses`, `references` and `runs`."""
    for add in (
        click.option("--runs", multiple=True, metavar="NAME=FILE,…", help="Several runs of a system."),
        click.option(
            "-r", "--reference", "references", multiple=True, metavar="REF", help="References; repeat it for more."
        ),
        click.argument("hypotheses", metavar="HYP...", nargs=-1),
    ):
        command = add(command)
    return command


def format_option(formats: Iterable[str]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option `form` of a command: text, json, tsv, …."""
    listed = [*formats]
    exact = " and ".join(one for one in ("json", "tsv") if one in listed)
    return click.option(
        "-f",
        "--format",
        "form",
        type=click.Choice(listed),
        default="text",
        show_default=True,
        help=f"{exact} {'are' if ' ' in exact else 'is'} in full precision.",
    )


def compared(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a command that compares systems: `baseline`, `paired`, `n`, `seed` and `confidence`."""
    for add in (
        click.option(
            "--confidence",
            metavar="LEVEL",
            type=Real(),
            callback=check_level,
            help="Confidence level of the intervals.  [default: .95]",
        ),
        click.option("--seed", metavar="N", type=Whole(min=0), help="Random seed.  [default: 12345]"),
        click.option(
            "-n",
            "--n",
            metavar="N",
            type=Whole(min=2),
            help="How many samples.  [default: 10000]",
        ),
        click.option(
            "--paired",
            metavar="TEST",
            type=click.Choice(["bootstrap", "randomization", "none"]),
            help="bootstrap, randomization, none.  [default: randomization]",
        ),
        click.option("--baseline", metavar="NAME", help="Others are compared with it.  [default: the first]"),
    ):
        command = add(command)
    return command
