"""An explanation in lines of a terminal: pieces of text with the names of their styles, or plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isnan

from meteorlib.core.rows import digits
from meteorlib.explanation.cells import Line, Piece, trimmed, visible, wrapped
from meteorlib.explanation.facts import Facts, View
from meteorlib.explanation.formula import number_text
from meteorlib.explanation.gains import Gain
from meteorlib.explanation.matrix import matrix_lines
from meteorlib.explanation.rows import LABEL, UNMATCHED, row_lines, style_of

WIDTH = 100
"""Cells of a line, if nothing else is said."""

_DRAWINGS = {"rows": row_lines, "matrix": matrix_lines}


def explanation_text(explanation: Facts, view: View = "rows", cells: int = WIDTH) -> str:
    """The lines as plain text."""
    return "\n".join(plain(line) for line in explanation_lines(explanation, view, cells))


def plain(line: Line) -> str:
    """A line without its styles."""
    return "".join(piece.text for piece in line)


def explanation_lines(explanation: Facts, view: View, cells: int) -> Iterator[Line]:
    """Everything: score, references, alignment, formula, gains, signature.

    Lines are at most so many cells wide, but for the signature, which is one line to be copied.
    """
    scored = explanation.scored
    yield from _labeled("score", f"{digits(scored.score)}  {visible(explanation.preset)}", cells)
    if len(explanation.references) > 1:
        yield from _labeled("references", reference_note(explanation), cells)
    yield from _labeled("stages", stage_note(explanation), cells)
    for label, told in weighed(explanation):
        yield from _labeled(label, told, cells)
    if not explanation.alignment.optimal:
        yield from _labeled("search", "its budget was spent: the alignment is the best that was found", cells)
    for side in ("reference", "hypothesis"):
        if not getattr(explanation.alignment, side):
            yield from _labeled("note", f"the {side} has no words", cells)
    if explanation.alignment.reference or explanation.alignment.hypothesis:
        yield []
        yield from map(trimmed, _DRAWINGS[view](explanation.alignment, cells))
    yield from _head("formula")
    for step in explanation.steps:
        written = f"  {step.symbol} = {step.formula} = {step.written()} = {number_text(step.value)}"
        yield from ([Piece(line)] for line in wrapped(written, cells, 6))
    for note in formula_notes(explanation):
        yield from ([Piece(line)] for line in wrapped(f"  {note}", cells, 6))
    yield from _gains(explanation, cells)
    yield []
    yield [Piece(f"{'signature':<{LABEL}}", "label"), Piece(visible(explanation.signature))]


def reference_note(explanation: Facts) -> str:
    """Which reference counts, and by how much."""
    scores = [digits(one.score) for one in explanation.references]
    shown, second, margin = explanation.shown, explanation.runner_up, explanation.margin
    if second is None or margin is None:
        return f"the mean of {len(scores)} ({', '.join(scores)}); shown is the best, reference {shown + 1}"
    why = "the best" if explanation.reduce == "max" else "the worst"
    change = "less" if explanation.reduce == "max" else "more"
    told = f"{digits(margin)} {change}" if margin else "the same; the first counts"
    return f"{shown + 1} of {len(scores)} counts, {why}; reference {second + 1} has {scores[second]}, {told}"


def stage_note(explanation: Facts) -> str:
    """What the marks of the drawing mean."""
    alignment = explanation.alignment
    counts = [sum(match.stage == stage for match in alignment.matches) for stage in range(len(alignment.stages))]
    told = [f"{stage + 1} {name} ({counts[stage]})" for stage, name in enumerate(alignment.stages)]
    unmatched = len(alignment.unmatched_reference), len(alignment.unmatched_hypothesis)
    return ", ".join([*told, f"{UNMATCHED} unmatched (reference {unmatched[0]}, hypothesis {unmatched[1]})"])


def weighed(explanation: Facts) -> Iterator[tuple[str, str]]:
    """What the words weigh, the heaviest first, and which matches count in part, where there is any of that."""
    weights = sorted(explanation.weights.items(), key=lambda item: -item[1])
    if weights:
        yield "weights", ", ".join(f"{visible(word)} {weight:.2f}" for word, weight in weights)
    graded = explanation.alignment.as_matrix().graded_pairs()
    if graded:
        yield "in part", visible(", ".join(graded))


def formula_notes(explanation: Facts) -> Iterator[str]:
    """What the lines of the formula do not say by themselves."""
    scored = explanation.references[explanation.shown]
    statistics = scored.statistics
    if statistics.order is None and statistics.penalized_chunks != statistics.chunks:
        yield "a perfect segment: all words are matched, in one chunk, which is not penalized"
    said = [] if statistics.hypothesis_matches or statistics.reference_matches else ["nothing is matched"]
    if isnan(scored.f_mean) or isnan(scored.penalty):
        said.append("what has no value (–) makes the score 0")
    if said:
        yield ": ".join(said)


def gain_text(gain: Gain) -> str:
    """What is edited: words as they are matched, positions from 1."""
    word = f"“{visible(gain.word)}”"
    if gain.edit == "delete":
        return f"without {word}, word {gain.position + 1} of the hypothesis"
    if gain.edit == "replace":
        return f"{word} in place of “{visible(gain.replaced)}”, word {gain.place + 1} of the hypothesis"
    where = f"behind word {gain.place}" if gain.place else "at the beginning"
    return f"with {word} {where} of the hypothesis"


def left_out_note(explanation: Facts) -> str:
    """How many gains are not there, and how they are to be had."""
    count = explanation.gains_left_out
    return f"{count} more unmatched word{'s' if count > 1 else ''} would take long: --all-gains, explain(budget=None)"


def _gains(explanation: Facts, cells: int) -> Iterator[Line]:
    if not explanation.gains and not explanation.gains_left_out:
        return
    yield from _head("gains")
    for gain in explanation.gains:
        text = f"  {gain.gain + 0.0:+.4f}  {gain_text(gain)}: {digits(gain.score)}"
        first, *others = wrapped(text, cells, 11)
        style = style_of(0) if gain.gain > 0 else ""
        yield [Piece(first[:9], style), Piece(first[9:])]
        yield from ([Piece(line)] for line in others)
    if explanation.gains_left_out:
        yield from ([Piece(line)] for line in wrapped(f"  {left_out_note(explanation)}", cells, 2))


def _head(title: str) -> Iterable[Line]:
    return ([], [Piece(title, "label")])


def _labeled(label: str, text: str, cells: int) -> Iterator[Line]:
    first, *others = wrapped(f"{label:<{LABEL}}{text}", cells, LABEL)
    yield [Piece(first[:LABEL], "label"), Piece(first[LABEL:])]
    yield from ([Piece(line)] for line in others)
