"""Drawings show exactly the alignment, and columns line up by the cells of a terminal."""

from __future__ import annotations

import html
import re

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from meteorlib import Scorer
from meteorlib.display.drawing import stage_marks
from meteorlib.display.terminal import LABEL, matrix_lines, plain, row_lines, trim, visible_text
from meteorlib.explanation.explanation import explanation_lines


def lines(draw, alignment, cells):
    """The drawing as lines of text."""
    return [plain(trim(line)) for line in draw(alignment.plan(), cells)]


def at(line, cell):
    """The text of a line from a cell on; a column must not begin within a wide letter."""
    taken = ""
    while cell_len(line[: len(taken) + 1]) <= cell and taken != line:
        taken = line[: len(taken) + 1]
    assert cell_len(taken) == min(cell, cell_len(line)), (line, cell)
    return line[len(taken) :]


def begins(line):
    """The cells at which the cells of a row begin, and their texts."""
    found, place = [], 0
    for part in re.split(r"(  +)", line[LABEL:]):
        if part.strip(" "):
            found.append((place, part.replace("\u200e", "")))
        place += cell_len(part)
    return found


def drawn(text):
    """Contents of the two rows: the words of each side, and the spans of each chunk on both sides with stages."""
    sides = {"reference": [], "hypothesis": []}
    chunks = {"reference": {}, "hypothesis": {}}
    for block in "\n".join(text).split("\n\n"):
        rows = block.split("\n")
        above, reference, stages, hypothesis, *rest = rows
        assert [row.split(" ")[0] for row in rows[:4]] == ["chunk", "reference", "stage", "hypothesis"]
        marks = dict(begins(stages))
        for side, row, numbers in (("reference", reference, above), ("hypothesis", hypothesis, (rest or [above])[0])):
            starts = begins(numbers)
            for place, word in begins(row):
                sides[side].append(word)
                mark = marks[place]
                if mark != "·":
                    label = max(one for one in starts if one[0] <= place)[1]
                    number = label.strip("─")
                    number = int(number) if number else max(chunks[side])
                    chunks[side].setdefault(number, []).append((len(sides[side]) - 1, mark))
    return sides, chunks


def spans(words, side, alignment):
    """The spans of a side as they should be drawn: each with its chunk and its stage."""
    found, heads = {}, set(alignment.chunking.heads)
    number = 0
    for index, match in enumerate(alignment.matches):
        number += index in heads
        found[getattr(match, f"{side}_start")] = (
            number,
            stage_marks(alignment.stages)[match.stage],
            getattr(match, f"{side}_length"),
        )
    position, expected = 0, []
    while position < len(words):
        chunk, stage, length = found.get(position, (None, None, 1))
        text = " ".join(map(visible_text, words[position : position + length]))
        expected.append((f"{{{text}}}" if length > 1 else text, chunk, stage))
        position += length
    return expected


def check_rows(alignment, cells):
    """The two rows, read back, are the alignment."""
    text = lines(row_lines, alignment, cells)
    assert all(cell_len(line) <= cells for line in text)
    if not alignment.reference and not alignment.hypothesis:
        assert text == []
        return
    sides, chunks = drawn(text)
    for side in ("reference", "hypothesis"):
        told = {index: (number, stage) for number, members in chunks[side].items() for index, stage in members}
        read = [(word, *told.get(index, (None, None))) for index, word in enumerate(sides[side])]
        assert read == spans(getattr(alignment, side), side, alignment)


@pytest.mark.parametrize("cells", [60, *(pytest.param(cells, marks=pytest.mark.thorough) for cells in (30, 100))])
def test_rows_are_the_alignment(scorers, segments, cells):
    """Read back from the terminal's cells, words, chunks and stages are those of the alignment."""
    for scorer in scorers:
        for reference, hypothesis in segments:
            check_rows(scorer.align(reference, hypothesis), cells)


def test_rows_of_phrases(phrases):
    """A match of several words is one column, in braces."""
    alignment = phrases.align("they rejected it , of course", "naturally it was turned down")
    check_rows(alignment, 100)
    assert any("{turned down}" in line for line in lines(row_lines, alignment, 100))


