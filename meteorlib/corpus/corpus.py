"""Corpus: accumulates segments and scores their summed statistics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from operator import index
from threading import Lock
from typing import Any, Self, overload

from attrs import evolve

from meteorlib.core.breakdown import ScoreBreakdown, breakdown_rows
from meteorlib.core.parameters import Parameters
from meteorlib.core.segment import Pair
from meteorlib.core.signature import Signature
from meteorlib.core.statistics import Statistics
from meteorlib.core.totals import SCORE_BITS, Totals
from meteorlib.corpus.batch import Pairs
from meteorlib.corpus.views import SEGMENTS_SHOWN, WorstSegments, segment_grid
from meteorlib.display.displayable import Displayable
from meteorlib.display.text import Row, digits, shorten
from meteorlib.engine.engine import Engine, Scoring
from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.text.validation import references_of, words_of


class Corpus(Displayable):
    """Accumulated statistics of one system's segments, or of any set of segments; the only mutable class.

    The corpus score is the formula applied to the summed statistics. The mean of the segment scores is a different
    number: `mean`.

    Threads may share a corpus. Each addition (`add`, `add_tokens`, `add_breakdown`, `add_totals`, `extend`, `merge`,
    ``+=``) counts as a whole or, after an error or an interruption, not at all; scoring never waits for a lock.
    Segments of several threads are in the order in which the additions ended. Each read sees only whole additions;
    for several reads of the same state, use a copy: ``copy.copy(corpus)``.

    ``len(corpus)`` is the number of segments. If segments are kept, a corpus can be iterated and indexed like a tuple
    of their breakdowns. Because it changes, a corpus equals only itself; compare `totals` or `segments`.
    """

    def __init__(self, scorer: Scoring, *, keep_segments: bool = True) -> None:
        self._scorer = scorer
        self._totals: Totals = scorer.engine.zero
        self._segments: list[ScoreBreakdown] | None = [] if keep_segments else None
        self._lock = Lock()

    @property
    def totals(self) -> Totals:
        """The sums over the segments."""
        return self._totals

    @property
    def signature(self) -> Signature:
        """Names the METEOR in use."""
        return self._scorer.engine.identity.signature

    @property
    def engine(self) -> Engine[Any]:
        """The engine that aligns and scores the segments."""
        return self._scorer.engine

    @property
    def parameters(self) -> Parameters:
        """Parameters of the formula."""
        return self._scorer.engine.parameters

    @property
    def keeps_segments(self) -> bool:
        """Whether the breakdown of every segment is kept."""
        return self._segments is not None

    @property
    def statistics(self) -> Statistics:
        """The sum of the segments' statistics."""
        return self.totals.statistics

    @property
    def segment_count(self) -> int:
        """Number of added segments."""
        return self.totals.segment_count

    @property
    def empty_hypotheses(self) -> int:
        """Number of segments whose hypothesis has no words (they score 0)."""
        return self.totals.empty_hypotheses

    @property
    def empty_references(self) -> int:
        """Number of segments whose selected reference has no words (they score 0)."""
        return self.totals.empty_references

    @property
    def inexact(self) -> int:
        """Number of segments whose search hit its budget."""
        return self.totals.inexact

    def problems(self) -> Iterator[str]:
        """Notes on segments that scored 0 for lack of words, and on alignments that may not be the best."""
        numbers = self.empty_hypotheses, self.empty_references, self.inexact
        return problems(self.statistics, *numbers, self.segment_count)

    def add(self, ref: str | Iterable[str], hyp: str) -> ScoreBreakdown:
        """Score a segment and add it; see `Scorer.score`."""
        return self._add_scored(self._scorer.engine.score(Pair(references_of(ref, hyp), hyp)))

    def add_tokens(self, refs: Iterable[Iterable[str]], hyp: Iterable[str]) -> ScoreBreakdown:
        """Score a segment that is already in words and add it; see `Scorer.score_tokens`."""
        return self._add_scored(self._scorer.engine.score_tokens(*words_of(refs, hyp)))

    def extend(self, *, references: Iterable[str | Iterable[str]], hypotheses: Iterable[str]) -> Self:
        """Add many segments, all or, after an error, none.

        Args:
            references: for each segment its reference, or several; a list, a column of a table, a generator.
            hypotheses: the hypotheses, in the same order.

        Raises:
            InputMismatch: there are not as many of the one as of the other (both counts are named), or a segment has
                no reference.
            InvalidText: text with NUL or a lone surrogate; ``where`` names the segment, counted from 1.
            TypeError: something that is no text, or one string instead of many.
        """
        pairs = Pairs(references, hypotheses)
        segments: list[ScoreBreakdown] | None = [] if self.keeps_segments else None
        try:
            totals = self._scorer.engine.totals(pairs, segments)
        except (InputMismatch, InvalidText, TypeError) as error:
            raise pairs.error_with_segment(error) from None
        self._add(totals, segments or ())
        return self

    def add_breakdown(self, scored: ScoreBreakdown) -> ScoreBreakdown:
        """Add a segment that this corpus' METEOR has scored already.

        Raises:
            InputMismatch: it is the score of a corpus, or of given statistics, which may be a sum; or it is another
                METEOR's, or does not say whose it is.
        """
        if scored.segment_count is not None:
            raise InputMismatch("this is the score of a corpus, not of a segment; corpora are added by merge")
        if scored.origin is None:
            raise InputMismatch("this breakdown does not name its variant of METEOR; use one from a Scorer")
        self._check_same(scored.origin.signature, "this breakdown was scored differently and cannot be added")
        if not scored.origin.segment:
            raise InputMismatch(
                "this is the score of given statistics, which may be a sum; if they are one segment's, a corpus that "
                "keeps no segments takes them by add_totals(Totals.of(breakdown))"
            )
        return self._add_scored(scored)

    def add_totals(self, totals: Totals) -> None:
        """Add segments that this corpus' scorer has scored and summed up elsewhere.

        Raises:
            InputMismatch: this corpus keeps its segments, which totals do not contain.
        """
        if self.keeps_segments:
            raise InputMismatch(
                "totals cannot be added to a corpus that keeps its segments; create it with keep_segments=False"
            )
        self._add(totals, ())

    @property
    def segments(self) -> tuple[ScoreBreakdown, ...]:
        """The breakdown of every segment, in order of adding.

        Raises:
            InputMismatch: the corpus was made without keeping them.
        """
        return tuple(self._kept(self.totals))

    def score(self) -> ScoreBreakdown:
        """The corpus score: the formula applied once to the sums.

        Raises:
            InputMismatch: no segment was added.
        """
        totals = self._nonempty_totals()
        scored = self._scorer.engine.breakdown(totals.statistics, optimal=not totals.inexact)
        return evolve(scored, segment_count=totals.segment_count)

    def mean(self) -> float:
        """The mean of the segment scores; the sum is exact, so their order does not matter.

        Raises:
            InputMismatch: no segment was added.
        """
        totals = self._nonempty_totals()
        return totals.exact_sum / (totals.segment_count << SCORE_BITS)

    def merge(self, other: Corpus) -> Self:
        """Add all segments of `other`, which may be this corpus itself.

        Raises:
            InputMismatch: it was scored by another METEOR, or does not keep its segments while this one does.
        """
        self._check_same(str(other.signature), "these corpora were scored differently and cannot be merged")
        totals = other.totals
        self._add(totals, other._kept(totals) if self.keeps_segments else ())
        return self

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON; with segments if they are kept.

        Raises:
            InputMismatch: no segment was added.
        """
        corpus = copy(self)
        data = corpus.score().to_dict()
        data["mean_segment_score"] = corpus.mean()
        data["empty_hypotheses"] = corpus.empty_hypotheses
        data["empty_references"] = corpus.empty_references
        data["preset"] = corpus.signature.preset
        data["signature"] = str(corpus.signature)
        if corpus.keeps_segments:
            data["segments"] = [scored.to_dict() for scored in corpus]
        return data

    def __len__(self) -> int:
        return self.totals.segment_count

    def __iter__(self) -> Iterator[ScoreBreakdown]:
        return iter(self.segments)

    @overload
    def __getitem__(self, place: int) -> ScoreBreakdown: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[ScoreBreakdown, ...]: ...
    def __getitem__(self, place: int | slice) -> ScoreBreakdown | tuple[ScoreBreakdown, ...]:
        if isinstance(place, slice):
            return self.segments[place]
        count = len(self)
        if not -count <= index(place) < count:
            raise IndexError(f"there is no segment {place}: the corpus has {count}")
        return self._all()[index(place) % count]

    def __add__(self, other: Corpus) -> Corpus:
        if not isinstance(other, Corpus):
            return NotImplemented
        keep = self.keeps_segments and other.keeps_segments
        return Corpus(self._scorer, keep_segments=keep).merge(self).merge(other)

    def __iadd__(self, other: Corpus) -> Self:
        return self.merge(other) if isinstance(other, Corpus) else NotImplemented

    def __repr__(self) -> str:
        scored = f", score={self.score().score:.4f}, mean={self.mean():.4f}" if len(self) else ""
        return f"Corpus(segments={len(self)}{scored}, preset={shorten(self.signature.preset)!r})"

    def _rows(self) -> Iterable[Row]:
        corpus = copy(self)  # other threads may add to this one
        scored = breakdown_rows(corpus.score()) if len(corpus) else []
        mean = f", mean of their scores {digits(corpus.mean())}" if len(corpus) else ""
        return [*scored, ("segments", f"{len(corpus)}{mean}"), ("signature", str(corpus.signature))]

    def _repr_html_(self) -> str:
        from meteorlib.display.notebook import tables_html  # noqa: PLC0415 – 1.5 ms of every start

        corpus = copy(self)
        *rows, signature = corpus._rows()  # noqa: SLF001 – a copy of itself
        grids = []
        if corpus.keeps_segments and len(corpus):
            first = corpus[:SEGMENTS_SHOWN]
            grids = [segment_grid(range(len(first)), first)]
            if len(corpus) > len(first):
                rows.append(
                    ("shown", f"the first {len(first)} segments; corpus.worst() has the lowest, corpus[index] any")
                )
        return tables_html(rows, grids, [signature])

    def worst(self, count: int = 10) -> WorstSegments:
        """The segments with the lowest scores, if segments are kept; a notebook shows them with their words.

        Raises:
            ValueError: `count` is negative.
        """
        if count < 0:
            raise ValueError(f"a corpus has no {count} segments: give 0 or more")
        segments = self.segments
        lowest = sorted(range(len(segments)), key=lambda place: segments[place].score)[:count]
        return WorstSegments(tuple(lowest), tuple(segments[place] for place in lowest))

    def __getstate__(self) -> dict[str, Any]:
        totals = self.totals
        return {
            **self.__dict__,
            "_totals": totals,
            "_segments": self._kept(totals) if self.keeps_segments else None,
            "_lock": None,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=Lock())

    # An addition counts from the moment in which the totals are set, and not in part before: readers need no lock,
    # because segments beyond the number in the totals are not there yet, and those before it never change.

    def _add(self, totals: Totals, scored: Sequence[ScoreBreakdown]) -> None:
        """Add segments, given their totals and, where segments are kept, themselves."""
        with self._lock:
            totals_after = self._totals + totals
            if self._segments is not None:
                self._segments[self._totals.segment_count :] = scored
            self._totals = totals_after

    def _kept(self, totals: Totals) -> list[ScoreBreakdown]:
        """The segments that totals, of now or of earlier, are the sums of."""
        return self._all()[: totals.segment_count]

    def _all(self) -> list[ScoreBreakdown]:
        if self._segments is None:
            raise InputMismatch("this corpus does not keep its segments; make it with corpus(keep_segments=True)")
        return self._segments

    def _add_scored(self, scored: ScoreBreakdown) -> ScoreBreakdown:
        self._add(Totals.of(scored), [scored])
        return scored

    def _nonempty_totals(self) -> Totals:
        totals = self.totals
        if not totals.segment_count:
            raise InputMismatch("nothing to score: no segment was added")
        return totals

    def _check_same(self, signature: str, otherwise: str) -> None:
        mine = str(self.signature)
        if mine != signature:
            raise InputMismatch(f"{otherwise}: {mine} and {signature}")


LEAST_EQUAL = 10
"""Segments whose sides must all be equal before that is noted; in fewer it may be meant."""


def problems(
    statistics: Statistics, empty_hypotheses: int, empty_references: int, inexact: int, count: int
) -> Iterator[str]:
    """Notes on segments, among `count`: those without words, those whose search hit its budget, and equal sides."""
    for number, problem in (
        (empty_hypotheses, "had an empty hypothesis and scored 0"),
        (empty_references, "had an empty reference and scored 0"),
        (inexact, "were too ambiguous for the search's budget: their alignment is the best found"),
    ):
        if number:
            yield f"{number:,} of {count:,} segments {problem}"
    first = statistics.stages[0]
    sizes = {first.hypothesis_content + first.hypothesis_function, statistics.hypothesis_length}
    if (
        count >= LEAST_EQUAL
        and sizes == {first.reference_content + first.reference_function} == {statistics.reference_length} != {0}
        and statistics.chunks == count - empty_hypotheses
    ):
        yield f"all {count:,} hypotheses equal a reference: is one text given as both?"
