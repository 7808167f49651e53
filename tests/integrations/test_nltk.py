"""NLTK's METEOR without NLTK: recorded numbers, signatures, errors."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

from meteorlib import Scorer
from meteorlib.config import load_preset
from meteorlib.errors import InvalidText, MeteorError
from meteorlib.integrations.nltk import (
    align_words,
    exact_match,
    meteor,
    meteor_score,
    single_meteor_score,
    stem_match,
    wordnetsyn_match,
)

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = [json.loads(row) for row in (ROOT / "tests/golden/nltk.jsonl").read_text(encoding="utf-8").split("\n") if row]
FILES = [row for row in GOLDEN if "hypotheses" in row]
ROWS = [row for row in GOLDEN if "hypothesis" in row]


class FirstTwo:
    """A stemmer that keeps the first two letters."""

    def stem(self, word):
        return word[:2]


class Synset:
    def __init__(self, *names):
        self.names = names

    def lemmas(self):
        return [Name(name) for name in self.names]


class Name:
    def __init__(self, name):
        self.spelled = name

    def name(self):
        return self.spelled


class WordNet:
    """Knows that one is two."""

    def synsets(self, word):
        return [Synset("two", "number_two")] if word == "one" else []


def _parameters(row):
    return dict(zip(("alpha", "beta", "gamma"), row.get("parameters", []), strict=False))


@pytest.mark.parametrize("row", FILES, ids=lambda row: " ".join([row["hypotheses"], *row["references"]]))
def test_recorded_files(row):
    """Files have the scores that NLTK gave them, to the last digit, from the drop-in and from the preset."""
    names = [row["hypotheses"], *row["references"]]
    hypotheses, *references = ((ROOT / name).read_text(encoding="utf-8").split("\n")[:-1] for name in names)
    segments = list(zip(hypotheses, *references, strict=True))
    scores = [meteor_score([r.split() for r in refs], hyp.split(), **_parameters(row)) for hyp, *refs in segments]
    assert scores == row["scores"]
    if "parameters" not in row:
        scorer = Scorer("nltk")
        assert [scorer.score(refs, hyp).score for hyp, *refs in segments] == row["scores"]


def test_recorded_segments():
    """Segments of few words that repeat, empty ones, capitals, stems, synonyms have NLTK's score and matches."""
    for row in ROWS:
        hypothesis, references = row["hypothesis"].split(), [reference.split() for reference in row["references"]]
        assert meteor_score(references, hypothesis, **_parameters(row)) == row["score"], row
        assert align_words(hypothesis, references[0])[0] == [tuple(pair) for pair in row["matches"]], row


def test_single_reference():
    """`single_meteor_score` takes the reference first, and is `meteor_score` with one."""
    reference, hypothesis = ["the", "cat", "sat"], ["The", "cats", "sat", "down"]
    assert single_meteor_score(reference, hypothesis) == meteor_score([reference], hypothesis)
    assert single_meteor_score(hypothesis, reference) != single_meteor_score(reference, hypothesis)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "score"),
    [
        ("The candidate has no alignment to any of the references", "John loves Mary", 0.0),
        ("The cat sat on the mat", "The cat sat on the mat", 0.9977),
        ("The cat sat on the mat", "on the mat sat the cat", 0.5),
        ("The cat sat on the mat", "The cat was sat on the mat", 0.9654),
        ("create or update a vm set", "creates or updates a virtual machine scale set", 0.7806),
        ("It is a guide to action that ensures that the military will forever heed Party commands",
         "It is a guide to action which ensures that the military always obeys the commands of the party", 0.6944),
    ],
)  # fmt: skip
def test_the_examples_of_its_documentation(reference, hypothesis, score):
    """NLTK's examples give the documented output, also under the name of `nltk.translate`."""
    assert round(meteor_score([reference.split()], hypothesis.split()), 4) == score
    assert meteor([reference.split()], hypothesis.split()) == single_meteor_score(reference.split(), hypothesis.split())


@pytest.mark.thorough
def test_long_text_without_a_match_is_linear_in_time():
    """Tens of thousands of words none of which match are scored; compared in pairs they would be a billion."""
    words = [[f"{side}{number}" for number in range(32_000)] for side in "rh"]
    assert single_meteor_score(*words) == 0.0


def test_stages():
    """Each stage alone gives its matches from the last hypothesis word on, and the unmatched words of both sides."""
    hypothesis, reference = ["Cats", "see", "a", "cat"], ["cat", "a", "feline"]
    assert exact_match(hypothesis, reference) == ([(3, 0), (2, 1)], [(0, "cats"), (1, "see")], [(2, "feline")])
    assert stem_match(hypothesis, reference) == ([(3, 0), (2, 1)], [(0, "cat"), (1, "see")], [(2, "felin")])
    assert stem_match(["cats"], ["cat"]) == ([(0, 0)], [], [])
    assert wordnetsyn_match(["cat"], ["feline", "true_cat", "cat"])[0] == [(0, 2)]
    assert wordnetsyn_match(["glad"], ["happy"]) == ([(0, 0)], [], [])
    assert wordnetsyn_match(["happiness"], ["felicity"]) == ([(0, 0)], [], [])


