"""Values that a shell completes: names of files and of presets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

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
