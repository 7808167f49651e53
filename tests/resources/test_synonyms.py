"""The thesauri that come with the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import load_preset
from meteorlib.errors import ConfigError
from meteorlib.resources.catalog import CATALOG, PACKAGED_THESAURI, THESAURI, packaged_path
from meteorlib.resources.install import install, installed
from meteorlib.resources.language_data import open_lexicon

SYNONYMS = {
    "de": ("Auto", "wagen"),
    "es": ("coche", "automóvil"),
    "fr": ("voiture", "automobile"),
    "ru": ("врач", "доктор"),
}
FORMS = {"de": ("Autos", "wagen"), "es": ("coches", "automóvil"), "fr": ("voitures", "automobile")}
ODD = ["", " ", "\0", "auto\0", "\ud800", "x" * 10_000, "123", "."]


@pytest.mark.parametrize("code", THESAURI)
def test_synonyms(code):
    """Two words are synonyms if they share a meaning, whatever their case; other words have no meanings."""
    meanings = open_lexicon(f"thesaurus-{code}")
    first, second = SYNONYMS[code]
    assert meanings(first) & meanings(second)
    assert meanings(first.upper()) == meanings(first.lower())
    assert all(meanings(word) == frozenset() for word in ODD)


@pytest.mark.parametrize("code", FORMS)
def test_by_lemmas(code):
    """A form of a word has the meanings of its lemma, too, and the signature names what finds it."""
    pytest.importorskip("simplemma")
    first, second = FORMS[code]
    words, lemmas = open_lexicon(f"thesaurus-{code}"), open_lexicon(f"thesaurus-{code}-lemmas")
    assert not words(first) & words(second)
    assert lemmas(first) & lemmas(second)
    assert words(second) <= lemmas(second)
    signature = str(Scorer(f"meteor-2026-{code}-full").signature)
    digest = CATALOG[f"thesaurus-{code}"].sha256[:8]
    assert f"synonym(thesaurus-{code}-lemmas@{digest},simplemma=" in signature


@pytest.mark.parametrize("code", THESAURI)
def test_presets_find_them(code):
    """The presets of these languages need nothing else, match synonyms, and score alike in both engines."""
    scorer = Scorer(f"meteor-2026-{code}")
    pair = SYNONYMS[code]
    assert list(scorer.align(*pair).pairs()) == [((pair[0].lower(),), (pair[1],), "synonym")]
    assert scorer.score(*pair) == Scorer(scorer.config, implementation="python").score(*pair)


def test_there_is_no_other_language():
    """A language without a thesaurus is an error that lists the existing ones."""
    preset = load_preset("meteor-2026-de")
    stages = [evolve(stage, resource="thesaurus-cz") if stage.resource else stage for stage in preset.stages]
    with pytest.raises(ConfigError, match=r"unknown lexicon 'thesaurus-cz'.*thesaurus-de, thesaurus-es"):
        Scorer(evolve(preset, stages=stages))


def test_they_are_installed_already():
    """To install what comes with the package changes nothing, and says where it is."""
    for name in PACKAGED_THESAURI:
        assert install(name) == installed(name) == packaged_path(name)


@pytest.mark.oracle
def test_tables_are_what_the_script_makes(root, tmp_path):
    """tools/build_data.py makes the packaged tables again, byte for byte, out of Debian's thesauri."""
    if not Path("/usr/share/mythes/th_de_DE_v2.dat").is_file():
        pytest.skip("apt install mythes-de mythes-es mythes-fr mythes-ru")
    command = [sys.executable, root / "tools" / "build_data.py", "--mythes", "/usr/share/mythes", "--output", tmp_path]
    subprocess.run(command, check=True)
    for name in PACKAGED_THESAURI:
        path = packaged_path(name)
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()
