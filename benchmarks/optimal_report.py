"""Rate at which METEOR's beam misses the best alignment, and its effect: ``python -m benchmarks.optimal_report``.

Scores newstest2009 and the system outputs of WMT14 with ``meteor-1.5-en`` and ``meteor-1.5-en-optimal`` and prints the
differences as Markdown: alignments, scores, times, and the agreement with the human rankings of WMT14.
"""

from __future__ import annotations

import argparse
import gzip
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from statistics import fmean

from meteorlib.core.formula import penalize
from meteorlib.core.statistics import Statistics
from meteorlib.matchers.matcher import propose
from meteorlib.scorer import Scorer
from meteorlib.search.beam import Beam
from meteorlib.search.optimal.graph import Graph

PRESETS = ("meteor-1.5-en", "meteor-1.5-en-optimal")
PAIRS = ("fr-en", "de-en", "hi-en", "cs-en", "ru-en")

Row = tuple[float, float, int, int, int, bool, float, float]
"""Score by the beam, by the optimal search; what the beam misses of matched (half words), chunks, distance; whether the
best is proven; seconds of the two searches."""


@cache
def scorer(preset: str) -> Scorer:
    """One scorer a process."""
    return Scorer(preset, implementation="python")


def compare(pair: tuple[str, str]) -> Row:
    """Align and score one segment (reference, hypothesis) in both ways, in Python."""
    score = scorer(PRESETS[1])
    engine = score.engine
    reference, hypothesis = engine.read(pair[0]), engine.read(pair[1])
    candidates, words = propose(engine.matchers, reference, hypothesis), len(hypothesis.words)
    gains = [matcher.gain for matcher in engine.matchers]
    graph = Graph.of(candidates, words, gains, truncated=False)
    parts, seconds, scores, proven = [], [], [], True
    for search in (Beam(), engine.search):
        begin = time.process_time()
        found = search(candidates, words, gains)
        seconds.append(time.process_time() - begin)
        proven = found.optimal
        rest = graph.cost(found.matches)
        statistics = Statistics.of(reference, hypothesis, found.matches, len(gains))
        scores.append(score.breakdown(penalize(statistics, score.parameters)).score)
        parts.append((-(rest // graph.unit), rest % graph.unit // graph.chunk, rest % graph.chunk))
    (matched, chunks, distance), best = parts
    missed = best[0] - matched, chunks - best[1], distance - best[2]
    return scores[0], scores[1], *missed, proven, seconds[0], seconds[1]


def alignments(name: str, rows: Sequence[Row]) -> Iterable[str]:
    """Alignments that the beam misses, as lines of a table."""
    count = len(rows)
    fewer = [row for row in rows if row[2] > 0]
    chunks = [row for row in rows if row[2] == 0 and row[3] > 0]
    distance = [row for row in rows if row[2] == 0 and row[3] == 0 and row[4] > 0]
    worse = [row for row in rows if row[2:5] < (0, 0, 0)]
    changed = [row for row in rows if row[0] != row[1]]
    yield f"| | {name} |"
    yield "|---|---|"
    yield f"| segments | {count} |"
    yield f"| proven best | {sum(row[5] for row in rows)} ({sum(row[5] for row in rows) / count:.2%}) |"
    yield f"| beam misses (matched, chunks) | {len(fewer) + len(chunks)} ({(len(fewer) + len(chunks)) / count:.1%}) |"
    less = fmean(row[2] / 4 for row in fewer)
    yield f"| … fewer matched words than the best | {len(fewer)}, by {less:.2f} words a side |"
    histogram = Counter(row[3] for row in chunks)
    most = ", ".join(f"{missed}: {number}" for missed, number in sorted(histogram.items())[:6])
    yield f"| … as many, but more chunks | {len(chunks)} (chunks too many: {most}) |"
    yield f"| beam misses the distance only | {len(distance)} |"
    yield f"| beam better than the optimal search | {len(worse)} |"
    yield f"| score changes | {len(changed)} ({len(changed) / count:.1%}) |"
    if changed:
        ups = [row[1] - row[0] for row in changed if row[1] > row[0]]
        downs = [row[1] - row[0] for row in changed if row[1] < row[0]]
        yield f"| … up | {len(ups)}, by {fmean(ups):.4f} on average, {max(ups):.4f} at most |"
        yield f"| … down | {len(downs)}, by {-fmean(downs):.4f} on average, {-min(downs):.4f} at most |"
    yield f"| mean of segment scores | {fmean(row[0] for row in rows):.6f} → {fmean(row[1] for row in rows):.6f} |"
    beam, optimal = sum(row[6] for row in rows), sum(row[7] for row in rows)
    means = f"{beam / count * 1e6:.0f} → {optimal / count * 1e6:.0f}"
    yield f"| microseconds a segment (mean) | {means} ({optimal / beam:.1f} ×) |"
    middle = [sorted(row[column] for row in rows)[count // 2] * 1e6 for column in (6, 7)]
    yield f"| microseconds a segment (median) | {middle[0]:.0f} → {middle[1]:.0f} |"


def table(path: Path) -> list[list[str]]:
    """The rows of a gzipped TSV file, its head left out."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        return [line.removesuffix("\n").split("\t") for line in lines][1:]


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--shared", type=Path, default=Path(__file__).parents[2] / "shared")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--all", action="store_true", help="all outputs of WMT14, not only those that were judged")
    arguments = parser.parse_args()
    folder = arguments.shared / "data" / "newstest2009"
    references, hypotheses = (
        (folder / name).read_text("utf-8").split("\n")[:-1] for name in ("reference.en", "system1.en")
    )
    with ProcessPoolExecutor(arguments.processes) as pool:
        rows = list(pool.map(compare, zip(references, hypotheses, strict=True), chunksize=50))
        print("\n".join(alignments("newstest2009 system1", rows)), flush=True)
        totals = [
            scorer(preset).corpus(keep_segments=False).extend(references=references, hypotheses=hypotheses).score()
            for preset in PRESETS
        ]
        print(f"\nSystem score: {totals[0].score:.6f} → {totals[1].score:.6f}", flush=True)
        everything: list[Row] = []
        taus = []
        for name in PAIRS:
            tau, rows = wmt14(arguments.shared / "data" / "judgements" / "wmt14_rank", name, pool, arguments.all)
            taus.append(tau)
            everything += rows
    print("\n" + "\n".join(alignments("WMT14 into English" + (", all" if arguments.all else ", judged"), everything)))
    print(f"\n| tau | {' | '.join(PAIRS)} | mean |\n|---|{'---|' * (len(PAIRS) + 1)}")
    for column, preset in enumerate(PRESETS):
        values = [tau[column] for tau in taus]
        print(f"| {preset} | {' | '.join(f'{value:.4f}' for value in values)} | {fmean(values):.4f} |")


def wmt14(
    folder: Path, name: str, pool: ProcessPoolExecutor, everything: bool
) -> tuple[tuple[float, float], list[Row]]:
    """The taus of one language pair by both searches (metric ties count 0), and its segments."""
    references = {row[0]: row[2] for row in table(folder / f"{name}.segments.tsv.gz")}
    judged = table(folder / f"{name}.pairs.tsv.gz")
    needed = {(row[0], system) for row in judged for system in row[1:3]}
    outputs = [row for row in table(folder / f"{name}.hyps.tsv.gz") if everything or (row[0], row[1]) in needed]
    pairs = [(references[segment], hypothesis) for segment, _, hypothesis in outputs]
    distinct = list(dict.fromkeys(pairs))
    found = dict(zip(distinct, pool.map(compare, distinct, chunksize=50), strict=True))
    scores = {(row[0], row[1]): found[pair] for row, pair in zip(outputs, pairs, strict=True)}
    taus = []
    for column in (0, 1):
        agree = total = 0
        for segment, better, worse, count in judged:
            # METEOR writes every score in full, so ties are equal numbers
            above, below = scores[segment, better][column], scores[segment, worse][column]
            agree += int(count) * ((above > below) - (above < below))
            total += int(count)
        taus.append(agree / total)
    return (taus[0], taus[1]), [found[pair] for pair in distinct]


if __name__ == "__main__":
    main()
