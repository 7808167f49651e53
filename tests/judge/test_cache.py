"""Statistics of texts are kept on disk, whole or not at all."""

from __future__ import annotations

import os

import numpy as np
import pytest

from meteorlib import Scorer
from meteorlib.core.pair import Pair
from meteorlib.judge import Judged, Judgments, Ratings, meteor
from meteorlib.judge.cache import FOLDER


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path))
    return tmp_path / FOLDER


@pytest.fixture
def judged():
    pairs = [Pair(("the cat sat",), text) for text in ("the cat sat", "a cat sat", "the cat sat", "dogs")]
    every = tuple(Judged(str(number), "", pair) for number, pair in enumerate(pairs))
    return Judgments("xx-yy", every, ratings=Ratings(np.arange(4), np.arange(4.0)))


def scored(scorer, judged):
    told = []
    metric = meteor(scorer, [judged], progress=told.append)
    return metric.scored[0], sum(told)


def test_a_text_is_aligned_once(folder, judged):
    """A text that comes twice is scored once; the second time nothing is; the numbers are the scorer's."""
    first, aligned = scored(Scorer("nltk"), judged)
    assert aligned == 3
    again, aligned = scored(Scorer("nltk"), judged)
    assert aligned == 0
    expected = [Scorer("nltk").score(text.texts.references, text.texts.hypothesis).score for text in judged.texts]
    assert first.scores.tolist() == again.scores.tolist() == expected
    assert (first.counts == again.counts).all()


def test_another_meteor_and_other_texts_have_files_of_their_own(folder, judged):
    """The name of the file comes of the signature and of the texts."""
    scored(Scorer("nltk"), judged)
    assert scored(Scorer("meteor-2005"), judged)[1] == 3
    other = Judgments("xx-yy", judged.texts[:2], ratings=Ratings(np.arange(2), np.arange(2.0)))
    assert scored(Scorer("nltk"), other)[1] == 2
    assert len(list(folder.iterdir())) == 3


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-5], lambda data: data[:0], lambda data: data[:50] + b"x" + data[51:]]
)
def test_a_damaged_file_is_made_again(folder, judged, damage):
    """Cut short, empty, with another byte: scored again, and right the next time."""
    whole, _ = scored(Scorer("nltk"), judged)
    (path,) = folder.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    again, aligned = scored(Scorer("nltk"), judged)
    assert aligned == 3
    assert again.scores.tolist() == whole.scores.tolist()
    assert scored(Scorer("nltk"), judged)[1] == 0


@pytest.mark.skipif(os.name == "nt", reason="folders are protected otherwise there")
def test_where_nothing_can_be_written_scores_are_there_all_the_same(tmp_path, monkeypatch, judged):
    """A cache folder that is a file is no reason to fail."""
    place = tmp_path / "file"
    place.write_text("")
    monkeypatch.setenv("METEORLIB_CACHE", str(place))
    assert scored(Scorer("nltk"), judged)[1] == 3
