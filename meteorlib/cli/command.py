"""Commands whose help lists required options first, groups the others, and ends with examples that can be typed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import quote
from typing import Any

import click

from meteorlib.cli.completion_values import complete_value
from meteorlib.cli.option_groups import GROUP_OF, GROUPS, OTHER
from meteorlib.errors import MissingReferences

MIN_GROUPED = 9
"""Options from which on they are shown in groups; fewer are one list."""

_REFERENCES = "references"
"""Option that most commands need, although a table of hypotheses may hold the references, too."""


HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}
"""Settings of every command: click keeps a command's help option from its first use, within the group or alone."""


class Command(click.Command):
    """A command with grouped options.

    Attributes:
        examples: command lines for the help.
        topics: pages that `meteorlib help` prints and the help names.
    """

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
        arguments = [piece for one in params if isinstance(one, click.Argument) for piece in one.get_usage_pieces(ctx)]
        return [*arguments, *(piece for one in params for piece in _required(one)), "[OPTIONS]"]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, in groups if there are many."""
        records: dict[str, list[tuple[str, str]]] = {name: [] for name in (*GROUPS, OTHER)}
        params = self.get_params(ctx)
        grouped = sum(isinstance(one, click.Option) for one in params) >= MIN_GROUPED
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
