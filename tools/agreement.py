"""Measure agreement with people: the tables of docs/human-judgment.md, in Markdown.

    python -m tools.agreement FOLDER [PART …]

FOLDER has the judgments of `tools.fit_2026`, ``hter/mlqe_pe.tsv.gz`` and ``mqm/ted21_en-de.tsv.gz``. Without a PART,
all of `PARTS` are measured. Intervals are from paired bootstrap resampling of segments with 1,000 samples (captions,
200). ROUGE-L needs `rouge-score`. Scores are kept in the cache folder.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from attrs import evolve

from meteorlib import Scorer
from meteorlib.analysis.meta_evaluation import (
    Figure,
    Judgments,
    Metric,
    meta_evaluate,
    meteor,
    sacrebleu_metric,
)
from meteorlib.analysis.meta_evaluation.metrics import Scored
from meteorlib.analysis.meta_evaluation.readers import Asked, Columns, read_judgments
from meteorlib.arrays import Numbers
from meteorlib.config import load_preset
from meteorlib.config.schema import ParameterConfig, ScorerConfig, SearchConfig
from tools.fit_2026 import GRID, START, Fit, Set, read_sets, without_faults

EN, CORE, STRICT = "meteor-2026-en", "meteor-2026-en-core", "meteor-2026-en-strict"
METEOR = "meteor-1.5-en"
OTHERS = ("meteor-1.5-en-optimal", METEOR, "meteor-2005", "nltk")
METRICS = ("chrf++", "chrf", "ROUGE-L", "ter", "bleu")

CHANGES: Mapping[str, Callable[[ScorerConfig], ScorerConfig]] = {
    "no faults": lambda one: evolve(without_faults(one), parameters=_start(without_faults(one).parameters)),
    "norm": lambda one: evolve(one, text="norm"),
    "no case": lambda one: evolve(one, case=None, parameters=evolve(one.parameters, start=0.0)),
    "width 40": lambda one: evolve(one, search=SearchConfig("weighted", evolve(one.search.settings, width=40))),
    "no paraphrases": lambda one: evolve(one, stages=[each for each in one.stages if each.matcher != "paraphrase"]),
    "repetition 0": lambda one: evolve(one, parameters=evolve(one.parameters, repetition=0.0)),
}
"""Changes of presets that the page compares; ``NAME, CHANGE`` is the preset NAME with one of them."""

STATISTICS: Mapping[str, str] = {
    "rankings": "tau_wmt14",
    "ratings": "pearson",
    "captions": "tau_c",
    "tasks": "spearman",
}
"""Statistic of each kind of judgments; `ACCURACY` of WMT13, as docs/human-judgment.md has it."""
ACCURACY = "wmt13_rank"

LEFT_OUT: Mapping[str, Mapping[str, float]] = {
    "2014": {"case": 0.8, "alpha": 0.7, "weights.punctuation": 0.15},
    "2013": {"case": 0.8, "alpha": 0.7, "weight.synonym": 0.8},
    "2015": {"case": 0.8, "alpha": 0.7},
    "2016": {"case": 0.8, "alpha": 0.7, "weights.punctuation": 0.15},
    "captions": {"case": 0.8, "weights.floor": 0.15},
}
"""Numbers that `tools.fit_2026` moves without each year, by two standard errors."""

Row = Sequence[object]


def _start(parameters: ParameterConfig) -> ParameterConfig:
    return evolve(parameters, alpha=0.75, beta=0.5)


def configuration(name: str) -> ScorerConfig:
    """A preset, one with a change, or ``without YEAR``: the fit that did not see the year."""
    if name.startswith("without "):
        moved = dict(zip(GRID, START, strict=True)) | LEFT_OUT[name.removeprefix("without ")]
        return evolve(Fit((), 1).config(tuple(moved.values())), name=name)
    preset, _, change = name.partition(", ")
    return evolve(CHANGES[change](load_preset(preset)), name=name) if change else load_preset(preset)


def measured(judgments: Sequence[Judgments], name: str) -> Metric:
    """Score judged texts with a METEOR or another metric."""
    if name == "ROUGE-L":
        return Metric(name, tuple(Scored(_rouge(one)) for one in judgments))
    if name in METRICS:
        return sacrebleu_metric(name, judgments)
    return meteor(Scorer(configuration(name)), judgments, name=name)


def _rouge(judgments: Judgments) -> np.ndarray:
    from rouge_score.rouge_scorer import RougeScorer  # noqa: PLC0415 – for this metric only

    scorer = RougeScorer(["rougeL"], use_stemmer=True)
    texts = [text.texts for text in judgments.texts]
    return np.array([scorer.score_multi(references, hypothesis)["rougeL"].fmeasure for references, hypothesis in texts])


@cache
def _metric(one: Set, name: str) -> Metric:
    return measured(one.judgments, name)


def compared(one: Set, names: Sequence[str]) -> Mapping[str, Figure]:
    """Figure of each metric on a set, with its difference from the first metric."""
    samples = 200 if one.kind == "captions" else 1000
    found = meta_evaluate(one.judgments, [_metric(one, name) for name in names], samples=samples)
    level = "pairs" if one.kind == "rankings" else "ratings"
    statistic = "accuracy" if one.name == ACCURACY else STATISTICS[one.kind]
    table = found.tables[0] if len(one.judgments) == 1 else None
    table = table or found.table("pooled" if one.name == ACCURACY else "mean", level)
    return {name: table[name].figures[statistic] for name in names}


def english(folder: Path) -> Iterator[Row]:
    """Agreement on the six English sets, and what METEOR 2026 is ahead of METEOR 1.5 and chrF++."""
    sets = tuple(read_sets(folder))
    names = [EN, CORE, STRICT, f"{EN}, no faults", f"{EN}, no case", *OTHERS, *METRICS]
    yield from _differences(sets, "", names, figures=True)
    for baseline in (METEOR, "chrf++"):
        yield from _differences(sets, baseline, [EN, CORE, "meteor-1.5-en-optimal"])


def faults(folder: Path) -> Iterator[Row]:
    """Differences made by penalties for faults, the text mode, case, the search's width and paraphrases."""
    sets = tuple(read_sets(folder))
    yield from _differences(sets, f"{EN}, no faults", [EN, STRICT])
    yield from _differences(sets, f"{CORE}, no faults", [CORE])
    changes = ("norm", "no case", "width 40", "no paraphrases")
    yield from _differences(sets, EN, [f"{EN}, {change}" for change in changes])


