"""Explanations as lines for a terminal, styled or as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isnan

from meteorlib.core.rows import digits
from meteorlib.core.stages import stage_marks
from meteorlib.explanation.cells import Line, Piece, trim, visible_text, wrap_line
from meteorlib.explanation.facts import ExplanationData, View
from meteorlib.explanation.faults import FaultPlace
from meteorlib.explanation.formula import number_text
from meteorlib.explanation.gains import Gain
from meteorlib.explanation.matrix import matrix_lines
from meteorlib.explanation.rows import LABEL, UNMATCHED, row_lines, style_of

WIDTH = 100
"""Default width of a line, in cells."""

_LINES_BY_VIEW = {"rows": row_lines, "matrix": matrix_lines}


def explanation_text(explanation: ExplanationData, view: View = "rows", cells: int = WIDTH) -> str:
    """An explanation as plain text."""
    return "\n".join(plain(line) for line in explanation_lines(explanation, view, cells))


def plain(line: Line) -> str:
    """The text of a line, without styles."""
    return "".join(piece.text for piece in line)


def explanation_lines(explanation: ExplanationData, view: View, cells: int) -> Iterator[Line]:
    """An explanation in styled lines: score, references, alignment, formula, gains, signature.

    Lines are at most `cells` cells wide, except the signature, which stays whole so that it can be copied.
    """
    scored = explanation.scored
    yield from _labeled("score", f"{digits(scored.score)}  {visible_text(explanation.preset)}", cells)
    if len(explanation.references) > 1:
        yield from _labeled("references", reference_note(explanation), cells)
    yield from _labeled("matches", stage_note(explanation), cells)
    for label, note in (*weight_notes(explanation), *fault_notes(explanation)):
        yield from _labeled(label, note, cells)
    if not explanation.alignment.optimal:
        yield from _labeled("search", "its budget was spent: the alignment is the best found", cells)
    for side in ("reference", "hypothesis"):
        if not getattr(explanation.alignment, side):
            yield from _labeled("note", f"the {side} has no words", cells)
    if explanation.alignment.reference or explanation.alignment.hypothesis:
        yield []
        yield from map(trim, _LINES_BY_VIEW[view](explanation.alignment, cells))
    yield from _head("formula")
    for step in explanation.steps:
        written = f"  {step.symbol} = {step.formula} = {step.written()} = {number_text(step.value)}"
        yield from ([Piece(line)] for line in wrap_line(written, cells, 6))
    for note in formula_notes(explanation):
        yield from ([Piece(line)] for line in wrap_line(f"  {note}", cells, 6))
    yield from _gains(explanation, cells)
    yield []
    yield [Piece(f"{'signature':<{LABEL}}", "label"), Piece(visible_text(explanation.signature))]


def reference_note(explanation: ExplanationData) -> str:
    """Note on the reference that counts and its margin."""
    scores = [digits(one.score) for one in explanation.references]
    shown, second, margin = explanation.shown, explanation.runner_up, explanation.margin
    if second is None or margin is None:
        return f"the mean of {len(scores)} ({', '.join(scores)}); shown is the best, reference {shown + 1}"
    why = "the best" if explanation.reduce == "max" else "the worst"
    change = "less" if explanation.reduce == "max" else "more"
    distance = f"{digits(margin)} {change}" if margin else "the same; the first counts"
    return f"{shown + 1} of {len(scores)} counts, {why}; reference {second + 1} has {scores[second]}, {distance}"


def stage_note(explanation: ExplanationData) -> str:
    """Legend of the drawing: stages and their numbers of matches."""
    alignment = explanation.alignment
    counts = [sum(match.stage == stage for match in alignment.matches) for stage in range(len(alignment.stages))]
    marks = stage_marks(alignment.stages)
    stages = [f"{mark} {name} {count}" for mark, name, count in zip(marks, alignment.stages, counts, strict=True)]
    unmatched = len(alignment.unmatched_reference), len(alignment.unmatched_hypothesis)
    return f"{', '.join(stages)}; unmatched words ({UNMATCHED}): reference {unmatched[0]}, hypothesis {unmatched[1]}"


def weight_notes(explanation: ExplanationData) -> Iterator[tuple[str, str]]:
    """Notes on word weights, heaviest first, and on matches that count in part, if there are any."""
    weights = sorted(explanation.weights.items(), key=lambda item: -item[1])
    if weights:
        yield "weights", ", ".join(f"{visible_text(word)} {weight:.2f}" for word, weight in weights)
    graded = explanation.alignment.as_matrix().graded_pairs()
    if graded:
        yield "in part", visible_text(", ".join(graded))


def fault_notes(explanation: ExplanationData) -> Iterator[tuple[str, str]]:
    """Notes on penalized faults: the words, and what each kind adds to the penalty."""
    label = "faults"
    for fault in explanation.faults:
        places = [_place_text(place) for place in fault.places]
        words = f": {', '.join(places)}" if places else ""
        yield label, f"{fault.name} +{fault.penalty:.4f}, {fault.description}{words}"
        label = ""


def _place_text(place: FaultPlace) -> str:
    both = (place.reference_words, place.hypothesis_words)
    sides = [f"“{visible_text(' '.join(words))}”" for words in both if words]
    return " – ".join(sides)


def formula_notes(explanation: ExplanationData) -> Iterator[str]:
    """Notes on special cases that the lines of the formula do not show."""
    scored = explanation.references[explanation.shown]
    statistics = scored.statistics
    if statistics.order is None and statistics.penalized_chunks != statistics.chunks:
        yield "a perfect segment: all words are matched, in one chunk, which is not penalized"
    notes = [] if statistics.hypothesis_matches or statistics.reference_matches else ["nothing is matched"]
    if isnan(scored.f_mean) or isnan(scored.penalty):
        notes.append("undefined values (–) make the score 0")
    if notes:
        yield ": ".join(notes)


def gain_text(gain: Gain) -> str:
    """Description of an edit: words as they are matched, positions from 1."""
    word = f"“{visible_text(gain.word)}”"
    if gain.edit == "delete":
        return f"without {word}, word {gain.position + 1} of the hypothesis"
    if gain.edit == "replace":
        return f"{word} in place of “{visible_text(gain.replaced)}”, word {gain.place + 1} of the hypothesis"
    where = f"behind word {gain.place}" if gain.place else "at the beginning"
    return f"with {word} {where} of the hypothesis"


def left_out_note(explanation: ExplanationData) -> str:
    """Note on gains that were not computed, and how to compute them."""
    count = explanation.gains_left_out
    return f"{count} more unmatched word{'s' if count > 1 else ''} would take long: --all-gains, explain(budget=None)"


def _gains(explanation: ExplanationData, cells: int) -> Iterator[Line]:
    if not explanation.gains and not explanation.gains_left_out:
        return
    yield from _head("gains")
    for gain in explanation.gains:
        text = f"  {gain.gain + 0.0:+.4f}  {gain_text(gain)}: {digits(gain.score)}"
        first, *others = wrap_line(text, cells, 11)
        style = style_of(0) if gain.gain > 0 else ""
        yield [Piece(first[:9], style), Piece(first[9:])]
        yield from ([Piece(line)] for line in others)
    if explanation.gains_left_out:
        yield from ([Piece(line)] for line in wrap_line(f"  {left_out_note(explanation)}", cells, 2))


def _head(title: str) -> Iterable[Line]:
    return ([], [Piece(title, "label")])


def _labeled(label: str, text: str, cells: int) -> Iterator[Line]:
    first, *others = wrap_line(f"{label:<{LABEL}}{text}", cells, LABEL)
    yield [Piece(first[:LABEL], "label"), Piece(first[LABEL:])]
    yield from ([Piece(line)] for line in others)
