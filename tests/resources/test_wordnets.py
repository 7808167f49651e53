"""Wordnets of the library wn, out of a small lexicon that the tests add to a database of their own."""

from __future__ import annotations

import sys

import pytest

from meteorlib.errors import ExtraMissing, ResourceDamaged, ResourceMissing
from meteorlib.resources.catalog import find_resource
from meteorlib.resources.install import install, statuses
from meteorlib.resources.lexicons import open_synonyms

LEXICON = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
  <Lexicon id="{id}" label="Kleines Wortnetz" language="de" email="a@b.de" license="CC BY 4.0" version="{version}"
           url="https://example.org">
    <LexicalEntry id="{id}-1"><Lemma writtenForm="Haus" partOfSpeech="n"/><Form writtenForm="Häuser"/>
      <Sense id="{id}-s1" synset="{id}-y1"/></LexicalEntry>
    <LexicalEntry id="{id}-2"><Lemma writtenForm="{other}" partOfSpeech="n"/>
      <Sense id="{id}-s2" synset="{id}-y1"/><Sense id="{id}-s3" synset="{id}-y2"/></LexicalEntry>
    <LexicalEntry id="{id}-3"><Lemma writtenForm="trautes Heim" partOfSpeech="n"/>
      <Sense id="{id}-s4" synset="{id}-y1"/></LexicalEntry>
    <Synset id="{id}-y1" ili="" partOfSpeech="n"/>
    <Synset id="{id}-y2" ili="" partOfSpeech="n"/>
  </Lexicon>
</LexicalResource>
"""


@pytest.fixture
def add(tmp_path, monkeypatch):
    """Adds a lexicon to wn, whose database is empty."""
    wn = pytest.importorskip("wn", reason="needs wn")
    monkeypatch.setattr(wn.config, "data_directory", tmp_path / "wn")

    def adding(other="Gebäude", name="klein", version="1.0"):
        file = tmp_path / f"{name}.xml"
        file.write_text(LEXICON.format(id=name, version=version, other=other), "utf-8")
        wn.add(file, progress_handler=None)

    return adding


@pytest.mark.parametrize("lexicon", ["klein", "klein:1.0"])
def test_wordnet(cache, add, lexicon):
    """Words that share a synset are synonyms, in all forms that are listed; license and origin are the lexicon's."""
    add()
    install("synonyms-de", f"wn:{lexicon}")
    synsets = open_synonyms("synonyms-de")
    assert synsets("haus") == synsets("Häuser") < synsets("gebäude")
    assert (len(synsets("haus")), len(synsets("gebäude"))) == (1, 2)
    assert synsets("trautes heim") == synsets("baum") == frozenset()
    status = next(status for status in statuses() if status.name == "synonyms-de")
    assert (status.state, status.license) == ("installed", "CC BY 4.0")
    assert status.origin == "Kleines Wortnetz 1.0 (wn:klein:1.0, https://example.org)"
    assert find_resource("synonyms-de").language == "de"


def test_digest(cache, add):
    """The digest, which signatures show, is that of words and synsets: the same again, another one for other words."""
    add()
    add("Bau", "klein2")
    digests = []
    for lexicon in ("klein", "klein", "klein2"):
        install("synonyms-de", f"wn:{lexicon}")
        digests.append(open_synonyms("synonyms-de").source_sha256)
    assert digests[0] == digests[1] != digests[2]


def test_no_synonyms(cache, add):
    """A wordnet in which no two words share a synset is none that helps."""
    add("Haus")
    with pytest.raises(
        ResourceDamaged, match=r"no two words of Kleines Wortnetz 1.0 \(.*\) are synonyms; take another"
    ):
        install("synonyms-de", "wn:klein")
    assert not (cache / "synonyms-de").exists()


def test_unknown(cache, add):
    """An unknown lexicon of wn is an error that lists the installed ones."""
    add()
    add("Bau", "klein2")
    message = "wn has no lexicon gross; wn has klein2:1.0, klein:1.0; get it with `python -m wn download gross`"
    with pytest.raises(ResourceMissing, match=message):
        install("synonyms-de", "wn:gross")
    with pytest.raises(ResourceMissing, match=r"several lexicons are called klein\*: klein2:1.0, klein:1.0; name one"):
        install("synonyms-de", "wn:klein*")


def test_without_wn(cache, monkeypatch):
    """Without wn its extra is named."""
    monkeypatch.setitem(sys.modules, "wn", None)
    with pytest.raises(ExtraMissing, match=r"^wn is not installed: run  pip install 'meteorlib\[wn\]'$"):
        install("synonyms-de", "wn:klein")
