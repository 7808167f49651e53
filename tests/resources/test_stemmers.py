"""Stemmers."""

from __future__ import annotations

import gzip
import hashlib
import os
import random
import re
import subprocess
import sys
import tomllib
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from meteorlib._vendor import snowball
from meteorlib.errors import UnknownName
from meteorlib.resources.stemmers import EXTERNAL_STEMMERS, STEMMERS, stemmer

OWN = sorted({*STEMMERS} - {*EXTERNAL_STEMMERS, "arabic"})
ODD = ["", "a", "\0", "\ud800", "Ωμέγα", "поздравления", "running", "x" * 1000]


@pytest.mark.parametrize("name", OWN)
def test_every_name(name):
    """Each name gives a stemmer that takes any string, odd ones too."""
    stem = stemmer(name)
    for word in ODD:
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


def test_threads():
    """Threads that share a stemmer get the stems that one alone gets."""
    stem = stemmer("snowball-en")
    words = [
        f"{start}{end}" for start in ("run", "generat", "hopeful", "geolog") for end in ("ing", "ions", "ness", "y")
    ]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(stem, words * 50)) == [stem(word) for word in words * 50]


OTHERS_INSTALLED = f"""
import sys
sys.modules["snowballstemmer"] = sys.modules["Stemmer"] = None  # whoever imports one gets an error
from meteorlib.resources.stemmers import stemmer
for name in {OWN}:
    stemmer(name)("running")
for name, word in [("snowball-ru", "ещё"), ("snowball-fr", "zoë"), ("snowball-fi", "españa"), ("snowball-en", "added")]:
    print(stemmer(name)(word))
"""


def test_other_packages_of_stemmers_are_not_asked():
    """No stem comes from snowballstemmer or PyStemmer, of whatever release; newer ones differ in all of these."""
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-c", OTHERS_INSTALLED]
    done = subprocess.run(command, capture_output=True, check=True, encoding="utf-8", env=environment)
    assert done.stdout.split() == ["ещё", "zoë", "españ", "ad"]


def test_no_requirement_is_pinned(root):
    """Users may install any version beside the package: requirements have only lower bounds."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    assert [line for line in project["dependencies"] if re.search(r"==|~=|<|!=", line)] == []


def test_carried_stemmers_are_unchanged():
    """The carried files are those of snowballstemmer 1.2.1, byte for byte: with other code there would be other stems.

    The digest is that of the release's own files, in the order of their names.
    """
    folder = Path(snowball.__file__).parent
    files = sorted(path for path in folder.glob("*.py") if path.name != "__init__.py")
    digest = hashlib.sha256(b"".join(path.read_text("utf-8").encode() for path in files))
    assert digest.hexdigest() == "9a246e0d0b720d73f5f8e536ad332f005b9f89ca7863a8dd16691f10fa7a3bd6"


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


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("ergebnis", "ergebnis"),
        ("ergebnisse", "ergebniss"),
        ("ergebnissen", "ergebniss"),
        ("zeugnisses", "zeugniss"),
        ("zeugniße", "zeugniss"),
        ("kenntnisser", "kenntniss"),
        ("nissen", "niss"),
        ("ERGEBNISSE", "ERGEBNISSE"),
        ("häuser", "haus"),
    ],
)
def test_german(word, stem):
    """Ergebnisse and Ergebnis have two stems, as in METEOR 1.5; newer Snowball gives them one."""
    assert stemmer("snowball-de")(word) == stem


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("aatteeseen", "aattees"),
        ("aatteiden", "aatteid"),
        ("afrikkalaisiin", "afrikkalais"),
        ("sektoreidenkin", "sektoreid"),
        ("talossa", "talo"),
        ("vapaaseen", "vapaas"),
    ],
)
def test_finnish(word, stem):
    """The endings -den, -tten, -siin and -seen are not found, as in METEOR 1.5; the others are."""
    assert stemmer("snowball-fi")(word) == stem
