"""The explanation of a segment's score: made, noted for people, and put together for a terminal and as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from math import isnan
from typing import Any, Literal

from attrs import field, frozen

from meteorlib.core.alignment import Alignment
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.parameters import Parameters, Reduce
from meteorlib.core.segment import Pair
from meteorlib.corpus.batch import Progress
from meteorlib.display.drawing import UNMATCHED, stage_marks
from meteorlib.display.notebook import grid, matrix_html, rows_html, scrollable, table, text
from meteorlib.display.terminal import LABEL, Line, Piece, matrix_lines, plain, row_lines, style_of, trim, wrap_line
from meteorlib.display.text import Row, digits, quoted, visible_text
from meteorlib.engine.engine import Engine
from meteorlib.explanation.formula import (
    PenalizedFault,
    Step,
    formula_steps,
    mean_step,
    number_text,
    penalized_faults,
    traits_of,
)
from meteorlib.explanation.gains import Gain, word_gains
from meteorlib.explanation.unused import Unused, unused_matches
from meteorlib.text.validation import references_of

View = Literal["rows", "matrix"]
"""Drawing of an alignment: two rows of words, or a matrix."""

BUDGET = 60_000
"""Default limit on the words scored again for the gains: enough for some hundred words a side."""

WIDTH = 100
"""Default width of a line in a terminal, in cells."""

_NO_BUDGET = "--all-gains, explain(budget=None)"

_REFERENCE_NUMBERS = ("score", "precision", "recall", "f_mean", "fragmentation", "penalty", "chunks")


@frozen(repr=False)
class Explanation:
    """The explanation of a segment's score. ``str`` draws it for a terminal, a notebook shows it as HTML.

    Attributes:
        scored: the result of `Scorer.score`.
        references: the segment scored against each reference alone.
        shown: index, from 0, of the reference whose alignment and formula are shown: the one that counts, or the best
            one if the mean of all counts.
        reduce: which reference counts: ``max``, ``min``, or ``mean`` of all.
        parameters: the numbers of the formula.
        gains: the gain in score for each unmatched word of the shown reference, greatest first.
        gains_left_out: number of unmatched words whose gain was not computed because the budget was spent.
        preset: name of the preset.
        signature: the signature.
        weights: weight of each word of the alignment, in order of appearance; empty if words are not weighted.
        faults: faults that add to the penalty, with their words; empty if there are none, or none are penalized.
        unused: a possible match for each unmatched word that has one, with the shown reference, and why it is not
            used; None if there are more pairs of words than the budget.
    """

    scored: ScoreBreakdown
    references: tuple[ScoreBreakdown, ...]
    shown: int
    reduce: Reduce
    parameters: Parameters
    gains: tuple[Gain, ...]
    gains_left_out: int
    preset: str
    signature: str
    weights: Mapping[str, float] = field(factory=dict, hash=False)
    faults: tuple[PenalizedFault, ...] = ()
    unused: tuple[Unused, ...] | None = ()

    @property
    def alignment(self) -> Alignment:
        """The alignment with the shown reference."""
        return _alignment_of(self.references[self.shown])

    @property
    def steps(self) -> tuple[Step, ...]:
        """The formula with its values, line by line; the last one gives the score."""
        lines = formula_steps(self.references[self.shown], self.parameters)
        if self.reduce != "mean" or len(self.references) == 1:
            return lines
        return (*lines, mean_step(tuple(map(float, self.references)), self.scored.score))

    @property
    def runner_up(self) -> int | None:
        """Index of the second-best reference (second-worst with `min`); None for one reference and for the mean."""
        others = [index for index in range(len(self.references)) if index != self.shown]
        if not others or self.reduce == "mean":
            return None
        return (max if self.reduce == "max" else min)(others, key=lambda index: self.references[index].score)

    @property
    def margin(self) -> float | None:
        """Absolute difference between the scores of the counting reference and the runner-up."""
        second = self.runner_up
        return None if second is None else abs(self.scored.score - self.references[second].score)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: None for undefined values, positions from 0."""
        scored = self.scored.to_dict()
        del scored["matches"]  # part of the alignment
        weights = {"weights": dict(self.weights)} if self.weights else {}
        faults = {"faults": [fault.to_dict() for fault in self.faults]} if self.parameters.counts_faults else {}
        return {
            **scored,
            "alignment": self.alignment.to_dict(),
            **weights,
            **faults,
            "unused": None if self.unused is None else [match.to_dict() for match in self.unused],
            "chunking": [chunk._asdict() for chunk in self.alignment.chunking.chunks],
            "references": [
                {name: data[name] for name in _REFERENCE_NUMBERS}
                for data in (reference.to_dict() for reference in self.references)
            ],
            "shown": self.shown,
            "reduce": self.reduce,
            "runner_up": self.runner_up,
            "margin": self.margin,
            "formula": [step.to_dict() for step in self.steps],
            "gains": [gain.to_dict() for gain in self.gains],
            "gains_left_out": self.gains_left_out,
            "preset": self.preset,
            "signature": self.signature,
        }

    def __repr__(self) -> str:
        count = len(self.references)
        return f"Explanation(score={self.scored.score:.4f}, references={count}, gains={len(self.gains)})"

    def __str__(self) -> str:
        return "\n".join(map(plain, explanation_lines(self)))

    def _repr_html_(self) -> str:
        return explanation_html(self)


