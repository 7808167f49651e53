"""A meta-evaluation of random tables is what their rows give by definition, to the last digits.

The tables have ties, ratings that come again, rows and columns in any order, decimals, numbers near 1e15 and tiny ones.
"""

from __future__ import annotations

import csv
from collections import Counter
from itertools import combinations
from math import isnan, sqrt
from random import Random

import numpy as np
import pytest

from meteorlib.analysis.meta_evaluation import Asked, Columns, meta_evaluate, read_judgments, read_metric
from tests.analysis.meta_evaluation.by_definition import (
    Fraction,
    Texts,
    centered_p,
    ends,
    of_pairs,
    of_ratings,
    of_systems,
    pearson,
    system_means,
    thresholds,
)
from tests.examples import many

PARTS = 6
"""Parts of the random tables, so that processors share them."""

SAMPLES, CONFIDENCE = 7, 0.6
METRICS = ("one", "two")

RATINGS = (
    lambda random: str(random.randint(0, 4)),
    lambda random: str(random.randint(0, 12) / 10),
    lambda random: repr(round(random.gauss(0, 1), random.randint(1, 9))),
    lambda random: str(10**15 + random.randint(0, 9)),
    lambda random: f"{random.randint(-3, 3)}e-60",
)
SCORES = (
    lambda random: str(random.randint(0, 3)),
    lambda random: str(random.randint(0, 10) / 10),
    lambda random: repr(random.random()),
    lambda random: repr(-random.randint(0, 5) / 7),
)


def random_rows(random, lps):
    """A row for each rating of a text; all rows of a text have its scores."""
    complete, several = random.random() < 0.6, random.random() < 0.6
    rating, score = random.choice(RATINGS), random.choice(SCORES)
    for lp in lps:
        systems, segments = random.randint(1, 4), random.randint(2, 5)
        lengths = random.choices((1, 2, 5, 9), k=segments)
        for segment in range(segments):
            for system in range(systems):
                if complete or random.random() < 0.7:
                    text = {"lp": lp, "segment": f"s{segment}", "system": f"m{system}"}
                    text |= {"reference": "a" * lengths[segment], "hypothesis": f"{segment} {system}"}
                    text["hypothesis"] += "a" * random.choice((0, 0, 3, 7))
                    text |= {metric: score(random) for metric in METRICS}
                    for _ in range(random.randint(1, 3) if several else 1):
                        yield {**text, "human": rating(random)}


def random_pairs(random, texts):
    """Judgments of two texts of a segment, some of them both ways, and how often each was made."""
    found = Counter()
    for one, other in combinations(texts.means, 2):
        if one[0] == other[0]:
            for _ in range(random.randint(0, 2)):
                found[tuple(random.sample([one, other], 2))] += random.randint(1, 3)
    return [(better, worse, count) for (better, worse), count in found.items()]


def write(path, rows, random):
    """A TSV file with rows and columns in a random order."""
    with path.open("w", encoding="utf-8", newline="") as file:
        columns = random.sample([*rows[0]], len(rows[0]))
        table = csv.DictWriter(file, columns, delimiter="\t", lineterminator="\n")
        table.writeheader()
        table.writerows(random.sample(rows, len(rows)))
    return str(path)


def sets_of(texts, seed):
    """The test set as it is, and those that are drawn."""
    drawn = np.random.default_rng(seed).integers(len(texts.segments), size=(SAMPLES, len(texts.segments)))
    return [dict.fromkeys(texts.segments, 1)] + [
        {segment: row.count(place) for place, segment in enumerate(texts.segments)} for row in drawn.tolist()
    ]


def near(*numbers):
    return pytest.approx(numbers, rel=1e-11, abs=1e-11)


def check(table, results, epsilons, baseline):
    """Compare a table with counts and figures by metric, of each test set; counts are None where there are none."""
    for metric in METRICS:
        agreement, (counts, _) = table[metric], results[metric][0]
        assert (agreement.concordant, agreement.discordant, agreement.tied) == counts
        assert dict(agreement.epsilons) == epsilons[metric]
        told = {}
        for name in results[metric][0][1]:
            values, others = ([figures[name] for _, figures in results[one]] for one in (metric, baseline))
            if not isnan(values[0]) and not all(map(isnan, values[1:])):
                told[name] = values, others
        assert {*agreement.figures} == {*told}
        for name, (values, others) in told.items():
            figure = agreement.figures[name]
            interval = figure.interval
            assert (figure.value, interval.low, interval.high) == near(values[0], *ends(values[1:], CONFIDENCE)), name
            apart = [one - other for one, other in zip(values, others, strict=True)]
            drawn = [one for one in apart[1:] if not isnan(one)]
            if metric == baseline or isnan(apart[0]) or not drawn:
                assert figure.difference is None
                continue
            found = figure.difference
            wanted = apart[0], *ends(drawn, CONFIDENCE), centered_p(apart[0], drawn)
            assert (found.value, found.interval.low, found.interval.high, found.p) == near(*wanted), name


def check_williams(table, texts, baseline):
    """Williams' test by the formula of the paper and scipy's distribution; none where a text has several ratings."""
    stats = pytest.importorskip("scipy.stats")
    (other,) = {*METRICS} - {baseline}
    if "pearson" not in table[other].figures or (found := table[other].figures["pearson"].difference) is None:
        return
    n = len(texts.means)
    if n < 4 or any(len(told) > 1 for told in texts.ratings.values()):
        assert found.williams is None
        return
    r12, r13 = sorted((table[metric].figures["pearson"].value for metric in METRICS), reverse=True)
    r23 = pearson(*([Fraction(scores[metric]) for scores in texts.scores.values()] for metric in METRICS))
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    scale = 2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if r12 - r13 < 1e-9:
        assert found.williams == pytest.approx(0.5, abs=1e-4)
    elif scale > 1e-9:
        t = (r12 - r13) * sqrt((n - 1) * (1 + r23) / scale)
        assert found.williams == pytest.approx(stats.t.sf(t, n - 3), rel=1e-5, abs=1e-10)


