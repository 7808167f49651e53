"""The table of several systems: what a cell says."""

from __future__ import annotations

import json
from math import nan

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.analysis.results import System, SystemComparison, shown_label
from meteorlib.analysis.significance import compare_systems
from meteorlib.display.text import digits, signed
from meteorlib.errors import UnknownName
from meteorlib.reports.json_tsv import json_results, tsv_results
from meteorlib.reports.papers import best_cells, latex_results, markdown_results
from meteorlib.reports.system_table import Results, cells, difference_cells, notes, score_cells
from meteorlib.reports.text_table import text_results

REFS, GOOD, BAD = ["a b c", "d e f g", "h i"], ["a b c", "d e g f", "h i"], ["a x c", "e d", "h i"]


def whole(report):
    """A format as a function that returns the whole text."""
    return lambda systems: "".join(report(systems))


as_json, text, tsv = whole(json_results), whole(text_results), whole(tsv_results)
latex, markdown = whole(latex_results), whole(markdown_results)


@pytest.fixture(scope="module")
def systems():
    """A good system, one that is no better or worse, and one of two runs."""
    good, bad = (Scorer().corpus().extend(references=REFS, hypotheses=hyps) for hyps in (GOOD, BAD))
    found = compare_systems({"good": good, "same": good, "bad": [bad, good]}, samples=100)
    return Results(found, "the signature|refs:1")


def column(systems, name):
    """The cells below a name."""
    head, *rows = cells(systems)
    return [row[head.index(name)] for row in rows]


def test_numbers():
    """A missing value is a dash; a difference of 0, also a rounded one, has no sign."""
    assert (digits(0.12345, 3), digits(None, 3), digits(nan, 3)) == ("0.123", "–", "–")
    assert [signed(value, 2) for value in (0.5, -0.5, 0.0, 0.001, -0.001)] == ["+0.50", "-0.50", "0.00", "0.00", "0.00"]


def test_columns(systems):
    """Each system has its numbers; the baseline is compared with nothing."""
    by_name = {system.name: system for system in systems.comparison.systems}
    assert column(systems, "system") == ["good", "same", "bad"]
    assert column(systems, "score") == [f"{system.score:.4f}" for system in by_name.values()]
    assert column(systems, "difference") == ["–", "0.0000", f"{by_name['bad'].difference.value:+.4f}"]
    assert column(systems, "p")[:2] == ["–", "1.0000"]
    assert column(systems, "runs") == ["1", "1", "2"]
    assert column(systems, "s_opt")[:2] == ["–", "–"]
    assert column(systems, "s_opt")[2] == f"{by_name['bad'].s_opt:.4f}"


def test_columns_are_only_what_is_there(systems):
    """Without a test no p values; without runs no spread over them; means of segments say so."""
    corpora = {
        name: Scorer().corpus().extend(references=REFS, hypotheses=hyps)
        for name, hyps in (("good", GOOD), ("bad", BAD))
    }
    plain = Results(compare_systems(corpora, test=None, samples=100), "s")
    assert cells(plain)[0] == ["system", "score", "95% interval", "mean", "difference", "its 95% interval"]
    alone = Results(compare_systems({"good": corpora["good"]}, samples=100, compared="mean", confidence=0.999), "s")
    assert cells(alone)[0] == ["system", "score", "99.9% interval", "corpus"]
    assert dict(notes(alone))["score"] == "mean of the segments' scores; higher is better"


def test_text_has_every_column(systems):
    """The two tables of text have the columns of the one table, each once, and no row of the baseline's dashes."""
    scores, differences = score_cells(systems), difference_cells(systems)
    whole = [dict(zip(cells(systems)[0], row, strict=True)) for row in cells(systems)[1:]]
    assert sorted([*scores[0], *differences[0][1:]]) == sorted(whole[0])
    assert differences[0][0] == "minus good"
    for row, expected in zip(scores[1:], whole, strict=True):
        assert [expected[name] for name in scores[0]] == row
    for row, expected in zip(differences[1:], whole[1:], strict=True):
        assert [expected["system"], *(expected[name] for name in differences[0][1:])] == row


