"""Fit the numbers of METEOR 2026 to judgments of people, and test them on the year that was left out.

    python tools/fit_2026.py FOLDER

FOLDER has WMT's rankings (wmt13_rank, wmt14_rank), direct assessments (da/*.tsv.gz) and Flickr8k's captions
(caption/flickr8k_expert.jsonl.gz). A search begins with numbers that were found before, and goes up step by step: of
all parameters it moves the one that gains most, and ends where no move gains what its rule asks for. What is gained is
the mean over kinds of judgments (tau of rankings, Pearson of ratings, tau-c of captions), each the mean over its sets,
each of these the mean over its language pairs. All sets of a year are left out together: 2013 has rankings and ratings
of the same texts. Prints a line for each rule and year, with the numbers that it chose and the figures of the sets that
it did not see; the lines "nothing" have what it chose on everything. Statistics are kept in the cache folder, so that
a second run is shorter than the first one, which takes some ten minutes.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from meteorlib import Scorer
from meteorlib.arrays import Numbers
from meteorlib.config import load_preset
from meteorlib.config.changed import changed
from meteorlib.config.schema import ScorerConfig
from meteorlib.core.pair import Pair
from meteorlib.judge import Judged, Judgments, Ratings
from meteorlib.judge.kendall import Kendall
from meteorlib.judge.reading import Asked, Columns, read_judgments
from meteorlib.tuning.aligned import Aligned
from meteorlib.tuning.axes import axes_of

GRID = {
    "weights.floor": (0.05, 0.1, 0.15, 0.2),
    "weights.punctuation": (0.15, 0.25, 0.35),
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
START = (0.1, 0.25, 0.8, 0.5, 0.2, 0.25, 0.5, 0.6, 0.7, 0.9, 0.6, 0.4)
"""In the order of `GRID`, which has the values that are tried."""
FEW = ("weights.floor", "weights.punctuation", "alpha", "weight.stem", "weight.near")
REALIGNED = 2
"""The first two parameters are in the statistics of texts; the others are in the formula."""
TRANSLATIONS = ("rankings", "ratings")
KINDS = (*TRANSLATIONS, "captions")
RULES = {
    "start": ((), 1.0, KINDS),
    "translations, .001": (tuple(GRID), 1e-3, TRANSLATIONS),
    "translations, few, .0005": (FEW, 5e-4, TRANSLATIONS),
    "all, .001": (tuple(GRID), 1e-3, KINDS),
}
"""Which parameters may move, what a move must gain, and on which kinds of judgments."""

PUNCTUATION = frozenset({".", ",", ";", ":", "!", "?", "-", "--", "...", "'", "''", '"', "`", "``"})

Point = tuple[float, ...]


class Set(NamedTuple):
    """Judgments of one kind and year, of one or more language pairs."""

    name: str
    year: str
    kind: str
    judgments: tuple[Judgments, ...]

    def figure(self, scores: Sequence[Numbers]) -> float:
        """How well scores agree with the judgments: the mean over the language pairs."""
        agreement = {"rankings": tau, "ratings": pearson, "captions": tau_c}[self.kind]
        return float(np.mean([agreement(one, some) for one, some in zip(self.judgments, scores, strict=True)]))


def tau(judgments: Judgments, scores: Numbers) -> float:
    """WMT 2014's."""
    pairs = judgments.pairs
    return float(np.sign(scores[pairs.better] - scores[pairs.worse]) @ pairs.count / pairs.count.sum())


def pearson(judgments: Judgments, scores: Numbers) -> float:
    """Of scores and ratings."""
    return float(np.corrcoef(scores[judgments.ratings.text], judgments.ratings.value)[0, 1])


def tau_c(judgments: Judgments, scores: Numbers) -> float:
    """Of scores and ratings, each rating of a text by itself."""
    ratings = judgments.ratings
    return float(Kendall.of(scores[ratings.text], ratings.value)(np.ones((len(ratings), 1))).tau_c[0])


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


