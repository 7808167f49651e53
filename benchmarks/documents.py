"""Time of a document compared with its sentences one by one: ``python -m benchmarks.documents``.

Pairs of about 20 words of real text, and the same pairs joined into one document a hundred at a time; seconds of the
processor, in one process, once all words are known.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from attrs import frozen

from benchmarks.process import machine, markdown, options
from benchmarks.texts import Pair, load_pairs
from meteorlib import Scorer

PRESETS = ["meteor-2026-en", "meteor-1.5-en", "meteor-1.5-en-optimal", "meteor-2005", "meteor-2005-exact", "nltk"]
SENTENCES = 100
DOCUMENTS = 4
POOL = 24_000
"""Pairs among which those of a fit length are looked for."""


@frozen
class Cost:
    """Milliseconds for the sentences of a document, and for the document."""

    sentences: float
    document: float

    @property
    def ratio(self) -> float:
        """Cost of the document, relative to its segments."""
        return self.document / self.sentences


def documents(pairs: Iterable[Pair], count: int = DOCUMENTS) -> list[list[Pair]]:
    """Pairs of about 20 words on both sides, a hundred for each document."""
    fit = [pair for pair in pairs if 15 <= len(pair[0].split()) <= 25 and 17 <= len(pair[1].split()) <= 23]
    return [fit[start : start + SENTENCES] for start in range(0, count * SENTENCES, SENTENCES)]


def joined(pairs: Sequence[Pair]) -> Pair:
    """One pair of them all."""
    return " ".join(pair[0] for pair in pairs), " ".join(pair[1] for pair in pairs)


def measure(preset: str, texts: Sequence[Sequence[Pair]]) -> Cost:
    """Score everything twice; the second time counts."""
    scorer = Scorer(preset)

    def score(pairs: Iterable[Pair]) -> float:
        begin = time.process_time()
        for hypothesis, reference in pairs:
            scorer.score(reference, hypothesis).score  # noqa: B018 – all of it is computed
        return 1000 * (time.process_time() - begin) / len(texts)

    wholes = [joined(pairs) for pairs in texts]
    for pairs in (*texts, wholes):
        score(pairs)
    return Cost(sum(map(score, texts)), score(wholes))


def main() -> None:
    """Measure and print."""
    arguments = options(__doc__, preset=PRESETS).parse_args()
    texts = documents(load_pairs(arguments.shared, POOL))
    rows = []
    for preset in arguments.preset:
        cost = measure(preset, texts)
        times = (f"{time:.1f}" for time in (cost.sentences, cost.document, cost.ratio))
        rows.append([f"`{preset}`", *times])
    columns = ["preset", f"{SENTENCES} sentences, ms", "as one document, ms", "×"]
    print(f"{machine()}\n\n{markdown(columns, rows)}")


if __name__ == "__main__":
    main()
