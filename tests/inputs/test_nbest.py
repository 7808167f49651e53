"""N-best lists."""

from __future__ import annotations

import pytest

from meteorlib.errors import InvalidText
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.formats import looks_like
from meteorlib.inputs.nbest import NbestLists

LISTS = """\
0 ||| a cat ||| LM= -1 ||| -3
0 ||| the cat|||LM= -2 ||| -4 ||| 0-0 1-1
1 |||  ||| LM= -1 ||| -3
1|||
2 ||| a | b || c ||| x ||| 4
"""


@pytest.fixture
def opened(tmp_path):
    """Text → the lists in it."""

    def table(text):
        (tmp_path / "a.nbest").write_text(text, encoding="utf-8")
        return NbestLists(Source.open(str(tmp_path / "a.nbest")))

    return table


def test_lists(opened):
    """Each id has its texts, which may be empty; fields behind the text do not matter."""
    table = opened(LISTS)
    assert [*table.lists()] == [(1, ["a cat", "the cat"]), (3, ["", ""]), (5, ["a | b || c"])]
    assert looks_like(table.source) == "nbest"


def test_chosen(opened):
    """The rows are the first texts, or those that were chosen, with their lines."""
    table = opened(LISTS)
    assert [*table.rows(["text"])] == [(1, ["a cat"]), (3, [""]), (5, ["a | b || c"])]
    assert next(NbestLists(table.source, (1, 0, 0)).rows(["text"])) == (2, ["the cat"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 ||| a\n1 ||| b\n0 ||| c\n", ":3: id 0 after id 1; sort the lines: sort -s -n"),
        ("0 ||| a\n3 ||| b\n", ":2: id 1 is missing before id 3; ids count from 0"),
        ("1 ||| a\n", ":1: id 0 is missing before id 1; ids count from 0"),
        ("0 ||| a\n-1 ||| b\n", ":2: is not of the form  id ||| text ||| features ||| score"),
        ("0 ||| a\nb\n", ":2: is not of the form"),
    ],
)
def test_errors(opened, text, message):
    """An error names the line, and what is wrong with its id or form."""
    with pytest.raises(InvalidText) as error:
        [*opened(text).lists()]
    assert message in str(error.value)
