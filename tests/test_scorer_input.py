"""What a Scorer refuses, in exact words."""

from __future__ import annotations

from math import isnan

import pytest

from meteorlib import ParameterConfig, Scorer, ScorerConfig, StageConfig
from meteorlib.errors import ConfigError, InputMismatch, InvalidText, ResourceMissing, UnknownName

PAPER = Scorer()
EXACT = Scorer("meteor-2005-exact")
NEW = Scorer("meteor-1.5-en-core")
ALL = {"2005": PAPER, "exact": EXACT, "1.5": NEW}


@pytest.mark.parametrize(
    ("references", "hypothesis"),
    [
        ("a b", ["a"]),
        (["a b"], ["a"]),
        ([["a"], "b"], ["a"]),
        ([["a"]], "a"),
        ([["a"]], [b"a"]),
        ([[1]], ["a"]),
        ([["a"]], [None]),
    ],
)
def test_words_are_not_guessed(references, hypothesis):
    """score_tokens takes lists of words and nothing else: no meaning is guessed from a shape."""
    with pytest.raises(TypeError):
        PAPER.score_tokens(references, hypothesis)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "message"),
    [
        (["a"], ["a"], "a hypothesis must be a string, got list"),
        ([["a"]], "a", "a reference must be a string, got list"),
        (["a", None], "a", "reference 2 must be a string, got NoneType"),
        ("a", b"a", "a hypothesis must be a string, got bytes"),
        ("a", None, "a hypothesis must be a string, got NoneType"),
    ],
)
def test_texts_are_not_guessed(reference, hypothesis, message):
    """Score takes text and nothing else; the error names the side and what was given."""
    with pytest.raises(TypeError) as caught:
        PAPER.score(reference, hypothesis)
    assert str(caught.value) == message


@pytest.mark.parametrize("reference", [b"a", None, 1, [b"a"], {"a": 1}.values()])
def test_no_text_at_all(reference):
    """What is neither text nor texts is refused."""
    with pytest.raises(TypeError):
        PAPER.score(reference, "a")


def test_no_reference():
    """A hypothesis without a reference cannot be scored."""
    for ask in (lambda: PAPER.score([], "a"), lambda: PAPER.score_tokens([], ["a"])):
        with pytest.raises(InputMismatch) as caught:
            ask()
        assert str(caught.value) == "a hypothesis needs at least one reference, got none"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a\0b", "NUL character at offset 1; remove it, or read the file as UTF-16"),
        ("é \udc80", "lone surrogate U+DC80 at offset 2; decode the text anew"),
        ("\ud83d", "lone surrogate U+D83D at offset 0; decode the text anew"),
    ],
)
def test_invalid_text(text, reason):
    """NUL and lone surrogates are refused on either side, with side and offset."""
    asked = {
        "hypothesis": lambda: PAPER.score("a", text),
        "reference": lambda: PAPER.score([text], "a"),
        "reference 2": lambda: PAPER.score(["a", text], "a"),
        "word": lambda: PAPER.score_tokens([["a", text]], ["a"]),
    }
    for side, ask in asked.items():
        with pytest.raises(InvalidText) as caught:
            ask()
        assert str(caught.value) == f"{side}: {reason}"


def test_empty_sides():
    """Without words on a side the score is 0, and what has no value is NaN."""
    for pair in (("", "a"), ("a", ""), ("", ""), (" \n", "\t")):
        for metric in ALL.values():
            found = metric.score(*pair)
            assert found.score == 0.0
            assert isnan(found.penalty)


def test_unknown_preset():
    """An unknown preset is an error with the nearest name and all names."""
    with pytest.raises(UnknownName) as caught:
        Scorer("meteor-2004")
    assert str(caught.value).startswith("unknown preset 'meteor-2004' (did you mean 'meteor-2005'?); known: ")


@pytest.mark.parametrize(("given", "kind"), [(None, "NoneType"), (2005, "int"), ({"language": "en"}, "dict")])
def test_no_preset_at_all(given, kind):
    """What is neither a preset's name nor a configuration is refused."""
    with pytest.raises(TypeError, match=rf"^a preset's name or a ScorerConfig is expected, got {kind}$"):
        Scorer(given)


def test_missing_resource(monkeypatch, tmp_path):
    """A preset whose data is not installed says which command installs it."""
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path))
    with pytest.raises(ResourceMissing) as caught:
        Scorer("meteor-1.5-en")
    assert "meteorlib resources install paraphrase-en" in str(caught.value)


def test_conflicting_configuration():
    """Settings that are wrong together are refused, all of them."""
    config = ScorerConfig("mine", [StageConfig("stem"), StageConfig("synonym")], ParameterConfig(0.5, 1, 0.5))
    with pytest.raises(ConfigError) as caught:
        Scorer(config)
    assert len(caught.value.problems) == 2


@pytest.mark.parametrize("scorer", [PAPER, NEW])
def test_a_segment_is_no_string(scorer):
    """A string is not taken apart into a hypothesis and references of one character."""
    with pytest.raises(TypeError, match=r"a segment must be a meteorlib\.Pair\(references, hypothesis\), got str"):
        scorer.totals(["ab"])
