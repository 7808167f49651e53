"""The Scorer class: scores text with a preset or a configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, overload

from attrs import NOTHING, evolve, field, frozen

from meteorlib.config.resolution import as_config
from meteorlib.config.schema import DEFAULT_PRESET, ScorerConfig
from meteorlib.core.alignment import Alignment, Match
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.segment import Pair
from meteorlib.core.statistics import Statistics
from meteorlib.core.totals import Totals
from meteorlib.corpus.corpus import Corpus
from meteorlib.engine.engine import Identified
from meteorlib.errors import number_segment_errors
from meteorlib.registry import TEXTS
from meteorlib.text.validation import references_of, words_of

if TYPE_CHECKING:
    from meteorlib.arrays import SegmentArrays
    from meteorlib.engine.engine import Engine
    from meteorlib.engine.implementation import Implementation
    from meteorlib.explanation import Explanation


@frozen(repr=False, init=False)
class Scorer(Identified):
    """Scores hypotheses against references. Immutable, picklable, safe to share between threads.

    ``Scorer()`` is METEOR 2005, which needs nothing but this package; ``Scorer("meteor-1.5-en")`` is METEOR 1.5;
    ``Scorer(config)`` is any other. Scorers are equal if their configurations and language data are equal.

    Attributes:
        engine: the code that scores; not part of the public interface.
    """

    engine: Engine[Any] = field(eq=attrgetter("identity"))

    @overload
    def __init__(
        self,
        preset: str | ScorerConfig = DEFAULT_PRESET,
        *,
        given: Mapping[str, Any] | None = None,
        implementation: Implementation | None = None,
        unescape: bool = False,
        clean: bool = False,
    ) -> None: ...
    @overload
    def __init__(
        self,
        *,
        config: str | ScorerConfig,
        given: Mapping[str, Any] | None = None,
        implementation: Implementation | None = None,
        unescape: bool = False,
        clean: bool = False,
    ) -> None: ...
    def __init__(
        self,
        preset: Any = NOTHING,
        *,
        config: Any = NOTHING,
        given: Mapping[str, Any] | None = None,
        implementation: Implementation | None = None,
        unescape: bool = False,
        clean: bool = False,
    ) -> None:
        """Make a scorer from a preset's name or a configuration.

        Args:
            preset: a preset's name or a configuration; METEOR 2005 by default.
            config: another name of `preset`.
            given: your own objects, by matcher, in place of the resources that the configuration names, e.g.
                ``{"stem": PorterStemmer().stem}``. The signature contains their names.
            implementation: ``python``, ``compiled``, or ``auto`` for the compiled kernel if it was built and supports
                the preset; None for the default, which is ``auto`` unless ``METEORLIB_PURE_PYTHON`` is set. The
                numbers are the same.
            unescape: whether entities (``&quot;``) are decoded and tokenization (``do n't``) is undone before all else;
                the text mode becomes ``unescaped-NAME``. `meteorlib.find_escapes` checks whether text needs it.
            clean: whether marks of a model's tokenizer (``[CLS]``, ``@@``) are removed before all else; the text mode
                becomes ``cleaned-NAME``, or ``cleaned-unescaped-NAME``.

        Raises:
            UnknownName: no such preset, matcher, text mode or search.
            ResourceMissing: the preset needs language data that is not installed; the message says how to install it.
            ConfigError: an object is given for a matcher that has no stage, or the preset cannot run ``compiled``.
            TypeError: neither a name nor a configuration, or both `preset` and `config`.
        """
        # nothing is loaded before a scorer is made
        from meteorlib.engine.build import build_engine  # noqa: PLC0415

        if preset is NOTHING:
            preset = DEFAULT_PRESET if config is NOTHING else config
        elif config is not NOTHING:
            raise TypeError("preset and config are two names of one argument: pass only one")
        made = as_config(preset)
        if wanted := [prefix for prefix, asked in (("cleaned-", clean), ("unescaped-", unescape)) if asked]:
            made = evolve(made, text=TEXTS.prepared(made.text, *wanted))
        self.__attrs_init__(build_engine(made, MappingProxyType(dict(given or {})), implementation))

    @classmethod
    def from_file(
        cls, path: str | PathLike[str], preset: str | None = None, *, unescape: bool = False, clean: bool = False
    ) -> Scorer:
        """Make a scorer from a YAML file.

        Args:
            path: the file.
            preset: which of its presets; None takes its ``default:``, or the only one it has.
            unescape: see `Scorer`.
            clean: see `Scorer`.

        Raises:
            ConfigError: every problem of the file, with line and path; files that are not there are among them.
        """
        from meteorlib.config.loader import load_file  # noqa: PLC0415 – YAML is only needed here

        return cls(load_file(path, preset, need_files=True), unescape=unescape, clean=clean)

    def __reduce__(self) -> tuple[Any, ...]:
        return _make_scorer, (self.config, dict(self.given), self.implementation)

    def score(self, ref: str | Iterable[str], hyp: str) -> ScoreBreakdown:
        """Score one hypothesis.

        Args:
            ref: the reference, or several as a list, tuple, array, column or generator. The best of several counts,
                unless `ScorerConfig.reduce` says otherwise.
            hyp: the hypothesis, as raw text.

        Raises:
            InputMismatch: there is no reference.
            InvalidText: text with NUL or a lone surrogate.
            TypeError: an argument that is not text; for words, use `score_tokens`.
        """
        return self.engine.score(Pair(references_of(ref, hyp), hyp))

    def score_tokens(self, refs: Iterable[Iterable[str]], hyp: Iterable[str]) -> ScoreBreakdown:
        """Score text that is already in words: nothing is normalized, lowercased or split.

        Args:
            refs: the references, each a list of words.
            hyp: the words of the hypothesis.

        Raises:
            InputMismatch: there is no reference.
            InvalidText: a word with NUL or a lone surrogate, or more words than a segment can have.
            TypeError: a string instead of a list of words.
        """
        references, hypothesis = words_of(refs, hyp)
        return self.engine.score_tokens(references, hypothesis)

    def breakdowns(self, pairs: Iterable[Pair]) -> Iterator[ScoreBreakdown]:
        """Score many segments, some at a time, which is faster than one after the other.

        Args:
            pairs: the texts of each segment; some are read ahead.

        Returns:
            The breakdown of each, in order.

        Raises:
            InputMismatch: a hypothesis has no reference.
            InvalidText: text with NUL or a lone surrogate; ``where`` names the segment, counted from 1.
            TypeError: something that is no `Pair`, or no text in it.
        """
        with number_segment_errors():
            yield from self.engine.breakdowns(pairs)

    def matrix(self, *, references: Iterable[str], hypotheses: Iterable[str], threads: int = 1) -> list[list[float]]:
        """The score of every hypothesis against every reference; each text is analyzed once.

        Args:
            references: M texts; each is the only reference of its column.
            hypotheses: N texts.
            threads: rows are shared out among so many; the compiled engine works without the GIL.

        Returns:
            N rows of M scores.

        Raises:
            InvalidText: text with NUL or a lone surrogate.
            TypeError: something that is no list of texts.
            ValueError: no thread.
        """
        return self.engine.matrix(references, hypotheses, threads)

    def totals(self, pairs: Iterable[Pair], segments: list[ScoreBreakdown] | None = None) -> Totals:
        """The sums over many segments, the fastest way.

        Args:
            pairs: the texts of each segment.
            segments: a list to append the breakdown of each segment to; by default nothing is kept of them.

        Raises:
            InputMismatch: a hypothesis has no reference.
            InvalidText: text with NUL or a lone surrogate; ``where`` names the segment, counted from 1.
            TypeError: something that is no `Pair`, or no text in it.
        """
        with number_segment_errors():
            return self.engine.totals(pairs, segments)

    def arrays(
        self, pairs: Iterable[Pair], *, jobs: int = 1, progress: Callable[[int], object] = lambda _: None
    ) -> SegmentArrays:
        """Statistics and scores of many segments as arrays, in their order; each segment is scored once.

        `meteorlib.arrays.rescored` gives their scores under other parameters.

        Args:
            pairs: the texts of each segment.
            jobs: number of processes. Where they are not forked (macOS, Windows, Linux from Python 3.14), scripts call
                this under ``if __name__ == "__main__":``.
            progress: callback, called periodically with the number of newly scored distinct segments.

        Raises:
            InputMismatch: a hypothesis has no reference.
            InvalidText: text with NUL or a lone surrogate; ``where`` names the segment, counted from 1.
            TypeError: something that is no `Pair`, or no text in it.
            WorkerLost: a process has ended, or the script has no such guard.
        """
        from meteorlib.corpus.segment_arrays import segment_arrays  # noqa: PLC0415 – loads numpy

        return segment_arrays(self, pairs, jobs, progress)

    def candidates(self, ref: str, hyp: str) -> tuple[Match, ...]:
        """All candidate matches, in the order in which the search receives them; `align` returns the chosen ones.

        Args:
            ref: the reference, as raw text.
            hyp: the hypothesis, as raw text.

        Returns:
            Candidates by reference position, then in the order of the stages. If both sides have the same words, only
            the first stage proposes candidates.

        Raises:
            InvalidText: text with NUL or a lone surrogate.
            TypeError: something that is no text.
        """
        from meteorlib.engine.build import propose_candidates  # noqa: PLC0415 – for people only

        return propose_candidates(self.engine, Pair((ref,), hyp))

    def align(self, ref: str, hyp: str) -> Alignment:
        """The alignment of one hypothesis with one reference."""
        alignment = self.score([ref] if isinstance(ref, str) else ref, hyp).alignment
        assert alignment is not None  # noqa: S101 – a single reference always leaves its alignment
        return alignment

    def explain(self, ref: str | Iterable[str], hyp: str, *, budget: int | None = 60_000) -> Explanation:
        """Why a segment has its score: alignment, unused matches, formula, references, gains of unmatched words.

        Args:
            ref: the reference, or several, as for `score`.
            hyp: the hypothesis, as raw text.
            budget: limit of the words of text that are scored again for the gains, and of the pairs of words among
                which unused matches are looked for; None for no limit.

        Raises:
            InputMismatch: there is no reference.
            InvalidText: text with NUL or a lone surrogate.
            TypeError: something that is no text.
        """
        from meteorlib.explanation.explanation import explain  # noqa: PLC0415 – for people only

        return explain(self.engine, ref, hyp, budget=budget)

    def corpus(self, *, keep_segments: bool = True) -> Corpus:
        """An empty `Corpus` that scores with this scorer.

        Args:
            keep_segments: whether it remembers the breakdown of every segment (it takes memory).
        """
        return Corpus(self, keep_segments=keep_segments)

    def breakdown(self, statistics: Statistics, *, optimal: bool = True) -> ScoreBreakdown:
        """Score given statistics, e.g. a sum of them; for a corpus the result is no segment.

        Raises:
            ValueError: they do not have as many stages as this METEOR.
        """
        return self.engine.breakdown(statistics, optimal=optimal)


def _make_scorer(config: ScorerConfig, given: Mapping[str, Any], implementation: Implementation | None) -> Scorer:
    return Scorer(config, given=given, implementation=implementation)
