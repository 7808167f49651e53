"""Unescaping of lines, for text modes ``unescaped-…``: entities decoded, Unicode normalized, tokenizers' marks undone.

A tokenizer's marks are tokens between spaces: ``do n't``, ``Tom 's``, ``@-@``, ``-LRB-``. A line without such a token,
without ``&``, decomposed letters and invisible characters is left as it is, so the engines look for these only.

Entities of HTML and XML are decoded even if a tokenizer tore them apart or they were escaped more than once. Unicode is
normalized to NFC without invisible characters, and with a blank for every kind of space.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from attrs import frozen

from meteorlib.core.numbers_and_letters import NEWER
from meteorlib.text.rules import ALNUM, LETTER, Rule
from meteorlib.text.token import Preparation, pattern_of

_ROUNDS = 8
"""Maximum depth of entities whose characters are themselves entities; limits the time for contrived text."""

_TORN_NAMES = "quot|apos|amp|lt|gt|nbsp|[lr][sd]quo|[lr]aquo|[nm]dash|hellip"
"""Names that are recognized with blanks inside, because no English word is among them (unlike ``& image ;``)."""

_MOSES = {"bar": "|", "pipe": "|", "bra": "[", "ket": "]"}
"""Names of older versions of Moses, which HTML does not have."""

_ENTITY = (
    r"&(?P<escapes>(?: ?(?:amp|# ?0{0,5}38|# ?[xX]0{0,4}26) ?;)*)"
    r"(?: ?# ?(?P<number>[0-9]{1,7}|[xX][0-9a-fA-F]{1,6}) ?;"
    rf"| ?(?P<torn>(?i:{_TORN_NAMES})) ?;"
    r"|(?P<name>[A-Za-z][A-Za-z0-9]{1,31});)"
)

_SIGNS = "&@`'’-"
"""Characters of which every mark has at least one."""

_END = "(?![^ ])"
_ENDINGS = "(?:[sSmMdD]|[rR][eE]|[vV][eE]|[lL][lL])"


def decode_entities(line: str) -> str:
    """Replace the entities of a line by their characters: ``&quot;``, ``& quot ;``, ``&amp;#39;``, ``& # 39 ;``.

    Anything else with an ampersand is kept (``AT&T``, ``R & D ; quote``), and so are entities of control characters.
    White space, the non-breaking space included, becomes a blank; invisible characters are removed.
    """
    for _ in range(_ROUNDS):
        if "&" not in line or ";" not in line:
            break
        decoded = pattern_of(_ENTITY).sub(_decode, line)
        if decoded == line:
            break
        line = decoded
    return line


def _decode(match: re.Match[str]) -> str:
    escapes, number, torn, name = match.group("escapes", "number", "torn", "name")
    character = _character(number, torn or name)
    if character is not None:
        return " " if character.isspace() else character
    # an unknown name loses only what was escaped more than once
    return f"&{match[0][1 + len(escapes) :]}"


def _character(number: str | None, name: str) -> str | None:
    """The character of a number or a name; None if it has none, or a control character."""
    from html import unescape  # noqa: PLC0415 – most text has no entity
    from html.entities import html5  # noqa: PLC0415 – most text has no entity

    if number is not None:
        character = unescape(f"&#{number};")
        is_known = character not in {"", "\ufffd"} and (character >= " " or character.isspace())
        return unify(character) if is_known else None
    for known in (name, name.lower()):
        if known in _MOSES:
            return _MOSES[known]
        if f"{known};" in html5:
            return unify(html5[f"{known};"])
    return None


def first_entity(line: str) -> str | None:
    """The first entity in a line that `decode_entities` decodes."""
    if "&" not in line or ";" not in line:
        return None
    return next((entity[0] for entity in pattern_of(_ENTITY).finditer(line) if _decode(entity) != entity[0]), None)


class Marks(NamedTuple):
    """Marks of tokenizers and how they are undone.

    Attributes:
        tokens: pattern of the tokens without one of which no rule changes a line.
        rules: the rules in order.
    """

    tokens: str
    rules: tuple[Rule, ...]


# Brackets of the Penn Treebank: left or right; round, square or curly.
_BRACKETS = {"LR": "(", "RR": ")", "LS": "[", "RS": "]", "LC": "{", "RC": "}"}

_ANY_LANGUAGE = Marks(
    r"@(?:[-,./:]@?)?|-(?:[LR][RSC]B|[lr][rsc]b)-|``|''",
    (
        # Moses: well @-@ known, 1 @,@ 000
        Rule("@", r"(?<=[^ @]) @ ?([-,./:]) ?@ (?=[^ @])", r"\1"),
        # Penn Treebank: -LRB- … -RRB-, `` … ''
        *(Rule("B-", f"(?<![^ ])-{name}B-{_END}", sign) for name, sign in _BRACKETS.items()),
        *(Rule("b-", f"(?<![^ ])-{name.lower()}b-{_END}", sign) for name, sign in _BRACKETS.items()),
        Rule("``", f"(?<![^ ])``{_END}", '"'),
        Rule("''", f"(?<![^ ])''{_END}", '"'),
    ),
)

_BY_LANGUAGE = {
    # don ' t, Tom ' s; don 't, Tom 's; do n't; o 'clock. The space comes first, so that most places are ruled out fast.
    "en": Marks(
        r"['’][^ ]*|[nN]['’][tT](?:['’][^ ]*)?",
        (
            Rule("", rf" (['’]) (?={_ENDINGS}{_END})(?<=[{LETTER}] ['’] )", r"\1"),
            Rule("", rf" (['’]) (?=[tT]{_END})(?<=[nN] ['’] )", r"\1"),
            Rule("", rf" (?=['’]{_ENDINGS}{_END})(?<=[{ALNUM}] )", ""),
            Rule("", rf" (?=['’][tT]{_END})(?<=[nN] )", ""),
            Rule("", rf" (?=[nN]['’][tT](?![^ '’]))(?<=[{LETTER}] )", ""),
            Rule("", rf"([oOdl]) (['’])(?<![{ALNUM}][oOdl] ['’]) ?(?=[{LETTER}]{{2}})", r"\1\2"),
        ),
    ),
    # l' homme, l ' homme
    "fr": Marks(
        r"[^ ]*['’]",
        (
            Rule(
                "",
                rf"(?<![{ALNUM}])((?i:[ldjmtsnc]|(?:jus|lors|puis|quoi|quel|pres)?qu|aujourd)) ?(['’]) (?=[{LETTER}])",
                r"\1\2",
            ),
        ),
    ),
}
"""Language → marks of contractions, which differ between languages."""


@frozen
class Unescaper:
    """Decodes the entities of lines, normalizes Unicode and undoes the marks of tokenizers.

    Contractions are rejoined in the languages ``en`` and ``fr``.
    """

    language: str = "en"

    def preparation(self) -> Preparation:
        """The tests that find lines with marks, for the compiled engine."""
        return Preparation(_SIGNS, _pattern_of_marks(self.language).search, is_unified, self)

    def __call__(self, line: str) -> str:
        """The unescaped line."""
        has_mark = any(sign in line for sign in _SIGNS) and _pattern_of_marks(self.language).search(line)
        if not has_mark and is_unified(line):
            return line
        line = unify(decode_entities(unify(line)))
        for marks in _marks_of(self.language):
            for rule in marks.rules:
                line = rule.apply(line)
        return line


def unescape(text: str, language: str = "en") -> str:
    r"""Restore a text as text modes ``unescaped-…`` do: decode entities, normalize Unicode, undo tokenizers' marks.

    >>> unescape("Tom &amp; Ann do n't say &quot; well @-@ known & quot ; .")
    'Tom & Ann don\'t say " well-known " .'

    Args:
        text: a segment.
        language: its code; English and French contractions are rejoined.
    """
    return Unescaper(language)(text)


def _marks_of(language: str) -> Iterator[Marks]:
    yield _ANY_LANGUAGE
    if language in _BY_LANGUAGE:
        yield _BY_LANGUAGE[language]


@cache
def _pattern_of_marks(language: str) -> re.Pattern[str]:
    tokens = "|".join(marks.tokens for marks in _marks_of(language))
    return pattern_of(f"&|(?<![^ ])(?:{tokens}){_END}")


_HIDDEN_SPACES = "\u1680\u200b\u2028\u2029"
"""Spaces that hardly any text mode splits at. Words of Khmer and Thai end at U+200B."""

_INVISIBLE = f"[{_HIDDEN_SPACES}\u00ad\u034f\u061c\u180b-\u180e\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
"""Hidden spaces, soft hyphens, word joiners, byte order marks, marks of direction and the like.

