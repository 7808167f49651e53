"""Fit the numbers of METEOR 2026 to judgments of people, and test them on the year that was left out.

    python -m tools.fit_2026 FOLDER

FOLDER has WMT's rankings (wmt13_rank, wmt14_rank), direct assessments (da/*.tsv.gz) and Flickr8k's captions
(caption/flickr8k_expert.jsonl.gz). What is fitted is the mean over the sets: tau of rankings, Pearson of ratings, tau-c
of captions, each the mean over its language pairs. From numbers that were found before, of all parameters the one is
moved that gains most, one after the other, until no move gains anything. Then standard errors decide how many of the
moves are made: the fewest after which the last ones gain no more than one standard error of their gain, or two
(jackknife over tenths of the segments). So what is not certain stays as it was. All sets of a year are left out
together: 2013 has rankings and ratings of the same texts. Prints lines for each year: with no move, with all, with
those of two and of one standard error; each has the numbers and the figures of the sets that were not seen; the lines
"nothing" have what is chosen on everything. Statistics are kept in the cache folder, so that a second run is shorter
than the first one, which takes eight minutes.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np
from attrs import evolve

from meteorlib import Scorer
from meteorlib.analysis.meta_evaluation import Judged, Judgments, Ratings
from meteorlib.analysis.meta_evaluation.kendall import Kendall
from meteorlib.analysis.meta_evaluation.readers import Asked, Columns, read_judgments
from meteorlib.analysis.tuning.aligned_texts import AlignedTexts
from meteorlib.analysis.tuning.axes import axes_of
from meteorlib.arrays import Numbers
from meteorlib.config import load_preset
from meteorlib.config.overrides import override
from meteorlib.config.schema import ScorerConfig
from meteorlib.core.pair import Pair
from meteorlib.core.parameters import FAULTS

GRID = {
    "weights.floor": (0.05, 0.1, 0.15, 0.2),
    "weights.punctuation": (0.15, 0.25, 0.35),
    "case": (0.8, 0.9, 1.0),
    "alpha": (0.7, 0.75, 0.8, 0.85),
    "beta": (0.35, 0.5, 0.65),
    "gamma": (0.1, 0.15, 0.2, 0.25),
    "crossing": (0.2, 0.25, 0.3),
    "crossing_beta": (0.35, 0.5, 0.65),
    "weight.stem": (0.4, 0.6, 0.8),
    "weight.synonym": (0.6, 0.7, 0.8),
    "weight.joined": (0.8, 0.9, 1.0),
    "weight.paraphrase": (0.5, 0.6, 0.7),
    "weight.near": (0.3, 0.4, 0.5, 0.6),
}
START = (0.1, 0.25, 1.0, 0.8, 0.5, 0.2, 0.25, 0.5, 0.6, 0.7, 0.9, 0.6, 0.4)
"""In the order of `GRID`, which has the values that are tried."""
REALIGNED = 3
"""The first three parameters are in the statistics of texts; the others are in the formula."""
FOLDS = 10
"""Parts of the segments, each of which is left out once for a standard error."""
ALL = -1
"""No part is left out."""
LEAST = 1e-6
"""Minimum gain of a move: more than rounding errors."""

PUNCTUATION = frozenset({".", ",", ";", ":", "!", "?", "-", "--", "...", "'", "''", '"', "`", "``"})

Point = tuple[float, ...]


class Set(NamedTuple):
    """Judgments of one kind and year, of one or more language pairs."""

    name: str
    year: str
    kind: str
    judgments: tuple[Judgments, ...]

    def figure(self, scores: Sequence[Numbers], fold: int = ALL) -> float:
        """Agreement of scores with the judgments, without one fold of the segments; a mean over the language pairs."""
        agreement = {"rankings": tau, "ratings": pearson, "captions": tau_c}[self.kind]
        return float(np.mean([agreement(one, some, fold) for one, some in zip(self.judgments, scores, strict=True)]))


@cache
def folds(judgments: Judgments) -> Numbers:
    """The part of each text; those of a segment are in the same one."""
    places = {segment: place for place, segment in enumerate(sorted({text.segment for text in judgments.texts}))}
    return np.array([places[text.segment] % FOLDS for text in judgments.texts])


def tau(judgments: Judgments, scores: Numbers, fold: int) -> float:
    """WMT 2014's."""
    pairs = judgments.pairs
    counted = pairs.count * (folds(judgments)[pairs.better] != fold)
    return float(np.sign(scores[pairs.better] - scores[pairs.worse]) @ counted / counted.sum())


