"""Statistics of texts are kept on disk, whole or not at all."""

from __future__ import annotations

import os
import sys
import time

import numpy as np
import pytest

from meteorlib import Scorer
from meteorlib.analysis.meta_evaluation import Judged, Judgments, Ratings, meteor, metrics, sacrebleu_metric
from meteorlib.analysis.meta_evaluation.metrics import FOLDER
from meteorlib.core.segment import Pair
from meteorlib.errors import ExtraMissing, UnknownName


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
    """The name of the file depends on the signature and on the texts."""
    scored(Scorer("nltk"), judged)
    assert scored(Scorer("meteor-2005"), judged)[1] == 3
    other = Judgments("xx-yy", judged.texts[:2], ratings=Ratings(np.arange(2), np.arange(2.0)))
    assert scored(Scorer("nltk"), other)[1] == 2
    assert len(list(folder.iterdir())) == 3


def test_another_version_of_the_code_has_files_of_its_own(folder, judged, monkeypatch, tmp_path):
    """The name of the file depends on the modules of the package, whatever its version says."""
    code = tmp_path / "code"
    code.mkdir()
    monkeypatch.setattr(metrics, "CODE", code)
    for content, aligned in (("", 3), ("", 0), ("x = 1", 3)):
        (code / "module.py").write_text(content)
        metrics.code_digest.cache_clear()
        assert scored(Scorer("nltk"), judged)[1] == aligned
    metrics.code_digest.cache_clear()


def test_unused_statistics_of_other_code_are_removed(folder, judged, monkeypatch):
    """New statistics remove those that other code left a week ago; not newer ones, and no other file."""
    scored(Scorer("nltk"), judged)
    digest = "0123456789abcdef" * 4
    (own,) = folder.iterdir()
    others = (f"{digest}.npz", f"meteor-{digest[:16]}-{digest}.npz")
    strange = (f"sacrebleu-{digest}.npz", "mine.npz", f"{digest}.npz.tmp", f"meteor-{digest}.npz")
    for name in (*others, *strange):
        (folder / name).touch()
    six_days_ago, long_ago = time.time() - 6 * 24 * 3600, time.time() - 7 * 24 * 3600 - 60
    for name in others:
        os.utime(folder / name, (six_days_ago, six_days_ago))
    scored(Scorer("meteor-2005"), judged)
    assert len(list(folder.iterdir())) == 2 + len(others + strange)
    for path in folder.iterdir():
        os.utime(path, (long_ago, long_ago))
    scored(Scorer("nltk"), judged)
    assert {path.name for path in folder.iterdir()} >= {*others}  # nothing was written
    assert own.stat().st_mtime > long_ago + 60  # it was used
    scored(Scorer("meteor-1.5-en-core"), judged)
    left = {path.name for path in folder.iterdir()}
    assert left.isdisjoint(others)
    assert left >= {*strange, own.name}
    assert len(left) == 3 + len(strange)


def test_several_processes_remove_unused_statistics(folder, judged, monkeypatch):
    """A file that another process removes first is no error."""
    folder.mkdir()
    path = folder / ("0" * 64 + ".npz")
    path.touch()
    os.utime(path, (0, 0))
    monkeypatch.setattr(type(path), "unlink", lambda _: (_ for _ in ()).throw(FileNotFoundError))
    metrics.remove_unused(folder)


