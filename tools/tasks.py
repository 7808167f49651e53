"""Measure agreement with ratings of summaries and of data to text: Spearman correlations with single texts.

    python -m tools.tasks FOLDER

FOLDER has ``beyond_mt/*.jsonl.gz``. Prints tables in Markdown, with 95% intervals of differences from bootstrap
resampling of items with 200 samples.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from meteorlib.analysis.meta_evaluation import Judged, Judgments, Ratings, meta_evaluate
from meteorlib.core.pair import Pair
from tools.agreement import EN, METEOR, Row, change_of, measured, print_rows

SUMMARY = "meteor-2026-en-summary"
TASKS: Mapping[str, tuple[str, ...]] = {
    "summeval": ("relevance", "coherence", "consistency", "fluency"),
    "webnlg2017_odd": ("semantics", "grammar", "fluency"),
    "bagel": ("informativeness", "naturalness", "quality"),
    "sfres": ("informativeness", "naturalness", "quality"),
}
"""Ratings of each file in ``beyond_mt``, the main one first."""


def tasks(folder: Path) -> Iterator[Row]:
    """Spearman correlations with ratings of summaries and of data to text."""
    names = [EN, SUMMARY, METEOR, "chrf++", f"{EN}, no faults", f"{EN}, repetition 0", f"{EN}, norm"]
    for file, ratings in TASKS.items():
        for rating in ratings:
            yield f"{file} {rating}", ""
            yield from _against([rated(folder, file, rating)], names, [METEOR, "chrf++"])


def rated(folder: Path, file: str, rating: str) -> Judgments:
    """The texts of a file in ``beyond_mt`` with one of its ratings."""
    with gzip.open(folder / "beyond_mt" / f"{file}.jsonl.gz", "rt", encoding="utf-8", newline="\n") as lines:
        rows = [*map(json.loads, lines)]
    texts = tuple(Judged(str(row["item"]), "", Pair(tuple(row["references"]), row["hypothesis"])) for row in rows)
    values = np.array([row[rating] for row in rows], float)
    return Judgments(file, texts, ratings=Ratings(np.arange(len(rows)), values))


def _against(judgments: Sequence[Judgments], names: Sequence[str], baselines: Sequence[str]) -> Iterator[Row]:
    """A row for each metric: its figure, and its difference from each baseline."""
    metrics = [measured(judgments, name) for name in names]
    found = [meta_evaluate(judgments, metrics, baseline=name, samples=200) for name in baselines]
    yield "", "Spearman", *(f"− {name}" for name in baselines)
    for name in names:
        figures = [one.table(judgments[0].name, "ratings")[name].figures["spearman"] for one in found]
        yield name, figures[0].value, *map(change_of, figures)


if __name__ == "__main__":
    print_rows(__doc__, tasks)
