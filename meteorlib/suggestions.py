"""Suggestions: the known name that a mistyped one was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from re import sub

LONGEST = 60
"""Characters of a name that are shown and compared."""

ALIKE = 0.6
"""Likeness of two names (`difflib`) from which on one may be meant by the other."""

NEARLY_THE_SAME = 0.95
"""Likeness of names that differ by a slip of the finger."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`` (did you mean 'x'?)`` where a known name is close to `name`, else nothing."""
    meant = _closest(name[:LONGEST], known)
    return f" (did you mean {meant!r}?)" if meant else ""


def _closest(name: str, known: Iterable[str]) -> str | None:
    """The name most likely meant, if any.

    In this order: a name that differs in case, ``_`` and spaces only; a name of which it is one or more whole parts; a
    nearly equal name; the longest name that it extends; the most similar name. Of several, names for English come
    first, then names that begin with it, then short ones.
    """
    asked = _plain(name)
    order = sorted(known, key=lambda other: (not _holds(_plain(other), "en"), not other.startswith(name), len(other)))
    for other in order:
        if _plain(other) == asked:
            return other
    for other in order:
        if len(asked) > 1 and _holds(_plain(other), asked):
            return other
    from difflib import SequenceMatcher  # noqa: PLC0415 – slow to load, and most names are right

    matcher = SequenceMatcher(b=asked)

    def likeness(other: str) -> float:
        matcher.set_seq1(_plain(other))
        return matcher.ratio()

    nearest = max(order, key=likeness, default="")
    if likeness(nearest) >= NEARLY_THE_SAME:
        return nearest
    begins = [other for other in order if other and f"{asked}-".startswith(f"{_plain(other)}-")]
    return max(begins, key=len) if begins else nearest if likeness(nearest) >= ALIKE else None


def _plain(name: str) -> str:
    return sub(r"[\s_]", "-", name.casefold())


def _holds(name: str, part: str) -> bool:
    """Whether a name has a part that ends at hyphens or at its own ends."""
    return f"-{part}-" in f"-{name}-"
