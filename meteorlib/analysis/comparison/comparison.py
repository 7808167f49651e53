"""Comparison of corpus and segment scores under several scorers."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import nlargest

from attrs import evolve, field, frozen

from meteorlib.analysis.comparison.attribution import Parts, contributions, largest_contributor, subsets
from meteorlib.analysis.comparison.differences import PresetScore, evidence
from meteorlib.analysis.comparison.parts import differing_parts, is_possible, substitute_parts
from meteorlib.config.schema import ScorerConfig
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.pair import Pair
from meteorlib.core.tabular import Grid, Tabular, grid_of
from meteorlib.errors import InputMismatch
from meteorlib.scorer import Scorer

Progress = Callable[[int], object]
"""Callback that receives the number of further segments scored."""

ROUNDING = 1e-9
"""Scores that differ by at most this much count as equal."""


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

    _facts = "segment_count"

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
    progress: Progress = lambda _more: None,
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
        values = [one[index] for one in scores.values()]
        return max(values) - min(values)

    return [index for index in nlargest(worst, range(count), key=amount) if amount(index) > ROUNDING]


def _lowest_and_highest(scored: Mapping[str, ScoreBreakdown]) -> tuple[str, str]:
    """Presets with the lowest and the highest score; the first ones if several are equal."""

    def score(name: str) -> float:
        return scored[name].score

    return min(scored, key=score), max(scored, key=score)


def _explain(by_name: Mapping[str, Scorer], mixtures: _MixedScorers, number: int, text: Pair) -> Difference:
    """Explain the difference between the scores of one segment."""
    scored = {name: scorer.score(*text) for name, scorer in by_name.items()}
    lowest, highest = _lowest_and_highest(scored)
    one, other = by_name[lowest].config, by_name[highest].config
    values = {parts: scorer.score(*text).score for parts, scorer in mixtures.between(one, other).items()}
    found = _difference(scored, differing_parts(one, other), values)
    sides = PresetScore(lowest, scored[lowest]), PresetScore(highest, scored[highest])
    return evolve(found, segment=number, evidence=evidence(found.reason, *sides), text=text)


def _difference(
    scored: Mapping[str, ScoreBreakdown], parts: Sequence[str], values: Mapping[Parts, float]
) -> Difference:
    lowest, highest = _lowest_and_highest(scored)
    amount = scored[highest].score - scored[lowest].score
    contributed = contributions(parts, values.get) if amount > ROUNDING else {}
    return Difference(None, lowest, highest, amount, contributed, largest_contributor(contributed), "", scored)
