"""The table of programs in docs/presets.md is what METEOR's jar, NLTK and this package give for the examples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import load_preset
from tests.oracle.test_jar_live import RUNS, changed
from tools.record_golden import read_lines

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/presets.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (.*?) \| (0\.\d{4}) \| (0\.\d{4}) \| (.*) \|$", PAGE, re.MULTILINE)
HERE = re.compile(r"`([\w.-]+)`(?: with `text: (\w+)`)?(, the mean)?")
OUR_ROWS = [(found, a, b) for _, a, b, here in ROWS if (found := HERE.fullmatch(here))]
NO_TABLE = ("meteor-2005", "nltk", "meteor-1.5-en-core")


def _segments(system):
    references = [read_lines(ROOT / f"examples/reference.{number}.en") for number in (0, 1)]
    return list(zip(*references, strict=True)), read_lines(ROOT / f"examples/system-{system}.en")


def test_every_row_is_seen():
    """The tests below find the rows of the table."""
    assert (len(ROWS), len(OUR_ROWS)) == (12, 11)


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


def test_the_jar_has_the_options_of_the_row():
    """METEOR 1.5's options in a row are one of the runs that test_jar_live compares, with what the row names here."""
    compared = {options: changed(**settings) for options, settings in RUNS.values()}
    for run, _, _, here in ROWS:
        if options := re.search(r"`-l en ?(.*) -r 2`", run):
            name, text, _ = HERE.fullmatch(here).groups()
            assert compared[options[1]] == changed(name, **({"text": text} if text else {}))


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
