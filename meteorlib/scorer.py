"""Scorer: the parts of a preset put together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from os import PathLike
from typing import TYPE_CHECKING, Any

from attrs import asdict, field, frozen

from meteorlib.config.given import as_config
from meteorlib.config.schema import ScorerConfig
from meteorlib.core.alignment import Alignment
from meteorlib.core.breakdown import ScoreBreakdown, breakdown, reduced
from meteorlib.core.lines import listing, short
from meteorlib.core.origin import Origin
from meteorlib.core.parameters import Parameters
from meteorlib.core.statistics import Statistics
from meteorlib.corpus.corpus import Corpus
from meteorlib.corpus.totals import Totals
from meteorlib.signature import Signature
from meteorlib.summing import add_up, divided
from meteorlib.text.given import check_any, check_reference, check_text, references_of, texts_of, words_of

if TYPE_CHECKING:
    from meteorlib.engine import Sums
    from meteorlib.matchers.cache import WordCache

DEFAULT = "meteor-2005"

REFERENCES_KEPT = 8192
"""How many analysed references a Scorer remembers."""


@frozen(repr=False, init=False)
class Scorer:
    """Scores hypotheses against references. Immutable, picklable, safe to share between threads.

    ``Scorer()`` is METEOR 2005, which needs nothing but this package; ``Scorer("meteor-1.5-en")`` is METEOR 1.5;
    ``Scorer(config)`` any other. Scorers are equal where their configurations are, and the data behind them.

    Attributes:
        config: what it was made from.
        signature: the line that names the METEOR in use; it belongs beside every published score.
    """

    config: ScorerConfig
    signature: Signature
    _parameters: Parameters = field(eq=False)
    _origin: Origin = field(eq=False)
    _engine: Any = field(eq=False)
    _references: WordCache[Any] = field(eq=False)

    def __init__(self, config: str | ScorerConfig = DEFAULT) -> None:
        """Make a scorer from a preset's name or a configuration.

        Raises:
            UnknownName: no such preset, matcher, text mode or search.
            ResourceMissing: the preset needs language data that is not installed; the message says how to.
            TypeError: neither a name nor a configuration.
        """
        # nothing is loaded before a scorer is made
        from meteorlib.engine import make_engine  # noqa: PLC0415
        from meteorlib.matchers.cache import WordCache  # noqa: PLC0415
        from meteorlib.resources.opening import digests  # noqa: PLC0415
        from meteorlib.resources.words import function_words  # noqa: PLC0415

        config = as_config(config)
        function = function_words(config.function_words) if config.function_words else frozenset[str]()
        resources = [stage.resource for stage in config.stages if stage.resource]
        engine = make_engine(config, function)
        signature = Signature.of(config, digests(resources, config.function_words))
        self.__attrs_init__(
            config,
            signature,
            config.formula_parameters(),
            Origin(str(signature), tuple(stage.matcher for stage in config.stages)),
            engine,
            WordCache(engine.read, REFERENCES_KEPT),
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

    def score(self, ref: str | Iterable[str], hyp: str) -> ScoreBreakdown:
        """Score one hypothesis.

        Args:
            ref: the reference, or several references of which the best counts (or as `ScorerConfig.reduce` says): a
                list, a tuple, an array, a column, a generator.
            hyp: the hypothesis, as raw text.

        Raises:
            InputMismatch: there is no reference.
            InvalidText: text with NUL or a lone surrogate.
            TypeError: something that is no text; words go through `score_tokens`.
        """
        references = references_of(ref)
        known = [self._reference(references, place) for place in range(len(references))]
        return self._score(known, self._hypothesis(hyp))

    def score_tokens(self, refs: Iterable[Iterable[str]], hyp: Iterable[str]) -> ScoreBreakdown:
        """Score text that is already in words: nothing is normalized, lowercased or split.

        Args:
            refs: the references, each a list of words.
            hyp: the words of the hypothesis.

        Raises:
            InputMismatch: there is no reference.
            InvalidText: a word with NUL or a lone surrogate.
            TypeError: a string where a list of words is expected.
        """
        references, hypothesis = words_of(refs, hyp)
        return self._score([self._engine.analyse(words) for words in references], self._engine.analyse(hypothesis))

    def matrix(self, hypotheses: Iterable[str], references: Iterable[str], *, threads: int = 1) -> list[list[float]]:
        """The score of every hypothesis against every reference; each text is analysed once.

        Args:
            hypotheses: N texts.
            references: M texts; each is the only reference of its column.
            threads: rows are shared out among so many; the compiled engine works without the GIL.

        Returns:
            N rows of M scores.

        Raises:
            InvalidText: text with NUL or a lone surrogate.
            TypeError: something that is no list of texts.
            ValueError: no thread.
        """
        hypotheses, listed = texts_of(hypotheses, "hypotheses"), texts_of(references, "references")
        if threads < 1:
            raise ValueError(f"threads must be at least 1, got {threads}")
        known = [self._reference(listed, place) for place in range(len(listed))]

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
            TypeError: a segment that is no list of texts.
        """
        sums: Sums | None = self._engine.sums()
        if sums is not None:
            return add_up(segments, sums, self._references)
        totals = Totals(Statistics.zero(self.stage_count))
        for hypothesis, references in map(divided, segments):
            totals += Totals.of(self.score(references, hypothesis))
        return totals

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
        """Score given statistics, e.g. a sum of them.

        Raises:
            ValueError: they do not have as many stages as this METEOR.
        """
        return breakdown(statistics, self._parameters, optimal=optimal, origin=self._origin)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: ``config``, ``signature`` and ``eval_id``."""
        config = asdict(self.config) | {"stages": [asdict(stage) for stage in self.config.stages]}
        return {"config": config, "signature": str(self.signature), "eval_id": self.signature.eval_id}

    def __repr__(self) -> str:
        config = self.config
        stages = short(" ".join(self._origin.stages))
        return f"Scorer(preset={short(config.name)!r}, language={config.language!r}, stages={stages!r})"

    def __str__(self) -> str:
        return listing((name, value) for name, value in self.signature.to_dict().items() if value)

    def _repr_html_(self) -> str:
        return self.signature._repr_html_()

    @property
    def stage_count(self) -> int:
        """Number of stages."""
        return len(self._origin.stages)

    @property
    def releases_lock(self) -> bool:
        """Whether `totals` works without the interpreter's lock for the most part, so that threads make it faster."""
        return self._engine.sums() is not None

    def _hypothesis(self, text: str) -> Any:
        check_text(text, "hypothesis")
        return self._engine.read(text)

    def _reference(self, references: Sequence[str], place: int) -> Any:
        text = references[place]
        if not isinstance(text, str) or text not in self._references:
            check_reference(references, place)
        return self._references[text]

    def _score(self, references: Sequence[Any], hypothesis: Any) -> ScoreBreakdown:
        check_any(references)
        scored = [self._score_one(reference, hypothesis, index) for index, reference in enumerate(references)]
        return scored[0] if len(scored) == 1 else reduced(scored, self.config.reduce)

    def _score_one(self, reference: Any, hypothesis: Any, index: int) -> ScoreBreakdown:
        matches, statistics, optimal = self._engine.align(reference, hypothesis)
        alignment = Alignment(reference.words, hypothesis.words, matches, self._origin.stages, optimal)
        return breakdown(statistics, self._parameters, alignment, index, optimal, self._origin)
