"""The programs without a command line of their own, as a user's script would call them.

``python -m benchmarks.others NAME HYPOTHESES REFERENCES``; NAME is ``nltk``, ``coco`` or ``floor``.
"""

from __future__ import annotations

import sys
from pathlib import Path


def _lines(name: str) -> list[str]:
    return Path(name).read_text(encoding="utf-8").split("\n")[:-1]


def nltk(hypotheses: list[str], references: list[str]) -> float:
    """NLTK: words split at blanks, the mean of the segments (it has no corpus score)."""
    from nltk.translate.meteor_score import single_meteor_score  # noqa: PLC0415 – only what is measured is loaded

    scores = [single_meteor_score(ref.split(), hyp.split()) for hyp, ref in zip(hypotheses, references, strict=True)]
    return sum(scores) / len(scores)


def coco(hypotheses: list[str], references: list[str]) -> float:
    """The Meteor of pycocoevalcap, which talks to METEOR's jar."""
    from pycocoevalcap.meteor.meteor import Meteor  # noqa: PLC0415

    numbered = range(len(hypotheses))
    gts = {number: [references[number]] for number in numbered}
    res = {number: [hypotheses[number]] for number in numbered}
    score: float = Meteor().compute_score(gts, res)[0]
    return score


def floor(hypotheses: list[str], references: list[str]) -> float:
    """What cannot be saved: reading, normalizing and splitting alone."""
    from meteorlib.resources.words import nonbreaking_prefixes  # noqa: PLC0415
    from meteorlib.text.normalizer import Normalizer  # noqa: PLC0415

    text = Normalizer("en", nonbreaking_prefixes("en"))
    return float(sum(len(text.words(line)) for side in (hypotheses, references) for line in side))


if __name__ == "__main__":
    name, *files = sys.argv[1:]
    print({"nltk": nltk, "coco": coco, "floor": floor}[name](*map(_lines, files)))
