"""Ledger: a corpus' totals and segments, updated together and safely across threads."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.totals import Totals
from meteorlib.errors import InputMismatch


class Ledger:
    """Totals and segments of a corpus. Threads may share it, and it can be pickled and copied.

    An entry counts from the moment in which the totals are set, and not in part before: readers need no lock, because
    segments beyond the number in the totals are not there yet, and those before it never change.

    Attributes:
        totals: the sums; each time another object.
    """

    def __init__(self, zero: Totals, *, keep_segments: bool) -> None:
        self.totals: Totals = zero
        self._segments: list[ScoreBreakdown] | None = [] if keep_segments else None
        self._lock = Lock()

    @property
    def keeps_segments(self) -> bool:
        """Whether segments are kept beside their sums."""
        return self._segments is not None

    def add(self, totals: Totals, scored: Sequence[ScoreBreakdown]) -> None:
        """Add segments, given their totals and, where segments are kept, themselves."""
        with self._lock:
            totals_after = self.totals + totals
            if self._segments is not None:
                self._segments[self.totals.segment_count :] = scored
            self.totals = totals_after

    def segments(self, totals: Totals | None = None) -> list[ScoreBreakdown]:
        """The segments that `totals`, of now or of earlier, are the sums of.

        Raises:
            InputMismatch: they are not kept.
        """
        return self._all()[: (totals or self.totals).segment_count]

    def segment(self, place: int) -> ScoreBreakdown:
        """One segment, from 0.

        Raises:
            InputMismatch: they are not kept.
        """
        return self._all()[place]

    def __getstate__(self) -> dict[str, Any]:
        totals = self.totals
        return {"totals": totals, "_segments": self.segments(totals) if self.keeps_segments else None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=Lock())

    def _all(self) -> list[ScoreBreakdown]:
        if self._segments is None:
            raise InputMismatch("this corpus does not keep its segments; make it with corpus(keep_segments=True)")
        return self._segments
