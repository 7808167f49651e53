"""METEOR as a metric of sacrebleu: scores, signature, confidence intervals, paired tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import load_preset
from meteorlib.errors import InputMismatch, InvalidText

pytest.importorskip("sacrebleu")

from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest

from meteorlib.integrations.sacrebleu import METEOR

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def lines(name):
    return (EXAMPLES / name).read_text(encoding="utf-8").split("\n")[:-1]


SYSTEM_A, SYSTEM_B = lines("system-a.en"), lines("system-b.en")
STREAMS = [lines("reference.0.en"), lines("reference.1.en")]


def test_score_is_between_0_and_1_and_printed_with_four_digits():
    """The number is the scorer's; it is printed with two digits more than sacrebleu's 0..100."""
    found = METEOR().corpus_score(SYSTEM_A, STREAMS)
    corpus = Scorer().corpus().extend(references=zip(*STREAMS, strict=True), hypotheses=SYSTEM_A)
    assert found.score == corpus.score().score
    assert str(found) == f"METEOR = {found.score:.4f}"
    assert found.format(width=1, score_only=True) == f"{found.score:.3f}"


def test_signature_names_both_programs():
    """The signature of sacrebleu has the fields of the scorer's, long and short, and survives its JSON."""
    metric = METEOR("meteor-1.5-en-core")
    found = metric.corpus_score(SYSTEM_A, STREAMS, n_bootstrap=10)
    signature = metric.get_signature()
    *fields, version = str(metric.scorer.signature).split("|")
    assert str(signature).startswith("nrefs:2|bs:10|seed:12345|preset:meteor-1.5-en-core|")
    assert "|".join(fields) in str(signature)
    assert f"|scorer:{version.removeprefix('version:')}|version:" in str(signature)
    assert signature.format(short=True).startswith("#:2|bs:10|rs:12345|preset:")
    data = json.loads(found.format(signature=str(signature), is_json=True))
    assert (data["name"], data["preset"], data["nrefs"]) == ("METEOR", "meteor-1.5-en-core", "2")
    assert data["confidence_mean"] > 0


def test_confidence_interval():
    """The bootstrap's mean lies near the score, its interval is not empty, and both come again."""
    found, again = (METEOR().corpus_score(SYSTEM_B, STREAMS, n_bootstrap=300) for _ in range(2))
    assert found._mean == pytest.approx(found.score, abs=0.02)
    assert 0.005 < found._ci < 0.1
    assert (found._mean, found._ci) == (again._mean, again._ci)


@pytest.mark.parametrize("test_type", ["bs", "ar"])
@pytest.mark.parametrize("cached", [True, False])
def test_paired_test(test_type, cached):
    """The paired tests of sacrebleu run on it beside BLEU, and find the same system better."""
    references = None if cached else STREAMS
    metrics = {
        "METEOR": METEOR(references=STREAMS if cached else None),
        "BLEU": BLEU(references=STREAMS if cached else None),
    }
    systems = [("a", SYSTEM_A), ("b", SYSTEM_B), ("a again", SYSTEM_A)]
    signatures, scores = PairedTest(systems, metrics, references, test_type, n_samples=200)()
    assert set(signatures) == {"METEOR", "BLEU"}
    baseline, worse, same = scores["METEOR"]
    _, bleu_worse, bleu_same = scores["BLEU"]
    assert (baseline.score, same.score) == (METEOR().corpus_score(SYSTEM_A, STREAMS).score,) * 2
    assert worse.score == METEOR().corpus_score(SYSTEM_B, STREAMS).score
    assert worse.p_value == bleu_worse.p_value < 0.01
    assert same.p_value == bleu_same.p_value  # sacrebleu does not put a difference of 0 down to chance


def test_segments_with_fewer_references():
    """None means a missing reference, as everywhere in sacrebleu; the signature says so."""
    metric = METEOR()
    found = metric.corpus_score(SYSTEM_A[:2], [STREAMS[0][:2], [None, STREAMS[1][1]]])
    references = [[STREAMS[0][0]], [STREAMS[0][1], STREAMS[1][1]]]
    assert found.score == Scorer().corpus().extend(references=references, hypotheses=SYSTEM_A[:2]).score().score
    assert str(metric.get_signature()).startswith("nrefs:var|")


@pytest.mark.parametrize("reduce", ["max", "mean", "min"])
def test_sentence_score_is_the_segment_score(reduce):
    """A sentence scores what the scorer gives, whichever of several references counts."""
    config = evolve(load_preset("meteor-2005"), reduce=reduce)
    references = [stream[3] for stream in STREAMS]
    assert (
        METEOR(config).sentence_score(SYSTEM_B[3], references).score
        == Scorer(config).score(references, SYSTEM_B[3]).score
    )


