"""Stemmers."""

from __future__ import annotations

import gzip
import pickle
import random
import subprocess
import sys
import types
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest

from meteorlib.errors import ResourceDamaged, UnknownName
from meteorlib.resources import stemmers
from meteorlib.resources.stemmers import STEMMERS, stemmer


@pytest.mark.parametrize("name", STEMMERS)
def test_every_name(name):
    """Each name gives a stemmer that takes any string, odd ones too."""
    stem = stemmer(name)
    for word in ["", "a", "\0", "\ud800", "Ωμέγα", "поздравления", "running", "x" * 1000]:
        assert isinstance(stem(word), str)


def test_english():
    """Snowball of 2010, which newer releases differ from (added, adding, words in -ologist)."""
    stem = stemmer("snowball-en")
    words = ["goods", "added", "adding", "geologist", "generously"]
    assert [stem(word) for word in words] == ["good", "ad", "ad", "geologist", "generous"]


def test_porter_is_the_original():
    """Porter 1980 is not Snowball's English stemmer."""
    words = ["generously", "skies", "dying"]
    assert [stemmer("porter")(word) for word in words] == ["gener", "ski", "dy"]
    assert [stemmer("snowball-en")(word) for word in words] == ["generous", "sky", "die"]


@pytest.mark.parametrize(
    ("name", "word", "stem"),
    [  # recorded from METEOR 1.5
        ("snowball-en", "😀y", "😀i"),
        ("snowball-da", "au😀😀", "au😀😀"),
        ("snowball-it", "🎉àà", "🎉à"),
        ("snowball-pt", "😀ii", "😀i"),
        ("snowball-fi", "𝟙266", "𝟙26"),
        ("snowball-tr", "𐐷a𝐀a", "𐐷a𝐀a"),
        ("snowball-nl", "o𝐀e", "o𝐀"),
    ],
)
def test_letters_are_counted_as_java_does(name, word, stem):
    """A character beyond U+FFFF is two letters, which moves the places where endings may begin."""
    assert stemmer(name)(word) == stem


def test_swedish_has_two_codes():
    """METEOR writes se, ISO 639 sv."""
    assert stemmer("snowball-se")("flickorna") == stemmer("snowball-sv")("flickorna") == "flick"


def test_unknown_name():
    """An unknown name proposes a near one."""
    with pytest.raises(UnknownName, match=r"unknown stemmer 'snowball-eng' \(did you mean 'snowball-en'\?\)"):
        stemmer("snowball-eng")


def test_pickle():
    """A stemmer goes through pickle."""
    assert pickle.loads(pickle.dumps(stemmer("snowball-en")))("goods") == "good"  # noqa: S301


def test_threads():
    """Threads that share a stemmer get the stems that one alone gets."""
    stem = stemmer("snowball-en")
    words = [
        f"{start}{end}" for start in ("run", "generat", "hopeful", "geolog") for end in ("ing", "ions", "ness", "y")
    ]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(stem, words * 50)) == [stem(word) for word in words * 50]


def test_installed_accelerator_changes_nothing(monkeypatch):
    """PyStemmer, where it is installed, is not asked."""
    fake = types.ModuleType("Stemmer")
    fake.Stemmer = lambda _: pytest.fail("PyStemmer was used")
    monkeypatch.setitem(sys.modules, "Stemmer", fake)
    for name in [name for name in sys.modules if name.startswith("snowballstemmer")]:
        monkeypatch.delitem(sys.modules, name)
    assert stemmer("snowball-en")("goods") == "good"


def test_other_version(monkeypatch):
    """With another release of snowballstemmer there are no stems but an error that names both versions."""
    monkeypatch.setattr(stemmers, "version", lambda _: "3.1.1")
    stemmers._check_version.cache_clear()
    with pytest.raises(ResourceDamaged) as caught:
        stemmer("porter")
    stemmers._check_version.cache_clear()
    assert str(caught.value) == (
        "resource 'snowballstemmer' cannot be used: stems depend on its version, which must be 1.2.1, not 3.1.1; "
        "run `pip install snowballstemmer==1.2.1`"
    )


@pytest.mark.oracle
def test_stems_equal_meteor(oracles):
    """50,000 words have the stems that METEOR 1.5's own stemmer gives them."""
    with zipfile.ZipFile(oracles / "meteor-1.5.jar") as jar:
        lemmas = jar.read("synonym/english.synsets").decode().split("\n")[::2]
    generator = random.Random(3)
    words = generator.sample([lemma for lemma in lemmas if lemma], 30_000)
    seen: set[str] = set()
    with gzip.open(oracles / "data" / "paraphrase-en.gz", "rt", encoding="utf-8") as table:
        for number, line in enumerate(table):
            if number % 3:
                seen.update(line.split())
            if len(seen) >= 20_000:
                break
    words += sorted(seen)
    command = ["java", "-Dfile.encoding=UTF-8", "-cp", oracles / "meteor-1.5.jar", "Stemmer", "en"]
    text = "".join(f"{word}\n" for word in words)
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=True)
    stem = stemmer("snowball-en")
    theirs = done.stdout.decode().split("\n")[:-1]
    assert [word for word, other in zip(words, theirs, strict=True) if stem(word) != other] == []
