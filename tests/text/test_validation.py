"""Input text: any sequence of strings is accepted, and anything else is refused by name."""

from __future__ import annotations

import weakref

import pytest

from meteorlib import Scorer
from meteorlib.analysis.mbr import choose
from meteorlib.core.segment import Pair
from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.text.validation import LONGEST_TEXT, check_text, words_of

SCORER = Scorer()
FAST = Scorer("nltk")
REFERENCES = ["a cat sat", "the cat sat", "a dog"]
HYPOTHESES = ["the cat sat", "the cats sat", "dogs"]
EXPECTED = SCORER.score(REFERENCES, "the cat sat")


def made(package, make):
    """A sequence made by a package, where that is installed."""
    return lambda texts: make(pytest.importorskip(package), texts)


SEQUENCES = {
    "list": list,
    "tuple": tuple,
    "generator": lambda texts: (text for text in texts),
    "values of a dict": lambda texts: dict(enumerate(texts)).values(),
    "numpy": made("numpy", lambda np, texts: np.array(texts)),
    "numpy objects": made("numpy", lambda np, texts: np.array(texts, dtype=object)),
    "arrow array": made("pyarrow", lambda pa, texts: pa.array(texts)),
    "arrow chunks": made("pyarrow", lambda pa, texts: pa.chunked_array([texts[:1], texts[1:]])),
    "arrow dictionary": made("pyarrow", lambda pa, texts: pa.array(texts).dictionary_encode()),
    "pandas": made("pandas", lambda pd, texts: pd.Series(texts)),
    "polars": made("polars", lambda pl, texts: pl.Series(texts)),
}
sequences = pytest.mark.parametrize("make", SEQUENCES.values(), ids=SEQUENCES)


@sequences
def test_references(make):
    """The references of a segment may be any sequence of strings."""
    assert SCORER.score(make(REFERENCES), "the cat sat") == EXPECTED
    assert SCORER.corpus().add(make(REFERENCES), "the cat sat") == EXPECTED


@sequences
def test_columns(make):
    """The columns of `extend`, with or without segments, and both sides of a matrix may be any sequence of strings."""
    for scorer in (SCORER, FAST):
        expected = scorer.corpus(keep_segments=False).extend(references=REFERENCES, hypotheses=HYPOTHESES).totals
        for keep in (True, False):
            assert (
                scorer.corpus(keep_segments=keep)
                .extend(references=make(REFERENCES), hypotheses=make(HYPOTHESES))
                .totals
                == expected
            )
    assert SCORER.matrix(hypotheses=make(HYPOTHESES), references=make(REFERENCES)) == SCORER.matrix(
        hypotheses=HYPOTHESES, references=REFERENCES
    )
    assert choose(make(HYPOTHESES)) == choose(HYPOTHESES)


@sequences
def test_words(make):
    """Words, and references of words, may be any sequence of strings."""
    words = ["the", "cat", "sat"]
    expected = SCORER.score_tokens([words, ["a"]], words)
    assert SCORER.score_tokens([make(words), make(["a"])], make(words)) == expected
    assert SCORER.score_tokens((side for side in [words, ["a"]]), words) == expected


def test_lists_in_columns():
    """A cell of a column may hold several references, as any kind of table has them."""
    pa, pd, np = (pytest.importorskip(name) for name in ("pyarrow", "pandas", "numpy"))
    lists = [["a cat sat", "the cat sat"], ["a dog"]]
    expected = SCORER.corpus().extend(references=lists, hypotheses=HYPOTHESES[:2]).segments
    arrays = pd.Series([np.array(one, dtype=object) for one in lists])
    for column in (pa.array(lists), pa.chunked_array([lists]), arrays, list(pa.array(lists))):
        assert SCORER.corpus().extend(references=column, hypotheses=HYPOTHESES[:2]).segments == expected


def test_cells_of_arrow():
    """A row of an arrow table may be the reference, or the references, of a segment."""
    pa = pytest.importorskip("pyarrow")
    assert SCORER.score(pa.scalar("the cat"), "a cat") == SCORER.score("the cat", "a cat")
    assert SCORER.score(pa.scalar(REFERENCES), "the cat sat") == EXPECTED
    with pytest.raises(TypeError, match=r"^references must be a list of texts, got NoneType$"):
        SCORER.score(pa.scalar(None, pa.string()), "a")


