"""Measure how often recall falls when one more word of the reference is inserted into a hypothesis.

    python -m tools.recall FOLDER

FOLDER has the rankings wmt14_rank. Prints the share of 3,000 of its outputs whose recall falls, by preset.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random

import numpy as np
from attrs import evolve

from meteorlib import Scorer
from meteorlib.analysis.meta_evaluation.readers import Asked, read_judgments
from meteorlib.arrays import breakdowns
from meteorlib.config import load_preset
from meteorlib.config.schema import ScorerConfig
from meteorlib.core.pair import Pair

TEXTS = 3_000


def insertions(texts: list[Pair]) -> list[Pair]:
    """Each text that lacks a word of its reference, followed by itself with such a word at a random place."""
    chance = Random(1)  # noqa: S311 – reproducible, no secret
    both = []
    for references, hypothesis in chance.sample(texts, min(TEXTS, len(texts))):
        words, known = hypothesis.split(), hypothesis.lower().split()
        if missing := [word for word in references[0].split() if word.isalpha() and word.lower() not in known]:
            places = [0, *(at for at, word in enumerate(words, 1) if word.isalpha())]  # "Sochi. a" is other words
            words.insert(chance.choice(places), chance.choice(missing))
            both += [Pair(references, hypothesis), Pair(references, " ".join(words))]
    return both


def configurations() -> list[ScorerConfig]:
    """Presets, and METEOR 2026 with exact matches only, with and without case."""
    core = load_preset("meteor-2026-en-core")
    exact = evolve(core, name="exact words", stages=core.stages[:1])
    no_case = evolve(exact, name="exact words, no case", case=None, parameters=evolve(core.parameters, start=0.0))
    return [no_case, exact, core, load_preset("meteor-2026-en"), load_preset("meteor-1.5-en")]


def main() -> None:
    """Measure, and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    rankings = read_judgments(str(parser.parse_args().folder / "wmt14_rank"), Asked())
    texts = insertions([text.texts for one in rankings for text in one.texts])
    print(f"| recall falls in, of {len(texts) // 2} texts | |\n|---|---|")  # noqa: T201
    for config in configurations():
        scorer = Scorer(config)
        found = breakdowns(scorer.arrays(texts).counts, scorer.parameters).recall
        print(f"| {config.name} | {np.mean(found[1::2] < found[::2] - 1e-12):.2%} |")  # noqa: T201


if __name__ == "__main__":
    main()
