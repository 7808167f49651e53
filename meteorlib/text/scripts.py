"""Scripts of letters: those of a sample of segments, and whether blanks separate its words."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache

from meteorlib.core.languages import WITHOUT_BLANKS, iso_code, scripts_of
from meteorlib.parts import TextPart, TokenizerRow

_SCRIPTS = {"CJK": "Han", "HIRAGANA": "Kana", "KATAKANA": "Kana"}
"""First words of the names of letters, where they are not the names of their scripts."""

_NEUTRAL = frozenset(["FULLWIDTH", "HALFWIDTH", "MATHEMATICAL", "SCRIPT", "MICRO", "FEMININE", "MASCULINE"])
"""First words of the names of letters of no script."""

_LEAST_LETTERS = 4

_MANY_LETTERS = 200
"""Letters from which on a smaller share of another script counts: in a few words it may be a name."""


@lru_cache(1 << 12)
def script_of(letter: str) -> str:
    """The script of a letter, such as ``Latin`` or ``Han``; empty for any other character."""
    if not letter.isalpha() or unicodedata.category(letter) == "Lm":
        return ""
    first = unicodedata.name(letter, "").partition(" ")[0]
    return "" if first in _NEUTRAL else _SCRIPTS.get(first, first.title())


class Letters:
    """Letters of a sample of segments by script, and the blank-separated tokens with letters of each."""

    def __init__(self) -> None:
        self.scripts: Counter[str] = Counter()
        self.tokens: Counter[str] = Counter()

    def add(self, text: str) -> None:
        """Add a segment."""
        if text.isascii():
            self.scripts["Latin"] += sum(map(str.isalpha, text))
            return
        self.scripts.update(filter(None, map(script_of, text)))
        if self.scripts.keys() & WITHOUT_BLANKS.keys():
            for token in text.split():
                self.tokens.update({*map(script_of, token)} & WITHOUT_BLANKS.keys())

    def foreign(self, language: str) -> str:
        """The most frequent script that a language is not written in, by METEOR's or ISO's code; empty for none.

        Letters of other scripts are then 30% of all, or half of a few.
        """
        code = iso_code(language)
        total = self.scripts.total()
        if code is None or total < _LEAST_LETTERS:
            return ""
        others = Counter({script: count for script, count in self.scripts.items() if script not in scripts_of(code)})
        share = 0.3 if total >= _MANY_LETTERS else 0.5
        return others.most_common(1)[0][0] if others and others.total() >= share * total else ""

    def suits(self, language: str, part: TextPart) -> bool:
        """Whether a language has these letters, and its text mode finds words in them."""
        return not (self.foreign(language) or self.unsplit(part))

    def unsplit(self, part: TextPart) -> str:
        """The script without blanks whose words a text mode does not separate; empty for none."""
        row = part.make if isinstance(part.make, TokenizerRow) else None
        script = self.without_blanks()
        is_split = not part.tokens if row is None else _separates(row, script)
        return "" if is_split else script

    def without_blanks(self) -> str:
        """The script whose words have no blanks between them; empty for none."""
        if not self.tokens:
            return ""
        script, tokens = self.tokens.most_common(1)[0]
        letters = sum(count for name, count in self.scripts.items() if name in WITHOUT_BLANKS)
        is_common = letters >= 0.3 * self.scripts.total()
        return script if is_common and letters > WITHOUT_BLANKS[script] * tokens else ""


def _separates(row: TokenizerRow, script: str) -> bool:
    """Whether a tokenizer finds words without blanks between them; Unicode's rules make each Han letter a word."""
    return "spaces" not in row.languages or (row.name == "uax29" and script in ("Han", "Kana"))


_FIRST, _LATER = 40, 3
"""Segments of the first batch and of each later one that are looked at, at most: a look at all takes time."""


class LetterSample:
    """The letters of a sample of the segments of a file."""

    def __init__(self) -> None:
        self.letters: Letters = Letters()
        self._size = _FIRST

    def add(self, text: bytes) -> None:
        """Look at some of the segments of a batch, lines in UTF-8."""
        starts = {text.rfind(b"\n", 0, at) + 1 for at in range(0, len(text), len(text) // self._size + 1)}
        self._size = _LATER
        for start in starts:
            end = text.find(b"\n", start)
            self.letters.add((text[start:] if end < 0 else text[start:end]).decode("utf-8", "replace"))
