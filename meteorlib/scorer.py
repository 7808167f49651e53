"""Scorer: the parts of a preset put together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from os import PathLike
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from meteorlib.config.conflicts import check
from meteorlib.config.located import located
from meteorlib.config.schema import ScorerConfig
from meteorlib.core.alignment import Alignment
from meteorlib.core.breakdown import ScoreBreakdown, breakdown, mean_breakdown
from meteorlib.core.parameters import Parameters
from meteorlib.core.statistics import Statistics
from meteorlib.corpus.corpus import Corpus, references_of
from meteorlib.corpus.totals import Totals
from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.signature import Signature

if TYPE_CHECKING:
    from meteorlib.engine import Sums

DEFAULT = "meteor-2005"

REFERENCES_KEPT = 8192
"""How many analysed references a Scorer remembers."""


def _as_config(config: str | ScorerConfig) -> ScorerConfig:
    if isinstance(config, ScorerConfig):
        check(config)
        return located(config)
    if not isinstance(config, str):
        raise TypeError(f"a preset's name or a ScorerConfig is expected, got {type(config).__name__}")
    from meteorlib.config.loader import load_preset  # noqa: PLC0415 – YAML is only needed for presets

    return load_preset(config)


@frozen(eq=False, init=False)
class Scorer:
    """Scores hypotheses against references. Immutable, picklable, safe to share between threads.

    ``Scorer()`` is METEOR 2005, which needs nothing but this package; ``Scorer("meteor-1.5-en")`` is METEOR 1.5;
    ``Scorer(config)`` any other.

    Attributes:
        config: what it was made from.
        signature: the line that names the METEOR in use; it belongs beside every published score.
    """

    config: ScorerConfig
    signature: Signature = field(repr=False)
    _parameters: Parameters = field(repr=False)
    _stages: tuple[str, ...] = field(repr=False)
    _engine: Any = field(repr=False)
    _references: dict[str, Any] = field(repr=False)

    def __init__(self, config: str | ScorerConfig = DEFAULT) -> None:
        """Make a scorer from a preset's name or a configuration.

        Raises:
            UnknownName: no such preset, matcher, text mode or search.
            ResourceMissing: the preset needs language data that is not installed; the message says how to.
            TypeError: neither a name nor a configuration.
        """
        # nothing is loaded before a scorer is made
        from meteorlib.engine import make_engine  # noqa: PLC0415
        from meteorlib.resources.opening import digests  # noqa: PLC0415
        from meteorlib.resources.words import function_words  # noqa: PLC0415

        config = _as_config(config)
        function = function_words(config.function_words) if config.function_words else frozenset[str]()
        resources = [stage.resource for stage in config.stages if stage.resource]
        self.__attrs_init__(
            config,
            Signature.of(config, digests(resources, config.function_words)),
            config.formula_parameters(),
            tuple(stage.matcher for stage in config.stages),
            make_engine(config, function),
            {},
        )

    @classmethod
    def from_file(cls, path: str | PathLike[str], preset: str | None = None) -> Scorer:
        """Make a scorer from a YAML file.

        Args:
            path: the file.
            preset: which of its presets; None takes its ``default:``, or the only one it has.

        Raises:
            ConfigError: every problem of the file, with line and path.
        """
        from meteorlib.config.loader import load_file  # noqa: PLC0415 – YAML is only needed here

        return cls(load_file(path, preset))

    def __reduce__(self) -> tuple[type[Scorer], tuple[ScorerConfig]]:
        return type(self), (self.config,)

    def score(self, ref: str | Sequence[str], hyp: str) -> ScoreBreakdown:
        """Score one hypothesis.

        Args:
            ref: the reference, or several references of which the best counts (or as `ScorerConfig.reduce` says).
            hyp: the hypothesis, as raw text.

        Raises:
            InputMismatch: there is no reference.
            InvalidText: text with NUL or a lone surrogate.
            TypeError: something that is no text; words go through `score_tokens`.
        """
        return self._score([self._reference(text) for text in references_of(ref)], self._hypothesis(hyp))

    def score_tokens(self, refs: Sequence[Sequence[str]], hyp: Sequence[str]) -> ScoreBreakdown:
        """Score text that is already in words: nothing is normalized, lowercased or split.

        Args:
            refs: the references, each a list of words.
            hyp: the words of the hypothesis.

        Raises:
            InputMismatch: there is no reference.
            InvalidText: a word with NUL or a lone surrogate.
            TypeError: a string where a list of words is expected.
        """
        if isinstance(refs, str) or any(isinstance(words, str) for words in refs) or isinstance(hyp, str):
            raise TypeError("score_tokens takes lists of words; raw text goes through score")
        for words in [*refs, hyp]:
            for word in words:
                _check(word, "word")
        return self._score([self._engine.analyse(words) for words in refs], self._engine.analyse(hyp))

    def matrix(self, hypotheses: Sequence[str], references: Sequence[str], *, threads: int = 1) -> list[list[float]]:
        """The score of every hypothesis against every reference; each text is analysed once.

        Args:
            hypotheses: N texts.
            references: M texts; each is the only reference of its column.
            threads: rows are shared out among so many; the compiled engine works without the GIL.

        Returns:
            N rows of M scores.
        """
        known = [self._reference(text) for text in references]

        def row(hypothesis: str) -> list[float]:
            scores: list[float] = self._engine.scores(known, self._hypothesis(hypothesis))
            return scores

        if threads == 1:
            return [row(hypothesis) for hypothesis in hypotheses]
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(row, hypotheses))

    def totals(self, segments: Iterable[Sequence[str]]) -> Totals:
        """The sums over many segments, the fastest way; nothing is kept of the segments themselves.

        Args:
            segments: for each its hypothesis, then its references.

        Raises:
            InputMismatch: a hypothesis has no reference.
            InvalidText: text with NUL or a lone surrogate.
        """
        sums: Sums | None = self._engine.sums()
        if sums is None:
            totals = Totals(Statistics.zero(self.stage_count))
            for hypothesis, *references in segments:
                totals += Totals.of(self.score(references, hypothesis))
            return totals
        for hypothesis, *references in segments:
            _check_any(references)
            _check(hypothesis, "hypothesis")
            sums.add([self._reference(text) for text in references], hypothesis)
        return sums.totals()

    def align(self, ref: str, hyp: str) -> Alignment:
        """The alignment of one hypothesis with one reference."""
        alignment = self.score(ref, hyp).alignment
        assert alignment is not None  # noqa: S101 – a single reference always leaves its alignment
        return alignment

    def corpus(self, *, keep_segments: bool = True) -> Corpus:
        """An empty `Corpus` that scores with this scorer.

        Args:
            keep_segments: whether it remembers the breakdown of every segment (it takes memory).
        """
        return Corpus(self, keep_segments=keep_segments)

    def breakdown(self, statistics: Statistics, *, optimal: bool = True) -> ScoreBreakdown:
        """Score given statistics, e.g. a sum of them."""
        return breakdown(statistics, self._parameters, optimal=optimal)

    @property
    def stage_count(self) -> int:
        """Number of stages."""
        return len(self._stages)

    def _hypothesis(self, text: str) -> Any:
        _check(text, "hypothesis")
        return self._engine.read(text)

    def _reference(self, text: str) -> Any:
        references = self._references
        segment = references.get(text) if isinstance(text, str) else None
        if segment is None:
            _check(text, "reference")
            segment = self._engine.read(text)
            if len(references) >= REFERENCES_KEPT:
                references.clear()
            references[text] = segment
        return segment

    def _score(self, references: Sequence[Any], hypothesis: Any) -> ScoreBreakdown:
        _check_any(references)
        if len(references) == 1:
            return self._score_one(references[0], hypothesis, 0)
        scored = [self._score_one(reference, hypothesis, index) for index, reference in enumerate(references)]
        if self.config.reduce == "max":
            return max(scored, key=_by_score)
        if self.config.reduce == "min":
            return min(scored, key=_by_score)
        return mean_breakdown(scored)

    def _score_one(self, reference: Any, hypothesis: Any, index: int) -> ScoreBreakdown:
        matches, statistics, optimal = self._engine.align(reference, hypothesis)
        alignment = Alignment(reference.words, hypothesis.words, matches, self._stages, optimal)
        return breakdown(statistics, self._parameters, alignment, index, optimal)


def _check_any(references: Sequence[object]) -> None:
    if not references:
        raise InputMismatch("a hypothesis needs at least one reference, got none")


def _by_score(scored: ScoreBreakdown) -> float:
    return scored.score


def _check(text: str, what: str) -> None:
    if not isinstance(text, str):
        raise TypeError(f"a {what} must be a string, got {type(text).__name__}")
    if "\0" in text:
        raise InvalidText(what, f"NUL character at offset {text.index(chr(0))}; remove it, or read the file as UTF-16")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            reason = f"lone surrogate U+{ord(text[error.start]):04X} at offset {error.start}; decode the text anew"
            raise InvalidText(what, reason) from None
