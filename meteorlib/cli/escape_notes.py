"""Notes on escaped or tokenized input, found while it is scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meteorlib.config.schema import ScorerConfig
from meteorlib.corpus.batch import Batch, Lines
from meteorlib.registry import TEXTS
from meteorlib.text.escapes import EscapeFinder


class EscapeWatch:
    """Looks at segments on their way to the scorer. Files that several systems share are looked at once.

    Args:
        config: the configuration; if its text mode unescapes lines, there is nothing to look for.
    """

    def __init__(self, config: ScorerConfig) -> None:
        self._needed = not TEXTS.part(config.text).unescapes
        self._language = config.language
        self._finders: dict[str, EscapeFinder] = {}

    def over(self, batches: Iterator[Batch], names: Sequence[str]) -> Iterator[Batch]:
        """The batches, each looked at before it is handed on.

        Args:
            batches: the segments of one system.
            names: what the hypotheses are called, then each file of references; or all references together.
        """
        new = {name: EscapeFinder(self._language) for name in names if self._needed and name not in self._finders}
        self._finders |= new
        for batch in batches:
            if new:
                for name, texts in dict(zip(names, _columns(batch), strict=True)).items():
                    if name in new:
                        new[name].add(texts)
            yield batch

    def notes(self) -> Iterator[str]:
        """A note for each file that looks escaped or tokenized."""
        for name, finder in self._finders.items():
            if found := finder.findings():
                looks = " and ".join(map(str, found))
                yield f"note: {name} looks {looks}; if it is, add --unescape, which restores the text on both sides"


def _columns(batch: Batch) -> Iterator[Sequence[str]]:
    """The hypotheses of a batch, then the references: those of each file, or those of each segment in one text."""
    if isinstance(batch, Lines):
        for piece in batch.pieces:
            yield piece.decode().split("\n")
    else:
        pairs = list(batch)
        yield [pair.hypothesis for pair in pairs]
        yield [" \n ".join(pair.references) for pair in pairs]
