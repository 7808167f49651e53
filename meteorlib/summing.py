"""Summing: many segments → their totals, with an engine that keeps nothing of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from meteorlib.corpus.totals import Totals
from meteorlib.text.given import check_any, check_no_text, check_reference, check_text

if TYPE_CHECKING:
    from meteorlib.engine import Sums
    from meteorlib.matchers.cache import WordCache

TOGETHER = 100
"""Segments that are added to sums at a time: enough that threads seldom wait for each other."""


def divided(segment: Sequence[str]) -> tuple[str, list[str]]:
    """The hypothesis of a segment, and its references.

    Raises:
        TypeError: it is a string.
    """
    check_no_text(segment, "a segment")
    hypothesis, *references = segment
    return hypothesis, references


def add_up(segments: Iterable[Sequence[str]], sums: Sums, known: WordCache[Any]) -> Totals:
    """The sums over segments.

    Args:
        segments: for each its hypothesis, then its references.
        sums: sums without segments yet.
        known: references that were analysed before; those that are new come to them.
    """
    fresh: dict[str, Any] = {}
    begun = _begun(segments, sums, known, fresh)
    while together := list(islice(begun, TOGETHER)):
        sums.add(together)
        for text, reference in fresh.items():
            known.keep(text, reference)
        fresh.clear()
    return sums.totals()


def _begun(
    segments: Iterable[Sequence[str]], sums: Sums, known: WordCache[Any], fresh: dict[str, Any]
) -> Iterator[tuple[list[Any], str]]:
    """The references of each segment, and the text of its hypothesis; references not known before are put in `fresh`.

    Others may see them when `sums` has added them.
    """
    for hypothesis, references in map(divided, segments):
        check_any(references)
        check_text(hypothesis, "hypothesis")
        found: list[Any] = []
        for text in references:
            reference = known.get(text, fresh.get(text)) if isinstance(text, str) else None
            if reference is None:
                check_reference(references, len(found))
                reference = fresh[text] = sums.read(text)
            found.append(reference)
        yield found, hypothesis
