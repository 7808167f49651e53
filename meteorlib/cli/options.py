"""Options shared by several commands: presets, comparison of systems, resampling, output format."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import wraps
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve, fields, frozen
from click.types import FloatParamType

from meteorlib.config.builtin import load_preset
from meteorlib.config.schema import DEFAULT_PRESET, ScorerConfig
from meteorlib.core.numbers_and_letters import plain
from meteorlib.inputs.notes import Notes
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


metric_option: Decorator = click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME[=FILE]",
    help="Also compare by bleu, chrf, chrf++, spbleu, ter or a table.",
)
"""Adds the option ``--metric``, passed as `metrics`: other metrics beside METEOR."""


def resampling_options(what: str) -> Decorator:
    """Add the options `samples`, `seed` and `confidence`; `what` names the results of resampling, for the help."""
    return options(
        click.option("-n", "--n", "samples", metavar="N", type=Whole(min=2), default=1000,
                     show_default=True, help=f"Number of bootstrap samples for the {what}."),
        click.option("--seed", metavar="N", type=Whole(min=0), default=12345, show_default=True,
                     help="Random seed."),
        click.option("--confidence", metavar="LEVEL", type=Real(), callback=check_level, default=0.95,
                     show_default=True, help=f"Confidence level of the {what}."),
    )  # fmt: skip


def jobs_option(what: str, *, shown: bool = False) -> Decorator:
    """Add the option ``--jobs``; `what` is counted."""
    return click.option(
        "--jobs", metavar="N", type=Whole(min=1), default=1, show_default=shown, help=f"Number of parallel {what}."
    )


def format_option(formats: Iterable[str], said: str = "") -> Decorator:
    """Add the option ``--format``, passed as `form`; `said` is more for the help."""
    listed = [*formats]
    exact = " and ".join(form for form in ("json", "tsv") if form in listed)
    said = said or f"; {exact} {'are' if ' ' in exact else 'is'} in full precision."
    return click.option(
        "-f",
        "--format",
        "form",
        type=click.Choice(listed),
        default=listed[0],
        show_default=True,
        help=f"Output format{said}",
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
    text: str | None = None
    unescape: bool = False
    clean: bool = False

    def scorer(self) -> Scorer:
        """Make the scorer."""
        config = self._preset()
        if self.text is not None:
            config = evolve(config, text=self.text)
        return Scorer(config, unescape=self.unescape, clean=self.clean)

    def _preset(self) -> ScorerConfig:
        if self.config is None:
            return load_preset(DEFAULT_PRESET if self.preset is None else self.preset)
        if self.preset is not None:
            raise click.UsageError("--preset and --config exclude each other; name the preset as --config FILE:NAME")
        from meteorlib.config.loader import load_file  # noqa: PLC0415 – YAML is only needed here

        path, colon, name = self.config.rpartition(":")
        if not colon or Path(self.config).exists():
            return load_file(self.config, None, need_files=True)
        return load_file(path, name, need_files=True)

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
    click.option("--text", metavar="MODE", help="Text mode in place of the preset's: how lines are split into words."),
    click.option(
        "--unescape",
        is_flag=True,
        help="Decode entities (&amp;), undo tokenization, compose accents, drop invisible characters.",
    ),
    click.option("--clean", is_flag=True, help="Remove marks of a model's tokenizer ([CLS], @@, ##) and of a chat."),
)
"""Adds the options that choose a METEOR, passed to the command as `chosen`."""
