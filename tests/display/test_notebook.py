"""A breakdown and an alignment as HTML: complete, small, harmless."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib import Alignment, Match, Scorer
from meteorlib.display.drawing import STAGE_COLORS
from meteorlib.display.notebook import STYLE, WORDS_SHOWN, grid, stage_style, table, text

VOID = {"br", "img"}
HOSTILE = ["<script>alert(1)</script>", "\"'><img src=x onerror=alert(1)>", "&lt;", "</td></table>", "{x}", "\u202eabc"]


class Reader(HTMLParser):
    """Reads a page: its tags, its text, and whether all that is opened is closed."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.text = [], [], []
        self.styles = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        assert [pair for pair in attrs if pair[0] != "style" and pair != ("tabindex", "0")] == []
        self.styles += [value for name, value in attrs if name == "style"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def aligned(reference, hypothesis, matches, stages=("exact", "stem")):
    """An alignment of lists of words."""
    return Alignment(tuple(reference), tuple(hypothesis), tuple(Match(*match) for match in matches), tuple(stages))


def test_tables_need_no_style_sheet():
    """On a page without or with another table style, columns are separated and numbers aligned."""
    for page, side in ((table([("score", "0.5"), ("fragmentation", "1")]), "left"), (grid(["a"], ["1", "2"]), "right")):
        whole, *cells = Reader(page).styles
        assert "margin:" in whole
        assert len(cells) > 2
        assert all(f"text-align:{side}" in cell and "padding:" in cell for cell in cells)


def test_matrix():
    """A row for each reference word, a column for each hypothesis word, and where they match the stage's mark."""
    page = aligned(["the", "cats", "in", "spite"], ["despite", "the", "cat"], [
        (0, 1, 1, 1, 0), (1, 1, 2, 1, 1), (2, 2, 0, 1, 2),
    ], ["exact", "stem", "paraphrase"])._repr_html_()  # fmt: skip
    rows = page.split("<tr")[2:]
    assert [row.count("<td") for row in rows] == [3] * 4
    cells = [[cell.split(">")[1].split("<")[0] for cell in row.split("<td")[1:]] for row in rows]
    assert cells == [["·", "●", "·"], ["·", "·", "s"], ["p", "·", "·"], ["p", "·", "·"]]
    for stage, (mark, name) in enumerate((("●", "exact"), ("s", "stem"), ("p", "paraphrase"))):
        assert page.count(stage_style(stage)) == (2 if stage < 2 else 3)  # its cells, and the legend
        assert f"{mark}</span> <bdi>{name}</bdi>: 1 match" in page
    assert "shown:" not in page


@given(st.lists(st.sampled_from([*HOSTILE, "a"]), max_size=6), st.lists(st.sampled_from([*HOSTILE, "a"]), max_size=6))
def test_hostile_words(reference, hypothesis):
    """Words are shown as text: they can make no tag, attribute or script."""
    page = Reader(Scorer("meteor-2005-exact").score_tokens([reference], hypothesis)._repr_html_())
    assert set(page.tags) <= {"div", "style", "table", "tr", "th", "td", "bdi", "span"}
    shown = "".join(page.text)
    for word in [*reference, *hypothesis]:
        assert word[:23] in shown
    assert not any("url" in style or "expression" in style for style in page.styles)


def test_hostile_names():
    """Names of stages, labels and cells are escaped, too."""
    for page in (
        aligned(["a"], ["a"], [(0, 1, 0, 1, 0)], HOSTILE[:1])._repr_html_(),
        table([(one, one) for one in HOSTILE]),
        grid(HOSTILE, [HOSTILE]),
        text(HOSTILE[1]),
    ):
        assert set(Reader(page).tags) <= {"div", "style", "table", "tr", "th", "td", "bdi", "span"}


@pytest.mark.parametrize(("rows", "columns"), [(41, 3), (3, 41), (4000, 4000)])
def test_large_segments(rows, columns):
    """A long segment shows its first words and says how many are left out; long words are cut, too."""
    size = min(rows, columns)
    page = aligned(
        ["r" * 1000] * rows, ["h"] * columns, [(place, 1, place, 1, 0) for place in range(size)]
    )._repr_html_()
    assert page.count("<tr") == 1 + min(rows, WORDS_SHOWN)
    assert len(page) < 60_000
    for side, count in (("reference", rows), ("hypothesis", columns)):
        assert (f"the first {WORDS_SHOWN} of {count} words of the {side}" in page) is (count > WORDS_SHOWN)
    outside = max(size - WORDS_SHOWN, 0)
    assert f"matches that are not shown in full: {outside} of {size}" in page
    assert "r" * 25 not in page


def test_a_breakdown():
    """The numbers are above the matrix; a corpus has no matrix."""
    scorer = Scorer()
    scored = scorer.score("the cats sat", "the cat sat")
    page = scored._repr_html_()
    Reader(page)
    assert f"{scored.score:.4f}" in page
    assert page.endswith(scored.alignment._repr_html_() + "</div>")
    total = scorer.corpus().extend(references=["a b"], hypotheses=["a"]).score()._repr_html_()
    assert "exact 1, stem 0, synonym 0, unmatched 0" in total
    assert "·" not in total


def test_a_grid():
    """A grid has a cell for each name and each value, nothing between them; numbers are right-aligned."""
    page = grid(["a", "<b>"], [["1", "2"], ["3", "4"]])
    assert "".join(Reader(page).text) == "a<b>1234"
    assert page.count("text-align:right") == 6
    assert grid(["a"], [["b"]], numbers=False).count("text-align:left") == 2


def test_nothing_at_all():
    """Empty sides have a page, too."""
    assert "–" in Reader(Scorer().score("", "")._repr_html_()).text


def test_themes():
    """Each theme of a notebook has the colors that fit it, also where the browser prefers the other."""
    preferred, themes = STYLE.index("prefers-color-scheme:dark"), STYLE.index('[data-jp-theme-light="false"]')
    assert STYLE.index(STAGE_COLORS[1].light) < preferred < STYLE.index(STAGE_COLORS[1].dark) < themes
    light = STYLE.index('[data-jp-theme-light="true"]')
    assert themes < STYLE.index(STAGE_COLORS[1].dark, themes) < light < STYLE.index(STAGE_COLORS[1].light, light)


def test_matches_that_count_in_part(scorer_2026):
    """Grades of partial matches are below the matrix; each of six stages has a color."""
    page = scorer_2026.score("the mattress", "the matress")._repr_html_()
    Reader(page)
    assert "counted in part: <bdi>mattress – matress 0.88</bdi>" in page
    assert all(stage_style(stage) in page for stage in range(6))
    assert "counted in part" not in scorer_2026.score("the mat", "the mat")._repr_html_()