def test_matched_words_stand_below_each_other():
    """Matches that are in order on both sides are joined in a column, a longest part of them."""
    text = lines(row_lines, Scorer("nltk").align("日本 x good é cat", "cat 日本 good yes é"), 80)
    places = {word: place for place, word in begins(text[1])}
    for place, word in begins(text[3]):
        if word in ("日本", "good", "é"):
            assert place == places[word]


@pytest.mark.parametrize("word", ["x" * 300, "日" * 70, "e\u0301" * 90, "👩‍👩‍👧" * 30])
def test_long_words_are_cut_into_pieces(word):
    """A word wider than the terminal is shown completely."""
    text = lines(row_lines, Scorer("nltk").align(f"a {word} b", "a b"), 40)
    assert all(cell_len(line) <= 40 for line in text)
    shown = "".join(part for line in text if line.startswith("reference") for _, part in begins(line))
    assert shown.replace("…", "") == f"a{word}b"


@pytest.mark.parametrize("cells", [25, pytest.param(60, marks=pytest.mark.thorough)])
def test_matrix_is_the_alignment(scorers, segments, cells):
    """Each cell of a match has the mark of its stage, every other one a dot."""
    for scorer in scorers[:6]:
        for reference, hypothesis in segments:
            check_matrix(scorer.align(reference, hypothesis), cells)


def test_matrix_of_phrases(phrases):
    """A match of several words fills a rectangle."""
    check_matrix(phrases.align("they rejected it , of course", "naturally it was turned down"), 70)


