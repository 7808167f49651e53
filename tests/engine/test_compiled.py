"""The compiled engine gives what the Python one gives: matches, statistics, on any words, under every preset."""

from __future__ import annotations

import gzip
import os
import random
import subprocess
import sys
from operator import mul
from pathlib import Path

import pytest
from attrs import evolve

from meteorlib import ScorerConfig, SearchConfig, StageConfig, search
from meteorlib.config import load_preset, preset_names
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.segment import Pair
from meteorlib.engine import compiled
from meteorlib.engine.build import build_engine, has_kernel
from meteorlib.engine.compiled import BATCH_SIZE
from meteorlib.engine.implementation import load_kernel
from meteorlib.engine.python import PythonEngine
from meteorlib.errors import ExtraMissing, InvalidText, ResourceMissing, blamed_segment
from meteorlib.matchers.words import Exact
from tests.engine.random_segments import random_words
from tests.presets import presets as tried

pytestmark = pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel")

TWINS = {"beam", "greedy", "staged", "weighted", "optimal"}
"""Searches of presets that have a compiled form."""

PARTS = 8
"""Number of parts of a long test, so that it is distributed over the processors."""

MANY, STEP = 5_000, 24
"""Random segments; of how many judged ones one is tried. Before a release: 100,000, and 1."""

ENGLISH = [name for name in preset_names() if load_preset(name).language == "en"]

WORDS = """the of a in run runs running ran good goods well goodness course naturally sure be is are was car automobile
cars end day finally , . big large at last""".split()

PHRASES = [
    ("of course", "naturally"), ("naturally", "of course"), ("sure", "of course"), ("in the end", "finally"),
    ("in the end of the day", "finally"), ("finally", "in the end"), ("the", "a"), ("a", "the"), ("the", "the"),
    ("of the", "of a"), ("of the", "of the"), ("be sure", "run well"), ("is", "are"), ("is", "was"), ("good", "well"),
    ("at the end of a good day", "at last"), ("at last", "at the end of a good day"),
    ("good", "well"), ("a big car", "the large automobile"), ("the large automobile", "a big car"), ("day", "the day"),
]  # fmt: skip

VECTORS = {
    word: [random.Random(f"{word} {place}").gauss() for place in range(3)]
    for word in sorted({*WORDS, *" ".join(map(" ".join, PHRASES)).split()} - {"of", "sure", "well"})
}
"""Vectors of so few numbers that many words are near each other; three words have none."""


@pytest.fixture(scope="module")
def table(compiled_table) -> Path:
    """A small compiled paraphrase table, with phrases of one to seven words."""
    return compiled_table(PHRASES)


@pytest.fixture(scope="module")
def presets(request, table) -> list[ScorerConfig]:
    """Presets whose extras are installed, with the small paraphrase table, and a few of their variants."""
    configs = [config for name in tried(request.config) if _usable(config := _preset(name, str(table)))]
    english = next(config for config in configs if config.name == "meteor-1.5-en")
    configs += [evolve(english, search=evolve(english.search, width=width)) for width in (1, 3, 70)]
    exact, stem, synonym, paraphrase = english.stages
    configs += [evolve(english, stages=stages) for stages in ((synonym, exact), (paraphrase,), (stem, paraphrase))]
    vector = StageConfig("vector", 0.5, "vectors-en", threshold=0.9)
    orders = (exact, vector), (vector, stem), (exact, stem, vector, paraphrase), (exact, paraphrase, vector)
    configs += [evolve(english, stages=stages) for stages in orders]
    weighted = next(config for config in configs if config.name == "meteor-2026-en")
    exact, stem, synonym, joined, paraphrase, near = weighted.stages
    orders = (
        (exact, vector, stem, synonym, joined, paraphrase, near),
        (exact, stem, joined, vector, near),
        (exact, stem, synonym, joined, paraphrase, vector, near),
        (exact, stem, joined, paraphrase, near, vector),
        (exact, near, vector),
    )
    variants = [evolve(weighted, stages=stages) for stages in orders]
    assert all(has_kernel(config, {"vector": VECTORS.get}) for config in variants)
    return configs + variants


