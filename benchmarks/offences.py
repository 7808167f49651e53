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

import html
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from attrs import asdict, frozen

from benchmarks.process import markdown, options
from benchmarks.transformations import TRANSFORMATIONS, transform
from meteorlib.analysis.meta_evaluation import Asked, Judged, Judgments, read_judgments, sacrebleu_metric
from meteorlib.analysis.meta_evaluation.metrics import statistics_of
from meteorlib.analysis.results import METRICS
from meteorlib.arrays import Numbers
from meteorlib.cli.options import ScorerChoice
from meteorlib.core.segment import Pair
from meteorlib.errors import MeteorError
from meteorlib.inputs.formats import Dialect, open_table
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


def table_of(rows: Mapping[str, Row], title: str, digits: int) -> str:
    """A table in Markdown, with the number of texts of each row."""
    names = next((row.shares for row in rows.values() if row.shares), {})
    cells = (
        [kind, str(row.count)]
        + [f"{row.shares[name]:.{digits}f}".removeprefix("0") if row.shares else "–" for name in names]
        for kind, row in rows.items()
    )
    return markdown([title, "texts", *names], cells)


def main() -> None:
    """Score and print the tables."""
    parser = options(__doc__, shared=False)
    parser.add_argument("judgments", type=Path, help="folder of wmt14_rank and demetr")
    parser.add_argument("-p", "--preset", action="append", default=[], help="built-in preset; repeatable")
    parser.add_argument(
        "--config", action="append", default=[], metavar="FILE[:NAME]", help="preset from a YAML file; repeatable"
    )
    parser.add_argument("--metric", action="append", default=[], choices=METRICS, help="repeatable")
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
    print(table_of(offenses, "offense", 2), table_of(severities, "DEMETR", 3), sep="\n\n")
    if arguments.kinds:
        print("", table_of(kinds, "kind of error", 3), sep="\n")


PER_LANGUAGE_PAIR = 100
FEWEST_WORDS, MOST_WORDS = 8, 60
SEVERITIES = ("critical", "major", "minor")
NO_ERRORS = frozenset({"minor_id30_tokenized"})
"""Kinds of DEMETR that are no errors in the meaning or the language of the translation."""

_ENTITY = re.compile(r"& ?(amp|quot|apos|lt|gt|nbsp|# ?\d+) ?;")
_NEGATED = re.compile(r"\b(\w+) (n[’']t)\b")
_CLITIC = re.compile(r"(?<=\w) ([’'](?:s|m|d|re|ve|ll))\b", re.IGNORECASE)
_JOINED = re.compile(r" ?@([-,./])@ ?")


def decoded(text: str) -> str:
    """Decode entities, also torn ones, and undo what tokenizers leave in English text (``do n't``, ``@-@``)."""
    entities = _ENTITY.sub(lambda found: f"&{found[1].replace(' ', '')};", text)
    plain = _JOINED.sub(r"\1", html.unescape(html.unescape(entities)))
    plain = _CLITIC.sub(r"\1", _NEGATED.sub(r"\1\2", plain))
    return plain.replace("``", '"').replace("''", '"').replace("\N{NO-BREAK SPACE}", " ")


@frozen
class Example:
    """Reference of a segment, and the output that people ranked best among those that differ from it."""

    reference: str
    good: str


@frozen
class Row:
    """Shares of one kind by metric; `count` texts were scored, `unchanged` left out."""

    count: int
    shares: Mapping[str, float]
    unchanged: int = 0


def examples_of(judgments: Judgments, count: int = PER_LANGUAGE_PAIR) -> list[Example]:
    """Draw examples from rankings of one language pair; all of them if there are fewer.

    The best output has won the largest share of its comparisons; among equals, the most comparisons.
    """
    if judgments.pairs is None:
        raise ValueError(f"{judgments.name}: no rankings")
    size = len(judgments.texts)
    won, lost = np.zeros(size, np.int64), np.zeros(size, np.int64)
    np.add.at(won, judgments.pairs.better, judgments.pairs.count)
    np.add.at(lost, judgments.pairs.worse, judgments.pairs.count)
    best: dict[tuple[str, ...], tuple[float, int, Example]] = {}
    for text, wins, losses in zip(judgments.texts, won.tolist(), lost.tolist(), strict=True):
        example = Example(decoded(text.texts.references[0]), decoded(text.texts.hypothesis))
        length = len(example.reference.split())
        if not wins + losses or example.good == example.reference or not FEWEST_WORDS <= length <= MOST_WORDS:
            continue
        found = (wins / (wins + losses), wins, example)
        if text.segment not in best or found[:2] > best[text.segment][:2]:
            best[text.segment] = found
    chance = Random(judgments.name)  # noqa: S311 – reproducible, no secret
    drawn = chance.sample(sorted(best), min(count, len(best)))
    return [best[segment][2] for segment in drawn]


