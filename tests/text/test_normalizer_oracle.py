"""The text modes against the jar."""

from __future__ import annotations

import pytest

from meteorlib.registry import TEXTS
from meteorlib.resources.word_lists import nonbreaking_prefixes

OPTIONS = {"none": (), "lower": ("-lower",), "norm": ("-norm",), "norm_nopunct": ("-norm", "-noPunct")}
# METEOR 1.5 strips both ends before it writes a line.
STRIPPED = "".join(map(chr, range(0x21)))

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("name", ["norm", "norm_nopunct"])
@pytest.mark.parametrize("language", ["en", "cz", "fr", "es", "de", "ru"])
def test_random_lines(language, name, nasty_lines, jar_lines):
    """The words of 3,000 nasty lines are the jar's."""
    lines = nasty_lines(language, 1, 3_000)
    text = TEXTS.get(name)(language, nonbreaking_prefixes(language))
    ours = [" ".join(text.words(line)).strip(STRIPPED) for line in lines]
    jars = jar_lines(lines, language, *OPTIONS[name])
    assert list(zip(lines, ours, strict=True)) == list(zip(lines, jars, strict=True))


@pytest.mark.parametrize("name", ["none", "lower"])
def test_random_lines_not_normalized(name, nasty_lines, jar_lines):
    """Without the normalizer, the words of 3,000 nasty lines are the jar's too."""
    lines = nasty_lines("en", 2, 3_000)
    ours = [" ".join(TEXTS.get(name)("en", (frozenset(), frozenset())).words(line)).strip(STRIPPED) for line in lines]
    jars = jar_lines(lines, "en", *OPTIONS[name])
    assert list(zip(lines, ours, strict=True)) == list(zip(lines, jars, strict=True))


@pytest.mark.parametrize("name", sorted(OPTIONS))
@pytest.mark.parametrize("file", ["reference.en", "system1.en"])
def test_newstest2009(file, name, shared, jar_lines):
    """The words of all of newstest2009 are the jar's in every text mode."""
    lines = (shared / "data" / "newstest2009" / file).read_bytes().decode().removesuffix("\n").split("\n")
    text = TEXTS.get(name)("en", nonbreaking_prefixes("en"))
    ours = [" ".join(text.words(line)).strip(STRIPPED) for line in lines]
    assert ours == jar_lines(lines, "en", *OPTIONS[name])
