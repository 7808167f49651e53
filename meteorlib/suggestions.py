"""Suggestions for a mistyped name."""

from __future__ import annotations

from collections.abc import Iterable
from re import sub

MAX_LENGTH = 60
"""Characters of a name that are shown and compared."""

MIN_SIMILARITY = 0.6
"""Likeness of two names (`difflib`) from which on one may be meant by the other."""

TYPO_SIMILARITY = 0.95
"""Likeness of names that differ by a slip of the finger."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`` (did you mean 'x'?)`` where a known name is close to `name`, else nothing."""
    suggestion = _closest(name[:MAX_LENGTH], known)
    return f" (did you mean {suggestion!r}?)" if suggestion else ""


def _closest(name: str, known: Iterable[str]) -> str | None:
    """The name most likely meant, if any.

    In this order: a name that differs in case, ``_`` and spaces only; a name of which it is one or more whole parts; a
    nearly equal name; the longest name that it extends; the most similar name. Of several, names for English come
    first, then names that begin with it, then short ones.
    """
    wanted = _normalize(name)
    order = sorted(
        known, key=lambda other: (not _has_part(_normalize(other), "en"), not other.startswith(name), len(other))
    )
    for other in order:
        if _normalize(other) == wanted:
            return other
    for other in order:
        if len(wanted) > 1 and _has_part(_normalize(other), wanted):
            return other
    from difflib import SequenceMatcher  # noqa: PLC0415 – slow to load, and most names are right

    matcher = SequenceMatcher(b=wanted)

    def likeness(other: str) -> float:
        matcher.set_seq1(_normalize(other))
        return matcher.ratio()

    nearest = max(order, key=likeness, default="")
    if likeness(nearest) >= TYPO_SIMILARITY:
        return nearest
    prefixes = [other for other in order if other and f"{wanted}-".startswith(f"{_normalize(other)}-")]
    return max(prefixes, key=len) if prefixes else nearest if likeness(nearest) >= MIN_SIMILARITY else None


def _normalize(name: str) -> str:
    return sub(r"[\s_]", "-", name.casefold())


def _has_part(name: str, part: str) -> bool:
    """Whether a name has a part that ends at hyphens or at its own ends."""
    return f"-{part}-" in f"-{name}-"
