"""One-line evidence of why two presets score the same segment differently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import isnan

from attrs import frozen

from meteorlib.core.alignment import Alignment
from meteorlib.core.breakdown import ScoreBreakdown

MAX_LISTED = 3
"""Number of pairs or words listed before the rest is only counted."""


@frozen
class PresetScore:
    """Score of a segment under one preset."""

    preset: str
    scored: ScoreBreakdown


def evidence(reason: str | None, lowest: PresetScore, highest: PresetScore) -> str:
    """Describe in one line how two breakdowns of a segment differ.

    Args:
        reason: the part of the configuration that contributes most to the difference.
        lowest: the score under the preset that gives the lowest one.
        highest: the score under the preset that gives the highest one.

    Returns:
        For ``stages``, the pairs that only one of them matches; for ``text``, the words that only one of them has; for
        ``search``, matches and chunks; for ``parameters``, F_mean and penalty. If the two use different references,
        these are named as well.
    """
    sides = (lowest, highest)
    seen = []
    if reason == "stages":
        seen += _only(sides, [_pairs(side.scored.alignment) for side in sides])
    elif reason == "text":
        seen += _only(sides, [_words(side.scored.alignment) for side in sides])
    elif reason == "search":
        seen += [f"{side.preset}: {_matched(side.scored)}" for side in sides]
    elif reason == "parameters":
        seen += [f"{side.preset}: {_formula(side.scored)}" for side in sides]
    if lowest.scored.reference_index != highest.scored.reference_index:
        seen += [f"{side.preset}: {_reference(side.scored)}" for side in sides]
    return "; ".join(seen)


def _only(sides: Iterable[PresetScore], found: list[Counter[str]]) -> list[str]:
    lowest, highest = found
    parts = []
    for side, more in zip(sides, (lowest - highest, highest - lowest), strict=True):
        names = list(more)
        if names:
            rest = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
            parts.append(f"only {side.preset}: {', '.join(names[:MAX_LISTED])}{rest}")
    return parts


def _pairs(alignment: Alignment | None) -> Counter[str]:
    """Matched pairs as text; equal words appear once, so a pair found by two matchers counts as the same."""
    if alignment is None:
        return Counter()
    return Counter(
        " ".join(reference) + ("" if reference == hypothesis else " – " + " ".join(hypothesis))
        for reference, hypothesis, _ in alignment.pairs()
    )


def _words(alignment: Alignment | None) -> Counter[str]:
    return Counter() if alignment is None else Counter(alignment.hypothesis) + Counter(alignment.reference)


def _matched(scored: ScoreBreakdown) -> str:
    statistics = scored.statistics
    matched = (statistics.hypothesis_matches + statistics.reference_matches) / 2
    return f"{matched:g} matched in {statistics.chunks} chunk{'' if statistics.chunks == 1 else 's'}"


def _formula(scored: ScoreBreakdown) -> str:
    f_mean, penalty = ("–" if isnan(value) else f"{value:.4f}" for value in (scored.f_mean, scored.penalty))
    crossing = f" (crossing {scored.crossing:.4f})" if scored.crossing else ""
    return f"F_mean {f_mean}, penalty {penalty}{crossing}"


def _reference(scored: ScoreBreakdown) -> str:
    return "mean of all references" if scored.reference_index is None else f"reference {scored.reference_index + 1}"
