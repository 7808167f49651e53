"""METEOR 1.5's normalizer as replacements on a whole line: the readable form, which is authoritative.

`meteorlib.text.normalizer` does the same faster, token by token, and is tested against this.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import frozen

from meteorlib.core.languages import TUNED_LANGUAGES
from meteorlib.core.numbers_and_letters import CONTROLS_AND_SPACE
from meteorlib.errors import MeteorError
from meteorlib.text.case import lowercase
from meteorlib.text.token import Prefixes, pattern_of, split

# Latin with its accents (× and ÷ are signs), Cyrillic, phonetic letters; no Greek, no combining accents.
LETTER = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e\u0400-\u0527\ua640-\ua66e\ua67e-\ua697\u1d00-\u1d7f"
ALNUM = LETTER + "0-9"


@frozen
class Rule:
    """A replacement of all matches of a pattern, from left to right.

    Attributes:
        mark: a text without which the pattern cannot match; empty for none.
    """

    mark: str
    pattern: str
    replacement: str

    def apply(self, text: str) -> str:
        """`text` with every match replaced."""
        return pattern_of(self.pattern).sub(self.replacement, text) if self.mark in text else text


SIGNS = Rule("", rf"([^{ALNUM} \t\n\v\f\r.'`,\-‘’])", r" \1 ")
_DOTS = Rule("..", r"\.(\.+)", r" DOTMULTI\1")
_DOTS_END = Rule("", r"DOTMULTI\.([^.])", r"DOTDOTMULTI \1")
_RUN_OF_DOTS = re.compile(r"\.\.+")
_PROTECTED_DOTS = re.compile(r"(?<!DOT)((?:DOT)+)MULTI")
_COMMAS_QUOTES_HYPHENS = (
    Rule(",", r"([^0-9]),([^0-9])", r"\1 , \2"),
    Rule(",", r"([0-9]),([^0-9])", r"\1 , \2"),
    Rule(",", r"([^0-9]),([0-9])", r"\1 , \2"),
    Rule("`", "`", "'"),
    Rule("‘", "‘", "'"),
    Rule("’", "’", "'"),
    Rule("“", "“", ' " '),
    Rule("”", "”", ' " '),
    Rule("''", "''", ' " '),
    Rule("–", "–", "-"),
    Rule("--", "--", "-"),
    Rule("-", rf"([{ALNUM}.])-([{ALNUM}])", r"\1 \2"),
)
_APOSTROPHES = {
    "en": (
        Rule("'", rf"([^{LETTER}])'([^{LETTER}])", r"\1 ' \2"),
        Rule("'", rf"([^{ALNUM}])'([{LETTER}])", r"\1 ' \2"),
        Rule("'", rf"([{LETTER}])'([^{LETTER}])", r"\1 ' \2"),
        Rule("'", rf"([{LETTER}])'([{LETTER}])", r"\1 '\2"),
        Rule("'s", r"([0-9])'s", r"\1 's"),
    ),
    "fr": (
        Rule("'", rf"([^{LETTER}])'([^{LETTER}])", r"\1 ' \2"),
        Rule("'", rf"([^{LETTER}])'([{LETTER}])", r"\1 ' \2"),
        Rule("'", rf"([{LETTER}])'([^{LETTER}])", r"\1 ' \2"),
        Rule("'", rf"([{LETTER}])'([{LETTER}])", r"\1' \2"),
    ),
}
_ELISIONS = {"en": " '", "fr": "' "}
_APOSTROPHES_ELSEWHERE = (Rule("'", "'", " ' "),)
_PUNCTUATION = Rule("", rf"[^{ALNUM}]", " ")
_SPACES = Rule("", "[ \u2000-\u200a\u202f\u205f\u3000\u00a0]+", " ")

_LETTER = rf"[{LETTER}]"
_BEGINS_LOWER = re.compile(r"[a-z]")
_BEGINS_DIGIT = re.compile(r"[0-9]")


@frozen
class LineRules:
    """The normalization rules of one language, in METEOR 1.5's order.

    Attributes:
        punctuation: False drops all signs that are neither letters nor digits.
        lowers: whether words are lowercased.
    """

    language: str
    prefixes: Prefixes
    punctuation: bool = True
    lowers: bool = True

    def __attrs_post_init__(self) -> None:
        if self.language not in TUNED_LANGUAGES:
            raise MeteorError(
                f"METEOR 1.5 has no normalizer for language {self.language!r} (only for {', '.join(TUNED_LANGUAGES)}): "
                "pre-tokenize the text and use text mode none or lower"
            )

    @property
    def elision(self) -> str:
        """Replacement of an apostrophe between two letters, with a space where the word is cut."""
        return _ELISIONS.get(self.language, " ' ")

    def words(self, line: str) -> list[str]:
        """The words of `line`, normalized and lowercased."""
        return split(self.lower(self.normalize(line)))

    def lower(self, text: str) -> str:
        """`text` in lowercase, unless case is kept."""
        return lowercase(text) if self.lowers else text

    def normalize(self, line: str) -> str:
        """The normalized line: words separated by single spaces, case kept."""
        return self.join(self.pieces(line))

    def pieces(self, line: str) -> list[str]:
        """The line in pieces; a final dot is part of its word, and runs of dots are written as DOT…DOTMULTI."""
        line = _protect_dots(SIGNS.apply(f" {line} "))
        # in METEOR 1.5's order: each rule applies to what the ones before it made
        for rule in _COMMAS_QUOTES_HYPHENS:
            line = rule.apply(line)
        for rule in _APOSTROPHES.get(self.language, _APOSTROPHES_ELSEWHERE):
            line = rule.apply(line)
        return split(line)

    def split_final_dot(self, piece: str, follower: str) -> tuple[str, ...]:
        """`piece` with its final dot kept, split off or removed; `follower` is the next piece, or empty."""
        stem = piece[:-1]
        if not stem or piece[-1] != ".":
            return (piece,)
        if "." in stem and pattern_of(_LETTER).search(stem):
            return (piece.replace(".", ""),)
        always, before_number = self.prefixes
        if stem in always or _BEGINS_LOWER.match(follower):
            return (piece,)
        if stem in before_number and _BEGINS_DIGIT.match(follower):
            return (piece,)
        return (stem, ".")

    def join(self, pieces: Sequence[str], follower: str = "") -> str:
        """The line that `pieces` make before `follower`: dots as written, single spaces."""
        followers = [*pieces[1:], follower]
        line = " ".join(part for pair in zip(pieces, followers, strict=False) for part in self.split_final_dot(*pair))
        if "DOTMULTI" in line:
            line = _PROTECTED_DOTS.sub(lambda match: "." * (len(match[1]) // len("DOT")), line)
        if not self.punctuation:
            line = _PUNCTUATION.apply(line)
        return _SPACES.apply(line).strip(CONTROLS_AND_SPACE)


def _protect_dots(line: str) -> str:
    if "DOTMULTI" not in line:
        if ".." not in line:
            return line
        # The result of the loop below, without one round per dot.
        return _RUN_OF_DOTS.sub(lambda run: f" {'DOT' * len(run[0])}MULTI ", line)
    line = _DOTS.apply(line)
    while "DOTMULTI." in line:
        line = _DOTS_END.apply(line).replace("DOTMULTI.", "DOTDOTMULTI")
    return line
