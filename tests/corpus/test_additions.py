"""Additions to a corpus: each counts as a whole or not at all, whatever fails, and whoever adds at the same time."""

from __future__ import annotations

import copy
import pickle
import sys
from contextlib import suppress
from threading import Barrier, BrokenBarrierError, Thread

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import load_preset
from meteorlib.core.totals import Totals
from meteorlib.errors import InputMismatch, InvalidText

SCORERS = {"one by one": Scorer(), "summed up": Scorer("nltk")}
SCORER = SCORERS["one by one"]
REFS, HYPS = ["a b", "c d", "e"], ["a b", "d", "x"]

modes = pytest.mark.parametrize("keep", [True, False], ids=["kept", "sums"])
scorers = pytest.mark.parametrize("scorer", SCORERS.values(), ids=SCORERS)


def content(corpus):
    """Complete state of a corpus."""
    return corpus.totals, corpus.segments if corpus.keeps_segments else None


def corpora(scorer, keep):
    """A corpus with segments, and what it holds."""
    corpus = scorer.corpus(keep_segments=keep).extend(references=REFS, hypotheses=HYPS)
    return corpus, content(corpus)


ADDITIONS = {
    "add": lambda corpus: corpus.add("a b", "b"),
    "add_tokens": lambda corpus: corpus.add_tokens([["a", "b"]], ["b"]),
    "add_breakdown": lambda corpus: corpus.add_breakdown(SCORER.score("a b", "b")),
    "extend": lambda corpus: corpus.extend(references=["a b"], hypotheses=["b"]),
    "merge": lambda corpus: corpus.merge(SCORER.corpus().extend(references=["a b"], hypotheses=["b"])),
    "+=": lambda corpus: corpus.__iadd__(SCORER.corpus().extend(references=["a b"], hypotheses=["b"])),
}