Persian, Indic scripts and emoji need U+200C and U+200D, so these stay.
"""

_WINDOWS_CONTROLS = "[\x80\x82-\x8c\x8e\x91-\x9c\x9e\x9f]"
"""Control characters that HTML, too, takes for Windows-1252: it has no characters in the places of the others."""

_UTF8_CONTROLS = "[\xc2-\xf4](?=[\x80-\xbf]{0,2}[\x80-\x9f])[\x80-\xbf]{1,3}"
"""Bytes of one character or two in UTF-8, read as Latin-1, with a control character among them."""

_OTHER_SPACES = "[\u00a0\u2000-\u200a\u202f\u205f\u3000]"

_NEWER_RUN = f"([{NEWER}]+)"

_MOST_MARKS = 30
"""Most combining marks in a row that are put in order, as in Unicode's stream-safe format; no language needs more."""
_MANY_MARKS = r"[^\w\x00-\u02ff]{14}"
"""Characters that can be more than `_MOST_MARKS`: some stand for two, and the letter before them has up to three."""


def unify(text: str) -> str:
    """Normalize a text: compose letters (by `compose`), remove invisible characters, make every space a blank.

    Control characters that come of reading Windows-1252, or UTF-8, in a wrong encoding become what they stand for.
    """
    if is_unified(text):
        return text
    text = pattern_of(f"{_UTF8_CONTROLS}|{_WINDOWS_CONTROLS}").sub(_decode_controls, text)
    return compose(pattern_of(_INVISIBLE).sub("", pattern_of(f"{_OTHER_SPACES}|[{_HIDDEN_SPACES}]").sub(" ", text)))


