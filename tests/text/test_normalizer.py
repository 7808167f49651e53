"""The text modes norm and norm_nopunct."""

from __future__ import annotations

import json
import pickle
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib import caches
from meteorlib.core.languages import TUNED_LANGUAGES
from meteorlib.errors import MeteorError
from meteorlib.registry import TEXTS
from meteorlib.resources.word_lists import nonbreaking_prefixes
from meteorlib.text.case import split_case
from meteorlib.text.normalizer import Normalizer, NormalizerWithoutPunctuation, TokenRules
from meteorlib.text.rules import LineRules
from tests.examples import examples

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
    """The words are those that the jar gave (recorded by tools/record_jar.py)."""
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
        "METEOR 1.5 has no normalizer for language 'fi' (only for en, cz, fr, de, es, ru): "
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


ALPHABET = ".,'`‘’-–“ abZ01\t\v\x01\u00a0Σ(éЯ"


def both(language, punctuation, *, lowers=True):
    rules = LineRules(language, nonbreaking_prefixes(language), punctuation, lowers)
    return rules, TokenRules(rules)


@pytest.mark.parametrize("punctuation", [True, False])
@pytest.mark.parametrize("language", TUNED_LANGUAGES)
def test_random_lines(language, punctuation, nasty_lines):
    """Random nasty lines: the same words both ways, with a cache that fills up as it goes."""
    rules, fast = both(language, punctuation)
    for line in nasty_lines(language, 3, 120):
        assert fast.words(line) == rules.words(line), repr(line)


@pytest.mark.parametrize("language", TUNED_LANGUAGES)
def test_with_case(language, nasty_lines):
    """If case is kept, both ways give the same words, which in lowercase are those without case."""
    rules, fast = both(language, punctuation=True, lowers=False)
    for line in nasty_lines(language, 5, 500):
        words = fast.words(line)
        assert words == rules.words(line), repr(line)
        assert [split_case(word)[0] for word in words] == both(language, punctuation=True)[0].words(line), repr(line)


@pytest.mark.stress
@pytest.mark.parametrize("punctuation", [True, False])
@pytest.mark.parametrize("language", TUNED_LANGUAGES)
def test_many_random_lines(language, punctuation, nasty_lines):
    """10,000 lines for each language and mode are normalized equally."""
    rules, fast = both(language, punctuation)
    for line in nasty_lines(language, 4, 10_000):
        assert fast.words(line) == rules.words(line), repr(line)


@examples(400)
@given(st.text(st.sampled_from(ALPHABET), max_size=24), st.sampled_from(TUNED_LANGUAGES), st.booleans())
def test_any_line(line, language, punctuation):
    """Any line of the characters that matter: the same words both ways, cold and warm."""
    rules, fast = both(language, punctuation)
    expected = rules.words(line)
    assert fast.words(line) == expected
    assert fast.words(line) == expected


@examples(200)
@given(line=st.text(st.characters(exclude_categories=["Cs"])), language=st.sampled_from(TUNED_LANGUAGES))
def test_any_text(line, language):
    """Any Unicode text: the same words both ways."""
    rules, fast = both(language, punctuation=True)
    assert fast.words(line) == rules.words(line)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("x, ,y", ["x", ",", ",y"]),
        ("x,  ,y", ["x", ",", ",", "y"]),
        ("1' '2", ["1", "'", "'2"]),
        ("the end. next", ["the", "end.", "next"]),
        ("the end. Next", ["the", "end", ".", "next"]),
        ("the end.  next", ["the", "end.", "next"]),
        ("the end. \tnext", ["the", "end.", "next"]),
        ("the end. 5", ["the", "end", ".", "5"]),
        ("No. 5", ["no.", "5"]),
        ("No. A", ["no", ".", "a"]),
        ("(No. 5)", ["(", "no.", "5", ")"]),
        ("\x01 a \x01 b \x01", ["a", "\x01", "b"]),
        ("\va b\v", ["a", "b"]),
        ("DOTMULTI DOTDOTMULTI", [".", ".."]),
        ("", []),
        (" ", []),
    ],
)
def test_where_tokens_meet(line, words):
    """Neighbors of a token count if a rule of METEOR 1.5 looks at them or includes the space."""
    rules, fast = both("en", punctuation=True)
    assert (fast.words(line), rules.words(line)) == (words, words)


def test_the_cache_is_bounded(monkeypatch):
    """Ever new tokens, long ones among them, do not fill the memory, and words stay right when caches are cleared."""
    monkeypatch.setattr(caches, "TOKENS", 10)
    rules, fast = both("en", punctuation=True)
    lines = [f"word{number} ,{number % 7} end{number}. {'x' * 9000}{number}" for number in range(300)]
    tracemalloc.start()
    try:
        for line in lines:
            assert fast.words(line) == rules.words(line)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 100_000  # 20 tokens; 900 of them, or the long ones, would be several times as much


def test_threads_share_an_instance(nasty_lines, monkeypatch):
    """Threads that share an instance get the same words as one alone, even while the caches are cleared."""
    monkeypatch.setattr(caches, "TOKENS", 50)
    rules, fast = both("en", punctuation=True)
    lines = nasty_lines("en", 5, 400) * 3
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(fast.words, lines)) == [rules.words(line) for line in lines]
