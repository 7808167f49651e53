"""Segments of thousands of words in which everything is ambiguous: valid alignments in bounded memory, in every search.

Each is scored in a process of its own, whose peak memory is read where Linux tells it. (That of getrusage begins with
the memory of the process that started it.)
"""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from benchmarks.long import PARAPHRASED, PHRASES, TEXTS, score

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc"),
    pytest.mark.stress,
]

PRESETS = [
    ("meteor-2005", "meteor-2005"),
    ("meteor-2005-exact", "meteor-2005-exact"),
    ("nltk", "nltk"),
    ("meteor-1.5-en-core", "meteor-1.5-en-core"),
    ("meteor-1.5-en-core", "meteor-1.5-en-optimal"),
    ("meteor-2026-en-core", "meteor-2026-en-core"),
]
"""The preset of the stages, and that of the search."""


@pytest.mark.parametrize("pure", ["0", "1"])
@pytest.mark.parametrize("text", PARAPHRASED, ids=lambda text: text.name)
@pytest.mark.parametrize("searching", ["meteor-1.5-en", "meteor-1.5-en-optimal"])
def test_long_segments_of_paraphrases(compiled_table, searching, text, pure):
    """If each word is a paraphrase of all others, it is matched with one; places of a phrase are not multiplied."""
    if pure == "1":  # it takes twenty times as long
        text = evolve(text, lengths=(1000, 1000))
    scored = score(text, "meteor-1.5-en", compiled_table(PHRASES), searching, METEORLIB_PURE_PYTHON=pure)
    assert scored
    assert scored.twice == 0
    assert scored.matches >= text.lengths[0] * 3 / 4
    assert scored.megabytes_when_read < 200


@pytest.mark.parametrize(("preset", "searching"), PRESETS)
@pytest.mark.parametrize("text", [text for text in TEXTS if text not in PARAPHRASED], ids=lambda text: text.name)
def test_long_segments(preset, searching, text):
    """Every word is matched once at most, nearly all equal words are, in less than a gigabyte.

    Only METEOR 2026's search, which considers the nearest candidates, may miss some of them, and refuses tens of
    millions of pairs.
    """
    scored = score(text, preset, search=searching)
    if scored is None:
        assert preset == "meteor-2026-en-core"
        assert text.lengths[0] * text.lengths[1] >= 32_000_000
        return
    assert scored.twice == 0
    assert scored.matches >= scored.equal * (0.99 if preset == "meteor-2026-en-core" else 1)
    assert scored.megabytes_when_read < 1000
    may_stop = "meteor-2005", "meteor-2005-exact", "meteor-1.5-en-optimal", "meteor-2026-en-core"
    assert scored.optimal or searching in may_stop
