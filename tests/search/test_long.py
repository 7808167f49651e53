"""Segments of thousands of words in which everything is ambiguous: valid alignments in bounded memory, in every search.

Each is scored in a process of its own, whose peak memory is read where Linux tells it. (That of getrusage begins with
the memory of the process that started it.)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")

SCORED = """
import json, random, re, sys
from collections import Counter
from pathlib import Path
from attrs import evolve
from meteorlib.config import load_preset
from meteorlib.scorer import Scorer

preset, searching, table, *described = sys.argv[1:]
config = load_preset(preset)
stages = tuple(evolve(stage, resource=table) if stage.matcher == "paraphrase" else stage for stage in config.stages)
scorer = Scorer(evolve(config, stages=stages, search=load_preset(searching).search))
pick = random.Random(7)
sides = []
for length, types in zip(described[:2], described[2:]):
    sides.append([pick.choice(types.split()) for _ in range(int(length))])
scored = scorer.score_tokens([sides[0]], sides[1])
covered = [
    [word for match in scored.alignment.matches for word in range(match[side], match[side] + match[side + 1])]
    for side in (0, 2)
]
print(json.dumps({
    "megabytes": int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]) >> 10,
    "matches": len(scored.alignment.matches),
    "twice": sum(len(words) - len(set(words)) for words in covered),
    "exact": (Counter(sides[0]) & Counter(sides[1])).total(),
    "optimal": scored.optimal,
}))
"""

PRESETS = [
    ("meteor-2005", "meteor-2005"),
    ("meteor-2005-exact", "meteor-2005-exact"),
    ("nltk", "nltk"),
    ("meteor-1.5-en-core", "meteor-1.5-en-core"),
    ("meteor-1.5-en-core", "meteor-1.5-en-optimal"),
]
"""The preset of the stages, and that of the search."""

FEW = "w0 w1 w2 w3 w4"
FAMILIES = "run runs running car automobile"
TWENTY = " ".join(f"w{number}" for number in range(20))
VERBS = "run work play take get make hold pass"
OTHERS = "go operate act have catch do keep give"
"""Verbs that are synonyms of some of the other ones, no two of the same."""
ADJECTIVES = "big large great"
OTHER_ADJECTIVES = "huge vast major"


PHRASES = [(one, other) for one in ADJECTIVES.split() for other in OTHER_ADJECTIVES.split()]
"""Each of either side is a paraphrase of all of the other."""


def scored(preset, searching, *described, table="", **environment):
    """What a process of its own says of a random segment: lengths and word types of the reference and hypothesis."""
    arguments = [sys.executable, "-c", SCORED, preset, searching, str(table), *map(str, described)]
    environment = {**os.environ, **environment}
    return json.loads(subprocess.run(arguments, env=environment, check=True, capture_output=True, text=True).stdout)


@pytest.mark.stress
@pytest.mark.parametrize("pure", ["0", "1"])
@pytest.mark.parametrize("types", [(ADJECTIVES, OTHER_ADJECTIVES), ("big", "huge")], ids=["several", "one"])
@pytest.mark.parametrize("searching", ["meteor-1.5-en", "meteor-1.5-en-optimal"])
def test_long_segments_of_paraphrases(compiled_table, searching, types, pure):
    """Where each word is a paraphrase of all others, it is matched with one; places of a phrase are not multiplied."""
    table = compiled_table(PHRASES)
    result = scored("meteor-1.5-en", searching, 4000, 4000, *types, table=table, METEORLIB_PURE_PYTHON=pure)
    assert result["twice"] == 0
    assert result["matches"] >= 3000
    assert result["megabytes"] < 200


@pytest.mark.stress
@pytest.mark.parametrize(("preset", "searching"), PRESETS)
@pytest.mark.parametrize(
    ("reference", "hypothesis", "types", "others"),
    [
        (8000, 8000, "the", "the"),
        (8000, 4000, "the", "the"),
        (4000, 8000, "the", "the"),
        (4000, 4000, FEW, FEW),
        (4000, 4000, FAMILIES, FAMILIES),
        (4000, 4000, VERBS, OTHERS),
        (2000, 2000, TWENTY, TWENTY),
        (300, 300, "a b c", "a b c"),
    ],
    ids=["same", "reference", "hypothesis", "five", "families", "verbs", "twenty", "three"],
)
def test_long_segments(preset, searching, reference, hypothesis, types, others):
    """Every word is matched once at most, equal words as often as can be, in less than a gigabyte."""
    result = scored(preset, searching, reference, hypothesis, types, others)
    assert result["twice"] == 0
    assert result["matches"] >= result["exact"]
    assert result["megabytes"] < 1000
    assert result["optimal"] or searching in ("meteor-2005", "meteor-2005-exact", "meteor-1.5-en-optimal")
