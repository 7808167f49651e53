"""Penalized faults of a segment, with their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import asdict, frozen

from meteorlib.core.alignment import Alignment
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.faults import Fault, Side, find_faults
from meteorlib.core.formula import FORMULA
from meteorlib.core.parameters import NUMERIC_PARAMETERS, Parameters
from meteorlib.core.segment import Trait
from meteorlib.core.tabular import Tabular
from meteorlib.engine.engine import Engine
from meteorlib.engine.word_traits import WordTraits
from meteorlib.resources.kinds import open_resource
from meteorlib.resources.word_lists import NO_NEGATIONS


@frozen
class PenalizedFault(Tabular):
    """A kind of fault that lowers the score.

    Attributes:
        name: name of its parameter, such as ``omission``.
        description: the fault in a few words.
        penalty: what it adds to the penalty.
        places: the words of each occurrence; empty for faults of whole segments (``excess``, ``start``).
    """

    _columns = "name description penalty places"

    name: str
    description: str
    penalty: float
    places: tuple[FaultPlace, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self)


@frozen
class FaultPlace(Tabular):
    """The words of one fault, with their positions from 0.

    Attributes:
        reference: positions of its words in the reference.
        hypothesis: positions of its words in the hypothesis.
        reference_words: these words.
        hypothesis_words: these words.
    """

    _columns = "reference hypothesis reference_words hypothesis_words"

    reference: tuple[int, ...]
    hypothesis: tuple[int, ...]
    reference_words: tuple[str, ...]
    hypothesis_words: tuple[str, ...]


def traits_of(engine: Engine[Any], words: Iterable[str]) -> dict[str, Trait]:
    """Traits of words under the engine's configuration, which decide the faults that they can be part of."""
    negations = engine.identity.config.negations
    find = WordTraits(0, NO_NEGATIONS if negations is None else open_resource("negation words", negations)[0])
    return {word: find(word, 0, listed=engine.analyze((word,)).function[0]) for word in dict.fromkeys(words)}


def penalized_faults(
    scored: ScoreBreakdown, alignment: Alignment, parameters: Parameters, traits: Mapping[str, Trait]
) -> tuple[PenalizedFault, ...]:
    """The faults that add to the penalty, in the order of the formula.

    Args:
        scored: the segment, scored against the reference of the alignment alone.
        alignment: the alignment.
        parameters: the numbers of the formula.
        traits: traits of every word of the alignment.
    """
    sides = [Side(words, [traits[word] for word in words]) for words in (alignment.reference, alignment.hypothesis)]
    found = list(find_faults(sides[0], sides[1], alignment.matches))
    return tuple(
        PenalizedFault(
            term.parameter,
            NUMERIC_PARAMETERS[term.parameter].description,
            term.penalty,
            tuple(_places(found, term.share.counted, alignment)),
        )
        for term in FORMULA.fault_terms(scored.statistics, parameters)
        if term.penalty
    )


def _places(found: Sequence[Fault], kind: str, alignment: Alignment) -> Iterator[FaultPlace]:
    for fault in found:
        if fault.kind == kind:
            yield FaultPlace(
                fault.reference,
                fault.hypothesis,
                tuple(alignment.reference[place] for place in fault.reference),
                tuple(alignment.hypothesis[place] for place in fault.hypothesis),
            )
