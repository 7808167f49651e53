"""Options that are numbers take numbers as every program writes them."""

from __future__ import annotations

import click
import pytest
from click.types import FloatParamType, IntParamType

from meteorlib.cli.commands import cli


def numbers(command, path="meteorlib"):
    """The options of a command, and of those below it, that are numbers; with the command that each is of."""
    context = click.Context(command)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            yield from numbers(command.get_command(context, name), f"{path} {name}")
    for parameter in command.params:
        if isinstance(parameter.type, IntParamType | FloatParamType):
            yield path, parameter


@pytest.mark.parametrize("text", ["1_0", "１", "0_1", "nan"])
def test_odd_numbers_are_refused(text):
    """Python's underscores, full-width digits and NaN end in an error, for every option of every command."""
    found = [*numbers(cli)]
    assert len(found) > 15
    for path, option in found:
        with pytest.raises(click.BadParameter, match="is not a"):
            option.type_cast_value(click.Context(click.Command(path)), text)
