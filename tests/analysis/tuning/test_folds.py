"""Folds, and units: segments that share texts are left out together."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.analysis.meta_evaluation import Judged, Judgments, Pairs, Ratings
from meteorlib.analysis.tuning import tune
from meteorlib.analysis.tuning.folds import folds_of, units_of
from meteorlib.analysis.tuning.objective import PAIRS, JudgmentArrays, Objective
from meteorlib.core.segment import Pair
from meteorlib.errors import InputMismatch, UnknownName
from tests.analysis.tuning.conftest import ranked, rated, texts
from tests.analysis.tuning.test_tuning import shuffled


def sources(*names, data=("a",)):
    return [(source, evolve(rated(None, source + name, noise=1.0), name=name)) for source in data for name in names]


def test_what_there_are_several_of():
    """Data are left out in turn where there are several, else language pairs, else segments."""
    assert folds_of(sources("cs-en", data=("y13", "y14")), None, 5, 1).names == ("y13", "y14")
    assert folds_of(sources("cs-en", "de-en"), None, 5, 1).names == ("cs-en", "de-en")
    assert folds_of(sources("cs-en"), None, 3, 1).names == ("fold 1", "fold 2", "fold 3")
    assert folds_of(sources("cs-en"), "document", 2, 1).names == ("fold 1", "fold 2")


def test_a_language_pair_of_several_years_is_one_fold():
    """Left out is the language pair of all data."""
    found = folds_of(sources("cs-en", "de-en", data=("y13", "y14")), "lp", 5, 1)
    assert [set(one.tolist()) for one in found.of_texts] == [{0}, {1}, {0}, {1}]


@pytest.mark.parametrize("by", ["segment", "document"])
def test_texts_that_stay_together(by):
    """Texts of a segment, or of a document, are in one fold; folds are of nearly the same size; a seed deals them."""
    listed = sources("cs-en")
    found = folds_of(listed, by, 5, 1)
    units = [text.segment if by == "segment" else text.segment[0] for text in listed[0][1].texts]
    by_unit = {}
    for unit, fold in zip(units, found.of_texts[0].tolist(), strict=True):
        assert by_unit.setdefault(unit, fold) == fold
    sizes = np.bincount([*by_unit.values()])
    assert len(sizes) == 5
    assert sizes.max() - sizes.min() <= 1
    assert folds_of(listed, by, 5, 1).of_texts[0].tolist() == found.of_texts[0].tolist()
    assert folds_of(listed, by, 5, 2).of_texts[0].tolist() != found.of_texts[0].tolist()


def test_folds_by_document_need_documents():
    """The advice names no column that the table may lack."""
    (name, one), *_ = sources("cs-en")
    whole = [evolve(text, segment="".join(text.segment)) for text in one.texts]
    with pytest.raises(
        InputMismatch, match="name the column of documents: --segment-column COLUMN --segment-column segment"
    ):
        folds_of([(name, evolve(one, texts=tuple(whole)))], "document", 5, 1)


def test_one_fold_is_none():
    """With one fold nothing can be left out."""
    with pytest.raises(InputMismatch, match=r"folds by lp: at least two are needed, there is one \(cs-en\)"):
        folds_of(sources("cs-en"), "lp", 5, 1)
    with pytest.raises(UnknownName, match="unknown way to make folds 'year'"):
        folds_of(sources("cs-en"), "year", 5, 1)


@pytest.mark.parametrize(("by", "advice"), [("lp", "choose others, e.g. --folds segment"), ("segment", "give more")])
def test_other_folds_are_advised_only_where_there_may_be_others(by, advice):
    """With one segment there are no folds of segments, so the message does not advise them."""
    (name, one), *_ = sources("cs-en")
    single = evolve(one, texts=one.texts[:1])
    with pytest.raises(InputMismatch, match=f"folds by {by}: at least two are needed, .*; {advice}"):
        folds_of([(name, single)], by, 5, 1)


GRID = ["alpha=0.1/0.5/0.9", "beta=0.2/0.6/1/2", "gamma=0.1/0.5/0.9"]


def judgments(name, *rows):
    """Texts without judgments; a row is segment, hypothesis, references."""
    listed = tuple(
        Judged(segment, f"m{place}", Pair(references, hypothesis))
        for place, (segment, hypothesis, *references) in enumerate(rows)
    )
    return Judgments(name, listed)


def test_what_segments_share():
    """One reference in common is enough, or reference and hypothesis must be equal; the note counts both."""
    one = judgments("cs-en", ("1", "a cat", "the cat"), ("1", "cats", "the cat"), ("2", "a dog", "a hound"))
    other = judgments(
        "de-en", ("1", "a  cat ", "the cat"), ("2", "a dog", "the dog"), ("3", "it", "that", "a hound"), ("4", "", "")
    )
    loose = units_of([one, other], by_reference=True)
    assert [unit.tolist() for unit in loose.of_texts] == [[0, 0, 1], [0, 3, 1, 5]]
    assert loose.note == (
        "4 segments share a reference with another segment, and 2 texts also the hypothesis; segments that share texts "
        "are left out and resampled together"
    )
    strict = units_of([one, other], by_reference=False)
    assert [unit.tolist() for unit in strict.of_texts] == [[0, 0, 1], [0, 3, 4, 5]]
    assert strict.note.startswith("2 texts have the same reference and hypothesis as a text of another segment; ")
    assert units_of([one], by_reference=True).note == ""


def test_case_and_white_space_do_not_make_another_text():
    """A copy in upper case, or with other blanks, shares its judgment with the text."""
    found = units_of([judgments("xx", ("1", "A cat", "The  cat"), ("2", "a CAT ", "the cat"))], by_reference=False)
    assert found.of_texts[0].tolist() == [0, 0]


def test_empty_references_are_nothing_in_common():
    """Segments whose reference is empty, or white space, are not taken for one."""
    found = units_of([judgments("xx", ("1", "a cat", ""), ("2", "a dog", " "), ("3", "", ""))], by_reference=True)
    assert found.of_texts[0].tolist() == [0, 1, 2]


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=20))
def test_units_are_the_connected_segments(rows):
    """Two segments are of one unit exactly if a chain of shared references leads from one to the other."""
    one = judgments("xx", *((str(segment), "h", f"r{first}", f"r{second}") for segment, first, second in rows))
    units = units_of([one], by_reference=True).of_texts[0].tolist()
    unit = {str(segment): number for (segment, *_), number in zip(rows, units, strict=True)}
    groups = []
    for segment, *references in rows:
        here = {str(segment), *(f"r{reference}" for reference in references)}
        apart = [group for group in groups if not group & here]
        groups = [*apart, here.union(*(group for group in groups if group & here))]
    for group in groups:
        assert len({unit[name] for name in group if name in unit}) == 1
    assert len(set(unit.values())) == len(groups)


def renumbered(judged):
    """Judgments repeated with other numbers of segments."""
    count = len(judged.texts)
    more = tuple(evolve(text, segment=("again", *text.segment)) for text in judged.texts)
    pairs, ratings = judged.pairs, judged.ratings
    return Judgments(
        judged.name,
        judged.texts + more,
        pairs and Pairs(*(np.concatenate([places, places + count]) for places in (pairs.better, pairs.worse)),
                        np.tile(pairs.count, 2)),
        ratings and Ratings(np.concatenate([ratings.text, ratings.text + count]), np.tile(ratings.value, 2)),
    )  # fmt: skip


def slightly_other(judged):
    """Texts repeated with nearly equal ratings."""
    values = judged.ratings.value + 1e-3 * np.arange(len(judged.texts))
    return evolve(judged, ratings=Ratings(judged.ratings.text, values))


@pytest.mark.parametrize(("kind", "objective"), [(rated, "pearson"), (ranked, "tau")])
def test_segments_that_are_repeated_under_other_names_change_nothing(base, kind, objective):
    """The fitted values and the gain, with its interval, are those of the judgments without the repetition."""
    judged = kind(None, noise=1.0)
    once, twice = (
        tune(base, {"a": [one]}, GRID, objective=objective, method="grid", samples=100)
        for one in (judged, renumbered(judged))
    )
    assert once.notes == ()
    told = "80 segments share a reference with another segment, and 320 texts also the hypothesis; segments that share"
    assert [note.removesuffix(" texts are left out and resampled together") for note in twice.notes] == [told]
    assert [fold.values for fold in once.folds] == [fold.values for fold in twice.folds]
    assert once.gain.difference == pytest.approx(twice.gain.difference)
    assert once.gain.interval.low == pytest.approx(twice.gain.interval.low)
    assert once.gain.interval.high == pytest.approx(twice.gain.interval.high)


def test_the_order_of_texts_makes_no_difference(base):
    """Shuffled judgments, of shuffled language pairs, are dealt to the same folds, and the result is the same."""
    judged = [ranked(None, name, noise=1.0) for name in ("cs-en", "de-en")]
    one, other = (
        tune(base, {"a": listed}, GRID, by="segment", method="grid", samples=100)
        for listed in (judged, [shuffled(each) for each in reversed(judged)])
    )
    assert one.to_dict() == other.to_dict()


@pytest.mark.parametrize("by", ["data", "lp", "document", "segment"])
def test_nothing_is_fitted_to_while_its_texts_are_left_out(by):
    """With any kind of folds, no judgment counts in training if one of the same texts is left out."""
    one, other = ranked(None, "cs-en", noise=1.0), ranked(None, "de-en", noise=1.0)
    mixed = evolve(other, texts=one.texts[:40] + other.texts[40:])  # ten segments of the other language pair
    folds = folds_of([("a", one), ("b", mixed)], by, 4, 3)
    arrays = JudgmentArrays.of([one, mixed], folds, Objective.parse("tau"))
    scores = np.zeros((1, 2 * len(one.texts)))
    everything = [len(one.pairs), len(other.pairs)]
    assert arrays.left_out(scores)[0, :, :, PAIRS].sum(axis=0).tolist() == everything
    fold, fitted = np.concatenate(folds.of_texts), arrays.training_sums(scores)[0, :, :, PAIRS]
    every = [*one.texts, *mixed.texts]
    for number in range(len(folds)):
        left = {text.texts for text, place in zip(every, fold, strict=True) if place == number}
        expected = [
            sum(judged.texts[better].texts not in left for better in judged.pairs.better.tolist())
            for judged in (one, mixed)
        ]
        assert fitted[number].tolist() == expected
    assert fitted[-1].tolist() == everything


def test_data_with_the_same_texts_are_no_folds(base):
    """Two sets of judgments of the same texts cannot be left out in turn: other folds are taken, or advised."""
    judged = rated(None, noise=1.0)
    data = {"first": [judged], "second": [slightly_other(judged)]}
    found = tune(base, data, ["alpha=0/1"], objective="pearson", method="grid", samples=20)
    assert found.by == "segment"
    with pytest.raises(
        InputMismatch, match=r"without first there is nothing to fit to, .*; choose others, e.g. --folds"
    ):
        tune(base, data, ["alpha=0/1"], by="data", objective="pearson", method="grid", samples=20)


def plain(judged):
    return {"a": [judged]}


def twice(judged):
    return {"a": [renumbered(judged)]}


def two_data(judged):
    return {"a": [judged], "b": [slightly_other(judged)]}


def two_language_pairs(judged):
    return {"a": [judged, evolve(slightly_other(judged), name="zz")]}


def other_hypotheses(judged):
    """Source segments repeated with other systems; people like or dislike a segment as a whole."""
    rng = np.random.default_rng(int(abs(judged.ratings.value[0]) * 1e9))
    liked = np.repeat(rng.normal(0, 2, len(judged.texts) // 4), 4)
    words = "the cat sat on a tree and it rains".split()
    more = tuple(
        evolve(text, segment=f"more/{text.segment}",
               texts=Pair(text.texts.references, f"{text.texts.hypothesis} {rng.choice(words)}"))
        for text in judged.texts
    )  # fmt: skip
    values = np.concatenate([judged.ratings.value + liked, rng.normal(size=len(more)) + liked])
    return {"a": [Judgments(judged.name, judged.texts + more, ratings=Ratings(np.arange(len(values)), values))]}


SEEDS = 120
CLAIMED = 0.025
"""Share of gains that an interval of 95 % claims where there is none: half of what it leaves out."""


@pytest.mark.stress
@pytest.mark.parametrize("objective", ["tau", "pearson"])
@pytest.mark.parametrize("given_twice", [plain, twice, two_data, two_language_pairs, other_hypotheses])
def test_chance_is_seldom_claimed_as_a_gain(base, given_twice, objective):
    """Random ratings, also of repeated texts, show a gain no more often than the interval allows."""
    every = texts("xx", 40, 4)
    claimed = 0
    for seed in range(SEEDS):
        values = np.random.default_rng([seed, 77]).normal(size=len(every))
        judged = Judgments("xx", every, ratings=Ratings(np.arange(len(every)), values))
        found = tune(base, given_twice(judged), GRID, objective=objective, method="grid", samples=200)
        claimed += found.gain.shown
    assert claimed <= CLAIMED * SEEDS


@pytest.mark.parametrize("given_twice", [twice, two_data])
def test_chance_is_no_gain(base, given_twice):
    """Random ratings of texts that come twice gain nothing: the first six seeds of the test above."""
    every = texts("xx", 40, 4)
    for seed in range(6):
        values = np.random.default_rng([seed, 77]).normal(size=len(every))
        judged = Judgments("xx", every, ratings=Ratings(np.arange(len(every)), values))
        assert not tune(base, given_twice(judged), GRID, method="grid", samples=100).gain.shown
