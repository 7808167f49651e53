"""Commands whose help lists required options first, groups the others, and ends with examples that can be typed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from meteorlib.errors import MissingReferences

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


MIN_GROUPED = 9
"""Options from which on they are shown in groups; fewer are one list."""

_REFERENCES = "references"
"""Option that most commands need, although a table of hypotheses may hold the references, too."""


HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}
"""Settings of every command: click keeps a command's help option from its first use, within the group or alone."""


class Command(click.Command):
    """A command with grouped options; its help ends with examples and topics of `meteorlib help`."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), topics: Sequence[str] = (), **kwargs: Any) -> None:
        self.examples: Sequence[str] = examples
        self.topics: Sequence[str] = topics
        super().__init__(*args, **{"context_settings": HELP_OPTIONS, "epilog": _epilog(examples, topics), **kwargs})
        for parameter in self.params:
            complete_value(parameter)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an error of missing references names its options."""
        try:
            return super().invoke(ctx)
        except MissingReferences as error:
            meant = _missing_references(error.hypotheses, ctx.command_path)
            raise click.UsageError(f"Missing option '-r' / '--reference'. {meant}", ctx) from None

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """The parts of the usage line: arguments, required options, and a word for the others."""
        params = self.get_params(ctx)
        arguments = [
            piece for param in params if isinstance(param, click.Argument) for piece in param.get_usage_pieces(ctx)
        ]
        return [*arguments, *(piece for param in params for piece in _required(param)), "[OPTIONS]"]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, in groups if there are many."""
        records: dict[str, list[tuple[str, str]]] = {name: [] for name in (*GROUPS, OTHER)}
        params = self.get_params(ctx)
        grouped = sum(isinstance(param, click.Option) for param in params) >= MIN_GROUPED
        for param in params:
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                records[GROUP_OF.get(param.name or "", OTHER) if grouped else OTHER].append(record)
        for name, listed in records.items():
            if listed:
                with formatter.section("Options" if name == OTHER and not grouped else name):
                    formatter.write_dl(listed)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the examples and the topics."""
        if self.examples:
            with formatter.section("Examples"):
                # not wrapped: a line is to be copied
                formatter.write("".join(f"{'':>{formatter.current_indent}}{line}\n" for line in self.examples))
        if self.topics:
            formatter.write_paragraph()
            formatter.write_text(_more(self.topics))


class Group(click.Group):
    """A group of such commands."""

    command_class: type[click.Command] | None = Command


def _epilog(examples: Sequence[str], topics: Sequence[str]) -> str | None:
    """Examples and topics in reStructuredText, for documentation made from the commands."""
    parts = ["\b\nExamples:", *(f"``{example}``" for example in examples)] if examples else []
    return "\n".join([*parts, *(["", _more(topics)] if topics else [])]) or None


def _more(topics: Sequence[str]) -> str:
    return f"To read more: {', '.join(f'meteorlib help {topic}' for topic in topics)}"


def _missing_references(hypotheses: Sequence[str], command: str) -> str:
    from meteorlib.inputs.formats import form_of  # noqa: PLC0415 – for errors only

    *systems, last = hypotheses
    if systems:
        return f"Did you mean -r {quote(last)}?"
    if form_of(last) is None:
        return f"Name the references: {command} {quote(last)} -r REF"
    return f"Name them, or the columns of the table: {command} {quote(last)} --hyp-column NAME --ref-column NAME"


def _required(param: click.Parameter) -> Iterator[str]:
    """The words of a required option in a usage line: its shortest name and the name of its value."""
    if isinstance(param, click.Option) and (param.required or param.name == _REFERENCES):
        yield f"{min(param.opts, key=len)} {param.metavar}"


GROUPS: dict[str, tuple[str, ...]] = {
    "Input": (
        "references", "runs", "inputs", "nbest", "oracle", "segment", "stdio", "source", "source_column", "systems",
        "pairs", "ratings", "human", "segment_columns", "system", "lp_column", "lps", "several", "lower_is_better",
        "hyp_columns", "ref_columns", "ids", "groups", "labels", "keep", "word_labels", "input_format", "delimiter",
        "header", "split", "resegment",
    ),
    "Method": (
        "preset", "presets", "config", "configs", "text", "unescape", "clean", "language", "matchers", "search_type",
        "beam_width", "synonyms", "paraphrases", "fits", "objective", "method", "by", "folds", "evaluations",
        "all_gains",
    ),
    "Comparison": (
        "baseline", "metrics", "mean", "test", "samples", "seed", "confidence", "require_gain",
    ),
    "Output": (
        "output", "form", "verbose", "segments", "percent", "width", "columns", "full_signature", "score_only", "quiet",
        "title", "gains", "statistic", "every", "html", "svg", "view", "worst", "name", "points", "force",
    ),
}  # fmt: skip
"""Names of options, as the functions of commands have them, by group."""

OTHER = "Other"
"""Group of options that are in none of `GROUPS`, such as ``--jobs`` and ``--help``."""

GROUP_OF = {option: group for group, options in GROUPS.items() for option in options}
"""The group of each option."""


_FILES = re.compile(r"HYP|REF|FILE|FOLDER|DATA|SOURCE|OUT|CORPUS|TABLE")
"""In metavars of options and arguments whose values are files."""

_PRESETS = frozenset({"preset", "presets"})
"""Options and arguments whose values are presets."""


class _File(click.types.StringParamType):
    """The name of a file, completed by the shell."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        from click.shell_completion import CompletionItem  # noqa: PLC0415 – for completion only

        return [CompletionItem(incomplete, type="file")]


class _Preset(click.types.StringParamType):
    """The name of a built-in preset."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        from click.shell_completion import CompletionItem  # noqa: PLC0415 – for completion only

        from meteorlib.config.builtin import preset_names  # noqa: PLC0415 – as above

        return [CompletionItem(name) for name in preset_names() if name.startswith(incomplete)]


def complete_value(param: Any) -> None:
    """Make a shell complete the values of an option or argument, if they are names of files or presets."""
    if type(param.type) is not click.types.StringParamType:
        return
    if param.name in _PRESETS:
        param.type = _Preset()
    elif _FILES.search(param.metavar or ""):
        param.type = _File()


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
    count = next(
        (index for index, argument in enumerate(rest) if argument.startswith("-") and argument != "-"), len(rest)
    )
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
