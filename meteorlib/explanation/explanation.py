"""Explanation: why a segment has its score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import frozen

from meteorlib.core.alignment import Alignment
from meteorlib.core.pair import Pair
from meteorlib.engine.engine import Engine
from meteorlib.explanation.facts import Facts, aligned
from meteorlib.explanation.gains import Progress, gains
from meteorlib.text.validation import references_of

BUDGET = 60_000
"""Words of text that are scored again for the gains, if nothing else is said: enough for some hundred words a side."""


@frozen(repr=False)
class Explanation(Facts):
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
    """Explain a segment; see `Scorer.explain`. `progress` is told how many words are done, and of how many."""
    texts = references_of(ref)
    scored = engine.score(Pair(texts, hyp))
    alone = (scored,) if len(texts) == 1 else tuple(engine.score(Pair([text], hyp)) for text in texts)
    shown = scored.reference_index
    if shown is None:
        shown = max(range(len(alone)), key=lambda index: alone[index].score)
    references = [aligned(one).reference for one in alone]

    def rescore(words: Sequence[str]) -> float:
        return engine.score_tokens(references, words).score

    words = sum(len(aligned(one).reference) + len(aligned(one).hypothesis) for one in alone)
    allowed = None if budget is None else budget // max(words, 1)
    found, left_out = gains(aligned(alone[shown]), scored.score, rescore, allowed, progress)
    config, signature = engine.identity.config, str(engine.identity.signature)
    weights = {} if config.weights is None else _weights(engine, aligned(alone[shown]))
    return Explanation(
        scored, alone, shown, config.reduce, engine.parameters, found, left_out, config.name, signature, weights
    )


def _weights(engine: Engine[Any], alignment: Alignment) -> dict[str, float]:
    """What each word weighs: the length of a reference of this word alone."""
    words = dict.fromkeys((*alignment.reference, *alignment.hypothesis))
    alone = {word: engine.score_tokens([[word]], []) for word in words}
    return {word: scored.statistics.reference_length / scored.unit for word, scored in alone.items()}
