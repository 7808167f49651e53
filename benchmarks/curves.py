"""Time as a function of segment length and of corpus size, as a plot: ``python -m benchmarks.curves FILE.svg``.

Segments of a given length are cut out of real text, one sentence behind another.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from pathlib import Path

from benchmarks.texts import Pair, load_pairs
from meteorlib import Scorer

LENGTHS = (5, 10, 20, 40, 80, 160, 320, 640)
SIZES = (1_000, 2_000, 4_000, 8_000, 16_000)
WORDS = 20_000


def cut(pairs: Iterable[Pair], length: int) -> list[Pair]:
    """Pairs of exactly `length` words on both sides."""
    sides = [[word for pair in pairs for word in pair[side].split()] for side in (0, 1)]
    count = min(map(len, sides)) // length
    return [
        (" ".join(sides[0][n * length : (n + 1) * length]), " ".join(sides[1][n * length : (n + 1) * length]))
        for n in range(count)
    ]


def seconds(scorer: Scorer, pairs: Iterable[Pair]) -> float:
    """How long it takes to score `pairs`."""
    begin = time.perf_counter()
    for hypothesis, reference in pairs:
        scorer.score(reference, hypothesis)
    return time.perf_counter() - begin


def main() -> None:
    """Measure, print and draw."""
    import matplotlib as mpl  # noqa: PLC0415 – an extra of the developers

    mpl.use("svg")
    from matplotlib import pyplot  # noqa: PLC0415

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--preset", default="meteor-1.5-en")
    parser.add_argument("--shared", type=Path, default=Path(__file__).parents[2] / "shared")
    arguments = parser.parse_args()
    pairs = load_pairs(arguments.shared, max(SIZES) + 4_000)
    scorer = Scorer(arguments.preset)
    seconds(scorer, pairs[:4_000])
    fresh = pairs[4_000:]
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.6))
    by_length = []
    for length in LENGTHS:
        pieces = cut(fresh[:4_000], length)[: max(WORDS // length, 20)]
        by_length.append(seconds(scorer, pieces) / len(pieces) * 1e6)
        print(f"{length:>5} words: {by_length[-1]:>9.1f} µs a segment")
    left.loglog(LENGTHS, by_length, "o-")
    left.set(xlabel="words of a segment", ylabel="µs a segment", title=arguments.preset)
    by_size = [seconds(Scorer(arguments.preset), fresh[:size]) for size in SIZES]
    for size, taken in zip(SIZES, by_size, strict=True):
        print(f"{size:>6} segments: {taken:.2f} s")
    right.plot(SIZES, by_size, "o-")
    right.set(xlabel="segments", ylabel="s", title="a new scorer", ylim=(0, None), xlim=(0, None))
    figure.tight_layout()
    figure.savefig(arguments.file, metadata={"Date": None})


if __name__ == "__main__":
    main()
