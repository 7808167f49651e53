"""Longest-match lexer: regular expressions as one automaton, which reads any text in linear time.

Rules overlap; the longest match wins, and what must follow a token counts in its length. A backtracking engine would
try every rule at every place and read far ahead for each. Here one automaton follows all rules at once; its states are
made when a text first needs them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from typing import NamedTuple

from attrs import frozen

NONE = -1
"""Number of no state, and of no rule."""

MARK_EVERY = 64
"""Distance of the places where a failed search leaves a mark.

A later search that comes there in the same state stops, so time stays linear (Reps 1998, "Maximal-munch tokenization in
linear time"); the distance saves memory.
"""

_ATOM = re.compile(r"\[(\^?)((?:\\.|[^\]\\])+)\]|\\(.)|([^()|*+?{}])", re.DOTALL)
_CHAR = r"(\\.|[^\\])"
_ITEM = re.compile(f"{_CHAR}-{_CHAR}|{_CHAR}", re.DOTALL)
_REPEAT = re.compile(r"([*+?])|\{(\d+),(\d+)\}")
_REPEATS = {"*": (0, None), "+": (1, None), "?": (0, 1)}


@frozen
class Rule:
    """A kind of token.

    Attributes:
        pattern: regular expression of characters, sets, groups ``( )``, ``|`` and ``* + ? {m,n}``.
        before: pattern of what must follow a token.
    """

    pattern: str
    before: str = ""


class _Part(NamedTuple):
    """A part of a pattern as positions: whether it may be empty, and those that may come first and last."""

    empty: bool
    first: frozenset[int]
    last: frozenset[int]


_NOTHING = _Part(empty=True, first=frozenset(), last=frozenset())


class _Positions:
    """The characters of patterns as numbered positions, and which may follow each (Glushkov's construction)."""

    def __init__(self) -> None:
        self.chars: list[tuple[frozenset[str], bool]] = []  # and whether all others are meant
        self.follow: list[set[int]] = []

    def read(self, pattern: str) -> _Part:
        """Number the positions of a pattern."""
        self._pattern = pattern
        part, index = self._alternatives(0)
        if index != len(pattern):
            raise ValueError(f"cannot read {pattern[index:]!r} in {pattern!r}")
        return part

    def _alternatives(self, index: int) -> tuple[_Part, int]:
        part, index = self._sequence(index)
        while self._pattern[index : index + 1] == "|":
            other, index = self._sequence(index + 1)
            part = _Part(part.empty or other.empty, part.first | other.first, part.last | other.last)
        return part, index

    def _sequence(self, index: int) -> tuple[_Part, int]:
        part = _NOTHING
        while index < len(self._pattern) and self._pattern[index] not in "|)":
            begin, (item, index) = index, self._item(index)
            repeat = _REPEAT.match(self._pattern, index)
            if not repeat:
                part = self._join(part, item)
                continue
            least, most = _REPEATS[repeat[1]] if repeat[1] else (int(repeat[2]), int(repeat[3]))
            for count in range(max(least, most or 1)):
                item = self._item(begin)[0] if count else item
                if most is None and count + 1 == max(least, 1):
                    self._link(item.last, item.first)
                part = self._join(part, item if count < least else item._replace(empty=True))
            index = repeat.end()
        return part, index

    def _item(self, index: int) -> tuple[_Part, int]:
        if self._pattern[index] == "(":
            part, index = self._alternatives(index + 1)
            return part, index + 1
        atom = _ATOM.match(self._pattern, index)
        if atom is None:
            raise ValueError(f"cannot read {self._pattern[index:]!r} in {self._pattern!r}")
        negated, items, escaped, plain = atom.groups()
        chars = set(escaped or plain or "")
        for low, high, single in _ITEM.findall(items or ""):
            chars.update(single[-1:] or map(chr, range(ord(low[-1]), ord(high[-1]) + 1)))
        self.chars.append((frozenset(chars), bool(negated)))
        self.follow.append(set())
        position = frozenset({len(self.chars) - 1})
        return _Part(empty=False, first=position, last=position), atom.end()

    def _join(self, before: _Part, after: _Part) -> _Part:
        self._link(before.last, after.first)
        return _Part(
            before.empty and after.empty,
            before.first | after.first if before.empty else before.first,
            before.last | after.last if after.empty else after.last,
        )

    def _link(self, before: frozenset[int], after: frozenset[int]) -> None:
        for position in before:
            self.follow[position] |= after


class _Symbols(dict[int, str]):
    """Character → itself if a pattern names it, else the one that stands for its class."""

    def __init__(self, named: frozenset[str], class_of: Callable[[str], str]) -> None:
        super().__init__((ord(char), char) for char in named)
        self._class_of = class_of

    def __missing__(self, code: int) -> str:
        return self._class_of(chr(code))


class Lexer:
    """Rules as one automaton; threads may share it.

    The first of the rules has precedence among matches of equal length. `class_of` makes of a character that no pattern
    names one that stands for its class in patterns.
    """

    def __init__(self, rules: Sequence[Rule], class_of: Callable[[str], str]) -> None:
        self._before = [re.compile(rf"(?:{rule.before})\Z") if rule.before else None for rule in rules]
        self._lock = Lock()
        self._positions = positions = _Positions()
        first: set[int] = set()
        self._rules: dict[int, int] = {}  # of positions at which a match may end
        for number, rule in enumerate(rules):
            part = positions.read(f"({rule.pattern})({rule.before})" if rule.before else rule.pattern)
            first |= part.first
            self._rules |= dict.fromkeys(part.last, number)
        named = frozenset[str]().union(*(chars for chars, _ in positions.chars))
        self._symbols = _Symbols(named, class_of)
        self._numbers = {frozenset[int](): NONE}  # of states, by the positions at which they are
        self._next: list[frozenset[int]] = []  # state → positions that may come next
        self._moves: list[dict[str, int]] = []  # state → character → state
        self._accepts: list[int] = []  # state → rule
        self._add_state(frozenset(first))

    def tokens(self, text: str, end: int) -> Iterator[tuple[int, str]]:
        """The rule and the text of each token that begins before `end`; what no rule matches is left out."""
        symbols = text.translate(self._symbols)
        failed: set[tuple[int, int]] = set()
        begin = 0
        while begin < end:
            rule, stop = self._longest(symbols, begin, failed)
            if rule == NONE:
                begin += 1
                continue
            before = self._before[rule]
            if before is not None:
                followed = before.search(symbols, begin, stop)
                stop = followed.start() if followed else stop
            yield rule, text[begin:stop]
            begin = stop

    def _longest(self, symbols: str, begin: int, failed: set[tuple[int, int]]) -> tuple[int, int]:
        """The rule of the longest match at a place, and where it ends."""
        moves, accepts = self._moves, self._accepts
        state, rule, end = 0, NONE, begin
        marks = []
        for index in range(begin, len(symbols)):
            symbol = symbols[index]
            reached = moves[state].get(symbol)
            state = self._learn(state, symbol) if reached is None else reached
            if state == NONE:
                break
            if accepts[state] != NONE:
                rule, end = accepts[state], index + 1
            if not index % MARK_EVERY:
                if (index, state) in failed:
                    break
                marks.append((index, state))
        failed.update(mark for mark in marks if mark[0] >= end)
        return rule, end

    def _learn(self, state: int, symbol: str) -> int:
        sets, follow = self._positions.chars, self._positions.follow
        reached = frozenset(
            position for position in self._next[state] if (symbol in sets[position][0]) != sets[position][1]
        )
        with self._lock:
            number = self._numbers.get(reached)
            if number is None:
                number = self._numbers[reached] = len(self._moves)
                self._add_state(frozenset[int]().union(*(follow[position] for position in reached)), reached)
            self._moves[state][symbol] = number
        return number

    def _add_state(self, following: frozenset[int], reached: frozenset[int] = frozenset()) -> None:
        self._next.append(following)
        self._accepts.append(
            min((self._rules[position] for position in reached if position in self._rules), default=NONE)
        )
        self._moves.append({})
