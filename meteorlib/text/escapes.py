"""Detection of escaped, tokenized or decomposed text, which most text modes read as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Literal

from attrs import define, field, frozen

from meteorlib.core.letters import is_composed
from meteorlib.core.safe_text import code_point, harmless
from meteorlib.text.entities import first_entity
from meteorlib.text.rules import LETTER, pattern_of

_TOKENIZED_SHARE = 0.01
"""Share of lines with a tokenizer's marks from which a text counts as tokenized. Some translations have a few of them;
in tokenized text several percent of the lines do."""

_SAMPLE = 10_000
"""Minimum number of lines that are checked for a tokenizer's marks and decomposed letters: not all, to save time."""

_HINTS = (" '", " n'", "’", "@", "`", "B-", "b-")
"""Substrings of which every mark below has one: most text has none of them, and no pattern is tried."""

_MARKS = r"(?<=[^ @]) @[-,./:]@ (?=[^ @])|(?<![^ ])(?:-(?:[LR][RSC]B|[lr][rsc]b)-|``)(?![^ ])"
_ENGLISH_MARKS = (
    rf"[{LETTER}]+ (?:['’](?:s|d|m|re|ve|ll)|n['’]t)(?![^ ])"  # Tom 's, do n't
    rf"|[{LETTER}]*n ['’]t(?![^ ])"  # don 't
)

Find = Callable[[str], "str | None"]
"""Line → what was found in it."""


@frozen
class Finding:
    """Lines of a text that look escaped, tokenized or decomposed.

    Attributes:
        kind: ``escaped`` if they have HTML or XML entities, ``tokenized`` if they have marks of tokenizers,
            ``decomposed`` if they have letters that Unicode's composition (NFC) replaces, such as e + U+0301.
        count: number of these lines.
        first: number of the first of them, from 1.
        example: what was found there.
        lines: number of lines looked at.
    """

    kind: Literal["escaped", "tokenized", "decomposed"]
    count: int = 0
    first: int = 0
    example: str = ""
    lines: int = 0

    def __str__(self) -> str:
        more = f", the first of {self.count} such lines" if self.count > 1 else ""
        return f"{self.kind} ({harmless(self.example)} in line {self.first}{more})"

    def added(self, text: str, hints: Sequence[str], find: Find) -> Finding:
        """This finding with the lines of a text; only those with one of the hints are looked at."""
        count, first, example = self.count, self.first, self.example
        starts = sorted({start for hint in hints for start in _lines_with(hint, text)})
        for start in starts:
            if (found := find(_line_at(text, start))) is not None:
                count += 1
                if not first:
                    first, example = self.lines + 1 + text.count("\n", 0, start), found
        return Finding(self.kind, count, first, example, self.lines + text.count("\n") + 1)


@define
class EscapeFinder:
    """Looks for escaped, tokenized and decomposed lines.

    Attributes:
        language: METEOR's code of the language; contractions are looked for in English.
    """

    language: str = "en"
    _escaped: Finding = field(default=Finding("escaped"), init=False)
    _tokenized: Finding = field(default=Finding("tokenized"), init=False)
    _decomposed: Finding = field(default=Finding("decomposed"), init=False)

    def add(self, text: str) -> None:
        """Look at the next lines, separated by LF."""
        self._escaped = self._escaped.added(text, ("&",), first_entity)
        if self._tokenized.lines < _SAMPLE:
            self._tokenized = self._tokenized.added(text, _HINTS, partial(_first_mark, self.language))
            hints = () if is_composed(text) else sorted(letter for letter in set(text) if letter > "\u02ff")
            self._decomposed = self._decomposed.added(text, hints, _first_decomposed)

    def findings(self) -> list[Finding]:
        """Return the findings; an empty list if the text seems to be plain."""
        tokenized = self._tokenized.count >= max(1, _TOKENIZED_SHARE * self._tokenized.lines)
        found = {
            self._escaped: self._escaped.count,
            self._tokenized: tokenized,
            self._decomposed: self._decomposed.count,
        }
        return [finding for finding, counts in found.items() if counts]


def find_escapes(texts: Iterable[str], language: str = "en") -> list[Finding]:
    """Find out whether a list of texts, such as the references, looks escaped, tokenized or decomposed.

    >>> [(found.kind, found.first, found.example) for found in find_escapes(["Hello!", "&quot;I do n't &quot;"])]
    [('escaped', 2, '&quot;'), ('tokenized', 2, "do n't")]

    Args:
        texts: the segments.
        language: their language; contractions are looked for in English.

    Returns:
        Up to three findings: of escaped and of decomposed text, if any line is, and of tokenized text, if 1% of the
        lines are. Each has a ``kind``, the ``count`` of such lines among the ``lines`` looked at, the number of the
        ``first`` one, from 1, and an ``example``; as a string it is a line for people. Of a long list, only the first
        10,000 texts or more are looked at for marks of tokenization and decomposed letters.
    """
    finder = EscapeFinder(language)
    if lines := lines_of(texts):
        finder.add(lines)
    return finder.findings()


def lines_of(texts: Iterable[str]) -> str:
    """Texts as lines for an `EscapeFinder`; line breaks inside of them become blanks."""
    return "\n".join([text.replace("\n", " ") for text in texts])


def _lines_with(part: str, text: str) -> Iterator[int]:
    """The starts of the lines that contain `part`."""
    at = text.find(part)
    while at >= 0:
        yield text.rfind("\n", 0, at) + 1
        end = text.find("\n", at)
        at = text.find(part, end) if end >= 0 else -1


def _line_at(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start:] if end < 0 else text[start:end]


def _first_mark(language: str, line: str) -> str | None:
    """The first mark of a tokenizer in a line."""
    found = pattern_of(f"{_MARKS}|{_ENGLISH_MARKS}" if language == "en" else _MARKS).search(line)
    return found and found[0].strip()


def _first_decomposed(line: str) -> str | None:
    """The first word of a line that composition changes, with its marks as code points."""
    word = next((word for word in line.split() if not is_composed(word)), None)
    return word and "".join(letter if letter < "\u0300" else code_point(letter) for letter in word)
