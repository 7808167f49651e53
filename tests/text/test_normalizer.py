"""The text modes norm and norm_nopunct."""

from __future__ import annotations

import json
import pickle

import pytest

from meteorlib.errors import MeteorError
from meteorlib.registry import TEXTS
from meteorlib.resources.word_lists import nonbreaking_prefixes
from meteorlib.text.normalizer import Normalizer, NormalizerWithoutPunctuation

NO_PREFIXES = (frozenset(), frozenset())
# METEOR 1.5 strips both ends before it writes a line.
STRIPPED = "".join(map(chr, range(0x21)))


@pytest.fixture(scope="module")
def golden(root):
    text = (root / "tests" / "golden" / "normalizer.jsonl").read_text(encoding="utf-8")
    return [json.loads(row) for row in text.split("\n") if row]


@pytest.mark.parametrize("name", ["lower", "norm", "norm_nopunct"])
@pytest.mark.parametrize("language", ["en", "cz", "fr", "es", "de", "ru"])
def test_golden(language, name, golden):
    """The words are those that the jar gave (recorded by tools/record_golden_normalizer.py)."""
    text = TEXTS.get(name)(language, nonbreaking_prefixes(language))
    rows = [row for row in golden if row["language"] == language]
    assert len(rows) >= 30
    ours = [" ".join(text.words(row["line"])).strip(STRIPPED) for row in rows]
    assert ours == [row[name] for row in rows]


def test_normalize_keeps_case():
    """`normalize` is the line before lowercasing and splitting; without punctuation it has no signs."""
    line = "Mr. O'Neil's  “U.S.” car, etc..."
    assert Normalizer("en", nonbreaking_prefixes("en")).normalize(line) == "Mr. O 'Neil 's \" US \" car , etc ..."
    assert NormalizerWithoutPunctuation("en", nonbreaking_prefixes("en")).normalize(line) == "Mr O Neil s US car etc"


@pytest.mark.parametrize("kind", [Normalizer, NormalizerWithoutPunctuation])
def test_unsupported_language(kind):
    """A language that METEOR 1.5 does not normalize is refused with the way out."""
    with pytest.raises(MeteorError) as error:
        kind("fi", NO_PREFIXES)
    assert str(error.value) == (
        "METEOR 1.5 has no normalizer for language 'fi' (only for en, cz, fr, es, de, ru): "
        "pre-tokenize the text and use text mode none or lower"
    )


@pytest.mark.parametrize("kind", [Normalizer, NormalizerWithoutPunctuation])
def test_pickle(kind):
    """A used instance comes back from a pickle with the same language, prefixes and words, and without its cache."""
    text = kind("en", nonbreaking_prefixes("en"))
    line = "No. 5 is alive."
    words = text.words(line)
    small = len(pickle.dumps(text))
    for number in range(1_000):
        text.words(f"word{number}")
    copy = pickle.loads(pickle.dumps(text))  # noqa: S301 - made one line above
    assert type(copy) is kind
    assert (copy.language, copy.prefixes, copy.words(line)) == ("en", text.prefixes, words)
    assert len(pickle.dumps(text)) == small


def test_repr_is_short():
    """The representation names mode and language, not hundreds of abbreviations."""
    assert repr(Normalizer("fr", nonbreaking_prefixes("fr"))) == "Normalizer('fr')"
