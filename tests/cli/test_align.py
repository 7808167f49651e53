"""``meteorlib align`` and ``meteorlib stem`` write what METEOR's aligner and stemmer write."""

from __future__ import annotations

import bz2
import gzip
import random
import subprocess

import pytest
from click.testing import CliRunner

from meteorlib.cli.align import align, moses_line
from meteorlib.cli.dropin import report
from meteorlib.cli.stem import stem
from meteorlib.core.alignment import Alignment, Match
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
def pair(tmp_path):
    """Two files of two segments."""
    (tmp_path / "hyp").write_text("the cat  sat\nA dogs bark\n")
    (tmp_path / "ref").write_text("a cat was sat\nthe dog barks")
    return [str(tmp_path / "hyp"), str(tmp_path / "ref")]


def test_align(pair):
    """Each segment is printed with its matches; words are unchanged."""
    assert CliRunner().invoke(align, [*pair, "-m", "exact stem"]).output == ALIGNED


def test_align_as_a_preset(pair):
    """A preset brings its own text mode and matchers."""
    output = CliRunner().invoke(align, [*pair, "--preset", "meteor-2005-exact"]).output
    assert "a dogs bark\nthe dog barks\n" in output


def test_align_unequal_files(pair, tmp_path):
    """Files of different lengths are an error."""
    (tmp_path / "ref").write_text("a\n")
    result = CliRunner().invoke(align, [*pair, "-m", "exact"])
    assert isinstance(result.exception, InputMismatch)


PARAPHRASES = gzip.compress(b"0.5\na b c d\nx y z a\n", mtime=0)


def test_types(run, files, cache):
    """As METEOR's aligner: maxcov finds what scores are made of; with maxacc no phrase takes a word away."""
    files(hyp="x y z a\nruns cats\n", ref="a b c d\ncat run dogs\n", **{"table.gz": PARAPHRASES})
    arguments = ["align", "hyp", "ref", "-m", "exact stem paraphrase", "-a", "table.gz"]

    def matches(*more):
        return [line.split() for line in run(*arguments, *more).out.splitlines() if line.endswith("1.0")]

    stems = [["0:1", "1:1", "1", "1.0"], ["1:1", "0:1", "1", "1.0"]]
    assert matches() == matches("-t", "maxcov") == [["0:4", "0:4", "2", "1.0"], *stems]
    assert matches("-t", "maxacc") == [["0:1", "3:1", "0", "1.0"], *stems]


def test_own_synonyms_only(refused, files):
    """-d takes METEOR's own synonyms, as `meteor-1.5` does, and says so of others."""
    files(hyp="a\n", ref="a\n", **{"english.synsets": "a\n1\n", "english.exceptions": ""})
    err = refused("align", "hyp", "ref", "-m", "synonym", "-d", ".")
    assert err.endswith("other synonyms are not supported, leave -d out\n")


def test_stdio(ok):
    """Lines are answered one by one; errors go to standard error, and the next line is answered."""
    lines = b"the cats ||| the cat\r\nfoo\na ||| b ||| a\n ||| x\nx ||| \nx |||\na\rb ||| \xff b"
    result = ok("align", "-", "-", "-stdio", "-m", "exact stem", stdin=lines)
    head = "Line2Start:Length\tLine1Start:Length\tModule\t\tScore\n"
    assert result.out == (
        f"Alignment\nthe cats\nthe cat\n{head}0:1\t\t\t0:1\t\t\t0\t\t1.0\n1:1\t\t\t1:1\t\t\t1\t\t1.0\n\n"
        f"Alignment\na\nb ||| a\n{head}2:1\t\t\t0:1\t\t\t0\t\t1.0\n\n"
        f"Alignment\n\nx\n{head}\nAlignment\nx\n\n{head}\n"
        f"Alignment\na b\n\ufffd b\n{head}1:1\t\t\t1:1\t\t\t0\t\t1.0\n\n"
    )
    assert result.err == (
        "line 2: format error, use: sentence 1 ||| sentence 2\n"
        "line 6: format error, use: sentence 1 ||| sentence 2\n"
        "note: standard input has a carriage return (CR) that ends no line, in line 7; it is white space: "
        "only LF and CRLF end a line\n"
    )


def test_stdio_byte_order_mark(run):
    """A byte order mark is no part of the first line."""
    marked = run("align", "-", "-", "-stdio", "-m", "exact", stdin="\ufeffa ||| a\n".encode())
    assert marked == run("align", "-", "-", "-stdio", "-m", "exact", stdin=b"a ||| a\n")


