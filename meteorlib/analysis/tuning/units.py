"""Groups of segments that share texts, which are left out and resampled together.

A text that occurs in two segments carries the noise of its judgment into both, so values fitted to one segment would
look good on the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from meteorlib.analysis.meta_evaluation.correlations import Indices
from meteorlib.analysis.meta_evaluation.judgments import Judgments
from meteorlib.core.segment import Pair


@frozen(eq=False)
class Units:
    """Sampling units: groups of segments that share texts; most segments are a unit of their own.

    Attributes:
        of_texts: unit of each text, for each `Judgments`. A unit has the number of its first segment, with the segments
            of all judgments numbered consecutively.
        note: note on the number of repeated segments and texts; empty if there are none.
    """

    of_texts: tuple[Indices, ...]
    note: str


def numbered_segments(judgments: Sequence[Judgments]) -> list[Indices]:
    """Segment of each text, with the segments of all judgments numbered consecutively."""
    first = np.cumsum([0, *(one.segment_count for one in judgments)])
    return [one.segments + start for one, start in zip(judgments, first[:-1], strict=True)]


def units_of(judgments: Sequence[Judgments], *, by_reference: bool) -> Units:
    """Find the segments that share texts.

    Args:
        judgments: judgments of each language pair.
        by_reference: whether one common reference is enough; otherwise references and hypothesis must be equal.
    """
    numbered = numbered_segments(judgments)
    leader = [*range(sum(one.segment_count for one in judgments))]

    def first_of(segment: int) -> int:
        while leader[segment] != segment:
            leader[segment] = leader[leader[segment]]
            segment = leader[segment]
        return segment

    seen: dict[Any, int] = {}
    repeated = set()
    for one, segments in zip(judgments, numbered, strict=True):
        for text, segment in zip(one.texts, segments.tolist(), strict=True):
            for key in _keys(text.texts, by_reference=by_reference):
                before = seen.setdefault(key, segment)
                if before != segment:
                    repeated.add(key)
                    low, high = sorted((first_of(before), first_of(segment)))
                    leader[high] = low
    unit = np.array([first_of(segment) for segment in range(len(leader))], np.int64)
    texts = sum(_whole(text.texts) in repeated for one in judgments for text in one.texts)
    shared = int((np.bincount(unit, minlength=len(unit))[unit] > 1).sum())
    return Units(tuple(unit[segments] for segments in numbered), _note(shared, texts, by_reference=by_reference))


def _keys(texts: Pair, *, by_reference: bool) -> Iterator[Any]:
    """Keys by which segments are joined to a unit; empty references are ignored."""
    yield _whole(texts)
    if by_reference:
        yield from filter(None, map(_plain, texts.references))


def _whole(texts: Pair) -> Any:
    return frozenset(map(_plain, texts.references)), _plain(texts.hypothesis)


def _plain(text: str) -> str:
    """Normalize case and whitespace, which most METEOR variants ignore."""
    return " ".join(text.casefold().split())


def _note(segments: int, texts: int, *, by_reference: bool) -> str:
    if not segments:
        return ""
    detail = f"{texts:,} texts have the same reference and hypothesis as a text of another segment"
    if by_reference:
        detail = (
            f"{segments:,} segments share a reference with another segment, and {texts:,} texts also the hypothesis"
        )
    return f"{detail}; segments that share texts are left out and resampled together"
