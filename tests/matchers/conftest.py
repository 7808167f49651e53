"""Segments for matchers, and matchers asked the plain way."""

from __future__ import annotations

import pytest

from meteorlib.core import Segment
from meteorlib.matchers.matcher import propose


def where(words):
    """The positions of each distinct word."""
    positions = {}
    for position, word in enumerate(words):
        positions.setdefault(word, []).append(position)
    return positions


def segment(matchers, text):
    """A segment as a Scorer with these matchers makes it."""
    words = tuple(text.split())
    positions = where(words)
    known = [matcher.analyze(words, positions) for matcher in matchers]
    return Segment(words, [False] * len(words), [1] * len(words), positions, known)


@pytest.fixture
def candidates():
    """Matchers, reference, hypothesis → the candidates of each reference position."""

    def ask(matchers, reference, hypothesis):
        found = propose(matchers, segment(matchers, reference), segment(matchers, hypothesis))
        return [list(candidates) for candidates in found]

    return ask