def explain(
    engine: Engine[Any],
    ref: str | Iterable[str],
    hyp: str,
    *,
    budget: int | None = BUDGET,
    progress: Progress = lambda *_: None,
    look_for_unused: bool = True,
) -> Explanation:
    """Explain a segment; see `Scorer.explain`.

    `progress` is called with the words done and their total. Without `look_for_unused`, possible matches that are not
    used are not looked for, which takes most of the time of a short segment.
    """
    texts = references_of(ref)
    scored = engine.score(Pair(texts, hyp))
    alone = (scored,) if len(texts) == 1 else tuple(engine.score(Pair([text], hyp)) for text in texts)
    shown = scored.reference_index
    if shown is None:
        shown = max(range(len(alone)), key=lambda index: alone[index].score)
    alignments = [*map(_alignment_of, alone)]
    alignment = alignments[shown]
    rescore = engine.token_scores([aligned.reference for aligned in alignments])
    size = sum(len(aligned.reference) + len(aligned.hypothesis) for aligned in alignments)
    max_rescored = None if budget is None else budget // max(size, 1)
    gains, left_out = word_gains(alignment, scored.score, rescore, max_rescored, progress)
    config, parameters, signature = engine.identity.config, engine.parameters, str(engine.identity.signature)
    words = dict.fromkeys((*alignment.reference, *alignment.hypothesis))
    weights = {} if config.weights is None else {word: engine.analyze((word,)).sizes[0] / scored.unit for word in words}
    faults: tuple[PenalizedFault, ...] = ()
    if parameters.counts_faults:
        faults = penalized_faults(alone[shown], alignment, parameters, traits_of(engine, words))
    unused = unused_matches(engine, Pair([texts[shown]], hyp), alignment, budget) if look_for_unused else None
    facts = scored, alone, shown, config.reduce, parameters, gains, left_out, config.name, signature
    return Explanation(*facts, weights, faults, unused)


def _alignment_of(scored: ScoreBreakdown) -> Alignment:
    assert scored.alignment is not None  # noqa: S101 – a single reference always leaves its alignment
    return scored.alignment


def notes(explanation: Explanation) -> Iterator[Row]:
    """Labeled notes above the drawing: the reference that counts, the matches, weights, faults, what is special."""
    alignment, plan = explanation.alignment, explanation.alignment.plan()
    if len(explanation.references) > 1:
        yield "references", _reference_note(explanation)
    stages = zip(stage_marks(plan.stages), plan.stages, plan.stage_counts, strict=True)
    unmatched = len(alignment.unmatched_reference), len(alignment.unmatched_hypothesis)
    matches = ", ".join(f"{mark} {name} {count}" for mark, name, count in stages)
    missing = f"reference {unmatched[0]}, hypothesis {unmatched[1]}"
    yield "matches", f"{matches}; unmatched words ({UNMATCHED}): {missing}"
    too_long = [f"would take long: {_NO_BUDGET}"]
    yield from _labeled(
        "not used", too_long if explanation.unused is None else dict.fromkeys(map(str, explanation.unused))
    )
    weights = sorted(explanation.weights.items(), key=lambda item: -item[1])
    if weights:
        yield "weights", ", ".join(f"{visible_text(word)} {weight:.2f}" for word, weight in weights)
    if shared := plan.shared_pairs():
        yield "in part", visible_text(", ".join(shared))
    yield from _labeled("faults", map(str, explanation.faults))
    if not alignment.optimal:
        yield "search", "its budget was spent: the alignment is the best found"
    for side in ("reference", "hypothesis"):
        if not getattr(alignment, side):
            yield "note", f"the {side} has no words"


def _reference_note(explanation: Explanation) -> str:
    """The note that says which reference counts, and by what margin."""
    scores = [digits(scored.score) for scored in explanation.references]
    shown, second, margin = explanation.shown, explanation.runner_up, explanation.margin
    if second is None or margin is None:
        return f"the mean of {len(scores)} ({', '.join(scores)}); shown is the best, reference {shown + 1}"
    best, change = ("the best", "less") if explanation.reduce == "max" else ("the worst", "more")
    distance = f"{digits(margin)} {change}" if margin else "the same"
    return f"{shown + 1} of {len(scores)} counts, {best}; reference {second + 1} has {scores[second]}, {distance}"


def _labeled(label: str, notes: Iterable[str]) -> Iterator[Row]:
    """Notes of one kind; only the first has the label."""
    return zip(chain([label], repeat("")), notes, strict=False)


def formula_notes(explanation: Explanation) -> Iterator[str]:
    """Notes on special cases that the lines of the formula do not show."""
    scored = explanation.references[explanation.shown]
    statistics = scored.statistics
    if statistics.order is None and statistics.penalized_chunks != statistics.chunks:
        yield "a perfect segment: all words are matched, in one chunk, which is not penalized"
    special = [] if statistics.hypothesis_matches or statistics.reference_matches else ["nothing is matched"]
    if isnan(scored.f_mean) or isnan(scored.penalty):
        special.append("undefined values (–) make the score 0")
    if special:
        yield ": ".join(special)


