"""Summary of a language's resources: counts and samples of its paraphrases."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest, nsmallest

from attrs import frozen

from meteorlib.core.java import java_double
from meteorlib.universal.pivot_merge import Paraphrase

SAMPLE_SIZE = 20
"""Paraphrases of each sort."""

_BANDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
_SEED = 12345


@frozen
class Contents:
    """Counts and samples of a table.

    Attributes:
        entries: number of paraphrases.
        references: number of phrases with a paraphrase.
        lengths: number of words of a phrase → number of its paraphrases.
        bands: lower bound of the probability → number of paraphrases.
        most, least: the most and the least probable paraphrases.
        drawn: a random sample with a fixed seed.
    """

    entries: int
    references: int
    lengths: Mapping[int, int]
    bands: Mapping[float, int]
    most: Sequence[Paraphrase]
    least: Sequence[Paraphrase]
    drawn: Sequence[Paraphrase]

    @classmethod
    def of(cls, paraphrases: Iterable[Paraphrase]) -> Contents:
        """Summarize a table in which the paraphrases of a phrase are adjacent."""
        chance = random.Random(_SEED)  # noqa: S311 – a sample
        lengths: Counter[int] = Counter()
        bands: Counter[float] = Counter(dict.fromkeys(_BANDS, 0))
        most: list[Paraphrase] = []
        least: list[Paraphrase] = []
        drawn: list[Paraphrase] = []
        held: list[Paraphrase] = []
        entries = references = 0
        before = None
        for paraphrase in paraphrases:
            entries += 1
            references += paraphrase.reference != before
            before = paraphrase.reference
            lengths[paraphrase.reference.count(" ") + 1] += 1
            bands[max((band for band in _BANDS if band <= paraphrase.probability), default=_BANDS[0])] += 1
            if len(drawn) < SAMPLE_SIZE:
                drawn.append(paraphrase)
            elif (place := chance.randrange(entries)) < SAMPLE_SIZE:
                drawn[place] = paraphrase
            held.append(paraphrase)
            if len(held) == 10_000:
                most, least = _extremes(most, least, held)
                held.clear()
        most, least = _extremes(most, least, held)
        return cls(entries, references, dict(sorted(lengths.items())), bands, most, least, drawn)

    def text(self, heading: str, facts: Mapping[str, str], words: Sequence[str]) -> str:
        """The report.

        Args:
            heading: its first line.
            facts: further entries, by name.
            words: the function words.
        """
        facts = {
            **facts,
            "function words": f"{len(words):,}",
            "paraphrases": f"{self.entries:,}",
            "phrases that have one": f"{self.references:,}",
        }
        width = max(map(len, facts))
        lines = [heading, "", *(f"{name:<{width}}  {value}" for name, value in facts.items())]
        lines += ["", f"most frequent function words: {' '.join(words[:50]) or 'none'}"]
        lines += ["", "paraphrases by words of the phrase"]
        lines += [f"{length:>9}  {count:,}" for length, count in self.lengths.items()]
        lines += ["", "paraphrases by probability"]
        lines += [f"{f'from {band}':>9}  {count:,}" for band, count in self.bands.items()]
        for title, sample in (("most probable", self.most), ("least probable", self.least), ("drawn", self.drawn)):
            lines += ["", title, *(_format_paraphrase(paraphrase) for paraphrase in sample)]
        return "".join(f"{line}\n" for line in lines)


def _extremes(
    most: list[Paraphrase], least: list[Paraphrase], held: list[Paraphrase]
) -> tuple[list[Paraphrase], list[Paraphrase]]:
    return nlargest(SAMPLE_SIZE, most + held, key=_probability), nsmallest(SAMPLE_SIZE, least + held, key=_probability)


def _probability(paraphrase: Paraphrase) -> float:
    return paraphrase.probability


def _format_paraphrase(paraphrase: Paraphrase) -> str:
    return f"  {paraphrase.reference} → {paraphrase.phrase}  {java_double(paraphrase.probability)}"
