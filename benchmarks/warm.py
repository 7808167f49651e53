"""Total cost of caches and branches, measured: the same few segments again and again, against all of the text.

Where 20 segments are scored over and over, all that they need is in the nearest caches, and the processor has learned
their branches. The work is the same.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

RUN = """
import json, sys, time
from meteorlib import Scorer
from meteorlib.core.segment import Pair
preset, *names = sys.argv[1:]
hypotheses, references = (open(name, encoding="utf-8").read().split("\\n")[:-1] for name in names)
pairs = [Pair([reference], hypothesis) for hypothesis, reference in zip(hypotheses, references)]
scorer = Scorer(preset, implementation="compiled")
scorer.totals(pairs)
def seconds(some):
    scorer.engine.references.clear()
    begin = time.process_time()
    scorer.totals(some)
    return time.process_time() - begin
def of_groups(size):
    groups = [pairs[start : start + size] for start in range(0, len(pairs), size)]
    return sum(min([seconds(group) for _ in range(5)][1:]) for group in groups)
turns = [(seconds(pairs), of_groups(20)) for _ in range(15)]
print(json.dumps(sorted(turns, key=lambda turn: turn[1] / turn[0])[len(turns) // 2]))
"""


def warm(preset: str, files: Sequence[Path]) -> tuple[float, float]:
    """Seconds for all segments: in their order, and 20 of them over and over; the turn with the median ratio."""
    command = [sys.executable, "-c", RUN, preset, *map(str, files)]
    whole, groups = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)  # noqa: S603
    return whole, groups


def table(found: Mapping[str, tuple[float, float]], segments: int) -> str:
    """µs of a segment whose words are known, in Markdown."""
    lines = ["| preset | all segments, µs | the same 20 over and over, µs | share of caches and branches |"]
    lines.append("|---|---:|---:|---:|")
    for preset, (whole, groups) in found.items():
        share = 100 * (1 - groups / whole)
        lines.append(f"| `{preset}` | {1e6 * whole / segments:.1f} | {1e6 * groups / segments:.1f} | {share:.0f} % |")
    return "\n".join(lines)
