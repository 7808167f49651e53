"""Near and joined words; Levenshtein distance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib import ParameterConfig, Scorer, ScorerConfig, SearchConfig, StageConfig
from meteorlib.core.segment import SCALE
from meteorlib.errors import ConfigError
from meteorlib.matchers.joined import Joined
from meteorlib.matchers.near import levenshtein


def by_definition(first, second):
    """The distance by dynamic programming over both words."""
    row = list(range(len(second) + 1))
    for place, letter in enumerate(first, 1):
        before, row[0] = row[0], place
        for index, other in enumerate(second, 1):
            before, row[index] = row[index], min(row[index] + 1, row[index - 1] + 1, before + (letter != other))
    return row[-1]


@given(st.text("abcä😀", max_size=12), st.text("abcä😀", max_size=12))
def test_distance(first, second):
    """The bits give what the definition gives, either way round."""
    assert levenshtein(first, second) == levenshtein(second, first) == by_definition(first, second)


def test_long_words():
    """A word may be longer than a machine word has bits."""
    assert levenshtein("ab" * 100, "ba" * 100) == 2
    assert levenshtein("a" * 100, "") == levenshtein("", "a" * 100) == 100


def scorer(**near):
    """A scorer of exact and near matches."""
    return Scorer(
        ScorerConfig(
            "near",
            [StageConfig("exact"), StageConfig("near", **near)],
            ParameterConfig(0.5, 1, 0),
            text="none",
            search=SearchConfig("weighted", chunk=0, distance=0),
            formula="meteor-2026",
        )
    )


@pytest.mark.parametrize(
    ("reference", "hypothesis", "grade"),
    [
        ("hassan", "hasan", SCALE * 5 // 6),
        ("hasan", "hassan", SCALE * 5 // 6),
        ("hasan", "kalan", SCALE * 3 // 5),
        ("abcd", "abxy", SCALE // 2),
        ("abcde", "abxyz", None),  # .4
        ("ab", "abc", None),  # too short
        ("abc1", "abc2", None),  # no letters
        ("co-operate", "cooperates", SCALE * 9 // 10),
        ("can't", "cant", SCALE),
        ("straße", "strasse", SCALE * 5 // 7),
    ],
)
def test_pairs(reference, hypothesis, grade):
    """Words of three letters or more are near by their similarity, hyphens and apostrophes left out."""
    alignment = scorer().score(reference, hypothesis).alignment
    assert alignment.grades == (() if grade is None else (grade,))


def test_what_is_matched_in_part_counts_in_part():
    """The grade is what counts of both words: 5/6 of one word of each side."""
    scored = scorer().score("a hassan", "a hasan")
    assert scored.statistics.stages[1] == (8333, 8333, 0, 0)
    assert scored.recall == scored.precision == (SCALE + 8333) / (2 * SCALE)
    assert [match["grade"] for match in scored.to_dict()["matches"]] == [1, 0.8333]


def test_only_what_the_other_side_lacks():
    """A word that both sides have is near nothing, and equal words are no near ones."""
    alignment = scorer().score("hasan hassan", "hasan hasan").alignment
    assert [(match.reference_start, match.stage) for match in alignment.matches] == [(0, 0)]


def test_least():
    """The similarity that is asked for."""
    assert scorer(least=0.9).score("hasan", "hassan").alignment.matches == ()
    assert scorer(least=0.8).score("hasan", "hassan").alignment.matches
    with pytest.raises(ValueError, match="least must be above 0"):
        scorer(least=0.0)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "prefix", "grade"),
    [
        ("hassan", "hasan", 0.5, 8749),  # 8333 + 1667 · 0.5 · 3/6, rounded down
        ("hasan", "kasan", 0.5, SCALE * 4 // 5),  # another beginning
        ("schweren", "schwerer", 1, 9843),  # 8750 + 1250 · 7/8
        ("abcde", "abxyz", 0.5, 5200),  # 4000 + 6000 · 0.5 · 2/5
        ("abcde", "abxyz", 0.4, None),  # .496
        ("can't", "cant", 1, SCALE),
    ],
)
@pytest.mark.parametrize("implementation", ["python", "auto"])
def test_a_common_beginning(reference, hypothesis, prefix, grade, implementation):
    """A common beginning reduces 1 − grade by its share of the longer word; then `least` applies."""
    config = scorer(prefix=prefix).config
    alignment = Scorer(config, implementation=implementation).score(reference, hypothesis).alignment
    assert alignment.grades == (() if grade is None else (grade,))


def test_a_share_of_the_beginning():
    """The weight of a common beginning is a share."""
    with pytest.raises(ValueError, match="prefix must be between 0 and 1"):
        scorer(prefix=1.5)


def test_a_pair_of_an_earlier_stage_is_left_to_it():
    """Near proposes no pair of words that has been proposed before."""
    config = ScorerConfig(
        "stems",
        [StageConfig("exact"), StageConfig("stem", 0.1, "porter"), StageConfig("near")],
        ParameterConfig(0.5, 1, 0),
        text="none",
        search=SearchConfig("weighted", chunk=0, distance=0),
        formula="meteor-2026",
    )
    (match,) = Scorer(config).score("walking", "walks").alignment.matches
    assert match.stage == 1


def spans(reference, hypothesis):
    """Joined spans of two sides."""
    matcher = Joined()
    sides = [matcher.analyze(text.split(), {}) for text in (reference, hypothesis)]
    return list(matcher.spans(*sides))


@pytest.mark.parametrize(
    ("reference", "hypothesis", "found"),
    [
        ("well-known", "well known", [(0, 1, 0, 2)]),
        ("well known", "wellknown", [(0, 2, 0, 1)]),
        ("a well - known b", "wellknown", [(1, 3, 0, 1)]),
        ("well -", "well", []),  # a sign at the end is no part
        ("u.s.a", "usa", [(0, 1, 0, 1)]),
        ("u.s", "us", []),  # too short
        ("a b c", "abc", []),  # too short: four in parts
        ("a b c d", "abcd", []),  # four parts
        ("usa", "usa", []),  # the same word is exact
        ("abcd abcd", "ab cd ab cd", [(0, 1, 0, 2), (0, 1, 2, 2), (1, 1, 0, 2), (1, 1, 2, 2)]),
    ],
)
def test_joined(reference, hypothesis, found):
    """One word and its parts, or its like with other signs; in order."""
    assert spans(reference, hypothesis) == found


def test_joined_takes_no_resource():
    """Neither needs data."""
    with pytest.raises(ConfigError, match="takes no resource"):
        Scorer(ScorerConfig("j", [StageConfig("joined", resource="x")], ParameterConfig(1, 1, 1)))
