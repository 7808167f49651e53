"""Parts of a configuration, and configurations that mix the parts of two."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from attrs import asdict, evolve

from meteorlib.config.resolution import conflicts
from meteorlib.config.schema import ScorerConfig, StageConfig

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

_Occurrence = tuple[str, int]


def substitute_parts(one: ScorerConfig, other: ScorerConfig, parts: Collection[str]) -> ScorerConfig:
    """Copy of `one` that takes `parts` from `other`.

    Weights of stages belong to the parameters: a stage has its weight from the configuration that supplies the
    parameters or, if that one has no such matcher, from the one that supplies the stages. So replacing all parts gives
    `other`, and replacing none gives `one` (except for names and descriptions).

    Args:
        one: configuration to start from.
        other: configuration to take parts from.
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


def _stage_occurrences(stages: Iterable[StageConfig]) -> list[tuple[_Occurrence, StageConfig]]:
    """Stages, each with its matcher and the number of earlier stages with the same matcher."""
    seen: dict[str, int] = {}
    placed = []
    for stage in stages:
        seen[stage.matcher] = seen.get(stage.matcher, -1) + 1
        placed.append(((stage.matcher, seen[stage.matcher]), stage))
    return placed
