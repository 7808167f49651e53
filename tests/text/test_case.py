"""The case of words, apart from the words."""

from __future__ import annotations

import pickle

import pytest

from meteorlib.registry import TEXTS
from meteorlib.resources.word_lists import nonbreaking_prefixes
from meteorlib.text.case import CAPITALIZED, LOWERCASE, MIXED_CASE, split_case

NEEDED = {"13a": ("sacrebleu",), "uax29": ("regex",)}
TEXT = "The EU met, said eBay's boss; ΣΑΣ 3A."


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("the", ("the", LOWERCASE)),
        ("The", ("the", CAPITALIZED)),
        ("I", ("i", CAPITALIZED)),
        ("EU", ("eu", MIXED_CASE)),
        ("eBay", ("ebay", MIXED_CASE)),
        ("3A", ("3a", MIXED_CASE)),
        ("'S", ("'s", MIXED_CASE)),
        ("3.5", ("3.5", LOWERCASE)),
        ("", ("", LOWERCASE)),
        ("ΣΑΣ", ("σας", MIXED_CASE)),
    ],
)
def test_apart(word, expected):
    """A word is as its lowercase, has a capital at its start alone, or is written in another way."""
    assert split_case(word) == expected


@pytest.mark.parametrize("name", ["none", "lower", "norm", "norm_nopunct", "split_lower", "13a", "uax29"])
def test_text_modes_keep_case_when_they_are_asked(name):
    """The words with their case are, in lowercase, the words."""
    for module in NEEDED.get(name, ()):
        pytest.importorskip(module, reason=f"text mode {name} needs {module}")
    text = TEXTS.get(name)("en", nonbreaking_prefixes("en"))
    words = text.cased().words(TEXT)
    assert words[:2] == ["The", "EU"]
    assert [split_case(word)[0] for word in words] == [split_case(word)[0] for word in text.words(TEXT)]


@pytest.mark.parametrize("name", ["lower", "norm", "norm_nopunct", "split_lower"])
def test_a_pickle_keeps_case(name):
    """A text mode that keeps case does so after pickling."""
    text = TEXTS.get(name)("en", nonbreaking_prefixes("en")).cased()
    assert pickle.loads(pickle.dumps(text)).words(TEXT) == text.words(TEXT)  # noqa: S301 - made here
