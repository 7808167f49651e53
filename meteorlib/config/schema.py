"""The configuration of a Scorer: frozen, complete, comparable."""

from __future__ import annotations

from typing import Literal

from attrs import Attribute, field, frozen

from meteorlib.core.parameters import Formula, Parameters

Reduce = Literal["max", "mean", "min"]
Count = Literal["words", "characters"]


def _positive(_: object, attribute: Attribute[int], value: int) -> None:
    if value < 1:
        raise ValueError(f"{attribute.name} must be at least 1: {value}")


@frozen
class StageConfig:
    """A matcher at its place in a preset.

    Attributes:
        matcher: name of the matcher, e.g. ``stem``.
        weight: what a match of this stage counts, 0..1.
        resource: the language data it uses (name in the catalog, or a path), where it needs any.
    """

    matcher: str
    weight: float = 1.0
    resource: str | None = None


@frozen
class SearchConfig:
    """How one alignment is chosen among the candidates.

    Attributes:
        name: ``beam`` (METEOR 1.5) or ``staged`` (METEOR 2005), or a registered one.
        width: paths that a beam keeps.
        budget: steps after which an exact search returns the best it has, with ``optimal = False``.
    """

    name: str = "beam"
    width: int = field(default=40, validator=_positive)
    budget: int = field(default=200_000, validator=_positive)


@frozen
class ParameterConfig:
    """alpha, beta, gamma and delta of `meteorlib.core.Parameters`."""

    alpha: float
    beta: float
    gamma: float
    delta: float = 0.5


@frozen
class ScorerConfig:
    """All that a Scorer needs.

    Attributes:
        name: the preset's name.
        description: one line for people.
        source: where its numbers come from (paper, program).
        language: code of the language, e.g. ``en``; the normalizer needs it.
        text: how text becomes words: ``none``, ``lower``, ``norm`` or ``norm_nopunct``.
        stages: the matchers in order.
        search: how the alignment is found.
        parameters: the numbers of the formula.
        formula: ``meteor-1.5`` or ``meteor-2005``.
        function_words: word list by language code or path; None: every word is a content word.
        count: what lengths and matches are counted in.
        reduce: which of several references counts.
    """

    name: str
    stages: tuple[StageConfig, ...] = field()
    parameters: ParameterConfig
    description: str = ""
    source: str = ""
    language: str = "en"
    text: str = "lower"
    search: SearchConfig = SearchConfig()
    formula: Formula = "meteor-1.5"
    function_words: str | None = None
    count: Count = "words"
    reduce: Reduce = "max"

    @stages.validator
    def _check_stages(self, _: Attribute[tuple[StageConfig, ...]], value: tuple[StageConfig, ...]) -> None:
        if not value:
            raise ValueError("stages must hold at least one stage")

    def formula_parameters(self) -> Parameters:
        """The numbers of the formula with the weights of the stages."""
        return Parameters(
            self.parameters.alpha,
            self.parameters.beta,
            self.parameters.gamma,
            self.parameters.delta,
            tuple(stage.weight for stage in self.stages),
            self.formula,
        )
