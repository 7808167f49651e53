"""Segments of thousands of words under each search: ``python -m benchmarks.long``; the table of docs/searches.md.

Each is scored in a process of its own: seconds of the processor for the score alone, once the scorer is made, and the
peak of the resident memory. All words are drawn at random; everything is ambiguous.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from attrs import frozen

from benchmarks.process import machine
from meteorlib.resources.compiler import compile_paraphrases

FEW = "w0 w1 w2 w3 w4"
FAMILIES = "run runs running car automobile"
TWENTY = " ".join(f"w{number}" for number in range(20))
VERBS, OTHERS = "run work play take get make hold pass", "go operate act have catch do keep give"
ADJECTIVES, OTHER_ADJECTIVES = "big large great", "huge vast major"

SCORED = """
import json, random, re, sys, time
from pathlib import Path
from attrs import evolve
from meteorlib.config import load_preset
from meteorlib.scorer import Scorer
preset, table, *described = sys.argv[1:]
config = load_preset(preset)
stages = tuple(evolve(stage, resource=table) if stage.matcher == "paraphrase" else stage for stage in config.stages)
scorer, pick = Scorer(evolve(config, stages=stages)), random.Random(7)
sides = []
for length, types in zip(described[:2], described[2:]):
    sides.append([pick.choice(types.split()) for _ in range(int(length))])
begin = time.process_time()
scored = scorer.score_tokens([sides[0]], sides[1])
scored.statistics
seconds = time.process_time() - begin
peak = re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]
print(json.dumps([seconds, int(peak) / 1024, scored.optimal]))
"""


@frozen
class Text:
    """A random segment: what it is, the lengths of reference and hypothesis, and what their words are drawn from."""

    name: str
    lengths: tuple[int, int]
    words: tuple[str, str]


TEXTS = (
    Text("8,000 × 8,000, one word", (8000, 8000), ("the", "the")),
    Text("8,000 × 4,000, one word", (8000, 4000), ("the", "the")),
    Text("4,000 × 8,000, one word", (4000, 8000), ("the", "the")),
    Text("4,000 × 4,000 of 5 words", (4000, 4000), (FEW, FEW)),
    Text("4,000 × 4,000 of 5 words with common stems and synonyms", (4000, 4000), (FAMILIES, FAMILIES)),
    Text("4,000 × 4,000, 8 verbs a side, synonyms of some of the others", (4000, 4000), (VERBS, OTHERS)),
    Text("8,000 × 8,000, the same", (8000, 8000), (VERBS, OTHERS)),
    Text("4,000 × 4,000 of one word, and of a paraphrase of it", (4000, 4000), ("big", "huge")),
    Text("4,000 × 4,000, 3 adjectives a side, paraphrases of the others", (4000, 4000), (ADJECTIVES, OTHER_ADJECTIVES)),
    Text("2,000 × 2,000 of 20 words", (2000, 2000), (TWENTY, TWENTY)),
    Text("300 × 300 of 3 words", (300, 300), ("a b c", "a b c")),
)

COLUMNS = {
    "`staged`, meteor-2005": ("meteor-2005", False),
    "… in Python": ("meteor-2005", True),
    "`optimal`, meteor-1.5-en-optimal": ("meteor-1.5-en-optimal", False),
    "`beam`, meteor-1.5-en": ("meteor-1.5-en", False),
    "… in Python ": ("meteor-1.5-en", True),
    "`weighted`, meteor-2026-en": ("meteor-2026-en", False),
    "`greedy`, nltk": ("nltk", False),
}
"""What a column is called → its preset, and whether it is pure Python."""


def make_table(folder: Path) -> Path:
    """A compiled paraphrase table in which each adjective of either side is a paraphrase of all of the other."""
    entries = [(one, other) for one in ADJECTIVES.split() for other in OTHER_ADJECTIVES.split()]
    source, index = folder / "table.gz", folder / "index"
    source.write_bytes(gzip.compress("".join(f"0.5\n{one}\n{other}\n" for one, other in entries).encode()))
    index.mkdir()
    compile_paraphrases(source, index, lambda _: None)
    return index


def score(text: Text, preset: str, pure: bool, table: Path) -> tuple[float, float, bool]:
    """Score a text in a process of its own: seconds, MB, and whether its alignment is proven the best."""
    command = [sys.executable, "-c", SCORED, preset, str(table), *map(str, text.lengths), *text.words]
    environment = {**os.environ, "METEORLIB_PURE_PYTHON": str(int(pure))}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)  # noqa: S603
    seconds, memory, optimal = json.loads(done.stdout)
    return seconds, memory, optimal


def shown(seconds: float, memory: float) -> str:
    """Seconds with one digit that says something, and MB."""
    return f"{max(seconds, 0.01):.{1 if seconds >= 0.095 else 2}f} s, {memory:.0f} MB"


def main() -> None:
    """Measure and print a table in Markdown."""
    print(f"{machine()}, Python {sys.version.split()[0]}\n")
    print(f"| words | {' | '.join(name.strip() for name in COLUMNS)} |\n|---{'|---:' * len(COLUMNS)}|")
    with tempfile.TemporaryDirectory() as folder:
        table = make_table(Path(folder))
        for text in TEXTS:
            found = [score(text, preset, pure, table) for preset, pure in COLUMNS.values()]
            print(f"| {text.name} | {' | '.join(shown(*one[:2]) for one in found)} |", flush=True)


if __name__ == "__main__":
    main()
