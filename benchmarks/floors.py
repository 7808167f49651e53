"""Limits of the machine, measured by ``floors.c``, and the least work to score a text."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen

from benchmarks.process import markdown
from benchmarks.segment_parts import PARTS, PREPARED, READING, WORDS, Cost
from benchmarks.texts import Pair

WORDS_ALONE = ("meteor-2005-exact", "meteor-2005", "nltk")
"""Presets that look for no phrases, and no joined words, while they describe the words of a line."""


@frozen
class Text:
    """Work that a text makes: the tokens of each segment, and the new ones among them."""

    segments: int
    lines: float  # that are read: a hypothesis, and a reference where it comes for the first time
    bytes: float
    tokens: float
    new_tokens: float

    @classmethod
    def of(cls, pairs: Sequence[Pair]) -> Text:
        """Count; the last token of a line is another one than in its midst."""
        lines = read_lines(pairs)
        tokens = [token for line in lines for token in f"{line}\n".split(" ")]
        size, count = sum(len(line.encode()) + 1 for line in lines), len(pairs)
        return cls(count, len(lines) / count, size / count, len(tokens) / count, len(set(tokens)) / count)


@frozen
class Machine:
    """Nanoseconds: of a cycle, a mispredicted branch, a read from each cache and from memory.

    And of the least programs for the whole text: reading it, its tokens new or known, and describing its lines.
    """

    cycle: float
    branch: float
    first_cache: float
    second_cache: float
    third_cache: float
    memory: float
    memory_small_pages: float
    memory_at_once: float
    third_cache_at_once: float
    read_new: float
    read_known: float
    describe: float

    @property
    def instruction(self) -> float:
        """At best: a processor of today ends about four of them in a cycle."""
        return self.cycle / 4

    def least(self, text: Text, preset: str) -> dict[str, float]:
        """µs of a segment, by part: what the least program takes that does the same."""
        found = {READING: 1e-3 * self.read_known / text.segments}
        return {**found, WORDS: 1e-3 * self.describe / text.segments} if preset in WORDS_ALONE else found

    def causes(self, cost: Cost) -> tuple[float, float, float]:
        """µs: instructions that wait for nothing; mispredicted branches; what misses a cache, one by one."""
        near = (cost.near_misses + cost.fetches - cost.far_misses) * (self.second_cache - self.first_cache)
        reads = near + cost.far_misses * (self.memory - self.first_cache)
        return 1e-3 * cost.instructions * self.instruction, 1e-3 * cost.branches * self.branch, 1e-3 * reads


def read_lines(pairs: Sequence[Pair]) -> list[str]:
    """Lines to read: each hypothesis, and each reference when it first occurs."""
    known: set[str] = set()
    lines = []
    for hypothesis, reference in pairs:
        lines.append(hypothesis)
        if reference not in known:
            lines.append(reference)
            known.add(reference)
    return lines


def measure(pairs: Sequence[Pair], folder: Path) -> Machine:
    """Compile and run ``floors.c``."""
    text, program = folder / "floors.txt", folder / "floors"
    text.write_text("".join(f"{line}\n" for line in read_lines(pairs)), encoding="utf-8", newline="\n")
    subprocess.run(["cc", "-O2", "-o", str(program), str(Path(__file__).with_name("floors.c"))], check=True)  # noqa: S603, S607
    told = subprocess.run([str(program), str(text)], check=True, capture_output=True, text=True).stdout  # noqa: S603
    return Machine(**json.loads(told))


def machine_table(machine: Machine) -> str:
    """Speed of the machine, in Markdown."""
    rows = {
        "a cycle": machine.cycle,
        "an instruction that waits for nothing, four a cycle": machine.instruction,
        "a mispredicted branch": machine.branch,
        "a read from the first cache (16 kB)": machine.first_cache,
        "a read from the second cache (256 kB)": machine.second_cache,
        "a read from the third cache (4 MB)": machine.third_cache,
        "reads from the third cache, several at once": machine.third_cache_at_once,
        "a read from memory (128 MB, huge pages)": machine.memory,
        "the same, small pages": machine.memory_small_pages,
        "the same, several at once": machine.memory_at_once,
    }
    return markdown(["", "ns"], ((name, f"{time:.2f}") for name, time in rows.items()))


def text_table(text: Text) -> str:
    """Work that a text makes, in Markdown."""
    figures = (
        f"{text.segments:,}",
        f"{text.lines:.2f}",
        f"{text.bytes:.0f}",
        f"{text.tokens:.1f}",
        f"{text.new_tokens:.2f}",
    )
    return markdown(["segments", "lines read a segment", "bytes", "tokens", "new tokens"], [figures], left=0)


def causes_table(
    times: Mapping[str, Mapping[str, float]], costs: Mapping[str, Mapping[str, Cost]], machine: Machine, text: Text
) -> str:
    """By preset and part: the time that was measured, what explains it, and the floor, in Markdown."""
    rows = []
    for preset, parts in times.items():
        least, whole, bound = machine.least(text, preset), sum(costs[preset].values(), Cost()), 0.0
        for part in (part for part in PARTS if parts.get(part, 0) >= 0.05):
            causes = machine.causes(costs[preset][part].by(text.segments))
            floor = min(causes[0], least.get(part, causes[0]))
            bound += floor
            told = f"{least[part]:.2f}" if part in least else "–"
            rows.append(_row(preset, part, parts[part], (*causes, told, floor)))
        causes = machine.causes(whole.by(text.segments))
        rows.append(_row(preset, "**all**", sum(parts.values()), (*causes, "–", bound)))
    columns = "preset | part | measured, µs | instructions | branches | caches, memory | least program | × the floor"
    return markdown(columns.split(" | "), rows, left=2)


def _row(preset: str, part: str, measured: float, limits: tuple[float, float, float, str, float]) -> list[str]:
    *causes, told, floor = limits
    numbers = [f"{number:.1f}" for number in (measured, *causes)]
    return [f"`{preset}`", part, *numbers, told, f"{measured / max(floor, 1e-9):.1f}"]


RUN = f"""{PREPARED}
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
turns = [(seconds(pairs), of_groups(20)) for _ in range(int(turns))]
print(json.dumps(sorted(turns, key=lambda turn: turn[1] / turn[0])[len(turns) // 2]))
"""


def warm(preset: str, files: Sequence[Path]) -> tuple[float, float]:
    """Seconds for all segments: in their order, and 20 of them over and over; the turn with the median ratio."""
    command = [sys.executable, "-c", RUN, preset, "15", *map(str, files)]
    whole, groups = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)  # noqa: S603
    return whole, groups


def warm_table(found: Mapping[str, tuple[float, float]], segments: int) -> str:
    """µs of a segment whose words are known, in Markdown."""
    rows = [
        (f"`{preset}`", *(f"{1e6 * time / segments:.1f}" for time in times), f"{100 * (1 - times[1] / times[0]):.0f} %")
        for preset, times in found.items()
    ]
    columns = ["preset", "all segments, µs", "the same 20 over and over, µs", "share of caches and branches"]
    return markdown(columns, rows)