def _differences(sets: Sequence[Set], baseline: str, names: Sequence[str], *, figures: bool = False) -> Iterator[Row]:
    """A row for each metric: figures, or differences from a baseline, by set and in the mean of the sets.

    The interval of the mean takes the sets as independent.
    """
    yield (f"− {baseline}" if baseline else "", *(one.name for one in sets), "mean")
    found = [compared(one, [*filter(None, [baseline]), *names]) for one in sets]
    for name in names:
        cells = [each[name] for each in found]
        if figures:
            values = [cell.value for cell in cells]
            yield (name, *values, float(np.mean(values)))
        else:
            changes = [*map(change_of, cells)]
            value, low, high = np.transpose(changes)
            half = float(np.sqrt(np.sum((high - low) ** 2))) / 2 / len(changes)
            mean = float(value.mean())
            yield (name, *changes, (mean, mean - half, mean + half))


def years(folder: Path) -> Iterator[Row]:
    """Fits without each year on the sets of that year, against METEOR 1.5 and chrF++."""
    yield "", "figure", f"− {METEOR}", "− chrf++"
    for one in read_sets(folder):
        name = f"without {one.year}"
        found = [compared(one, [baseline, name])[name] for baseline in (METEOR, "chrf++")]
        yield one.name, found[0].value, *(change_of(each) for each in found)


def by_language(folder: Path) -> Iterator[Row]:
    """Tau on WMT14 by language pair."""
    (one,) = (one for one in read_sets(folder) if one.name == "wmt14_rank")
    names = [EN, CORE, *OTHERS, *METRICS]
    found = meta_evaluate(one.judgments, [_metric(one, name) for name in names], samples=2)
    tables = [found.table(part.name, "pairs") for part in one.judgments]
    yield "", *(table.name for table in tables)
    for name in names:
        yield name, *(table[name].figures["tau_wmt14"].value for table in tables)


