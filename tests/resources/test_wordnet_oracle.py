"""Both views of WordNet against METEOR 1.5 and against NLTK."""

from __future__ import annotations

import random
import subprocess

import pytest

from meteorlib.resources.lexicons import open_offset_lexicon, open_synset_names, open_wordnet

pytestmark = pytest.mark.oracle

SUFFIXES = ["", "s", "es", "ed", "ing", "er", "est", "men", "ies", "ves", "ses", "xes", "zes", "ches", "shes", "ss"]


@pytest.fixture(scope="module")
def wordnet(oracles):
    """NLTK's WordNet, out of the oracle folder."""
    nltk = pytest.importorskip("nltk")
    nltk.data.path.insert(0, str(oracles / "nltk_data"))
    from nltk.corpus import wordnet

    wordnet.ensure_loaded()
    return wordnet


def _number(synset):
    return {"n": 1, "v": 2, "a": 3, "s": 3, "r": 4}[synset.pos()] * 10**8 + synset.offset()


def _inflected(generator, word):
    cut = generator.randint(0, 1)
    return word[: len(word) - cut] + generator.choice(SUFFIXES)


def test_synsets_equal_nltk(wordnet):
    """Every lemma, every irregular form and 60,000 inflected forms have NLTK's synsets."""
    generator = random.Random(1)
    lemmas = sorted(set(wordnet.all_lemma_names()))
    words = set(lemmas)
    for folder in "nvar":
        words.update(form for form in wordnet._exception_map[folder])
    words.update(_inflected(generator, word) for word in generator.choices(lemmas, k=60_000))
    words.update(word.upper() for word in generator.sample(lemmas, 1_000))
    lexicon = open_wordnet()
    wrong = [word for word in words if lexicon.synsets(word) != {_number(synset) for synset in wordnet.synsets(word)}]
    assert not wrong


def test_lemmas_equal_nltk(wordnet):
    """Every synset has NLTK's lemma names in NLTK's order."""
    names = open_synset_names()
    assert not [s for s in wordnet.all_synsets() if names.lemmas(_number(s)) != tuple(s.lemma_names())]


def test_synonyms_equal_meteor(oracles, tmp_path):
    """20,000 pairs of plain, inflected and irregular forms are synonyms where METEOR 1.5's aligner says so."""
    generator = random.Random(2)
    table = _lines(oracles, "english.synsets")
    by_offset = {}
    for word, offsets in table:
        for offset in offsets.split():
            by_offset.setdefault(offset, []).append(word)
    groups = [words for words in by_offset.values() if len(words) > 1]
    irregular = [(form, base) for base, forms in _lines(oracles, "english.exceptions") for form in forms.split()]
    synonyms = dict(table)
    pairs = []
    for _ in range(10_000):
        group = generator.choice(groups)
        pairs.append(tuple(_inflected(generator, generator.choice(group)) for _ in range(2)))
        form, base = generator.choice(irregular)
        offsets = synonyms.get(base, "").split()
        partner = generator.choice(by_offset[generator.choice(offsets)]) if offsets else base
        pairs.append((form, _inflected(generator, partner)))
    pairs = [pair for pair in pairs if all(pair) and pair[0] != pair[1]]
    for name, side in (("hypotheses", 0), ("references", 1)):
        (tmp_path / name).write_text("".join(f"{pair[side]}\n" for pair in pairs))
    command = ["java", "-Xmx1G", "-cp", oracles / "meteor-1.5.jar", "Matcher", "hypotheses", "references"]
    done = subprocess.run(
        [*command, "-l", "en", "-m", "synonym"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    found = ["0:1\t\t\t0:1" in block for block in done.stdout.split("Alignment ")[1:]]
    lexicon = open_offset_lexicon()
    mine = [not lexicon.synsets(first).isdisjoint(lexicon.synsets(second)) for first, second in pairs]
    assert sum(found) > 2_000
    assert [pair for pair, ours, theirs in zip(pairs, mine, found, strict=True) if ours != theirs] == []


def _lines(oracles, name):
    import zipfile

    with zipfile.ZipFile(oracles / "meteor-1.5.jar") as jar:
        lines = jar.read(f"synonym/{name}").decode().split("\n")
    return list(zip(lines[::2], lines[1::2], strict=False))
