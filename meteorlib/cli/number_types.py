"""Number types for options, stricter than click's: ``1_0``, ``１`` and ``nan`` are errors."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

import click
from click.types import FloatParamType

from meteorlib.core.numbers_and_letters import plain

if TYPE_CHECKING:
    _Type = click.ParamType[Any]
else:
    _Type = click.ParamType  # generic in new releases of click only


class _Plain(_Type):
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
