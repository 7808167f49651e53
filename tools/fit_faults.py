"""Choose the prices of faults in METEOR 2026: as few cheap offenses as possible at no cost in agreement with people.

    python -m tools.fit_faults FOLDER

FOLDER has the judgments of `tools.fit_2026` and ``demetr/demetr_odd.tsv.gz``. Starting without penalties for faults,
each step moves the one number that lowers the cost most, or two of them by one place each if no single move does. The
cost adds up how far offenses (`benchmarks.offences`) and DEMETR are from `GOALS` and what agreement is lost against
the start. Offenses and items of DEMETR at even places take part in the choice; the printed shares are of the others.
The choice is made on all sets, and again with each set left out in turn.

Prints five tables: the numbers chosen; agreement, minus that of the start; shares of the goals; and what each number
of the preset, and of the choice on all sets, is worth, each set back in turn. All texts are aligned once, with the
preset, and kept in the cache folder; a first run takes some minutes more.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from attrs import evolve, frozen

from benchmarks.damaged import Contrasts, Offenses, examples_of, severity_table
from benchmarks.offences import DEMETR
from meteorlib import Scorer
from meteorlib.analysis.meta_evaluation.metrics import statistics_of
from meteorlib.analysis.meta_evaluation.readers import Asked, read_judgments
from meteorlib.analysis.tuning.aligned_texts import AlignedTexts
from meteorlib.arrays import Numbers, rescored
from meteorlib.core.parameters import Parameters
from tools.fit_2026 import Set, concordant, read_sets

GRID: Mapping[str, tuple[float, ...]] = {
    "alpha": (0.65, 0.7, 0.75, 0.8),
    "beta": (0.35, 0.5, 0.65, 0.8),
    "gamma": (0.1, 0.15, 0.2, 0.25, 0.3),
    "crossing": (0.15, 0.2, 0.25, 0.3, 0.35),
    "crossing_beta": (0.35, 0.5, 0.65, 0.8, 1.0),
    "inversion": (0.0, 0.05, 0.1, 0.15, 0.2, 0.25),
    "swap": (0.0, 0.25, 0.5, 0.75, 1.0, 1.5),
    "omission": (0.0, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5),
    "repetition": (0.0, 1.0, 3.0, 5.0, 7.0, 9.0),
    "excess": (0.0, 0.05, 0.1, 0.15, 0.2),
    "number": (0.0, 0.05, 0.1, 0.15, 0.2, 0.25),
    "negation": (0.0, 0.02, 0.03, 0.04, 0.06),
    "start": (0.0, 0.02, 0.04, 0.06, 0.07, 0.08),
}
START = (0.75, 0.5, 0.2, 0.25, 0.5, *[0.0] * 8)
"""METEOR 2026 without penalties for faults, in the order of `GRID`."""

GOALS: Mapping[str, float] = {
    "neighbors swapped": 0.40,
    "shuffled": 0.15,
    "no function words": 0.30,
    "a number changed": 0.60,
    "twice": 0.10,
    "ten foreign words added": 0.70,
}
"""Greatest share of damaged references above the good output."""
SEVERITY_GOALS: Mapping[str, float] = {"critical": 0.96, "major": 0.94, "minor": 0.90}
"""Least share of right decisions on DEMETR."""
TOO_LOW = 0.04
"""Cost of a share that is already below its goal, so that between equals fewer offenses win."""

LOSS = 200.0
"""Cost of agreement lost in the mean of the sets: .001 is worth as much as a fifth of the offenses of a kind."""
KIND_TOLERANCE = 0.0003
"""Agreement that a kind of judgment may lose at no cost: less than what the published digits show."""
SET_TOLERANCE = 0.002
"""Agreement that a set may lose at no cost."""

Point = tuple[float, ...]


@frozen
class Outcome:
    """Agreement of a point by set, and its shares of goals on both halves of the texts."""

    agreement: Numbers
    seen: Mapping[str, float]
    unseen: Mapping[str, float]


class Choice:
    """Outcomes of points, computed once, and the search among them."""

    def __init__(self, preset: str, sets: Sequence[Set], offenses: Offenses, contrasts: Contrasts) -> None:
        scorer = Scorer(preset)
        self.sets, self.offenses, self.contrasts = sets, offenses, contrasts
        self.parameters = scorer.parameters
        self.preset: Point = tuple(getattr(self.parameters, name) for name in GRID)
        self.aligned = [[AlignedTexts.of(scorer, [part]) for part in one.judgments] for one in sets]
        self.counts = [statistics_of(scorer, texts.texts).counts for texts in (offenses, contrasts)]
        self.known: dict[Point, Outcome] = {}

    def outcomes(self, points: Sequence[Point]) -> list[Outcome]:
        """Outcomes of points, in their order."""
        new = sorted({*points} - {*self.known})
        if new:
            settings = [self.setting(point) for point in new]
            scores = [[part.scores(settings) for part in parts] for parts in self.aligned]
            damaged, translated = (rescored(counts, settings) for counts in self.counts)
            for at, point in enumerate(new):
                agreement = [
                    agreed(one, [part[at] for part in parts]) for one, parts in zip(self.sets, scores, strict=True)
                ]
                halves = [self._shares(damaged[at], translated[at], half) for half in (0, 1)]
                self.known[point] = Outcome(np.array(agreement), *halves)
        return [self.known[point] for point in points]

    def setting(self, point: Point) -> Parameters:
        """The parameters of a point."""
        return evolve(self.parameters, **dict(zip(GRID, point, strict=True)))

    def cost(self, outcome: Outcome, left_out: str) -> float:
        """Distance of a point from the goals, plus the agreement that it loses on the sets not left out."""
        over = [outcome.seen[name] - goal for name, goal in GOALS.items()]
        over += [goal - outcome.seen[name] for name, goal in SEVERITY_GOALS.items()]
        missed = sum(each if each > 0 else TOO_LOW * each for each in over)
        (start,) = self.outcomes([START])
        lost = {one: start.agreement[at] - outcome.agreement[at] for at, one in enumerate(self.sets)}
        seen = {one: loss for one, loss in lost.items() if one.name != left_out}
        kinds = [
            float(np.mean([loss for one, loss in seen.items() if one.kind == kind]))
            for kind in dict.fromkeys(one.kind for one in seen)
        ]
        excess = max(0.0, float(np.mean([*seen.values()])))
        excess += sum(max(0.0, loss - KIND_TOLERANCE) for loss in kinds) / 2
        excess += sum(max(0.0, loss - SET_TOLERANCE) for loss in seen.values()) / 2
        return missed + LOSS * excess

    def search(self, left_out: str) -> Point:
        """Coordinate descent from the start, with moves of two numbers where those of one gain nothing."""
        point = START
        (best,) = self._costs([point], left_out)
        while True:
            for moves in (single_moves(point), double_moves(point)):
                costs = self._costs(moves, left_out)
                if min(costs) < best - 1e-4:
                    best, point = min(zip(costs, moves, strict=True))
                    break
            else:
                return point

    def _costs(self, points: Sequence[Point], left_out: str) -> list[float]:
        return [self.cost(outcome, left_out) for outcome in self.outcomes(points)]

    def _shares(self, damaged: Numbers, translated: Numbers, half: int) -> dict[str, float]:
        offenses = part_of_offenses(self.offenses, half).table({"": self._kept(damaged, half)})
        contrasts = Contrasts([], self.contrasts.kinds[half::2])
        severities = severity_table(contrasts.table({"": translated.reshape(-1, 2)[half::2].reshape(-1)}))
        rows = {name: offenses[name] for name in GOALS} | severities
        return {name: row.shares.get("", float("nan")) for name, row in rows.items()}

    def _kept(self, damaged: Numbers, half: int) -> Numbers:
        good, rest = np.split(damaged, [self.offenses.size])
        return np.concatenate([good, rest[self.offenses.places % 2 == half]])


def part_of_offenses(offenses: Offenses, half: int) -> Offenses:
    """Damaged references of the examples at even places (0) or at odd ones (1)."""
    kept = offenses.places % 2 == half
    return Offenses([], offenses.kinds[kept], offenses.places[kept], offenses.size)


def agreed(one: Set, scores: Sequence[Numbers]) -> float:
    """Agreement as docs/human-judgment.md has it: of WMT13 the share of concordant pairs."""
    if one.name != "wmt13_rank":
        return one.figure(scores)
    return concordant(one, scores) / sum(int(part.pairs.count.sum()) for part in one.judgments if part.pairs)


def single_moves(point: Point) -> list[Point]:
    """Each number by itself to each of its other values."""
    moves = [moved(point, place, value) for place, values in enumerate(GRID.values()) for value in values]
    return [move for move in moves if move != point]


def double_moves(point: Point) -> list[Point]:
    """Two numbers, each to the next value above or below."""
    steps = []
    for place, values in enumerate(GRID.values()):
        at = values.index(point[place])
        steps += [(place, values[to]) for to in (at - 1, at + 1) if 0 <= to < len(values)]
    return [moved(moved(point, *one), *other) for one in steps for other in steps if one[0] < other[0]]


def moved(point: Point, place: int, value: float) -> Point:
    """The point with another value at a place."""
    return (*point[:place], value, *point[place + 1 :])


def print_row(*cells: object) -> None:
    """Print cells with tabs, numbers of agreement and shares by four digits."""
    print(*(f"{cell:.4f}" if isinstance(cell, float) else cell for cell in cells), sep="\t", flush=True)  # noqa: T201


def print_tables(choice: Choice, chosen: Mapping[str, Point]) -> None:
    """Numbers, agreement minus the start's, shares of goals, and the worth of each number."""
    print_row("left out", *GRID)
    for name, point in chosen.items():
        print_row(name, *map(str, point))
    (start,) = choice.outcomes([START])
    gains = {name: choice.outcomes([point])[0].agreement - start.agreement for name, point in chosen.items()}
    print_row("\nagreement", *(one.name for one in choice.sets), "mean")
    for name, gain in gains.items():
        print_row(name, *(float(each) for each in gain), float(np.mean(gain)))
    unseen = [float(gains[one.name][at]) for at, one in enumerate(choice.sets) if one.name in gains]
    print_row("each set left out", *unseen, float(np.mean(unseen)))
    print_row("\nshares", *GOALS, *SEVERITY_GOALS)
    for name, point in chosen.items():
        print_row(name, *choice.outcomes([point])[0].unseen.values())
    for chosen_by in ("the preset", "nothing"):
        point = chosen[chosen_by]
        print_row(f"\n{chosen_by}, set back", "mean", *GOALS, *SEVERITY_GOALS)
        for place, name in enumerate(GRID):
            if point[place] != START[place]:
                (outcome,) = choice.outcomes([moved(point, place, START[place])])
                print_row(name, float(np.mean(outcome.agreement - start.agreement)), *outcome.unseen.values())


def main() -> None:
    """Choose on all sets and without each, and print what comes out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--preset", default="meteor-2026-en", help="preset that aligns the texts (default: %(default)s)"
    )
    arguments = parser.parse_args()
    rankings = read_judgments(str(arguments.folder / "wmt14_rank"), Asked())
    offenses = Offenses.of([example for one in rankings for example in examples_of(one)])
    contrasts = Contrasts.read(arguments.folder / DEMETR)
    choice = Choice(arguments.preset, tuple(read_sets(arguments.folder)), offenses, contrasts)
    chosen = {"start": START, "the preset": choice.preset}
    for name in ("nothing", *(one.name for one in choice.sets)):
        chosen[name] = choice.search(name)
    print_tables(choice, chosen)


if __name__ == "__main__":
    main()
