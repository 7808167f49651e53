"""Compare two commits: ``python -m benchmarks.compare OLD [NEW]``.

Both are checked out into a scratch folder and built there. Then both are run in turns on the same text, and every
slowdown beyond the noise is reported: corpus scores of files, loops of single calls, and starts with one line. Seconds
are those of the processor. The exit status is 1 where anything got slower.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import exp, log
from pathlib import Path

from attrs import frozen

from benchmarks.process import machine, markdown, measure, options
from benchmarks.texts import load_pairs, write_pairs

ROOT = Path(__file__).parents[1]

CALLS = """
import sys
from meteorlib import Scorer
preset, *names = sys.argv[1:]
hypotheses, references = (open(name, encoding="utf-8").read().split("\\n")[:-1] for name in names)
scorer = Scorer(preset)
for hypothesis, reference in zip(hypotheses, references):
    scorer.score(reference, hypothesis).score
"""
"""A loop of single calls, in what every commit understands."""


def tasks(presets: Sequence[str], files: tuple[Path, Path], line: tuple[Path, Path]) -> dict[str, list[str]]:
    """Commands to run, by name."""
    found = {}
    for preset in presets:
        for what, (hypotheses, references) in (("corpus", files), ("start", line)):
            score = ["-m", "meteorlib", "score", str(hypotheses), "-r", str(references), "--preset", preset, "-q"]
            found[f"{preset}, {what}"] = [sys.executable, *score]
        found[f"{preset}, single calls"] = [sys.executable, "-c", CALLS, preset, *map(str, files)]
    return found


@contextmanager
def built(commit: str, folder: Path) -> Iterator[Path]:
    """A commit, checked out and built."""
    subprocess.run(["git", "-C", str(ROOT), "worktree", "add", "-q", "--detach", str(folder), commit], check=True)  # noqa: S603, S607
    try:
        build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
        subprocess.run(build, cwd=folder, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        subprocess.run([sys.executable, "-m", "compileall", "-q", "meteorlib"], cwd=folder, check=True)
        yield folder
    finally:
        subprocess.run(["git", "-C", str(ROOT), "worktree", "remove", "--force", str(folder)], check=True)  # noqa: S603, S607


def in_turns(command: Sequence[str], folders: Sequence[Path], runs: int, core: int) -> list[list[float]]:
    """Seconds of the processor of each run in each folder; the one that begins changes from turn to turn."""
    seconds: list[list[float]] = [[] for _ in folders]
    for turn in range(runs):
        for place in range(len(folders))[:: -1 if turn % 2 else 1]:
            folder = folders[place]  # Python looks there first
            seconds[place].append(measure(command, core, {"PYTHONPATH": str(folder)}, folder).processor)
    return seconds


def report(ratios: Mapping[str, Ratio], least: float) -> str:
    """A table in Markdown."""
    rows = [
        (name, found.verdict(least), f"{found.mean:.3f}", f"{found.low:.3f} – {found.high:.3f}")
        for name, found in ratios.items()
    ]
    return markdown(["", "", "new ÷ old", "interval"], rows, left=2)


def main() -> None:
    """Measure and print."""
    presets = ["meteor-2005", "meteor-1.5-en", "nltk"]
    parser = options(__doc__, segments=4_000, preset=presets, core=max(os.sched_getaffinity(0)))
    parser.add_argument("old", help="a commit")
    parser.add_argument("new", nargs="?", default="HEAD", help="another one (default: HEAD)")
    parser.add_argument("--runs", type=int, default=12, help="of each commit")
    parser.add_argument("--confidence", type=float, default=0.99, help="that nothing is called slower that is not")
    parser.add_argument("--least", type=float, default=0.01, help="a share that is too small to be told")
    arguments = parser.parse_args()
    pairs = load_pairs(arguments.shared, arguments.segments)
    print(f"{arguments.old} and {arguments.new}, {len(pairs)} segments, {arguments.runs} runs each; {machine()}\n")
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        files, line = write_pairs(pairs, scratch, "all"), write_pairs(pairs[:1], scratch, "one")
        with built(arguments.old, scratch / "old") as old, built(arguments.new, scratch / "new") as new:
            listed = tasks(arguments.preset, files, line)
            level = shared(arguments.confidence, len(listed))
            ratios = {}
            for task, command in listed.items():
                seconds = in_turns(command, (old, new), arguments.runs, arguments.core)
                ratios[task] = ratio(*seconds, level)
    print(report(ratios, arguments.least))
    sys.exit(any(found.verdict(arguments.least) == "slower" for found in ratios.values()))


@frozen
class Ratio:
    """Seconds of the new one by those of the old one: geometric mean of the pairs, and its confidence interval."""

    mean: float
    low: float
    high: float

    def verdict(self, least: float) -> str:
        """``slower`` or ``faster`` where the whole interval is, and the mean by at least that share; else ``same``."""
        if self.low > 1 and self.mean >= 1 + least:
            return "slower"
        if self.high < 1 and self.mean <= 1 / (1 + least):
            return "faster"
        return "same"


def ratio(old: Sequence[float], new: Sequence[float], confidence: float) -> Ratio:
    """Compare the seconds of runs that were made in turns, with an interval of a level of confidence, 0..1.

    What disturbs a machine for longer than a run disturbs both of a pair; so the pairs' ratios are looked at, as
    logarithms, with Student's t.

    Raises:
        ValueError: fewer than two pairs, or not as many of the one as of the other.
    """
    if len(old) != len(new) or len(old) < 2:
        raise ValueError(f"expected two runs of each at least, and as many of both; got {len(old)} and {len(new)}")
    logs = [log(after / before) for before, after in zip(old, new, strict=True)]
    mean = sum(logs) / len(logs)
    if max(logs) == min(logs):
        return Ratio(exp(mean), exp(mean), exp(mean))
    from scipy import stats  # noqa: PLC0415 – an extra

    interval = stats.ttest_1samp(logs, 0.0).confidence_interval(confidence)
    return Ratio(exp(mean), exp(interval.low), exp(interval.high))


def shared(confidence: float, count: int) -> float:
    """The level of each of several intervals for which all are right with `confidence` (Bonferroni)."""
    return 1 - (1 - confidence) / count


if __name__ == "__main__":
    main()
