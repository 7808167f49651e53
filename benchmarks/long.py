"""Segments of thousands of words under each search: ``python -m benchmarks.long``; a part is in docs/searches.md.

Each is scored in a process of its own: seconds of the processor for the score alone, once the scorer is made, and the
peak of the resident memory. All words are drawn at random; everything is ambiguous. `tests/search/test_long.py`
checks the alignments.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from attrs import frozen

from benchmarks.process import machine, markdown, options
from benchmarks.texts import make_table

FEW = "w0 w1 w2 w3 w4"
FAMILIES = "run runs running car automobile"
TWENTY = " ".join(f"w{number}" for number in range(20))
VERBS, OTHERS = "run work play take get make hold pass", "go operate act have catch do keep give"
"""Verbs that are synonyms of some of the other ones, no two of the same."""
ADJECTIVES, OTHER_ADJECTIVES = "big large great", "huge vast major"
PHRASES = [(one, other) for one in ADJECTIVES.split() for other in OTHER_ADJECTIVES.split()]
"""Each adjective is a paraphrase of all of the others."""

SCORED = """
import json, random, re, sys, time
from collections import Counter
from pathlib import Path
from attrs import evolve
from meteorlib.config import load_preset
from meteorlib.errors import InvalidText
from meteorlib.scorer import Scorer

def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024

preset, searching, table, *described = sys.argv[1:]
config = load_preset(preset)
stages = tuple(evolve(stage, resource=table) if stage.matcher == "paraphrase" else stage for stage in config.stages)
scorer = Scorer(evolve(config, stages=stages, search=load_preset(searching).search))
pick, sides = random.Random(7), []
for length, types in zip(described[:2], described[2:]):
    sides.append([pick.choice(types.split()) for _ in range(int(length))])
begin = time.process_time()
try:
    scored = scorer.score_tokens([sides[0]], sides[1])
except InvalidText:
    sys.exit(print("null"))
scored.statistics
seconds, megabytes = time.process_time() - begin, peak()
covered = [
    [word for match in scored.alignment.matches for word in range(match[side], match[side] + match[side + 1])]
    for side in (0, 2)
]
print(json.dumps({
    "seconds": seconds,
    "megabytes": megabytes,
    "megabytes_when_read": peak(),
    "optimal": scored.optimal,
    "matches": len(scored.alignment.matches),
    "twice": sum(len(words) - len(set(words)) for words in covered),
    "equal": (Counter(sides[0]) & Counter(sides[1])).total(),
}))
"""


@frozen
class Text:
    """A random segment: what it is, the lengths of reference and hypothesis, and what their words are drawn from."""

    name: str
    lengths: tuple[int, int]
    words: tuple[str, str]


PARAPHRASED = (
    Text("4,000 × 4,000 of one word, and of a paraphrase of it", (4000, 4000), ("big", "huge")),
    Text("4,000 × 4,000, 3 adjectives a side, paraphrases of the others", (4000, 4000), (ADJECTIVES, OTHER_ADJECTIVES)),
)
TEXTS = (
    Text("8,000 × 8,000, one word", (8000, 8000), ("the", "the")),
    Text("8,000 × 4,000, one word", (8000, 4000), ("the", "the")),
    Text("4,000 × 8,000, one word", (4000, 8000), ("the", "the")),
    Text("4,000 × 4,000 of 5 words", (4000, 4000), (FEW, FEW)),
    Text("4,000 × 4,000 of 5 words with common stems and synonyms", (4000, 4000), (FAMILIES, FAMILIES)),
    Text("4,000 × 4,000, 8 verbs a side, synonyms of some of the others", (4000, 4000), (VERBS, OTHERS)),
    Text("8,000 × 8,000, the same", (8000, 8000), (VERBS, OTHERS)),
    *PARAPHRASED,
    Text("2,000 × 2,000 of 20 words", (2000, 2000), (TWENTY, TWENTY)),
    Text("300 × 300 of 3 words", (300, 300), ("a b c", "a b c")),
)

LARGEST = (
    Text("64,000 × 64,000 of 5 words", (64000, 64000), (FEW, FEW)),
    Text("64,000 × 64,000, 8 verbs a side, synonyms of some of the others", (64000, 64000), (VERBS, OTHERS)),
)
"""Segments of few words that are just not refused, with ``--largest``: minutes and gigabytes under ``staged``."""


@frozen
class Scored:
    """Result for a text: seconds of the processor for the score, peaks of memory, facts of the alignment."""

    seconds: float
    megabytes: float
    megabytes_when_read: float
    optimal: bool
    matches: int
    twice: int  # words that are matched once more
    equal: int  # words of either side that could be matched with an equal one


COLUMNS = {
    "`staged`, meteor-2005": ("meteor-2005", False),
    "… in Python": ("meteor-2005", True),
    "`optimal`, meteor-1.5-en-optimal": ("meteor-1.5-en-optimal", False),
    "`beam`, meteor-1.5-en": ("meteor-1.5-en", False),
    "`weighted`, meteor-2026-en": ("meteor-2026-en", False),
    "`greedy`, nltk": ("nltk", False),
}
"""Column names → preset, and whether it runs in pure Python."""


def score(text: Text, preset: str, table: Path | None = None, search: str = "", **environment: str) -> Scored | None:
    """Score a text in a process of its own; None if it is refused because too many of its words match.

    `table` is the folder of a paraphrase table in place of the preset's, `search` the preset whose search is taken.
    """
    described = [*map(str, text.lengths), *text.words]
    command = [sys.executable, "-c", SCORED, preset, search or preset, str(table or ""), *described]
    done = subprocess.run(  # noqa: S603 – this Python
        command, env={**os.environ, **environment}, check=True, capture_output=True, text=True
    )
    found = json.loads(done.stdout)
    return None if found is None else Scored(**found)


def shown(seconds: float, memory: float) -> str:
    """Seconds with one digit that says something, and MB."""
    return f"{max(seconds, 0.01):.{1 if seconds >= 0.095 else 2}f} s, {memory:.0f} MB"


def main() -> None:
    """Measure and print a table in Markdown."""
    parser = options(__doc__, shared=False)
    parser.add_argument("--largest", action="store_true", help="the largest segments instead, by the compiled engine")
    largest = parser.parse_args().largest
    columns = {name: column for name, column in COLUMNS.items() if not (largest and column[1])}
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        table = make_table(PHRASES, Path(folder))
        for text in LARGEST if largest else TEXTS:
            found = [
                score(text, preset, table, METEORLIB_PURE_PYTHON=str(int(pure))) for preset, pure in columns.values()
            ]
            cells = ("refused" if one is None else shown(one.seconds, one.megabytes) for one in found)
            rows.append([text.name, *cells])
    print(f"{machine()}, Python {sys.version.split()[0]}\n\n{markdown(['words', *columns], rows)}")


if __name__ == "__main__":
    main()
