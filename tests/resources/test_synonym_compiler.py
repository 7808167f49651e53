"""Synonyms that are installed: out of every kind of source one kind of lexicon, for the matcher `synonym`."""

from __future__ import annotations

import hashlib
import json
import os

import pytest
from attrs import evolve

from meteorlib import Scorer, StageConfig
from meteorlib.config import load_preset
from meteorlib.errors import ResourceDamaged, ResourceMissing, UnknownName
from meteorlib.resources import synonym_sources
from meteorlib.resources.install import install, installed, remove, statuses
from meteorlib.resources.language_data import open_lexicon
from meteorlib.resources.lexicons import open_synonyms
from meteorlib.resources.store.shared_files import current_version
from tests.resources.test_stemmers import ODD

NAME = "synonyms-de"
THESAURUS = """UTF-8
Haus|2
-|Heim|Gebäude (ugs.)|Bauwerk (Oberbegriff)
-|Familie|Sippe
heim|1
-|Haus|Gebäude (ugs.)
"""


@pytest.fixture
def thesaurus(tmp_path):
    """A MyThes file."""
    path = tmp_path / "th_de_DE_v2.dat"
    path.write_text(THESAURUS, "utf-8")
    return path


@pytest.fixture
def preset():
    """German with a stage of synonyms."""
    german = load_preset("meteor-1.5-de-core")
    return evolve(german, name="mine", stages=[*german.stages, StageConfig("synonym", 0.8, NAME)])


def test_install_list_remove(cache, thesaurus):
    """Synonyms are missing, then installed and listed with license and origin, then missing again."""
    with pytest.raises(ResourceMissing, match=f"run `meteorlib resources install {NAME} --from SOURCE`"):
        open_synonyms(NAME)
    assert install(NAME, thesaurus, license_="LGPL") == installed(NAME) == cache / NAME == install(NAME)
    status = statuses()[-1]
    assert (status.name, status.state, status.license) == (NAME, "installed", "LGPL")
    assert status.origin == "the file th_de_DE_v2.dat"
    assert open_synonyms(NAME).source_sha256 == hashlib.sha256(thesaurus.read_bytes()).hexdigest()
    assert remove(NAME)
    assert installed(NAME) is None
    assert NAME not in [status.name for status in statuses()]


def test_words(cache, thesaurus):
    """Words of one meaning share a number, whatever their case; equal meanings under several words are one."""
    install(NAME, thesaurus)
    synsets = open_synonyms(NAME)
    assert len(synsets("haus")) == 2
    assert synsets("HEIM") == synsets("heim") == synsets("gebäude") < synsets("haus")
    assert synsets("familie") & synsets("haus")
    assert not synsets("familie") & synsets("heim")
    assert all(synsets(word) == frozenset() for word in [*ODD, "bauwerk"])


def test_meteors_own_form(cache, tmp_path):
    """Words of METEOR's form are looked up as METEOR does, whose endings are English in every language."""
    (tmp_path / "german.synsets").write_text("haus\n7\nheim\n00000007\n", "utf-8")
    (tmp_path / "german.exceptions").write_text("haus\nhäuser\n", "utf-8")
    for source in (tmp_path, tmp_path / "german.synsets"):
        install(NAME, source)
        synsets = open_synonyms(NAME)
        assert synsets("heim") == synsets("heims") == synsets("häuser") == {7}
        assert synsets("Heim") == frozenset()


def test_several_sources(cache, thesaurus, tmp_path):
    """Words are synonyms if one of the sources says so; sources do not affect each other's sets."""
    second = tmp_path / "german.synsets"
    second.write_text("Haus\n7\nhütte\n7 8\nsippe\n8\n", "utf-8")
    install(NAME, [str(thesaurus), str(second)])
    synsets = open_synonyms(NAME)
    assert synsets("haus") & synsets("heim")
    assert synsets("haus") & synsets("hütte")
    assert synsets("hütte") & synsets("sippe")
    assert not synsets("heim") & synsets("hütte")
    assert len(synsets("haus")) == 3
    status = statuses()[-1]
    assert (status.origin, status.license) == ("the file th_de_DE_v2.dat and the file german.synsets", "not recorded")
    both = open_synonyms(NAME).source_sha256
    install(NAME, [str(second), str(thesaurus)])
    assert open_synonyms(NAME).source_sha256 != both
    with pytest.raises(ValueError, match="paraphrase-de has one source, not 2"):
        install("paraphrase-de", [str(thesaurus), str(second)])


