"""Reports of a comparison of presets: text, JSON and TSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from meteorlib.analysis.attribution import PARTS
from meteorlib.analysis.comparison import ROUNDING, Compared, Comparison, Difference
from meteorlib.core.formula import NUMBERS
from meteorlib.display.terminal import align_columns
from meteorlib.display.text import digits, exact, json_text, listing, signed, tsv_row
from meteorlib.errors import ResourceMissing

TABLE_NUMBERS = ("score", "precision", "recall", "f_mean", "penalty")

TSV_COLUMNS = ("segment", "preset", *NUMBERS, "mean_segment_score", "signature", "difference", "reason", *PARTS)

LeftOut = Mapping[str, ResourceMissing]
"""Presets that were not compared, with the resource that each lacks."""


def comparison_text(comparison: Comparison, left_out: LeftOut) -> str:  # noqa: ARG001 - notes tell it
    """Aligned columns with four digits: the presets, the spread, the segments that differ most, the signatures."""
    rows = [["preset", *TABLE_NUMBERS, "mean", "mean-score"]]
    for preset in comparison.presets:
        cells = [digits(getattr(preset.scored, name)) for name in TABLE_NUMBERS]
        rows.append([preset.preset, *cells, digits(preset.mean), signed(preset.mean_effect)])
    lines = [align_columns(rows)]
    moved = max(comparison.presets, key=lambda preset: abs(preset.mean_effect))
    lines += [
        "",
        f"spread of the corpus scores: {_range_text(comparison.spread)}",
        f"  {_reason_text(comparison.spread)}",
    ]
    lines.append(f"  mean of segments for corpus score: moves {moved.preset} most, by {signed(moved.mean_effect)}")
    if comparison.segments:
        lines += ["", f"segments that differ most, of {comparison.segment_count}:"]
    for difference in comparison.segments:
        lines += [f"{difference.segment}: {_range_text(difference)}", f"  {_reason_text(difference)}"]
        if difference.evidence:
            lines.append(f"  {difference.evidence}")
    signatures = listing((preset.preset, preset.signature) for preset in comparison.presets)
    return "\n".join([*lines, "", "signatures:", signatures]) + "\n"


def comparison_json(comparison: Comparison, left_out: LeftOut) -> str:
    """One object, every number in full double precision."""
    data = {
        "presets": [_preset(preset) for preset in comparison.presets],
        "left_out": [
            {"preset": name, "resource": missing.name, "remedy": missing.remedy} for name, missing in left_out.items()
        ],
        "segment_count": comparison.segment_count,
        "spread": _difference(comparison.spread),
        "segments": [_difference(difference) for difference in comparison.segments],
    }
    return json_text(data, indent=1) + "\n"


def comparison_tsv(comparison: Comparison, left_out: LeftOut) -> str:  # noqa: ARG001 - notes tell it
    """A line of column names; a row for the corpus and for each segment under each preset.

    The columns after the signature describe the difference between the presets; all rows of a segment share them.
    """
    rows: list[Sequence[str]] = [TSV_COLUMNS]
    for preset in comparison.presets:
        numbers = [exact(getattr(preset.scored, name)) for name in NUMBERS]
        behind = [repr(preset.mean), preset.signature, *_difference_cells(comparison.spread)]
        rows.append(["corpus", preset.preset, *numbers, *behind])
    for difference in comparison.segments:
        for name, scored in difference.scored.items():
            numbers = [exact(getattr(scored, number)) for number in NUMBERS]
            rows.append([str(difference.segment), name, *numbers, "", "", *_difference_cells(difference)])
    return "".join(map(tsv_row, rows))


def _range_text(difference: Difference) -> str:
    lowest, highest = difference.lowest, difference.highest
    low, high = (difference.scored[name].score for name in (lowest, highest))
    return f"{difference.amount:.4f}, from {lowest} {low:.4f} to {highest} {high:.4f}"


def _reason_text(difference: Difference) -> str:
    """The reason, and the contributions that are not 0 in four digits."""
    if difference.reason is None:
        return "no reason found" if difference.amount > ROUNDING else "no difference"
    shown = [(part, signed(share)) for part, share in difference.contributions.items()]
    shares = ", ".join(f"{part} {share}" for part, share in shown if share != signed(0.0))
    return f"reason: {difference.reason} ({shares})"


def _difference_cells(difference: Difference) -> list[str]:
    shares = [difference.contributions.get(part) for part in PARTS]
    return [
        repr(difference.amount), difference.reason or "", *("" if share is None else repr(share) for share in shares),
    ]  # fmt: skip


def _preset(preset: Compared) -> dict[str, Any]:
    numbers = {name: getattr(preset.scored, name) for name in NUMBERS}
    return {
        "preset": preset.preset,
        **{name: None if isnan(value) else value for name, value in numbers.items()},
        "mean_segment_score": preset.mean,
        "mean_effect": preset.mean_effect,
        "optimal": preset.scored.optimal,
        "empty_hypotheses": preset.empty_hypotheses,
        "empty_references": preset.empty_references,
        "signature": preset.signature,
    }


def _difference(difference: Difference) -> dict[str, Any]:
    data: dict[str, Any] = {} if difference.segment is None else {"segment": difference.segment}
    data |= {
        "lowest": difference.lowest,
        "highest": difference.highest,
        "difference": difference.amount,
        "reason": difference.reason,
        "contributions": dict(difference.contributions),
        "scores": {name: scored.score for name, scored in difference.scored.items()},
    }
    if difference.text is not None:
        references, hypothesis = difference.text
        data |= {"evidence": difference.evidence, "hypothesis": hypothesis, "references": list(references)}
    return data
