"""METEOR-E's vectors: recorded statistics and scores of its program, to the last digit."""

from __future__ import annotations

from itertools import islice

import pytest
from attrs import evolve

from meteorlib import Scorer, StageConfig
from meteorlib.config import load_preset
from meteorlib.engine.implementation import load_kernel
from meteorlib.errors import ResourceMissing
from tests.oracle.records import lines

pytestmark = pytest.mark.oracle

RUNS = {
    "exact-vector-080": ("exact vector", (1.0, 0.8), 0.8, 0.2709813916417123),
    "exact-vector-090": ("exact vector", (1.0, 0.8), 0.9, 0.25886093463799115),
    "exact-stem-vector-085": ("exact stem vector", (1.0, 0.4, 0.8), 0.85, 0.2672522286217275),
    "exact-vector-paraphrase-080": ("exact vector paraphrase", (1.0, 0.8, 0.6), 0.8, 0.3021011256049154),
    "exact-stem-paraphrase-vector-080": (
        "exact stem paraphrase vector", (1.0, 0.4, 0.6, 0.8), 0.8, 0.30073053582408293,
    ),
}  # fmt: skip

COUNT = 400
STAGES = slice(4, 20)
"""Numbers of the four stages in our line; METEOR-E's has those of a fifth behind them."""


@pytest.mark.parametrize("implementation", ["python", *(["compiled"] if load_kernel() else [])])
@pytest.mark.parametrize("run", RUNS)
def test_recorded(shared, run, implementation):
    """Statistics, segment scores and the final score are METEOR-E's."""
    names, weights, threshold, final = RUNS[run]
    folder, texts = shared / "data" / "meteor-e", shared / "data" / "newstest2009"
    resources = {"stem": "snowball-en", "paraphrase": "paraphrase-en", "vector": str(folder / "vectors.txt.gz")}
    stages = [
        StageConfig(name, weight, resources.get(name), **({"threshold": threshold} if name == "vector" else {}))
        for name, weight in zip(names.split(), weights, strict=True)
    ]
    try:
        scorer = Scorer(evolve(load_preset("meteor-1.5-en"), stages=stages), implementation=implementation)
    except ResourceMissing as missing:
        pytest.skip(str(missing))
    references, hypotheses = (islice(lines(texts / name), COUNT) for name in ("reference.en", "system1.en"))
    corpus = scorer.corpus().extend(references=references, hypotheses=hypotheses)
    ours = [segment.statistics.line().split() for segment in corpus.segments]
    ours = [[*line[: STAGES.stop], *["0.0"] * 4, *line[STAGES.stop :]] for line in ours]
    assert ours == [line.split() for line in lines(folder / f"{run}.stats.gz")]
    told = [line.split(":") for line in lines(folder / f"{run}.scores.gz")]
    recorded = [float(score) for name, score in told if name.startswith("Segment")]
    assert [segment.score for segment in corpus.segments] == recorded
    assert corpus.score().score == final == float(dict(told)["Final score"])
