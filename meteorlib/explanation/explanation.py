"""Explanation: why a segment has its score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from attrs import field, frozen

from meteorlib.core.alignment import Alignment
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.pair import Pair
from meteorlib.core.parameters import Parameters
from meteorlib.engine.engine import Engine
from meteorlib.explanation.formula import Step, mean_step, steps
from meteorlib.explanation.gains import Gain, Progress, gains
from meteorlib.text.validation import references_of

BUDGET = 60_000
"""Words of text that are scored again for the gains, if nothing else is said: enough for some hundred words a side."""

View = Literal["rows", "matrix"]
"""How an alignment is drawn: two rows of words, or a matrix of them."""


@frozen(repr=False)
class Explanation:
    """Why a segment has its score. ``str`` draws it for a terminal, a notebook shows it as HTML.

    Attributes:
        scored: what `Scorer.score` gives.
        references: the segment scored against each reference alone.
        shown: the reference, from 0, whose alignment is drawn and whose formula is written: the one that counts; where
            the mean of all counts, the best one.
        reduce: which reference counts: ``max``, ``min``, or ``mean`` of all.
        parameters: the numbers of the formula.
        gains: what the score would gain by each unmatched word of `shown`, greatest first.
        gains_left_out: unmatched words whose gain was not computed, because the budget was spent.
        preset: the name of the METEOR.
        signature: the line that names it.
        weights: where words are weighted, what each word of the alignment weighs, in order of appearance.
    """

    scored: ScoreBreakdown
    references: tuple[ScoreBreakdown, ...]
    shown: int
    reduce: Literal["max", "mean", "min"]
    parameters: Parameters
    gains: tuple[Gain, ...]
    gains_left_out: int
    preset: str
    signature: str
    weights: Mapping[str, float] = field(factory=dict, hash=False)

    @property
    def alignment(self) -> Alignment:
        """The alignment with the reference that is shown."""
        return _aligned(self.references[self.shown])

    @property
    def steps(self) -> tuple[Step, ...]:
        """The formula with its values, line by line; the last one gives the score."""
        found = steps(self.references[self.shown], self.parameters)
        if self.reduce != "mean" or len(self.references) == 1:
            return found
        return (*found, mean_step(tuple(map(float, self.references)), self.scored.score))

    @property
    def runner_up(self) -> int | None:
        """The reference that would count without the one that does; None for a single one, and for a mean."""
        others = [index for index in range(len(self.references)) if index != self.shown]
        if not others or self.reduce == "mean":
            return None
        return (max if self.reduce == "max" else min)(others, key=lambda index: self.references[index].score)

    @property
    def margin(self) -> float | None:
        """By how much the reference that counts differs from the runner-up, never negative."""
        second = self.runner_up
        return None if second is None else abs(self.scored.score - self.references[second].score)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: what has no value is None, positions count from 0."""
        scored = self.scored.to_dict()
        del scored["matches"]  # they stand in the alignment
        weights = {"weights": dict(self.weights)} if self.weights else {}
        return {
            **scored,
            "alignment": self.alignment.to_dict(),
            **weights,
            "chunking": [chunk._asdict() for chunk in self.alignment.chunking.chunks],
            "references": [{name: one[name] for name in _NAMED} for one in (ref.to_dict() for ref in self.references)],
            "shown": self.shown,
            "reduce": self.reduce,
            "runner_up": self.runner_up,
            "margin": self.margin,
            "formula": [step.to_dict() for step in self.steps],
            "gains": [gain.to_dict() for gain in self.gains],
            "gains_left_out": self.gains_left_out,
            "preset": self.preset,
            "signature": self.signature,
        }

    def __repr__(self) -> str:
        count = len(self.references)
        return f"Explanation(score={self.scored.score:.4f}, references={count}, gains={len(self.gains)})"

    def __str__(self) -> str:
        from meteorlib.explanation.text import explanation_text  # noqa: PLC0415 – for people only

        return explanation_text(self)

    def _repr_html_(self) -> str:
        from meteorlib.explanation.html import explanation_html  # noqa: PLC0415 – for notebooks only

        return explanation_html(self)


_NAMED = ("score", "precision", "recall", "f_mean", "fragmentation", "penalty", "chunks")


def explain(
    engine: Engine[Any],
    ref: str | Iterable[str],
    hyp: str,
    *,
    budget: int | None = BUDGET,
    progress: Progress = lambda *_: None,
) -> Explanation:
    """Explain a segment; see `Scorer.explain`. `progress` is told how many words are done, and of how many."""
    texts = references_of(ref)
    scored = engine.score(Pair(texts, hyp))
    alone = (scored,) if len(texts) == 1 else tuple(engine.score(Pair([text], hyp)) for text in texts)
    shown = scored.reference_index
    if shown is None:
        shown = max(range(len(alone)), key=lambda index: alone[index].score)
    references = [_aligned(one).reference for one in alone]

    def rescore(words: Sequence[str]) -> float:
        return engine.score_tokens(references, words).score

    words = sum(len(_aligned(one).reference) + len(_aligned(one).hypothesis) for one in alone)
    allowed = None if budget is None else budget // max(words, 1)
    found, left_out = gains(_aligned(alone[shown]), scored.score, rescore, allowed, progress)
    config, signature = engine.identity.config, str(engine.identity.signature)
    weights = {} if config.weights is None else _weights(engine, _aligned(alone[shown]))
    return Explanation(
        scored, alone, shown, config.reduce, engine.parameters, found, left_out, config.name, signature, weights
    )


def _weights(engine: Engine[Any], alignment: Alignment) -> dict[str, float]:
    """What each word weighs: the length of a reference of this word alone."""
    words = dict.fromkeys((*alignment.reference, *alignment.hypothesis))
    alone = {word: engine.score_tokens([[word]], []) for word in words}
    return {word: scored.statistics.reference_length / scored.unit for word, scored in alone.items()}


def _aligned(scored: ScoreBreakdown) -> Alignment:
    assert scored.alignment is not None  # noqa: S101 – a single reference always leaves its alignment
    return scored.alignment
