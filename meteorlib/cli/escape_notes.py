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
        config: the configuration. If its text mode unescapes lines, only other metrics need a note.
        metrics: the values of --metric; metrics from tables, ``NAME=FILE``, do not read the texts.
    """

    def __init__(self, config: ScorerConfig, metrics: Sequence[str]) -> None:
        self._text = TEXTS.part(config.text)
        self._metrics = [name for name in metrics if "=" not in name]
        self._language = config.language
        self._finders: dict[str, EscapeFinder] = {}

    def over(self, batches: Iterator[Batch], names: Sequence[str]) -> Iterator[Batch]:
        """The batches, each looked at before it is handed on.

        Args:
            batches: the segments of one system.
            names: what the hypotheses are called, then each file of references; or all references together.
        """
        new: dict[str, EscapeFinder] = {}
        if self._metrics or not self._text.unescapes:
            spaces = self._text.blanks_only and not self._text.unescapes
            new = {name: EscapeFinder(self._language, spaces) for name in names if name not in self._finders}
        self._finders |= new
        for batch in batches:
            if new:
                for name, lines in dict(zip(names, _columns(batch), strict=True)).items():
                    if name in new:
                        new[name].add(lines)
            yield batch

    def notes(self) -> Iterator[str]:
        """A note for each file with text that --unescape would change."""
        advice = "if so, add --unescape, which restores the text on both sides"
        if self._text.unescapes:
            verb = "scores" if len(self._metrics) == 1 else "score"
            advice = (
                f"METEOR restores the text before scoring, but {listed(self._metrics)} {verb} it as it is; "
                "to restore a file, use meteorlib.unescape"
            )
        for name, finder in self._finders.items():
            if found := finder.findings():
                yield f"note: {name} seems to have {listed([*map(str, found)])}; {advice}"


def listed(parts: Sequence[str]) -> str:
    """Parts of a sentence: a, b and c."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def _columns(batch: Batch) -> Iterator[bytes]:
    """The lines of the hypotheses of a batch, then those of each file of references, or a line for each segment's."""
    if isinstance(batch, Lines):
        yield from batch.pieces
    else:
        pairs = list(batch)
        yield lines_of(pair.hypothesis for pair in pairs)
        yield lines_of("  ".join(pair.references) for pair in pairs)
