"""Time by parts, measured: a program is interrupted some thousand times a second, and asked where it is.

``perf record`` does it, by the clock of the system, so that no counters of the processor are needed. Each sample
belongs to the innermost function that `benchmarks.segment_parts` knows.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from attrs import field, frozen

from benchmarks.segment_parts import ASKED, INNER, NEW_WORDS, PARTS, REST, innermost, plain

PASSES = ("new", "known")
"""The words of a text that is scored for the first time, and of the same text once more."""

RUN = """
import json, sys, time
from meteorlib import Scorer
from meteorlib.core.segment import Pair
preset, turns, *names = sys.argv[1:]
hypotheses, references = (open(name, encoding="utf-8").read().split("\\n")[:-1] for name in names)
pairs = [Pair([reference], hypothesis) for hypothesis, reference in zip(hypotheses, references)]
for _ in range(int(turns)):
    scorer = Scorer(preset, implementation="compiled")
    for name in ("new", "known"):
        scorer.engine.references.clear()  # else the second pass would read the hypotheses alone
        begin, used = time.monotonic(), time.process_time()
        scorer.totals(pairs)
        print(json.dumps([name, begin, time.monotonic(), time.process_time() - used]))
"""

RATE = 1999  # samples a second
_TIME = re.compile(r"^\s*([\d.]+):\s*$")


@frozen
class Pass:
    """One run through the text: when it was, and seconds of the processor."""

    name: str
    begin: float
    end: float
    seconds: float


@frozen
class Sampled:
    """Runs through the text, their seconds of the processor, the samples by part and by what is asked of new words."""

    runs: int = 0
    seconds: float = 0
    parts: Counter[str] = field(factory=Counter)
    asked: Counter[str] = field(factory=Counter)

    def microseconds(self, part: str, segments: int) -> float:
        """Time for a part of one segment."""
        return self._whole(segments) * self.parts[part] / max(self.parts.total(), 1)

    def asking(self, what: str, segments: int) -> float:
        """Microseconds of a segment in which something is asked of new words."""
        return self._whole(segments) * self.asked[what] / max(self.parts.total(), 1)

    def _whole(self, segments: int) -> float:
        return 1e6 * self.seconds / max(segments * self.runs, 1)


def stacks(script: Iterable[str]) -> Iterator[tuple[float, list[str]]]:
    """When each sample was taken, and the functions of the extension in its stack, the innermost first."""
    when: float | None = None
    names: list[str] = []
    for line in script:
        begun = _TIME.match(line)
        if begun:
            if when is not None:
                yield when, names
            when, names = float(begun[1]), []
        elif line.strip():
            name = plain(line)
            if name:
                names.append(name)
    if when is not None:
        yield when, names


def divided(passes: Sequence[Pass], samples: Iterable[tuple[float, list[str]]]) -> dict[str, Sampled]:
    """The samples of each kind of pass; what is outside of all is left out."""
    found = {}
    for name in PASSES:
        seconds = [one.seconds for one in passes if one.name == name]
        found[name] = Sampled(len(seconds), sum(seconds))
    for when, stack in samples:
        during = next((one.name for one in passes if one.begin <= when < one.end), None)
        if during is None:
            continue
        part = innermost(stack, INNER) or REST
        found[during].parts[part] += 1
        if part == NEW_WORDS:
            found[during].asked[innermost(stack, ASKED) or "the rest"] += 1
    return found


def sampled(preset: str, files: Sequence[Path], folder: Path, turns: int) -> dict[str, Sampled]:
    """Run a preset under perf, each time with a scorer that knows no word."""
    data = str(folder / "perf.data")
    record = ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(RATE), "-k", "CLOCK_MONOTONIC"]
    command = [*record, "--call-graph", "dwarf,8192", "-o", data, sys.executable, "-c", RUN, preset, str(turns)]
    told = subprocess.run([*command, *map(str, files)], check=True, capture_output=True, text=True).stdout  # noqa: S603
    passes = [Pass(*json.loads(line)) for line in told.splitlines() if line.startswith("[")]
    script = ["perf", "script", "-i", data, "-F", "time,ip,sym", "--no-inline"]
    with subprocess.Popen(script, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:  # noqa: S603
        assert process.stdout is not None  # noqa: S101 – for the types
        return divided(passes, stacks(process.stdout))


def table(found: Mapping[str, Mapping[str, Sampled]], segments: int) -> str:
    """µs of a segment by part, in Markdown: a row for each preset and pass."""
    lines = ["| µs a segment | words are | " + " | ".join(PARTS) + " | all |"]
    lines.append("|---|---|" + "---:|" * (len(PARTS) + 1))
    for preset, passes in found.items():
        for name, one in passes.items():
            times = [one.microseconds(part, segments) for part in PARTS]
            lines.append(f"| `{preset}` | {name} | {' | '.join(f'{time:.1f}' for time in [*times, sum(times)])} |")
    return "\n".join(lines)


def asked_table(found: Mapping[str, Mapping[str, Sampled]], segments: int, tokens: float) -> str:
    """µs of a new token by what is asked, in Markdown, for `tokens` new tokens in a segment."""
    kinds = [*dict.fromkeys(ASKED.values())]
    lines = ["| µs a new token | " + " | ".join(kinds) + " | all |", "|---|" + "---:|" * (len(kinds) + 1)]
    for preset, passes in found.items():
        times = [passes["new"].asking(kind, segments) / tokens for kind in kinds]
        whole = passes["new"].microseconds(NEW_WORDS, segments) / tokens
        lines.append(f"| `{preset}` | {' | '.join(f'{time:.2f}' for time in [*times, whole])} |")
    return "\n".join(lines)