def gain_rows(explanation: Explanation) -> list[tuple[str, str, str]]:
    """Gain, score and edit of each gain; words as they are matched, positions from 1."""
    rows = []
    for gain in explanation.gains:
        word, place = quoted(gain.word), gain.place
        if gain.edit == "delete":
            edit = f"without {word}, word {gain.position + 1} of the hypothesis"
        elif gain.edit == "replace":
            edit = f"{word} in place of {quoted(gain.replaced)}, word {place + 1} of the hypothesis"
        else:
            edit = f"with {word} {f'behind word {place}' if place else 'at the beginning'} of the hypothesis"
        rows.append((f"{gain.gain + 0.0:+.4f}", digits(gain.score), edit))
    return rows


def left_out_note(explanation: Explanation) -> str:
    """Note on gains that were not computed, and how to compute them; empty if there are none."""
    count = explanation.gains_left_out
    told = f"{count} more unmatched word{'s' if count > 1 else ''} would take long: {_NO_BUDGET}"
    return told if count else ""


def explanation_lines(explanation: Explanation, view: View = "rows", cells: int = WIDTH) -> Iterator[Line]:
    """An explanation in styled lines: score, references, alignment, formula, gains, signature.

    Lines are at most `cells` cells wide, except the signature, which stays whole so that it can be copied.
    """
    score = ("score", f"{digits(explanation.scored.score)}  {visible_text(explanation.preset)}")
    for label, note in (score, *notes(explanation)):
        first, *others = wrap_line(f"{label:<{LABEL}}{note}", cells, LABEL)
        yield [Piece(first[:LABEL], "label"), Piece(first[LABEL:])]
        yield from _plain_lines(others)
    plan = explanation.alignment.plan()
    if plan.reference or plan.hypothesis:
        yield []
        yield from map(trim, (row_lines if view == "rows" else matrix_lines)(plan, cells))
    yield from ([], [Piece("formula", "label")])
    for step in explanation.steps:
        written = f"  {step.symbol} = {step.formula} = {step.written()} = {number_text(step.value)}"
        yield from _plain_lines(wrap_line(written, cells, 6))
    for note in formula_notes(explanation):
        yield from _plain_lines(wrap_line(f"  {note}", cells, 6))
    left_out = left_out_note(explanation)
    if explanation.gains or left_out:
        yield from ([], [Piece("gains", "label")])
    for gain, (difference, score_after, edit) in zip(explanation.gains, gain_rows(explanation), strict=True):
        first, *others = wrap_line(f"  {difference}  {edit}: {score_after}", cells, 11)
        yield [Piece(first[:9], style_of(0) if gain.gain > 0 else ""), Piece(first[9:])]
        yield from _plain_lines(others)
    if left_out:
        yield from _plain_lines(wrap_line(f"  {left_out}", cells, 2))
    yield []
    yield [Piece(f"{'signature':<{LABEL}}", "label"), Piece(visible_text(explanation.signature))]


def _plain_lines(lines: Iterable[str]) -> Iterator[Line]:
    return ([Piece(line)] for line in lines)


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
</head>
<body style="font-family:system-ui,sans-serif;line-height:1.4;max-width:70em;margin:1.5em auto;padding:0 1em">
<main>
<h1 style="font-size:1.3em">{title}</h1>
{body}
</main>
</body>
</html>
"""

_HEAD = 'style="font-size:1.1em;margin:.8em 0 .3em"'


def explanation_page(explanation: Explanation, view: View = "rows") -> str:
    """A standalone page that opens from disk."""
    title = f"METEOR {digits(explanation.scored.score)}"
    return _PAGE.format(title=title, body=explanation_html(explanation, view))


def explanation_html(explanation: Explanation, view: View = "rows") -> str:
    """An element for a page: score, references, alignment, formula, gains, signature; all text is escaped."""
    plan = explanation.alignment.plan()
    score = [("score", digits(explanation.scored.score)), ("preset", visible_text(explanation.preset))]
    steps = [(step.symbol, step.formula, step.written(), number_text(step.value)) for step in explanation.steps]
    gains, left_out = gain_rows(explanation), left_out_note(explanation)
    parts = [
        table([*score, *notes(explanation)]),
        rows_html(plan) if view == "rows" else matrix_html(plan, whole=True),
        _section("Formula", ("", "formula", "with its values", "value"), steps, formula_notes(explanation)),
        _section("Gains", ("gain", "score", "edit"), gains, filter(None, [left_out])) if gains or left_out else "",
        f"<p>{text(visible_text(explanation.signature))}</p>",
    ]
    return f'<div style="overflow-wrap:break-word">{"".join(parts)}</div>'


def _section(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], notes: Iterable[str]) -> str:
    paragraphs = "".join(f"<p>{text(note)}</p>" for note in notes)
    return f"<h2 {_HEAD}>{title}</h2>{scrollable(grid(head, rows, numbers=False))}{paragraphs}"
