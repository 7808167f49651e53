"""Detection of text that is escaped, tokenized, damaged or marked by a model, which most text modes read as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal

from attrs import define, evolve, field, frozen

from meteorlib.display.text import code_point, harmless
from meteorlib.text.cleaning import Cleaner, first_mark
from meteorlib.text.rules import LETTER
from meteorlib.text.token import pattern_of
from meteorlib.text.unescaping import (
    first_entity,
    has_blanks_only,
    has_no_windows_controls,
    is_composed,
    is_suspect,
    is_visible,
)
from meteorlib.text.validation import list_in

_TOKENIZED_SHARE = 0.01
"""Share of lines with a tokenizer's marks from which a text counts as tokenized. Some translations have a few of them;
in tokenized text several percent of the lines do."""

_SAMPLE = 10_000
"""Number of segments that are all looked at for tokenizers' marks and Unicode's form."""
_RATE = 10
"""Number of later batches of which one is looked at: a look at all takes time, but a file may have several origins."""

_QUOTED_SHARE = 0.5
"""Share of lines in quotes from which the quotes count as no part of the text."""

_HINTS = (b" '", b" n'", "’".encode(), b"@", b"`", b"B-", b"b-")
"""Parts, in UTF-8, of which every mark below has one: most text has none of them, and no pattern is tried."""

_MARKS = r"(?<=[^ @]) @[-,./:]@ (?=[^ @])|(?<![^ ])(?:-(?:[LR][RSC]B|[lr][rsc]b)-|``)(?![^ ])"
# From the start of a word only: a try from each of its letters would take quadratic time.
_ENGLISH_MARKS = (
    rf"(?<![{LETTER}])(?:[{LETTER}]+ (?:['’](?:s|d|m|re|ve|ll)|n['’]t)"  # Tom 's, do n't
    rf"|[{LETTER}]*n ['’]t)(?![^ ])"  # don 't
)

_MODEL_HINTS = {
    "<": (b"<",), "&": (b"&lt;",), ">": (b">>",), "[": (b"[",), "(": (b"('", b'("'), "@": (b"@@",), "#": (b"##",),
    "\\": (b"\\n", b"\\r"), "`": (b"```",), "_": (b"_",),
    **{letter: (letter.encode(),) for letter in "▁Ġ￭｜"},
}  # fmt: skip
"""Character → parts of lines, in UTF-8, that have it: every mark of a model has one of them or of `_MODEL_WORDS`."""
_MODEL_WORDS = (b"ssistant: ", b"tartseq ")

_CONTROLS = bytes({*range(1, 9), 0x0B, *range(0x0E, 0x20), 0x7F})
_ASCII = bytes(range(0x80))
_USUAL = bytes({*_ASCII}.difference("".join(_MODEL_HINTS).encode(), _CONTROLS))
"""Characters of ASCII that are none of the marks of a model, and no control characters."""
_DAMAGED = (
    "[\x01-\x08\x0b\x0e-\x1f\x7f\ufffd-\uffff\ue000-\uf8ff\U000f0000-\U0010ffff]"
    "|(?<![\x80-\xbf\xc2-\xf4])[\x81\x8d\x8f\x90\x9d]"
)
_MISREAD = r"â€|Ã[¡-ª¬-º¼-¿ƒˆŠŒŽšœžŸ‰†‡˜™]|Â[¡-ª¬-º¼-¿]|(?:[ÐÑ][^\w\s]){2}"
"""Text in UTF-8 that was read as Windows-1252, but no quote or dash after a letter: that is in real text."""
_MISREAD_HINTS = {"â": "â€", **{letter: letter for letter in "ÃÂÐÑ"}}
"""Control characters, what decoders write for bytes that they cannot read, and characters without a meaning."""

_QUOTES = ('""', "''", "“”", "„“", "«»", "「」", "[]", "**")
"""Quotes around a line, the brackets of a list, and Markdown's asterisks."""
_LABEL = r"(?:\w[\w '’-]{0,39}:|[0-9]{1,6}[.)]) (?=.)"
"""Pattern of what a chat writes before a text: ``Translation: ``, ``3. ``."""
_LABELED_SHARE = 0.8
"""Share of the first lines with one label, or with numbers, from which all lines are looked at for labels."""
_HEAD = 1000
"""Bytes of a batch whose lines are looked at for quotes before all are."""

_AROUND = 12
"""Characters of an example before the first one that changes, and from there on."""

