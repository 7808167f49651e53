"""Result objects in notebooks: attributes as columns, in words, numbers as the commands print them."""

from __future__ import annotations

import re
from html import unescape
from importlib import import_module

import numpy as np
import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.analysis.comparison import compare
from meteorlib.analysis.differences import Difference
from meteorlib.analysis.mbr import choose
from meteorlib.analysis.meta_evaluation import Judged, Judgments, Metric, Ratings, Scored, meta_evaluate
from meteorlib.analysis.results import System, SystemComparison
from meteorlib.analysis.significance import Interval, compare_systems
from meteorlib.analysis.tuning import tune
from meteorlib.arrays import SegmentArrays
from meteorlib.core.segment import Pair
from meteorlib.core.totals import Totals
from meteorlib.display.displayable import ROWS_SHOWN, Tabular, grid_of, numbered
from meteorlib.display.text import signed
from meteorlib.reports.human_judgments import rows_of, tuning_text
from meteorlib.reports.preset_comparison import comparison_text
from meteorlib.reports.system_table import Results, cells
from meteorlib.verification import verify

WORDS = "the cat sat on the mat and the dog ran to a tree".split()
HOSTILE = "<script>alert(1)</script>"
RESULT_MODULES = (
    "meteorlib.analysis.comparison", "meteorlib.analysis.mbr", "meteorlib.analysis.meta_evaluation",
    "meteorlib.analysis.significance", "meteorlib.analysis.tuning", "meteorlib.explanation", "meteorlib.verification",
)  # fmt: skip
INPUTS = {*"Asked Axis Columns Judged Judgments Metric Objective Output Pairs Ratings Scored".split()}


