"""Run meteorlib, the other METEORs and other metrics on the same text in one go: ``python -m benchmarks --jar JAR``.

Each program is run as its users run it, as a process of its own on one core, on a short and on a long piece of the
same text, of which no pair of lines comes twice. The difference of the two runs is the rate without start-up; what the
short run took beyond that is the start-up; the peak of the resident memory is the long run's. Seconds are those of the
processor. ``python -m benchmarks.compare`` compares two commits.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from attrs import frozen

from benchmarks.process import Command, Run, machine, markdown, measure, options
from benchmarks.texts import Pair, load_pairs, write_pairs

PURE = {"METEORLIB_PURE_PYTHON": "1"}

OTHER_METRICS = {
    "sacrebleu": {
        "bleu": "BLEU",
        "bleu-calls": "BLEU, single calls",
        "sentence-bleu": "sentence_bleu",
        "chrf": "chrF",
        "ter": "TER",
    },
    "rouge_score": {"rouge": "ROUGE-L"},
    "jiwer": {"wer": "WER (jiwer)"},
}
"""Package → its metrics in `benchmarks.others`, and what they are called."""


@frozen
class Program:
    """A command to be measured; files take the place of HYP and REF."""

    name: str
    command: Command
    environment: Mapping[str, str] = {}


@frozen
class Result:
    """A program on a text: segments a second of the processor, seconds of start-up, MB."""

    program: str
    rate: float
    start: float
    memory: float


def run(program: Program, pairs: Sequence[Pair], folder: Path, core: int) -> Run:
    """Run a program that scores a file of hypotheses against a file of references."""
    hypotheses, references = write_pairs(pairs, folder, str(len(pairs)))
    places = {"HYP": str(hypotheses), "REF": str(references)}
    return measure([places.get(word, word) for word in program.command], core, program.environment)


def bench(program: Program, pairs: Sequence[Pair], short: int, core: int) -> Result:
    """Measure a program on the first `short` pairs and on all of them."""
    with tempfile.TemporaryDirectory() as folder:
        few, all_ = (run(program, pairs[:size], Path(folder), core) for size in (short, len(pairs)))
    rate = (len(pairs) - short) / (all_.processor - few.processor)
    return Result(program.name, rate, max(few.processor - short / rate, 0.0), all_.memory)


def programs(arguments: argparse.Namespace) -> list[Program]:
    """Programs that can run here; the others are compared with the first."""
    here = Path(sys.executable).parent
    script = shutil.which("meteorlib", path=str(here)) or "meteorlib"
    others = [sys.executable, "-m", "benchmarks.others"]
    found = []
    if arguments.jar:
        java = ["java", "-Xmx2G", "-jar", str(arguments.jar)]
        found.append(Program("METEOR 1.5 jar", [*java, "HYP", "REF", "-l", "en", "-norm"]))
        if find_spec("pycocoevalcap"):
            found.append(Program("pycocoevalcap (jar)", [*others, "coco", "HYP", "REF"]))
    if find_spec("nltk") and "NLTK_DATA" in os.environ:
        found.append(Program("NLTK 3.10", [*others, "nltk", "HYP", "REF"]))
    for preset in arguments.preset:
        score = [script, "score", "HYP", "-r", "REF", "--preset", preset]
        found += [Program(preset, score), Program(f"{preset}, pure Python", score, PURE)]
        found.append(Program(f"{preset}, single calls", [*others, f"calls-{preset}", "HYP", "REF"]))
    for package, metrics in OTHER_METRICS.items():
        if find_spec(package):
            found += [Program(name, [*others, metric, "HYP", "REF"]) for metric, name in metrics.items()]
    found.append(Program("floor: reading, splitting", [*others, "floor", "HYP", "REF"]))
    return [program for program in found if not arguments.only or program.name in arguments.only]


def middle(found: Sequence[Result]) -> Result:
    """The medians of a program's turns."""
    rates, starts, memories = zip(*((one.rate, one.start, one.memory) for one in found), strict=True)
    return Result(found[0].program, median(rates), median(starts), median(memories))


def table(results: Sequence[Result]) -> str:
    """A table in Markdown; the ratios are to the first program."""
    first, rows = results[0], []
    for one in results:
        ratios = (one.rate / first.rate, first.start / (one.start or 0.001), first.memory / one.memory)
        figures = f"{one.rate:,.0f}", f"{one.start:.2f}", f"{one.memory:.0f}"
        rows.append([one.program, *figures, *(f"{ratio:.2f}" for ratio in ratios)])
    columns = "program, segments/s, start-up s, peak MB, rate ×, start-up ÷, memory ÷"
    return markdown(columns.split(", "), rows)


def command_line(description: str | None) -> argparse.ArgumentParser:
    """The options that all benchmarks of whole processes have."""
    presets = ["meteor-1.5-en", "nltk", "meteor-2005"]
    parser = options(description, segments=24_000, core=max(os.sched_getaffinity(0)), preset=presets)
    parser.add_argument("--jar", type=Path, help="meteor-1.5.jar, with data/paraphrase-en.gz beside it")
    parser.add_argument("--only", nargs="*", metavar="PROGRAM", help="of the programs only these")
    return parser


def main() -> None:
    """Measure and print a table."""
    parser = command_line(__doc__)
    parser.add_argument("--short", type=int, default=4_000, help="segments of the short run")
    parser.add_argument("--turns", type=int, default=1, help="how often each program is run, in turns; medians count")
    arguments = parser.parse_args()
    pairs = load_pairs(arguments.shared, arguments.segments)
    words = sum(len(hypothesis.split()) for hypothesis, _ in pairs) / len(pairs)
    print(f"{len(pairs)} distinct segments of {words:.1f} words, one core of {machine()}\n")
    listed = programs(arguments)
    turns = []
    for turn in range(arguments.turns):
        turns.append([bench(program, pairs, arguments.short, arguments.core) for program in listed])
        sys.stderr.write(f"turn {turn + 1} of {arguments.turns}\n")
    print(table([middle(found) for found in zip(*turns, strict=True)]))


if __name__ == "__main__":
    main()
