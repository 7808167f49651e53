"""METEOR 1.5's agreement with people is what its own scores give, to the last digit; METEOR 2026's is better."""

from __future__ import annotations

import json
import re

import pytest

from meteorlib import Scorer
from meteorlib.analysis import meta_evaluation
from meteorlib.analysis.meta_evaluation import Asked, Columns, metrics, read_judgments
from tests.oracle.records import lines
from tests.oracle.test_judgments import plain

pytestmark = [pytest.mark.oracle, pytest.mark.stress]

_RANKED = re.compile(
    r"^(wmt\d\d) (\S+) pairs (\d+) conc (\d+) disc (\d+) ties (\d+) "
    r"tau\(ties wrong\)=(\S+) tau\(WMT14: ties 0\)=(\S+) tau\(ties excl\)=(\S+)$"
)
_RATED = re.compile(r"^(\S+) (\w\w-en) (\d+) pearson (\S+) kendall (\S+)$")

POOLED = {"wmt14": (67826, 101103)}
RATED = ("naacl15_newstest2013_da", "wmt15_daseg", "wmt16_daseg")

BETTER = {
    "meteor-2026-en": {"wmt14": 0.392, "rated": 0.597, "captions": 0.443},
    "meteor-2026-en-core": {"wmt14": 0.3542, "rated": 0.5448, "captions": 0.4182},
}
"""Least agreement: tau of 2014, Pearson, tau-c. That of the preset without paraphrases is the better
one of METEOR 1.5's with them and chrF++'s."""


@pytest.fixture(autouse=True)
def nothing_is_kept(tmp_path, monkeypatch):
    """Texts for the test, scored."""
    monkeypatch.setattr(metrics, "FOLDER", str(tmp_path))


def summary(shared, expression):
    """The lines of the summary that are so."""
    found = map(expression.match, lines(shared / "data" / "judgements" / "jar" / "summary.txt"))
    return [one.groups() for one in found if one]


def evaluated(path, scorer, asked):
    judgments = read_judgments(str(path), asked)
    return meta_evaluation.meta_evaluate(judgments, [meta_evaluation.meteor(scorer, judgments)], samples=2)


@pytest.mark.parametrize("year", POOLED)
def test_rankings(shared, meteor, year):
    """Concordant, discordant, tied, and the three taus of every language pair."""
    found = evaluated(shared / "data" / "judgements" / f"{year}_rank", meteor, Asked())
    expected = [one for one in summary(shared, _RANKED) if one[0] == year]
    assert len(expected) >= 4
    for _, name, *numbers in expected:
        table = found.table(name, "pairs")
        row = table["meteor-1.5-en"]
        taus = [f"{row.figures[f'tau_{key}'].value:.5f}" for key in ("wmt12", "wmt14", "wmt13")]
        assert [*map(str, (table.judged, row.concordant, row.discordant, row.tied)), *taus] == numbers
    pooled = found.table("pooled", "pairs")
    assert (pooled["meteor-1.5-en"].concordant, pooled.judged) == POOLED[year]


@pytest.mark.parametrize("name", RATED)
def test_direct_assessment(shared, meteor, name):
    """Pearson and tau-b of every language pair into English."""
    expected = [one for one in summary(shared, _RATED) if one[0] == name]
    assert len(expected) >= 4
    asked = Asked(lps=tuple(lp for _, lp, *_ in expected))
    found = evaluated(shared / "data" / "judgements" / "da" / f"{name}.tsv.gz", meteor, asked)
    for _, lp, *numbers in expected:
        table = found.table(lp, "ratings")
        figures = table["meteor-1.5-en"].figures
        assert [str(table.judged), *(f"{figures[key].value:.5f}" for key in ("pearson", "tau_b"))] == numbers


def captions(shared, path):
    """The captions that are no references, with the ratings of three experts each, as a table; how to read it."""
    with path.open("w", encoding="utf-8") as file:
        for line in lines(shared / "data" / "judgements" / "caption" / "flickr8k_expert.jsonl.gz"):
            caption = json.loads(line)
            if not caption["in_references"]:
                caption["references"] = [*map(plain, caption["references"])]
                caption["hypothesis"] = plain(caption["hypothesis"])
                file.write(json.dumps(caption) + "\n")
    return Asked(columns=Columns(segments=("image",), system="caption_id", human="expert"), several="each")


def test_captions(shared, meteor, tmp_path):
    """Each of the three ratings of every caption that is no reference: tau-c .4182."""
    path = tmp_path / "captions.jsonl"
    table = evaluated(path, meteor, captions(shared, path)).table("en", "ratings")
    assert (table.texts, table.judged) == (5664, 3 * 5664)
    assert f"{table['meteor-1.5-en'].figures['tau_c'].value:.4f}" == "0.4182"


@pytest.mark.parametrize("name", BETTER)
def test_meteor_2026_on_rankings(shared, meteor, name):
    """METEOR 2026 orders more translations of WMT14 as people did than METEOR 1.5 and chrF++."""
    found = evaluated(shared / "data" / "judgements" / "wmt14_rank", Scorer(name), Asked())
    assert found.table("mean", "pairs")[name].figures["tau_wmt14"].value >= BETTER[name]["wmt14"]


@pytest.mark.parametrize("name", BETTER)
def test_meteor_2026_on_direct_assessment(shared, meteor, name):
    """The mean of three sets' Pearson, each the mean of its language pairs, is above METEOR 1.5's."""
    found = []
    for data in RATED:
        asked = Asked(lps=tuple(lp for one, lp, *_ in summary(shared, _RATED) if one == data))
        path = shared / "data" / "judgements" / "da" / f"{data}.tsv.gz"
        mean = evaluated(path, Scorer(name), asked).table("mean", "ratings")
        found.append(mean[name].figures["pearson"].value)
    assert sum(found) / len(found) >= BETTER[name]["rated"]


@pytest.mark.parametrize("name", BETTER)
def test_meteor_2026_on_captions(shared, meteor, tmp_path, name):
    """Tau-c of captions is above METEOR 1.5's."""
    path = tmp_path / "captions.jsonl"
    table = evaluated(path, Scorer(name), captions(shared, path)).table("en", "ratings")
    assert table[name].figures["tau_c"].value >= BETTER[name]["captions"]
