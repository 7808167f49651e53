"""Caches of bounded size, and the bound of each.

Caches that grow with the scored text have a bound below. Where there are only few keys (presets, lexicons, entry
points), `functools.cache` is used. The compiled kernel keeps its own table of words, with its own bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")

# The bounds: the entries that a cache holds before it begins anew.

WORDS = 1 << 18
"""Words of which a stage knows the stem, the synonym sets, the phrases: the vocabulary of a large corpus. A stem takes
160 bytes with its word, so 40 MB."""

TOKENS = 1 << 17
"""Tokens whose words the normalizer knows, in each of its two caches: most come again within few lines. They take 200
bytes each, so 50 MB in all."""

TOKEN_LENGTH = 40
"""Maximum characters of a cached token: longer ones hardly recur, and would make the cache larger than 50 MB."""

REFERENCES = 1 << 13
"""Number of analyzed references that an engine keeps.

A test set has some thousands, and every system is scored against the same ones. They take 220 bytes a word in Python,
so 45 MB where they have 25 words; less in the compiled kernel.
"""

SCORERS = 1 << 4
"""Scorers that an adapter keeps, one for each set of parameters that it is called with: each has the caches above."""


class BoundedCache(dict[str, Value], Generic[Value]):
    """Text → what was found for it; emptied where it would hold more than `limit` of them.

    A plain dictionary: what is known costs one look-up, and threads may share it; at worst two of them find the same.
    """

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit

    def keep(self, text: str, value: Value) -> Value:
        """Remember what was found."""
        if len(self) >= self.limit:
            self.clear()
        self[text] = value
        return value


class Memo(BoundedCache[Value]):
    """A `BoundedCache` that finds what it does not know: each text is looked up once."""

    def __init__(self, find: Callable[[str], Value], limit: int | None = None) -> None:
        """Make a cache of `limit` entries, `WORDS` unless it says otherwise."""
        super().__init__(WORDS if limit is None else limit)
        self.find = find

    def __missing__(self, text: str) -> Value:
        return self.keep(text, self.find(text))
