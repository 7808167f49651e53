"""Texts as they were written, and gains of unmatched words, for the segments of the HTML report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from meteorlib.core.safe_text import visible
from meteorlib.explanation.gains import Gain
from meteorlib.reports.html.aligned import Aligned
from meteorlib.reports.html.measures import ten_thousandths
from meteorlib.scorer import Scorer

Gains = Mapping[int, Sequence[Gain]]
"""Index of a segment → its gains, greatest first."""

GAINS = 100
"""Default number of segments with gains: about a second for three systems."""


@frozen
class Written:
    """Texts of the shown run of each system.

    Attributes:
        references: the references of each segment.
        hypotheses: for each system, the hypothesis of each segment.
        gains: for each system, the gains of its unmatched words; empty if not computed.
        labels: labels of words by what they are, such as ``pos``: for each segment, the labels of the tokens of each
            reference, separated by spaces like the tokens.
    """

    references: Sequence[Sequence[str]]
    hypotheses: Sequence[Sequence[str]]
    gains: Sequence[Gains] = field(default=())
    labels: Mapping[str, Sequence[Sequence[str]]] = field(factory=dict)

    @classmethod
    def of(
        cls,
        scorer: Scorer,
        references: Sequence[Sequence[str]],
        hypotheses: Sequence[Sequence[str]],
        scores: Sequence[Sequence[float]],
        gains: int = GAINS,
        labels: Mapping[str, Sequence[Sequence[str]]] | None = None,
    ) -> Written:
        """Add the gains for as many segments as `gains`: where scores differ most, and the lowest scores.

        `scores` has the scores of the segments of each system; for `labels` see `Written`.
        """
        rows = [*zip(*scores, strict=True)]
        by_spread = sorted(range(len(rows)), key=lambda index: min(rows[index]) - max(rows[index]))
        by_score = sorted(range(len(rows)), key=lambda index: sum(rows[index]))
        half = gains // 2 if len(scores) > 1 else 0
        spread = set(by_spread[:half])
        chosen = [*by_spread[:half], *(index for index in by_score if index not in spread)][:gains]
        return cls(
            references,
            hypotheses,
            [
                {index: scorer.explain(references[index], texts[index]).gains for index in sorted(chosen)}
                for texts in hypotheses
            ],
            labels or {},
        )

    def counting(self, system: Aligned) -> list[str]:
        """The reference of each segment that counts for a system."""
        return [each[index] for each, index in zip(self.references, system.reference_index.tolist(), strict=True)]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for the page; a gain is a word, its side, an edit, the word that goes, and units of 0.0001."""
        return {
            "references": [[visible(text) for text in each] for each in self.references],
            "systems": [[visible(text) for text in each] for each in self.hypotheses],
            "gains": [
                {
                    index + 1: [
                        [visible(gain.word), gain.edit, visible(gain.replaced), ten_thousandths(gain.gain)]
                        for gain in found
                    ]
                    for index, found in gains.items()
                }
                for gains in self.gains
            ],
        }
