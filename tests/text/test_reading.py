"""The compiled reader gives the words that the text mode gives, from its table of tokens."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import product

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.config import load_preset
from meteorlib.core.languages import TUNED_LANGUAGES
from meteorlib.engine.build import build_engine, make_text
from meteorlib.engine.implementation import load_kernel
from meteorlib.registry import TextPart
from meteorlib.resources.word_lists import nonbreaking_prefixes
from meteorlib.text.case import Lowercase
from meteorlib.text.normalizer import Normalizer
from meteorlib.text.token import Token, Tokens
from tests.examples import examples, many

pytestmark = pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel")

MODES = [*((mode, language) for mode in ("norm", "norm_nopunct") for language in TUNED_LANGUAGES)]
MODES += [(mode, "other") for mode in ("none", "lower", "split_lower", "split_lower_nopunct")]
MODES += [("ptb", "en"), ("ptb_norm", "en")]
MODES += [("intl", "other")] if find_spec("sacrebleu") and find_spec("regex") else []
ALPHABET = ".,'`‘’-–“ absAZDOTMULI01\t\v\x01\u00a0\u2003Σσ(éЯİ"


def reader_and_text(mode, language):
    """An engine without any data, and its text mode."""
    config = load_preset("meteor-1.5-en-core")
    config = evolve(config, text=mode, language=language, stages=config.stages[:1], function_words=None)
    return build_engine(config), make_text(config)


@pytest.mark.parametrize(("mode", "language"), MODES)
def test_random_lines(mode, language, nasty_lines):
    """Random nasty lines, each read twice, so that its tokens are new and then known."""
    engine, text = reader_and_text(mode, language)
    for line in nasty_lines("en" if language == "other" else language, 11, 100):
        expected = tuple(text.words(line))
        assert engine.read(line).words == expected, repr(line)
        assert engine.read(line).words == expected, repr(line)


@pytest.mark.stress
@pytest.mark.parametrize(("mode", "language"), MODES)
def test_many_random_lines(mode, language, nasty_lines):
    """10,000 lines for each mode are read equally."""
    engine, text = reader_and_text(mode, language)
    for line in nasty_lines("en" if language == "other" else language, 12, 10_000):
        assert engine.read(line).words == tuple(text.words(line)), repr(line)


@pytest.mark.parametrize(("mode", "language"), MODES)
def test_ordinary_tokens(mode, language):
    """Words with signs, hyphens, commas and dots, most of which are cut without the text mode; abbreviations too."""
    engine, text = reader_and_text(mode, language)
    draw = random.Random(6)
    words = ["Mr", "mr", "No", "no", "Nr", "Prof", "z", "B", "art", "pp", "USA", "a1", "the", "DOTMULTI", "x" * 30, "7"]
    words += ["Čermák", "naïve", "ÄÖÜ", "œ", "İl", "Мир", "ж", "ſ", "ⁿ", "É", "日", "शो", "x×y", "\u017f", "\u1d00b"]
    words += ["4.2", "1,000", "u.s", "1,a", "\u00a0", "\u200b", "…", "Σ", "\u0300", "‘", "\x85", "\U0001f600", "’s"]
    words += ["it's", "d’Italie", "o`clock", "l'a'b", "a2's", "x'2", "Ltd's", "u.s's", "don‘t", "s-t'u", "п'я", "'"]
    words += "' '' U.S. a.m. FoxNews.com 1.5. 90's 5's 's 'tis boys' - -- .. ...".split()
    words += sorted(set().union(*text.prefixes))[::20]
    signs = list(",.-\"'()/!?$;:,.-“–")
    for _ in range(500 if many() else 150):
        parts = [draw.choice(draw.choice([words, signs, [" "]])) for _ in range(20)]
        for line in ("".join(parts), "".join(reversed(parts))):
            assert engine.read(line).words == tuple(text.words(line)), repr(line)


def check_short_tokens(language, letters, longest):
    """Every token of these letters: last in its line, and before a letter and an apostrophe."""
    engine, text = reader_and_text("norm", language)
    for length in range(1, longest + 1):
        for token in map("".join, product(letters, repeat=length)):
            for line in (token, f"{token} b", f"{token} 'x"):
                assert engine.read(line).words == tuple(text.words(line)), repr(line)


@pytest.mark.parametrize("language", TUNED_LANGUAGES)
def test_short_tokens(language):
    """Every token of up to three signs, letters and digits that have rules."""
    check_short_tokens(language, "sA1.,'’-(é", 3)


@pytest.mark.stress
@pytest.mark.parametrize(
    ("language", "letters"), [("en", "a1.',-"), ("en", "sA(\"' ."), ("fr", "sé1.'-"), ("de", "a.'-,")]
)
def test_longer_tokens(language, letters):
    """Tokens of up to five characters are read equally."""
    check_short_tokens(language, letters, 5)


@examples(400)
@given(line=st.text(st.sampled_from(ALPHABET), max_size=24), mode=st.sampled_from(MODES))
def test_any_line(line, mode):
    """Any line of the characters that matter, in a reader that knows nothing."""
    engine, text = reader_and_text(*mode)
    assert engine.read(line).words == tuple(text.words(line))


@examples(2000)
@given(line=st.text(st.characters(exclude_categories=["Cs"])), mode=st.sampled_from(MODES))
def test_any_text(line, mode):
    """Any Unicode text, of one, two or four bytes a character."""
    engine, text = reader_and_text(*mode)
    assert engine.read(line).words == tuple(text.words(line))


@pytest.mark.parametrize("line", ["", " ", "  ", "a", " a ", "x" * 40, "x" * 41, f"a {'x' * 100_000} b", "a " * 50_000])
def test_empty_and_long_lines(line):
    """Empty lines, tokens as long as the table keeps them and longer, lines of many tokens."""
    engine, text = reader_and_text("norm", "en")
    assert engine.read(line).words == tuple(text.words(line))


@pytest.mark.thorough
def test_the_table_grows():
    """Tens of thousands of tokens stay apart, those that differ by their place at the end of the line too."""
    engine, text = reader_and_text("norm", "en")
    draw = random.Random(5)
    lines = [" ".join(f"{draw.choice('abc')}{draw.randrange(30_000)}{draw.choice(['', '.', ','])}" for _ in range(12))
             for _ in range(5_000)]  # fmt: skip
    for line in [*lines, *lines[:500]]:
        assert engine.read(line).words == tuple(text.words(line))


def test_the_table_is_bounded(lowered):
    """When the table has too many tokens, it is emptied; earlier results stay valid."""
    from meteorlib.engine.kernel import kernel as module

    engine, text = reader_and_text("norm", "en")
    emptied = lowered(module, "TOKEN_LIMIT", 5, lambda: engine._kernel.emptied)
    first = engine.read("the cat sat on the mat today")
    for number in range(50):
        line = f"a{number} b{number}, c{number}. the cat"
        segment = engine.read(line)
        assert segment.words == tuple(text.words(line))
        assert engine.align(first, segment).statistics.hypothesis_matches == 2
    assert first.words == ("the", "cat", "sat", "on", "the", "mat", "today")
    assert emptied() == 25  # every second line


def engine_with(registered, row):
    """An engine with the text mode that another package registers in this row."""
    registered("texts", "mine", row)
    return build_engine(evolve(load_preset("meteor-1.5-en-core"), text="mine", function_words=None))


def test_many_words_of_a_token(registered):
    """A text mode may make hundreds of words of one token."""

    class Spelled:
        def words(self, line):
            return [letter for word in line.split() for letter in word * 20]

        def tokens(self):
            return Tokens(lambda text: Token((tuple(self.words(text)),)))

    engine = engine_with(registered, TextPart(lambda *_: Spelled(), tokens=True))
    for line in ("ab c", "a-token-of-many-letters and another"):
        assert engine.read(line).words == tuple(Spelled().words(line))


def test_many_words_of_a_sign(registered):
    """A sign may become many words of a token."""

    class Spelled(Normalizer):
        def words(self, line):
            return line.replace("…", " …" * 20 + " ").split()

        def token(self, text):
            return Token((tuple(self.words(text)),))

    text = Spelled("en", (frozenset(), frozenset()))
    engine = engine_with(registered, TextPart(lambda *_: text, tokens=True))
    for line in ("a…b c", "…" * 14, "…" * 30 + " and another"):
        assert engine.read(line).words == tuple(text.words(line))


@pytest.mark.parametrize("kind", [Normalizer, Lowercase])
def test_a_mode_that_makes_other_words(kind, registered):
    """A text mode that extends a built-in one and overrides `words` is called for each line."""

    class Shouted(kind):
        def words(self, line):
            return [word.upper() for word in super().words(line)]

    text = Shouted("en", (frozenset(), frozenset()))
    engine = engine_with(registered, TextPart(lambda *_: text))
    assert engine.read("the cat, sat on").words == tuple(text.words("the cat, sat on"))
    assert engine.read("The end.").words == tuple(text.words("The end."))


def test_a_mode_that_extends_ours(registered):
    """A text mode that extends the normalizer, and makes other words of a token, is asked for them."""

    class Mirrored(Normalizer):
        def words(self, line):
            return [word[::-1] for word in super().words(line)]

        def tokens(self):
            return Tokens(self.token)

        def token(self, text):
            found = super().token(text)
            return found and found._replace(variants=tuple(tuple(w[::-1] for w in one) for one in found.variants))

    text = Mirrored("en", nonbreaking_prefixes("en"))
    engine = engine_with(registered, TextPart(lambda *_: text, tokens=True))
    line = "(Well-known), Mr. Smith! No. 5."
    assert engine.read(line).words == tuple(text.words(line))


def test_threads_share_a_reader(nasty_lines):
    """Threads that read with one engine get the same words as one alone."""
    engine, text = reader_and_text("norm", "en")
    lines = nasty_lines("en", 13, 400) * 3
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda line: engine.read(line).words, lines)) == [
            tuple(text.words(line)) for line in lines
        ]
