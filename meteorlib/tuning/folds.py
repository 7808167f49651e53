"""Folds: judgments in parts, each of which is left out once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Literal

import numpy as np
from attrs import frozen

from meteorlib.errors import InputMismatch, UnknownName
from meteorlib.judge.judgments import Indices, Judged, Judgments

By = Literal["data", "lp", "document", "segment"]
WAYS: tuple[By, ...] = ("data", "lp", "document", "segment")

COUNT = 5
"""Folds of documents or segments."""


@frozen(eq=False)
class Folds:
    """Which texts are left out together.

    Attributes:
        by: what makes them.
        names: a name for each fold.
        of_texts: for each `Judgments`, the fold of each of its texts.
    """

    by: By
    names: tuple[str, ...]
    of_texts: tuple[Indices, ...]

    def __len__(self) -> int:
        return len(self.names)


def folds_of(sources: Sequence[tuple[str, Judgments]], by: By | None, count: int, seed: int) -> Folds:
    """Make folds.

    Args:
        sources: the judgments of each language pair, with the name of the data that they come from.
        by: ``data`` (e.g. years), ``lp`` (language pairs), ``document`` or ``segment``; None for the first of data, lp
            and segment that makes at least two folds.
        count: into how many folds documents or segments are dealt out.
        seed: of the dealing.

    Raises:
        InputMismatch: there would be fewer than two folds.
        UnknownName: there is no such way.
    """
    if by is not None and by not in WAYS:
        raise UnknownName("way to make folds", by, WAYS)
    groups: dict[By, list[list[str]]] = {
        "data": [[name] * len(one.texts) for name, one in sources],
        "lp": [[one.name] * len(one.texts) for _, one in sources],
    }
    several = [way for way in groups if len({name for names in groups[way] for name in names}) > 1]
    chosen: By = by or (several[0] if several else "segment")
    if chosen in groups:
        names = tuple(dict.fromkeys(name for listed in groups[chosen] for name in listed))
        _check(names, chosen, count)
        places = {name: place for place, name in enumerate(names)}
        return Folds(
            chosen,
            names,
            tuple(np.array([places[name] for name in listed], np.int64) for listed in groups[chosen]),
        )
    units = [[(name, one.name, _unit(text, chosen)) for text in one.texts] for name, one in sources]
    different = [*dict.fromkeys(unit for listed in units for unit in listed)]
    names = tuple(f"{chosen}s {number}" for number in range(1, min(count, len(different)) + 1))
    _check(names, chosen, count)
    dealt = np.random.default_rng(seed).permutation(len(different)) % len(names)
    fold = dict(zip(different, dealt.tolist(), strict=True))
    return Folds(
        chosen,
        names,
        tuple(np.array([fold[unit] for unit in listed], np.int64) for listed in units),
    )


def _unit(text: Judged, by: str) -> Hashable:
    """Key that texts which stay together share; a document is identified by all but the last part of a segment's id."""
    if by == "segment":
        return text.unit
    if len(text.segment) < 2:
        raise InputMismatch(
            f"{text} is of no document; say which column has them: --segment-column doc --segment-column segment"
        )
    return text.segment[:-1]


def _check(names: Sequence[str], by: str, count: int) -> None:
    if len(names) < 2:
        told = f"there is one ({names[0]})" if by in {"data", "lp"} else f"{count} asked for, {len(names)} found"
        advice = "give more judgments" if by == "segment" else "take others, e.g. --folds segment"
        raise InputMismatch(f"folds by {by}: at least two are needed, {told}; {advice}")
