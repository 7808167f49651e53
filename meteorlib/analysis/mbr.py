"""Choice among outputs for one input: by minimum Bayes risk, the one that agrees best with the others; the oracle.

S. Kumar and W. Byrne, "Minimum Bayes-Risk Decoding for Statistical Machine Translation", HLT-NAACL 2004, with METEOR as
the gain and the samples themselves as references.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum, inf

from attrs import frozen

from meteorlib.core.segment import Pair
from meteorlib.display.displayable import Grid, Tabular, numbered
from meteorlib.errors import InputMismatch
from meteorlib.scorer import Scorer
from meteorlib.text.validation import references_of, texts_of

__all__ = ["Choice", "choose", "oracle"]


@frozen
class Choice(Tabular):
    """The chosen sample.

    Attributes:
        index: index of the chosen sample; the first one if several are equally good.
        text: text of the chosen sample.
        expected: expected score of each sample, 0..1; of an oracle, its score against the references.
    """

    _facts = "index text"

    index: int
    text: str
    expected: tuple[float, ...]

    def _grids(self) -> list[Grid]:
        return [numbered(self.expected, "expected")]


def choose(
    samples: Iterable[str],
    scorer: Scorer | None = None,
    *,
    weights: Sequence[float] | None = None,
    threads: int = 1,
) -> Choice:
    """Choose the sample with the highest expected score against all samples, itself included.

    Args:
        samples: outputs for the same input; repeated samples count once per repetition.
        scorer: scorer that computes the gain; None for the default preset.
        weights: probability of each sample, on any scale; None for equal weights.
        threads: see `Scorer.matrix`.

    Raises:
        InputMismatch: there are no samples, or their number differs from that of the weights.
        TypeError: `samples` is a single string.
        ValueError: a weight is negative or not finite, or all are zero; `threads` is less than 1.
    """
    samples = _checked(samples)
    weights = [1.0] * len(samples) if weights is None else weights
    if len(weights) != len(samples):
        raise InputMismatch(f"{len(samples)} samples but {len(weights)} weights: each sample needs its own")
    if min(weights) < 0 or not 0 < sum(weights) < inf:
        raise ValueError("weights must be finite and not negative, and at least one must be above 0")
    total = fsum(weights)
    distinct = list(dict.fromkeys(samples))
    mass = dict.fromkeys(distinct, 0.0)
    for sample, weight in zip(samples, weights, strict=True):
        mass[sample] += weight
    scores = (scorer or Scorer()).matrix(hypotheses=distinct, references=distinct, threads=threads)
    expected = {
        hypothesis: fsum(score * mass[reference] for score, reference in zip(row, distinct, strict=True)) / total
        for hypothesis, row in zip(distinct, scores, strict=True)
    }
    return _best(samples, expected)


def oracle(samples: Iterable[str], references: str | Iterable[str], scorer: Scorer | None = None) -> Choice:
    """Choose the sample with the highest score against the references: the best that reranking could reach.

    Args:
        samples: outputs for the same input, such as an n-best list; of equally good ones the first is chosen.
        references: the reference, or several.
        scorer: scorer; None for the default preset.

    Raises:
        InputMismatch: there are no samples, or no references.
        TypeError: `samples` is a single string.
    """
    samples = _checked(samples)
    given = [*references_of(references)]
    distinct = [*dict.fromkeys(samples)]
    scored = (scorer or Scorer()).breakdowns([Pair(given, sample) for sample in distinct])
    expected = {sample: breakdown.score for sample, breakdown in zip(distinct, scored, strict=True)}
    return _best(samples, expected)


def _checked(samples: Iterable[str]) -> Sequence[str]:
    checked = texts_of(samples, "samples")
    if not checked:
        raise InputMismatch("there is no sample to choose from")
    return checked


def _best(samples: Sequence[str], expected: Mapping[str, float]) -> Choice:
    # max keeps the first of equals
    best = max(samples, key=expected.__getitem__)
    return Choice(samples.index(best), best, tuple(expected[sample] for sample in samples))
