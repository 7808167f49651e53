"""Prefix lists, random nasty lines, and the jar's words for lines."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from meteorlib.resources.word_lists import nonbreaking_prefixes
from tools.record_jar import jar_words

LANGUAGES = ("en", "cz", "fr", "es", "de", "ru")

# Fragments are separated by broken bars; blanks belong to the fragments.
DOTS = ".¦.¦..¦...¦....¦. ¦.,¦.'¦…¦a. .¦. 1¦. a¦.\t¦3.¦end.¦end. next¦end. Next"
COMMAS = ",¦,¦ , ¦, ,¦, ,b¦a, ,b¦1, ,2¦,a¦a,¦1,¦,1¦1,000¦1,a¦a,1¦,,¦a,,b¦, ,,"
APOSTROPHES = "'¦''¦`¦``¦‘¦’¦' '¦a' '1¦' '2¦'' '¦'90s¦1''2¦a'1¦1'a¦('¦')¦‘a’ ‘b’¦`a' `b'"
CONTRACTIONS = "don't¦it's¦l'eau¦d'¦'s¦5's¦1990's¦rock'n'roll¦x'y'z¦aujourd’hui¦l’art"
DASHES = "-¦--¦---¦–¦—¦-–¦‐¦\u2011¦\u2212¦\u00ad¦well-known¦a-b-c-d¦-5¦5-¦1-2¦a.-b"
SIGNS = '“¦”¦"¦„¦«¦»¦!¦?¦:¦;¦(¦)¦%¦$¦€¦/¦&¦#¦@¦*¦|¦·¦×¦÷¦|||¦http://a.b/c?d=e¦a@b.de¦AT&T¦).¦."¦".¦(a, b)¦中。文'
LETTERS = "a¦b¦z¦A¦Z¦I¦s¦t¦l¦d¦0¦1¦é¦É¦Š¦ž¦ß¦ÿ¦Ÿ¦İ¦ı¦ſ¦ƀ¦я¦Я¦ё¦й¦Ӂ¦ԧ¦Ꙁ¦ꙮ¦ᴀ¦ᵿ¦Σ¦σ¦ς¦ω¦中¦文¦한¦ع"
ACCENTS = "\u0483¦и\u0306¦е\u0301¦ΑΣ¦Σ-Σ.¦23¦1990"
BEYOND = "\U0001f600¦\U0001f469\u200d\U0001f467¦\ufe0f¦\U0001d400¦\U00010400"
SPACES = "\u00a0¦\u2003¦\u2009¦\u202f¦\u3000¦\u205f¦\u200b¦\x85¦\u2028¦\u2029¦\ufeff"
CONTROLS = "\u1680¦\u180e¦\t¦\v¦\f¦\x01¦\x1c¦\x1f¦\x7f"
ABBREVIATIONS = "U.S.¦e.g.¦i.e¦p.m.¦Mr.¦Dr.¦No.¦No. 5¦no. 5¦pp. 3¦J.-P.¦www.x.com¦x.¦X.Y¦D.OTMULTI."
PLACEHOLDERS = "DOTMULTI¦DOTDOTMULTI¦DOT¦MULTI¦DOTMULTI.¦..DOTMULTI..¦DOTMULTI.DOTMULTI.."
PUNCTUATION = (DOTS, COMMAS, APOSTROPHES, CONTRACTIONS, DASHES, SIGNS, ABBREVIATIONS, PLACEHOLDERS)
KINDS = (*PUNCTUATION, LETTERS, ACCENTS, BEYOND, SPACES, CONTROLS)
FRAGMENTS = [*(fragment for kind in KINDS for fragment in kind.split("¦")), *[" "] * 12, *["  "] * 2]


def make_lines(language: str, seed: int, count: int) -> list[str]:
    """`count` lines full of what the normalizer treats, abbreviations of the language among it; no LF, no CR."""
    chance = random.Random(f"{language} {seed}")
    abbreviations = [f"{prefix}." for prefixes in nonbreaking_prefixes(language) for prefix in sorted(prefixes)]

    def fragment() -> str:
        dice = chance.random()
        if dice < 0.06 and abbreviations:
            return chance.choice(abbreviations) + chance.choice([" ", " ", ""])
        if dice < 0.09:
            return chr(chance.randrange(14, 0x3000))
        return chance.choice(FRAGMENTS)

    def line() -> str:
        longest = chance.choice([2, 4, 8, 14, 25])
        return chance.choice(["", " ", " "]).join(fragment() for _ in range(chance.randint(1, longest)))

    return [line() for _ in range(count)]


@pytest.fixture(scope="session")
def nasty_lines() -> Callable[[str, int, int], list[str]]:
    """Language, seed, count → random lines."""
    return make_lines


@pytest.fixture
def jar_lines(oracles: Path) -> Callable[..., list[str]]:
    """Lines, language, options → what the jar makes of the lines before it splits them into words."""
    return lambda lines, language, *options: jar_words(oracles / "meteor-1.5.jar", lines, language, options)
