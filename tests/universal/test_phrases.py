"""The phrases of a text, and their numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.universal.phrase_numbers import Numbering, number_words
from meteorlib.universal.phrases import Phrases

LINES = st.lists(st.lists(st.sampled_from("abc"), max_size=10), max_size=6)


@given(LINES, st.lists(st.lists(st.sampled_from("abcd"), max_size=9), max_size=30))
def test_phrases(lines, asked):
    """A phrase occurs if its words are adjacent in one line, however long it is; the empty phrase occurs everywhere."""
    phrases = Phrases(lines)
    asked += [line[begin:end] for line in lines for begin in range(3) for end in range(begin, len(line) + 1)]
    for phrase in asked:
        expected = any(f" {' '.join(phrase)} " in f" {' '.join(line)} " for line in lines)
        assert (phrase in phrases) == (expected or not phrase)


@given(LINES)
def test_numbers(tmp_path_factory, lines):
    """Phrases of up to seven words have the same number if they are the same, and their number gives them back."""
    words, text, lengths = number_words(lines)
    assert lengths.tolist() == [len(line) for line in lines]
    numbering = Numbering(words, text, tmp_path_factory.mktemp("numbers"), lambda *_: None)
    place, found = 0, {}
    for line in lines:
        for begin in range(len(line)):
            for length in range(1, min(7, len(line) - begin) + 1):
                number = int(numbering.at(np.array([place + begin]), np.array([length]))[0])
                phrase = " ".join(line[begin : begin + length])
                assert numbering.phrase(number) == phrase
                assert found.setdefault(number, phrase) == phrase
        place += len(line) + 1
    assert len(found) == len(set(found.values())) == len(numbering)
    has_a = numbering.flagged(np.array([word == "a" for word in words], dtype=bool), np.logical_or)
    assert {found[int(number)] for number in np.flatnonzero(has_a)} == {name for name in found.values() if "a" in name}


def test_phrases_of_a_part(tmp_path):
    """The words of the text from any position on are known."""
    words, text, _ = number_words(["a b".split(), "b c a".split()])
    numbering = Numbering(words, text, tmp_path, lambda *_: None)
    within = {numbering.phrase(int(number)) for number in np.flatnonzero(numbering.within(3))}
    assert within == {"b", "c", "a", "b c", "c a", "b c a"}
