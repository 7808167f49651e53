"""Options shared by several commands: files, columns, presets, comparison of systems, output format."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import fields, frozen
from click.types import FloatParamType

from meteorlib.config.schema import DEFAULT_PRESET
from meteorlib.core.numbers_and_letters import plain
from meteorlib.inputs.formats import FORMATS, ColumnChoice, Dialect
from meteorlib.inputs.notes import Notes
from meteorlib.inputs.systems import Runs, system_names
from meteorlib.scorer import Scorer

if TYPE_CHECKING:
    _Type = click.ParamType[Any]
else:
    _Type = click.ParamType  # generic in new releases of click only

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

DEFAULT_NOTE = (
    f"scored with METEOR 2005 ({DEFAULT_PRESET}). For METEOR 1.5, as used at WMT: run "
    "`meteorlib resources install paraphrase-en` once, then pass --preset meteor-1.5-en"
)


class _Plain(_Type):
    """A number type that is stricter than click's: ``1_0``, ``１`` and ``nan`` are errors."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert the text of an option's value."""
        try:
            found = super().convert(plain(value) if isinstance(value, str) else value, param, ctx)
        except ValueError:
            found = None
        if found is None or isnan(found):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return found


class Whole(_Plain, click.IntRange):
    """An integer within bounds."""


class Real(_Plain, FloatParamType):
    """A real number."""


class RealRange(_Plain, click.FloatRange):
    """A real number within bounds."""


def check_level(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:  # noqa: ARG001 – click's
    """Check a confidence level; suggest the share for one given in percent."""
    if value is not None and not 0 < value < 1:
        meant = f"; did you mean {value / 100:g}?" if 1 < value < 100 else ""
        raise click.BadParameter(f"must be between 0 and 1: {value:g}{meant}")
    return value


def options(*added: Decorator) -> Decorator:
    """Add options to a command, in this order."""

    def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(added):
            command = option(command)
        return command

    return with_options


def gathered(name: str, kind: type[Any], *added: Decorator) -> Decorator:
    """Add options that the command gets as one object, called `name`, of an attrs class whose attributes they are."""

    def with_object(command: Callable[..., Any]) -> Callable[..., Any]:
        @options(*added)
        @wraps(command)
        def with_options(**given: Any) -> Any:
            attributes = {field.name: given.pop(field.name) for field in fields(kind) if field.name in given}
            return command(**{name: kind(**attributes)}, **given)

        return with_options

    return with_object


_REFERENCES = click.option(
    "-r",
    "--reference",
    "references",
    multiple=True,
    metavar="REF",
    help="Reference file; repeat for several references.",
)


def file_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the arguments `hypotheses`, `references` and `choice` (their columns) to a command."""
    return click.argument("hypotheses", metavar="HYP")(_REFERENCES(table_options(command)))


