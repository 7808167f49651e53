"""Detection of text that is escaped, tokenized or in another Unicode form, which most text modes read as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal

from attrs import define, evolve, field, frozen

from meteorlib.display.text import code_point, harmless
from meteorlib.text.rules import LETTER
from meteorlib.text.token import pattern_of
from meteorlib.text.unescaping import first_entity, has_blanks_only, is_composed, is_suspect, is_visible, suspects

_TOKENIZED_SHARE = 0.01
"""Share of lines with a tokenizer's marks from which a text counts as tokenized. Some translations have a few of them;
in tokenized text several percent of the lines do."""

_SAMPLE = 10_000
"""Number of segments that are all looked at for tokenizers' marks and Unicode's form."""
_RATE = 10
"""Number of later batches of which one is looked at: a look at all takes time, but a file may have several origins."""

_HINTS = (b" '", b" n'", "’".encode(), b"@", b"`", b"B-", b"b-")
"""Parts, in UTF-8, of which every mark below has one: most text has none of them, and no pattern is tried."""

_MARKS = r"(?<=[^ @]) @[-,./:]@ (?=[^ @])|(?<![^ ])(?:-(?:[LR][RSC]B|[lr][rsc]b)-|``)(?![^ ])"
# From the start of a word only: a try from each of its letters would take quadratic time.
_ENGLISH_MARKS = (
    rf"(?<![{LETTER}])(?:[{LETTER}]+ (?:['’](?:s|d|m|re|ve|ll)|n['’]t)"  # Tom 's, do n't
    rf"|[{LETTER}]*n ['’]t)(?![^ ])"  # don 't
)

_AROUND = 12
"""Characters of an example before the first one that changes, and from there on."""

_BYTE_ORDER_MARK = "\ufeff"

_NAMES = {
    "escaped": "escaped text",
    "tokenized": "tokenized text",
    "composition": "letters that are not composed (NFC)",
    "invisible": "invisible characters",
    "spaces": "spaces other than blanks",
}


@frozen
class Finding:
    """One kind of text that `unescape` would change, found in `count` of the `lines` looked at, if `sampled` not all.

    ``escaped``: HTML or XML entities; ``tokenized``: marks of tokenizers; ``composition``: letters that Unicode's NFC
    replaces, such as e + U+0301; ``invisible``: soft hyphens, marks of direction and the like; ``spaces``: no-break,
    zero-width and others.
    """

    kind: Literal["escaped", "tokenized", "composition", "invisible", "spaces"]
    count: int = 0
    first: int = 0
    example: str = ""
    lines: int = 0
    sampled: bool = False

    def __str__(self) -> str:
        return self.located(f" in segment {self.first}", "segments")

    def located(self, place: str, unit: str) -> str:
        """A line for people, with the place of the first segment, after a blank, and a word for several."""
        among = f" among {self.lines:,} looked at" if self.sampled else ""
        more = f", the first of {self.count:,} such {unit}{among}" if self.count > 1 else ""
        return f"{_NAMES[self.kind]} ({harmless(self.example)}{place}{more})"

    def added(self, text: bytes, place: int, hints: Sequence[bytes], find: Callable[[str], str | None]) -> Finding:
        """This finding with lines from index `place` on, of which only those with one of the hints are searched."""
        count, first, example = self.count, self.first, self.example
        starts = sorted({start for hint in hints for start in _lines_with(hint, text)})
        for start in starts:
            if (found := find(_line_at(text, start))) is not None:
                count += 1
                if not first:
                    first, example = place + 1 + text.count(b"\n", 0, start), found
        return Finding(self.kind, count, first, example, self.lines + text.count(b"\n") + 1)


@define
class EscapeFinder:
    """Finds segments that `unescape` would change; contractions are looked for in English (`language`).

    Unusual `spaces` matter to text modes that treat them as part of a word; byte order `marks` at the beginning of
    segments are left out where the reader of the file reports them.
    """

    language: str = "en"
    spaces: bool = True
    marks: bool = True
    _escaped: Finding = field(default=Finding("escaped"), init=False)
    _tokenized: Finding = field(default=Finding("tokenized"), init=False)
    _unicode: tuple[Finding, ...] = field(init=False)
    _batches: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        self._unicode = (Finding("composition"), Finding("invisible"), *([Finding("spaces")] if self.spaces else []))

    def add(self, text: bytes) -> None:
        """Look at the next segments, in UTF-8 and separated by LF."""
        place = self._escaped.lines
        self._batches += 1
        self._escaped = self._escaped.added(text, place, (b"&",), first_entity)
        if place < _SAMPLE or not self._batches % _RATE:
            self._tokenized = self._tokenized.added(text, place, _HINTS, partial(_first_mark, self.language))
            hints = suspects(text)
            self._unicode = tuple(
                finding.added(text, place, hints, partial(_first_word, finding.kind, self.marks))
                for finding in self._unicode
            )

    def findings(self) -> list[Finding]:
        """The findings; none if the text seems to be plain."""
        sampled = self._tokenized.lines < self._escaped.lines
        is_tokenized = self._tokenized.count >= _TOKENIZED_SHARE * self._tokenized.lines
        others = [
            evolve(one, sampled=sampled) for one in (*([self._tokenized] if is_tokenized else []), *self._unicode)
        ]
        return [one for one in (self._escaped, *others) if one.count]


def find_escapes(texts: Iterable[str], language: str = "en") -> list[Finding]:
    """Find what `unescape` would change in a list of texts, such as the references.

    >>> [(found.kind, found.first, found.example) for found in find_escapes(["Hello!", "&quot;I do n't &quot;"])]
    [('escaped', 2, '&quot;'), ('tokenized', 2, "do n't")]

    Args:
        texts: the segments.
        language: their language; contractions are looked for in English.

    Returns:
        Up to five findings: escaped text, letters that are not composed, invisible characters and spaces other than
        blanks, if a text has any, and tokenized text, if 1% of the texts have marks of it. Each has a ``kind``, the
        ``count`` of such texts among the ``lines`` looked at, the number of the ``first`` one, from 1, and an
        ``example``; as a string it is a line for people.
    """
    finder = EscapeFinder(language)
    if lines := lines_of(texts):
        finder.add(lines)
    return finder.findings()


def lines_of(texts: Iterable[str]) -> bytes:
    """Texts as lines for an `EscapeFinder`; line breaks inside of them become blanks."""
    return "\n".join([text.replace("\n", " ") for text in texts]).encode("utf-8", "surrogatepass")


def _lines_with(part: bytes, text: bytes) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield text.rfind(b"\n", 0, at) + 1
        end = text.find(b"\n", at)
        at = text.find(part, end) if end >= 0 else -1


def _line_at(text: bytes, start: int) -> str:
    end = text.find(b"\n", start)
    return (text[start:] if end < 0 else text[start:end]).decode("utf-8", "surrogatepass")


def _first_mark(language: str, line: str) -> str | None:
    found = pattern_of(f"{_MARKS}|{_ENGLISH_MARKS}" if language == "en" else _MARKS).search(line)
    return found and found[0].strip()


def _first_word(kind: str, marks: bool, line: str) -> str | None:
    """The first word of a line that is changed, or a part of it; characters that are hard to see as numbers."""
    is_kept, is_shown = _TESTS[kind]
    words = (line if marks else line.removeprefix(_BYTE_ORDER_MARK)).split(" ")
    word = next((word for word in words if not is_kept(word)), None)
    if word is None:
        return None
    place = next(index for index, letter in enumerate(word) if is_shown(letter))
    part = word[max(place - _AROUND, 0) : place + _AROUND]
    return "".join(code_point(letter) if is_shown(letter) else letter for letter in part)


_TESTS: Mapping[str, tuple[Callable[[str], bool], Callable[[str], bool]]] = {
    "composition": (is_composed, is_suspect),
    "invisible": (is_visible, lambda letter: not is_visible(letter)),
    "spaces": (has_blanks_only, lambda letter: not has_blanks_only(letter)),
}
"""Kind of finding → whether a word stays as it is; whether a character is shown as a number."""