def _preset(name: str, table: str, budget: int = 5000) -> ScorerConfig:
    """A built-in preset with another paraphrase table; function words of the user's own are English ones."""

    def replaced(stage: StageConfig) -> StageConfig:
        if (stage.resource or "").startswith("synonyms-"):
            return evolve(stage, resource="wordnet-en-offsets")
        return evolve(stage, resource=table) if stage.matcher == "paraphrase" else stage

    config = load_preset(name)
    if config.search.name == "optimal":  # what takes the compiled engine milliseconds takes Python seconds
        config = evolve(config, search=SearchConfig("optimal", budget=budget))
    function_words = "en" if config.function_words == "function.words" else config.function_words
    return evolve(config, stages=tuple(map(replaced, config.stages)), function_words=function_words)


def _usable(config: ScorerConfig) -> bool:
    try:
        build_engine(config, wanted="python")
    except (ExtraMissing, ResourceMissing):
        return False
    return True


def _engines(config: ScorerConfig) -> tuple[object, PythonEngine]:
    given = {"vector": VECTORS.get} if any(stage.matcher == "vector" for stage in config.stages) else {}
    engine, reference = build_engine(config, given, wanted="auto"), build_engine(config, given, wanted="python")
    assert isinstance(reference, PythonEngine)
    return engine, reference


def _segment(draw: random.Random, types: int, length: int) -> list[str]:
    return random_words(draw, draw.sample(WORDS, types), PHRASES, length)


def _same(engine, reference, others, words):
    found = engine.align(engine.analyze(others), engine.analyze(words))
    assert found == reference.align(reference.analyze(others), reference.analyze(words)), (others, words)


def _compare(config, seed, count, longest):
    """Random segments; half of them have fewer words than the root of `longest`, so that every length has its turn."""
    engine, reference = _engines(config)
    draw = random.Random(seed)
    for _ in range(count):
        types = draw.randint(1, len(WORDS))
        words, others = (
            _segment(draw, types, int((longest + 1) ** draw.random()) - draw.randint(0, 1)) for _ in range(2)
        )
        _same(engine, reference, others, words)


@pytest.mark.parametrize("count", [15, pytest.param(60, marks=pytest.mark.thorough)])
def test_random_segments(presets, count):
    """On random segments of few words, where everything is ambiguous, both find the same."""
    for seed, config in enumerate(presets):
        _compare(config, seed, count, 24)


@pytest.mark.thorough
def test_long_segments(presets):
    """Segments of more words than the narrow beam takes."""
    for seed, config in enumerate(presets):
        if config.search.name in TWINS:
            engine, reference = _engines(config)
            draw = random.Random(seed)
            words, others = _segment(draw, 12, draw.randint(65, 200)), _segment(draw, 9, draw.randint(20, 200))
            _same(engine, reference, others, words)


