"""Record what METEOR 1.5 makes of this project's own texts: statistics, alignments, scores.

    python tools/record_golden.py JAR

writes ``tests/golden/NAME.jsonl`` for each of `RECORDINGS`. A text (a row with ``text``) is followed by its segments.
The jar is run twice on each text, once for its segments and once for the score of the corpus::

    java -Xmx2G -Dfile.encoding=UTF-8 -jar JAR HYPOTHESES REFERENCES OPTIONS -ssOut -writeAlignments -f PREFIX
    java -Xmx2G -Dfile.encoding=UTF-8 -jar JAR HYPOTHESES REFERENCES OPTIONS -q

OPTIONS stand in the row of the text. Where it has several references they are given as one file, those of a segment one
after the other, and OPTIONS end in ``-r N``. The table of ``-a phrases.en.gz`` is `PHRASES`, our own; without ``-a`` it
is the one that METEOR comes with.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from meteorlib.verification import packed_matches

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden"

PHRASES = ROOT / "tests" / "data" / "phrases.en.tsv"
"""A paraphrase table for `TEXTS`, written for this project: a phrase and what it may be matched with on each line."""

RECORDINGS = {
    "meteor-1.5-en-core": ["-l", "en", "-norm", "-m", "exact stem synonym", "-w", "1.0 0.6 0.8"],
    "meteor-1.5-en": ["-l", "en", "-norm"],
    "meteor-1.5-en-phrases": ["-l", "en", "-norm", "-a", "phrases.en.gz"],
}
TEXTS = {
    "tests/data/en.hyp": ["tests/data/en.ref"],
    "tests/data/phrases.en.hyp": ["tests/data/phrases.en.ref"],
    "examples/system-a.en": ["examples/reference.0.en", "examples/reference.1.en"],
    "examples/system-b.en": ["examples/reference.0.en", "examples/reference.1.en"],
}

Matches = list[tuple[int, int, int, int, int]]


@dataclass(frozen=True)
class JarSegment:
    """METEOR 1.5's results for a segment; matches as reference start and length, hypothesis start and length, stage."""

    statistics: str
    precision: float
    recall: float
    penalty: float
    score: float
    matches: Matches


def read_lines(path: Path) -> list[str]:
    """The segments of a file whose lines end in LF."""
    return path.read_bytes().decode().removesuffix("\n").split("\n")


def packed_phrases() -> bytes:
    """`PHRASES` as METEOR reads a table: gzip, and three lines an entry, a probability first."""
    entries = [line.split("\t") for line in read_lines(PHRASES)]
    text = "".join(f"0.5\n{phrase}\n{paraphrase}\n" for phrase, paraphrase in entries)
    return gzip.compress(text.encode(), mtime=0)


def read_alignments(text: str) -> Iterator[tuple[list[float], Matches]]:
    """Parse the output of ``-writeAlignments``: precision, recall, penalty, score, and matches of each segment."""
    lines = iter(text.split("\n"))
    for line in lines:
        if not line:
            continue
        numbers = [float(number) for number in line.split("\t")[-4:]]
        for _ in ("hypothesis", "reference", "header"):
            next(lines)
        matches = []
        for match in iter(lines.__next__, ""):
            reference, hypothesis, stage, _score = [column for column in match.split("\t") if column]
            spans = [int(number) for span in (reference, hypothesis) for number in span.split(":")]
            matches.append((spans[0], spans[1], spans[2], spans[3], int(stage)))
        yield numbers, matches


def run_jar(
    jar: Path, hypotheses: Sequence[str], references: Sequence[Sequence[str]], options: Sequence[str]
) -> tuple[float, list[JarSegment]]:
    """The corpus score and the segments; `references` holds those of each segment."""
    with TemporaryDirectory() as folder:
        files = {"hypotheses": hypotheses, "references": [text for texts in references for text in texts]}
        for name, lines in files.items():
            (Path(folder) / name).write_bytes("".join(f"{line}\n" for line in lines).encode())
        (Path(folder) / "phrases.en.gz").write_bytes(packed_phrases())
        command = ["java", "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", str(jar.resolve()), *files, *options]
        if len(references[0]) > 1:
            command += ["-r", str(len(references[0]))]

        def run(*more: str) -> list[str]:
            done = subprocess.run([*command, *more], cwd=folder, check=True, capture_output=True, encoding="utf-8")  # noqa: S603 - the user names the jar
            return done.stdout.removesuffix("\n").split("\n")

        statistics = run("-ssOut", "-writeAlignments", "-f", "out")
        alignments = read_alignments((Path(folder) / "out-align.out").read_bytes().decode())
        segments = [
            JarSegment(line, *numbers, matches) for line, (numbers, matches) in zip(statistics, alignments, strict=True)
        ]
        return float(run("-q")[-1]), segments


def record(jar: Path, name: str, options: Sequence[str]) -> None:
    """Write the golden file of that name anew."""
    written: list[dict[str, Any]] = []
    for text, names in TEXTS.items():
        references = list(zip(*(read_lines(ROOT / file) for file in names), strict=True))
        score, segments = run_jar(jar, read_lines(ROOT / text), references, options)
        command = [*options, *(["-r", str(len(names))] if len(names) > 1 else [])]
        written.append({"text": text, "references": names, "options": command, "score": score})
        for one in segments:
            statistics = " ".join(str(int(float(number))) for number in one.statistics.split())
            numbers = [one.precision, one.recall, one.penalty, one.score]
            cells = [number if number == number else None for number in numbers]  # noqa: PLR0124 - NaN is not
            written.append({"statistics": statistics, "numbers": cells, "matches": packed_matches(one.matches)})
    rows = (json.dumps(row, separators=(",", ":")) for row in written)
    (GOLDEN / f"{name}.jsonl").write_bytes("".join(f"{row}\n" for row in rows).encode())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tools/record_golden.py JAR")
    for recording, its_options in RECORDINGS.items():
        record(Path(sys.argv[1]), recording, its_options)
