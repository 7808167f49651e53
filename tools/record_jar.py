"""Record what METEOR 1.5's jar makes of this project's own texts: ``python -m tools.record_jar JAR``.

``tests/golden/NAME.jsonl`` for each of `RECORDINGS`: a text (a row with ``text``) is followed by its segments. The jar
is run twice on each text, once for its segments and once for the score of the corpus::

    java -Xmx2G -Dfile.encoding=UTF-8 -jar JAR HYPOTHESES REFERENCES OPTIONS -ssOut -writeAlignments -f PREFIX
    java -Xmx2G -Dfile.encoding=UTF-8 -jar JAR HYPOTHESES REFERENCES OPTIONS -q

OPTIONS stand in the row of the text. Where it has several references they are given as one file, those of a segment one
after the other, and OPTIONS end in ``-r N``. The table of ``-a phrases.en.gz`` is `PHRASES`, our own; without ``-a`` it
is the one that METEOR comes with.

``tests/golden/normalizer.jsonl``: each row has a language and a line; the jar's words of the line in three text modes
are put beside them. To add a line, add a row with `language` and `line` and run this again.

``tests/golden/dropin.jsonl``: a line for each of tests/cli/dropin/cases.py; ``tests/golden/tasks.jsonl``: the head that
is printed for every language, task and combination of -m, -w and -p.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from meteorlib.config.builtin import TASKS
from meteorlib.core.languages import LANGUAGES
from meteorlib.verification import packed_matches
from tools.record_golden import GOLDEN, ROOT, read_lines

JAVA = ("java", "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar")

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
MODES = {"lower": ["-lower"], "norm": ["-norm"], "norm_nopunct": ["-norm", "-noPunct"]}
SIX = "exact exact exact exact exact exact"

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
    jar: Path,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    options: Sequence[str],
    *,
    of_corpus: bool = True,
    of_segments: bool = True,
) -> tuple[float, list[JarSegment]]:
    """The corpus score and the segments, a run each, else NaN and none; `references` holds those of each segment."""
    with TemporaryDirectory() as folder:
        files = {"hypotheses": hypotheses, "references": [text for texts in references for text in texts]}
        for name, lines in files.items():
            (Path(folder) / name).write_bytes("".join(f"{line}\n" for line in lines).encode())
        (Path(folder) / "phrases.en.gz").write_bytes(packed_phrases())
        command = [*JAVA, str(jar.resolve()), *files, *options]
        if len(references[0]) > 1:
            command += ["-r", str(len(references[0]))]

        def run(*more: str) -> list[str]:
            done = subprocess.run([*command, *more], cwd=folder, check=True, capture_output=True, encoding="utf-8")  # noqa: S603 - the user names the jar
            return done.stdout.removesuffix("\n").split("\n")

        score = float(run("-q")[-1]) if of_corpus else nan
        if not of_segments:
            return score, []
        statistics = run("-ssOut", "-writeAlignments", "-f", "out")
        alignments = read_alignments((Path(folder) / "out-align.out").read_bytes().decode())
        segments = [
            JarSegment(line, *numbers, matches) for line, (numbers, matches) in zip(statistics, alignments, strict=True)
        ]
        return score, segments


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


def jar_words(jar: Path, lines: Sequence[str], language: str, options: Sequence[str]) -> list[str]:
    """The jar's words of each line, joined by spaces; it strips characters up to U+0020 from the ends."""
    with TemporaryDirectory() as folder:
        hypotheses, references, prefix = (Path(folder) / name for name in ("hypotheses", "references", "out"))
        hypotheses.write_bytes("".join(f"{line}\n" for line in lines).encode())
        references.write_bytes(b"x\n" * len(lines))
        command = [*JAVA, str(jar), str(hypotheses), str(references), "-l", language, *options]
        command += ["-m", "exact", "-writeAlignments", "-f", str(prefix)]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - the user names the jar
        written = Path(f"{prefix}-align.out").read_bytes().decode().split("\n")
    return [written[place + 1] for place, line in enumerate(written) if line.startswith("Alignment\t")]


