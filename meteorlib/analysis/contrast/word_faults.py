"""Faults of the segments of a system that consist of words, as numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter

import numpy as np

from meteorlib.analysis.contrast.aligned import Aligned, Flags, Integers, Ragged
from meteorlib.arrays import FAULT_COLUMNS
from meteorlib.core.faults import FaultCounts, Side, find_faults
from meteorlib.core.segment import Trait

IN_ARRAYS = ("swaps", "omitted", "negations")
"""Faults that are found in all segments at once; nine in ten segments have no others."""

WORDLESS = ("excess", "lowercase_starts")
"""Faults that do not consist of words."""

_Fault = tuple[str, Sequence[int], Sequence[int]]
"""Kind, and the positions of its words in reference and hypothesis."""


def word_faults(system: Aligned, traits: Mapping[str, Trait], kinds: Mapping[str, int]) -> Ragged:
    """For each segment its faults of some kinds, in the order of `find_faults`.

    A fault is the number of its kind, and for reference and hypothesis the number of its words and their positions;
    `traits` has those of every word.
    """
    counts, fields = system.arrays.counts[:, -FAULT_COLUMNS:], FaultCounts._fields
    of_words = [kind for kind in kinds if kind not in WORDLESS]
    listed = ([fields.index(kind) for kind in of_words if (kind in IN_ARRAYS) is quick] for quick in (True, False))
    quick, others = (np.logical_or.reduce(counts[:, columns], axis=1) for columns in listed)
    faults: dict[int, list[int]] = {row: [] for row in (quick | others).nonzero()[0].tolist()}

    def add(row: int, kind: str, reference: Sequence[int], hypothesis: Sequence[int]) -> None:
        if kind in kinds:
            faults[row] += kinds[kind], len(reference), *reference, len(hypothesis), *hypothesis

    for row, fault in _in_arrays(system, traits, (quick & ~others).nonzero()[0]):
        add(row, *fault)
    known = system.words()
    for row in others.nonzero()[0].tolist():
        texts = [[known[word] for word in side.row(row).tolist()] for side in (system.reference, system.hypothesis)]
        reference, hypothesis = (Side(words, [traits[word] for word in words]) for words in texts)
        for kind, _, *places in find_faults(reference, hypothesis, system.matches.row(row).tolist()):
            add(row, kind, *places)
    lengths = np.zeros(len(system), np.int64)
    lengths[[*faults]] = [*map(len, faults.values())]
    return Ragged.of_lengths(np.array([number for listed in faults.values() for number in listed], np.int64), lengths)


def _in_arrays(system: Aligned, traits: Mapping[str, Trait], rows: Integers) -> Iterator[tuple[int, _Fault]]:
    """The faults `IN_ARRAYS` of segments that have matches, each with the index of its segment."""
    matches = system.matches.take(rows)
    places, owners = matches.flat[:, :4].astype(np.int64), rows[matches.rows]
    ranks = np.empty(len(owners), np.int64)  # of the matches, by their places in the hypotheses
    ranks[np.lexsort((places[:, 2], owners))] = np.arange(len(ranks))
    steps = np.where(owners[1:] == owners[:-1], ranks[1:] - ranks[:-1], 0)
    swapped = (steps == -1).nonzero()[0]
    both = (places[swapped].tolist(), places[swapped + 1].tolist())
    for row, (start, size, other, other_size), (after, its_size, before, before_size) in zip(
        owners[swapped].tolist(), *both, strict=True
    ):
        ours = (*range(start, start + size), *range(after, after + its_size))
        yield row, ("swaps", ours, (*range(before, before + before_size), *range(other, other + other_size)))
    first, last = matches.starts[:-1], matches.starts[1:] - 1
    first, last, follows = first[ranks[first] == first], last[ranks[last] == last], (steps == 1).nonzero()[0]
    # the gaps before the first match, between two, and behind the last one
    order = np.concatenate([first - 0.5, follows, last]).argsort()
    gaps = owners[np.concatenate([first, follows, last])[order]]
    ends = places[:, ::2] + places[:, 1::2]
    begins = np.concatenate([np.zeros((len(first), 2), np.int64), ends[follows], ends[last]])[order]
    sides = system.reference, system.hypothesis
    lengths = np.column_stack([side.lengths[owners[last]] for side in sides])
    stops = np.concatenate([places[first, ::2], places[follows + 1, ::2], lengths])[order]
    of_words = [traits.get(word) for word in system.words()]
    found: list[tuple[int, _Fault]] = []
    for kind in ("omitted", "negations"):
        flags = [
            trait is not None and (trait.negation if kind == "negations" else trait.function and trait.lettered)
            for trait in of_words
        ]
        spans = [
            _flagged(side, np.array(flags, bool), gaps, begins[:, at], stops[:, at]) for at, side in enumerate(sides)
        ]
        counts, others = (stop - begin for _, begin, stop in spans)
        chosen = (counts > others if kind == "omitted" else (counts > 0) != (others > 0)).nonzero()[0]
        listed = [
            [positions[start:end] for start, end in zip(begin[chosen].tolist(), stop[chosen].tolist(), strict=True)]
            for positions, begin, stop in spans
        ]
        found += [(gap, (kind, *both)) for gap, *both in zip(chosen.tolist(), *listed, strict=True)]
    for gap, fault in sorted(found, key=itemgetter(0)):
        yield int(gaps[gap]), fault


def _flagged(
    texts: Ragged, flags: Flags, rows: Integers, begins: Integers, stops: Integers
) -> tuple[list[int], Integers, Integers]:
    """The positions of flagged words in their texts, and which of them a span of each of `rows` has: begin and end."""
    flagged = flags[texts.flat]
    before = np.zeros(len(flagged) + 1, np.int64)
    flagged.cumsum(out=before[1:])
    starts = texts.starts[rows]
    positions = flagged.nonzero()[0] - texts.starts[texts.rows[flagged]]
    return positions.tolist(), before[starts + begins], before[starts + stops]
