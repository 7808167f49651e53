"""Statistics of judgments by their definitions in docs/meta-eval.md: fractions, scipy, loops over all pairs.

Nothing of the package is used. A test set is a dict: how often each segment stands in it.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from math import isnan, log, nan, sqrt

import pytest

ACCURACIES = {"acc_eq": 0, "acc_eq_by_system": 1, "acc_eq_ungrouped": None}
"""Accuracies with ties, and which part of a text's key says what group it is in."""


class Texts:
    """Texts by segment and system, with their ratings, the mean of these, and their scores by metric."""

    def __init__(self, rows, metrics, several):
        self.ratings, self.scores, self.lengths = defaultdict(list), {}, {}
        for row in rows:
            text = f"{row['lp']}/{row['segment']}", f"{row['lp']}/{row['system']}"
            self.ratings[text].append(Fraction(row["human"]))
            self.scores[text] = {metric: float(row[metric]) for metric in metrics}
            self.lengths[text] = [Fraction(log(len(row[name]))) for name in ("reference", "hypothesis")]
        self.means = {text: sum(told) / len(told) for text, told in self.ratings.items()}
        if several == "mean":
            self.ratings = {text: [mean] for text, mean in self.means.items()}
        self.segments, self.systems = (sorted({text[part] for text in self.means}) for part in (0, 1))
        self.complete = len(self.systems) > 2 and len(self.means) == len(self.systems) * len(self.segments)


def sign(number):
    return (number > 0) - (number < 0)


def share(part, whole):
    return part / whole if whole else nan


def pearson(x, y):
    """Pearson's r, exact except for the root."""
    mean_x, mean_y = sum(x) / Fraction(len(x)), sum(y) / Fraction(len(y))
    of_x, of_y = sum((one - mean_x) ** 2 for one in x), sum((one - mean_y) ** 2 for one in y)
    both = sum((one - mean_x) * (other - mean_y) for one, other in zip(x, y, strict=True))
    return sign(both) * sqrt(both**2 / (of_x * of_y)) if of_x and of_y else nan


def residuals(numbers, controls):
    """Residuals of a linear regression on controls, computed exactly; 0 if only rounding errors are left."""
    found = [number - sum(numbers) / Fraction(len(numbers)) for number in numbers]
    whole = sum(one**2 for one in found)
    for place, control in enumerate(controls):
        own = residuals(control, controls[:place])
        if square := sum(one**2 for one in own):
            slope = sum(one * other for one, other in zip(own, found, strict=True)) / square
            found = [one - slope * other for one, other in zip(found, own, strict=True)]
    return found if sum(one**2 for one in found) > Fraction(1e-18) * whole else [Fraction(0)] * len(found)


def ranked(x, y):
    """Rank correlations, by scipy."""
    stats = pytest.importorskip("scipy.stats")
    one, other = ([sorted(set(numbers)).index(number) for number in numbers] for numbers in (x, y))
    if not (any(one) and any(other)):
        return dict.fromkeys(("spearman", "tau_b", "tau_c"), nan)
    return {
        "spearman": stats.spearmanr(one, other).statistic,
        "tau_b": stats.kendalltau(one, other).statistic,
        "tau_c": stats.kendalltau(one, other, variant="c").statistic,
    }


def counted(orders):
    """Concordant, discordant and tied pairs, given orders (1, -1, 0) and the count of each."""
    return tuple(sum(count for one, count in orders if one == wanted) for wanted in (1, -1, 0))


def taus(counts):
    """The taus of WMT's metrics tasks."""
    concordant, discordant, tied = counts
    return {
        "tau_wmt14": share(concordant - discordant, sum(counts)),
        "tau_wmt13": share(concordant - discordant, concordant + discordant),
        "tau_wmt12": share(concordant - discordant - tied, sum(counts)),
    }


def accuracy(groups, epsilon):
    """Mean over the groups of the share of right pairs; of each pair there are both differences and a weight."""
    shares = []
    for pairs in groups:
        right = [weight for human, apart, weight in pairs if human == (0 if abs(apart) <= epsilon else sign(apart))]
        every = sum(weight for *_, weight in pairs)
        shares += [Fraction(sum(right), every)] if every else []
    return sum(shares) / len(shares) if shares else nan


