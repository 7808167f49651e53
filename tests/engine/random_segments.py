"""Random segments, and the comparison of both engines on one."""

from __future__ import annotations


def random_words(draw, vocabulary, phrases, length):
    """Words of a vocabulary and, each fifth time, a side of a phrase."""
    words: list[str] = []
    while len(words) < length:
        words += draw.choice(phrases)[draw.randint(0, 1)].split() if draw.random() < 0.2 else [draw.choice(vocabulary)]
    return words[:length]


def same_results(engine, reference, others, words):
    """Align a hypothesis with a reference in both engines, which find and score the same; the result."""
    ours, theirs = engine.analyze(others), reference.analyze(others)
    found = engine.align(ours, engine.analyze(words))
    assert found == reference.align(theirs, reference.analyze(words)), (others, words)
    scores = engine.scores([ours], [engine.analyze(words)])
    assert scores == reference.scores([theirs], [reference.analyze(words)]), (others, words)
    return found