def in_threads(*work):
    """Run callables in threads of their own; False where one does not end."""
    threads = [Thread(target=one, daemon=True) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return not any(thread.is_alive() for thread in threads)


@pytest.mark.thorough
@modes
@pytest.mark.parametrize("addition", ADDITIONS.values(), ids=ADDITIONS)
def test_threads_that_add_at_the_same_time(addition, keep, monkeypatch):
    """Two threads that add at the same time do not overwrite each other's sums: both additions count."""
    corpus, (before, _) = corpora(SCORER, keep)
    plain, together = Totals.__add__, Barrier(2)

    def meeting(self, other):
        """Wait for the other thread at the very place where an addition could be lost."""
        found = plain(self, other)
        if self is before:
            with suppress(BrokenBarrierError):  # the other one is kept out, as it should be
                together.wait(0.3)
        return found

    monkeypatch.setattr(Totals, "__add__", meeting)
    assert in_threads(*[lambda: addition(corpus)] * 2)
    assert len(corpus) == 5
    if keep:
        assert len(corpus.segments) == 5


@modes
@scorers
def test_threads_lose_nothing(scorer, keep):
    """Threads that add in every way at once make the corpus that one thread makes."""
    corpus = scorer.corpus(keep_segments=keep)

    def work():
        for _ in range(15):
            corpus.extend(references=REFS, hypotheses=HYPS)
            corpus.add("a b", "b a")
            corpus.merge(scorer.corpus().extend(references=REFS, hypotheses=HYPS))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        assert in_threads(*[work] * 4)
    finally:
        sys.setswitchinterval(interval)
    alone = scorer.corpus(keep_segments=False)
    for _ in range(60):
        alone.extend(references=[*REFS, "a b", *REFS], hypotheses=[*HYPS, "b a", *HYPS])
    assert corpus.totals == alone.totals
    if keep:
        assert sum((Totals.of(one) for one in corpus), scorer.corpus().totals) == corpus.totals


def test_corpora_merged_into_each_other(monkeypatch):
    """Two corpora that are merged into each other at the same time do not wait for each other."""
    one, other = corpora(SCORER, keep=True)[0], corpora(SCORER, keep=True)[0]
    plain, both = Totals.__add__, Barrier(2)

    def meeting(self, more):
        both.wait(20)  # each holds what it needs while the other one does
        return plain(self, more)

    monkeypatch.setattr(Totals, "__add__", meeting)
    assert in_threads(lambda: one.merge(other), lambda: other.merge(one))
    assert not both.broken
    assert (len(one.segments), len(other.segments)) == (len(one), len(other)) == (6, 6)


@modes
def test_scoring_waits_for_nobody(keep):
    """Scoring happens outside the lock of the sums: reading a long text keeps nobody from adding."""
    corpus = SCORER.corpus(keep_segments=keep)

    def text():
        corpus.add_breakdown(SCORER.score("z", "z"))  # would wait for ever
        yield "a"

    assert in_threads(lambda: corpus.add(text(), "a"), lambda: corpus.extend(references=text(), hypotheses=["b"]))
    assert len(corpus) == 4


def test_totals_cannot_be_set():
    """Sums are not set from outside, where they could lose what others add."""
    corpus = SCORER.corpus()
    for name in ("totals", "statistics", "segment_count", "segments"):
        with pytest.raises(AttributeError):
            setattr(corpus, name, getattr(corpus, name))


def test_what_an_interruption_leaves():
    """Segments whose sums were not set do not count, and are gone with the next addition."""
    corpus, before = corpora(SCORER, keep=True)
    corpus._segments.append(SCORER.score("q", "q"))  # as if interrupted here
    assert content(corpus) == content(copy.copy(corpus)) == content(pickle.loads(pickle.dumps(corpus))) == before  # noqa: S301
    added = corpus.add("r", "r")
    assert corpus.segments == (*before[1], added)


def failing(error):
    """Hypotheses that come to an end by an error."""
    yield "a"
    raise error


NUL = "NUL character at offset 1; remove it, or read the file as UTF-16"
SURROGATE = "lone surrogate U+D800 at offset 0; decode the text again"
BAD = [
    ("a b c", "a", InputMismatch, "3 references but 1 hypotheses: segment 2 has no hypothesis; nothing was added"),
    ("a", "a b c", InputMismatch, "1 references but 3 hypotheses: segment 2 has no reference; nothing was added"),
    ("a b c", ("a", "b\0", "c"), InvalidText, f"segment 2: hypothesis: {NUL}"),
    (("a", ["b", "\ud800"], "c"), "a b c", InvalidText, f"segment 2: reference 2: {SURROGATE}"),
    ("a b c", ("a", "b", None), TypeError, "segment 3: a hypothesis must be a string, got NoneType"),
    (("a", "b", [3]), "a b c", TypeError, "segment 3: a reference must be a string, got int"),
    (("a", None), "a b", TypeError, "segment 2: references must be a list of texts, got NoneType"),
    (("a", []), "a b", InputMismatch, "segment 2: a hypothesis needs at least one reference, got none"),
]


@modes
@scorers
@pytest.mark.parametrize("lazy", [list, iter])
@pytest.mark.parametrize(("refs", "hyps", "error", "message"), BAD)
def test_all_or_nothing(refs, hyps, error, message, lazy, scorer, keep):
    """After an error nothing was added, in every mode; the error keeps its type and names the segment."""
    references, hypotheses = (
        lazy(column.split() if isinstance(column, str) else list(column)) for column in (refs, hyps)
    )
    corpus, before = corpora(scorer, keep)
    with pytest.raises(error) as caught:
        corpus.extend(references=references, hypotheses=hypotheses)
    assert type(caught.value) is error
    assert str(caught.value) == message
    assert content(corpus) == before
    if error is InvalidText:
        assert message == f"{caught.value.where}: {caught.value.reason}"


@modes
@scorers
@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError("gone"), InvalidText("file:3", "x"), TypeError("mine")])
def test_a_column_that_fails(error, scorer, keep):
    """An error raised by a column is passed on unchanged, blames no segment, and nothing is added."""
    corpus, before = corpora(scorer, keep)
    with pytest.raises(type(error)) as caught:
        corpus.extend(references=iter(["a", "b"]), hypotheses=failing(error))
    assert caught.value is error
    assert content(corpus) == before


@modes
@pytest.mark.parametrize("implementation", ["auto", "python"])
def test_a_part_that_fails(keep, implementation):
    """An error of a part, such as a stemmer of the user's, names the segment whose word it could not take."""

    def stem(word):
        if word == "bad":
            raise TypeError("a stemmer's own")
        return word

    corpus = Scorer(SCORER.config, given={"stem": stem}, implementation=implementation).corpus(keep_segments=keep)
    texts = ["good"] * 130 + ["bad", "good"]
    with pytest.raises(TypeError, match=r"^segment 131: a stemmer's own$"):
        corpus.extend(references=["good"] * 132, hypotheses=texts)
    assert not len(corpus)


