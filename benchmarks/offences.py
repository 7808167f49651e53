"""Cheap offenses: how often a damaged reference still scores above a good translation.

    python -m benchmarks.offences JUDGMENTS -p meteor-2026-en -p meteor-1.5-en --metric bleu --metric chrf

JUDGMENTS is a folder with ``wmt14_rank`` and ``demetr/demetr_odd.tsv.gz``. References of newstest2014 into English, 100
of each language pair, are damaged by each of the transformations of `benchmarks.transformations`. The first table has
the share of them that still score above the output that people ranked best for the segment; fewer is better. References
that a transformation does not change are left out. The second table is of DEMETR, a set of translations that are given
with one error each: the share of those scored above the same translation with the error, as mean over the kinds of
error of each severity; a tie is wrong.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from attrs import asdict

from benchmarks.damaged import Contrasts, Offenses, Row, examples_of, severity_table
from meteorlib.analysis.meta_evaluation import Asked, Judged, Judgments, read_judgments, sacrebleu_metric
from meteorlib.analysis.meta_evaluation.metrics import statistics_of
from meteorlib.analysis.meta_evaluation.sacrebleu import SACREBLEU
from meteorlib.arrays import Numbers
from meteorlib.cli.options import ScorerChoice
from meteorlib.core.segment import Pair
from meteorlib.errors import MeteorError
from meteorlib.scorer import Scorer

Measure = Callable[[Sequence[Pair]], Numbers]
"""Texts with their references → a score of each, higher is better."""

DEMETR = Path("demetr", "demetr_odd.tsv.gz")
"""In a folder of judgments."""


def measures_of(presets: Sequence[str], configs: Sequence[str], metrics: Sequence[str]) -> dict[str, Measure]:
    """Metrics by name; scores are cached on disk."""
    scorers = [
        *(ScorerChoice(name).scorer() for name in presets),
        *(ScorerChoice(config=name).scorer() for name in configs),
    ]
    found: dict[str, Measure] = {scorer.config.name: partial(_meteor_scores, scorer) for scorer in scorers}
    return found | {name: partial(_sacrebleu_scores, name) for name in metrics}


def _meteor_scores(scorer: Scorer, texts: Sequence[Pair]) -> Numbers:
    return statistics_of(scorer, texts).scores


def _sacrebleu_scores(name: str, texts: Sequence[Pair]) -> Numbers:
    judgments = Judgments("", tuple(Judged((), "", pair) for pair in texts))
    return sacrebleu_metric(name, [judgments]).scored[0].scores


def markdown(rows: Mapping[str, Row], title: str, digits: int) -> str:
    """Format a table in Markdown, with the number of texts of each row."""
    names = next((row.shares for row in rows.values() if row.shares), {})
    lines = [f"| {title} | texts | " + " | ".join(names) + " |", "|---|---:|" + "---:|" * len(names)]
    for kind, row in rows.items():
        cells = [f"{row.shares[name]:.{digits}f}".removeprefix("0") if row.shares else "–" for name in names]
        lines.append(f"| {kind} | {row.count} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Score and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("judgments", type=Path, help="folder of wmt14_rank and demetr")
    parser.add_argument("-p", "--preset", action="append", default=[], help="built-in preset; repeatable")
    parser.add_argument(
        "--config", action="append", default=[], metavar="FILE[:NAME]", help="preset from a YAML file; repeatable"
    )
    parser.add_argument("--metric", action="append", default=[], choices=SACREBLEU, help="repeatable")
    parser.add_argument("--kinds", action="store_true", help="also each kind of error of DEMETR")
    parser.add_argument("--json", action="store_true", help="print JSON, with all tables")
    arguments = parser.parse_args()
    if not (arguments.preset or arguments.config or arguments.metric):
        parser.error("name a METEOR by --preset or --config, or another metric by --metric")
    try:
        measures = measures_of(arguments.preset, arguments.config, arguments.metric)
        rankings = read_judgments(str(arguments.judgments / "wmt14_rank"), Asked())
        offenses, kinds = (
            texts.table({name: measure(texts.texts) for name, measure in measures.items()})
            for texts in (
                Offenses.of([example for one in rankings for example in examples_of(one)]),
                Contrasts.read(arguments.judgments / DEMETR),
            )
        )
    except MeteorError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    severities = severity_table(kinds)
    if arguments.json:
        tables = {"offenses": offenses, "demetr": severities, "kinds": kinds}
        print(json.dumps({name: {kind: asdict(row) for kind, row in rows.items()} for name, rows in tables.items()}))
        return
    print(markdown(offenses, "offense", 2), markdown(severities, "DEMETR", 3), sep="\n\n")
    if arguments.kinds:
        print("", markdown(kinds, "kind of error", 3), sep="\n")


if __name__ == "__main__":
    main()
