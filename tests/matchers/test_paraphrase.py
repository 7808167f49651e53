"""The paraphrase matcher, on small tables and by the plain rule."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meteorlib.matchers.matcher import propose
from meteorlib.matchers.paraphrase import Paraphrase
from meteorlib.matchers.words import Exact
from meteorlib.resources.meteor_tables import open_paraphrases
from tests.matchers.conftest import segment


@pytest.fixture(scope="module")
def paraphrase(compiled_table):
    """Entries → the matcher with a table of them."""
    return lambda *entries: Paraphrase(open_paraphrases(compiled_table(entries)))


@pytest.fixture(scope="module")
def of_entries(paraphrase):
    """The matcher with `ENTRIES`."""
    return paraphrase(*ENTRIES)


def test_both_directions(candidates, paraphrase):
    """A phrase of the reference with its paraphrase in the hypothesis, and the other way round."""
    matchers = [paraphrase(("of course", "sure"))]
    assert candidates(matchers, "of course he", "sure he") == [[(2, 0, 1, 0)], [], []]
    assert candidates(matchers, "sure he", "of course he") == [[(1, 0, 2, 0)], []]


def test_nothing_is_filtered(candidates, paraphrase):
    """Pairs that are found twice stay twice, and a phrase that is listed as its own paraphrase is one."""
    twice = [paraphrase(("a", "b"), ("b", "a"))]
    assert candidates(twice, "a", "b") == [[(1, 0, 1, 0), (1, 0, 1, 0)]]
    repeated = [paraphrase(("a", "b"), ("a", "b"))]
    assert candidates(repeated, "a", "b") == [[(1, 0, 1, 0), (1, 0, 1, 0)]]
    same = [paraphrase(("a", "a"))]
    assert candidates(same, "a x", "a") == [[(1, 0, 1, 0), (1, 0, 1, 0)], []]


def test_order(candidates, paraphrase):
    """By length, then in the order of the table, then by hypothesis position."""
    matchers = [paraphrase(("a b", "x"), ("a", "y"), ("a", "x"))]
    assert candidates(matchers, "a b", "x y x") == [
        [(1, 1, 1, 0), (1, 0, 1, 0), (1, 2, 1, 0), (2, 0, 1, 0), (2, 2, 1, 0)],
        [],
    ]


def test_no_phrase_over_the_end(candidates, paraphrase):
    """The beginning of a phrase at the end of a segment is no phrase."""
    matchers = [paraphrase(("in the end", "finally"))]
    assert candidates(matchers, "in the", "finally") == [[], []]
    assert candidates(matchers, "", "finally") == []


ENTRIES = [
    ("a", "b c"), ("a b", "c"), ("a b", "b"), ("b c", "a b a"), ("c", "c"), ("b", "a"), ("a", "b"), ("a b", "c"),
]  # fmt: skip


WORDS = st.lists(st.sampled_from("abcx"), max_size=7)


def by_the_rule(entries, reference, hypothesis):
    """Section 3 of the description, word by word."""
    found = [[] for _ in reference]

    def stands(phrase, words, position):
        return words[position : position + len(phrase)] == phrase

    table = [(source.split(), target.split()) for source, target in entries]
    for side, other, forward in ((reference, hypothesis, True), (hypothesis, reference, False)):
        for start in range(len(side)):
            for length in range(1, len(side) - start + 1):
                for source, target in table:
                    if source != side[start : start + length]:
                        continue
                    for place in range(len(other)):
                        if stands(target, other, place):
                            if forward:
                                found[start].append((length, place, len(target), 0))
                            else:
                                found[place].append((len(target), start, length, 0))
    return found


@settings(deadline=None)
@given(reference=WORDS, hypothesis=WORDS)
def test_by_the_rule(of_entries, reference, hypothesis):
    """Candidates and their order are those of the plain rule."""
    matchers = [of_entries]
    found = propose(matchers, segment(matchers, " ".join(reference)), segment(matchers, " ".join(hypothesis)))
    assert [list(candidates) for candidates in found] == by_the_rule(ENTRIES, reference, hypothesis)


def test_after_other_stages(candidates, paraphrase):
    """Paraphrases follow the candidates of earlier stages, and word stages may follow them."""
    table = paraphrase(("a", "b"))
    assert candidates([Exact(), table], "a", "b a") == [[(1, 1, 1, 0), (1, 0, 1, 1)]]
    assert candidates([table, Exact()], "a", "b a") == [[(1, 0, 1, 0), (1, 1, 1, 1)]]


def test_like_positions_share_one_list(paraphrase):
    """Long texts of few words hold candidates once if the same ones follow the same ones."""
    matchers = [Exact(), paraphrase(("a", "b"))]
    found = propose(matchers, segment(matchers, "a a c a"), segment(matchers, "b a b"))
    assert found[0] == [(1, 1, 1, 0), (1, 0, 1, 1), (1, 2, 1, 1)]
    assert found[0] is found[1] is found[3]


def test_two_tables(candidates, paraphrase):
    """A second table adds its candidates behind those of the first, at repeated words as well."""
    matchers = [paraphrase(("a", "b"), ("a c", "b")), paraphrase(("a", "x"), ("x", "a"))]
    found = [(1, 0, 1, 0), (1, 1, 1, 1), (1, 1, 1, 1)]
    assert candidates(matchers, "a a c a", "b x") == [found, [found[0], (2, 0, 1, 0), *found[1:]], [], found]
