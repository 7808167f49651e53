"""Small problems for the optimal search, and all alignments that they have."""

from __future__ import annotations

from hypothesis import strategies as st

from meteorlib.core.alignment import Chunking

GAINS = (1.0, 0.5, 0.5, 0.5)


def quality(matches, gains=GAINS):
    """Criteria of an alignment, smaller is better: matched (negative), chunks, distance."""
    matched = sum(gains[stage] * (length + words) for _, length, _, words, stage in matches)
    return -matched, Chunking.of(matches).count, sum(abs(match[0] - match[2]) for match in matches)


def alignments(candidates, position=0, used=frozenset()):
    """Every set of candidates that take no word twice, in reference order."""
    if position >= len(candidates):
        yield ()
        return
    for length, start, words, stage in set(candidates[position]):
        span = frozenset(range(start, start + words))
        if not span & used and position + length <= len(candidates):
            for rest in alignments(candidates, position + length, used | span):
                yield ((position, length, start, words, stage), *rest)
    yield from alignments(candidates, position + 1, used)


@st.composite
def problems(draw, longest=6, types="aaabc", others=6, words_of_phrases=3):
    """Candidates of few word types in several stages, with phrases of up to three words and repeated candidates."""
    words = st.lists(st.sampled_from(types), max_size=longest)
    reference, hypothesis = draw(words), draw(words)
    candidates = [[(1, start, 1, 0) for start, word in enumerate(hypothesis) if word == wanted] for wanted in reference]
    if reference and hypothesis:
        for _ in range(draw(st.integers(0, others))):
            position = draw(st.integers(0, len(reference) - 1))
            start = draw(st.integers(0, len(hypothesis) - 1))
            length = draw(st.integers(1, min(words_of_phrases, len(reference) - position)))
            hypothesis_words = draw(st.integers(1, min(words_of_phrases, len(hypothesis) - start)))
            candidates[position].append((length, start, hypothesis_words, draw(st.integers(0, 3))))
    return candidates, len(hypothesis)
