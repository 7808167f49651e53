"""Comparison of systems: scores with confidence intervals, and paired significance tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, stdev
from typing import get_args

from meteorlib.analysis.results import (
    Compared,
    Difference,
    Pair,
    System,
    SystemComparison,
    Test,
    significant,
)
from meteorlib.analysis.significance.measures import CorpusScore, MeanScore
from meteorlib.analysis.significance.outputs import Output, segment_scores
from meteorlib.analysis.significance.pairs import pair_tests, paired_test, passes
from meteorlib.analysis.significance.pvalues import changes, holm, interval, ranks
from meteorlib.analysis.significance.resampling import bootstrap_scores, summable
from meteorlib.arrays import Numbers
from meteorlib.core.breakdown import reduce_breakdowns
from meteorlib.corpus.corpus import Corpus
from meteorlib.errors import InputMismatch, UnknownName

SAMPLES = 10_000
SEED = 12_345
"""Default random seed, the same as sacrebleu's."""

Outputs = Mapping[str, Sequence[Output]]
Progress = Callable[[int, int], object]
"""Callback that receives the number of samples done and their total."""


def compare_systems(
    systems: Mapping[str, Corpus | Output | Sequence[Corpus | Output]],
    *,
    baseline: str | None = None,
    test: Test | None = "randomization",
    compared: Compared = "corpus",
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = 0.95,
    progress: Progress | None = None,
) -> SystemComparison:
    """Compare systems scored by one METEOR variant on the same segments.

    Nothing is scored again. Intervals come from bootstrap resampling; `docs/many-systems.md` has the formulas.

    Args:
        systems: corpus of each system by name, with its segments kept; a list if a system has several runs.
        baseline: name of the system that the others are tested against; None for the first.
        test: the paired test; None for none.
        compared: ``corpus`` compares corpus scores, ``mean`` the means of the segments' scores.
        samples: number of bootstrap samples for the intervals, and of shuffles for the randomization test.
        seed: random seed, 0 or more.
        confidence: confidence level of the intervals, between 0 and 1.
        progress: callback, called periodically with the number of samples done and their total.

    Raises:
        InputMismatch: systems differ in their METEOR variant or number of segments; a corpus is empty or does not keep
            its segments; there is no system, or one has no output.
        UnknownName: the baseline, the test or the score to compare is unknown.
        ValueError: `samples` is less than 2, `seed` is negative, or `confidence` is not between 0 and 1.
    """
    outputs = {name: _outputs(name, given) for name, given in systems.items()}
    baseline = next(iter(outputs), "") if baseline is None else baseline
    _check(outputs, baseline, test, compared)
    _check_numbers(samples, seed, confidence)
    corpus = next(iter(outputs.values()))[0].corpus
    measure = CorpusScore(corpus.parameters) if compared == "corpus" else MeanScore(len(corpus))
    columns = {name: [summable(measure.columns(one.arrays)) for one in listed] for name, listed in outputs.items()}
    runs = {name: tuple(one.run() for one in listed) for name, listed in outputs.items()}
    scores = {name: [measure.of(run) for run in listed] for name, listed in runs.items()}
    advance = _progress_counter(progress, samples * passes(columns, test))

    resampled = bootstrap_scores(columns, measure, samples, seed, advance)
    means = {name: listed.mean(axis=0) for name, listed in resampled.items()}
    pairs: tuple[Pair, ...] = ()
    if test is not None and len(outputs) > 1:
        p_value = paired_test(test, columns, means, measure, samples, seed, advance)
        mean_scores = {name: fmean(listed) for name, listed in scores.items()}
        pairs = pair_tests(mean_scores, baseline, p_value, means, confidence)
    differences = _differences(outputs, baseline, scores, resampled, pairs, confidence)
    ranked = _system_ranks(scores, pairs, confidence)
    found = [
        System(
            name,
            listed[0].scored if len(listed) == 1 else reduce_breakdowns([run.scored for run in listed], "mean"),
            fmean([run.mean_segment_score for run in listed]),
            listed,
            fmean(scores[name]),
            interval(resampled[name].mean(axis=0), confidence),
            float(resampled[name].std(axis=1, ddof=1).mean()),
            stdev(scores[name]) if len(listed) > 1 else None,
            differences.get(name),
            ranked.get(name),
        )
        for name, listed in runs.items()
    ]
    return SystemComparison(
        tuple(found), baseline, compared, test, samples, seed, confidence, pairs, len(corpus), str(corpus.signature)
    )


