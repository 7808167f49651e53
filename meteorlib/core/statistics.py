"""Statistics: the integer counts behind a score, which add up over a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import add
from typing import Any, NamedTuple, TypeVar

from attrs import evolve, fields, frozen

from meteorlib.core.alignment import Chunking, count_crossings
from meteorlib.core.faults import NO_FAULTS, FaultCounts, count_faults
from meteorlib.core.numbers_and_letters import to_integer
from meteorlib.core.segment import SCALE, Segment
from meteorlib.display.displayable import Grid, Tabular, records_grid

LINE_STAGES = 4
LINE_NUMBERS = 4 + 4 * LINE_STAGES + 3
Counts = TypeVar("Counts", "OrderCounts", "FaultCounts")


class StageCounts(NamedTuple):
    """Words that one stage matched, of each side, content words and function words apart."""

    hypothesis_content: int
    reference_content: int
    hypothesis_function: int
    reference_function: int


class OrderCounts(NamedTuple):
    """Counts of the order of matches, for the formula ``meteor-2026``.

    Attributes:
        junctions: places, of both sides, where one matched word of a segment follows another: all but the first.
        crossings: pairs of matches that cross.
        match_pairs: pairs of matches.
    """

    junctions: int
    crossings: int
    match_pairs: int


def function_size(segment: Segment) -> int:
    """The size of all function words of a side."""
    return sum(compress(segment.sizes, segment.function))


def count_order(matches: Sequence[tuple[int, int, int, int, int]], matched: int) -> OrderCounts:
    """Count the order of matches, of which there are `matched` words on both sides together."""
    pairs = len(matches) * (len(matches) - 1) // 2
    return OrderCounts(max(matched - 2, 0), count_crossings(matches), pairs)


def count_stages(
    reference: Segment,
    hypothesis: Segment,
    matches: Sequence[tuple[int, int, int, int, int]],
    stages: int,
    grades: Sequence[int] | None,
) -> tuple[StageCounts, ...]:
    """Add up the sizes of the words that each stage matched; see `Statistics.of`."""
    counts = [0] * (4 * stages)
    reference_sizes, hypothesis_sizes = reference.sizes, hypothesis.sizes
    if grades is not None:
        reference_sizes = _graded(reference_sizes, [match[:2] for match in matches], grades)
        hypothesis_sizes = _graded(hypothesis_sizes, [match[2:4] for match in matches], grades)
    reference_function, hypothesis_function = reference.function, hypothesis.function
    for start, length, hypothesis_start, hypothesis_length, stage in matches:
        base = 4 * stage
        if length == 1 == hypothesis_length:  # most matches: quicker than two ranges
            counts[base + 2 * hypothesis_function[hypothesis_start]] += hypothesis_sizes[hypothesis_start]
            counts[base + 1 + 2 * reference_function[start]] += reference_sizes[start]
            continue
        for position in range(hypothesis_start, hypothesis_start + hypothesis_length):
            counts[base + 2 * hypothesis_function[position]] += hypothesis_sizes[position]
        for position in range(start, start + length):
            counts[base + 1 + 2 * reference_function[position]] += reference_sizes[position]
    return tuple([StageCounts(*counts[base : base + 4]) for base in range(0, 4 * stages, 4)])


def _graded(sizes: Sequence[int], spans: Sequence[tuple[int, ...]], grades: Sequence[int]) -> list[int]:
    """The sizes of the words of a side; matched words count as much as the grade of their match says."""
    graded = list(sizes)
    for (start, length), grade in zip(spans, grades, strict=True):
        if grade != SCALE:
            for position in range(start, start + length):
                graded[position] = graded[position] * grade // SCALE
    return graded


def _added(counts: Counts | None, others: Counts | None, which: str) -> Counts | None:
    if counts is None or others is None:
        if counts is not others:
            raise ValueError(f"statistics {which} do not add up")
        return None
    return type(counts)(*map(add, counts, others))


@frozen
class Statistics(Tabular):
    """Additive sufficient statistics of a segment or of a corpus (Denkowski & Lavie 2011).

    Lengths, function words and stage counts are numbers of words; if a preset counts characters, UTF-16 code units; if
    it weights words, weights in units of 1/`SCALE`. Chunks and matched words are always counts.

    Attributes:
        hypothesis_length: words of the hypothesis.
        reference_length: words of the reference.
        hypothesis_function_words: function words among them.
        reference_function_words: function words among them.
        stages: counts of matched words, by stage.
        chunks: number of chunks.
        penalized_chunks: the chunks that the penalty counts, which the formula decides segment by segment (see
            `meteorlib.core.formula.penalize`): under ``meteor-1.5`` a perfect segment adds 0; under ``meteor-2026``
            the first chunk of a segment does.
        hypothesis_matches: matched words of the hypothesis.
        reference_matches: matched words of the reference.
        order: what ``meteor-2026`` counts besides; None under the other formulas.
        faults: counts of faults; None unless the preset penalizes some.
    """

    _facts = (
        "hypothesis_length reference_length hypothesis_function_words reference_function_words hypothesis_matches "
        "reference_matches chunks penalized_chunks"
    )

    hypothesis_length: int
    reference_length: int
    hypothesis_function_words: int
    reference_function_words: int
    stages: tuple[StageCounts, ...]
    chunks: int
    penalized_chunks: int
    hypothesis_matches: int
    reference_matches: int
    order: OrderCounts | None = None
    faults: FaultCounts | None = None

    @classmethod
    def zero(cls, stages: int, *, ordered: bool = False, faults: bool = False) -> Statistics:
        """The sum of no segments; `ordered` and `faults` say whether these are counted."""
        order = OrderCounts(0, 0, 0) if ordered else None
        stage_counts = (StageCounts(0, 0, 0, 0),) * stages
        return cls(0, 0, 0, 0, stage_counts, 0, 0, 0, 0, order, NO_FAULTS if faults else None)

    @classmethod
    def of(
        cls,
        reference: Segment,
        hypothesis: Segment,
        matches: Sequence[tuple[int, int, int, int, int]],
        stages: int,
        grades: Sequence[int] | None = None,
        *,
        ordered: bool = False,
        faults: bool = False,
    ) -> Statistics:
        """Count the matches of a segment; all its chunks are penalized until the formula exempts some.

        Args:
            reference: the analyzed reference.
            hypothesis: the analyzed hypothesis.
            matches: the matches in reference order.
            stages: number of stages of the preset.
            grades: how much each match counts, in units of 1/`SCALE`; None if all count fully.
            ordered: whether to count `order`.
            faults: whether to count `faults`.
        """
        hypothesis_matches = sum([match[3] for match in matches])
        reference_matches = sum([match[1] for match in matches])
        chunks = Chunking.of(matches).count
        return cls(
            sum(hypothesis.sizes),
            sum(reference.sizes),
            function_size(hypothesis),
            function_size(reference),
            count_stages(reference, hypothesis, matches, stages, grades),
            chunks,
            chunks,
            hypothesis_matches,
            reference_matches,
            count_order(matches, hypothesis_matches + reference_matches) if ordered else None,
            count_faults(reference, hypothesis, matches) if faults else None,
        )

    def __add__(self, other: Statistics) -> Statistics:
        if len(self.stages) != len(other.stages):
            raise ValueError(f"statistics of {len(self.stages)} and of {len(other.stages)} stages do not add up")
        # whole numbers, so the sum of a corpus does not depend on the order of its segments
        return Statistics(
            self.hypothesis_length + other.hypothesis_length,
            self.reference_length + other.reference_length,
            self.hypothesis_function_words + other.hypothesis_function_words,
            self.reference_function_words + other.reference_function_words,
            tuple(
                StageCounts(a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3])
                for a, b in zip(self.stages, other.stages, strict=True)
            ),
            self.chunks + other.chunks,
            self.penalized_chunks + other.penalized_chunks,
            self.hypothesis_matches + other.hypothesis_matches,
            self.reference_matches + other.reference_matches,
            _added(self.order, other.order, "of meteor-2026 and of another formula"),
            _added(self.faults, other.faults, "with faults and statistics without them"),
        )

    @property
    def is_perfect(self) -> bool:
        """Whether all words of both sides are matched, in one chunk."""
        return (
            self.chunks == 1
            and sum(stage[0] + stage[2] for stage in self.stages) == self.hypothesis_length
            and sum(stage[1] + stage[3] for stage in self.stages) == self.reference_length
        )

    @property
    def matches(self) -> tuple[int, ...]:
        """For each stage, the matched words of the hypothesis (content and function)."""
        return tuple(stage.hypothesis_content + stage.hypothesis_function for stage in self.stages)

    def counts(self) -> tuple[int, ...]:
        """All counts as one row: the attributes in order, but the four of each stage, `order` and `faults` last."""
        return (
            self.hypothesis_length,
            self.reference_length,
            self.hypothesis_function_words,
            self.reference_function_words,
            self.chunks,
            self.penalized_chunks,
            self.hypothesis_matches,
            self.reference_matches,
            *(count for stage in self.stages for count in stage),
            *(self.order or ()),
            *(self.faults or ()),
        )

    @classmethod
    def from_counts(cls, counts: Sequence[int], stage_count: int | None = None) -> Statistics:
        """The way back from `counts`; without the number of stages, it follows from that of the counts."""
        size, ordered, faulted = len(StageCounts._fields), len(OrderCounts._fields), len(FaultCounts._fields)
        end = len(counts) - {ordered % size: ordered, (ordered + faulted) % size: ordered + faulted}.get(
            (len(counts) - 8) % size, 0
        )
        if stage_count is not None:
            end = 8 + stage_count * size
        stages = tuple(StageCounts(*counts[first : first + size]) for first in range(8, end, size))
        order = OrderCounts(*counts[end : end + ordered]) if end < len(counts) else None
        faults = FaultCounts(*counts[end + ordered :]) if end + ordered < len(counts) else None
        h, r, fh, fr, chunks, penalized, mh, mr = counts[:8]
        return cls(h, r, fh, fr, stages, chunks, penalized, mh, mr, order, faults)

    def to_dict(self, stages: Sequence[str]) -> dict[str, Any]:
        """The counts by name, ready for JSON; the counts of each stage have its matcher's name, from `stages`."""
        data = {field.name: getattr(self, field.name) for field in fields(Statistics)}
        named = zip(stages, self.stages, strict=True)
        data["stages"] = [{"matcher": name, **counts._asdict()} for name, counts in named]
        for name in ("order", "faults"):
            counted = data.pop(name)
            if counted is not None:
                data[name] = counted._asdict()
        return data

    def line(self) -> str:
        """The 23 numbers of METEOR's ``-ssOut``, printed like Java doubles.

        Raises:
            ValueError: METEOR has no such line, for this formula or for that many stages.
        """
        if self.order is not None or len(self.stages) > LINE_STAGES:
            raise ValueError("METEOR's line of 23 numbers has no place for meteor-2026 or for more than four stages")
        numbers = [
            self.hypothesis_length,
            self.reference_length,
            self.hypothesis_function_words,
            self.reference_function_words,
            *(count for stage in self.with_stages(LINE_STAGES).stages for count in stage),
            self.chunks,
            self.hypothesis_matches,
            self.reference_matches,
        ]
        return " ".join(f"{number}.0" for number in numbers)

    @classmethod
    def from_line(cls, line: str, stages: int = LINE_STAGES) -> Statistics:
        """Read the 23 numbers back; further numbers are ignored.

        Args:
            line: the numbers.
            stages: number of stages of the preset that will score them; the line has room for four.

        Raises:
            ValueError: fewer than 23 numbers, a field that is not a whole number or is negative, matches of more
                stages, or `stages` is negative.
        """
        if stages < 0:
            raise ValueError(f"stages must be 0 or more, got {stages}")
        numbers = [to_integer(text) for text in line_fields(line)]
        for position, number in enumerate(numbers, 1):
            if number < 0:
                raise ValueError(f"number {position} of the line is negative: {number}")
        read = cls.from_line_numbers(numbers)
        for number, more in enumerate(read.stages[stages:], stages + 1):
            if any(more):
                raise ValueError(f"the line has matches of stage {number}, but is read for {stages} stages")
        return read.with_stages(stages)

    @classmethod
    def from_line_numbers(cls, numbers: Sequence[int]) -> Statistics:
        """The statistics of the 23 numbers of a line; as in METEOR 1.5, a perfect segment is not penalized."""
        stages = tuple(StageCounts(*numbers[base : base + 4]) for base in range(4, 4 + 4 * LINE_STAGES, 4))
        h, r, fh, fr = numbers[:4]
        chunks, mh, mr = numbers[-3:]
        read = cls(h, r, fh, fr, stages, chunks, chunks, mh, mr)
        return evolve(read, penalized_chunks=0) if read.is_perfect else read

    def with_stages(self, count: int) -> Statistics:
        """With the first `count` stages; those that are missing have no matches."""
        missing = (StageCounts(0, 0, 0, 0),) * (count - len(self.stages))
        return evolve(self, stages=(*self.stages[:count], *missing))

    def _grids(self) -> list[Grid]:
        others = [
            records_grid([counts], name) for name, counts in (("order", self.order), ("faults", self.faults)) if counts
        ]
        return [records_grid(self.stages, "stage"), *others]


def line_fields(line: str) -> list[str]:
    """The fields of METEOR's 23 numbers, which must be there; those behind them are ignored."""
    fields_read = line.split()
    if len(fields_read) < LINE_NUMBERS:
        raise ValueError(f"expected {LINE_NUMBERS} statistics, got {len(fields_read)}")
    return fields_read[:LINE_NUMBERS]
