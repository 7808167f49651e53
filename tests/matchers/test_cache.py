"""The store of what is known of words."""

from __future__ import annotations

from meteorlib.matchers import cache
from meteorlib.matchers.cache import WordCache


def test_a_word_is_analysed_once():
    """The same word is not analysed again."""
    asked = []
    known = WordCache(lambda word: asked.append(word) or word.upper())
    assert [known["a"], known["b"], known["a"]] == ["A", "B", "A"]
    assert asked == ["a", "b"]


def test_bounded(monkeypatch):
    """The store is emptied before it holds more than its limit, and goes on."""
    monkeypatch.setattr(cache, "LIMIT", 3)
    known = WordCache(str.upper)
    for word in "abcdefg":
        assert known[word] == word.upper()
        assert len(known) <= 3
