"""Checks of text modes whose lines are prepared first: random lines of marks, and both engines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from meteorlib import Scorer
from meteorlib.engine.build import build_engine, make_text
from tests.examples import examples


def lines_of(pieces):
    """Lines of these pieces, with and without blanks between them."""
    parts = st.lists(st.tuples(st.sampled_from(pieces), st.sampled_from(["", " ", " "])), max_size=14)
    return parts.map(lambda pairs: "".join(part for pair in pairs for part in pair))


def check_compiled_reader(config, lines, ends):
    """The compiled engine reads the words of the text mode, whatever it has learned before."""
    engine, mode = build_engine(config, wanted="compiled"), make_text(config)

    @examples(100)
    @given(lines, st.sampled_from(["", "x" * 50, " Tom 's", *ends]))
    def check(line, more):
        assert list(engine.read(line + more).words) == mode.words(line + more)
        assert list(engine.read(line).words) == mode.words(line)

    check()


def check_both_engines(name, pairs, **prepared):
    """Both engines give texts the same scores, segment by segment and in a batch."""
    python, default = (Scorer(name, implementation=which, **prepared) for which in ("python", "auto"))
    references, hypotheses = zip(*pairs, strict=True)
    both = [metric.corpus().extend(references=references, hypotheses=hypotheses) for metric in (python, default)]
    assert both[0].statistics == both[1].statistics
    assert [python.score(*pair) for pair in pairs] == [default.score(*pair) for pair in pairs]
