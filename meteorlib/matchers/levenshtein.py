"""Levenshtein distance of two words."""

from __future__ import annotations


def levenshtein(first: str, second: str) -> int:
    """Number of insertions, deletions and replacements between two words (Levenshtein 1966; bits: Hyyrö 2003)."""
    if not first:
        return len(second)
    places: dict[str, int] = {}
    for place, letter in enumerate(first):
        places[letter] = places.get(letter, 0) | 1 << place
    every = (1 << len(first)) - 1
    last = 1 << (len(first) - 1)
    more, less, distance = every, 0, len(first)
    for letter in second:
        equal = places.get(letter, 0)
        diagonal = (((equal & more) + more) ^ more) | equal | less
        up = less | ~(diagonal | more)
        down = more & diagonal
        distance += bool(up & last) - bool(down & last)
        up, down = up << 1 | 1, down << 1
        more = (down | ~(diagonal | up)) & every
        less = up & diagonal & every
    return distance
