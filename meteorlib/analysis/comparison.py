"""Comparison of presets on the same text, with the reasons why their scores differ."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import nlargest
from math import isnan

from attrs import evolve, field, frozen

from meteorlib.analysis.attribution import (
    Parts,
    contributions,
    differing_parts,
    is_possible,
    largest_contributor,
    subsets,
    substitute_parts,
)
from meteorlib.config.schema import ScorerConfig
from meteorlib.core.alignment import Alignment
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.segment import Pair
from meteorlib.corpus.batch import Advance
from meteorlib.display.displayable import Grid, Tabular, grid_of
from meteorlib.errors import InputMismatch
from meteorlib.scorer import Scorer

__all__ = ["Compared", "Comparison", "Difference", "compare"]

ROUNDING = 1e-9
"""Scores that differ by at most this much count as equal."""

MAX_LISTED = 3
"""Number of pairs or words listed before the rest is only counted."""


@frozen
class Compared(Tabular):
    """Scores of the corpus under one preset.

    Attributes:
        preset: name of the preset.
        scored: breakdown of the corpus score.
        mean: mean of the segment scores.
        signature: signature of the scorer.
        empty_hypotheses: number of segments whose hypothesis has no words.
        empty_references: number of segments whose counting reference has no words.
    """

    _columns = (
        "preset scored.score scored.precision scored.recall scored.f_mean scored.penalty mean mean_effect signature"
    )
    _signed = frozenset({"mean_effect"})

    preset: str
    scored: ScoreBreakdown
    mean: float
    signature: str
    empty_hypotheses: int
    empty_references: int

    @property
    def mean_effect(self) -> float:
        """Mean of the segment scores minus the corpus score."""
        return self.mean - self.scored.score


@frozen
class Difference(Tabular):
    """Difference between the scores that two presets give a segment or the corpus, with its causes.

    Attributes:
        segment: number of the segment, from 1; None for the corpus.
        lowest: the preset with the lowest score.
        highest: the preset with the highest score.
        amount: the difference between the two scores, ≥ 0.
        contributions: contribution of each part of the configuration, the largest first; they add up to `amount`.
        reason: the part that contributes most; None if the scores are equal.
        evidence: one line on how the difference shows in the segment; empty for the corpus.
        scored: the breakdown under each preset.
        text: the references and the hypothesis of the segment; None for the corpus.
    """

    _columns = "segment lowest highest amount reason contributions evidence"
    _signed = frozenset({"contributions"})

    segment: int | None
    lowest: str
    highest: str
    amount: float
    contributions: Mapping[str, float]
    reason: str | None
    evidence: str
    scored: Mapping[str, ScoreBreakdown] = field(repr=False)
    text: Pair | None = field(default=None, repr=False)


@frozen
class Comparison(Tabular):
    """Comparison of presets on one corpus; see `compare`.

    Attributes:
        presets: the corpus under each preset.
        spread: the difference between the lowest and the highest corpus score.
        segments: the segments whose scores differ most, the largest difference first.
        segment_count: number of segments.
    """

    _settings = "segment_count"

    presets: tuple[Compared, ...]
    spread: Difference
    segments: tuple[Difference, ...]
    segment_count: int

    def _grids(self) -> list[Grid]:
        return [grid_of(self.presets), grid_of([self.spread]), grid_of(self.segments) if self.segments else []]


def compare(
    scorers: Sequence[Scorer],
    segments: Callable[[], Iterable[Pair]],
    worst: int = 5,
    progress: Advance = lambda _more: None,
) -> Comparison:
    """Score the same segments with several scorers and explain why the scores differ.

    Makes two passes over the segments: one with the scorers, one with mixtures of the two scorers that give the lowest
    and the highest corpus score.

    Args:
        scorers: two or more, with different names.
        segments: returns a new iterator over the segments at each call.
        worst: number of segments to explain, those that differ most.
        progress: callback, called with the number of further segments done; each segment counts twice.

    Raises:
        InputMismatch: there are fewer than two scorers, two have the same name, or there are no segments.
    """
    by_name = {scorer.config.name: scorer for scorer in scorers}
    if len(by_name) < 2 or len(by_name) < len(scorers):
        raise InputMismatch("a comparison needs at least two presets, each of a name of its own")
    corpora = {name: scorer.corpus(keep_segments=False) for name, scorer in by_name.items()}
    scores = {name: array("d") for name in by_name}
    for pair in segments():
        for name, corpus in corpora.items():
            scores[name].append(corpus.add(*pair).score)
        progress(1)
    totals = {name: corpus.score() for name, corpus in corpora.items()}
    compared = tuple(
        Compared(
            name,
            totals[name],
            corpora[name].mean(),
            str(scorer.signature),
            corpora[name].empty_hypotheses,
            corpora[name].empty_references,
        )
        for name, scorer in by_name.items()
    )
    count = len(scores[compared[0].preset])
    selected = _most_different(scores, count, worst)
    wanted = set(selected)
    mixtures = _MixedScorers()
    one, other = (by_name[name].config for name in _lowest_and_highest(totals))
    mixed = {parts: scorer.corpus(keep_segments=False) for parts, scorer in mixtures.between(one, other).items()}
    explained: dict[int, Difference] = {}
    for index, pair in enumerate(segments()):
        for corpus in mixed.values():
            corpus.add(*pair)
        if index in wanted:
            explained[index] = _explain(by_name, mixtures, index + 1, pair)
        progress(1)
    values = {parts: corpus.score().score for parts, corpus in mixed.items()}
    spread = _difference(totals, differing_parts(one, other), values)
    return Comparison(compared, spread, tuple(explained[index] for index in selected), count)


class _MixedScorers:
    """Scorers for the mixtures of two configurations, each built once."""

    def __init__(self) -> None:
        self._scorers: dict[ScorerConfig, Scorer] = {}

    def between(self, one: ScorerConfig, other: ScorerConfig) -> dict[Parts, Scorer]:
        """Scorer for each set of differing parts: `one` with these parts of `other`, if that is valid."""
        found = {}
        for parts in subsets(differing_parts(one, other)):
            config = substitute_parts(one, other, parts)
            if is_possible(config):
                if config not in self._scorers:
                    self._scorers[config] = Scorer(config)
                found[parts] = self._scorers[config]
        return found


def _most_different(scores: Mapping[str, Sequence[float]], count: int, worst: int) -> list[int]:
    """Indices of the segments whose scores differ most, the largest difference first."""

    def amount(index: int) -> float:
        values = [listed[index] for listed in scores.values()]
        return max(values) - min(values)

    return [index for index in nlargest(worst, range(count), key=amount) if amount(index) > ROUNDING]


def _lowest_and_highest(scored: Mapping[str, ScoreBreakdown]) -> tuple[str, str]:
    """Presets with the lowest and the highest score; the first ones if several are equal."""

    def score(name: str) -> float:
        return scored[name].score

    return min(scored, key=score), max(scored, key=score)


def _explain(by_name: Mapping[str, Scorer], mixtures: _MixedScorers, number: int, text: Pair) -> Difference:
    scored = {name: scorer.score(*text) for name, scorer in by_name.items()}
    lowest, highest = _lowest_and_highest(scored)
    one, other = by_name[lowest].config, by_name[highest].config
    values = {parts: scorer.score(*text).score for parts, scorer in mixtures.between(one, other).items()}
    found = _difference(scored, differing_parts(one, other), values)
    sides = {lowest: scored[lowest], highest: scored[highest]}
    return evolve(found, segment=number, evidence=evidence(found.reason, sides), text=text)


def _difference(
    scored: Mapping[str, ScoreBreakdown], parts: Sequence[str], values: Mapping[Parts, float]
) -> Difference:
    lowest, highest = _lowest_and_highest(scored)
    amount = scored[highest].score - scored[lowest].score
    contributed = contributions(parts, values.get) if amount > ROUNDING else {}
    return Difference(None, lowest, highest, amount, contributed, largest_contributor(contributed), "", scored)


def evidence(reason: str | None, sides: Mapping[str, ScoreBreakdown]) -> str:
    """One line on how two breakdowns of a segment differ, the lowest by preset, then the highest.

    For the reason ``stages``, the pairs that only one of them matches; for ``text``, the words that only one has; for
    ``search``, matches and chunks; for ``parameters``, F_mean and penalty; also different references.
    """
    lowest, highest = sides.values()
    seen = []
    if reason == "stages":
        seen += _only(sides, *(_pairs(scored.alignment) for scored in (lowest, highest)))
    elif reason == "text":
        seen += _only(sides, *(_words(scored.alignment) for scored in (lowest, highest)))
    elif reason == "search":
        seen += [f"{preset}: {_matched(scored)}" for preset, scored in sides.items()]
    elif reason == "parameters":
        seen += [f"{preset}: {_formula(scored)}" for preset, scored in sides.items()]
    if lowest.reference_index != highest.reference_index:
        seen += [f"{preset}: {_reference(scored)}" for preset, scored in sides.items()]
    return "; ".join(seen)


def _only(presets: Iterable[str], lowest: Counter[str], highest: Counter[str]) -> list[str]:
    parts = []
    for preset, more in zip(presets, (lowest - highest, highest - lowest), strict=True):
        names = list(more)
        if names:
            rest = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
            parts.append(f"only {preset}: {', '.join(names[:MAX_LISTED])}{rest}")
    return parts


def _pairs(alignment: Alignment | None) -> Counter[str]:
    """Matched pairs as text; equal words appear once, so a pair found by two matchers counts as the same."""
    if alignment is None:
        return Counter()
    return Counter(
        " ".join(reference) + ("" if reference == hypothesis else " – " + " ".join(hypothesis))
        for reference, hypothesis, _ in alignment.pairs()
    )


def _words(alignment: Alignment | None) -> Counter[str]:
    return Counter() if alignment is None else Counter(alignment.hypothesis) + Counter(alignment.reference)


def _matched(scored: ScoreBreakdown) -> str:
    statistics = scored.statistics
    matched = (statistics.hypothesis_matches + statistics.reference_matches) / 2
    return f"{matched:g} matched in {statistics.chunks} chunk{'' if statistics.chunks == 1 else 's'}"


def _formula(scored: ScoreBreakdown) -> str:
    f_mean, penalty = ("–" if isnan(value) else f"{value:.4f}" for value in (scored.f_mean, scored.penalty))
    crossing = f" (crossing {scored.crossing:.4f})" if scored.crossing else ""
    return f"F_mean {f_mean}, penalty {penalty}{crossing}"


def _reference(scored: ScoreBreakdown) -> str:
    return "mean of all references" if scored.reference_index is None else f"reference {scored.reference_index + 1}"
