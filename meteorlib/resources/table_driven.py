"""Word functions that declare the lookup tables the compiled engine reads in their place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, final

from attrs import frozen

from meteorlib.core.signature import part_name

Answer = TypeVar("Answer")


@final
@frozen
class TableDriven(Generic[Answer]):
    """A function of words, with the lookup tables of its compiled form.

    This declares that the compiled engine gives the same answers from the tables. A function without a compiled form,
    such as one that wraps or extends a built-in one, is passed on unchanged and called once for each new word.

    Attributes:
        function: word → answer.
        tables: makes or opens the tables of the compiled form; called when an engine is built.
    """

    function: Callable[[str], Answer]
    tables: Callable[[], Any]

    def __call__(self, word: str) -> Answer:
        """The answer for a word."""
        return self.function(word)

    @property
    def signature_name(self) -> str:
        """The name of the function in signatures."""
        return part_name(self.function)


def tables_of(function: object) -> Any:
    """Lookup tables of a function's compiled form; None if it declares none."""
    return function.tables() if type(function) is TableDriven else None  # a class that extends it answers otherwise