def unseen(folder: Path) -> Iterator[Row]:
    """MLQE-PE, on which nothing was chosen."""
    columns = Columns(human="da_z_mean", references=("post_edit_reference",), segments=("split", "segment_id"))
    lps = tuple(f"{language}-en" for language in ("et", "ne", "ro", "ru", "si"))
    judgments = read_judgments(str(folder / "hter" / "mlqe_pe.tsv.gz"), Asked(columns=columns, lps=lps))
    names = [EN, CORE, STRICT, f"{EN}, no faults", f"{EN}, no case", METEOR, "chrf++"]
    chance = np.random.default_rng(1)
    weights = [
        chance.multinomial(len(one.ratings), [1 / len(one.ratings)] * len(one.ratings), 1000) for one in judgments
    ]
    weights = [np.vstack([np.ones(each.shape[1]), each]) for each in weights]  # the first row is the original
    found = {}
    for name in names:
        scores = [scored.scores for scored in measured(judgments, name).scored]
        parts = [
            weighted_pearson(each[one.ratings.text], one.ratings.value, weight)
            for each, one, weight in zip(scores, judgments, weights, strict=True)
        ]
        found[name] = np.mean(parts, axis=0)
    yield "", "Pearson", f"− {METEOR}", "− chrf++"
    for name, values in found.items():
        changes = [values - found[baseline] for baseline in (METEOR, "chrf++")]
        yield name, float(values[0]), *((one[0], *np.percentile(one[1:], (2.5, 97.5))) for one in changes)


def weighted_pearson(first: Numbers, second: Numbers, weights: Numbers) -> Numbers:
    """Pearson correlation under each row of weights; everything that `meta_evaluate` computes would take an hour."""
    total = weights.sum(1)
    first, second = first - first.mean(), second - second.mean()
    means = weights @ first / total, weights @ second / total
    product = weights @ (first * second) / total - means[0] * means[1]
    return product / np.sqrt(
        (weights @ first**2 / total - means[0] ** 2) * (weights @ second**2 / total - means[1] ** 2)
    )


def change_of(figure: Figure) -> tuple[float, float, float] | None:
    """Difference from the baseline with its interval."""
    found = figure.difference
    return found and (found.value, found.interval.low, found.interval.high)


def modern(folder: Path) -> Iterator[Row]:
    """TED talks into German, with experts' MQM: single segments and pairs of systems."""
    columns = Columns(human="mqm", segments=("doc", "segment_id"))
    judgments = read_judgments(str(folder / "mqm" / "ted21_en-de.tsv.gz"), Asked(columns=columns))
    names = ["meteor-2026-de", "meteor-2026-de-full", "meteor-1.5-de-core", "chrf++", "chrf", "bleu"]
    found = meta_evaluate(judgments, [measured(judgments, name) for name in names], samples=2)
    yield "", "Pearson", "pairs of systems"
    for name in names:
        figures = [found.table("en-de", level)[name].figures for level in ("ratings", "systems")]
        yield name, figures[0]["pearson"].value, figures[1]["accuracy"].value


PARTS: Mapping[str, Callable[[Path], Iterator[Row]]] = {
    "faults": faults,
    "years": years,
    "unseen": unseen,
    "modern": modern,
    "english": english,
    "by-language": by_language,
}


def markdown(row: Row) -> str:
    """Format a row: figures by four digits, differences with their interval."""
    return "| " + " | ".join(map(_cell, row)) + " |"


def _cell(cell: object) -> str:
    if isinstance(cell, tuple):
        value, low, high = (_digits(f"{number:+.4f}") for number in cell)
        return f"{value} [{low}, {high}]"
    if isinstance(cell, float):
        return _digits(f"{cell:.4f}")
    return "–" if cell is None else str(cell)


def _digits(number: str) -> str:
    return number.replace("0.", ".", 1).replace("-", "−")


def print_rows(description: str | None, part: Callable[[Path], Iterator[Row]]) -> None:
    """Measure a part with the folder that the command line names, and print its rows."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    for row in part(parser.parse_args().folder):
        print(markdown(row), flush=True)  # noqa: T201


def main() -> None:
    """Measure the parts asked for, and print their tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    arguments = parser.parse_args()
    if unknown := {*arguments.parts} - {*PARTS}:
        parser.error(f"unknown part: {', '.join(sorted(unknown))}; parts are {', '.join(PARTS)}")
    for name in arguments.parts or PARTS:
        print(f"\n## {name}\n", flush=True)  # noqa: T201
        for row in PARTS[name](arguments.folder):
            print(markdown(row), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
