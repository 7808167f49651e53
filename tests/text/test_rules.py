"""The normalizer's replacements on whole lines, one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.core.languages import TUNED_LANGUAGES
from meteorlib.text.rules import LineRules

PREFIXES = (frozenset({"Dr", "p.m"}), frozenset({"No", "art"}))


@pytest.mark.parametrize(
    ("line", "normalized"),
    [
        ("a(b)", "a ( b )"),
        ("a×b÷c", "a × b ÷ c"),
        ("a.. b... c....", "a .. b ... c ...."),
        ("a..b", "a .. b"),
        ("a,b c,1 1,d 1,000", "a , b c , 1 1 , d 1,000"),
        ("1,,2 a,b,c", "1 , , 2 a , b,c"),
        ("“a” ''b'' ``c``", '" a " " b " " c "'),
        ("a–b a--b", "a - b a b"),
        ("a-b-c -a a- a.-b", "a b-c -a a- a. b"),
        ("U.S. 3.14. a.b", "US 3.14. a.b"),
        ("Dr. A Dr. 5 end. A end. a end.", "Dr. A Dr. 5 end . A end. a end ."),
        ("No. 5 No. A No.", "No. 5 No . A No ."),
        (". a .", ". a ."),
        ("a\u00a0b\u2003 \u3000c", "a b c"),
        ("\x01a\x02", "a"),
        ("a\tb\fc\vd", "a b c\vd"),
    ],
)
def test_signs_dots_commas_quotes_hyphens(line, normalized):
    """Steps 1 to 7 and 9 to 12 of the specification, in English."""
    assert LineRules("en", PREFIXES).normalize(line) == normalized


@pytest.mark.parametrize(
    ("language", "line", "normalized"),
    [
        ("en", "don't 'a' 5's 5'6 'x a'1 l’a", "don 't ' a ' 5 's 5 ' 6 ' x a ' 1 l 'a"),
        ("fr", "l'eau 'a' 5's 5'6 'x a'1 l’a", "l' eau ' a ' 5 ' s 5 ' 6 ' x a ' 1 l' a"),
        ("de", "geht's 'a' 5's l’a", "geht ' s ' a ' 5 ' s l ' a"),
    ],
)
def test_apostrophes(language, line, normalized):
    """Step 8: an apostrophe goes with the right part in English, with the left one in French, with none elsewhere."""
    assert LineRules(language, PREFIXES).normalize(line) == normalized


def test_without_punctuation():
    """Step 11 drops all signs that are neither letters nor digits, after the dots have been processed."""
    rules = LineRules("en", PREFIXES, punctuation=False)
    assert rules.normalize("Dr. A's U.S. end. (b) Σ e\u0301") == "Dr A s US end b e"


@given(st.integers(1, 12), st.sampled_from(["", "a", "1", ",", "'", " ", "-", "("]), st.sampled_from(TUNED_LANGUAGES))
def test_runs_of_dots_in_one_go_and_dot_by_dot(run, right, language):
    """A run of dots comes out the same where the placeholder in the line makes it go dot by dot."""
    rules = LineRules(language, PREFIXES)
    dots = f"a{'.' * run}{right} b"
    assert rules.normalize(f"DOTMULTI {dots}") == f". {rules.normalize(dots)}"


@pytest.mark.parametrize(
    ("line", "normalized"),
    [("DOTMULTI", "."), ("DOTDOTDOTMULTI", "..."), ("DOTMULTI..", ". .."), ("DOT MULTI", "DOT MULTI")],
)
def test_placeholder_in_the_text(line, normalized):
    """METEOR takes its own placeholder for dots where the text has it."""
    assert LineRules("en", PREFIXES).normalize(line) == normalized


def test_long_runs_take_linear_time():
    """A hundred thousand dots, one run, are no burden."""
    assert LineRules("en", PREFIXES).words("." * 100_000) == ["." * 100_000]


@pytest.mark.parametrize("language", TUNED_LANGUAGES)
def test_elision(language):
    """The statement about an apostrophe between two letters agrees with the rules."""
    rules = LineRules(language, PREFIXES)
    assert f"x{rules.elision}x" == rules.normalize("x'x")
