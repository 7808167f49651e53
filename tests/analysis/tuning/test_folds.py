"""Folds: segments that are left out together."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve

from meteorlib.analysis.tuning.folds import folds_of
from meteorlib.errors import InputMismatch, UnknownName
from tests.analysis.tuning.conftest import rated


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