@pytest.mark.parametrize("streams", [[STREAMS[0][:-1]], [STREAMS[0], STREAMS[1][:-1]], [[*STREAMS[0], "more"]]])
def test_lengths_are_checked(streams):
    """Streams of other lengths are an error that names both counts; sacrebleu would end with the shortest."""
    message = f"{len(streams[-1])} references but 48 hypotheses"
    with pytest.raises(InputMismatch, match=message):
        METEOR().corpus_score(SYSTEM_A, streams)
    if len(streams) == 1:
        with pytest.raises(InputMismatch, match=message):
            METEOR(references=streams).corpus_score(SYSTEM_A, None)


def test_the_checks_of_sacrebleu():
    """Checks of sacrebleu are made: strings where lists are expected, no references at all."""
    with pytest.raises(TypeError, match="METEOR: `refs` should be a sequence of sequence of strings"):
        METEOR().corpus_score(SYSTEM_A, STREAMS[0])
    with pytest.raises(TypeError, match="METEOR: "):
        METEOR().sentence_score("a", "a")
    with pytest.raises(RuntimeError, match="No references"):
        METEOR().corpus_score(SYSTEM_A, None)


@pytest.mark.parametrize(
    ("hypotheses", "references", "said"),
    [
        (["a"], [], "no references: expected a list of documents, each with a reference for each hypothesis"),
        ([], [[]], "nothing to score: there is no hypothesis"),
        ([], [], "nothing to score: there is no hypothesis"),
        ([], [["a"]], "nothing to score: there is no hypothesis"),
        ([], None, "nothing to score: there is no hypothesis"),
        (["a"], [[]], "0 references but 1 hypotheses: each needs its own"),
        (["a"], [["a"], []], "0 references but 1 hypotheses: each needs its own"),
    ],
)
@pytest.mark.parametrize("cached", [False, True])
def test_nothing_is_told(hypotheses, references, said, cached):
    """No hypothesis and no reference are errors that say so; sacrebleu's own metrics have an IndexError."""
    metric = METEOR(references=[["a"]]) if cached else METEOR()
    with pytest.raises(InputMismatch) as caught:
        metric.corpus_score(hypotheses, references)
    assert str(caught.value) == said


def test_nothing_of_a_sentence_is_told():
    """A sentence without reference is an error that says so."""
    with pytest.raises(InputMismatch, match=r"^a hypothesis needs at least one reference, got none$"):
        METEOR().sentence_score("a", [])


def test_documents_are_of_one_length():
    """Documents of different lengths are refused where they are given; sacrebleu would end with the shortest."""
    with pytest.raises(InputMismatch, match=r"^documents of 1 and 2 references: each needs one for each segment$"):
        METEOR(references=[["a", "b"], ["a"]])


@pytest.mark.parametrize(
    ("hypothesis", "reference", "error", "said"),
    [
        ("a\0", "a", InvalidText, "segment 3: hypothesis: NUL character at offset 1; "),
        ("a", "a\0", InvalidText, "segment 3: reference: NUL character at offset 1; "),
        (3, "a", TypeError, "segment 3: a hypothesis must be a string, got int"),
        ("a", 3, TypeError, "segment 3: a reference must be a string, got int"),
        ("a", None, InputMismatch, "segment 3: a hypothesis needs at least one reference, got none"),
    ],
)
def test_the_segment_that_cannot_be_scored_is_named(hypothesis, reference, error, said):
    """A segment that cannot be scored is named among many, counted from 1."""
    with pytest.raises(error) as caught:
        METEOR().corpus_score(["a", "b", hypothesis, "d"], [["a", "b", reference, "d"]])
    assert str(caught.value).startswith(said)


def test_the_new_formula(config_2026, segments_2026):
    """METEOR 2026's counts are summed by sacrebleu too; its samples, in single precision, lie about the score."""
    references, hypotheses = segments_2026
    corpus = Scorer(config_2026).corpus().extend(references=references, hypotheses=hypotheses)
    metric = METEOR(config_2026)
    found = metric.corpus_score(hypotheses, [references], n_bootstrap=200)
    assert found.score == corpus.score().score
    assert found._mean == pytest.approx(found.score, abs=0.1)
    assert metric.sentence_score(hypotheses[0], [references[0]]).score == corpus[0].score