@pytest.mark.parametrize("width", [0, 4, 15])
def test_text_fits_a_terminal(systems, width):
    """No line is longer than 80 characters except with long names and for the signature; no number is cut."""
    names = {"good": "newstest2019.Facebook_FAIR.6750.en-de", "same": "online-B", "bad": "a name of\ttwo words" * 9}
    renamed = [evolve(system, name=names[system.name]) for system in systems.comparison.systems]
    comparison = evolve(systems.comparison, systems=tuple(renamed), baseline=names["good"])
    shown = Results(comparison, f"signature:{'x' * 100}", width)
    out = text(shown)
    long = names["bad"].replace("\t", r"\t")
    assert [line for line in out.splitlines() if len(line) > 80 and line != long and "signature" not in line] == []
    numbers = {cell for row in (*score_cells(shown)[1:], *difference_cells(shown)[1:]) for cell in row[1:]}
    assert [cell for cell in numbers if cell not in out] == []


def test_very_small_p(systems):
    """A p value that rounds to nothing is not 0."""
    first, second, third = systems.comparison.systems
    tiny = evolve(second, difference=evolve(second.difference, p=1e-6))
    shown = evolve(systems, comparison=evolve(systems.comparison, systems=(first, tiny, third)))
    assert column(shown, "p")[1] == "<0.0001"
    assert r"$<0.0001$" in latex(shown)


def test_histogram_of_two():
    """Every band between the first and the last nonempty one has a line, for two systems."""
    corpora = {
        name: Scorer().corpus().extend(references=REFS, hypotheses=hyps)
        for name, hyps in (("good", GOOD), ("bad", BAD))
    }
    found = compare_systems(corpora, samples=100)
    lines = text(Results(found, "s")).split("\n\n")[2].splitlines()
    assert lines[0] == "segments of bad against good: 0 better, 2 worse, 1 unchanged"
    bands = found["bad"].difference.changes.bands
    filled = [place for place, count in enumerate(bands) if count]
    assert len(lines) - 1 == filled[-1] - filled[0] + 1
    assert [int(line.split()[3]) for line in lines[1:]] == list(bands[filled[0] : filled[-1] + 1])
    assert float(lines[1].split()[0]) == pytest.approx((filled[0] - 10) / 10)


def test_identical_two():
    """Two equal systems have no bands."""
    corpus = Scorer().corpus().extend(references=REFS, hypotheses=GOOD)
    out = text(Results(compare_systems({"one": corpus, "two": corpus}, samples=100), "s"))
    assert "segments of two against one: 0 better, 0 worse, 3 unchanged\n\nsegments " in out


@pytest.mark.parametrize("form", [text, as_json, tsv, markdown, latex])
def test_signature(systems, form):
    """Every format has the signature as it is, and ends with a line end."""
    out = form(systems)
    assert "the signature|refs:1" in out
    assert out.endswith("\n")


def test_json_segments(systems):
    """Segments are listed with their systems if requested."""
    found = json.loads(as_json(evolve(systems, segments=True)))
    assert [system["segments"] for system in found["systems"]] == [
        [{"score": score} for score in system.segments] for system in systems.comparison.systems
    ]
    assert "segments" not in json.loads(as_json(systems))["systems"][0]


def test_latex_is_balanced(systems):
    """Every row has as many cells as the table has columns, and every environment is closed."""
    out = latex(systems)
    lines = [line for line in out.splitlines() if not line.startswith("%")]
    (start,) = (place for place, line in enumerate(lines) if line.startswith(r"\begin{tabular}"))
    columns = lines[start].removeprefix(r"\begin{tabular}{").removesuffix("}")
    rows = [line for line in lines if line.endswith(r"\\")]
    assert len(rows) == 4
    assert {line.count("&") + 1 for line in rows} == {len(columns)}
    assert (lines[start + 1], lines[start + 3]) == (r"\toprule", r"\midrule")
    assert [line[1:].partition("{")[0] for line in lines if line.startswith((r"\begin", r"\end"))] == [
        "begin", "begin", "end", "end",
    ]  # fmt: skip


def test_best_and_significant(systems):
    """The highest scores are bold, ties as printed too; an asterisk marks a significant adjusted p only."""
    found = latex(evolve(systems, width=0))
    assert found.count(r"\textbf") == sum(
        f"{system.score:.0f}" == f"{systems.comparison.systems[0].score:.0f}" for system in systems.comparison.systems
    )
    assert r"\rlap{$^{*}$}" not in found
    first, second, third = systems.comparison.systems
    sure = evolve(second, difference=evolve(second.difference, p=0.01, adjusted_p=0.049))
    unsure = evolve(third, difference=evolve(third.difference, p=0.01, adjusted_p=0.05))
    shown = evolve(systems, comparison=evolve(systems.comparison, systems=(first, sure, unsure)))
    for out, star in ((latex(shown), r"\rlap{$^{*}$}"), (markdown(shown), r"\*")):
        rows = [
            line for line in out.splitlines() if line.startswith(("good", "same", "bad", "| good", "| same", "| bad"))
        ]
        assert [star in row for row in rows] == [False, True, False]
    assert "paired approximate randomization, 100 samples, seed 12345" in latex(shown)


