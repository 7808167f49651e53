"""Letters and digits are the same on every Python."""

from __future__ import annotations

import unicodedata
from hashlib import sha256
from urllib.parse import quote

import pytest

from meteorlib import Scorer
from meteorlib.core.letters import NEWER, category, is_alphabetic, letters_and_digits
from meteorlib.engine.signatures import signature_of
from meteorlib.extras import Versions
from meteorlib.matchers.near import Near
from meteorlib.text.case import lowercase

VITHKUQI, KAWI, HAN = "\U00010597", "\U00011f04", "\U0002ebf0"
"""Letters that came with Unicode 14, 15 and 15.1, thus with Python 3.11, 3.12 and 3.13."""


def test_all_characters():
    """Letters and digits are those of Python 3.9, whose Unicode is 13."""
    every = "".join(map(chr, range(0x33000)))
    found = sha256(letters_and_digits(every).encode("utf-16-le", "surrogatepass")).hexdigest()
    assert found == "4354ad36a634200c13dbc70d285d6ebcbc15b4d656d78d6c4276ba38b1c138bd"


def test_the_version_of_this_python():
    """A Python with a later Unicode may have letters that are not listed yet."""
    assert int(unicodedata.unidata_version.split(".")[0]) <= 17, f"NEWER ends with Unicode 17: {NEWER[-24:]}"


@pytest.mark.parametrize("newer", [VITHKUQI, KAWI, HAN])
def test_newer_letters(newer):
    """A letter newer than Unicode 13 is none, alone or among others, and is escaped in signatures."""
    assert letters_and_digits(f"a{newer}1-é") == "a1é"
    assert not is_alphabetic(f"a{newer}")
    assert is_alphabetic("aé")
    assert category(newer) == "Cn"
    assert Near.letters_of(newer * 4) == ""
    assert lowercase(f"ΑΣ{newer}") == f"ας{newer}"
    config = Scorer("meteor-2005-exact").config
    given = {"exact": type(f"A{newer}", (), {})()}
    signature = signature_of(config, config.formula_parameters(), {}, given, Versions())
    assert f"test_letters.A{quote(newer)})" in str(signature)


def test_scores_of_newer_letters():
    """Words of newer letters weigh what punctuation weighs, so that all Pythons give one score."""
    scorer = Scorer("meteor-2026-en-core")
    for newer in (VITHKUQI, KAWI, HAN):
        expected = scorer.score("the cat \u2620\u2620", "the cat").score
        assert scorer.score(f"the cat {newer * 2}", "the cat").score == expected
