"""Looking phrases up in a paraphrase table, as the matcher does it."""

from __future__ import annotations

from collections.abc import Iterable


def number(opened, phrase: str) -> int:
    """The number of a phrase, or of words that some phrase begins with; else -1."""
    first, *others = map(opened.word, phrase.split(" "))
    for word in others:
        if first < 0 or word < 0:
            return -1
        low, high, _, _ = opened.node(first)
        first = next((child for child in range(low, high) if opened.last_words[child] == word), -1)
    return first


def targets(opened, source: str, phrases: Iterable[str]) -> list[str]:
    """The paraphrases of `source`, spelled out by means of the phrases that may occur."""
    spelled = {number(opened, phrase): phrase for phrase in phrases}
    _, _, begin, end = opened.node(number(opened, source))
    return [spelled[target] for target in opened.targets[begin:end]]