@pytest.mark.parametrize(
    ("name", "kind", "settings"),
    [
        ("bleu", "BLEU", {"effective_order": True}),
        ("chrF", "CHRF", {}),
        ("chrf++", "CHRF", {"word_order": 2}),
        ("ter", "TER", {}),
    ],
)
def test_metrics_of_sacrebleu(folder, judged, name, kind, settings):
    """Scores of sentences are sacrebleu's, TER's turned around; they are kept; the signature is theirs."""
    metrics = pytest.importorskip("sacrebleu.metrics")
    theirs = getattr(metrics, kind)(**settings)
    told = []
    found = sacrebleu_metric(name, [judged], progress=told.append)
    sign = -1 if name == "ter" else 1
    expected = [
        sign * theirs.sentence_score(text.texts.hypothesis, list(text.texts.references)).score for text in judged.texts
    ]
    assert found.scored[0].scores.tolist() == expected
    assert (found.name, found.signature) == (name, f"sacrebleu {name.lower()}|{theirs.get_signature()}")
    assert sum(told) == 3
    assert sacrebleu_metric(name, [judged], progress=told.append).scored[0].scores.tolist() == expected
    assert sum(told) == 3


def test_each_language_pair_has_its_tokenizer(folder):
    """BLEU of judged texts takes the tokenizer of their target language, and the signature says which."""
    metrics = pytest.importorskip("sacrebleu.metrics")
    pair = Pair(("他说你好，我们去吃饭",), "他说你好吗，我们去吃饭吧")
    texts = (Judged("1", "a", pair), Judged("2", "a", pair))
    parts = [Judgments(name, texts, ratings=Ratings(np.arange(2), np.arange(2.0))) for name in ("en-zh", "en-de")]
    found = sacrebleu_metric("bleu", parts)
    for scored, tokenizer in zip(found.scored, ("zh", "13a"), strict=True):
        theirs = metrics.BLEU(effective_order=True, tokenize=tokenizer)
        assert scored.scores[0] == theirs.sentence_score(pair.hypothesis, list(pair.references)).score
        assert f"|tok:{tokenizer}|" in found.signature
    assert "|tok:zh|" in sacrebleu_metric("bleu", [Judgments("x", texts, ratings=parts[0].ratings)], "zh").signature


def test_sacrebleu_is_an_extra(folder, judged, monkeypatch):
    """If sacrebleu is missing, the error names the command that installs it; an unknown metric is named."""
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(ExtraMissing, match=r"pip install 'meteorlib\[sacrebleu\]'"):
        sacrebleu_metric("chrf", [judged])
    with pytest.raises(UnknownName, match="unknown metric of sacrebleu 'comet'"):
        sacrebleu_metric("comet", [judged])


def test_the_number_of_references_is_in_the_signature(folder, judged):
    """If segments differ in it, the signature says var, as sacrebleu's does."""
    pytest.importorskip("sacrebleu")
    more = Judged("x", "", Pair(("the cat", "a cat"), "cat"))
    other = Judgments("yy", (*judged.texts, more), ratings=Ratings(np.arange(5), np.arange(5.0)))
    assert "|nrefs:1|" in sacrebleu_metric("chrf", [judged]).signature
    assert "|nrefs:var|" in sacrebleu_metric("chrf", [other]).signature


def test_empty_references_of_sacrebleu(folder):
    """A note names a text whose score depends on an empty reference."""
    pytest.importorskip("sacrebleu")
    texts = (Judged("1", "A", Pair(("the cat", ""), "a cat")), Judged("2", "A", Pair(("a dog", "dogs"), "dogs")))
    judged = Judgments("xx", texts, ratings=Ratings(np.arange(2), np.arange(2.0)))
    for _ in range(2):  # also from the cache
        (note,) = sacrebleu_metric("ter", [judged]).notes
        assert "ter counts empty references beside others, such as that of segment '1' of system 'A', as" in note
    assert sacrebleu_metric("chrf", [judged]).notes == ()


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


def test_the_new_formula(folder, judged, scorer_2026):
    """Cached statistics of METEOR 2026 keep the counts of order and give the same results the second time."""
    first, aligned = scored(scorer_2026, judged)
    again, more = scored(scorer_2026, judged)
    assert (aligned, more) == (3, 0)
    expected = [scorer_2026.score(*text.texts).statistics.counts() for text in judged.texts]
    assert [tuple(row) for row in again.counts.tolist()] == expected
    assert (first.scores == again.scores).all()
