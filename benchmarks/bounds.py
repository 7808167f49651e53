"""Where the time of a segment goes: ``python -m benchmarks.bounds``.

The compiled engine sums up segments under valgrind's callgrind, which counts instructions, and simulates caches and
branches. So the numbers do not depend on what else the machine does. They are divided among the parts of a segment's
way by the functions of the extension.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen

from benchmarks.texts import load_pairs, write_pairs

EVENTS = ("Ir", "D1mr", "DLmr", "Bcm", "Bim")
"""Instructions; reads that miss the first cache, and the last; mispredicted branches, conditional and indirect."""

LEARNING = ("Reader_learn_token", "Reader_segment_of")
CANDIDATES = ("candidates_propose_words", "candidates_find_paraphrases", "phrases_find_openings")
SEARCH = (
    "fixed_split_fixed",
    "narrow_search_narrow",
    "beam_search_wide",
    "greedy_search_greedily",
    "staged_search_staged",
    "alignment_search_by_worth",
)
"""Functions of the extension that are a part of a segment's way; none of them calls another one of these."""

BEST = "alignment_search_best"
"""The optimal search, which calls some of `SEARCH`; nothing else does where it is used."""

RUN = """
import sys
from meteorlib import Scorer
from meteorlib.core.pair import Pair
preset, *names = sys.argv[1:]
hypotheses, references = (open(name, encoding="utf-8").read().split("\\n")[:-1] for name in names)
Scorer(preset, implementation="compiled").totals(Pair([ref], hyp) for hyp, ref in zip(hypotheses, references))
"""

_SHARE = re.compile(r"\([ \d.]+%\)")
_LINE = re.compile(r"^([ \d,.()%]+)\?\?\?:(__pyx_\w+)")


@frozen
class Cost:
    """What a part costs: instructions, misses of the first cache and of the last, mispredicted branches."""

    instructions: float = 0
    near_misses: float = 0
    far_misses: float = 0
    branches: float = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(*(a + b for a, b in zip(self._row(), other._row(), strict=True)))

    def __sub__(self, other: Cost) -> Cost:
        return Cost(*(a - b for a, b in zip(self._row(), other._row(), strict=True)))

    def by(self, count: int) -> Cost:
        """The same for one of so many segments."""
        return Cost(*(one / count for one in self._row()))

    def _row(self) -> tuple[float, float, float, float]:
        return self.instructions, self.near_misses, self.far_misses, self.branches


def costs(annotated: str) -> dict[str, Cost]:
    """Inclusive costs by function, out of what ``callgrind_annotate`` prints for `EVENTS`."""
    found: dict[str, Cost] = {}
    for line in annotated.splitlines():
        match = _LINE.match(line)
        if match is None:
            continue
        numbers = [int(number.replace(",", "")) for number in re.findall(r"([\d,]+) ", _SHARE.sub(" ", match[1]))]
        if len(numbers) == len(EVENTS):
            instructions, near, far, conditional, indirect = numbers
            cost = Cost(instructions, near, far, conditional + indirect)
            if instructions > found.get(match[2], Cost()).instructions:
                found[match[2]] = cost  # a clone is part of its function
    return found


def parts(found: Mapping[str, Cost]) -> dict[str, Cost]:
    """The parts of a segment's way, which add up to the whole; out of the costs of functions."""

    def of(*names: str) -> Cost:
        return sum((cost for name, cost in found.items() if name.endswith(names)), Cost())

    whole, learning, words = (
        of("CompiledSums_3add", "CompiledSums_2add", "CompiledSums_1add", "CompiledSums_add"),
        of(*LEARNING),
        of("Reader_words_of"),
    )
    described, candidates, search = of("CompiledEngine_complete"), of(*CANDIDATES), of(BEST)
    if not search.instructions:
        search = of(*SEARCH)
    aligned = of("Batch_find")
    return {
        "reading text, looking up tokens": words - learning,
        "learning words": learning,
        "describing segments": described,
        "candidates": candidates,
        "search": search,
        "counts, score": aligned - candidates - search,
        "sums, the rest": whole - words - described - aligned,
    }


def measured(preset: str, files: Sequence[Path], folder: Path) -> dict[str, Cost]:
    """Run a preset under callgrind; the costs of functions."""
    out = folder / "callgrind.out"
    tool = ["valgrind", "--tool=callgrind", "--cache-sim=yes", "--branch-sim=yes", f"--callgrind-out-file={out}"]
    command = [*tool, sys.executable, "-c", RUN, preset, *map(str, files)]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)  # noqa: S603
    annotate = ["callgrind_annotate", "--inclusive=yes", "--threshold=100", f"--show={','.join(EVENTS)}", str(out)]
    return costs(subprocess.run(annotate, check=True, capture_output=True, text=True).stdout)  # noqa: S603


def table(found: Mapping[str, Cost], segments: int) -> str:
    """A table in Markdown, for one segment."""
    whole = sum(found.values(), Cost())
    lines = ["| part | instructions | share | first-cache misses | last-cache misses | mispredicted branches |"]
    lines.append("|---|---:|---:|---:|---:|---:|")
    for name, total in {**found, "all": whole}.items():
        one, share = total.by(segments), 100 * total.instructions / whole.instructions
        misses = f"{one.near_misses:,.0f} | {one.far_misses:,.1f} | {one.branches:,.0f}"
        lines.append(f"| {name} | {one.instructions:,.0f} | {share:.0f} % | {misses} |")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(__file__).parents[2] / "shared")
    parser.add_argument("--segments", type=int, default=2_000)
    parser.add_argument("--preset", nargs="*", default=["meteor-1.5-en", "nltk"])
    arguments = parser.parse_args()
    pairs = load_pairs(arguments.shared, arguments.segments)
    with tempfile.TemporaryDirectory() as name:
        files = write_pairs(pairs, Path(name), "all")
        for preset in arguments.preset:
            found = parts(measured(preset, files, Path(name)))
            print(f"\n{preset}, {len(pairs)} segments\n\n{table(found, len(pairs))}", flush=True)


if __name__ == "__main__":
    main()
