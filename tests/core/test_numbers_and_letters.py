"""Doubles as Java writes and reads them, strict numbers, letters of Unicode 13."""

from __future__ import annotations

import math
import struct
import subprocess
import unicodedata
from hashlib import sha256
from urllib.parse import quote

import pytest

from meteorlib import Scorer
from meteorlib.core.numbers_and_letters import (
    NEWER,
    category,
    from_java_units,
    is_alphabetic,
    java_double,
    java_units,
    letters_and_digits,
    parse_java_double,
    to_float,
)
from meteorlib.engine.signatures import signature_of
from meteorlib.extras import Versions
from meteorlib.matchers.near import Near
from meteorlib.text.case import lowercase

FORMS = {
    0.0: "0.0",
    1.0: "1.0",
    6.0: "6.0",
    0.85: "0.85",
    0.1: "0.1",
    1 / 3: "0.3333333333333333",
    0.002: "0.002",
    0.001: "0.001",
    0.0009999999999999998: "9.999999999999998E-4",
    0.0001: "1.0E-4",
    0.00012: "1.2E-4",
    -0.00012: "-1.2E-4",
    9999999.0: "9999999.0",
    1e7: "1.0E7",
    12345678.0: "1.2345678E7",
    1e-5: "1.0E-5",
    2.2250738585072014e-308: "2.2250738585072014E-308",
    2.0**-44: "5.6843418860808015E-14",
    2.0**-947: "8.406091369059075E-286",
    2.0**-1017: "7.1202363472230444E-307",
    1e300: "1.0E300",
    float("nan"): "NaN",
    float("inf"): "Infinity",
    float("-inf"): "-Infinity",
}

PROGRAM = """
public class Doubles {
    public static void main(String[] arguments) {
        java.util.Random random = new java.util.Random(20051);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 200000; i++) {
            double x = random.nextDouble();
            if (i % 4 == 1) x = Math.pow(10, -20 * x);
            if (i % 4 == 2) x = Math.rint(x * 10000) / 10000;
            if (i % 4 == 3) x = Double.longBitsToDouble(((1L + random.nextInt(1074)) << 52));
            text.append(Long.toHexString(Double.doubleToLongBits(x))).append(' ').append(x).append('\\n');
        }
        System.out.print(text);
    }
}
"""


@pytest.mark.parametrize(("number", "text"), FORMS.items())
def test_java_double_forms(number, text):
    """Plain digits from 1e-3 up to 1e7, an exponent elsewhere, at least one digit behind the point."""
    assert java_double(number) == text


def test_integers_and_negative_zero():
    """An int is written as the double of its value; minus zero keeps its sign."""
    assert java_double(6) == "6.0"
    assert java_double(-0.0) == "-0.0"


@pytest.mark.oracle
def test_same_as_java(tmp_path, oracles):
    """The text is Java's for 200,000 doubles of 0..1, uniform, tiny, decimal and powers of two."""
    program = tmp_path / "Doubles.java"
    program.write_text(PROGRAM)
    lines = subprocess.run(["java", str(program)], capture_output=True, text=True, check=True).stdout.splitlines()
    pairs = [line.split() for line in lines]
    numbers = [struct.unpack(">d", bytes.fromhex(bits.zfill(16)))[0] for bits, _ in pairs]
    different = [(x, text) for x, (_, text) in zip(numbers, pairs, strict=True) if java_double(x) != text]
    assert len(numbers) == 200_000
    assert different == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("1.", 1.0), (".5", 0.5), ("1e-3", 0.001), ("-1E+2", -100.0), ("+.5", 0.5), ("1e400", math.inf)),
        *(("Infinity", math.inf), ("-Infinity", -math.inf), ("1d", 1.0), ("2.5F", 2.5), ("\x01 1\x0b", 1.0)),
        *(("0x1p-1", 0.5), ("0X.8P1d", 1.0), ("-0x1.8p0", -1.5), ("0x1p9999", math.inf), ("-0x1p9999", -math.inf)),
    ],
)
def test_reading(text, value):
    """Text that Java reads as a number is the same number here."""
    assert parse_java_double(text) == value


def test_reading_no_number():
    """NaN is read as such."""
    assert math.isnan(parse_java_double("NaN"))
    assert math.isnan(parse_java_double("-NaN"))


@pytest.mark.parametrize(
    "text", ["", ".", "e1", "1e", "1_0", "nan", "inf", "infinity", "0x1", "٣", "0,5", "1 2", "1ff"]
)
def test_reading_what_java_does_not(text):
    """Text that Java does not read as a number is an error, even if Python reads it."""
    with pytest.raises(ValueError, match=r"could not convert|is no number"):
        parse_java_double(text)


@pytest.mark.parametrize("text", ["1_0", "1_0.5", "１", "１２.5", "٣", "1e１", "", "one", "0x1", "1,5"])
def test_no_number(text):
    """Underscores and digits other than ASCII's are refused, as is everything that `float` refuses."""
    with pytest.raises(ValueError, match="could not convert"):
        to_float(text)


@pytest.mark.parametrize("text", ["1", " 1.5 ", "-.5", "+1.", "1e-300", "1E15", "0.1"])
def test_number(text):
    """Everything else is what `float` reads."""
    assert to_float(text) == float(text)


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
    assert f"test_numbers_and_letters.A{quote(newer)})" in str(signature)


def test_scores_of_newer_letters():
    """Words of newer letters weigh what punctuation weighs, so that all Pythons give one score."""
    scorer = Scorer("meteor-2026-en-core")
    for newer in (VITHKUQI, KAWI, HAN):
        expected = scorer.score("the cat \u2620\u2620", "the cat").score
        assert scorer.score(f"the cat {newer * 2}", "the cat").score == expected


@pytest.mark.parametrize(
    ("text", "length"), [("", 0), ("a", 1), ("é\uffff", 2), ("a😀é", 4), ("\ud83d", 1), ("😀😀", 4)]
)
def test_units_as_in_java(text, length):
    """A character beyond U+FFFF is two units, and they are it again; half a pair is kept, or replaced."""
    assert len(java_units(text)) == length
    assert from_java_units(java_units(text)) == text
    assert from_java_units(java_units("😀")[0], "replace") == "\ufffd"
