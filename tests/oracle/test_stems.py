"""METEOR 1.5's own stemmers, on words of every language."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from meteorlib.cli.stem import stem as stem_command
from meteorlib.resources.stemmers import METEOR_STEMMERS, stemmer
from tests.oracle.languages import read_pairs

pytestmark = [pytest.mark.oracle, pytest.mark.skipif(shutil.which("java") is None, reason="needs Java")]

LISTS = {
    "da": ["danish"],
    "de": ["ngerman", "ogerman", "swiss"],
    "es": ["spanish"],
    "fr": ["french"],
    "it": ["italian"],
    "nl": ["dutch"],
    "no": ["bokmaal", "nynorsk"],
    "pt": ["portuguese", "brazilian"],
    "se": ["swedish"],
}
CODES = sorted(
    {name.removeprefix("snowball-") for name in METEOR_STEMMERS if name.startswith("snowball-")} - {"sv", "en"}
)
FINNISH = "talo kahvi laittee aatte vapaa puu mie soi yhdistä sektore moni".split()
POOLS = [
    "0123456789",
    ".,;:!?'\"-_/()%$&*+=<>@#[]{}|~^`",
    "aeiouyäöåéàüõøæăâîıíóúê",
    "abcdefghijklmnopqrstuvwxyzñçßœłžšșțğ",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÅÉÑÇ",
    "αβγшжяьцийного中日語ア한글אב१२٣",
    "😀🎉𝐀𝟙𐐷",
    "\u0301\u0308\u200d\u200b\u00ad\ufeff’‘“–—…",
]
ENDINGS = "n en in den iden eiden tten itten siin isiin seen eseen hin hun kin nkin nissen nisse nisses niss st est e"


@pytest.mark.parametrize("language", CODES)
def test_stems(oracles, root, language):
    """Words of the language, of word lists where they are installed, and words glued of their parts: the same stems."""
    chance = random.Random(language)
    encoding = "latin-1" if language in ("no", "se") else "utf-8"
    files = [Path("/usr/share/dict", name) for name in LISTS.get(language, ())]
    listed = sorted({word for file in files if file.is_file() for word in file.read_text(encoding).split()})
    texts = " ".join(text for side in read_pairs(root, language) for text in side)
    own = sorted(set(re.findall(r"[^\W\d_]+", texts))) + (FINNISH if language == "fi" else [])
    words = own + [word.lower() for word in own] + chance.sample(listed, min(len(listed), 20_000))
    for _ in range(5_000):
        one, other = chance.choice(words), chance.choice(words)
        words.append(one[: chance.randint(1, len(one))] + other[-chance.randint(1, len(other)) :])
    words += [word + chance.choice(ENDINGS.split()) for word in chance.choices(own, k=5_000)]
    stem = stemmer(f"snowball-{language}")
    theirs = stems_of_jar(oracles, language, words)
    assert [(word, stem(word), other) for word, other in zip(words, theirs, strict=True) if stem(word) != other] == []


def stems_of_jar(oracles, language, words):
    """Output of METEOR's command Stemmer for words."""
    command = ["java", "-Dfile.encoding=UTF-8", "-cp", oracles / "meteor-1.5.jar", "Stemmer", language]
    done = subprocess.run(
        command, input="".join(f"{word}\n" for word in words).encode(), capture_output=True, check=True
    )
    return done.stdout.decode().split("\n")[:-1]


@pytest.mark.parametrize("language", [*CODES, "en"])
def test_command_on_anything(oracles, language):
    """Numbers, signs, foreign letters, emoji, alone and mixed: what `meteorlib stem` prints is what the jar prints."""
    chance = random.Random(language)
    words = [str(number) for number in range(300)] + [chr(code) * 2 for code in range(0x21, 0x250)]
    while len(words) < 10_000:
        pools = chance.sample(POOLS, chance.randint(1, 3))
        words.append("".join(chance.choice(chance.choice(pools)) for _ in range(chance.randint(1, 12))))
        words.append(words[-1] + words[-1][-1] * chance.randint(1, 3))
    words = [word for word in words if not any(character.isspace() for character in word)]
    theirs = stems_of_jar(oracles, language, words)
    done = CliRunner().invoke(stem_command, [language], input="".join(f"{word}\n" for word in words))
    pairs = zip(words, done.stdout.split("\n")[:-1], theirs, strict=True)
    # what is half of a character after all is a question mark there
    assert [found for found in pairs if found[1] != found[2] and "?" not in found[2]] == []
