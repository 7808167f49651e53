"""Options shared by several commands: files, columns, comparison of systems, output format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import click

from meteorlib.cli.number_types import Real, Whole
from meteorlib.cli.sacrebleu_options import check_level
from meteorlib.inputs.formats import FORMATS, ColumnChoice, Dialect
from meteorlib.inputs.systems import Runs, system_names


def file_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the arguments `hypotheses`, `references` and `choice` (their columns) to a command."""
    references = click.option(
        "-r",
        "--reference",
        "references",
        multiple=True,
        metavar="REF",
        help="Reference file; repeat for several references.",
    )
    return click.argument("hypotheses", metavar="HYP")(references(table_options(command)))


def group_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option ``--by``, passed as `labels`: groups of segments that get scores of their own."""
    return click.option(
        "--by",
        "labels",
        multiple=True,
        metavar="COLUMN",
        help="Also score groups, such as documents; for text files: NAME=FILE with a label per line.",
    )(command)


def table_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of `column_options`, and ``--id-column`` to join tables."""
    ids = click.option(
        "--id-column",
        "ids",
        multiple=True,
        metavar="NAME",
        help="Column of ids to join rows by.  [default: usual names, or position]",
    )
    return column_options(ids(command))


def column_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for columns and formats of tables, passed to the command as `choice`."""

    @click.option(
        "--hyp-column", "hyp_columns", multiple=True, metavar="NAME", help="Column of hypotheses, if HYP is a table."
    )
    @click.option(
        "--ref-column",
        "ref_columns",
        multiple=True,
        metavar="NAME",
        help="Column of references in REF or HYP; repeatable.",
    )
    @click.option(
        "--input-format",
        type=click.Choice([*FORMATS]),
        metavar="FORMAT",
        help=f"Format of the files: {', '.join(FORMATS)}.  [default: by the file's name]",
    )
    @click.option("--delimiter", metavar="CHAR", callback=_delimiter, help="Delimiter of CSV fields, such as ; or tab.")
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
        ids, labels = others.pop("ids", ()), others.get("labels", ())
        _check_names(labels)
        return command(choice=ColumnChoice(hyp_columns, ref_columns, labels, ids, dialect), **others)

    return chosen


def _check_names(labels: Sequence[str]) -> None:
    """Refuse two groupings with one name.

    Raises:
        click.UsageError: a name is given twice.
    """
    names = [one.partition("=")[0] for one in labels]
    for at, name in enumerate(names):
        if name in names[:at]:
            other = f"--by {name}2=FILE" if "=" in labels[at] else f"--by {name} once"
            raise click.UsageError(f"--by {labels[at]}: there is a grouping {name!r} already; give {other}")


def _delimiter(context: click.Context, parameter: click.Parameter, value: str | None) -> str:  # noqa: ARG001 – click's
    if value is None:
        return ""
    character = {"tab": "\t", "\\t": "\t"}.get(value, value)
    if len(character) != 1 or character in '"\r\n\0' or ord(character) > 127:
        raise click.BadParameter(f"one ASCII character, or tab; got {value!r}")
    return character


def system_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the arguments `hypotheses`, `references` and `runs` of a command that scores several systems."""
    for add in (
        click.option(
            "--runs", multiple=True, metavar="NAME=FILE,…", help="Several runs of one system, as a list of files."
        ),
        click.option(
            "-r",
            "--reference",
            "references",
            multiple=True,
            metavar="REF",
            help="Reference file; repeat for several references.",
        ),
        click.argument("hypotheses", metavar="HYP...", nargs=-1),
    ):
        command = add(command)
    return command


def metric_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option ``--metric``, passed as `metrics`: other metrics beside METEOR."""
    return click.option(
        "--metric",
        "metrics",
        multiple=True,
        metavar="NAME[=FILE]",
        help="Also compare by bleu, chrf, chrf++, ter or a table.",
    )(command)


def format_option(formats: Iterable[str]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the option ``--format``, passed as `form`."""
    listed = [*formats]
    exact = " and ".join(one for one in ("json", "tsv") if one in listed)
    return click.option(
        "-f",
        "--format",
        "form",
        type=click.Choice(listed),
        default="text",
        show_default=True,
        help=f"Output format; {exact} {'are' if ' ' in exact else 'is'} in full precision.",
    )


def comparison_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for comparing systems: `baseline`, `paired`, `n`, `seed` and `confidence`."""
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
            help="Number of samples of the test and the intervals.  [default: 10000]",
        ),
        click.option(
            "--paired",
            metavar="TEST",
            type=click.Choice(["bootstrap", "randomization", "none"]),
            help="Paired significance test: bootstrap, randomization or none.  [default: randomization]",
        ),
        click.option("--baseline", metavar="NAME", help="System to compare with.  [default: the first]"),
    ):
        command = add(command)
    return command


def named_systems(files: Sequence[str], runs: Sequence[str]) -> Runs:
    """Files of the systems, by name and in order: systems of one file, then those of ``--runs``.

    Raises:
        click.UsageError: a value other than NAME=FILE,FILE, or a repeated name.
    """
    systems = {name: [file] for name, file in zip(system_names(files), files, strict=True)}
    for given in runs:
        name, equals, listed = given.partition("=")
        found = [listed] if Path(listed).exists() else listed.split(",")
        if not (name and equals and all(found)):
            raise click.UsageError(f"--runs {given}: expected NAME=FILE,FILE,…")
        if again := next((file for file, count in Counter(found).items() if count > 1), None):
            raise click.UsageError(f"--runs {given}: {again} is given twice; name the file of each run once")
        if name in systems:
            raise click.UsageError(f"--runs {given}: there already is a system {name!r}; give it another name")
        systems[name] = found
    return systems
