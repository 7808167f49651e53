"""The choice of prices for faults by `python -m tools.fit_faults`, on judgments made here."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from attrs import evolve

from benchmarks.damaged import Contrasts, Example, Offenses, severity_table
from meteorlib import Scorer
from meteorlib.analysis.meta_evaluation import Judged, Judgments, Ratings
from meteorlib.core.pair import Pair
from tools.fit_2026 import Set
from tools.fit_faults import GOALS, GRID, START, Choice, double_moves, print_tables, single_moves

REFERENCES = (
    "The first train from Lisbon to Oslo is not late and has 12 cars",
    "Seven people from Toronto said on Monday 5 May that the new bridge was closed",
    "Nobody knows why it happened in the house of the old man in 1998",
    "A small dog was seen by the children on their way to the school",
)
GOOD = (
    "The first train between Lisbon and Oslo has 12 cars and is not delayed",
    "On Monday seven persons of Toronto said the new bridge is closed",
    "No one knows why this occurred in 1998 in the old man's house",
    "The children saw a small dog when they went to school",
)
SEVERE = [(severity, at) for severity in ("critical", "major", "minor") for at in (0, 1)]
"""Severity of each item of DEMETR, and the reference that it is of."""


@pytest.fixture(scope="module")
def choice(tmp_path_factory):
    """A choice on two sets of ratings, four references and six items of DEMETR."""
    texts = [(reference, hypothesis) for reference in REFERENCES for hypothesis in (*GOOD, reference.lower())]
    judged = tuple(Judged(str(at // 5), str(at % 5), Pair((ref,), hyp)) for at, (ref, hyp) in enumerate(texts))
    sets = []
    for name, seed in (("one", 1), ("two", 2)):
        ratings = Ratings(np.arange(len(judged)), np.random.default_rng(seed).normal(size=len(judged)))
        sets.append(Set(name, "2000", "ratings", (Judgments("xx-en", judged, ratings=ratings),)))
    rows = [f"{severity}_id{at}_x\t{REFERENCES[at]}\t{GOOD[at]}\t{GOOD[at].lower()}" for severity, at in SEVERE]
    path = tmp_path_factory.mktemp("demetr") / "demetr.tsv.gz"
    lines = "\n".join(["perturbation\treference\ttranslation\tperturbed", *rows, ""])
    path.write_bytes(gzip.compress(lines.encode()))
    offenses = Offenses.of([Example(*both) for both in zip(REFERENCES, GOOD, strict=True)])
    return Choice("meteor-2026-en-core", sets, offenses, Contrasts.read(path))


def test_moves_change_one_number_or_two():
    """Every single and every double move is on the grid, differs from the point, and occurs once."""
    for moves, changed in ((single_moves(START), {1}), (double_moves(START), {2})):
        assert len({*moves}) == len(moves)
        assert {sum(one != other for one, other in zip(move, START, strict=True)) for move in moves} == changed
        assert all(value in values for move in moves for value, values in zip(move, GRID.values(), strict=True))


def test_outcomes_are_those_of_a_scorer_with_these_numbers(choice):
    """Agreement and shares by rescoring equal those of texts that a scorer with the numbers of the point scores."""
    point = (0.8, 0.5, 0.2, 0.3, 0.5, 0.2, 1.0, 2.0, 7.0, 0.1, 0.2, 0.04, 0.08)
    config = Scorer("meteor-2026-en-core").config
    scorer = Scorer(evolve(config, parameters=evolve(config.parameters, **dict(zip(GRID, point, strict=True)))))
    (outcome,) = choice.outcomes([point])

    def scores(texts):
        return np.array([scorer.score(list(references), hypothesis).score for references, hypothesis in texts])

    for one, agreement in zip(choice.sets, outcome.agreement, strict=True):
        assert agreement == one.figure([scores([text.texts for text in one.judgments[0].texts])])
    offenses = choice.offenses
    good, damaged = np.split(scores(offenses.texts), [offenses.size])
    above = damaged > good[offenses.places]
    for half, shares in enumerate((outcome.seen, outcome.unseen)):
        for name in GOALS:
            some = above[(offenses.kinds == name) & (offenses.places % 2 == half)]
            assert shares[name] == some.mean()
    severities = severity_table(choice.contrasts.table({"": scores(choice.contrasts.texts)}))
    for name, row in severities.items():
        assert (outcome.seen[name] + outcome.unseen[name]) / 2 == row.shares[""]


def test_search_ends_where_no_move_gains(choice):
    """The chosen point costs less than the start, and no single or double move costs less than it."""
    chosen = choice.search("nothing")
    costs = {point: choice.cost(choice.outcomes([point])[0], "nothing") for point in (START, chosen)}
    assert costs[chosen] < costs[START]
    moves = single_moves(chosen) + double_moves(chosen)
    assert min(choice.cost(outcome, "nothing") for outcome in choice.outcomes(moves)) > costs[chosen] - 1e-4


def test_a_set_that_is_left_out_has_no_say(choice):
    """Agreement lost on a set costs something, and nothing if that set is left out."""
    (outcome,) = choice.outcomes([START])
    worse = evolve(outcome, agreement=outcome.agreement - np.array([0.1, 0.0]))
    assert choice.cost(worse, "nothing") > choice.cost(outcome, "nothing")
    assert choice.cost(worse, "one") == choice.cost(outcome, "one")


def test_tables_show_what_each_number_is_worth(choice, capsys):
    """Five tables: numbers, agreement minus the start's, shares, and twice a row for each number that has moved."""
    chosen = {"start": START, "the preset": START, "nothing": (0.7, *START[1:-1], 0.04), "one": START, "two": START}
    print_tables(choice, chosen)
    tables = capsys.readouterr().out.split("\n\n")
    assert [table.split("\t")[0] for table in tables] == [
        "left out",
        "agreement",
        "shares",
        "the preset, set back",
        "nothing, set back",
    ]
    assert tables[1].splitlines()[1] == "start" + "\t0.0000" * 3
    assert tables[1].splitlines()[-1] == "each set left out" + "\t0.0000" * 3
    assert [row.split("\t")[0] for row in tables[4].splitlines()[1:]] == ["alpha", "start"]
