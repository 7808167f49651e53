"""Every command takes a preset of METEOR 2026."""

from __future__ import annotations

import json

import pytest

from tests.single_system import single


@pytest.fixture
def texts(files, segments_2026):
    """Two systems and their references in the current folder."""
    references, hypotheses = ("\n".join(texts) + "\n" for texts in segments_2026)
    files(ref=references, one=hypotheses, two=references)


@pytest.fixture
def corpus(scorer_2026, segments_2026):
    """The first of them, scored from Python."""
    references, hypotheses = segments_2026
    return scorer_2026.corpus().extend(references=references, hypotheses=hypotheses)


@pytest.mark.parametrize("jobs", [1, 2])
def test_score(run, printed, texts, corpus, file_2026, jobs):
    """One system: its score with all that made it, whatever the number of jobs."""
    out = printed("score", "one", "-r", "ref", "--config", file_2026, "--format", "json", "--segments", "-j", jobs)
    data = single(out)
    assert (data["score"], data["corpus"]["crossing"]) == (corpus.score().score, corpus.score().crossing)
    assert [segment["score"] for segment in data["segments"]] == [scored.score for scored in corpus]
    text = run("score", "one", "-r", "ref", "--config", file_2026, "--verbose").out
    assert f"crossing       {corpus.score().crossing:.4f}\n" in text


@pytest.mark.parametrize("form", ["text", "json", "tsv", "markdown", "latex"])
def test_score_of_systems(printed, texts, corpus, file_2026, form):
    """Several systems in each format."""
    out = printed("score", "one", "two", "-r", "ref", "--config", file_2026, "-n", 50, "--format", form)
    assert (f"{corpus.score().score:.4f}" if form in {"text", "markdown", "latex"} else str(corpus.score().score)) in (
        out
    )


@pytest.mark.parametrize("form", ["text", "json", "html"])
def test_explain(printed, file_2026, scorer_2026, form):
    """A segment in each format, with weights and partial matches."""
    out = printed("explain", "the matress", "-r", "the mattress", "--config", file_2026, "--format", form)
    score = scorer_2026.score("the mattress", "the matress").score
    if form == "json":
        data = json.loads(out)
        assert data["score"] == score
        assert data["weights"] == {"the": 0.14, "mattress": 1.1, "matress": 1.1}
    else:
        assert f"{score:.4f}" in out
        assert "mattress – matress 0.88" in out


def test_compare_presets(printed, texts, file_2026):
    """METEOR 2026 is compared with other presets; a difference has its reason."""
    names = "small-2026,meteor-1.5-en-core"
    out = printed("compare-presets", "one", "-r", "ref", "--config", file_2026, "--presets", names, "--format", "json")
    spread = json.loads(out)["spread"]
    assert sum(spread["contributions"].values()) == pytest.approx(spread["difference"], abs=1e-12)


def test_report(ok, texts, file_2026, tmp_path):
    """There is a page."""
    ok("report", "one", "two", "-r", "ref", "--config", file_2026, "-o", "page.html")
    assert "meteor-2026" in (tmp_path / "page.html").read_text(encoding="utf-8")