def test_best_of_groups():
    """The best score of each column as printed, ties too; none where scores or other systems are missing."""
    grid = [["set", "a", "b", "c"], ["one", "0.5000", "–", "–"], ["two", "0.5000", "0.1000", "–"]]
    assert [best_cells(grid, column) for column in (1, 2, 3)] == [{(1, 1), (2, 1)}, {(2, 2)}, set()]
    assert best_cells(grid[:2], 1) == set()
    errors = [["set", "a"], ["one", "7.00"], ["two", "10.00"]]
    assert best_cells(errors, 1, lower_is_better=True) == {(1, 1)}


def test_names_of_metrics(systems):
    """Papers write BLEU, chrF and TER, which the command calls bleu, chrf and ter; p is set as mathematics."""
    scores = tuple(System(system.name, 30.0) for system in systems.comparison.systems)
    metric = evolve(systems.comparison, name="chrf++", signature="nw:2", percent=True, systems=scores)
    for written in (latex(evolve(systems, metrics=[metric])), markdown(evolve(systems, metrics=[metric]))):
        assert "chrF++" in written
    assert "chrF++: nw:2" in latex(evolve(systems, metrics=[metric]))
    assert "$p < 0.05$" in latex(systems)


def test_meteor_comes_first(systems):
    """METEOR's differences and histogram stand before the tables of other metrics."""
    metric = evolve(systems.comparison, name="x", signature="nw:2", percent=True)
    blocks = [block.split()[0] for block in text(evolve(systems, metrics=[metric])).split("\n\n")]
    assert blocks[0] == "system"
    assert blocks.index("minus") < blocks.index("x") == len(blocks) - 2


def test_percent_and_columns(systems):
    """Percent multiplies scores and differences, not p values; columns are those chosen, in their order."""
    plain = evolve(systems, columns=["p", "ci", "score", "difference"])
    percent = evolve(plain, percent=True, width=2)
    assert cells(plain)[0] == ["system", "p", "95% interval", "score", "difference"]
    for row, scaled in zip(cells(plain)[1:], cells(percent)[1:], strict=True):
        assert scaled[1] == row[1]
        assert scaled[3] == f"{100 * float(row[3]):.2f}"
    with pytest.raises(UnknownName, match="did you mean 'score'"):
        cells(evolve(systems, columns=["scor"]))


def test_percent_in_the_histogram():
    """Both ends of a band are in percent; other metrics keep the digits that were asked for."""
    corpora = {
        name: Scorer().corpus().extend(references=REFS, hypotheses=hyps)
        for name, hyps in (("good", GOOD), ("bad", BAD))
    }
    shown = Results(compare_systems(corpora, samples=100), "s", percent=True, width=2)
    for line in text(shown).split("\n\n")[2].splitlines()[1:]:
        low, _, high, *_ = line.split()
        assert float(high) == float(low) + 10
    metric = SystemComparison(name="bleu", percent=True, baseline="", segment_count=3)
    assert [evolve(shown, percent=percent).metric_width(metric) for percent in (True, False)] == [2, 0]


def test_p_values_in_tsv(systems):
    """The p value and the adjusted one stand below their names."""
    good, same, bad = systems.comparison.systems
    bad = evolve(bad, difference=evolve(bad.difference, p=0.01, adjusted_p=0.03))
    lines = tsv(evolve(systems, comparison=evolve(systems.comparison, systems=(good, same, bad)))).splitlines()
    row = dict(zip(lines[0].split("\t"), lines[-1].split("\t"), strict=True))
    assert (row["p"], row["adjusted_p"]) == ("0.01", "0.03")


@pytest.mark.parametrize(("label", "shown"), [("", "–"), ("–", '"–"'), ('"–"', '""–""'), ("a", "a")])
def test_labels_that_are_dashes(label, shown):
    """Only segments without a label have a bare dash."""
    assert shown_label(label) == shown