def pearson(judgments: Judgments, scores: Numbers, fold: int) -> float:
    """Pearson's correlation of scores and ratings."""
    ratings = judgments.ratings
    kept = folds(judgments)[ratings.text] != fold
    return float(np.corrcoef(scores[ratings.text[kept]], ratings.value[kept])[0, 1])


def tau_c(judgments: Judgments, scores: Numbers, fold: int) -> float:
    """Kendall's tau-c of scores and ratings, each rating of a text by itself."""
    ratings = judgments.ratings
    kept = (folds(judgments)[ratings.text] != fold)[:, np.newaxis].astype(float)
    return float(Kendall.of(scores[ratings.text], ratings.value)(kept).tau_c[0])


def read_sets(folder: Path) -> Iterator[Set]:
    """All English sets."""
    for year in ("2013", "2014"):
        name = f"wmt{year[2:]}_rank"
        yield Set(name, year, "rankings", tuple(read_judgments(str(folder / name), Asked())))
    columns = Columns(human="human_z")
    for year, name, languages in (
        ("2013", "naacl15_newstest2013_da", "cs de es fr ru"),
        ("2015", "wmt15_daseg", "cs de fi ru"),
        ("2016", "wmt16_daseg", "cs de fi ro ru tr"),
    ):
        asked = Asked(columns=columns, lps=tuple(f"{language}-en" for language in languages.split()))
        yield Set(name, year, "ratings", tuple(read_judgments(str(folder / "da" / f"{name}.tsv.gz"), asked)))
    yield Set("flickr8k", "captions", "captions", (captions(folder / "caption" / "flickr8k_expert.jsonl.gz"),))


def captions(path: Path) -> Judgments:
    """Captions that are no references, in lowercase and without punctuation, with the ratings of three experts each."""
    texts, values = [], []
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        for caption in map(json.loads, lines):
            if not caption["in_references"]:
                references = tuple(map(plain, caption["references"]))
                pair = Pair(references, plain(caption["hypothesis"]))
                texts.append(Judged(caption["image"], caption["caption_id"], pair))
                values.append(caption["expert"])
    places = np.repeat(np.arange(len(texts)), [len(each) for each in values])
    return Judgments("en", tuple(texts), ratings=Ratings(places, np.concatenate(values).astype(float)))


def without_faults(config: ScorerConfig) -> ScorerConfig:
    """The configuration without penalties for faults, which were chosen after this fit."""
    parameters = evolve(config.parameters, **dict.fromkeys(FAULTS, 0.0))
    weights = config.weights and evolve(config.weights, function=0.0)
    return evolve(config, parameters=parameters, weights=weights, negations=None)


def plain(caption: str) -> str:
    """As the published figures of METEOR 1.5 take captions."""
    return " ".join(token for token in caption.lower().split() if token not in PUNCTUATION)


