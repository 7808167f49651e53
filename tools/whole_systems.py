"""Measure how well scores of whole systems agree with the shares of judged pairs that they won, in WMT13 and WMT14.

    python -m tools.whole_systems FOLDER

FOLDER has WMT's rankings (wmt13_rank, wmt14_rank). Prints Pearson correlations and the share of pairs of systems in
order, by language pair: for METEOR of the corpus score and of the mean of the segment scores, for other metrics of the
mean.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from meteorlib.analysis.meta_evaluation import Judged, Judgments, Metric, Scored, meta_evaluate
from meteorlib.analysis.meta_evaluation.readers import Asked, read_judgments
from meteorlib.core.pair import Pair
from tools.agreement import CORE, EN, METEOR, Row, measured, print_rows

METEORS, OTHERS = (EN, CORE, METEOR), ("chrf++", "bleu")


def systems(folder: Path) -> Iterator[Row]:
    """Scores of all outputs against the share of its judged pairs that each system won, by language pair."""
    for year in ("wmt13_rank", "wmt14_rank"):
        judged = [
            Judgments(part.name, outputs(folder / year, part.name), systems=shares_won(part))
            for part in read_judgments(str(folder / year), Asked())
        ]
        metrics = [measured(judged, name) for name in (*METEORS, *OTHERS)]
        means = [tuple(Scored(each.scores) for each in one.scored) for one in metrics[: len(METEORS)]]
        metrics += [Metric(f"{name}, mean", scored) for name, scored in zip(METEORS, means, strict=True)]
        found = meta_evaluate(judged, metrics, samples=2)
        for statistic in ("pearson", "accuracy"):
            tables = [table for table in found.tables if table.name != "pooled"]
            yield f"{year}, {statistic}", *(table.name for table in tables)
            for one in metrics:
                yield one.name, *(table[one.name].figures[statistic].value for table in tables)


def outputs(folder: Path, lp: str) -> tuple[Judged, ...]:
    """All outputs of the systems of a language pair, also those that nobody judged."""
    rows = {}
    for part in ("segments", "hyps"):
        with gzip.open(folder / f"{lp}.{part}.tsv.gz", "rt", encoding="utf-8", newline="\n") as lines:
            rows[part] = [line.removesuffix("\n").split("\t") for line in lines][1:]
    references = {row[0]: row[2] for row in rows["segments"]}
    return tuple(Judged(segment, system, Pair((references[segment],), text)) for segment, system, text in rows["hyps"])


def shares_won(judgments: Judgments) -> Mapping[str, float]:
    """Share of its judged pairs that each system won."""
    pairs, authors = judgments.pairs, judgments.authors
    won, lost = np.zeros(authors.max() + 1), np.zeros(authors.max() + 1)
    np.add.at(won, authors[pairs.better], pairs.count)
    np.add.at(lost, authors[pairs.worse], pairs.count)
    names = {text.system: int(place) for text, place in zip(judgments.texts, authors, strict=True)}
    return {name: won[at] / (won[at] + lost[at]) for name, at in names.items() if won[at] + lost[at]}


if __name__ == "__main__":
    print_rows(__doc__, systems)