@frozen(eq=False)
class Offenses:
    """Texts of damaged references, and of the good outputs that they are compared with."""

    texts: Sequence[Pair]  # the good output of each example, then the damaged references
    kinds: Any  # transformation of each damaged reference
    places: Any  # example of each damaged reference
    size: int  # number of examples

    @classmethod
    def of(cls, examples: Sequence[Example]) -> Offenses:
        """Damage the reference of each example by each transformation that changes it."""
        references = [one.reference for one in examples]
        damaged: list[tuple[str, int, Pair]] = []
        for name in TRANSFORMATIONS:
            for place, reference in enumerate(references):
                text = transform(name, reference, references[:place] + references[place + 1 :])
                if text is not None:
                    damaged.append((name, place, Pair((reference,), text)))
        good = [Pair((one.reference,), one.good) for one in examples]
        return cls(
            texts=[*good, *(pair for _, _, pair in damaged)],
            kinds=np.array([name for name, _, _ in damaged]),
            places=np.array([place for _, place, _ in damaged], np.int64),
            size=len(examples),
        )

    def table(self, scores: Mapping[str, Numbers]) -> dict[str, Row]:
        """Share of damaged references above the good output, from the scores of `texts` by metric."""
        above = {}
        for name, found in scores.items():
            good, damaged = np.split(found, [self.size])
            above[name] = damaged > good[self.places]
        rows = _rows(self.kinds, list(TRANSFORMATIONS), above)
        return {name: Row(row.count, row.shares, self.size - row.count) for name, row in rows.items()}


@frozen(eq=False)
class Contrasts:
    """Translations of DEMETR, each followed by itself with one error of a kind."""

    texts: Sequence[Pair]
    kinds: Any

    @classmethod
    def read(cls, path: Path) -> Contrasts:
        """Read DEMETR's table, without kinds that are no errors."""
        table = open_table(str(path), Dialect())
        columns = ("perturbation", "reference", "translation", "perturbed")
        cells = [[str(cell) for cell in row] for _, row in table.rows(columns)]
        kept = [row for row in cells if row[0].startswith(SEVERITIES) and row[0] not in NO_ERRORS]
        texts = [Pair((decoded(ref),), decoded(hyp)) for _, ref, *both in kept for hyp in both]
        return cls(texts, np.array([row[0] for row in kept]))

    def table(self, scores: Mapping[str, Numbers]) -> dict[str, Row]:
        """Share of translations above the same with an error, by kind, from the scores of `texts` by metric."""
        right = {name: found[::2] > found[1::2] for name, found in scores.items()}
        return _rows(self.kinds, sorted({*self.kinds.tolist()}, key=_severity_and_number), right)


def severity_table(rows: Mapping[str, Row]) -> dict[str, Row]:
    """Mean over the kinds of error of each severity."""
    found = {}
    for severity in SEVERITIES:
        kinds = [row for name, row in rows.items() if name.startswith(severity)]
        names = kinds[0].shares if kinds else ()
        means = {name: float(np.mean([row.shares[name] for row in kinds])) for name in names}
        found[severity] = Row(sum(row.count for row in kinds), means)
    return found


def _rows(kinds: Any, names: Sequence[str], hits: Mapping[str, Any]) -> dict[str, Row]:
    found = {}
    for name in names:
        chosen = kinds == name
        count = int(chosen.sum())
        found[name] = Row(count, {metric: float(hit[chosen].mean()) for metric, hit in hits.items()} if count else {})
    return found


def _severity_and_number(kind: str) -> tuple[int, int]:
    severity, number, *_ = kind.split("_")
    return SEVERITIES.index(severity), int(number.removeprefix("id"))


if __name__ == "__main__":
    main()
