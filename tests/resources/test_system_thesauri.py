"""Thesauri that the system has."""

from __future__ import annotations

import pytest

from meteorlib.errors import ResourceMissing
from meteorlib.resources import synonym_sources
from meteorlib.resources.synonym_sources import installed_thesaurus, license_notice


@pytest.fixture
def thesauri(tmp_path, monkeypatch):
    """A folder as Debian's packages fill it, with links for countries that share a thesaurus."""
    folder, documentation = tmp_path / "mythes", tmp_path / "doc"
    folder.mkdir()
    for name in "th_de_DE_v2 th_de_CH_v2 th_en_US_v2 th_en_AU_v2 th_pt_BR th_cs_CZ_v2 thes_fr th_nb_NO_v2".split():
        (folder / f"{name}.dat").touch()
    for country in ("BE", "CA"):
        (folder / f"th_fr_{country}_v2.dat").symlink_to("thes_fr.dat")
    for package in ("mythes-de", "mythes-en-us", "mythes-no", "mythes-fr"):
        (documentation / package).mkdir(parents=True)
        (documentation / package / "copyright").touch()
    monkeypatch.setattr(synonym_sources, "FOLDER", folder)
    monkeypatch.setattr(synonym_sources, "DOCUMENTATION", documentation)
    return folder


@pytest.mark.parametrize(("name", "file", "package"), [
    ("synonyms-de", "th_de_DE_v2", "mythes-de"),
    ("synonyms-de-CH", "th_de_CH_v2", "mythes-de"),
    ("synonyms-en_us", "th_en_US_v2", "mythes-en-us"),
    ("synonyms-pt", "th_pt_BR", None),
    ("synonyms-cz", "th_cs_CZ_v2", None),
    ("synonyms-no", "th_nb_NO_v2", "mythes-no"),
    ("synonyms-fr", "thes_fr", "mythes-fr"),
])  # fmt: skip
def test_which(thesauri, tmp_path, name, file, package):
    """The thesaurus of the language, or of its country, and the place of its license."""
    found = installed_thesaurus(name)
    assert found == thesauri / f"{file}.dat"
    assert license_notice(found) == (package and f"see {tmp_path / 'doc' / package / 'copyright'}")


def test_none_or_several(thesauri, tmp_path):
    """A missing thesaurus is named with the package that installs it; of several, the user chooses."""
    message = "there is no thesaurus it_IT in .*mythes; install one .Debian: mythes-it., or name its file"
    with pytest.raises(ResourceMissing, match=message):
        installed_thesaurus("synonyms-it")
    with pytest.raises(ResourceMissing, match="there is no thesaurus de_AT in "):
        installed_thesaurus("synonyms-de-AT")
    with pytest.raises(
        ResourceMissing, match="several thesauri of that language: en_AU, en_US; name the file, or install"
    ):
        installed_thesaurus("synonyms-en")
    assert license_notice(tmp_path / "th_de_DE_v2.dat") is None