def test_long_arrow_columns():
    """A long array that is converted piece by piece loses nothing."""
    pa = pytest.importorskip("pyarrow")
    texts = [f"a {number % 7}" for number in range(2500)]
    corpus = FAST.corpus(keep_segments=False).extend(references=pa.array(texts), hypotheses=pa.array(texts[::-1]))
    assert corpus.totals == FAST.corpus(keep_segments=False).extend(references=texts, hypotheses=texts[::-1]).totals


def test_index_of_pandas():
    """Columns with one index in different orders are refused; any other indices do not matter, nor their kinds."""
    pd = pytest.importorskip("pandas")
    column, expected = pd.Series(HYPOTHESES), SCORER.corpus().extend(references=HYPOTHESES, hypotheses=HYPOTHESES)
    moved = column.iloc[::-1]
    with pytest.raises(
        InputMismatch, match=r"^references and hypotheses have the same index in different orders: sort"
    ):
        SCORER.corpus().extend(references=moved, hypotheses=column)
    mixed = [*range(len(column) - 1), "x"]
    for index in (range(1, len(column) + 1), mixed):
        other = pd.Series(HYPOTHESES, index=index)
        assert SCORER.corpus().extend(references=other, hypotheses=column).segments == expected.segments
    for other in (moved.sort_index(), pd.Series(HYPOTHESES), HYPOTHESES):
        assert SCORER.corpus().extend(references=other, hypotheses=column).segments == expected.segments


class Tables:
    """Tables of pandas and polars."""

    columns = ("ref", "hyp")

    def __iter__(self):
        return iter(self.columns)


@pytest.mark.parametrize("given", [b"ab", bytearray(b"ab"), {"a": "b"}, {"a", "b"}, frozenset("ab"), Tables(), None, 3])
def test_what_is_no_sequence(given):
    """Bytes, dicts, sets and tables are refused, which would be taken apart into something else."""
    kind = type(given).__name__
    for ask, side in (
        (lambda: SCORER.score(given, "a"), "references"),
        (lambda: SCORER.matrix(hypotheses=given, references=["a"]), "hypotheses"),
        (lambda: SCORER.matrix(hypotheses=["a"], references=given), "references"),
        (lambda: SCORER.corpus().extend(references=given, hypotheses=["a", "b"]), "references"),
        (lambda: SCORER.corpus().extend(references=["a", "b"], hypotheses=given), "hypotheses"),
    ):
        with pytest.raises(TypeError, match=rf"^{side} must be a list of texts, got {kind}"):
            ask()


def test_one_string_is_no_column():
    """Two strings are not taken apart into segments of one letter; the error says what a segment goes through."""
    for refs, hyps, side in (("ab", "ab", "references"), (["a", "b"], "ab", "hypotheses")):
        for keep in (True, False):
            corpus = SCORER.corpus(keep_segments=keep)
            with pytest.raises(TypeError) as caught:
                corpus.extend(references=refs, hypotheses=hyps)
            assert str(caught.value) == (
                f"{side} must be a list of texts, got one string; for a single segment, call add(ref, hyp)"
            )
            assert len(corpus) == 0


def test_what_is_no_text_among_texts():
    """A reference that is not text is named by its number; arrow's cells are no strings."""
    pa = pytest.importorskip("pyarrow")
    for scorer in (SCORER, FAST):
        with pytest.raises(TypeError, match=r"^reference 2 must be a string, got StringScalar$"):
            scorer.score(["a", pa.scalar("b")], "a")
        with pytest.raises(TypeError, match=r"^segment 1: reference 2 must be a string, got StringScalar$"):
            scorer.totals([Pair(["a", pa.scalar("b")], "a")])


def test_memory_of_sums():
    """If segments are not kept, their texts are not either, for any number of them."""

    class Text(str):
        __slots__ = ("__weakref__",)

    alive, most = weakref.WeakSet(), 0

    def texts():
        nonlocal most
        for number in range(3000):
            text = Text(f"a b {number}")
            alive.add(text)
            most = max(most, len(alive))
            yield text

    assert (
        len(FAST.corpus(keep_segments=False).extend(references=("a b" for _ in range(3000)), hypotheses=texts()))
        == 3000
    )
    assert most < 500


def test_longest_text():
    """A text of exactly the most characters is accepted, alone and as words; one more character is refused."""
    check_text("a" * LONGEST_TEXT, "hypothesis")
    with pytest.raises(InvalidText, match="hypothesis: more than 2,000,000 characters"):
        check_text("a" * (LONGEST_TEXT + 1), "hypothesis")
    half = "a" * (LONGEST_TEXT // 2)
    words_of([[half]], [half, half[1:]])
    with pytest.raises(InvalidText, match="more than 2,000,000 characters with a space after each word"):
        words_of([[half]], [half, half])
