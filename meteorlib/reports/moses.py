"""Alignments in the format of Moses: ``i-j`` for each pair of words."""

from __future__ import annotations

from meteorlib.core.alignment import Alignment


def moses_line(alignment: Alignment) -> str:
    """Pairs *reference*-*hypothesis*, ascending, positions from 0; matched phrases give every pair of their words."""
    pairs = sorted(
        (reference, hypothesis)
        for match in alignment.matches
        for reference in range(match.reference_start, match.reference_start + match.reference_length)
        for hypothesis in range(match.hypothesis_start, match.hypothesis_start + match.hypothesis_length)
    )
    return " ".join(f"{reference}-{hypothesis}" for reference, hypothesis in pairs)