def test_stdio_with_files(refused, files):
    """Files that would not be read are refused."""
    files(hyp="a\n", ref="a\n")
    assert "-stdio reads standard input: HYP and REF are then - and -" in refused("align", "hyp", "ref", "-stdio")


@pytest.mark.oracle
@pytest.mark.parametrize("kind", ["maxcov", "maxacc"])
@pytest.mark.parametrize("matchers", ["exact stem synonym paraphrase", "exact stem paraphrase paraphrase"])
def test_against_the_program(run, files, oracles, cache, kind, matchers):
    """Random segments have the alignments that METEOR's aligner gives, with either type."""
    draw = random.Random(kind)
    words = "run runs running runner cat cats dog dogs house home big large bigger the of a".split()

    def phrases(count, longest):
        return [" ".join(draw.choices(words, k=draw.randint(1, longest))) for _ in range(count)]

    table = "".join(f"0.5\n{one}\n{other}\n" for one, other in zip(phrases(60, 3), phrases(60, 3), strict=True))
    sides = {side: "".join(f"{line}\n" for line in phrases(1500, 12)) for side in ("hyp", "ref")}
    files(**sides, **{"table.gz": gzip.compress(table.encode(), mtime=0)})
    arguments = ["hyp", "ref", "-a", "table.gz", "-t", kind, "-m", matchers]
    theirs = subprocess.run(
        ["java", "-cp", oracles / "meteor-1.5.jar", "Matcher", *arguments], capture_output=True, check=True, text=True
    )
    assert run("align", *arguments).out == theirs.stdout


def test_stem():
    """Words are stemmed line by line; LF and CRLF end a line, blanks become one space, the case stays."""
    text = b"running  dogs\r\n\rbarking Loudly\n \tx"
    result = CliRunner().invoke(stem, ["english"], input=text)
    assert result.stdout == "run dog\nbark Loud\nx\n"
    assert result.stderr == (
        "note: standard input has a carriage return (CR) that ends no line, in line 2; it is white space: "
        "only LF and CRLF end a line\n"
    )
    assert CliRunner().invoke(stem, ["english"], input=bz2.compress(text)).stdout == result.stdout


@pytest.mark.parametrize(("name", "stemmed"), [("sv", "flick\n"), ("porter", "flickorna\n"), ("no", "flickorn\n")])
def test_stemmers(name, stemmed):
    """A stemmer goes by METEOR's code, another code of the language, or its own name."""
    assert CliRunner().invoke(stem, [name], input="flickorna").output == stemmed


def test_stem_errors():
    """An unknown language is named with those that there are; bytes that are not UTF-8 with the line."""
    for unknown, meant in {"xx": "", "klingon": "", "snowball-eng": " (did you mean 'snowball-en'?)"}.items():
        error = CliRunner().invoke(stem, [unknown]).exception
        assert isinstance(error, UnknownName)
        assert str(error) == (
            f"unknown language {unknown!r}{meant}; known: da, de, en, es, fi, fr, hu, it, nl, no, pt, ro, ru, se, sv, "
            "tr; or a stemmer: porter, porter-nltk, arabic, and the snowball-XX and simplemma-XX that "
            "`meteorlib languages` lists"
        )
    error = CliRunner().invoke(stem, ["en"], input=b"a\nb\xff").exception
    assert isinstance(error, InvalidText)
    assert (
        str(error) == "standard input:2: byte 0xFF behind 1 characters is not UTF-8; "
        "if it is Latin-1: iconv -f WINDOWS-1252 -t UTF-8"
    )


def test_grades(scorer_2026):
    """The last column is 1.0 except for partial matches."""
    found = report.alignment("Alignment 1", scorer_2026.score("the mattress", "the matress"))
    assert [line.split("\t")[-1] for line in found.splitlines()[-3:-1]] == ["1.0", "0.875"]


@pytest.mark.parametrize(
    ("matches", "line"),
    [
        ([], ""),
        ([Match(0, 1, 2, 1, 0), Match(3, 1, 0, 1, 1)], "0-2 3-0"),
        ([Match(1, 2, 0, 3, 3), Match(0, 1, 3, 1, 0)], "0-3 1-0 1-1 1-2 2-0 2-1 2-2"),
    ],
)
def test_pairs_of_moses(matches, line):
    """Reference-hypothesis from 0, ascending; of two phrases every pair of their words."""
    assert moses_line(Alignment(tuple("abcd"), tuple("abcd"), tuple(matches), ("exact",) * 4)) == line