def record_words(jar: Path) -> None:
    """Write the golden file of the normalizer anew, rows in the order in which they stand."""
    path = GOLDEN / "normalizer.jsonl"
    rows = [json.loads(row) for row in read_lines(path) if row]
    for language in dict.fromkeys(row["language"] for row in rows):
        own = [row for row in rows if row["language"] == language]
        for mode, options in MODES.items():
            for row, words in zip(own, jar_words(jar, [row["line"] for row in own], language, options), strict=True):
                row[mode] = words
    path.write_bytes("".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows).encode())


def put_inputs(folder: Path) -> None:
    """Write all inputs of the drop-in's cases into `folder`."""
    from tests.cli.dropin.cases import INPUTS  # noqa: PLC0415 – which pytest collects

    for name, content in INPUTS.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)


def run_command(jar: Path, folder: Path, arguments: Sequence[str]) -> dict[str, Any]:
    """Output of the jar, printed and written to files ``out-…`` in `folder`, which are removed."""
    from tests.cli.dropin.cases import CONVERSATION  # noqa: PLC0415 – as above

    command = ["java", "-Xmx1G", "-XX:+UseSerialGC", "-jar", str(jar), *arguments]
    done = subprocess.run(command, cwd=folder, input=CONVERSATION.encode(), capture_output=True, check=False)  # noqa: S603
    written = {}
    for path in sorted(folder.glob("out-*")):
        written[path.name] = path.read_bytes().decode()
        path.unlink()
    stderr = done.stderr.decode()
    scores = stderr if "-q" in arguments and "-sgml" not in arguments and "-stdio" not in arguments else ""
    return {"status": done.returncode, "stdout": done.stdout.decode(), "scores": scores, "files": written}


def task_arguments() -> Iterator[list[str]]:
    """Arguments whose head shows the tuned numbers."""
    for language in LANGUAGES:
        for task in (None, *TASKS):
            asked = ["-l", language] if task is None else ["-l", language, "-t", task]
            yield [*asked, "-a", "empty.gz"]
            yield [*asked, "-m", SIX]
        for more in (["-p", ".1 .2 .3 .4"], ["-p", ".1 .2 .3 .4", "-t", "li"], ["-w", "1"]):
            yield ["-l", language, "-a", "empty.gz", *more]
        for more in (["-w", "1"], ["-w", "1 .5 .4"], ["-p", ".1 .2 .3 .4"], ["-p", ".1 .2 .3 .4", "-w", ".7"]):
            yield ["-l", language, "-m", "exact exact", *more]
    for name in [*LANGUAGES.values(), "cs", "sv", "xx", "EN", "Cs", "XX", "ar", "arabic", "li"]:
        yield ["-l", name, "-m", "exact"]


def record_commands(jar: Path) -> None:
    """Write the golden files of the drop-in anew."""
    from tests.cli.dropin.cases import CASES  # noqa: PLC0415 – as above

    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        put_inputs(folder)
        with (GOLDEN / "dropin.jsonl").open("w", encoding="utf-8") as file:
            for name, arguments in CASES.items():
                file.write(json.dumps({"name": name, **run_command(jar, folder, arguments)}, ensure_ascii=False) + "\n")
        (folder / "one").write_text("x\n")
        with (GOLDEN / "tasks.jsonl").open("w", encoding="utf-8") as file:
            for arguments in task_arguments():
                printed = run_command(jar, folder, ["one", "one", *arguments])
                head = printed["stdout"].partition("Segment 1")[0]
                file.write(json.dumps({"arguments": arguments, "status": printed["status"], "head": head}) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tools.record_jar JAR")
    given = Path(sys.argv[1]).resolve()
    for recording, its_options in RECORDINGS.items():
        record(given, recording, its_options)
    record_words(given)
    record_commands(given)