def shown(result):
    """The cells that a notebook shows of a result."""
    page = result._repr_html_()
    assert "<script" not in page
    return [unescape(re.sub("<[^>]+>", "", one)) for one in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", page)]


def cut(seed, length):
    """A hypothesis of the words, in an order of its own."""
    return " ".join(np.random.default_rng(seed).permutation(WORDS)[:length])


def corpus(seed, preset="meteor-2005-exact"):
    made = Scorer(preset).corpus()
    return made.extend(references=[" ".join(WORDS)] * 12, hypotheses=[cut(seed + n, 5 + n % 7) for n in range(12)])


@pytest.fixture(scope="module")
def systems():
    """Three systems, one of them with two runs and a name that could be a tag."""
    return compare_systems({"base": corpus(1), HOSTILE: [corpus(2), corpus(3)], "other": corpus(4)}, samples=200)


@pytest.fixture(scope="module")
def judgments():
    """Ratings of twelve texts of four systems."""
    texts = tuple(
        Judged(f"s{n // 4}", f"m{n % 4}", Pair((cut(n // 4, 13),), cut(n + 50, 4 + n % 6))) for n in range(48)
    )
    return Judgments("xx-yy", texts, ratings=Ratings(np.arange(48), np.arange(48.0) % 6))


@pytest.fixture(scope="module")
def agreement(judgments):
    metrics = [Metric(name, (Scored(np.random.default_rng(seed).random(48)),)) for seed, name in enumerate(("a", "b"))]
    return meta_evaluate([judgments], metrics, samples=50)


@pytest.fixture(scope="module")
def tuning(judgments):
    return tune(
        Scorer("meteor-2005-exact"), {"a": [judgments]}, ["alpha=0.1/0.9"], method="grid", by="segment", samples=50
    )


def test_system_comparisons(systems):
    """The notebook shows the cells of the table that `score` prints, every pair below it, the signature last."""
    found = shown(systems)
    head, *rows = cells(Results(systems, systems.signature))
    chosen = [place for place, name in enumerate(head) if name != "mean"]
    assert {row[place] for row in rows for place in chosen} <= set(found)
    assert found[:4] == ["metric", "METEOR", "name", "score"]
    assert found[-16:-12] == ["segment count", "12", "compared", "corpus"]
    assert found[-2:] == ["signature", systems.signature]
    assert all(f"{pair.p:.4f}" in found for pair in systems.pairs)


def test_systems(systems):
    """A system has one row, with headings in words."""
    baseline, other = systems["base"], systems["other"]
    assert "p" not in shown(baseline)
    found = shown(other)
    half = len(found) // 2
    row = dict(zip(found[:half], found[half:], strict=True))
    assert row["name"] == "other"
    assert row["difference"] == f"{other.difference.value:+.4f}"
    assert row["interval"] == f"[{other.interval.low:.4f}, {other.interval.high:.4f}]"
    assert row["runs"] == "1"


def test_pairs_and_differences(systems):
    """Differences have signs, p values four digits."""
    pair, difference = systems.pairs[0], systems["other"].difference
    assert shown(pair)[5:] == [
        pair.system, pair.other, f"{pair.difference:+.4f}",
        f"[{pair.interval.low:+.4f}, {pair.interval.high:+.4f}]", f"{pair.p:.4f}",
    ]  # fmt: skip
    assert f"{difference.adjusted_p:.4f}" in shown(difference)
    assert str(difference.changes.better) in shown(difference)


def test_parts_of_systems(systems):
    """Intervals, runs and changes have their attributes as columns."""
    system = systems["other"]
    assert shown(system.interval)[:3] == ["low", "high", "mean"]
    assert f"{system.runs[0].scored.recall:.4f}" in shown(system.runs[0])
    assert str(system.difference.changes.worse) in shown(system.difference.changes)


def test_metric_comparisons():
    """Scores up to 100 have two digits less; a system by itself has four."""
    base = System("base", 29.61234)
    other = System(HOSTILE, 30.5, (), Interval(29.0, 31.0, 30.1), difference=Difference(0.88766, None, 0.00001, 0.02))
    comparison = SystemComparison(name="BLEU", signature="nrefs:1", percent=True, systems=(base, other),
                                  baseline="base", segment_count=3)  # fmt: skip
    found = shown(comparison)
    assert found[:2] == ["metric", "BLEU"]
    assert found[8:20] == [
        "base", "29.61", "–", "–", "–", "–", HOSTILE, "30.50", "[29.00, 31.00]", "+0.89", "<0.0001", "0.0200",
    ]  # fmt: skip
    assert "29.6123" in shown(base)
    assert "BLEU, lower is better" in shown(evolve(comparison, lower_is_better=True))


def test_tables_of_metrics(systems):
    """Each metric has a table, which it heads; a comparison of two systems needs no table of pairs."""
    two = evolve(systems, systems=systems.systems[::2])
    by_ter = evolve(two, name="TER")
    found = shown(Results(two, two.signature, metrics=[by_ter]))
    assert found[0] == "METEOR"
    assert found.count("TER") == 1
    assert "other" not in {*found} - {two.systems[1].name}
    assert not {"runs", "s sel", "s opt"} & {*found}
    assert {"runs", "s sel", "s opt"} <= {*shown(Results(systems, systems.signature))}


def test_comparisons_of_presets():
    """Numbers are those that `compare-presets` prints."""
    scorers = [Scorer("meteor-2005-exact"), Scorer("nltk")]
    pairs = [Pair((" ".join(WORDS),), cut(n, 8)) for n in range(6)]
    found = compare(scorers, lambda: iter(pairs))
    printed = comparison_text(found, {})
    numbers = [cell for one in found.presets for cell in shown(one) if re.fullmatch(r"[+]?[0-9]\.[0-9]{4}", cell)]
    assert len(numbers) >= 12
    assert all(number in printed for number in numbers)
    assert f"{found.spread.amount:.4f}" in shown(found.spread)
    assert {*shown(found.presets[0])} <= {*shown(found)}


def test_chosen_samples():
    """The chosen sample and the expected score of each."""
    choice = choose([HOSTILE, "a cat sat", "a cat sat here"])
    found = shown(choice)
    assert found[:4] == ["index", str(choice.index), "text", choice.text]
    assert [f"{one:.4f}" for one in choice.expected] == found[-5::2]


def test_meta_evaluations(agreement):
    """Every statistic that `meta-eval --all` prints, with intervals and p values, of all tables and of each."""
    for table in agreement.tables:
        printed = {cell for row in rows_of(table, agreement.confidence) for cell in row[2:]}
        found = {*shown(table), *(cell for one in table.agreements for cell in shown(one))}
        numbers = {cell for cell in printed if re.fullmatch(r"[-+]?[0-9]\.[0-9]{4}", cell)}
        assert len(numbers) > 5
        assert numbers <= {part for cell in found for part in (cell, *cell.split())}
        assert set(shown(table)[10:]) <= set(shown(agreement))
    figure = agreement.tables[0]["b"].figures["pearson"]
    assert f"{figure.value:.4f}" in shown(figure)
    assert f"{figure.difference.value:+.4f}" in shown(figure.difference)


def test_tunings(tuning):
    """The numbers that `tune` prints, for each fold and for all judgments."""
    printed = tuning_text(tuning)
    for fitted in (*tuning.folds, tuning.whole):
        row = shown(fitted)
        assert f"{fitted.train:.4f}" in row
        assert f"{fitted.train:.4f}" in printed
        assert set(row[-3:]) <= set(shown(tuning))
    assert signed(tuning.gain.difference) in shown(tuning.gain)
    fold = evolve(tuning.folds[0], base=0.1, train=0.2, left_out_base=0.3, left_out_value=0.4)
    first = tuning_text(evolve(tuning, folds=[fold])).splitlines()[1]
    assert first.split()[-4:] == ["0.1000", "0.2000", "0.3000", "0.4000"]


def test_explanations():
    """Steps of the formula, gains and faults of an explanation."""
    explanation = Scorer("meteor-2026-en-core").explain("the number is not 12 of 30", "the the number is 13 of 30")
    assert explanation.gains
    assert explanation.faults
    for one in explanation.gains:
        assert signed(one.gain) in shown(one)
    for one in explanation.steps:
        assert f"{one.value:.4f}".replace("nan", "–") in shown(one)
    for one in explanation.faults:
        assert f"{one.penalty:.4f}" in shown(one)
        assert one.description in shown(one)
        assert all(word in ", ".join(shown(place)) for place in one.places for word in place.reference_words)


def test_parts_of_scores():
    """Counts of a score, of totals, chunks and arrays."""
    scored = Scorer("meteor-2026-en-core").score("the cat sat on the mat", "on the mat sat the cat")
    statistics, totals = scored.statistics, Totals.of(scored)
    assert shown(statistics)[:2] == ["hypothesis length", str(statistics.hypothesis_length)]
    assert {"junctions", "swaps"} <= set(shown(statistics))
    assert str(statistics.stages[0].reference_content) in shown(totals)
    chunks = scored.alignment.chunking.chunks
    assert shown(scored.alignment.chunking)[-5:] == [str(len(chunks) - 1), *map(str, chunks[-1])]
    many = SegmentArrays.of([scored] * (ROWS_SHOWN + 5))
    assert shown(many)[-2:] == ["…", "5 more"]
    assert f"{scored.score:.4f}" in shown(many)


def test_verifications():
    """A row for each preset, its state in words."""
    found = verify(["meteor-2005-exact"])
    assert shown(found)[:2] == ["passed", "yes"]
    assert {"meteor-2005-exact", "equal"} <= set(shown(found))
    assert str(found.checks[0].cases) in shown(found.checks[0])


def test_every_public_result_has_a_table():
    """No result class of a public module is shown as its repr."""
    for module in map(import_module, RESULT_MODULES):
        for name in set(module.__all__) - INPUTS:
            public = getattr(module, name)
            if isinstance(public, type):
                assert hasattr(public, "_repr_html_"), public


def test_empty_tables():
    """No values, no table; a single column stays, though it is empty."""

    class Nothing(Tabular):
        _columns = "value"
        value = None

    assert numbered([], "score") == []
    assert grid_of([Nothing()]) == [["value"], ["–"]]
    assert Tabular()._repr_html_() == "<div></div>"
