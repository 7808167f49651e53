"""Folds of judgments for cross-validation, and units: segments that share texts, which are left out together.

A text that occurs in two segments carries the noise of its judgment into both, so values fitted to one segment would
look good on the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Literal

import numpy as np
from attrs import frozen

from meteorlib.analysis.meta_evaluation.correlations import Indices
from meteorlib.analysis.meta_evaluation.judgments import Judged, Judgments
from meteorlib.arrays import Numbers
from meteorlib.core.segment import Pair
from meteorlib.errors import InputMismatch, UnknownName
from meteorlib.inputs.judgment_tables import Segment

FoldKind = Literal["data", "lp", "document", "segment"]
FOLD_KINDS: tuple[FoldKind, ...] = ("data", "lp", "document", "segment")

FOLD_COUNT = 5


@frozen(eq=False)
class Units:
    """Sampling units: groups of segments that share texts; most segments are a unit of their own.

    A unit, for each text of each `Judgments`, has the number of its first segment (`numbered_segments`).
    """

    of_texts: tuple[Indices, ...]
    note: str


def numbered_segments(judgments: Sequence[Judgments]) -> list[Indices]:
    """Segment of each text, with the segments of all judgments numbered consecutively."""
    first = np.cumsum([0, *(part.segment_count for part in judgments)])
    return [part.segments + start for part, start in zip(judgments, first[:-1], strict=True)]


def units_of(judgments: Sequence[Judgments], *, by_reference: bool) -> Units:
    """Find the segments that share texts: a reference, or else all references and the hypothesis."""
    numbered = numbered_segments(judgments)
    leader = [*range(sum(part.segment_count for part in judgments))]

    def first_of(segment: int) -> int:
        while leader[segment] != segment:
            leader[segment] = leader[leader[segment]]
            segment = leader[segment]
        return segment

    seen: dict[Any, int] = {}
    repeated = set()
    for part, segments in zip(judgments, numbered, strict=True):
        for text, segment in zip(part.texts, segments.tolist(), strict=True):
            for key in _keys(text.texts, by_reference=by_reference):
                before = seen.setdefault(key, segment)
                if before != segment:
                    repeated.add(key)
                    low, high = sorted((first_of(before), first_of(segment)))
                    leader[high] = low
    unit = np.array([first_of(segment) for segment in range(len(leader))], np.int64)
    texts = sum(_whole(text.texts) in repeated for part in judgments for text in part.texts)
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


@frozen(eq=False)
class Folds:
    """Assignment of texts to folds, and the training texts of each fold.

    A *group* is a set of texts of one fold that are excluded from training for the same folds. A fold is one group
    unless some of its texts are repeated in other folds: these texts are excluded while the other folds are left
    out, too. Matrices of folds × groups have 1 for groups that are in a fold (`left_out`), and for groups that are
    excluded from training without it (`unfitted`).
    """

    by: FoldKind
    names: tuple[str, ...]
    of_texts: tuple[Indices, ...]
    units: Units
    groups: tuple[Indices, ...]
    left_out: Numbers
    unfitted: Numbers

    @classmethod
    def of(cls, by: FoldKind, names: Sequence[str], of_texts: Sequence[Indices], units: Units) -> Folds:
        """Find the groups of the folds; a unit may have texts in several folds."""
        fold, unit = np.concatenate(of_texts), np.concatenate(units.of_texts)
        touched = np.zeros((unit.max() + 1, len(names)), np.int64)
        touched[unit, fold] = 1
        kinds, group = np.unique(np.column_stack([fold, touched[unit]]), axis=0, return_inverse=True)
        ends = np.cumsum([len(fold) for fold in of_texts])[:-1]
        left_out = np.equal.outer(np.arange(len(names)), kinds[:, 0]).astype(np.float64)
        unfitted = kinds[:, 1:].T.astype(np.float64)
        return cls(by, tuple(names), tuple(of_texts), units, tuple(np.split(group.ravel(), ends)), left_out, unfitted)

    def __len__(self) -> int:
        return len(self.names)


def folds_of(sources: Sequence[tuple[str, Judgments]], by: FoldKind | None, count: int, seed: int) -> Folds:
    """Divide judgments into folds, independently of the order of the texts; the parameters are those of `tune`.

    Segments that share texts are excluded from training while one of them is left out. Segments share texts if they
    have a reference in common; in folds by language pair, whose references may be the same, only if the hypothesis is
    equal, too.
    """
    if by is not None and by not in FOLD_KINDS:
        raise UnknownName("way to make folds", by, FOLD_KINDS)
    for way in FOLD_KINDS[:2] if by is None else ():
        with suppress(InputMismatch):
            return _folds(sources, way, count, seed)
    return _folds(sources, by or "segment", count, seed)


def _folds(sources: Sequence[tuple[str, Judgments]], by: FoldKind, count: int, seed: int) -> Folds:
    units = units_of([part for _, part in sources], by_reference=by != "lp")
    labels = _labels(sources, by, units)
    if by in {"data", "lp"}:
        names = [*dict.fromkeys(label for listed in labels for label in listed)]
        fold = {name: index for index, name in enumerate(names)}
    else:
        different = sorted({label for listed in labels for label in listed})
        names = [f"fold {number}" for number in range(1, min(count, len(different)) + 1)]
        dealt = np.random.default_rng(seed).permutation(len(different)) % max(len(names), 1)
        fold = dict(zip(different, dealt.tolist(), strict=True))
    advice = "give more judgments" if by == "segment" else "choose others, e.g. --folds segment"
    if len(names) < 2:
        detail = f"there is one ({names[0]})" if by in {"data", "lp"} else f"{count} asked for, {len(names)} found"
        raise InputMismatch(f"folds by {by}: at least two are needed, {detail}; {advice}")
    folds = Folds.of(by, names, [np.array([fold[label] for label in listed], np.int64) for listed in labels], units)
    for name, unfitted in zip(names, folds.unfitted, strict=True):
        if unfitted.all():
            raise InputMismatch(
                f"folds by {by}: without {name} there is nothing to fit to, as all other segments share texts with it; "
                f"{advice}"
            )
    return folds


def _labels(sources: Sequence[tuple[str, Judgments]], by: FoldKind, units: Units) -> list[Sequence[Any]]:
    """Fold key of each text; texts with the same key are left out together."""
    if by == "segment":
        return [unit.tolist() for unit in units.of_texts]
    if by == "document":
        return [[(index, _document(text)) for text in part.texts] for index, (_, part) in enumerate(sources)]
    return [[name if by == "data" else part.name] * len(part.texts) for name, part in sources]


def _document(text: Judged) -> Segment:
    """Document of a text: all but the last part of its segment's id."""
    if len(text.segment) < 2:
        raise InputMismatch(
            f"{text} belongs to no document; name the column of documents: "
            "--segment-column COLUMN --segment-column segment"
        )
    return text.segment[:-1]
