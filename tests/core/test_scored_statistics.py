"""Statistics and breakdowns as scorers make them: their rows, plain data and lines."""

from __future__ import annotations

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.core import Statistics
from meteorlib.core.breakdown import reduce_breakdowns
from meteorlib.core.totals import Totals

SCORER = Scorer("meteor-2005")
SCORED = SCORER.score("the cat sat on a mat", "a feline sat on the mats")


def test_rows_lead_back():
    """The row of all counts leads back to the statistics: with order and faults, with order only, with neither."""
    more = {"meteor-1.5-en-core": 0, "meteor-2005": 0, "meteor-2026-de": 3, "meteor-2026-en-core": 3 + 14}
    for preset, columns in more.items():
        statistics = Scorer(preset).score("the cat sat on a mat", "on a mat the cats sat").statistics
        row = statistics.counts()
        assert Statistics.from_counts(row) == statistics
        assert len(row) == 8 + 4 * len(statistics.stages) + columns


def test_one_name_for_each_stage():
    """Names for more or fewer stages than were counted are an error; the right ones are beside their counts."""
    named = SCORED.statistics.to_dict(["exact", "stem", "synonym"])["stages"]
    assert [stage["matcher"] for stage in named] == ["exact", "stem", "synonym"]
    assert named[1] == {
        "matcher": "stem",
        "hypothesis_content": 1,
        "reference_content": 1,
        "hypothesis_function": 0,
        "reference_function": 0,
    }
    for names in (["exact"], ["a", "b", "c", "d"]):
        with pytest.raises(ValueError, match="zip"):
            SCORED.statistics.to_dict(names)


@pytest.mark.parametrize("stages", [3, 4, 6])
def test_a_line_is_read_for_any_stages(stages):
    """A line of 23 numbers is read for as many stages as are asked for, those it has no place for being empty."""
    line = SCORED.statistics.line()
    read = Statistics.from_line(line, stages=stages)
    assert len(read.stages) == stages
    assert read.stages[:3] == SCORED.statistics.stages
    assert {count for stage in read.stages[3:] for count in stage} <= {0}
    assert line.split()[-3:] == [f"{count}.0" for count in (read.chunks, read.hypothesis_matches, 5)]


def test_plain_data_of_a_breakdown():
    """Plain data have every number once, by the names that the reference manual lists."""
    data = SCORED.to_dict()
    numbers = ["score", "precision", "recall", "f1", "f_mean", "fragmentation", "penalty"]
    others = ["chunks", "statistics", "optimal", "reference_index", "matches"]
    assert sorted(data) == sorted(numbers + others)
    assert [data[name] for name in numbers] == [getattr(SCORED, name) for name in numbers]
    assert data["chunks"] == SCORED.statistics.chunks == data["statistics"]["chunks"]
    total = SCORER.corpus().extend(references=["a b"], hypotheses=["a"]).score()
    assert sorted(total.to_dict()) == sorted([*numbers, "chunks", "statistics", "optimal", "segment_count"])


def test_totals_add_up():
    """Totals count empty sides and unproven alignments; added in any order they are the totals of all segments."""
    segments = [("a b", "a"), ("", "a"), ("a", ""), ("b a", "a b")]
    each = [Totals.of(evolve(SCORER.score(*pair), optimal=place != 1)) for place, pair in enumerate(segments)]
    total = each[0] + each[1] + each[2] + each[3]
    assert total == each[3] + (each[2] + each[1]) + each[0]
    assert (total.segment_count, total.empty_references, total.empty_hypotheses, total.inexact) == (4, 1, 1, 1)
    assert total.exact_sum / 2**1100 == pytest.approx(sum(SCORER.score(*pair).score for pair in segments))


def test_order_adds_up():
    """Junctions, crossings and pairs of matches are added each for itself."""
    scorer = Scorer("meteor-2026-en-core")
    one, other = (scorer.score("a b c d", text).statistics for text in ("d a b", "b a"))
    assert (one + other).order == tuple(a + b for a, b in zip(one.order, other.order, strict=True))
    assert len({*one.order}) == 3


def test_mean_of_references():
    """The mean of several breakdowns has the mean of every number, the sum of the counts, and no alignment."""
    three = [SCORER.score(reference, "the cat sat") for reference in ("the cat", "a cat sat", "the dog sat")]
    mean = reduce_breakdowns(three, "mean")
    for name in ("score", "precision", "recall", "f1", "f_mean", "fragmentation", "penalty"):
        assert getattr(mean, name) == pytest.approx(sum(getattr(one, name) for one in three) / 3)
    assert mean.statistics == three[0].statistics + three[1].statistics + three[2].statistics
    assert (mean.alignment, mean.reference_index, mean.optimal) == (None, None, True)
