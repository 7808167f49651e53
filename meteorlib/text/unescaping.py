"""Text modes whose lines are unescaped first: entities decoded, Unicode normalized, tokenizers' marks undone.

A tokenizer's marks are tokens between spaces: ``do n't``, ``Tom 's``, ``@-@``, ``-LRB-``. A line without such a token,
without ``&``, decomposed letters and invisible characters is left as it is, so the engines look for these only.

Entities of HTML and XML are decoded even if a tokenizer tore them apart or they were escaped more than once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from attrs import frozen

from meteorlib.text.rules import ALNUM, LETTER, Rule, pattern_of
from meteorlib.text.token import Preparation, Tokens
from meteorlib.text.unicode_form import is_unified, unify

_ROUNDS = 8
"""Maximum depth of entities whose characters are themselves entities; limits the time for contrived text."""

_TORN_NAMES = "quot|apos|amp|lt|gt|nbsp|[lr][sd]quo|[lr]aquo|[nm]dash|hellip"
"""Names that are recognized with blanks inside, because no English word is among them (unlike ``& image ;``)."""

_MOSES = {"bar": "|", "pipe": "|", "bra": "[", "ket": "]"}
"""Names of older versions of Moses, which HTML does not have."""

_ENTITY = re.compile(
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
        decoded = _ENTITY.sub(_decode, line)
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
    return next((found[0] for found in _ENTITY.finditer(line) if _decode(found) != found[0]), None)


@frozen
class Marks:
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

    Attributes:
        language: METEOR's code of the language; contractions are rejoined in ``en`` and ``fr``.
    """

    language: str = "en"

    @property
    def marks(self) -> re.Pattern[str]:
        """Pattern that finds a mark in a line, or in a token; a line where it finds none stays as it is."""
        return _pattern_of_marks(self.language)

    def __call__(self, line: str) -> str:
        """The unescaped line."""
        has_mark = any(sign in line for sign in _SIGNS) and self.marks.search(line)
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


@frozen
class Unescaped:
    """A text mode ``unescaped-NAME``: lines are unescaped, then the text mode NAME turns them into words.

    Attributes:
        text: the text mode NAME.
        unescape: line → unescaped line.
    """

    text: Any
    unescape: Unescaper

    def words(self, line: str) -> Sequence[str]:
        """The words of the unescaped line."""
        words: Sequence[str] = self.text.words(self.unescape(line))
        return words

    def tokens(self) -> Tokens:
        """Description of tokens for the compiled engine."""
        described: Tokens = self.text.tokens()
        is_mark: Callable[[str], object] = self.unescape.marks.search
        return described._replace(preparation=Preparation(_SIGNS, is_mark, is_unified, self.unescape))

    @property
    def versions(self) -> Any:
        """Versions of the packages that the text mode works with."""
        return getattr(self.text, "versions", None)
