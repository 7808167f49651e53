"""Scorer: from raw text to a breakdown, and what it refuses."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import EntryPoint
from math import fsum, isnan

import pytest
from attrs import evolve
from attrs.exceptions import FrozenInstanceError
from hypothesis import given, settings
from hypothesis import strategies as st

from meteorlib import ParameterConfig, Scorer, ScorerConfig, StageConfig, registry, scorer
from meteorlib.errors import ConfigError, InputMismatch, InvalidText, ResourceMissing, UnknownName
from meteorlib.matchers.matcher import WordMatcher

PAPER = Scorer()
EXACT = Scorer("meteor-2005-exact")
NEW = Scorer("meteor-1.5-en-core")
ALL = {"2005": PAPER, "exact": EXACT, "1.5": NEW}

word = st.one_of(st.sampled_from("the a cat cats dog sat sits on mat well good goods".split()), st.text("aé.,'ß😀", min_size=1, max_size=4))
sentence = st.lists(word, max_size=10).map(" ".join)
any_scorer = st.sampled_from(list(ALL.values()))


@pytest.mark.parametrize(
    ("hypothesis", "precision", "recall", "f_mean", "chunks", "penalty", "score"),
    [
        ("on the mat sat the cat", 1, 1, 1, 6, 0.5, 0.5),
        ("the cat sat on the mat", 1, 1, 1, 1, 0.0023, 0.9977),
        ("the cat was sat on the mat", 0.8571, 1, 0.9836, 2, 0.0185, 0.9654),
    ],
)
def test_worked_examples(hypothesis, precision, recall, f_mean, chunks, penalty, score):
    """METEOR 2005's worked examples, from raw text, with all of its stages."""
    found = PAPER.score("the cat sat on the mat", hypothesis)
    numbers = (found.precision, found.recall, found.f_mean, found.penalty, found.score)
    assert numbers == pytest.approx((precision, recall, f_mean, penalty, score), abs=5e-5)
    assert found.statistics.chunks == chunks
    assert found.optimal


def test_search_objective_belongs_to_a_preset():
    """METEOR 2005 aligns with 8 crossings in 6 chunks what METEOR 1.5 aligns with 11 in 3."""
    pair = ("the cat sat on the mat", "on the mat sat the cat")
    old, new = PAPER.score(*pair), NEW.score(*pair)
    assert (old.alignment.crossings, old.statistics.chunks) == (8, 6)
    assert (new.alignment.crossings, new.statistics.chunks) == (11, 3)


def test_stages_of_2005():
    """Exact good-good, stem goods-good, synonym well-good."""
    for reference, stage in (("good", "exact"), ("goods", "stem"), ("well", "synonym")):
        assert [name for *_, name in PAPER.align(reference, "good").pairs()] == [stage]


def test_default():
    """The default is METEOR 2005, which needs nothing but the package."""
    assert PAPER.config.name == scorer.DEFAULT == "meteor-2005"


@settings(deadline=None)
@given(any_scorer, sentence, sentence)
def test_scores_and_alignments(metric, reference, hypothesis):
    """Scores are from 0 to 1, matches one-to-one, in reference order, inside both sides."""
    found = metric.score(reference, hypothesis)
    assert 0 <= found.score <= 1
    alignment = found.alignment
    assert len(alignment.by_reference) == sum(match.reference_length for match in alignment.matches)
    assert len(alignment.by_hypothesis) == sum(match.hypothesis_length for match in alignment.matches)
    assert list(alignment.by_reference) == sorted(alignment.by_reference)
    assert set(alignment.by_reference) <= set(range(len(alignment.reference)))
    assert set(alignment.by_hypothesis) <= set(range(len(alignment.hypothesis)))
    assert found.statistics.hypothesis_length == len(alignment.hypothesis)
    assert found.statistics.reference_length == len(alignment.reference)


@settings(deadline=None)
@given(any_scorer, sentence.filter(str.strip))
def test_identical_texts(metric, text):
    """Identical texts are matched whole: precision and recall are 1, and METEOR 1.5 takes nothing off."""
    found = metric.score(text, text)
    if not found.statistics.hypothesis_length:
        return
    assert found.precision == found.recall == pytest.approx(1, rel=1e-15)
    assert found.statistics.chunks == 1
    if metric is NEW:
        assert found.score == pytest.approx(1, rel=1e-15)


