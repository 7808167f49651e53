"""Instructions, cache misses and mispredicted branches by parts, simulated by valgrind's callgrind.

The numbers do not depend on the load of the machine. Prefetched memory counts as a miss, because callgrind does not
simulate prefetching.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen

from benchmarks.sampled import PASSES, RUN
from benchmarks.segment_parts import BEST, INNER, PARTS, WITHIN, WITHIN_BEST, plain

EVENTS = ("Ir", "I1mr", "D1mr", "DLmr", "Bcm", "Bim")
"""Instructions; those that miss their first cache; reads that miss the first cache, and the last; mispredicted
branches, conditional and indirect."""

_SHARE = re.compile(r"\([ \d.]+%\)")
_LINE = re.compile(r"^([ \d,.()%]+)\?\?\?:(__pyx_\w+)")


@frozen
class Cost:
    """Cost of a part: instructions, misses of the first cache and of the last, mispredicted branches.

    `fetches` are instructions that were not in the first cache.
    """

    instructions: float = 0
    near_misses: float = 0
    far_misses: float = 0
    branches: float = 0
    fetches: float = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(*(a + b for a, b in zip(self._row(), other._row(), strict=True)))

    def __sub__(self, other: Cost) -> Cost:
        return Cost(*(a - b for a, b in zip(self._row(), other._row(), strict=True)))

    def by(self, count: int) -> Cost:
        """Cost per segment, for `count` segments."""
        return Cost(*(one / count for one in self._row()))

    def _row(self) -> tuple[float, ...]:
        return self.instructions, self.near_misses, self.far_misses, self.branches, self.fetches


def costs(annotated: str) -> dict[str, Cost]:
    """Inclusive costs by function, out of what ``callgrind_annotate`` prints for `EVENTS`."""
    found: dict[str, Cost] = {}
    for line in annotated.splitlines():
        match = _LINE.match(line)
        if match is None:
            continue
        name = plain(match[2])
        cells = re.findall(r"([\d,]+|\.) ", _SHARE.sub(" ", match[1]))  # a dot: it never happened there
        numbers = [0 if cell == "." else int(cell.replace(",", "")) for cell in cells]
        if len(numbers) == len(EVENTS):
            instructions, fetches, near, far, conditional, indirect = numbers
            cost = Cost(instructions, near, far, conditional + indirect, fetches)
            if instructions > found.get(name, Cost()).instructions:
                found[name] = cost  # a clone is part of its function
    return found


def parts(found: Mapping[str, Cost]) -> dict[str, Cost]:
    """The parts of a segment's way, out of the costs of functions: each without what it calls of the others."""
    divided = dict.fromkeys(PARTS, Cost())
    for name, part in INNER.items():
        if name not in found or (name in WITHIN_BEST and BEST in found):
            continue  # nothing but the optimal search calls other searches where it is used
        divided[part] += found[name]
        if name in WITHIN:
            divided[INNER[WITHIN[name]]] -= found[name]
    return divided


def simulated(preset: str, files: Sequence[Path], folder: Path) -> dict[str, dict[str, Cost]]:
    """Run a preset under callgrind; the costs of the parts in each pass."""
    out = folder / f"{preset}.callgrind"
    tool = ["valgrind", "--tool=callgrind", "--cache-sim=yes", "--branch-sim=yes", f"--callgrind-out-file={out}"]
    tool.append("--dump-after=__pyx_pw_*CompiledSums*statistics*")  # a pass ends there
    command = ["nice", "-n", "19", *tool, sys.executable, "-c", RUN, preset, "1", *map(str, files)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603
    return {name: parts(costs(_annotated(Path(f"{out}.{place}")))) for place, name in enumerate(PASSES, 1)}


def _annotated(out: Path) -> str:
    command = ["callgrind_annotate", "--inclusive=yes", "--threshold=100", f"--show={','.join(EVENTS)}", str(out)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603


def table(found: Mapping[str, Mapping[str, Mapping[str, Cost]]], segments: int) -> str:
    """A table in Markdown, for one segment: preset, pass, part."""
    lines = [
        "| preset | words are | part | instructions | share | not in the cache | data: first cache | last | branches |"
    ]
    lines.append("|---|---|---|---:|---:|---:|---:|---:|---:|")
    for preset, passes in found.items():
        for name, divided in passes.items():
            whole = sum(divided.values(), Cost())
            for part, total in {**divided, "all": whole}.items():
                one, share = total.by(segments), 100 * total.instructions / max(whole.instructions, 1)
                if share >= 0.5:
                    misses = (
                        f"{one.fetches:,.0f} | {one.near_misses:,.0f} | {one.far_misses:,.1f} | {one.branches:,.0f}"
                    )
                    numbers = f"{one.instructions:,.0f} | {share:.0f} % | {misses}"
                    lines.append(f"| `{preset}` | {name} | {part} | {numbers} |")
    return "\n".join(lines)
