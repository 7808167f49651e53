"""The table of programs in docs/presets.md is what METEOR's jar, NLTK and this package give for the examples."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import load_preset
from tools.record_golden import read_lines
from tools.record_jar import run_jar

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/presets.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (.*?) \| (0\.\d{4}) \| (0\.\d{4}) \| (.*) \|$", PAGE, re.MULTILINE)
JAR_ROWS = [(found[1], a, b) for run, a, b, _ in ROWS if (found := re.search(r"`(-l en.*) -r 2`", run))]
HERE = re.compile(r"`([\w.-]+)`(?: with `text: (\w+)`)?(, the mean)?")
OUR_ROWS = [(found, a, b) for _, a, b, here in ROWS if (found := HERE.fullmatch(here))]
NO_TABLE = ("meteor-2005", "nltk", "meteor-1.5-en-core")


def _segments(system):
    references = [read_lines(ROOT / f"examples/reference.{number}.en") for number in (0, 1)]
    return list(zip(*references, strict=True)), read_lines(ROOT / f"examples/system-{system}.en")


def test_every_row_is_seen():
    """The tests below find the rows of the table."""
    assert (len(ROWS), len(JAR_ROWS), len(OUR_ROWS)) == (12, 7, 11)


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, id=row[0][0], marks=() if row[0][1] in NO_TABLE else pytest.mark.oracle)
        for row in OUR_ROWS
    ],
)  # fmt: skip
def test_this_package_gives_the_row(row):
    """The preset that a row names gives its numbers."""
    here, *stated = row
    config = load_preset(here[1])
    scorer = Scorer(evolve(config, text=here[2]) if here[2] else config)
    for system, number in zip("ab", stated, strict=True):
        references, hypotheses = _segments(system)
        corpus = scorer.corpus().extend(references=references, hypotheses=hypotheses)
        assert f"{corpus.mean() if here[3] else corpus.score().score:.4f}" == number


@pytest.mark.oracle
@pytest.mark.stress
@pytest.mark.skipif(shutil.which("java") is None, reason="needs Java")
@pytest.mark.parametrize("row", JAR_ROWS, ids=lambda row: row[0])
def test_the_jar_gives_the_row(row, oracles):
    """METEOR 1.5, run with the options that a row names, gives its first number; test_jar_live has the second text."""
    options, stated, _ = row
    references, hypotheses = _segments("a")
    jar = oracles / "meteor-1.5.jar"
    score, _ = run_jar(jar, hypotheses, references, shlex.split(options), of_segments=False)
    assert f"{score:.4f}" == stated


@pytest.mark.oracle
@pytest.mark.parametrize("splitter", ["str.split", "word_tokenize"])
def test_nltk_gives_the_row(splitter, oracles):
    """The mean of NLTK's scores is what the rows with its two splitters say."""
    nltk = pytest.importorskip("nltk")
    nltk.data.path.insert(0, str(oracles / "nltk_data"))
    from nltk.tokenize import word_tokenize
    from nltk.translate.meteor_score import meteor_score

    stated = next((a, b) for run, a, b, _ in ROWS if run.startswith("NLTK") and splitter in run)

    def words(text):
        return text.split() if splitter == "str.split" else word_tokenize(text, preserve_line=True)

    for system, number in zip("ab", stated, strict=True):
        references, hypotheses = _segments(system)
        scores = [
            meteor_score([words(text) for text in texts], words(hypothesis))
            for texts, hypothesis in zip(references, hypotheses, strict=True)
        ]
        assert f"{sum(scores) / len(scores):.4f}" == number
