"""Input that a Scorer refuses, with the exact messages."""

from __future__ import annotations

from math import isnan

import pytest

from meteorlib import Pair, ParameterConfig, Scorer, ScorerConfig, StageConfig
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
        (["a", 1], "a", "reference 2 must be a string, got int"),
        ("a", b"a", "a hypothesis must be a string, got bytes"),
        ("a", None, "a hypothesis must be a string, got NoneType"),
    ],
)
def test_texts_are_not_guessed(reference, hypothesis, message):
    """Score takes text and nothing else; the error names the side and what was given."""
    with pytest.raises(TypeError) as caught:
        PAPER.score(reference, hypothesis)
    assert str(caught.value) == message


def test_references_that_are_none():
    """None among references is no reference, for a segment and in a corpus; where none is left, it is an error."""
    references, hypotheses = [["a b", None], [None, "b", "c"]], ["a", "b"]
    corpus = PAPER.corpus().extend(references=references, hypotheses=hypotheses)
    expected = PAPER.corpus().extend(references=[["a b"], ["b", "c"]], hypotheses=hypotheses)
    assert (corpus.score(), corpus.segments) == (expected.score(), expected.segments)
    assert PAPER.score(references[1], "b") == PAPER.score(["b", "c"], "b")
    with pytest.raises(InputMismatch, match="segment 1: a hypothesis needs at least one reference, got none"):
        PAPER.corpus().extend(references=[[None, None]], hypotheses=["a"])


@pytest.mark.parametrize("reference", [b"a", None, 1, [b"a"], {"a": 1}.values()])
def test_no_text_at_all(reference):
    """Values that are neither text nor texts are refused."""
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
        ("é \udc80", "lone surrogate U+DC80 at offset 2; decode the text again"),
        ("\ud83d", "lone surrogate U+D83D at offset 0; decode the text again"),
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
    """Without words on a side the score is 0, and undefined values are NaN."""
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
    """Values that are neither the name of a preset nor a configuration are refused."""
    with pytest.raises(TypeError, match=rf"^a preset's name or a ScorerConfig is expected, got {kind}$"):
        Scorer(given)


def test_missing_resource(cache):
    """A preset whose data is not installed says which command installs it."""
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


WAYS = {
    "breakdowns": lambda scorer, pairs: list(scorer.breakdowns(pairs)),
    "totals": lambda scorer, pairs: scorer.totals(pairs),
    "totals and segments": lambda scorer, pairs: scorer.totals(pairs, []),
    "arrays": lambda scorer, pairs: scorer.arrays(pairs),
}
GOOD = [Pair([f"the cat {number}"], "a cat") for number in range(700)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("preset", ["nltk", "meteor-2005-exact"])
@pytest.mark.parametrize(
    ("bad", "kind", "told"),
    [
        (Pair(["a"], "a\0"), InvalidText, "hypothesis: NUL character at offset 1"),
        (Pair(["a", "a\ud800"], "a"), InvalidText, "reference 2: lone surrogate"),
        (Pair([], "a"), InputMismatch, "a hypothesis needs at least one reference, got none"),
        (Pair(["a"], 1), TypeError, "a hypothesis must be a string, got int"),
        (("a", "a"), TypeError, "a segment must be a meteorlib.Pair"),
        (Pair("a", "a"), TypeError, "references are a list of strings, got one string"),
    ],
)
def test_a_bad_segment_among_many_is_numbered(way, preset, bad, kind, told):
    """The number is that of its first place in the stream, also where equal segments are scored once, in batches."""
    scorer = Scorer(preset, implementation="python" if preset == "meteor-2005-exact" else None)
    for before in ([], GOOD[:50] * 2 + GOOD[50:]):
        with pytest.raises(kind) as caught:
            WAYS[way](scorer, iter([*before, bad, GOOD[0], bad]))
        assert str(caught.value).startswith(f"segment {len(before) + 1}: {told}")
        assert str(caught.value).count("segment ") == 1 + told.count("segment ")


def test_a_bad_segment_of_another_process_is_numbered():
    """Processes score batches; the number is that in the whole stream."""
    with pytest.raises(InvalidText, match=r"^segment 701: hypothesis: NUL character at offset 1"):
        PAPER.arrays([*GOOD, Pair(["a"], "a\0")], jobs=2)


@pytest.mark.parametrize("way", ["breakdowns", "totals", "arrays"])
def test_an_error_of_the_stream_itself_is_left_alone(way):
    """An error raised by an iterator names no segment and stays the same error."""
    error = TypeError("mine")

    def failing():
        yield from GOOD[:3]
        raise error from KeyError("cause")

    with pytest.raises(TypeError) as caught:
        WAYS[way](PAPER, failing())
    assert caught.value is error
    assert isinstance(error.__cause__, KeyError)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("implementation", [None, "python"])
def test_a_bad_text_of_a_matrix_is_numbered(threads, implementation):
    """The message says which hypothesis or reference it is."""
    scorer, good = Scorer("meteor-2005-exact", implementation=implementation), ["a"] * 40
    with pytest.raises(InvalidText, match=r"^hypothesis 41: NUL"):
        scorer.matrix(references=good, hypotheses=[*good, "a\0"], threads=threads)
    with pytest.raises(InvalidText, match=r"^reference 41: NUL"):
        scorer.matrix(references=[*good, "a\0"], hypotheses=good, threads=threads)
    with pytest.raises(TypeError, match=r"^hypothesis 41 must be a string, got int"):
        scorer.matrix(references=good, hypotheses=[*good, 1], threads=threads)
