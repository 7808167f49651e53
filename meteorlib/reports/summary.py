"""Summary: what a report says of a corpus, besides its segments."""

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
        segment_count: how many segments were scored.
        mean_segment_score: the mean of their scores.
        empty_hypotheses: how many had no word in the hypothesis.
        empty_references: how many had no word in the reference that counted.
        preset: name of the preset.
        signature: the line that names the METEOR in use.
        references: how many each segment has; None where they differ in that.
        groups: the scores by group, where they were asked for.
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

    @property
    def full_signature(self) -> str:
        """The signature with the number of references, ``refs:2``, or ``refs:var`` where it is not the same for all."""
        return full_signature(self.signature, self.references)


def full_signature(signature: str, references: int | None) -> str:
    """A signature with the number of references, ``refs:2``, or ``refs:var`` where it is not the same for all."""
    return f"{signature}|refs:{'var' if references is None else references}"


class Report(Protocol):
    """A format: what stands before the segments, for each segment, and behind them."""

    def head(self, summary: Summary, *, segments: bool) -> str:
        """The text before the segments, where any are to come."""

    def segment(self, number: int, scored: ScoreBreakdown) -> str:
        """The text for one segment; numbers count from 1."""

    def tail(self, summary: Summary, *, segments: bool) -> str:
        """The text behind the segments."""
