"""Groups: totals of segments that share a label, such as a document or a domain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from meteorlib.core.totals import Totals
from meteorlib.corpus.batch import Labels


class Groups:
    """Totals by label, for each name that labels go by; in the order in which the labels came.

    Attributes:
        names: what the labels are: ``document``, ``domain``, …
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names: tuple[str, ...] = tuple(names)
        self._totals: tuple[dict[str, Totals], ...] = tuple({} for _ in self.names)

    def add(self, totals: Mapping[Labels, Totals]) -> None:
        """Add the totals of segments with the same labels."""
        for labels, added in totals.items():
            for known, label in zip(self._totals, labels, strict=True):
                known[label] = known[label] + added if label in known else added

    def __iter__(self) -> Iterator[tuple[str, str, Totals]]:
        """Name, label and totals of each group."""
        for name, known in zip(self.names, self._totals, strict=True):
            for label, totals in known.items():
                yield name, label, totals
