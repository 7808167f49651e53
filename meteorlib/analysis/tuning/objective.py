"""Objective to maximize: a weighted sum of agreement statistics."""

from __future__ import annotations

from re import fullmatch

import numpy as np
from attrs import frozen

from meteorlib.arrays import Numbers
from meteorlib.errors import InputMismatch, UnknownName

CONCORDANT, DISCORDANT, PAIRS, SMOOTH, RATINGS, X, Y, XX, YY, XY = range(10)
"""Indices of the columns of sums."""

COLUMNS = XY + 1

ALIASES = {"tau": "tau_wmt14"}
STATISTICS = ("accuracy", "pearson", "tau_wmt12", "tau_wmt13", "tau_wmt14")
"""Statistics; ``tau`` is WMT's definition since 2014, whereas METEOR's trainer uses that of 2012."""


@frozen
class Objective:
    """Weighted sum of statistics, each averaged over language pairs.

    Attributes:
        terms: weight and statistic of each term.
    """

    terms: tuple[tuple[float, str], ...]

    @classmethod
    def parse(cls, text: str) -> Objective:
        """Parse an objective such as ``tau``, ``pearson`` or ``0.5*tau+0.5*pearson``.

        Raises:
            InputMismatch: the text is not such a sum.
            UnknownName: a statistic is unknown.
        """
        terms = []
        for part in text.split("+"):
            found = fullmatch(r"\s*(?:([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*\*\s*)?(\w+)\s*", part)
            if found is None or (found[1] and not float(found[1])):
                raise InputMismatch(f"objective {text!r}: expected a sum such as 0.5*tau+0.5*pearson")
            name = ALIASES.get(found[2], found[2])
            if name not in STATISTICS:
                raise UnknownName("statistic", found[2], (*STATISTICS, *ALIASES))
            terms.append((float(found[1] or 1), name))
        names = [name for _, name in terms]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise InputMismatch(f"objective {text!r}: has {twice} twice")
        return cls(tuple(terms))

    def __str__(self) -> str:
        return " + ".join(name if weight == 1 else f"{weight:g}*{name}" for weight, name in self.terms)

    @property
    def of_pairs(self) -> bool:
        """Whether the objective needs judged pairs."""
        return any(name != "pearson" for _, name in self.terms)

    @property
    def of_ratings(self) -> bool:
        """Whether the objective needs ratings."""
        return any(name == "pearson" for _, name in self.terms)

    def of(self, sums: Numbers, *, smooth: bool = False) -> Numbers:
        """Compute the objective from sums over judgments.

        Args:
            sums: … × language pairs × columns.
            smooth: whether pairs count by the size of the score difference, not only by its sign.

        Returns:
            Values without the last two axes; NaN if there are no judgments.
        """
        every = [(weight, self._mean(name, sums, smooth=smooth)) for weight, name in self.terms]
        found: Numbers = np.sum([weight * value for weight, value in every], axis=0)
        return found

    def folded(self, sums: Numbers) -> Numbers:
        """Compute the objective from language pairs in several parts, each with a scale of its own.

        Args:
            sums: … × language pairs × parts × columns. The statistic of a language pair is the mean over its parts,
                weighted by their numbers of judgments; for tau this equals the tau of all pairs together.
        """
        found: Numbers = np.zeros(sums.shape[:-3])
        for weight, name in self.terms:
            sizes = sums[..., RATINGS if name == "pearson" else PAIRS]
            values = np.where(sizes > 0, _statistic(name, sums), 0.0)
            with np.errstate(all="ignore"):
                means = (values * sizes).sum(axis=-1) / sizes.sum(axis=-1)
            found = found + weight * _mean(means)
        return found

    def _mean(self, name: str, sums: Numbers, *, smooth: bool) -> Numbers:
        return _mean(_statistic("smooth" if smooth and name != "pearson" else name, sums))


def _mean(values: Numbers) -> Numbers:
    """Mean over the language pairs for which the statistic is defined."""
    has = ~np.isnan(values)
    with np.errstate(all="ignore"):
        found: Numbers = np.where(has, values, 0.0).sum(axis=-1) / has.sum(axis=-1)
    return found


def _statistic(name: str, sums: Numbers) -> Numbers:
    """Statistic from sums; NaN without judgments, 0 for an undefined correlation."""
    if name == "pearson":
        return _pearson(sums)
    concordant, discordant, pairs = sums[..., CONCORDANT], sums[..., DISCORDANT], sums[..., PAIRS]
    with np.errstate(all="ignore"):
        if name == "smooth":
            found = sums[..., SMOOTH] / pairs
        elif name == "accuracy":
            found = concordant / pairs
        elif name == "tau_wmt12":
            found = (concordant - (pairs - concordant)) / pairs
        elif name == "tau_wmt13":
            orders = concordant + discordant
            found = np.where((orders == 0) & (pairs > 0), 0.0, (concordant - discordant) / orders)
        else:
            found = (concordant - discordant) / pairs
    return np.asarray(found)


def _pearson(sums: Numbers) -> Numbers:
    count = sums[..., RATINGS]
    with np.errstate(all="ignore"):
        covariance = sums[..., XY] - sums[..., X] * sums[..., Y] / count
        one = sums[..., XX] - sums[..., X] ** 2 / count
        other = sums[..., YY] - sums[..., Y] ** 2 / count
        constant = (one <= 1e-12 * sums[..., XX]) | (other <= 1e-12 * sums[..., YY])
        found = np.where(constant, 0.0, covariance / np.sqrt(one * other))
    return np.where(count > 0, found, np.nan)