def _decode_controls(run: re.Match[str]) -> str:
    """The characters of bytes that were read as Latin-1, in UTF-8 if they are several, else in Windows-1252."""
    data = run[0].encode("latin-1")
    try:
        return data.decode("cp1252" if len(data) == 1 else "utf-8")
    except UnicodeDecodeError:
        return pattern_of(_WINDOWS_CONTROLS).sub(_decode_controls, run[0])


def compose(text: str) -> str:
    """The text in Unicode's NFC, the same in every version of Python, in time proportional to its length.

    Characters newer than Unicode 13 are left alone, and nothing is composed or reordered across them, nor across the
    ends of 30 combining marks in a row: Unicode's stream-safe format (UAX #15) has U+034F there, for which NFC is the
    same. Here none is inserted, because `unify` removes invisible characters; no text that people write has such runs.
    """
    parts = pattern_of(_NEWER_RUN).split(text)
    parts[::2] = ["".join(unicodedata.normalize("NFC", piece) for piece in _pieces(part)) for part in parts[::2]]
    return "".join(parts)


def _pieces(text: str) -> list[str]:
    """The text cut within long runs of marks, so that no piece has more than `_MOST_MARKS` in a row."""
    if not pattern_of(_MANY_MARKS).search(text):
        return [text]
    decomposed = "".join(unicodedata.normalize("NFD", letter) for letter in text)
    starts, marks = [0], 0
    for index, letter in enumerate(decomposed):
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks > _MOST_MARKS:
            starts.append(index)
            marks = 1
    return [decomposed[start:end] for start, end in pairwise([*starts, len(decomposed)])]


def is_unified(text: str) -> bool:
    """Whether `unify` leaves a text as it is."""
    return text.isascii() or (
        has_no_windows_controls(text) and is_visible(text) and has_blanks_only(text) and is_composed(text)
    )


def has_no_windows_controls(text: str) -> bool:
    """Whether a text has no control characters that are characters of Windows-1252, read in a wrong encoding."""
    return not pattern_of(_WINDOWS_CONTROLS).search(text)


def is_visible(text: str) -> bool:
    """Whether a text has no invisible characters."""
    return not pattern_of(_INVISIBLE).search(text)


def has_blanks_only(text: str) -> bool:
    """Whether a text has no no-break, ideographic or other wide or narrow spaces."""
    return not pattern_of(_OTHER_SPACES).search(text)


def is_composed(text: str) -> bool:
    """Whether `compose` leaves a text as it is."""
    if pattern_of(_MANY_MARKS).search(text):
        return compose(text) == text
    if unicodedata.is_normalized("NFC", text):
        return True
    return all(unicodedata.is_normalized("NFC", part) for part in pattern_of(_NEWER_RUN).split(text)[::2])


@cache
def is_suspect(letter: str) -> bool:
    """Whether `unify` changes this character, or could compose it with the one before."""
    return not is_unified(letter) or unicodedata.category(letter)[0] == "M" or "\u1160" <= letter <= "\u11ff"
