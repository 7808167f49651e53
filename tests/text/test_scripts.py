"""Scripts without blanks between words, and the text modes that find words in them."""

from __future__ import annotations

import pytest

from meteorlib.registry import TEXTS
from meteorlib.text.scripts import Letters

CHINESE, THAI = "他说你好我们去吃饭", "สวัสดีครับผมชื่อสมชาย"


@pytest.mark.parametrize(
    ("mode", "text", "script"),
    [
        ("lower", CHINESE, "Han"),
        ("lower", "他 说 你好", ""),
        ("13a", CHINESE, "Han"),
        ("uax29", CHINESE, ""),
        ("uax29", THAI, "Thai"),
        ("jieba", CHINESE, ""),
    ],
)
def test_words_that_are_not_separated(mode, text, script):
    """A text mode for languages with spaces leaves a segment whole; Unicode's rules separate Han letters."""
    letters = Letters()
    letters.add(text)
    assert letters.unsplit(TEXTS.part(mode)) == script
