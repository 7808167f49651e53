"""Caches."""

from __future__ import annotations

from meteorlib import caches
from meteorlib.caches import Memo


def test_a_word_is_looked_up_once():
    """A known word is not looked up again."""
    asked = []
    known = Memo(lambda word: asked.append(word) or word.upper())
    assert [known["a"], known["b"], known["a"]] == ["A", "B", "A"]
    assert asked == ["a", "b"]


def test_bounded(monkeypatch):
    """The cache is emptied before it exceeds its limit, and remains usable."""
    monkeypatch.setattr(caches, "WORDS", 3)
    known = Memo(str.upper)
    for word in "abcdefg":
        assert known[word] == word.upper()
        assert len(known) <= 3