def check_level(found, level, by_lp, pooled, epsilons, baseline):
    """Compare the tables of a level: of each language pair, pooled, and the mean."""
    for lp, results in by_lp.items():
        check(found.table(lp, level), results, epsilons[lp], baseline)
    if len(by_lp) < 2:
        with pytest.raises(KeyError):
            found.table("mean", level)
        return
    check(found.table("pooled", level), pooled, epsilons["pooled"], baseline)
    mean = {}
    for metric in METRICS:
        mean[metric] = []
        for each in zip(*(results[metric] for results in by_lp.values()), strict=True):
            first, *others = (figures for _, figures in each)
            names = [name for name in first if all(name in other for other in others)]
            figures = {name: sum(figures[name] for _, figures in each) / len(each) for name in names}
            mean[metric].append(((None,) * 3, figures))
    check(found.table("mean", level), mean, {metric: {} for metric in METRICS}, baseline)


def check_everything(found, texts, pairs, seed, baseline):
    """Compare every table with what the rows give."""
    sets = {lp: sets_of(one, seed) for lp, one in texts.items()}
    one_by_one = [lp for lp in texts if lp != "pooled"]
    epsilons = {lp: {metric: thresholds(one, metric) for metric in METRICS} for lp, one in texts.items()}
    rated = {
        lp: {metric: [of_ratings(one, metric, drawn, epsilons[lp][metric]) for drawn in sets[lp]] for metric in METRICS}
        for lp, one in texts.items()
    }
    check_level(found, "ratings", {lp: rated[lp] for lp in one_by_one}, rated["pooled"], epsilons, baseline)
    for lp in one_by_one:
        check_williams(found.table(lp, "ratings"), texts[lp], baseline)
    none = {lp: {metric: {} for metric in METRICS} for lp in texts}
    side_by_side = [{key: count for one in drawn for key, count in one.items()} for drawn in
                    zip(*(sets[lp] for lp in one_by_one), strict=True)]  # fmt: skip
    if pairs:
        preferred = {
            lp: {metric: [of_pairs(texts[lp], metric, drawn, pairs[lp]) for drawn in sets[lp]] for metric in METRICS}
            for lp in one_by_one
        }
        every = [pair for own in pairs.values() for pair in own]
        pooled = {
            metric: [of_pairs(texts["pooled"], metric, drawn, every) for drawn in side_by_side] for metric in METRICS
        }
        check_level(found, "pairs", preferred, pooled, none, baseline)
    complete = [lp for lp in one_by_one if texts[lp].complete]
    if complete:
        means = {
            lp: {metric: [[*system_means(texts[lp], metric, drawn)] for drawn in sets[lp]] for metric in METRICS}
            for lp in complete
        }
        compared = {
            lp: {metric: [of_systems([one]) for one in means[lp][metric]] for metric in METRICS} for lp in complete
        }
        pooled = {
            metric: [of_systems(each) for each in zip(*(means[lp][metric] for lp in complete), strict=True)]
            for metric in METRICS
        }
        check_level(found, "systems", compared, pooled, none, baseline)


def check_table(seed, folder):
    """Evaluate a random table and compare everything; False where all its ratings are equal."""
    random = Random(seed)
    lps = random.choice([["aa-bb"], ["cc-dd", "aa-bb"]])
    rows = [*random_rows(random, lps)]
    several = random.choice(["mean", "each"])
    texts = {lp: Texts([row for row in rows if row["lp"] == lp], METRICS, several) for lp in lps}
    if any(len({rating for told in one.ratings.values() for rating in told}) < 2 for one in texts.values()):
        return False
    texts["pooled"] = Texts(rows, METRICS, several)
    pairs = {lp: random_pairs(random, texts[lp]) for lp in lps} if random.random() < 0.4 else {}
    asked = Asked(several=several)
    if not all(pairs.values()):
        pairs = {}
    if pairs:
        listed = [
            {"lp": lp, "segment": better[0][6:], "better": better[1][6:], "worse": worse[1][6:], "count": count}
            for lp, own in pairs.items()
            for better, worse, count in own
        ]
        asked = Asked(write(folder / "pairs.tsv", listed, random), columns=Columns(human="human"), several=several)
    data = write(folder / "data.tsv", rows, random)
    scores = [{key: row[key] for key in ("lp", "segment", "system", "two")} for row in rows]
    judgments = read_judgments(data, asked)
    metrics = [
        read_metric("one", data, "one", judgments, asked),
        read_metric("two", write(folder / "two.tsv", scores, random), "", judgments, asked),
    ]
    baseline = random.choice(METRICS)
    found = meta_evaluate(judgments, metrics, baseline=baseline, samples=SAMPLES, seed=seed, confidence=CONFIDENCE)
    check_everything(found, texts, pairs, seed, baseline)
    return True


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.stress) for part in range(1, PARTS))])
def test_random_tables(part, tmp_path):
    """Counts, figures, thresholds, intervals, differences and p values, of every table and level."""
    count = 20 if many() else 3
    seeds = range(part * 1000, part * 1000 + 1000)
    compared = 0
    for seed in seeds:
        try:
            compared += check_table(seed, tmp_path)
        except Exception as error:
            error.add_note(f"seed {seed}")
            raise
        if compared == count:
            return
    raise AssertionError("too few tables with ratings that differ")
