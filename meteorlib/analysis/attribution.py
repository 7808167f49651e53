"""Attribution of a score difference to the parts of the configuration by Shapley values.

Start from the configuration with the lower score and replace its parts, one at a time, by those of the configuration
with the higher score. Each step changes the score, and all steps together make up the difference. The effect of a step
depends on the steps before it (a paraphrase stage contributes more if its weight is high), so the contribution of a
part is the mean of its steps over all orders. These are Shapley values (1953): they add up to the difference and do not
depend on the order of the parts. Orders that pass through an invalid configuration (a paraphrase stage in a search for
single words) are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations, pairwise, permutations
from math import comb, fsum

from attrs import asdict, evolve

from meteorlib.config.resolution import conflicts
from meteorlib.config.schema import ScorerConfig, StageConfig

Parts = frozenset[str]

PARTS = ("text", "stages", "search", "parameters", "references")
"""Parts of a configuration; together they determine every score.

- ``text``: how text becomes words (`text`, and `language`, on which a normalizer depends).
- ``stages``: which matchers, in which order, with which language data.
- ``search``: how one alignment is chosen among the candidates.
- ``parameters``: the numbers of the formula, the weights of the stages and of words, what case counts, the variant
  of the formula, what it does with perfect segments, the function words and negations, and whether words or
  characters are counted.
- ``references``: which of several references counts (`reduce`).
"""


def subsets(parts: Sequence[str]) -> list[Parts]:
    """All subsets of `parts`, smaller ones first."""
    return [frozenset(subset) for size in range(len(parts) + 1) for subset in combinations(parts, size)]


def contributions(parts: Sequence[str], value: Callable[[Parts], float | None]) -> dict[str, float]:
    """Contribution of each part: its mean step over all orders whose configurations are all valid.

    Returns:
        Contribution of each part, the largest first; they add up to the difference. Empty if nothing differs, or if
        no order is valid.
    """
    values = {subset: value(subset) for subset in subsets(parts)}
    steps: dict[str, list[float]] = {part: [] for part in parts}
    for order in permutations(parts):
        path = [values[frozenset(order[:length])] for length in range(len(order) + 1)]
        reached = [score for score in path if score is not None]
        if len(reached) == len(path):
            for part, (before, after) in zip(order, pairwise(reached), strict=True):
                steps[part].append(after - before)
    means = {part: fsum(moved) / len(moved) for part, moved in steps.items() if moved}
    return dict(sorted(means.items(), key=lambda item: -item[1]))


def largest_contributor(contributed: Mapping[str, float]) -> str | None:
    """Part that contributes most to a difference; None if there are no contributions."""
    return max(contributed, key=contributed.__getitem__, default=None)


def shapley_values(parts: Sequence[str], value: Callable[[Parts], float]) -> dict[str, float]:
    """Shapley value of each part, where every set of parts has a value.

    Like `contributions`, but sums over the sets of parts instead of their orders, which allows for a dozen parts.
    """
    values = {subset: value(subset) for subset in subsets(parts)}
    count = len(parts)
    weights = [1 / (count * comb(count - 1, size)) for size in range(count)]
    return {
        part: fsum(
            weights[len(before)] * (values[before | {part}] - values[before]) for before in values if part not in before
        )
        for part in parts
    }


def substitute_parts(one: ScorerConfig, other: ScorerConfig, parts: Collection[str]) -> ScorerConfig:
    """Copy of `one` that takes some of `PARTS` from `other`.

    Weights of stages belong to the parameters: a stage has its weight from the configuration that supplies the
    parameters or, if that one has no such matcher, from the one that supplies the stages. So replacing all parts gives
    `other`, and replacing none gives `one` (except for names and descriptions).
    """
    text, stages, search, parameters, references = (other if part in parts else one for part in PARTS)
    weights = {place: stage.weight for place, stage in _stage_occurrences(parameters.stages)}
    return evolve(
        one,
        name=f"{one.name}+{other.name}",
        description="",
        source="",
        resources=None,
        text=text.text,
        language=text.language,
        stages=tuple(
            evolve(stage, weight=weights.get(place, stage.weight)) for place, stage in _stage_occurrences(stages.stages)
        ),
        search=search.search,
        parameters=parameters.parameters,
        formula=parameters.formula,
        perfect_segments=parameters.perfect_segments,
        weights=parameters.weights,
        case=parameters.case,
        function_words=parameters.function_words,
        negations=parameters.negations,
        count=parameters.count,
        reduce=references.reduce,
    )


def differing_parts(one: ScorerConfig, other: ScorerConfig) -> tuple[str, ...]:
    """Parts in which two configurations differ, in the order of `PARTS`."""
    same = substitute_parts(one, other, ())
    return tuple(part for part in PARTS if substitute_parts(one, other, (part,)) != same)


def is_possible(config: ScorerConfig) -> bool:
    """Whether the parts of `config` are compatible; a search for single words, say, allows no paraphrases."""
    return not any(conflicts(asdict(config)))


def _stage_occurrences(stages: Iterable[StageConfig]) -> list[tuple[tuple[str, int], StageConfig]]:
    """Stages, each with its matcher and the number of earlier stages with the same matcher."""
    seen: dict[str, int] = {}
    placed = []
    for stage in stages:
        seen[stage.matcher] = seen.get(stage.matcher, -1) + 1
        placed.append(((stage.matcher, seen[stage.matcher]), stage))
    return placed