_BYTE_ORDER_MARK = "\ufeff"

_NAMES = {
    "model": "marks of a model's tokenizer",
    "escaped": "escaped text",
    "tokenized": "tokenized text",
    "composition": "letters that are not composed (NFC)",
    "invisible": "invisible characters",
    "spaces": "spaces other than blanks",
    "controls": "characters of Windows-1252 as control characters",
    "damaged": "damaged characters",
    "quoted": "quotes, brackets or a label around most segments",
}

Kind = Literal["escaped", "tokenized", "composition", "invisible", "spaces", "controls", "model", "damaged", "quoted"]
"""Kind of a finding; `meteorlib.registry.PREPARATIONS` has what restores such text."""


@frozen
class Finding:
    """One kind of text that is not as it should be, found in `count` of the `lines` looked at, if `sampled` not all.

    For `unescape`: ``escaped``: HTML or XML entities; ``tokenized``: marks of tokenizers; ``composition``: letters that
    Unicode's NFC replaces, such as e + U+0301; ``invisible``: soft hyphens, marks of direction and the like;
    ``spaces``: no-break, zero-width and others; ``controls``: U+0080 to U+009F, characters of Windows-1252. For
    `clean`: ``model``: marks of a model's tokenizer. For nothing here: ``damaged``: U+FFFD, private use, control
    characters, UTF-8 read as Windows-1252; ``quoted``: most lines are in quotes, lists, or begin with a label.
    """

    kind: Kind
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

    def added(
        self, text: bytes, place: int, lines: int, hints: Sequence[bytes], find: Callable[[str], str | None]
    ) -> Finding:
        """This finding with `lines` from index `place` on, of which only those with one of the hints are searched."""
        count, first, example = self.count, self.first, self.example
        starts = sorted({start for hint in hints for start in _lines_with(hint, text)})
        for start in starts:
            if (found := find(_line_at(text, start))) is not None:
                count += 1
                if not first:
                    first, example = place + 1 + text.count(b"\n", 0, start), found
        return Finding(self.kind, count, first, example, self.lines + lines)


@define
class EscapeFinder:
    """Finds segments that `unescape` or `clean` would change, or nothing can restore; `language` is that of the text.

    Unusual `spaces` matter to text modes that treat them as part of a word; byte order `marks` at the beginning of
    segments, and `lists`, are left out where the reader of the file reports them.
    """

    language: str = "en"
    spaces: bool = True
    marks: bool = True
    lists: bool = True
    _escaped: Finding = field(default=Finding("escaped"), init=False)
    _tokenized: Finding = field(default=Finding("tokenized"), init=False)
    _unicode: tuple[Finding, ...] = field(init=False)
    _model: Finding = field(default=Finding("model"), init=False)
    _damaged: Finding = field(default=Finding("damaged"), init=False)
    _quoted: Finding = field(default=Finding("quoted"), init=False)
    _batches: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        kinds: tuple[Kind, ...] = ("composition", "invisible", "spaces", "controls")
        self._unicode = tuple(Finding(kind) for kind in kinds if kind != "spaces" or self.spaces)

    def add(self, text: bytes, lines: int) -> None:
        """Look at the next `lines` segments, in UTF-8 and separated by LF."""
        place = self._escaped.lines
        batch = text, place, lines
        self._batches += 1
        self._escaped = self._escaped.added(*batch, (b"&",), first_entity)
        if place < _SAMPLE or not self._batches % _RATE:
            self._tokenized = self._tokenized.added(*batch, _HINTS, partial(_first_mark, self.language))
            letters = sorted({*text.translate(None, _USUAL).decode("utf-8", "surrogatepass")})
            hints = [_encoded(letter) for letter in letters if is_suspect(letter)]
            self._unicode = tuple(
                finding.added(*batch, hints, partial(_first_word, finding.kind, self.marks))
                for finding in self._unicode
            )
            damaged = [_encoded(letter) for letter in letters if pattern_of(_DAMAGED).match(letter)]
            damaged += [_encoded(_MISREAD_HINTS[letter]) for letter in letters if letter in _MISREAD_HINTS]
            self._damaged = self._damaged.added(*batch, damaged, partial(_first_word, "damaged", self.marks))
            hints = [*_MODEL_WORDS, *(hint for letter in letters for hint in _MODEL_HINTS.get(letter, ()))]
            self._model = self._model.added(*batch, hints, partial(first_mark, Cleaner(self.language)))
            self._quoted = self._quoted.added(*batch, _quotes_of(text, self.lists), _first_quote)

    def findings(self) -> list[Finding]:
        """The findings; none if the text seems to be plain."""
        sampled = self._tokenized.lines < self._escaped.lines
        is_tokenized = self._tokenized.count >= _TOKENIZED_SHARE * self._tokenized.lines
        is_quoted = self._quoted.count > max(1, _QUOTED_SHARE * self._quoted.lines)
        others = [*([self._tokenized] if is_tokenized else []), *self._unicode, self._model, self._damaged]
        others += [self._quoted] if is_quoted else []
        return [
            finding
            for finding in (self._escaped, *(evolve(finding, sampled=sampled) for finding in others))
            if finding.count
        ]


