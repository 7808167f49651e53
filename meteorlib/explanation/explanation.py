"""The explanation of a segment's score, and the function that makes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import frozen

from meteorlib.core.alignment import Alignment
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.pair import Pair
from meteorlib.engine.engine import Engine
from meteorlib.explanation.facts import ExplanationData, alignment_of
from meteorlib.explanation.faults import PenalizedFault, penalized_faults, traits_of
from meteorlib.explanation.gains import Progress, word_gains
from meteorlib.text.validation import references_of

BUDGET = 60_000
"""Default limit on the words scored again for the gains: enough for some hundred words a side."""


@frozen(repr=False)
class Explanation(ExplanationData):
    """The explanation of a segment's score. ``str`` draws it for a terminal, a notebook shows it as HTML.

    Attributes:
        scored: the result of `Scorer.score`.
        references: the segment scored against each reference alone.
        shown: index, from 0, of the reference whose alignment and formula are shown: the one that counts, or the best
            one if the mean of all counts.
        reduce: which reference counts: ``max``, ``min``, or ``mean`` of all.
        parameters: the numbers of the formula.
        gains: the gain in score for each unmatched word of the shown reference, greatest first.
        gains_left_out: number of unmatched words whose gain was not computed because the budget was spent.
        preset: name of the preset.
        signature: the signature.
        weights: weight of each word of the alignment, in order of appearance; empty if words are not weighted.
        faults: faults that add to the penalty, with their words; empty if there are none, or none are penalized.
    """

    def __repr__(self) -> str:
        count = len(self.references)
        return f"Explanation(score={self.scored.score:.4f}, references={count}, gains={len(self.gains)})"

    def __str__(self) -> str:
        from meteorlib.explanation.text import explanation_text  # noqa: PLC0415 – for people only

        return explanation_text(self)

    def _repr_html_(self) -> str:
        from meteorlib.explanation.html import explanation_html  # noqa: PLC0415 – for notebooks only

        return explanation_html(self)


def explain(
    engine: Engine[Any],
    ref: str | Iterable[str],
    hyp: str,
    *,
    budget: int | None = BUDGET,
    progress: Progress = lambda *_: None,
) -> Explanation:
    """Explain a segment; see `Scorer.explain`. `progress` is called with the words done and their total."""
    texts = references_of(ref)
    scored = engine.score(Pair(texts, hyp))
    alone = (scored,) if len(texts) == 1 else tuple(engine.score(Pair([text], hyp)) for text in texts)
    shown = scored.reference_index
    if shown is None:
        shown = max(range(len(alone)), key=lambda index: alone[index].score)
    rescore = engine.token_scorer([alignment_of(one).reference for one in alone])
    size = sum(len(alignment_of(one).reference) + len(alignment_of(one).hypothesis) for one in alone)
    max_rescored = None if budget is None else budget // max(size, 1)
    gains, left_out = word_gains(alignment_of(alone[shown]), scored.score, rescore, max_rescored, progress)
    config, signature = engine.identity.config, str(engine.identity.signature)
    alignment = alignment_of(alone[shown])
    weights = {} if config.weights is None else _weights(engine, alignment, scored.unit)
    faults = _faults(engine, alone[shown], alignment) if engine.parameters.counts_faults else ()
    return Explanation(
        scored, alone, shown, config.reduce, engine.parameters, gains, left_out, config.name, signature, weights, faults
    )


def _weights(engine: Engine[Any], alignment: Alignment, unit: int) -> dict[str, float]:
    """Weight of each word; `unit` is the size of a word of weight 1."""
    words = dict.fromkeys((*alignment.reference, *alignment.hypothesis))
    return {word: engine.analyze((word,)).sizes[0] / unit for word in words}


def _faults(engine: Engine[Any], scored: ScoreBreakdown, alignment: Alignment) -> tuple[PenalizedFault, ...]:
    traits = traits_of(engine, (*alignment.reference, *alignment.hypothesis))
    return penalized_faults(scored, alignment, engine.parameters, traits)
