"""METEOR 1.5's agreement with people is what its own scores give: every count and correlation of the summary."""

from __future__ import annotations

import json
import re

import pytest

from meteorlib import judge
from meteorlib.judge import cache
from meteorlib.judge.reading import Asked, Columns, read_judgments
from tests.oracle.records import lines
from tests.oracle.test_judgments import plain

pytestmark = [pytest.mark.oracle, pytest.mark.stress]

_RANKED = re.compile(
    r"^(wmt\d\d) (\S+) pairs (\d+) conc (\d+) disc (\d+) ties (\d+) "
    r"tau\(ties wrong\)=(\S+) tau\(WMT14: ties 0\)=(\S+) tau\(ties excl\)=(\S+)$"
)
_RATED = re.compile(r"^(\S+) (\w\w-en) (\d+) pearson (\S+) kendall (\S+)$")

POOLED = {"wmt13": (222131, 362710), "wmt14": (67826, 101103)}
RATED = ("naacl15_newstest2013_da", "wmt15_daseg", "wmt16_daseg")


@pytest.fixture(autouse=True)
def nothing_is_kept(tmp_path, monkeypatch):
    """What is tested is scored."""
    monkeypatch.setattr(cache, "FOLDER", str(tmp_path))


def summary(shared, expression):
    """The lines of the summary that are so."""
    found = map(expression.match, lines(shared / "data" / "judgements" / "jar" / "summary.txt"))
    return [one.groups() for one in found if one]


def evaluated(path, scorer, asked):
    judgments = read_judgments(str(path), asked)
    return judge.meta_evaluate(judgments, [judge.meteor(scorer, judgments)], samples=2)


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


def test_captions(shared, meteor, tmp_path):
    """Each of the three ratings of every caption that is no reference: tau-c .4182."""
    path = tmp_path / "captions.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for line in lines(shared / "data" / "judgements" / "caption" / "flickr8k_expert.jsonl.gz"):
            caption = json.loads(line)
            if not caption["in_references"]:
                caption["references"] = [*map(plain, caption["references"])]
                caption["hypothesis"] = plain(caption["hypothesis"])
                file.write(json.dumps(caption) + "\n")
    columns = Columns(segments=("image",), system="caption_id", human="expert")
    table = evaluated(path, meteor, Asked(columns=columns, several="each")).table("en", "ratings")
    assert (table.texts, table.judged) == (5664, 3 * 5664)
    assert f"{table['meteor-1.5-en'].figures['tau_c'].value:.4f}" == "0.4182"