@settings(deadline=None)
@given(any_scorer, st.lists(sentence, min_size=1, max_size=4), sentence)
def test_first_best_reference_counts(metric, references, hypothesis):
    """Of several references the first with the highest score counts, with its alignment and statistics."""
    found = metric.score(references, hypothesis)
    single = [metric.score(reference, hypothesis) for reference in references]
    scores = [one.score for one in single]
    best = scores.index(max(scores))
    assert found.reference_index == best
    assert (found.score, found.statistics, found.alignment) == (
        single[best].score, single[best].statistics, single[best].alignment,
    )  # fmt: skip


def test_equal_references():
    """Of equal references the first counts."""
    assert PAPER.score(["a x", "a b", "a b"], "a b").reference_index == 1


def test_reduce():
    """max, min and mean of several references, as the configuration says."""
    references, hypothesis = ["the cat sat", "a cat sat", "dogs bark"], "the cat sat"
    by_name = {name: Scorer(evolve(PAPER.config, reduce=name)).score(references, hypothesis) for name in ("max", "min", "mean")}
    single = [PAPER.score(reference, hypothesis) for reference in references]
    assert (by_name["max"].score, by_name["max"].reference_index) == (single[0].score, 0)
    assert (by_name["min"].score, by_name["min"].reference_index) == (0.0, 2)
    mean = by_name["mean"]
    assert mean.score == fsum(one.score for one in single) / 3
    assert mean.recall == fsum(one.recall for one in single) / 3
    assert isnan(mean.penalty)
    assert (mean.alignment, mean.reference_index) == (None, None)
    assert mean.statistics == single[0].statistics + single[1].statistics + single[2].statistics


def test_reduce_of_one_reference():
    """With one reference every reduction is that reference."""
    for name in ("min", "mean"):
        found = Scorer(evolve(PAPER.config, reduce=name)).score("the cat", "a cat")
        assert found == PAPER.score("the cat", "a cat")


def test_words():
    """score_tokens takes words as they are; what score does to raw text is not done to them."""
    assert PAPER.score("The CAT", "the cat").alignment.matches
    assert not EXACT.score_tokens([["The", "CAT"]], ["the", "cat"]).alignment.matches
    assert PAPER.score_tokens([["don't", "a b"]], ["a b"]).alignment.hypothesis == ("a b",)


@settings(deadline=None)
@given(st.lists(sentence, min_size=1, max_size=3), sentence)
def test_words_of_text(references, hypothesis):
    """Words that are already as the text mode makes them give the same breakdown."""
    words = [reference.lower().split() for reference in references]
    assert repr(PAPER.score_tokens(words, hypothesis.lower().split())) == repr(PAPER.score(references, hypothesis))


@pytest.mark.parametrize(
    ("references", "hypothesis"),
    [("a b", ["a"]), (["a b"], ["a"]), ([["a"], "b"], ["a"]), ([["a"]], "a"), ([["a"]], [b"a"]), ([[1]], ["a"]), ([["a"]], [None])],
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
        (["a", None], "a", "a reference must be a string, got NoneType"),
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
        "reference": lambda: PAPER.score(["a", text], "a"),
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


def test_align():
    """The alignment alone is that of the breakdown."""
    assert PAPER.align("the cat", "a cat") == PAPER.score("the cat", "a cat").alignment


def test_frozen():
    """A scorer does not change, so it can be shared."""
    with pytest.raises(FrozenInstanceError):
        PAPER.config = NEW.config


@pytest.mark.parametrize("name", ALL)
def test_pickle(name):
    """A scorer comes back from a pickle with the same configuration, signature and scores."""
    metric = ALL[name]
    metric.score("the cats", "a cat")
    copy = pickle.loads(pickle.dumps(metric))  # noqa: S301
    assert (copy.config, copy.signature) == (metric.config, metric.signature)
    assert copy.score("the cats sat", "the cat sat") == metric.score("the cats sat", "the cat sat")


def test_pickle_of_results():
    """Breakdowns come back from a pickle as they were."""
    found = PAPER.score("the cats sat", "a cat sits")
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301


@pytest.mark.parametrize("name", ALL)
def test_threads(name, root):
    """Four threads that share a scorer get what one gets, alignments and all."""
    read = {file: (root / "examples" / file).read_text("utf-8").splitlines() for file in ("reference.0.en", "reference.1.en", "system-a.en")}
    work = list(zip(zip(read["reference.0.en"], read["reference.1.en"], strict=True), read["system-a.en"], strict=True)) * 2
    shared = Scorer(ALL[name].config)
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda pair: shared.score(*pair), work))
    assert found == [ALL[name].score(*pair) for pair in work]