def check_matrix(alignment, cells):
    """The matrix, read back from the cells of the terminal, is the alignment."""
    expected = [["·"] * len(alignment.hypothesis) for _ in alignment.reference]
    for match in alignment.matches:
        for row in range(match.reference_start, match.reference_start + match.reference_length):
            for column in range(match.hypothesis_start, match.hypothesis_start + match.hypothesis_length):
                expected[row][column] = stage_marks(alignment.stages)[match.stage]
    words = [visible_text(word) for word in alignment.reference]
    label = min(max(map(cell_len, words), default=0), cells // 3)
    margin = label + max(len(str(alignment.chunking.count)), 1) + 2
    found = [[] for _ in words]
    text = lines(matrix_lines, alignment, cells)
    assert all(cell_len(line) <= cells for line in text)
    for block in "\n".join(text).split("\n\n"):
        rows = [line for line in block.split("\n") if line[:1] not in ("", " ")]
        rows = [line for line in rows if at(line, margin) or not alignment.hypothesis]
        for row, line in zip(found, rows, strict=True):
            row.extend(at(line, margin).split())
    assert found == expected


def test_text_has_all():
    """A terminal shows score, stages, both sides, formula, gains and signature, within its width."""
    scorer = Scorer("meteor-1.5-en-core")
    text = "\n".join(
        map(plain, explanation_lines(scorer.explain(["the cat sat", "a dog"], "the cats lie down"), "rows", 50))
    )
    head, *rest = text.split("\n\n")
    score = scorer.score(["the cat sat", "a dog"], "the cats lie down").score
    assert head.splitlines()[0] == f"score       {score:.4f}  meteor-1.5-en-core"
    assert rest[1].startswith("formula\n  Lh = ")
    assert rest[2].startswith("gains\n  +")
    assert rest[3] == f"signature   {scorer.signature}"
    assert all(cell_len(line) <= 50 for line in text.split("\n")[:-1])


@pytest.mark.parametrize(("reference", "hypothesis"), [("the cat", ""), ("", "a cat")])
def test_notes_are_the_same_in_every_form(reference, hypothesis):
    """A page has the notes that a terminal has above the drawing: a side without words, a search that stopped."""
    explanation = Scorer().explain(reference, hypothesis)
    stopped = evolve(explanation.references[0], alignment=evolve(explanation.alignment, optimal=False))
    explanation = evolve(explanation, references=(stopped,))
    said = ("has no words", "its budget was spent: the alignment is the best found")
    for shown in (str(explanation), html.unescape(explanation._repr_html_())):
        assert all(note in shown for note in said)


def test_weights_and_grades(scorer_2026):
    """If words are weighted, the text and the data have each weight, and the matches that count in part."""
    explanation = scorer_2026.explain("the mattress, sat", "the matress <b>")
    assert explanation.weights == pytest.approx(
        {"the": 0.14, "mattress": 1.1, ",": 0.25, "sat": 0.7, "matress": 1.1, "<": 0.25, "b": 1.1, ">": 0.25}
    )
    told = ["mattress 1.10, matress 1.10, b 1.10, sat 0.70, , 0.25", "mattress – matress 0.88"]
    text = " ".join(str(explanation).split())
    assert f"weights {told[0]}" in text
    assert f"in part {told[1]}" in text
    assert told[1] in explanation._repr_html_()
    data = explanation.to_dict()
    assert data["weights"] == explanation.weights
    assert [match["grade"] for match in data["alignment"]["matches"]] == [1, 0.875]
    assert data["statistics"]["unit"] == 10_000
    plain = Scorer("meteor-1.5-en-core").explain("the cat", "the cat")
    assert plain.weights == {}
    assert "weights" not in plain.to_dict()


def test_notes_of_the_new_formula(scorer_2026):
    """No segment is called perfect, and defined values have no remark."""
    for reference, hypothesis, note in (
        ("the cat sat", "the cat sat", None),
        ("the", "cat", "  nothing is matched"),
        ("the", "", "  nothing is matched: undefined values (–) make the score 0"),
    ):
        lines = str(scorer_2026.explain(reference, hypothesis)).splitlines()
        assert not any("perfect" in line for line in lines)
        assert [line for line in lines if line.startswith("  nothing")] == ([] if note is None else [note])


def test_faults():
    """Penalized faults are named with their words and what they add to the penalty, in every form."""
    scorer = Scorer("meteor-2026-en-core")
    explanation = scorer.explain("He sold the 30 cars in May.", "he sold 13 cars may in.")
    found = {
        fault.name: [(p.reference_words, p.hypothesis_words) for p in fault.places] for fault in explanation.faults
    }
    swapped = [(("in", "may"), ("may", "in"))]
    assert found == {"swap": swapped, "omission": [(("the",), ())], "number": [(("30",), ("13",))], "start": []}
    penalties = [fault.penalty for fault in explanation.faults]
    order = 0.2 * (4 / 5) ** 0.35 + 0.25 * (1 / 15) ** 0.5
    share = (order + sum(penalties)) / scorer.parameters.bound
    assert order + sum(penalties) == pytest.approx(explanation.scored.penalty * (1 + share**2) ** 0.5, abs=1e-12)
    for text in (str(explanation), html.unescape(explanation._repr_html_())):
        assert "number +0.3000, another number: “30” – “13”" in text
        assert "start +0.1400, a lowercase letter at the beginning" in text
    data = explanation.to_dict()["faults"]
    assert data[2]["places"][0]["reference"] == (3,)
    assert "faults" not in Scorer("meteor-2005").explain("a", "b").to_dict()


@given(st.lists(st.sampled_from("the a of not no cat dogs 7 17 , ran He he".split()), max_size=9), st.randoms())
def test_faults_have_the_words_that_are_counted(words, random):
    """The amounts of the named faults are those that the statistics count, for any text."""
    scorer = Scorer("meteor-2026-en-core")
    other = random.sample(words, random.randint(0, len(words))) + random.sample(words, len(words) // 3)
    explanation = scorer.explain(" ".join(words), " ".join(other), budget=0)
    counts = explanation.scored.statistics.faults
    assert counts is not None
    places = {fault.name: fault.places for fault in explanation.faults}
    sides = {name: [(len(place.reference), len(place.hypothesis)) for place in found] for name, found in places.items()}
    assert len(places.get("swap", ())) == counts.swaps
    assert sum(one - other for one, other in sides.get("omission", ())) == counts.omitted
    assert 0 <= sum(100 * words for _, words in sides.get("repetition", ())) - counts.repeated <= 100 * len(words)
    assert sum(map(min, sides.get("number", ()))) == counts.contradictions
    assert len(places.get("negation", ())) == counts.negations
