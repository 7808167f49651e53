"""Parts of a configuration, and configurations that mix the parts of two."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from attrs import asdict, evolve

from meteorlib.config.conflicts import conflicts
from meteorlib.config.schema import ScorerConfig, StageConfig

PARTS = ("text", "stages", "search", "parameters", "references")
"""The parts that make up all that moves a number.

- ``text``: how text becomes words (`text`, and `language`, on which a normalizer depends).
- ``stages``: which matchers, in which order, with which language data.
- ``search``: how one alignment is chosen among the candidates.
- ``parameters``: the numbers of the formula, the weights of the stages and of words, what case counts, the variant
  of the formula, what it does with perfect segments, the function words, and whether words or characters are counted.
- ``references``: which of several references counts (`reduce`).
"""

_Occurrence = tuple[str, int]


def substitute_parts(one: ScorerConfig, other: ScorerConfig, parts: Collection[str]) -> ScorerConfig:
    """`one`, with `parts` as they are in `other`.

    A weight belongs to the parameters, but only stages have weights: a stage weighs what it weighs in the
    configuration that gives the parameters, or, where that one has no such matcher, what it weighs in the one that
    gives the stages. So all parts together make `other`, and none makes `one` (but for names and descriptions).

    Args:
        one: the configuration to begin with.
        other: the one that parts are taken from.
        parts: some of `PARTS`.
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
        count=parameters.count,
        reduce=references.reduce,
    )


def differing_parts(one: ScorerConfig, other: ScorerConfig) -> tuple[str, ...]:
    """The parts in which two configurations differ, in the order of `PARTS`."""
    same = substitute_parts(one, other, ())
    return tuple(part for part in PARTS if substitute_parts(one, other, (part,)) != same)


def is_possible(config: ScorerConfig) -> bool:
    """Whether the parts of `config` go together: a search for single words, say, takes no paraphrases."""
    return not any(conflicts(asdict(config)))


def _stage_occurrences(stages: Iterable[StageConfig]) -> list[tuple[_Occurrence, StageConfig]]:
    """The stages, each with its matcher and how often that stood before."""
    seen: dict[str, int] = {}
    placed = []
    for stage in stages:
        seen[stage.matcher] = seen.get(stage.matcher, -1) + 1
        placed.append(((stage.matcher, seen[stage.matcher]), stage))
    return placed
