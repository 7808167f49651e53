"""Translation of sacrebleu's command-line options into those of ``meteorlib score``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from meteorlib.cli.command import Command

LEVEL = "0.95"

_OPTION_NAMES = {
    "-ci": "--confidence",
    "-cin": "--n",
    "--confidence-n": "--n",
    "-par": "--paired-ar",
    "-parn": "--n",
    "--paired-ar-n": "--n",
    "-pbs": "--paired-bs",
    "-pbsn": "--n",
    "--paired-bs-n": "--n",
    "--paired-jobs": "--jobs",
    "-j": "--jobs",
    "-sl": "--segments",
    "--sentence-level": "--segments",
    "-m": "--metrics",
    "-i": "--input",
}

_TESTS = {"--paired-bs": "--paired=bootstrap", "--paired-ar": "--paired=randomization"}

_OTHER_METRICS = ("bleu", "chrf", "ter")


class SacrebleuOptions(Command):
    """A command that also understands sacrebleu's options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Translate sacrebleu's options, then parse."""
        return super().parse_args(ctx, [*translate_arguments(args)])


def translate_arguments(arguments: Sequence[str]) -> Iterator[str]:
    """Translate sacrebleu's arguments into those of ``meteorlib score``; others stay unchanged.

    ``-i`` and ``-m`` take all arguments up to the next option; ``--confidence`` may have no value; the paired tests are
    switches; a metric is the name of a preset.

    Raises:
        click.UsageError: a metric other than METEOR, or several.
    """
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        if argument == "--":
            yield from (argument, *rest)
            return
        name, equals, value = argument.partition("=")
        option = _OPTION_NAMES.get(name, name)
        if option in _TESTS and not equals:
            yield _TESTS[option]
        elif option == "--input":
            yield from (f"--input={file}" for file in ([value] if equals else _take_values(rest)))
        elif option == "--metrics":
            yield from _preset([value] if equals else _take_values(rest))
        elif option == "--confidence" and not equals:
            yield f"--confidence={rest.pop(0) if rest and _is_number(rest[0]) else LEVEL}"
        else:
            yield option + equals + value


def _take_values(rest: list[str]) -> list[str]:
    """Remove and return the arguments up to the next option."""
    count = next((place for place, one in enumerate(rest) if one.startswith("-") and one != "-"), len(rest))
    values, rest[:count] = rest[:count], []
    return values


def _preset(metrics: list[str]) -> list[str]:
    for metric in metrics:
        if metric.lower() in _OTHER_METRICS:
            raise click.UsageError(
                f"-m {metric}: this command computes METEOR only, and compares it with others: add --metric "
                f"{metric.lower()}"
            )
    presets = [metric for metric in metrics if metric.lower() != "meteor"]
    if len(presets) > 1:
        raise click.UsageError(
            f"-m accepts one METEOR, not {len(presets)}; use `meteorlib compare-presets` for several"
        )
    return [f"--preset={preset}" for preset in presets]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def check_level(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:  # noqa: ARG001 – click's
    """Check a confidence level; suggest the share for one given in percent."""
    if value is not None and not 0 < value < 1:
        meant = f"; did you mean {value / 100:g}?" if 1 < value < 100 else ""
        raise click.BadParameter(f"must be between 0 and 1: {value:g}{meant}")
    return value