def find_escapes(texts: Iterable[str], language: str = "en") -> list[Finding]:
    """Find what `unescape` and `clean` would change in a list of texts, such as the references, and what is damaged.

    >>> [(found.kind, found.first, found.example) for found in find_escapes(["Hello!", "&quot;I do n't &quot;"])]
    [('escaped', 2, '&quot;'), ('tokenized', 2, "do n't")]

    Args:
        texts: the segments.
        language: their language; contractions are looked for in English, and ``Ġ`` is a letter in Maltese.

    Returns:
        The findings: escaped text, letters that are not composed, invisible characters, spaces other than blanks,
        characters of Windows-1252, marks of a model and damaged characters, if a text has any; tokenized text, if 1% of
        the texts have marks of it; quotes around the texts or a label before them, if most have them. Each has a
        ``kind``, the ``count`` of such texts among the ``lines`` looked at, the number of the ``first`` one, from 1,
        and an ``example``; as a string it is a line for people.
    """
    finder = EscapeFinder(language)
    texts = list(texts)
    if lines := lines_of(texts):
        finder.add(lines, len(texts))
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


def _encoded(letter: str) -> bytes:
    return letter.encode("utf-8", "surrogatepass")


def _quotes_of(text: bytes, lists: bool) -> list[bytes]:
    """The quotes or the label with which most of the first lines begin, so that all lines are looked at."""
    lines = [line.lstrip() for line in text[:_HEAD].decode("utf-8", "ignore").split("\n")]
    openings = {quotes[0] for quotes in _QUOTES if lists or quotes != "[]"}
    starts = [line[:1] for line in lines]
    found = [start for start in {*starts} & openings if starts.count(start) >= _QUOTED_SHARE * len(starts)]
    labels = [label and label[0].lstrip("0123456789") for label in map(pattern_of(_LABEL).match, lines)]
    found += [label for label in {*labels} if label and labels.count(label) >= _LABELED_SHARE * len(labels)]
    return [start.encode() for start in found]


def _first_quote(line: str) -> str | None:
    """The beginning of a line in quotes that has no other ones, of a list of several texts, or with a label."""
    line = line.strip()
    inner = line[1:-1] if line[:2] == line[-2:] == "**" else line  # bold, as if in italics
    quotes = inner[:1] + inner[-1:]
    if quotes == "[]":
        is_quoted = len(list_in(line) or ()) > 1
    else:
        is_quoted = len(inner) > 2 and quotes in _QUOTES and not any(quote in inner[1:-1] for quote in quotes)
    return line[:_AROUND] if is_quoted or pattern_of(_LABEL).match(line) else None


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
    misread = pattern_of(_MISREAD).search(word)
    place = next((index for index, letter in enumerate(word) if is_shown(letter)), misread.start() if misread else 0)
    part = word[max(place - _AROUND, 0) : place + _AROUND]
    return "".join(code_point(letter) if is_shown(letter) else letter for letter in part)


_TESTS: Mapping[str, tuple[Callable[[str], bool], Callable[[str], bool]]] = {
    "composition": (is_composed, is_suspect),
    "invisible": (is_visible, lambda letter: not is_visible(letter)),
    "spaces": (has_blanks_only, lambda letter: not has_blanks_only(letter)),
    "controls": (has_no_windows_controls, lambda letter: not has_no_windows_controls(letter)),
    "damaged": (
        lambda word: not pattern_of(f"{_DAMAGED}|{_MISREAD}").search(word),
        lambda letter: bool(pattern_of(_DAMAGED).match(letter)),
    ),
}
"""Kind of finding → whether a word stays as it is; whether a character is shown as a number."""