def test_references_are_analysed_once(monkeypatch):
    """A reference that comes again is not analysed again; what is kept is bounded, and the scores do not change."""
    monkeypatch.setattr(scorer, "REFERENCES_KEPT", 3)
    metric = Scorer("meteor-2005-exact")
    for number in (1, 2, 1, 3, 4, 5, 1, 2):
        assert metric.score(f"a {number}", f"b {number}").score == EXACT.score(f"a {number}", f"b {number}").score
        assert len(metric._references) <= 3
    kept = metric._references["a 2"]
    metric.score("a 2", "x")
    assert metric._references["a 2"] is kept


def test_many_references(monkeypatch):
    """More references of one segment than are kept are scored like few."""
    monkeypatch.setattr(scorer, "REFERENCES_KEPT", 2)
    assert Scorer().score(["a", "b", "c", "d e", "f"], "d e").reference_index == 3


def test_from_file(root):
    """A preset of a YAML file by name, or its default."""
    file = root / "configs" / "example.yaml"
    assert Scorer.from_file(file).config.name == Scorer.from_file(str(file), preset="mine").config.name == "mine"
    assert Scorer.from_file(file, "strict").config.parameters.gamma == 0.7
    with pytest.raises(UnknownName) as caught:
        Scorer.from_file(file, preset="strickt")
    assert str(caught.value) == "unknown preset 'strickt' (did you mean 'strict'?); known: mine, strict"


def test_unknown_preset():
    """An unknown preset is an error with the nearest name and all names."""
    with pytest.raises(UnknownName) as caught:
        Scorer("meteor-2004")
    assert str(caught.value).startswith("unknown preset 'meteor-2004' (did you mean 'meteor-2005'?); known: ")


def test_missing_resource(monkeypatch, tmp_path):
    """A preset whose data is not installed says which command installs it."""
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path))
    with pytest.raises(ResourceMissing) as caught:
        Scorer("meteor-1.5-en")
    assert "meteorlib resources install paraphrase-en" in str(caught.value)


def test_configuration():
    """A scorer can be made from a configuration alone."""
    config = ScorerConfig("mine", [StageConfig("exact")], ParameterConfig(0.5, 1, 0.5), formula="meteor-2005")
    assert Scorer(config).score("a b", "b a").penalty == 0.5


def test_conflicting_configuration():
    """Settings that are wrong together are refused, all of them."""
    config = ScorerConfig("mine", [StageConfig("stem"), StageConfig("synonym")], ParameterConfig(0.5, 1, 0.5))
    with pytest.raises(ConfigError) as caught:
        Scorer(config)
    assert len(caught.value.problems) == 2


def test_characters():
    """Where characters count they are UTF-16 code units, as METEOR 1.5 counts them; chunks stay chunks."""
    config = ScorerConfig("mine", [StageConfig("exact")], ParameterConfig(0.5, 1, 0.5), count="characters")
    statistics = Scorer(config).score("naïve 😀 cat", "😀 cat x").statistics
    assert (statistics.reference_length, statistics.hypothesis_length) == (5 + 2 + 3, 2 + 3 + 1)
    assert (statistics.matches, statistics.chunks, statistics.hypothesis_matches) == ((5,), 1, 2)


class Anagram(WordMatcher):
    """A matcher as a third party writes it."""

    def __init__(self, resource=None):
        self.resource = resource

    def analyse(self, words, positions):
        return {word: "".join(sorted(word)) for word in positions}

    def pairs(self, reference, hypothesis):
        for one, letters in reference.items():
            partners = [other for other, theirs in hypothesis.items() if theirs == letters and other != one]
            if partners:
                yield one, partners


def test_matcher_of_a_third_party(monkeypatch):
    """A matcher that another package registers can be named in a configuration, and stands in the signature."""
    registry._third_parties("")
    point = EntryPoint("anagram", "tests.test_scorer:Anagram", "meteorlib.matchers")
    monkeypatch.setattr(registry, "_third_parties", lambda group: {"anagram": point} if "matchers" in group else {})
    config = ScorerConfig(
        "mine", [StageConfig("exact"), StageConfig("anagram", 0.5)], ParameterConfig(0.5, 1, 0.5), formula="meteor-2005"
    )
    metric = Scorer(config)
    assert [name for *_, name in metric.align("silent night", "night listen").pairs()] == ["anagram", "exact"]
    assert metric.score("silent", "listen").precision == 0.5
    assert "anagram*0.5" in str(metric.signature)
    assert metric.signature.eval_id is None
