"""Both views of WordNet, checked on single words."""

from __future__ import annotations

import shutil

import pytest

from meteorlib.errors import ResourceDamaged
from meteorlib.resources import lexicons
from meteorlib.resources.catalog import packaged_path
from meteorlib.resources.lexicons import open_offset_lexicon, open_synset_names, open_wordnet
from meteorlib.resources.store import data_file

ODD = ["", "\0", "dog\0", "a\0b", "\ud800", "dog\ud800", "\uffff", "\xff", "x" * 10_000, "☃", "'", "_", " "]


def _names(synsets):
    names = open_synset_names()
    return {name for synset in synsets for name in names.lemmas(synset)}


def test_opened_once():
    """The loaders give the same lexicon each time."""
    assert open_wordnet() is open_wordnet()
    assert open_offset_lexicon() is open_offset_lexicon()


@pytest.mark.parametrize("opener", [open_wordnet, open_offset_lexicon])
@pytest.mark.parametrize("word", ODD, ids=ascii)
def test_what_is_no_word_has_no_synsets(opener, word):
    """Odd strings, NUL and lone surrogates have no synsets and raise nothing."""
    assert opener().synsets(word) == frozenset()


def test_offsets_have_no_part_of_speech():
    """METEOR's table: synset offsets of all parts of speech together."""
    assert {2084071, 2001858} <= open_offset_lexicon().synsets("dog")


def test_offsets_of_base_forms():
    """A word has the offsets of its base by suffix rule, and its own."""
    offsets = open_offset_lexicon()
    assert offsets.synsets("dogs") == offsets.synsets("dog")
    assert offsets.synsets("running") > offsets.synsets("run")


@pytest.mark.parametrize(
    ("form", "base"),
    [
        ("houses", "house"), ("buses", "bus"), ("boxes", "box"), ("waltzes", "waltz"), ("churches", "church"),
        ("dishes", "dish"), ("firemen", "fireman"), ("cities", "city"), ("goes", "go"), ("hoped", "hope"),
    ],
)  # fmt: skip
def test_offset_rules(form, base):
    """Each ending that WordNet's rules take off is taken off."""
    offsets = open_offset_lexicon()
    assert offsets.synsets(base)
    assert offsets.synsets(form) >= offsets.synsets(base)


def test_offsets_of_irregular_forms():
    """A form in the exception list has the offsets of its bases; no suffix rule is tried if those are no lemmas."""
    offsets = open_offset_lexicon()
    assert offsets.synsets("geese") == offsets.synsets("goose")
    assert offsets.synsets("co-opted") == frozenset()


def test_offset_rules_stop_at_ss_and_at_two_letters():
    """Words that end in ss or have at most two letters are their own base."""
    offsets = open_offset_lexicon()
    assert offsets.synsets("dogss") == offsets.synsets("zs") == frozenset()
    assert offsets.synsets("dogs")
    assert offsets.synsets("z")


def test_offsets_are_of_lowercase_words():
    """METEOR lowercases before: the table knows no capitals."""
    assert open_offset_lexicon().synsets("Dog") == frozenset()


def test_wordnet_distinguishes_parts_of_speech():
    """Synsets of different parts of speech are different numbers, satellites are adjectives."""
    kinds = {synset // 10**8 for synset in open_wordnet().synsets("well")}
    assert kinds == {1, 2, 3, 4}


def test_wordnet_morphology():
    """Exceptions, suffix rules and case, as in WordNet."""
    wordnet = open_wordnet()
    assert _names(wordnet.synsets("geese")) >= {"goose", "fathead"}
    assert wordnet.synsets("Dogs") == wordnet.synsets("dog")
    assert "good" in _names(wordnet.synsets("better"))
    assert "wolf" in _names(wordnet.synsets("wolves"))


def test_synonyms_of_the_paper():
    """Well and good share a synset (Banerjee & Lavie 2005)."""
    assert open_wordnet().synsets("well") & open_wordnet().synsets("good")


def test_lemmas_keep_order_and_case_and_lose_markers():
    """Lemma names are those of the data file, without adjective markers."""
    wordnet = open_wordnet()
    assert open_synset_names().lemmas(102084071) == ("dog", "domestic_dog", "Canis_familiaris")
    assert not any("(" in name for name in _names(wordnet.synsets("galore")))


@pytest.mark.parametrize("synset", [0, -1, 102084072, 10**9])
def test_no_such_synset(synset):
    """Looking up the lemmas of an unknown synset is a KeyError."""
    with pytest.raises(KeyError):
        open_synset_names().lemmas(synset)


@pytest.mark.parametrize(
    ("opener", "name"),
    [
        (lexicons.open_wordnet, "wordnet-en"),
        (lexicons.open_synset_names, "wordnet-en"),
        (lexicons.open_offset_lexicon, "wordnet-en-offsets"),
    ],
)
def test_missing_or_damaged_file(monkeypatch, tmp_path, opener, name):
    """A packaged file that is missing, cut short, changed or another one is named as damaged."""
    original = packaged_path(name)
    copy = tmp_path / original.name
    monkeypatch.setattr(data_file, "packaged_path", lambda _: copy)
    with pytest.raises(ResourceDamaged, match=f"resource '{name}' cannot be used.*install meteorlib again"):
        opener.__wrapped__()
    shutil.copytree(original, copy) if original.is_dir() else shutil.copy(original, copy)
    assert opener.__wrapped__()
    file = copy / ("names.txt" if opener is open_synset_names else "senses.records") if copy.is_dir() else copy
    data = file.read_bytes()
    changed = [data[:-1], b"not a trie", b"", data[:9999] + b"\0\0" + data[10_001:], data + b"\0"]
    if copy.is_dir():
        changed.append((copy / "synsets.u32").read_bytes())
    for found in changed:
        file.write_bytes(found)
        with pytest.raises(ResourceDamaged, match="has been changed"):
            opener.__wrapped__()
