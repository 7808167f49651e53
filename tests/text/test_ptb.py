"""The text modes ptb and ptb_norm: tokens as Stanford's PTBTokenizer makes them, dropped punctuation, whole files."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path

import pytest

from meteorlib.resources.word_lists import nonbreaking_prefixes
from meteorlib.text.normalizer import Normalizer
from meteorlib.text.ptb import PTB, PTBNorm, ptb_tokens, without_punctuation

GOLDEN = Path(__file__).parents[1] / "golden" / "ptb.tsv"
CASES = [line.split("\t") for line in GOLDEN.read_text("utf-8").split("\n")[:-1]]
"""Lines, each followed by a line ``zz``, and what the program made of them; test_ptb_oracle.py asks it again."""


def test_golden_cases():
    """Every recorded line has the program's tokens, read by itself and from known tokens."""
    text = PTB()
    for line, expected in CASES:
        assert " ".join(ptb_tokens(line)) == expected
        words = without_punctuation(iter(expected.split(" ") if expected else ()))
        assert text.words(line) == text.words(line) == words, line


def test_the_shared_cases(shared):
    """Each of the cases that are recorded outside the project."""
    with gzip.open(shared / "data" / "ptb" / "cases.tsv.gz", "rt", encoding="utf-8", newline="\n") as lines:
        pairs = [line.rstrip("\n").split("\t") for line in lines]
    assert [" ".join(ptb_tokens(line)) for line, _ in pairs] == [tokens for _, tokens in pairs]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("A man , in (red) -- isn't it ?!", "a man in -lrb- red -rrb- is n't it ?!"),
        ("“Stop” ‘sign’ ... !", "stop sign"),
        ("vitamin D.", "vitamin d."),
        ("J. The man", "j the man"),
        ("J.  the man", "j. the man"),
        ("no. 5 no. x no.", "no. 5 no x no"),
        ("a\nb\rc\u2028d\u2029e\vf\fg", "a b c d e f g"),
        ("", ""),
        ("😀 .", ""),
        ("http://😀", "http://😀"),
        ("Corp.x", "corp. x"),
        ("x" * 100_000, "x" * 100_000),
    ],
)
def test_words(line, words):
    """Punctuation is dropped, brackets stay; line breaks are blanks; a line that begins in lowercase follows."""
    assert " ".join(PTB().words(line)) == words


@pytest.mark.parametrize("line", ["1 1/2", "(555) 555-1234", "10 000 000", '<a href="x y">'])
def test_tokens_with_blanks(line):
    """A few tokens reach over blanks, which become no-break spaces."""
    (token,) = PTB().words(line)
    assert token.count("\u00a0") == line.count(" ")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["vitamin D.", "The man"], ["vitamin d", "the man"]),
        (["vitamin D.", "", "The man"], ["vitamin d", "", "the man"]),
        (["vitamin D.", "the man"], ["vitamin d.", "the man"]),
        (["vitamin D.", "The"], ["vitamin d.", "the"]),
        (["vitamin D.", "The", ""], ["vitamin d", "the", ""]),
        (["item no.", "5 men"], ["item no.", "5 men"]),
        (["item no.", "men"], ["item no", "men"]),
        (["in '90", "x"], ["in '90", "x"]),
        (["in '90"], ["in 90"]),
        (["it's :)"], ["it 's -rrb-"]),
        (["a\nb\rc\0d"], ["a b c d"]),
        ([], []),
    ],
)
def test_a_file(lines, expected):
    """The line after one counts, and so does the end of the file."""
    assert [" ".join(words) for words in PTB().file_words(lines)] == expected


def test_normalized_words():
    """``ptb_norm`` is METEOR's normalizer on the tokens, which are joined by blanks."""
    text, normalizer = PTBNorm("en", nonbreaking_prefixes("en")), Normalizer("en", nonbreaking_prefixes("en"))
    for line, _ in CASES:
        assert text.words(line) == normalizer.words(" ".join(PTB().words(line))), line
    assert " ".join(text.words("The dog's U.S.-bred, isn't it?")) == "the dog ' s us bred is n 't it"


@pytest.mark.parametrize("text", [PTB(), PTBNorm("en", nonbreaking_prefixes("en"))])
def test_pickle(text):
    """Text modes can be pickled, without the tokens that they know."""
    line = "A man's dog , J. The"
    assert pickle.loads(pickle.dumps(text)).words(line) == text.words(line)  # noqa: S301
