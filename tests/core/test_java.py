"""Java's way of writing doubles, and of reading them."""

from __future__ import annotations

import math
import struct
import subprocess

import pytest

from meteorlib.core.java import java_double, parse_java_double

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
