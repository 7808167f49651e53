"""Engine: the interface between a configuration and the code that scores with it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from math import fsum
from typing import Any, Generic, Protocol, TypeVar

from attrs import evolve, field, frozen

from meteorlib import caches
from meteorlib.caches import Memo
from meteorlib.cancellation import CancelFlag, cancel_on_exit, cancel_when
from meteorlib.config.builtin import load_preset, preset_names
from meteorlib.config.schema import ScorerConfig
from meteorlib.core.breakdown import Origin, ScoreBreakdown, breakdown, reduce_breakdowns
from meteorlib.core.parameters import Parameters
from meteorlib.core.segment import Pair
from meteorlib.core.signature import Signature
from meteorlib.core.statistics import Statistics
from meteorlib.core.totals import Totals
from meteorlib.display.displayable import Displayable
from meteorlib.display.text import Row, shorten
from meteorlib.engine.implementation import Implementation
from meteorlib.errors import InputMismatch, InvalidText, LanguageWarning, blame, warn_caller
from meteorlib.registry import TEXTS
from meteorlib.text.scripts import Letters
from meteorlib.text.validation import check_has_references, check_pair, check_reference, check_text, texts_of

SHARES = 64
"""Number of shares per thread of `Engine.matrix` that limits how small a share gets."""

CELLS = 1 << 16
"""Scores of a share at most, but for those of one hypothesis."""

LOOKED_AT = 20
"""Segments whose letters are looked at; see `Engine.look`."""

SEGMENTS_AHEAD = 500
"""Segments that are prepared together."""


class Analyzed(Protocol):
    """One side of a segment and all that is known of its words, as in `meteorlib.core.Segment`."""

    @property
    def words(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def sizes(self) -> Sequence[int]: ...  # noqa: D102
    @property
    def function(self) -> Sequence[bool]: ...  # noqa: D102


Side = TypeVar("Side", bound=Analyzed)


@frozen
class Identity:
    """Identity of an engine: two engines with equal identities give equal scores and signatures."""

    config: ScorerConfig
    given: Mapping[str, Any] = field(hash=False)  # given by hand, by the matchers that work with it
    implementation: Implementation | None = field(eq=False)  # that was asked for; None for the default
    parameters: Parameters = field(eq=False)
    signature: Signature
    origin: Origin = field(eq=False)  # of segments

    @property
    def is_builtin(self) -> bool:
        """Whether it is a built-in preset, unchanged."""
        name = self.config.name
        return not self.given and name in preset_names() and load_preset(name) == self.config

    @property
    def short_signature(self) -> str:
        """The short signature of a built-in preset; empty for other configurations, whose digest says nothing."""
        return self.signature.short if self.is_builtin else ""


class Engine(ABC, Generic[Side]):
    """Turn text into scores and sums. Safe to share between threads.

    An implementation analyzes text (`read`, `analyze`), aligns two analyzed sides (`align`), and scores a matrix of
    them (`scores`). It may do whole streams of segments faster than one by one (`breakdowns`, `totals`).

    Attributes:
        identity: see `Identity`.
        parameters: the numbers of the formula.
        references: the analyzed references that are remembered, by their text.
        unseen: how many segments are still looked at; 0 for none.
        threads_help: whether `totals` works without the GIL for the most part, so that threads make it faster.
    """

    threads_help: bool = False

    def __init__(self, identity: Identity) -> None:
        self.identity = identity
        self.parameters: Parameters = identity.parameters
        self._origin = identity.origin
        self._origin_of_sums = evolve(identity.origin, segment=False)
        self._reduce = identity.config.reduce
        self._by_counts = identity.config.ties_by_counts
        self.references: Memo[Side] = Memo(self.read, caches.REFERENCES)
        self.unseen: int = LOOKED_AT
        self._letters = Letters()

    def look(self, segments: Iterable[tuple[Sequence[str], str]]) -> None:
        """Look at the first segments, and warn once if their letters are not those of the preset's language."""
        for references, hypothesis in islice(segments, self.unseen):
            self.unseen -= 1
            for text in (hypothesis, *references[:1]):
                self._letters.add(text)
        config = self.identity.config
        if not self._letters.suits(config.text_language, TEXTS.part(config.text)):
            from meteorlib.config.languages import letter_notes  # noqa: PLC0415 – seldom needed

            self.unseen = 0
            for note in letter_notes([config], {"the text": self._letters}):
                warn_caller(note, LanguageWarning)

    def prepare(self, texts: Iterable[str]) -> None:
        """Prepare many checked texts at once, before they are read, if that is faster than one by one."""

    def prepared(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """Prepare the texts of segments, some at a time, and yield the segments unchanged."""
        remaining, failure = iter(pairs), None
        while failure is None:
            batch: list[Pair] = []
            try:
                batch.extend(islice(remaining, SEGMENTS_AHEAD))
            except Exception as error:  # noqa: BLE001 – raised when it is its turn, after the segments before it
                failure = error
            if not batch and failure is None:
                return
            valid = [pair for pair in batch if self.is_valid(pair)]
            with suppress(InvalidText):  # raised when it is its turn
                self.prepare([text for pair in valid for text in (*pair.references, pair.hypothesis)])
            yield from batch
        raise failure

    def is_valid(self, pair: Pair) -> bool:
        """Whether a segment can be scored; otherwise the error comes when it is its turn."""
        try:
            self.check(pair)
        except (InputMismatch, InvalidText, TypeError):
            return False
        return True

    @abstractmethod
    def read(self, line: str) -> Side:
        """Analyze a line of raw text."""

    @abstractmethod
    def analyze(self, words: Sequence[str]) -> Side:
        """Analyze given words."""

    @abstractmethod
    def align(self, reference: Side, hypothesis: Side, index: int = 0) -> ScoreBreakdown:
        """Align and score two sides, of which the first is the reference number `index`, from 0."""

    @abstractmethod
    def scores(self, references: list[Side], hypotheses: list[Side]) -> list[list[float]]:
        """The score of each hypothesis against each reference, and nothing else."""

    def breakdowns(self, pairs: Iterable[Pair]) -> Iterator[ScoreBreakdown]:
        """Score segments; some may be read ahead. A bad one is refused as in `totals`."""
        for index, pair in enumerate(pairs):
            try:
                scored = self.score(pair)
            except Exception as error:
                blame(error, index)
                raise
            yield scored

    def totals(
        self,
        pairs: Iterable[Pair],
        segments: list[ScoreBreakdown] | None = None,
        scores: list[float] | None = None,
    ) -> Totals:
        """Sum segments up, and append the breakdown of each to `segments`, or only its score to `scores`.

        Errors are those of `check`, with the number of the segment; see `meteorlib.errors.blamed_segment`.
        """
        totals = self.zero
        for scored in self.breakdowns(pairs):
            totals += Totals.of(scored)
            if segments is not None:
                segments.append(scored)
            elif scores is not None:
                scores.append(scored.score)
        return totals

    @property
    def zero(self) -> Totals:
        """Return empty totals, to which segments are added."""
        parameters = self.parameters
        stages = len(parameters.weights)
        return Totals(Statistics.zero(stages, ordered=parameters.ordered, faults=parameters.counts_faults))

    def score(self, pair: Pair) -> ScoreBreakdown:
        """Score a segment; `ScorerConfig.reduce` says which reference counts."""
        self.check(pair)
        if self.unseen:
            self.look([pair])
        self.prepare((*pair.references, pair.hypothesis))
        return self._best([self.references[text] for text in pair.references], self.read(pair.hypothesis))

    def score_tokens(self, references: Sequence[Sequence[str]], hypothesis: Sequence[str]) -> ScoreBreakdown:
        """Score a segment that is already in words."""
        if self.unseen:
            self.look([([" ".join(words) for words in references], " ".join(hypothesis))])
        return self._best([self.analyze(words) for words in references], self.analyze(hypothesis))

    def token_scores(self, references: Sequence[Sequence[str]]) -> Callable[[Iterable[Sequence[str]]], list[float]]:
        """A function that gives the scores of hypotheses in words; the references, in words, are analyzed once."""
        known = [self.analyze(words) for words in references]

        def scores(hypotheses: Iterable[Sequence[str]]) -> list[float]:
            rows = self.scores(known, [*map(self.analyze, hypotheses)])
            if self._reduce == "mean":
                return [fsum(row) / len(row) for row in rows]
            return [*map(max if self._reduce == "max" else min, rows)]

        return scores

    def rows(self, references: Sequence[str]) -> Callable[[Sequence[str]], list[list[float]]]:
        """A function that scores checked hypotheses against each of these references, which are analyzed once."""
        self._check_references(references)
        self.prepare(references)
        known = [self.references[text] for text in references]

        def scores(hypotheses: Sequence[str]) -> list[list[float]]:
            self.prepare(hypotheses)
            return self.scores(known, [self.read(text) for text in hypotheses])

        return scores

    def matrix(self, references: Iterable[str], hypotheses: Iterable[str], threads: int) -> list[list[float]]:
        """See `meteorlib.Scorer.matrix`."""
        hypotheses, references = texts_of(hypotheses, "hypotheses"), texts_of(references, "references")
        if threads < 1:
            raise ValueError(f"threads must be at least 1, got {threads}")
        for number, text in enumerate(hypotheses, 1):
            check_text(text, "hypothesis", number if len(hypotheses) > 1 else None)
        scores, stop = self.rows(references), CancelFlag()
        if self.unseen:
            self.look(zip(zip(references, strict=True), hypotheses, strict=False))
        shares = _shares(len(hypotheses), threads, max(1, CELLS // max(len(references), 1)))

        def rows(share: slice) -> list[list[float]]:
            with cancel_when(stop):
                return scores(hypotheses[share])

        if threads == 1:
            return [row for share in shares for row in rows(share)]
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 – slow to load

        with ThreadPoolExecutor(threads) as pool, cancel_on_exit(stop):
            return [row for share in pool.map(rows, shares) for row in share]

    def breakdown(self, statistics: Statistics, *, optimal: bool = True) -> ScoreBreakdown:
        """Score given statistics, for example a sum of them."""
        return breakdown(statistics, self.parameters, optimal=optimal, origin=self._origin_of_sums)

    def check(self, pair: Pair) -> None:
        """Refuse a segment that cannot be scored; of several faults, every engine reports the same one.

        Raises:
            InputMismatch: it has no reference.
            InvalidText: text with NUL or a lone surrogate.
            TypeError: something that is no `Pair`, or no text in it.
        """
        check_pair(pair)
        check_has_references(pair.references)
        self._check_references(pair.references)
        check_text(pair.hypothesis, "hypothesis")

    def _check_references(self, texts: Sequence[str]) -> None:
        """Refuse anything but text; references that are remembered were checked before."""
        for index, text in enumerate(texts):
            if not isinstance(text, str) or text not in self.references:
                check_reference(texts, index)

    def _best(self, references: Sequence[Side], hypothesis: Side) -> ScoreBreakdown:
        check_has_references(references)
        scored = [self.align(reference, hypothesis, index) for index, reference in enumerate(references)]
        if len(scored) == 1:
            return scored[0]
        return reduce_breakdowns(scored, self._reduce, by_counts=self._by_counts)


def _shares(count: int, threads: int, most: int) -> Iterator[slice]:
    """Split `count` rows into shares: large ones first, because threads wait between shares; small ones last."""
    first, least = 0, count // (SHARES * threads)
    while first < count:
        size = min(max((count - first) // (2 * threads), least, 1), most)
        yield slice(first, min(first + size, count))
        first += size


class Scoring(Protocol):
    """An object with an engine, such as a `Scorer`. Unlike an engine, it can be pickled."""

    @property
    def engine(self) -> Engine[Any]:
        """The engine that scores."""


class Identified(Displayable):
    """Base of a class with an engine, which is shown by its signature."""

    __slots__ = ()

    engine: Engine[Any]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: ``config`` as a preset has it, ``signature`` and ``eval_id``."""
        return {"config": self.config.to_dict(), "signature": str(self.signature), "eval_id": self.signature.eval_id}

    def __repr__(self) -> str:
        config = self.config
        stages = shorten(" ".join(stage.matcher for stage in config.stages))
        return f"Scorer(preset={shorten(config.name)!r}, language={config.language!r}, stages={stages!r})"

    def _rows(self) -> Iterable[Row]:
        return [(name, value) for name, value in self.signature.to_dict().items() if value]

    @property
    def config(self) -> ScorerConfig:
        """The configuration."""
        return self.engine.identity.config

    @property
    def signature(self) -> Signature:
        """The line that names the METEOR in use; it belongs beside every published score."""
        return self.engine.identity.signature

    @property
    def given(self) -> Mapping[str, Any]:
        """Parts that were given by hand, by the matchers that work with them."""
        return self.engine.identity.given

    @property
    def implementation(self) -> Implementation | None:
        """The implementation that was asked for; None for the default."""
        return self.engine.identity.implementation

    @property
    def stage_count(self) -> int:
        """Number of stages."""
        return len(self.config.stages)

    @property
    def parameters(self) -> Parameters:
        """The numbers of the formula, with the weights of the stages."""
        return self.engine.parameters

    @property
    def threads_help(self) -> bool:
        """Whether `totals` works without the GIL for the most part, so that threads make it faster."""
        return self.engine.threads_help