def plain(caption: str) -> str:
    """As the published figures of METEOR 1.5 take captions."""
    return " ".join(token for token in caption.lower().split() if token not in PUNCTUATION)


class Fit:
    """The agreement of all sets at points, which are computed once."""

    def __init__(self, sets: Sequence[Set], jobs: int) -> None:
        self.sets, self.jobs = sets, jobs
        self.base = load_preset("meteor-2026-en")
        named = [f"{name}={values[0]}" for name, values in GRID.items()]
        self.places = [axis.place for axis in axes_of(self.base, named)]
        self.known: dict[tuple[Point, str], float] = {}

    def config(self, point: Point) -> ScorerConfig:
        """The preset of a point."""
        return changed(self.base, dict(zip(self.places, point, strict=True)))

    def figure(self, point: Point, one: Set) -> float:
        """Of a set, with the alignments of the start's weights of stages."""
        if (point, one.name) not in self.known:
            parameters = self.config(point).formula_parameters()
            aligned = self._aligned((*point[:REALIGNED], *START[REALIGNED:]), one)
            self.known[point, one.name] = one.figure([part.scores([parameters])[0] for part in aligned])
        return self.known[point, one.name]

    def final(self, point: Point, names: Sequence[str]) -> Mapping[str, tuple[float, int]]:
        """Figure and concordant pairs of sets, their texts aligned with the preset of the point."""
        scorer, found = Scorer(self.config(point)), {}
        for one in self.sets:
            if one.name in names:
                aligned = [Aligned.of(scorer, [part], self.jobs) for part in one.judgments]
                scores = [part.scores([scorer.parameters])[0] for part in aligned]
                found[one.name] = one.figure(scores), concordant(one, scores)
        return found

    def gained(self, point: Point, without: str, kinds: Sequence[str]) -> float:
        """The objective, without a year."""
        found: dict[str, list[float]] = {}
        for one in self.sets:
            if one.year != without and one.kind in kinds:
                found.setdefault(one.kind, []).append(self.figure(point, one))
        return float(np.mean([np.mean(every) for every in found.values()]))

    def ascend(self, without: str, names: Sequence[str], least: float, kinds: Sequence[str]) -> Point:
        """From the start, the best move of one parameter after the other."""
        point, best = START, self.gained(START, without, kinds)
        while True:
            moves = [
                (*point[:place], value, *point[place + 1 :])
                for place, (name, values) in enumerate(GRID.items())
                for value in values
                if name in names and value != point[place]
            ]
            gains = [self.gained(move, without, kinds) - best for move in moves]
            if not moves or max(gains) < least:
                return point
            point = moves[int(np.argmax(gains))]
            best = self.gained(point, without, kinds)

    @cache  # noqa: B019 – lives as long as the program
    def _aligned(self, point: Point, one: Set) -> list[Aligned]:
        scorer = Scorer(self.config(point))
        return [Aligned.of(scorer, [part], self.jobs) for part in one.judgments]


def concordant(one: Set, scores: Sequence[Numbers]) -> int:
    """Pairs that are in the order of the people."""
    found = 0
    for part, some in zip(one.judgments, scores, strict=True):
        if (pairs := part.pairs) is not None:
            found += int(pairs.count[some[pairs.better] > some[pairs.worse]].sum())
    return found


def main() -> None:
    """Fit by each rule, without each year, and print what comes out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    sets = tuple(read_sets(arguments.folder))
    fit = Fit(sets, arguments.jobs)
    print("rule", "left out", *GRID, *(one.name for one in sets), "pairs", sep="\t")  # noqa: T201
    for rule, (names, least, kinds) in RULES.items():
        for year in ("nothing", *dict.fromkeys(one.year for one in sets)):
            point = fit.ascend(year, names, least, kinds)
            unseen = [one.name for one in sets if year in {"nothing", one.year}]
            final = fit.final(point, unseen)
            cells = [f"{final[one.name][0]:.4f}" if one.name in final else "" for one in sets]
            pairs = " ".join(str(count) for _, count in final.values() if count)
            print(rule, year, *point, *cells, pairs, sep="\t", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