def test_by_lemmas(cache, thesaurus, preset):
    """A form of a word has the synonyms of its lemma, too; the signature names what finds it."""
    pytest.importorskip("simplemma")
    install(NAME, thesaurus)
    synsets = open_lexicon(f"{NAME}-lemmas")
    assert synsets("häuser") == open_synonyms(NAME)("haus") == synsets("haus")
    assert all(synsets(word) == frozenset() for word in ODD)
    stages = [StageConfig("exact"), StageConfig("synonym", 0.8, f"{NAME}-lemmas")]
    by_lemmas = Scorer(evolve(preset, stages=stages))
    assert f",synonym({NAME}-lemmas@" in str(by_lemmas.signature)
    assert "simplemma=" in by_lemmas.signature.to_dict()["stages"]
    pair = "Das Heim steht dort .", "Dort stehen die Häuser ."
    assert ("heim", "häuser") in [(ref[0], hyp[0]) for ref, hyp, _ in by_lemmas.align(*pair).pairs()]
    assert by_lemmas.score(*pair) == Scorer(by_lemmas.config, implementation="python").score(*pair)


def test_lemmas_are_not_installed(cache, thesaurus):
    """A lexicon for lemmas is installed under its own name, which is given if it is missing."""
    with pytest.raises(ResourceMissing, match=f"install {NAME}; this name has it looked up by lemmas"):
        install(f"{NAME}-lemmas", thesaurus)
    with pytest.raises(ResourceMissing, match=f"run `meteorlib resources install {NAME} --from SOURCE`"):
        open_lexicon(f"{NAME}-lemmas")


def test_stage(cache, thesaurus, preset):
    """A preset names them; the signature has the digest of what they were compiled from."""
    install(NAME, thesaurus)
    scorer = Scorer(preset)
    digest = hashlib.sha256(thesaurus.read_bytes()).hexdigest()
    assert f",synonym({NAME}@{digest[:8]})*0.8|" in str(scorer.signature)
    pair = "Das Haus steht dort .", "Dort steht das Gebäude ."
    matched = [(reference[0], hypothesis[0]) for reference, hypothesis, stage in scorer.align(*pair).pairs()
               if stage == "synonym"]  # fmt: skip
    assert matched == [("haus", "gebäude")]
    assert scorer.score(*pair) == Scorer(preset, implementation="python").score(*pair)


def test_not_installed(cache, preset):
    """A preset may name synonyms that are not installed; its scorer is an error. Other names are unknown."""
    with pytest.raises(ResourceMissing, match=f"resource '{NAME}' is not installed: run `meteorlib resources install"):
        Scorer(preset)
    stages = [*preset.stages[:-1], StageConfig("synonym", 0.8, "synonyms-german")]
    with pytest.raises(UnknownName, match="unknown resource 'synonyms-german'"):
        install("synonyms-german", "system")
    with pytest.raises(Exception, match="unknown lexicon 'synonyms-german'"):
        Scorer(evolve(preset, stages=stages))


def test_system(cache, thesaurus, monkeypatch, tmp_path):
    """`system` takes the thesaurus that is installed for LibreOffice, and says where its license is."""
    documentation = tmp_path / "doc" / "mythes-de"
    documentation.mkdir(parents=True)
    (documentation / "copyright").touch()
    monkeypatch.setattr(synonym_sources, "FOLDER", tmp_path)
    monkeypatch.setattr(synonym_sources, "DOCUMENTATION", tmp_path / "doc")
    install(NAME, "system")
    assert statuses()[-1].license == f"see {documentation / 'copyright'}"
    assert open_synonyms(NAME)("haus")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"line 2: this is neither a MyThes thesaurus .* nor METEOR's form"),
        ("the\ncat\n", r"line 2: this is neither a MyThes thesaurus .* nor METEOR's form"),
        ("UTF-8\na|1\n-|b c\n", "no two words of the file source are synonyms; take another source"),
        ("a\n1\nb\n2\n", "no two words of the file source are synonyms; take another source"),
    ],
)
def test_no_synonyms(cache, tmp_path, thesaurus, text, message):
    """An invalid source is refused, and the earlier installation is kept."""
    install(NAME, thesaurus)
    before = sorted(cache.rglob("*"))
    (tmp_path / "source").write_text(text, "utf-8")
    with pytest.raises(ResourceDamaged, match=message):
        install(NAME, tmp_path / "source")
    assert sorted(cache.rglob("*")) == before
    with pytest.raises(ResourceMissing, match=r"there is no file .*nothing"):
        install(NAME, tmp_path / "nothing")


def test_damage(cache, thesaurus):
    """A lexicon that was changed is not used, and the command that mends it is named."""
    folder = current_version(install(NAME, thesaurus))
    (file,) = folder.glob("*.records")
    os.chmod(file, 0o644)
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    assert statuses()[-1].state == "damaged"
    with pytest.raises(ResourceDamaged, match=f"install it again: `meteorlib resources install {NAME} --from FILE`"):
        open_synonyms(NAME)
    manifest = folder / "manifest.json"
    os.chmod(manifest, 0o644)
    fields = {**json.loads(manifest.read_text()), "files": {}}
    manifest.write_text(json.dumps({key: value for key, value in fields.items() if key != "crc32"}))
    with pytest.raises(ResourceDamaged, match="does not name the file of a lexicon"):
        open_synonyms(NAME)