class Fit:
    """The agreement of all sets at points, which are computed once."""

    def __init__(self, sets: Sequence[Set], jobs: int) -> None:
        self.sets, self.jobs = sets, jobs
        self.base = without_faults(load_preset("meteor-2026-en"))
        named = [f"{name}={values[0]}" for name, values in GRID.items()]
        self.places = [axis.place for axis in axes_of(self.base, named)]
        self.known: dict[tuple[Point, str, int], float] = {}

    def config(self, point: Point) -> ScorerConfig:
        """The preset of a point."""
        return override(self.base, dict(zip(self.places, point, strict=True)))

    def figure(self, point: Point, one: Set, fold: int = ALL) -> float:
        """Agreement on a set, with the alignments of the starting stage weights."""
        if (point, one.name, fold) not in self.known:
            self.learn([point], one, (ALL,) if fold == ALL else range(FOLDS))
        return self.known[point, one.name, fold]

    def learn(self, points: Sequence[Point], one: Set, parts: Sequence[int] = (ALL,)) -> None:
        """The figures of points; those that have the same alignments are rescored together."""
        new = sorted(point for point in points if (point, one.name, parts[0]) not in self.known)
        for first, same in groupby(new, lambda point: point[:REALIGNED]):
            together = list(same)
            settings = [self.config(point).formula_parameters() for point in together]
            aligned = self._aligned((*first, *START[REALIGNED:]), one)
            for point, *scores in zip(together, *(part.scores(settings) for part in aligned), strict=True):
                for part in parts:
                    self.known[point, one.name, part] = one.figure(scores, part)

    def final(self, point: Point, names: Sequence[str]) -> Mapping[str, tuple[float, int]]:
        """Figure and concordant pairs of sets, their texts aligned with the preset of the point."""
        scorer, found = Scorer(self.config(point)), {}
        for one in self.sets:
            if one.name in names:
                aligned = [AlignedTexts.of(scorer, [part], self.jobs) for part in one.judgments]
                scores = [part.scores([scorer.parameters])[0] for part in aligned]
                found[one.name] = one.figure(scores), concordant(one, scores)
        return found

    def gained(self, point: Point, without: str, fold: int = ALL) -> float:
        """The objective, without a year, and without a part of the segments."""
        return float(np.mean([self.figure(point, one, fold) for one in self.sets if one.year != without]))

    def ascend(self, without: str) -> list[Point]:
        """The start, and where each best move of one parameter leads to."""
        points, best = [START], self.gained(START, without)
        while True:
            point = points[-1]
            moves = [
                (*point[:place], value, *point[place + 1 :])
                for place, values in enumerate(GRID.values())
                for value in values
                if value != point[place]
            ]
            for one in self.sets:
                if one.year != without:
                    self.learn(moves, one)
            gains = [self.gained(move, without) for move in moves]
            if max(gains) < best + LEAST:
                return points
            points.append(moves[int(np.argmax(gains))])
            best = max(gains)

    def certain(self, points: Sequence[Point], without: str, errors: int) -> Point:
        """The first point whose distance from the last one is at most `errors` standard errors."""
        for point in points:
            gain = self.gained(points[-1], without) - self.gained(point, without)
            parts = [
                self.gained(points[-1], without, fold) - self.gained(point, without, fold) for fold in range(FOLDS)
            ]
            if gain <= errors * np.sqrt((FOLDS - 1) * np.var(parts)):
                return point
        return points[-1]

    @lru_cache(maxsize=60)  # noqa: B019 – lives as long as the program
    def _aligned(self, point: Point, one: Set) -> list[AlignedTexts]:
        scorer = Scorer(self.config(point))
        return [AlignedTexts.of(scorer, [part], self.jobs) for part in one.judgments]


def concordant(one: Set, scores: Sequence[Numbers]) -> int:
    """Pairs that are in the order of the people."""
    found = 0
    for part, some in zip(one.judgments, scores, strict=True):
        if (pairs := part.pairs) is not None:
            found += int(pairs.count[some[pairs.better] > some[pairs.worse]].sum())
    return found


def main() -> None:
    """Fit without each year, and print what comes out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    sets = tuple(read_sets(arguments.folder))
    fit = Fit(sets, arguments.jobs)
    print("moves", "left out", *GRID, *(one.name for one in sets), "pairs", sep="\t")  # noqa: T201
    for year in ("nothing", *dict.fromkeys(one.year for one in sets)):
        points = fit.ascend(year)
        unseen = [one.name for one in sets if year in {"nothing", one.year}]
        made = {"none": START, "all": points[-1]}
        made |= {f"{errors} standard errors": fit.certain(points, year, errors) for errors in (2, 1)}
        for moves, point in made.items():
            final = fit.final(point, unseen)
            cells = [f"{final[one.name][0]:.4f}" if one.name in final else "" for one in sets]
            pairs = " ".join(str(count) for _, count in final.values() if count)
            print(moves, year, *point, *cells, pairs, sep="\t", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