def groups_of(texts, metric, name, drawn):
    """The pairs of different texts in each group; a segment that is drawn twice is two groups of `acc_eq`."""
    part = ACCURACIES[name]
    members = defaultdict(list)
    for text in texts.means:
        members["" if part is None else text[part]].append(text)
    for group, own in members.items():
        pairs = [
            (
                sign(texts.means[one] - texts.means[other]),
                texts.scores[one][metric] - texts.scores[other][metric],
                drawn[one[0]] * drawn[other[0]] if part != 0 else 1,
            )
            for one, other in combinations(own, 2)
        ]
        yield from [pairs] * (drawn[group] if part == 0 else 1)


def thresholds(texts, metric):
    """The least of the best thresholds of each accuracy with ties that has pairs."""
    found = {}
    for name in ACCURACIES:
        groups = [*groups_of(texts, metric, name, dict.fromkeys(texts.segments, 1))]
        if any(groups) and (name != "acc_eq_by_system" or len(texts.systems) > 1):
            tried = sorted({0.0, *(abs(apart) for pairs in groups for _, apart, _ in pairs)})
            found[name] = max(tried, key=lambda epsilon: accuracy(groups, epsilon))
    return found


def of_ratings(texts, metric, drawn, epsilons):
    """Counts and figures of ratings."""
    rows = [
        (Fraction(texts.scores[text][metric]), rating, *texts.lengths[text])
        for text, ratings in texts.ratings.items()
        for rating in ratings * drawn[text[0]]
    ]
    x, y, *lengths = zip(*rows, strict=True)
    partial = {
        f"partial_{name}": pearson(*(residuals(numbers, controls) for numbers in (x, y)))
        for name, controls in (("reference", lengths[:1]), ("lengths", lengths))
    }
    counts = counted(
        [
            (human * sign(texts.scores[one][metric] - texts.scores[other][metric]), drawn[one[0]])
            for one, other in combinations(texts.means, 2)
            if one[0] == other[0] and (human := sign(texts.means[one] - texts.means[other]))
        ]
    )
    ties = {
        name: float(accuracy([*groups_of(texts, metric, name, drawn)], epsilon)) for name, epsilon in epsilons.items()
    }
    pairs = share(Fraction(2 * counts[0] + counts[2], 2), sum(counts))
    return counts, {"pearson": pearson(x, y), **partial, **ranked(x, y), **taus(counts), "segment_pairs": pairs, **ties}


def of_pairs(texts, metric, drawn, pairs):
    """Counts and figures of judged pairs."""
    counts = counted(
        [
            (sign(texts.scores[better][metric] - texts.scores[worse][metric]), count * drawn[better[0]])
            for better, worse, count in pairs
        ]
    )
    return counts, {**taus(counts), "accuracy": share(counts[0], sum(counts))}


def system_means(texts, metric, drawn):
    """Score of each system, which is a double, and rating, which is a fraction."""
    for system in texts.systems:
        own = [text for text in texts.means for _ in range(drawn[text[0]]) if text[1] == system]
        ratings = [rating for text in own for rating in texts.ratings[text]]
        scores = [Fraction(repr(texts.scores[text][metric])) for text in own]
        yield Fraction(float(sum(scores) / len(scores))), sum(ratings) / len(ratings)


def of_systems(means):
    """Counts and figures of systems, of language pairs side by side."""
    counts = counted(
        [
            (sign(one[0] - other[0]) * sign(one[1] - other[1]), 1)
            for own in means
            for one, other in combinations(own, 2)
            if one[1] != other[1]
        ]
    )
    return counts, {
        "accuracy": share(counts[0], sum(counts)),
        "pearson": pearson(*zip(*(one for own in means for one in own), strict=True)),
    }


def ends(values, confidence):
    """The interval that leaves out the same number of values on each side."""
    ordered = sorted(value for value in values if not isnan(value))
    out = int(len(ordered) * (1 - confidence) / 2 + 1e-9)
    return ordered[out], ordered[-1 - out]


def centered_p(observed, drawn):
    """The share of drawn differences, shifted to mean 0, as large as the observed one, which counts as one of them."""
    mean = sum(drawn) / len(drawn)
    return (1 + sum(abs(one - mean) >= abs(observed) - 1e-12 for one in drawn)) / (1 + len(drawn))
