"""``meteor-1.5`` beside METEOR's jar: the same arguments, the same bytes."""

from __future__ import annotations

import shutil

import pytest

from meteorlib.cli.dropin.arguments import parse
from meteorlib.cli.dropin.settings import settings
from meteorlib.scorer import Scorer
from tests.cli.dropin.cases import CASES, CONVERSATION
from tools.record_jar import run_command

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.stress,
    pytest.mark.skipif(shutil.which("java") is None, reason="needs Java"),
]

TASKS = ("rank", "adq", "hter", "util", "tune", "li", "universal")
NORMALIZED = ("en", "fr", "de", "es", "ru", "cz")


def java_hash(word):
    """Java's hash of a string."""
    value = 0
    units = word.encode("utf-16-be")
    for high, low in zip(units[::2], units[1::2], strict=True):
        value = (31 * value + (high << 8 | low)) & 0xFFFFFFFF
    return value


def collides(hypothesis, reference):
    """Whether different words of the two sides have one hash: METEOR takes them for the same word, this project not."""
    words = {word: java_hash(word) for word in {*hypothesis, *reference}}
    return any(words[one] == words[other] and one != other for one in set(hypothesis) for other in set(reference))


@pytest.fixture
def texts(root, folder):
    """Makes the files of a language, without the segments in which METEOR confuses two words (le and n' in French)."""

    def make(language, *options):
        files = [root / "tests" / "data" / f"{language}.{side}" for side in ("hyp", "ref")]
        lines = [file.read_bytes().decode().removesuffix("\n").split("\n") for file in files]
        config = settings(parse(["", "", "-l", language, "-m", "exact", *options])).config
        scorer = Scorer(config)
        kept = []
        for hypothesis, reference in zip(*lines, strict=True):
            alignment = scorer.align(reference, hypothesis)
            if not collides(alignment.hypothesis, alignment.reference):
                kept.append((hypothesis, reference))
        assert len(kept) >= 190
        for name, side in zip(("h", "r"), zip(*kept, strict=True), strict=True):
            (folder / name).write_text("".join(f"{line}\n" for line in side), encoding="utf-8")
        return ["h", "r", "-l", language, *options]

    return make


def check(command, written, oracles, folder, arguments):
    """Run both and compare all."""
    theirs = run_command(oracles / "meteor-1.5.jar", folder, arguments)
    if "-stdio" in arguments:
        arguments = [*arguments, "-dialect", "coco"]
    ours = command(*arguments, stdin=CONVERSATION)
    assert ours.stdout == theirs["stdout"]
    assert written() == theirs["files"]
    assert (ours.status, theirs["status"]) == (0, 0)


@pytest.mark.parametrize("name", CASES)
def test_every_case(command, written, oracles, folder, name):
    """The recorded cases."""
    check(command, written, oracles, folder, CASES[name])


@pytest.mark.parametrize("task", TASKS)
def test_english(command, written, oracles, folder, texts, task):
    """Every task, on English texts."""
    arguments = [*texts("en", "-norm"), "-t", task, "-a", "empty.gz", "-vOut", "-writeAlignments", "-f", "out"]
    check(command, written, oracles, folder, arguments)


@pytest.mark.parametrize("more", [["-vOut"], ["-ssOut", "-ch"]])
@pytest.mark.parametrize("language", ["fr", "de", "es", "ru", "cz", "da", "other"])
def test_other_languages(command, written, oracles, folder, texts, language, more):
    """Scores, alignments, statistics and the system block, on texts of other languages."""
    mode = "-norm" if language in NORMALIZED else "-lower"
    arguments = [*texts(language, mode), "-a", "empty.gz", "-writeAlignments", "-f", "out", *more]
    check(command, written, oracles, folder, arguments)