@modes
def test_breakdowns_of_others(keep):
    """A corpus takes the breakdowns of its METEOR, however they came here, and no others."""
    corpus, before = corpora(SCORER, keep)
    one = SCORER.score("a b", "b")
    unsigned = pickle.loads(pickle.dumps(one))  # noqa: S301
    object.__setattr__(unsigned, "origin", None)
    for stranger, message in (
        (SCORERS["summed up"].score("a b", "b"), "this breakdown was scored differently and cannot be added"),
        (corpus.score(), "this is the score of a corpus, not of a segment; corpora are added by merge"),
        (SCORER.corpus().extend(references=["a"], hypotheses=["a"]).score(), "this is the score of a corpus"),
        (SCORER.breakdown(corpus.statistics), "this is the score of given statistics, which may be a sum"),
        (pickle.loads(pickle.dumps(SCORER.breakdown(one.statistics))), "this is the score of given statistics"),  # noqa: S301
        (unsigned, "this breakdown does not name its variant of METEOR; use one from a Scorer"),
    ):
        with pytest.raises(InputMismatch) as caught:
            corpus.add_breakdown(stranger)
        assert str(caught.value).startswith(message)
        assert content(corpus) == before
    for own in (one, pickle.loads(pickle.dumps(one)), Scorer().score("a b", "b")):  # noqa: S301
        assert corpus.add_breakdown(own) is own
    assert len(corpus) == 6


def test_given_statistics_of_a_segment():
    """Statistics known to be of one segment can be added as totals to a corpus without segments."""
    one = SCORER.score("a b", "b")
    corpus = SCORER.corpus(keep_segments=False)
    corpus.add_totals(Totals.of(SCORER.breakdown(one.statistics)))
    assert corpus.totals == Totals.of(one)


@pytest.mark.parametrize("how", ["max", "mean", "min"])
def test_segments_of_several_references(how):
    """A segment with several references is one, however they are reduced."""
    scorer = Scorer(evolve(load_preset("meteor-2005"), reduce=how))
    scored = scorer.score(["a b", "b c"], "b")
    assert scorer.corpus().add_breakdown(scored) is scored


def test_in_place():
    """+= merges into the corpus itself, so that all who hold it see it; a number is no summand."""
    corpus = held = SCORER.corpus().extend(references=REFS, hypotheses=HYPS)
    corpus += SCORER.corpus().extend(references=REFS, hypotheses=HYPS)
    assert corpus is held
    assert len(held) == 6
    with pytest.raises(TypeError):
        corpus += 1


@modes
def test_copies(keep):
    """Copies, and what comes out of a pickle, are corpora of their own with the same segments."""
    corpus, before = corpora(SCORER, keep)
    for made in (copy.copy(corpus), copy.deepcopy(corpus), pickle.loads(pickle.dumps(corpus))):  # noqa: S301
        assert content(made) == before
        made.add("n", "n")
        assert content(corpus) == before
        assert len(made.merge(corpus)) == 7


def test_equality():
    """A corpus changes, so it equals itself alone and can be a key."""
    corpus, same = corpora(SCORER, keep=True)[0], corpora(SCORER, keep=True)[0]
    assert corpus != same
    assert corpus.totals == same.totals
    assert {corpus: 1}[corpus] == 1


@modes
def test_the_new_formula_adds_up(scorer_2026, segments_2026, keep):
    """Under METEOR 2026 segments add up alike one by one, all at once, and in parts; a corpus of none is nothing."""
    references, hypotheses = segments_2026
    one, whole = scorer_2026.corpus(keep_segments=keep), scorer_2026.corpus(keep_segments=keep)
    empty = scorer_2026.corpus(keep_segments=keep)
    for reference, hypothesis in zip(references, hypotheses, strict=True):
        one.add(reference, hypothesis)
    whole.extend(references=references, hypotheses=hypotheses)
    parts = scorer_2026.corpus(keep_segments=keep).extend(references=references[2:], hypotheses=hypotheses[2:])
    parts += empty
    parts += scorer_2026.corpus(keep_segments=keep).extend(references=references[:2], hypotheses=hypotheses[:2])
    assert one.totals == whole.totals == parts.totals == (empty + parts).totals
    assert one.score() == whole.score()
    counted = [scorer_2026.score(*texts).statistics.order for texts in zip(references, hypotheses, strict=True)]
    assert one.statistics.order == tuple(map(sum, zip(*counted, strict=True)))
    with pytest.raises(InputMismatch, match="no segment was added"):
        empty.score()


def test_formulas_do_not_mix(scorer_2026):
    """Corpora, breakdowns and totals of one formula are not added to those of another; nothing of them is left."""
    new, old = scorer_2026.corpus(keep_segments=False), SCORER.corpus(keep_segments=False)
    for corpus, other, scorer in ((new, old, SCORER), (old, new, scorer_2026)):
        before = corpus.add("a b", "a b") and corpus.totals
        with pytest.raises(InputMismatch, match="scored differently"):
            corpus.merge(other)
        with pytest.raises(InputMismatch, match="scored differently"):
            corpus.add_breakdown(scorer.score("a", "a"))
        with pytest.raises(ValueError, match="do not add up"):
            corpus.add_totals(Totals.of(scorer.score("a", "a")))
        assert corpus.totals == before
