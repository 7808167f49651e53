"""Score captions with pycocoevalcap's METEOR (Java) and with its stand-in: ``python -m benchmarks.captions``.

Both get the same Flickr8k captions, each against five references, in the same process; the time to make the object and
the time of `compute_score` are measured apart, and the scores are compared.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

Captions = dict[str, list[str]]


@frozen
class Timed:
    """One program: seconds to be ready, seconds to score, the corpus score, the score of every caption."""

    start: float
    seconds: float
    score: float
    scores: list[float]


def load_captions(path: Path) -> tuple[Captions, Captions]:
    """References and captions, by caption, of a file of judged captions; those that are references are left out."""
    references: Captions = {}
    captions: Captions = {}
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        for item in map(json.loads, lines):
            if not item["in_references"]:
                key = f"{item['image']} {item['caption_id']}"
                references[key], captions[key] = item["references"], [item["hypothesis"]]
    return references, captions


def run(metric: Any, references: Captions, captions: Captions) -> Timed:
    """Make a metric and score; the first caption is scored once before, so that the start is over when it ends."""
    begin = time.perf_counter()
    made = metric()
    first = next(iter(captions))
    made.compute_score({first: references[first]}, {first: captions[first]})
    ready = time.perf_counter()
    score, scores = made.compute_score(references, captions)
    return Timed(ready - begin, time.perf_counter() - ready, score, scores)


def largest_difference(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The largest relative difference."""
    return max(abs(a - b) / max(abs(b), 1e-300) for a, b in zip(ours, theirs, strict=True))


def main() -> None:
    """Measure and print."""
    from pycocoevalcap.meteor.meteor import Meteor as Theirs  # noqa: PLC0415 – not needed to import this file

    from meteorlib.integrations.pycocoevalcap import Meteor as Ours  # noqa: PLC0415 – as above

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--shared", type=Path, default=Path(__file__).parents[2] / "shared")
    arguments = parser.parse_args()
    path = arguments.shared / "data" / "judgements" / "caption" / "flickr8k_expert.jsonl.gz"
    references, captions = load_captions(path)
    print(f"{len(captions)} captions, {sum(map(len, references.values()))} references")
    found = {
        name: run(metric, references, captions) for name, metric in (("pycocoevalcap", Theirs), ("meteorlib", Ours))
    }
    for name, timed in found.items():
        rate = len(captions) / timed.seconds
        print(f"{name:<16}start {timed.start:6.2f} s  score {timed.seconds:6.2f} s  {rate:6.0f}/s  {timed.score!r}")
    theirs, ours = found.values()
    same = sum(a == b for a, b in zip(ours.scores, theirs.scores, strict=True))
    print(f"identical: {same} of {len(captions)} captions; corpus score {ours.score == theirs.score}")
    print(f"largest relative difference {largest_difference(ours.scores, theirs.scores):.1e}")


if __name__ == "__main__":
    main()
