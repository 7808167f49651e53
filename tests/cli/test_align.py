"""``meteorlib align`` and ``meteorlib stem`` write what METEOR's aligner and stemmer write."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from meteorlib.cli.align import align
from meteorlib.cli.stem import stem
from meteorlib.errors import InputMismatch, InvalidText, UnknownName

ALIGNED = """\
Alignment 1
the cat sat
a cat was sat
Line2Start:Length\tLine1Start:Length\tModule\t\tScore
1:1\t\t\t1:1\t\t\t0\t\t1.0
3:1\t\t\t2:1\t\t\t0\t\t1.0

Alignment 2
A dogs bark
the dog barks
Line2Start:Length\tLine1Start:Length\tModule\t\tScore
1:1\t\t\t1:1\t\t\t1\t\t1.0
2:1\t\t\t2:1\t\t\t1\t\t1.0

"""


@pytest.fixture
def files(tmp_path):
    """Two files of two segments."""
    (tmp_path / "hyp").write_text("the cat  sat\nA dogs bark\n")
    (tmp_path / "ref").write_text("a cat was sat\nthe dog barks")
    return [str(tmp_path / "hyp"), str(tmp_path / "ref")]


def test_align(files):
    """Each segment with its matches; words as they stand."""
    assert CliRunner().invoke(align, [*files, "-m", "exact stem"]).output == ALIGNED


def test_align_as_a_preset(files):
    """A preset brings its own text mode and matchers."""
    output = CliRunner().invoke(align, [*files, "--preset", "meteor-2005-exact"]).output
    assert "a dogs bark\nthe dog barks\n" in output


def test_align_unequal_files(files, tmp_path):
    """Files of different lengths are an error."""
    (tmp_path / "ref").write_text("a\n")
    result = CliRunner().invoke(align, [*files, "-m", "exact"])
    assert isinstance(result.exception, InputMismatch)


def test_stem():
    """Words are stemmed line by line; LF, CR and CRLF end a line, blanks become one space, the case stays."""
    result = CliRunner().invoke(stem, ["english"], input=b"running  dogs\r\n\rbarking Loudly\n \tx")
    assert result.output == "run dog\n\nbark Loud\nx\n"


@pytest.mark.parametrize(("name", "stemmed"), [("sv", "flick\n"), ("porter", "flickorna\n"), ("no", "flickorn\n")])
def test_stemmers(name, stemmed):
    """A stemmer goes by METEOR's code, another code of the language, or its own name."""
    assert CliRunner().invoke(stem, [name], input="flickorna").output == stemmed


def test_stem_errors():
    """An unknown stemmer and bytes that are not UTF-8 are told."""
    assert isinstance(CliRunner().invoke(stem, ["klingon"]).exception, UnknownName)
    error = CliRunner().invoke(stem, ["en"], input=b"a\nb\xff").exception
    assert isinstance(error, InvalidText)
    assert str(error) == "standard input:2: byte 0xFF behind 1 characters is not UTF-8; convert it"