def _differences(
    outputs: Outputs,
    baseline: str,
    scores: Mapping[str, Sequence[float]],
    resampled: Mapping[str, Numbers],
    pairs: Sequence[Pair],
    confidence: float,
) -> dict[str, Difference]:
    """Difference of each other system from the baseline."""
    others = [name for name in outputs if name != baseline]
    found = {frozenset((pair.system, pair.other)): pair.p for pair in pairs}
    p_values = [found[frozenset((name, baseline))] for name in others] if pairs else []
    adjusted = holm(p_values)
    segments = {name: segment_scores(listed) for name, listed in outputs.items()}
    return {
        name: Difference(
            fmean(scores[name]) - fmean(scores[baseline]),
            interval(resampled[name].mean(axis=0) - resampled[baseline].mean(axis=0), confidence),
            p_values[place] if pairs else None,
            adjusted[place] if pairs else None,
            changes(segments[name], segments[baseline]),
        )
        for place, name in enumerate(others)
    }


def _system_ranks(scores: Mapping[str, Sequence[float]], pairs: Sequence[Pair], confidence: float) -> dict[str, int]:
    """Rank of each system; empty without tests."""
    if not pairs:
        return {}
    names = list(scores)
    differ = {frozenset((pair.system, pair.other)) for pair in pairs if significant(pair.p, confidence)}
    found = ranks(
        [fmean(listed) for listed in scores.values()],
        lambda one, other: frozenset((names[one], names[other])) in differ,
    )
    return dict(zip(names, found, strict=True))


def _outputs(name: str, given: Corpus | Output | Sequence[Corpus | Output]) -> tuple[Output, ...]:
    listed = [given] if isinstance(given, Corpus | Output) else given
    try:
        outputs = tuple(one if isinstance(one, Output) else Output.of(one) for one in listed)
    except InputMismatch as error:
        raise InputMismatch(f"system {name!r}: {error}") from None
    if not outputs:
        raise InputMismatch(f"system {name!r} has no output")
    return outputs


def _check(outputs: Outputs, baseline: str, test: str | None, compared: str) -> None:
    if not outputs:
        raise InputMismatch("there is no system to compare")
    if baseline not in outputs:
        raise UnknownName("system", baseline, outputs)
    if test is not None and test not in get_args(Test):
        raise UnknownName("test", test, get_args(Test))
    if compared not in get_args(Compared):
        raise UnknownName("score to compare", compared, get_args(Compared))
    (first, one), *others = ((name, output.corpus) for name, listed in outputs.items() for output in listed)
    for name, other in others:
        if other.signature.numbers != one.signature.numbers:
            raise InputMismatch(
                f"systems must be scored by the same METEOR: {first!r} by {one.signature}, "
                f"{name!r} by {other.signature}"
            )
        if len(other) != len(one):
            raise InputMismatch(
                f"systems must have the same number of segments: {first!r} has {len(one)}, {name!r} has {len(other)}"
            )


def _check_numbers(samples: int, seed: int, confidence: float) -> None:
    if samples < 2:
        raise ValueError(f"samples must be at least 2, got {samples}")
    if seed < 0:
        raise ValueError(f"seed must not be negative, got {seed}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, got {confidence}")


def _progress_counter(progress: Progress | None, total: int) -> Callable[[int], None]:
    done = 0

    def advance(more: int) -> None:
        nonlocal done
        done += more
        if progress is not None:
            progress(done, total)

    return advance
