"""``meteorlib signature`` and ``meteorlib cite``: how a paper names the METEOR of its scores."""

from __future__ import annotations

import re

import pytest
import yaml

from meteorlib import Scorer, __version__
from meteorlib.cli import citation
from meteorlib.config.builtin import load_preset, preset_names
from meteorlib.config.citations import bibtex
from tests.docs.pages import ROOT

SYSTEMS = {"a": "the cat sat\na dog\n", "b": "the cats sit\ndogs\n", "ref": "the cat sat\nthe dog\n"}
WHOLE = Scorer("meteor-2005").signature


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_tables_have_a_short_signature_that_expands(printed, files, form):
    """The short signature in a table gives the whole one, with the references; --full-signature prints that itself."""
    files(**SYSTEMS)
    arguments = "score", "a", "b", "-r", "ref", "-n", "10", "-f", form, "-p", "meteor-2005"
    short = re.search(r"meteor-2005\|v[^|]+\|[0-9a-f]{12}\|refs:1", printed(*arguments))
    assert short
    assert printed("signature", short[0]) == f"{WHOLE}|refs:1\n"
    whole = printed(*arguments, "--full-signature")
    assert short[0] not in whole
    assert f"{WHOLE}|refs:1" in whole


def test_what_cannot_be_expanded_is_whole(printed, files):
    """Another text mode has no short signature."""
    files(**SYSTEMS)
    out = printed("score", "a", "b", "-r", "ref", "-n", "10", "-p", "meteor-2005", "--text", "norm")
    assert "preset:meteor-2005|language:en|text:norm|" in out


def test_digest_alone(printed, run, refused, monkeypatch):
    """A digest is looked for in the presets whose data is installed; an error names the others."""
    monkeypatch.setattr(citation, "preset_names", lambda: ("meteor-1.5-cz", "meteor-2005"))
    assert printed("signature", WHOLE.digest) == f"{WHOLE}\n"
    assert printed("signature", WHOLE.short) == printed("signature", "meteor-2005") == f"{WHOLE}\n"
    message = refused("signature", "0" * 12)
    assert "no built-in preset has the digest 000000000000" in message
    assert "not tried, because data or packages are missing: meteor-1.5-cz\n" in message


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("2f9c", "no short signature: PRESET|v"),
        ("meteor-2005|0123456789ab", "no short signature"),
        (f"meteor-2004|v{__version__}|0123456789ab", "unknown preset 'meteor-2004' (did you mean 'meteor-2005'?)"),
        (f"meteor-2005|v{__version__}|0123456789ab", f"meteor-2005 has the digest {WHOLE.digest} here"),
        ("meteor-2005|v0.1.0|0123456789ab|refs:2", "pip install meteorlib==0.1.0"),
    ],
)
def test_bad_digests(run, given, message):
    """An error says what is wrong with a digest, and what helps."""
    result = run("signature", given)
    assert (result.status, result.out) == (2, "")
    assert message in result.err


def test_full_signature_is_for_tables(refused, files):
    """Formats for programs always have the whole signature."""
    files(**SYSTEMS)
    assert "json has it always" in refused("score", "a", "b", "-r", "ref", "-f", "json", "--full-signature")


def test_cite(printed, refused):
    """Entries of the papers that the preset's source names, and of this release."""
    out = printed("cite", "nltk")
    assert re.findall(r"@(\w+)\{(.*),", out) == [
        ("inproceedings", "lavie-agarwal-2007"), ("book", "bird-etal-2009"), ("software", "meteorlib"),
    ]  # fmt: skip
    assert "  author = {Bird, Steven and Klein, Ewan and Loper, Edward},\n" in out
    assert "  title = {{METEOR}: An Automatic Metric for {MT} Evaluation" in out
    assert f"  version = {{{__version__}}},\n" in out
    assert "  pages = {228--231},\n" in out
    assert "(did you mean 'nltk'?)" in refused("cite", "nltkk")


def test_every_paper_is_known():
    """CITATION.cff has every paper that a preset's source names, and each is named by a preset."""
    named = {name: re.findall(r"\w+(?: & \w+| et al\.) \d{4}", load_preset(name).source) for name in preset_names()}
    entries = {name: bibtex(load_preset(name)).count("\n}\n") - 1 for name in named}
    assert entries == {name: len(set(papers)) for name, papers in named.items()}
    assert all(entries[name] or name.startswith("meteor-2026-") for name in named)
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["references"]
    assert len({paper for papers in named.values() for paper in papers}) == len(cited)
