"""Statistics of a meta-evaluation by kind of judgment, with their titles and explanations."""

from __future__ import annotations

from collections.abc import Mapping

STATISTICS: Mapping[str, tuple[str, ...]] = {
    "ratings": (
        "pearson", "spearman", "tau_b", "tau_c", "tau_wmt14", "tau_wmt13", "tau_wmt12",
        "acc_eq", "acc_eq_by_system", "acc_eq_ungrouped",
    ),
    "pairs": ("tau_wmt14", "tau_wmt13", "tau_wmt12", "accuracy"),
    "systems": ("accuracy", "pearson"),
}  # fmt: skip
"""Keys of the statistics by kind of judgment; short tables show the first one by default."""

SHORT = {"tau": "tau_wmt14"}
"""Short names of statistics, the same as in the objective of a tuning."""

COUNTS = ("concordant", "discordant", "tied")
"""Pair counts from which the taus are computed."""

EXPLANATIONS = {
    "tau_wmt14": "(concordant - discordant) / judged pairs",
    "tau_wmt13": "(concordant - discordant) / (concordant + discordant)",
    "tau_wmt12": "(concordant - discordant - tied) / judged pairs",
    "accuracy": "share of pairs that metric and people put in the same order",
    "acc_eq": "share of right pairs in a segment; scores within ε are tied",
    "acc_eq_by_system": "share of right pairs in a system; scores within ε are tied",
    "acc_eq_ungrouped": "share of right pairs of all texts; scores within ε are tied",
}
"""Explanations of the statistics whose names do not explain themselves."""

_TITLES = {
    "tau_wmt12": "tau 2012", "tau_wmt13": "tau 2013", "tau_wmt14": "tau 2014", "tau_b": "tau-b", "tau_c": "tau-c",
    "pearson": "Pearson", "spearman": "Spearman", "acc_eq_by_system": "acc_eq by system",
    "acc_eq_ungrouped": "acc_eq ungrouped",
}  # fmt: skip


def title(key: str) -> str:
    """Return the display name of a statistic."""
    return _TITLES.get(key, key)


def table_statistic(level: str, requested: str) -> str:
    """Statistic of a short table: the requested one if the kind of judgment has it, else the default."""
    return requested if requested in STATISTICS[level] else STATISTICS[level][0]
