"""A drop-in for PyMETEOR: METEOR 2005 with exact, case-sensitive matches of whitespace-separated words.

``import meteorlib.integrations.pymeteor as pymeteor`` replaces ``import pymeteor.pymeteor as pymeteor``. Three faults
of PyMETEOR are fixed: words are matched one to one, so recall cannot exceed 1; the alignment is searched, not
enumerated, which would not end for long sentences; and chunks are adjacent in both sentences, as its description says,
while its code looks only at the candidate. Its newer version puts an underscore before the
names of the steps: both names exist here. Its classes ``Point`` and ``Line``, used to count crossings, do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import isnan

from attrs import evolve

from meteorlib.config import load_preset
from meteorlib.core import ScoreBreakdown
from meteorlib.core.formula import FORMULA
from meteorlib.scorer import Scorer

__all__ = [
    "calculate_chunks",
    "calculate_meteor",
    "calculate_penalty",
    "harmonic_mean",
    "meteor",
    "unigram_precision",
    "unigram_recall",
]


def meteor(reference: str, candidate: str, print_details: bool = False) -> float:
    """Compute the METEOR score of `candidate`, 0..1.

    Args:
        reference: words separated by white space.
        candidate: words separated by white space.
        print_details: whether to print both sentences and the formula with its numbers.
    """
    scored = _score(reference, candidate)
    if print_details:
        for line in _details(scored):
            print(line)  # noqa: T201 – this is what was asked for
    return scored.score


def unigram_precision(reference: str, candidate: str) -> float:
    """Number of matched words divided by the words of `candidate`; 0 if it has none."""
    return _number(_score(reference, candidate).precision)


def unigram_recall(reference: str, candidate: str) -> float:
    """Number of matched words divided by the words of `reference`; 0 if it has none."""
    return _number(_score(reference, candidate).recall)


def harmonic_mean(precision: float, recall: float) -> float:
    """Weighted harmonic mean 10PR / (R + 9P); 0 if both are 0."""
    config = _scorer().config
    return FORMULA.weighted_mean(precision, recall, config.parameters.alpha, config.formula)


def calculate_chunks(reference: str, candidate: str) -> tuple[int, int]:
    """Number of chunks and number of matched words (c and u_m)."""
    statistics = _score(reference, candidate).statistics
    return statistics.chunks, statistics.hypothesis_matches


def calculate_penalty(reference: str, candidate: str) -> float:
    """Penalty ½ (c / u_m)³; 0 if nothing matches."""
    return _number(_score(reference, candidate).penalty)


def calculate_meteor(f_mean: float, penalty: float) -> float:
    """METEOR score F_mean · (1 − penalty)."""
    return FORMULA.penalized_score(f_mean, penalty)


def _unigram_precision_and_recall(reference: str, candidate: str) -> tuple[float, float]:
    return unigram_precision(reference, candidate), unigram_recall(reference, candidate)


_unigram_precision = unigram_precision
_unigram_recall = unigram_recall
_harmonic_mean = harmonic_mean
_calculate_chunks = calculate_chunks
_calculate_penalty = calculate_penalty
_calculate_meteor = calculate_meteor


@cache
def _scorer() -> Scorer:
    return Scorer(evolve(load_preset("meteor-2005-exact"), text="none"))


def _score(reference: str, candidate: str) -> ScoreBreakdown:
    return _scorer().score([reference] if isinstance(reference, str) else reference, candidate)


def _number(value: float) -> float:
    return 0.0 if isnan(value) else value  # PyMETEOR has 0 where METEOR has no value


def _details(scored: ScoreBreakdown) -> Iterator[str]:
    alignment, statistics = scored.alignment, scored.statistics
    assert alignment is not None  # noqa: S101 – a single reference always leaves its alignment
    yield f'Reference: "{" ".join(alignment.reference)}"'
    yield f'Candidate: "{" ".join(alignment.hypothesis)}"'
    if not statistics.hypothesis_matches:
        yield "Reference and candidate sentences have no matching unigrams."
        return
    precision, recall = f"Precision: {scored.precision:.4f}", f"Recall: {scored.recall:.4f}"
    f_mean, fragmentation = f"Fmean: {scored.f_mean:.4f}", f"Fragmentation: {scored.fragmentation:.4f}"
    yield f"Score: {scored.score:.4f} = {f_mean} * (1 - Penalty: {scored.penalty:.4f})"
    yield f"{f_mean} = 10 * {precision} * {recall} / ({recall} + 9 * {precision})"
    yield f"Penalty: {scored.penalty:.4f} = 0.5 * ({fragmentation} ^3)"
    yield f"{fragmentation} = Chunks: {statistics.chunks:.4f} / Matches: {statistics.hypothesis_matches:.4f} "
