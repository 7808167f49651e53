"""Options of commands for their input: files of systems, columns of tables, judgments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import click
from attrs import frozen

from meteorlib.cli.options import Decorator, gathered, options
from meteorlib.inputs.formats import FORMATS, ColumnChoice, Dialect, distinct_names
from meteorlib.inputs.systems import Runs, named_runs

references_option: Decorator = click.option(
    "-r",
    "--reference",
    "references",
    multiple=True,
    metavar="REF",
    help="Reference file; repeat for several references.",
)


def file_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the arguments `hypotheses`, `references` and `choice` (their columns) to a command."""
    return click.argument("hypotheses", metavar="HYP")(references_option(table_options(command)))


def group_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option ``--by``, part of `choice`: groups of segments that get scores of their own."""
    return click.option(
        "--by",
        "labels",
        multiple=True,
        metavar="COLUMN",
        help="Also score groups, such as documents; for text files: NAME=FILE with a label per line.",
    )(command)


_KEEP = click.option(
    "--keep",
    "keep",
    multiple=True,
    metavar="COLUMN=VALUE",
    help="Use only the segments with this label, such as domain=news; repeatable. COLUMN!=VALUE leaves them out.",
)


def table_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of `column_options`, and those to join tables and group rows, choose and divide segments."""
    ids = click.option(
        "--id-column",
        "ids",
        multiple=True,
        metavar="NAME",
        help="Column of ids to join rows by.  [default: usual names, or position]",
    )
    groups = click.option(
        "--group",
        "groups",
        multiple=True,
        metavar="ID",
        help="Rows with one ID are one segment, with a reference each.",
    )
    split = click.option("--split", metavar="NAME", default="", help="Split of Karpathy's JSON, such as test.")
    resegment = click.option(
        "--resegment", is_flag=True, help="Divide text in other segments into those of the references, by mweralign."
    )
    return column_options(ids(groups(_KEEP(split(resegment(command))))))


def column_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for columns and formats of tables, passed to the command as `choice`."""

    @options(
        click.option(
            "--hyp-column",
            "hyp_columns",
            multiple=True,
            metavar="NAME",
            help="Column of hypotheses, if HYP is a table.",
        ),
        click.option(
            "--ref-column",
            "ref_columns",
            multiple=True,
            metavar="NAME",
            help="Column of references in REF or HYP; repeatable.",
        ),
        click.option(
            "--input-format",
            type=click.Choice([*FORMATS]),
            metavar="FORMAT",
            help=f"Format of the files, or of one as FILE:FORMAT: {', '.join(FORMATS)}.  [default: by the file's name]",
        ),
        click.option(
            "--delimiter", metavar="CHAR", callback=_delimiter, help="Delimiter of CSV fields, such as ; or tab."
        ),
        click.option("--header", metavar="A,B,…", help="Column names, for tables without a header row."),
    )
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
        dialect = Dialect(input_format, delimiter, names, others.pop("split", ""))
        ids, labels, groups = (others.pop(name, ()) for name in ("ids", "labels", "groups"))
        keep, resegment = others.pop("keep", ()), others.pop("resegment", False)
        choice = ColumnChoice(hyp_columns, ref_columns, labels, ids, groups, dialect, keep, resegment)
        distinct_names(
            "grouping", [(name, f"--by {label}") for name, label in zip(choice.label_names, labels, strict=True)]
        )
        return command(choice=choice, **others)

    return chosen


def _delimiter(context: click.Context, parameter: click.Parameter, value: str | None) -> str:  # noqa: ARG001 – click's
    if value is None:
        return ""
    character = {"tab": "\t", "\\t": "\t"}.get(value, value)
    if len(character) != 1 or character in '"\r\n\0' or ord(character) > 127:
        raise click.BadParameter(f"one ASCII character, or tab; got {value!r}")
    return character


@frozen
class SystemFiles:
    """The files of a command that scores several systems; with `inputs`, the positional files are references.

    Files of `nbest` are n-best lists of further systems.
    """

    hypotheses: Sequence[str]
    references: Sequence[str]
    runs: Sequence[str]
    inputs: Sequence[str] = ()
    nbest: Sequence[str] = ()

    @property
    def all_references(self) -> Sequence[str]:
        """Files of references."""
        return (*self.references, *self.hypotheses) if self.inputs else self.references

    def named(self) -> Runs:
        """Files of the systems, by name and in order: systems of one file, then those of ``--runs``."""
        files = [*(self.inputs or self.hypotheses), *(f"{file}:nbest" for file in self.nbest)]
        if not files and not self.runs:
            raise click.UsageError("Missing argument 'HYP...'.", click.get_current_context(silent=True))
        return named_runs(files, self.runs)


system_options: Decorator = gathered(
    "files",
    SystemFiles,
    click.argument("hypotheses", metavar="HYP...", nargs=-1),
    references_option,
    click.option(
        "--runs", multiple=True, metavar="NAME=FILE,…", help="Several runs of one system, as a list of files."
    ),
)
"""Adds the files of a command that scores several systems, passed to it as `files`."""


def judgment_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for reading judgments, passed to the command as the argument `asked`."""

    @click.option(
        "--pairs", default="", metavar="FILE", help="Table of pairwise judgments: segment, better, worse, count."
    )
    @click.option("--ratings", default="", metavar="FILE", help="Table of ratings of the texts, by segment and system.")
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
    @_KEEP
    @column_options
    @wraps(command)
    def reading(choice: ColumnChoice, **given: Any) -> Any:
        from meteorlib.inputs.judgment_tables import Asked, Columns  # noqa: PLC0415 – 15 ms of every other start

        if len(choice.hypotheses) > 1:
            raise click.UsageError("--hyp-column names one column; systems are in rows")
        systems, human = given.pop("systems", ""), given.pop("human")
        columns = Columns(
            given.pop("lp_column"), given.pop("segment_columns"), given.pop("system"), "".join(choice.hypotheses),
            choice.references, human,
        )  # fmt: skip
        several, lower, lps = given.pop("several"), given.pop("lower_is_better"), given.pop("lps")
        apart = given.pop("pairs"), systems, given.pop("ratings")
        asked = Asked(*apart, columns, choice.dialect, several, lower, lps, choice.keep)
        return command(asked=asked, **given)

    return reading