def group_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option ``--by``, part of `choice`: groups of segments that get scores of their own."""
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
            help=f"Format of the files: {', '.join(FORMATS)}.  [default: by the file's name]",
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
        dialect = Dialect(input_format, delimiter, names)
        ids, labels = others.pop("ids", ()), others.pop("labels", ())
        _check_names(labels)
        return command(choice=ColumnChoice(hyp_columns, ref_columns, labels, ids, dialect), **others)

    return chosen


def _check_names(labels: Sequence[str]) -> None:
    """Refuse two groupings with one name.

    Raises:
        click.UsageError: a name is given twice.
    """
    names = [label.partition("=")[0] for label in labels]
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


@frozen
class SystemFiles:
    """The files of a command that scores several systems.

    Attributes:
        hypotheses: systems of one file each.
        references: files of references.
        runs: the values of ``--runs``.
        inputs: the values of ``--input``, which are systems; then the positional files are references.
    """

    hypotheses: Sequence[str]
    references: Sequence[str]
    runs: Sequence[str]
    inputs: Sequence[str] = ()

    @property
    def all_references(self) -> Sequence[str]:
        """Files of references."""
        return (*self.references, *self.hypotheses) if self.inputs else self.references

    def named(self) -> Runs:
        """Files of the systems, by name and in order: systems of one file, then those of ``--runs``.

        Raises:
            click.UsageError: no system, a value of ``--runs`` other than NAME=FILE,FILE, or a repeated name.
        """
        files = self.inputs or self.hypotheses
        if not files and not self.runs:
            raise click.UsageError("Missing argument 'HYP...'.", click.get_current_context(silent=True))
        systems = {name: [file] for name, file in zip(system_names(files), files, strict=True)}
        for given in self.runs:
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


system_options: Decorator = gathered(
    "files",
    SystemFiles,
    click.argument("hypotheses", metavar="HYP...", nargs=-1),
    _REFERENCES,
    click.option(
        "--runs", multiple=True, metavar="NAME=FILE,…", help="Several runs of one system, as a list of files."
    ),
)
"""Adds the files of a command that scores several systems, passed to it as `files`."""

metric_option: Decorator = click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME[=FILE]",
    help="Also compare by bleu, chrf, chrf++, ter or a table.",
)
"""Adds the option ``--metric``, passed as `metrics`: other metrics beside METEOR."""


def jobs_option(what: str, *, shown: bool = False) -> Decorator:
    """Add the option ``--jobs``; `what` is counted."""
    return click.option(
        "--jobs", metavar="N", type=Whole(min=1), default=1, show_default=shown, help=f"Number of parallel {what}."
    )


def format_option(formats: Iterable[str]) -> Decorator:
    """Add the option ``--format``, passed as `form`."""
    listed = [*formats]
    exact = " and ".join(form for form in ("json", "tsv") if form in listed)
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
    """Add the options for comparing systems, passed as `settings`: those given, as arguments of `compare_systems`."""

    @options(
        click.option("--baseline", metavar="NAME", help="System to compare with.  [default: the first]"),
        click.option(
            "--paired",
            "test",
            metavar="TEST",
            type=click.Choice(["bootstrap", "randomization", "none"]),
            help="Paired significance test: bootstrap, randomization or none.  [default: randomization]",
        ),
        click.option(
            "-n",
            "--n",
            "samples",
            metavar="N",
            type=Whole(min=2),
            help="Number of samples of the test and the intervals.  [default: 10000]",
        ),
        click.option("--seed", metavar="N", type=Whole(min=0), help="Random seed.  [default: 12345]"),
        click.option(
            "--confidence",
            metavar="LEVEL",
            type=Real(),
            callback=check_level,
            help="Confidence level of the intervals.  [default: .95]",
        ),
    )
    @wraps(command)
    def compared(**given: Any) -> Any:
        settings = {name: given.pop(name) for name in ("baseline", "test", "samples", "seed", "confidence")}
        if given.pop("mean", False):
            settings["compared"] = "mean"
        settings = {name: value for name, value in settings.items() if value is not None}
        if settings.get("test") == "none":
            settings["test"] = None
        return command(settings=settings, **given)

    return compared


@frozen
class ScorerChoice:
    """The METEOR that options name."""

    preset: str | None = None
    config: str | None = None
    unescape: bool = False

    def scorer(self) -> Scorer:
        """Make the scorer."""
        if self.config is None:
            return Scorer(DEFAULT_PRESET if self.preset is None else self.preset, unescape=self.unescape)
        if self.preset is not None:
            raise click.UsageError("--preset and --config exclude each other; name the preset as --config FILE:NAME")
        path, colon, name = self.config.rpartition(":")
        if not colon or Path(self.config).exists():
            return Scorer.from_file(self.config, unescape=self.unescape)
        return Scorer.from_file(path, name, unescape=self.unescape)

    def note_default(self, notes: Notes) -> None:
        """Print a note on the default preset at a terminal, if no option names one."""
        if self.preset is None and self.config is None and sys.stderr is not None and sys.stderr.isatty():
            notes.say(DEFAULT_NOTE)


preset_options: Decorator = gathered(
    "chosen",
    ScorerChoice,
    click.option(
        "-p",
        "--preset",
        metavar="NAME",
        help=f"Variant of METEOR, from `meteorlib presets list`.  [default: {DEFAULT_PRESET}]",
    ),
    click.option("--config", metavar="FILE[:NAME]", help="Preset from a YAML file; without NAME, the file's default."),
    click.option(
        "--unescape",
        is_flag=True,
        help="Decode entities (&amp;), undo tokenization, compose accents, drop invisible characters.",
    ),
)
"""Adds the options that choose a METEOR, passed to the command as `chosen`."""