@pytest.mark.stress
@pytest.mark.parametrize("part", range(PARTS))
def test_many_random_segments(presets, part):
    """Thousands of random segments, lengths 0 to 300, shared out among the presets that have a twin."""
    twins = [config for config in presets if config.search.name in TWINS]
    for seed, config in list(enumerate(twins))[part::PARTS]:
        _compare(config, 1000 + seed, MANY // len(twins) + 1, 300)


def test_sizes_of_words(presets):
    """Both say how much each word counts and which are function words, as the statistics have it."""
    words = [*WORDS, "Ran", "3,5", "über", "house-boat", "can't"]
    for config in presets:
        engine, reference = _engines(config)
        analyzed, expected = engine.analyze(words), reference.analyze(words)
        sizes, function = list(analyzed.sizes), list(analyzed.function)
        assert (sizes, function) == (list(expected.sizes), list(expected.function))
        alone = [engine.score_tokens([[word]], []).statistics for word in words]
        assert [one.reference_length for one in alone] == sizes
        assert [one.reference_function_words for one in alone] == list(map(mul, sizes, function))


def test_repeated_word():
    """Hundreds of the same word, where the Python search takes its short way."""
    config = load_preset("meteor-1.5-en-core")
    engine, reference = _engines(config)
    for length, other in ((300, 300), (200, 199), (70, 140)):
        _same(engine, reference, ["the"] * other, ["the"] * length)


def test_vocabulary_is_bounded(lowered):
    """A reference that was analyzed before the vocabulary was emptied is analyzed anew."""
    from meteorlib.engine.kernel import kernel as module

    engine = build_engine(load_preset("meteor-1.5-en-core"))
    reference = engine.analyze(["the", "cat", "runs"])
    before = engine.align(reference, engine.analyze(["the", "cat", "running"]))
    emptied = lowered(module, "VOCABULARY_LIMIT", 4, lambda: engine._kernel.emptied)
    assert engine.align(reference, engine.analyze(["the", "cat", "running"])) == before
    assert emptied() == 0
    lowered(module, "VOCABULARY_LIMIT", 3, lambda: 0)
    assert engine.align(reference, engine.analyze(["the", "cat", "running"])) == before
    assert emptied() == 1


def test_vectors_of_the_vocabulary_are_bounded(lowered):
    """A vocabulary whose vectors take too much is started anew, with the same results."""
    from meteorlib.engine.kernel import kernel as module

    stages = [StageConfig("exact"), StageConfig("vector", 0.5, "vectors-en", threshold=0.5)]
    config = evolve(load_preset("meteor-1.5-en-core"), stages=stages)
    asked = []

    def vector(word):
        asked.append(word)
        return VECTORS.get(word)

    engine = build_engine(config, {"vector": vector}, "compiled")
    reference = engine.analyze(["the", "car", "runs"])
    before = engine.align(reference, engine.analyze(["the", "cars", "ran"]))
    emptied = lowered(module, "VECTOR_NUMBERS_LIMIT", 8, lambda: engine._kernel.emptied)
    assert engine.align(reference, engine.analyze(["the", "cars", "ran"])) == before
    assert asked == ["the", "car", "runs", "cars", "ran", "the", "cars", "ran", "car", "runs"]
    assert emptied() == 1


def test_segments_are_scored_in_batches(lowered):
    """A stream of segments is read a batch ahead, no further."""
    engine = build_engine(load_preset("meteor-2005"))
    taken = []
    taken_since = lowered(compiled, "BATCH_SIZE", 3, lambda: len(taken))
    stream = engine.breakdowns(taken.append(number) or Pair(["a b"], "a") for number in range(8))
    seen = [(scored.score, taken_since()) for scored in stream]
    assert seen == [(seen[0][0], count) for count in (3, 3, 3, 6, 6, 6, 8, 8)]


@pytest.fixture(params=["staged", "optimal"])
def leaving(request, monkeypatch) -> ScorerConfig:
    """A configuration whose kernel leaves segments: those with too many pairs for the budget, or all of them."""
    if request.param == "staged":
        return evolve(load_preset("meteor-2005-exact"), search=SearchConfig("staged", budget=1))
    monkeypatch.setattr(Exact, "gain", 0.1)  # in binary a number of 55 bits
    return evolve(load_preset("meteor-1.5-en-core"), search=SearchConfig("optimal"))


LEFT = Pair(["the the the a", "the a"], "the the the the the the car")


def test_segments_that_the_kernel_leaves(leaving):
    """A batch in which the kernel leaves a segment is scored by the Python engine; the sums hold all."""
    pairs = [Pair([f"the car {number}", "a car"], f"the {number} car") for number in range(BATCH_SIZE + 3)]
    few = pairs[:7]
    engine, python = (build_engine(leaving, wanted=wanted) for wanted in ("compiled", "python"))
    assert engine.totals(few) == python.totals(few)
    assert ("_python" in vars(engine)) == (leaving.search.name == "optimal")
    for place in (0, 3, BATCH_SIZE + 1):
        mixed = [*pairs[:place], LEFT, *pairs[place:]]
        scored: list[ScoreBreakdown] = []
        assert list(engine.breakdowns(mixed)) == list(python.breakdowns(mixed))
        assert engine.totals(mixed) == engine.totals(mixed, scored) == python.totals(mixed)
        assert scored == list(python.breakdowns(mixed))
    assert engine.score(LEFT) == python.score(LEFT)
    words = [text.split() for text in LEFT.references], LEFT.hypothesis.split()
    assert engine.score_tokens(*words) == python.score_tokens(*words)
    assert engine.rows(LEFT.references)([LEFT.hypothesis]) == python.rows(LEFT.references)([LEFT.hypothesis])
    assert "_python" in vars(engine)


def test_an_error_in_a_batch_that_the_kernel_leaves(monkeypatch):
    """The error names the segment of the stream, not that of the batch."""
    config = evolve(load_preset("meteor-2005-exact"), search=SearchConfig("staged", budget=1))
    pairs = [*[Pair(["the car"], "the car")] * (BATCH_SIZE + 2), LEFT]
    monkeypatch.setattr(search, "MOST_BYTES", 8)
    for engine in (build_engine(config, wanted=wanted) for wanted in ("compiled", "python")):
        for score in (engine.totals, lambda pairs, engine=engine: list(engine.breakdowns(pairs))):
            with pytest.raises(InvalidText) as refused:
                score(pairs)
            assert blamed_segment(refused.value) == BATCH_SIZE + 2


def test_python_can_be_forced(root):
    """With METEORLIB_PURE_PYTHON=1 the Python code runs, and says so."""
    code = "from meteorlib.engine.implementation import implementation_in_use; print(implementation_in_use())"
    for value, expected in (("1", "pure Python"), ("0", "compiled")):
        environment = {**os.environ, "METEORLIB_PURE_PYTHON": value}
        ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
        assert ran.stdout.strip() == expected


def _same_on(name, sides):
    """Compare the engines of a preset on text; all paraphrase tables are English's. Tells whether it could."""
    config = _preset(name, "paraphrase-en", budget=2_000_000)
    if config.search.name not in TWINS:
        return False
    try:
        engine, reference = _engines(config)
    except (ExtraMissing, ResourceMissing):
        return False
    known = {}
    for ref, hyp in zip(*sides, strict=True):
        if ref not in known:
            known[ref] = engine.read(ref), reference.read(ref)
        ours, theirs = known[ref]
        assert engine.align(ours, engine.read(hyp)) == reference.align(theirs, reference.read(hyp)), (name, ref, hyp)
    return True


def _share(name, sides, step):
    """A sample of the segments; each preset begins at another one, so that together they cover most."""
    return [side[preset_names().index(name) % step :: step] for side in sides]


@pytest.fixture(scope="module")
def news(shared) -> list[list[str]]:
    """The references and hypotheses of newstest2009."""
    folder = shared / "data" / "newstest2009"
    return [(folder / file).read_text(encoding="utf-8").split("\n")[:-1] for file in ("reference.en", "system1.en")]


@pytest.mark.oracle
@pytest.mark.parametrize("part", range(PARTS))
def test_newstest2009(news, part):
    """Real text: every eighth segment of newstest2009 comes out the same under every English preset."""
    compared = [_same_on(name, _share(name, news, 8)) for name in ENGLISH[part::PARTS]]
    assert any(compared)


@pytest.mark.oracle
@pytest.mark.parametrize("part", range(PARTS))
def test_some_of_newstest2009(news, part):
    """Every fortieth segment is equal under the presets of all other languages."""
    others = [name for name in preset_names() if name not in ENGLISH]
    compared = [_same_on(name, _share(name, news, 40)) for name in others[part::PARTS]]
    assert any(compared)


@pytest.fixture(scope="module", params=["wmt13_rank", "wmt14_rank"])
def judged(shared, request) -> tuple[list[str], list[str]]:
    """The references and hypotheses of WMT13 and of WMT14."""
    references, hypotheses = [], []
    for path in sorted((shared / "data" / "judgements" / request.param).glob("*.hyps.tsv.gz")):
        segments = {row[0]: row[2] for row in _rows(path.with_name(path.name.replace("hyps", "segments")))}
        for segment, _, hypothesis in _rows(path):
            references.append(segments[segment])
            hypotheses.append(hypothesis)
    assert len(hypotheses) > 100_000
    return references, hypotheses


@pytest.mark.oracle
@pytest.mark.stress
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", ["meteor-1.5-en", "meteor-1.5-en-optimal", "nltk", "meteor-2005", "meteor-2005-exact"])
def test_judged_segments(judged, name, part):
    """Every 24th segment of WMT14, and every 192nd of WMT13, comes out the same."""
    step = STEP * PARTS * (1 if len(judged[0]) < 200_000 else 8)
    if not _same_on(name, [side[part::step] for side in judged]):
        pytest.skip(f"what {name} needs is not installed")


@pytest.mark.oracle
@pytest.mark.stress
@pytest.mark.parametrize("judged", ["wmt14_rank"], indirect=True)
@pytest.mark.parametrize("part", range(PARTS))
def test_some_judged_segments(judged, part):
    """Every 1,200th segment of WMT14 is equal under every preset."""
    compared = [_same_on(name, _share(name, judged, 50 * STEP)) for name in preset_names()[part::PARTS]]
    assert any(compared)


def _rows(path: Path) -> list[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        return [line.removesuffix("\n").split("\t") for line in lines][1:]