def test_unmatched_words_are_stems():
    """`align_words` gives what is left as stems, in which NLTK looks for synonyms: those of "happi" it cannot find."""
    assert align_words(["happiness"], ["felicity"]) == ([], [(0, "happi")], [(0, "felic")])


def test_words_are_lowercased_unless_told():
    """`preprocess` is done to every word first, whatever it is; the stages alone lowercase."""
    assert single_meteor_score(["CAT"], ["cat"]) == 0.5
    assert single_meteor_score(["CAT"], ["dog"], preprocess=str) == 0.0
    assert single_meteor_score(["Cat"], ["catx"], preprocess=lambda word: word[:3].lower()) == 0.5


def test_words_may_come_one_by_one():
    """References and words may be any iterables, read once."""
    assert meteor_score(iter([iter(["a", "b"]), iter(["b"])]), iter(["b"])) == 0.5


def test_own_stemmer_and_wordnet():
    """Objects with NLTK's methods take the place of the built-in stemmer and WordNet, together and alone."""
    assert single_meteor_score(["house"], ["hot"], stemmer=FirstTwo()) == 0.5
    assert single_meteor_score(["house"], ["hot"]) == 0.0
    assert single_meteor_score(["two"], ["one"], wordnet=WordNet()) == 0.5
    assert single_meteor_score(["one"], ["two"], wordnet=WordNet()) == 0.0
    assert stem_match(["hot"], ["house"], FirstTwo())[0] == [(0, 0)]
    assert wordnetsyn_match(["one"], ["two"], WordNet())[0] == [(0, 0)]
    assert align_words(["one", "hot"], ["house", "two"], FirstTwo(), WordNet()) == ([(1, 0)], [(0, "on")], [(1, "tw")])


@pytest.mark.parametrize(
    ("references", "hypothesis", "text"),
    [
        ([["a"]], "a b", '"hypothesis" expects pre-tokenized hypothesis (Iterable[str]): a b'),
        (["a b"], ["a"], '"reference" expects pre-tokenized reference (Iterable[str]): a b'),
    ],
)
def test_text_is_refused(references, hypothesis, text):
    """A string is no list of words, with NLTK's message."""
    with pytest.raises(TypeError) as caught:
        meteor_score(references, hypothesis)
    assert str(caught.value) == text
    with pytest.raises(TypeError, match="expects pre-tokenized"):
        align_words(hypothesis, references[0])


@pytest.mark.parametrize("words", [{"a", "b"}, {"a": 1, "b": 2}], ids=["set", "dict"])
def test_words_without_order_are_refused(words):
    """A set of words has no order, so that its score would change from run to run; NLTK takes it."""
    for references, hypothesis, side in (([words], ["a"], "reference"), ([["a"]], words, "hypothesis")):
        with pytest.raises(TypeError, match=f'^"{side}" must be a list of texts, got {type(words).__name__}$'):
            meteor_score(references, hypothesis)


def test_no_reference():
    """No reference is a `ValueError`, as with NLTK, and an error of meteorlib."""
    with pytest.raises(ValueError, match=r"^a hypothesis needs at least one reference, got none$") as caught:
        meteor_score([], ["a"])
    assert isinstance(caught.value, MeteorError)


def test_what_cannot_be_scored():
    """Parameters out of range and words with NUL are refused, which NLTK takes."""
    with pytest.raises(ValueError, match=r"^gamma must be between 0 and 1: 2\.0$"):
        single_meteor_score(["a"], ["a"], gamma=2)
    with pytest.raises(InvalidText):
        single_meteor_score(["a"], ["a\0"])


def test_signatures():
    """Names, order and defaults of the arguments are NLTK's; None stands for its stemmer and WordNet."""
    parameters = list(inspect.signature(meteor_score).parameters.values())
    assert [(p.name, p.default) for p in parameters[2:]] == [
        ("preprocess", str.lower),
        ("stemmer", None),
        ("wordnet", None),
        ("alpha", 0.9),
        ("beta", 3.0),
        ("gamma", 0.5),
    ]
    assert list(inspect.signature(single_meteor_score).parameters)[:2] == ["reference", "hypothesis"]
    assert list(inspect.signature(align_words).parameters) == ["hypothesis", "reference", "stemmer", "wordnet"]


def test_preset():
    """Preset `nltk` is METEOR 2005's formula with NLTK's search, stemmer and synonyms."""
    config, paper = load_preset("nltk"), load_preset("meteor-2005")
    assert (config.parameters, config.formula, config.reduce) == (paper.parameters, paper.formula, paper.reduce)
    assert [(stage.matcher, stage.resource) for stage in config.stages] == [
        ("exact", None),
        ("stem", "porter-nltk"),
        ("lemma", "wordnet-en"),
    ]
    assert (config.search.name, config.text) == ("greedy", "split_lower")


def test_nltk_is_not_imported():
    """The drop-in works where NLTK is not installed."""
    program = (
        "import sys; sys.modules['nltk'] = None\n"
        "from meteorlib.integrations.nltk import meteor_score\n"
        "assert meteor_score([['cats']], ['cat']) == 0.5"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT)
