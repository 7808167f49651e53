"""The summary of a scored corpus, and the interface of report formats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from attrs import frozen

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.reports.groups import Group


@frozen
class Summary:
    """A scored corpus.

    Attributes:
        scored: the corpus score with its parts.
        segment_count: number of scored segments.
        mean_segment_score: the mean of their scores.
        empty_hypotheses: number of segments whose hypothesis has no words.
        empty_references: number of segments whose counting reference has no words.
        preset: name of the preset.
        signature: the signature.
        references: number of references per segment; None if it varies.
        groups: the scores by group, if requested.
        variant: description of the preset.
        source: paper or program that the preset reproduces.
    """

    scored: ScoreBreakdown
    segment_count: int
    mean_segment_score: float
    empty_hypotheses: int
    empty_references: int
    preset: str
    signature: str
    references: int | None
    groups: Sequence[Group] = ()
    variant: str = ""
    source: str = ""

    @property
    def full_signature(self) -> str:
        """The signature with the number of references, ``refs:2``, or ``refs:var`` if it varies."""
        return full_signature(self.signature, self.references)


def full_signature(signature: str, references: int | None) -> str:
    """A signature with the number of references, ``refs:2``, or ``refs:var`` if it varies."""
    return f"{signature}|refs:{'var' if references is None else references}"


class Report(Protocol):
    """A report format: text before the segments, for each segment, and after them."""

    def head(self, summary: Summary, *, segments: bool) -> str:
        """The text before the segments, if any are to follow."""

    def segment(self, number: int, scored: ScoreBreakdown) -> str:
        """The text for one segment; numbers count from 1."""

    def tail(self, summary: Summary, *, segments: bool) -> str:
        """The text after the segments."""
