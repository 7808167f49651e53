"""Notes on input that is escaped, tokenized or in another Unicode form, found while it is scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meteorlib.config.schema import ScorerConfig
from meteorlib.corpus.batch import Batch, Lines
from meteorlib.registry import TEXTS
from meteorlib.text.escapes import EscapeFinder, lines_of


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
                for name, lines in dict(zip(names, _columns(batch), strict=True)).items():
                    if name in new:
                        new[name].add(lines)
            yield batch

    def notes(self) -> Iterator[str]:
        """A note for each file that has something to be undone."""
        for name, finder in self._finders.items():
            if found := finder.findings():
                yield (
                    f"note: {name} seems to have {' and '.join(map(str, found))}; "
                    "if so, add --unescape, which restores the text on both sides"
                )


def _columns(batch: Batch) -> Iterator[bytes]:
    """The lines of the hypotheses of a batch, then those of each file of references, or a line for each segment's."""
    if isinstance(batch, Lines):
        yield from batch.pieces
    else:
        pairs = list(batch)
        yield lines_of(pair.hypothesis for pair in pairs)
        yield lines_of("  ".join(pair.references) for pair in pairs)
