"""Record what METEOR 1.5 makes of the lines of tests/golden/normalizer.jsonl.

    python tools/record_golden_normalizer.py JAR

Each row of the file has a language and a line; the jar's lines of words in three text modes are put beside them. To
add a line, add a row with `language` and `line` and run this again. The jar is run as::

    java -Xmx2G -Dfile.encoding=UTF-8 -jar JAR HYP REF -l LANGUAGE OPTIONS -m exact -writeAlignments -f PREFIX

OPTIONS is ``-lower``, ``-norm`` or ``-norm -noPunct``; the words are the second line of each alignment. The jar strips
characters up to U+0020 from the ends of that line.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "golden" / "normalizer.jsonl"
MODES = {"lower": ["-lower"], "norm": ["-norm"], "norm_nopunct": ["-norm", "-noPunct"]}


def run_jar(jar: Path, lines: list[str], language: str, options: list[str]) -> list[str]:
    """The jar's words of each line, joined by spaces."""
    with TemporaryDirectory() as folder:
        hypotheses, references, prefix = (Path(folder) / name for name in ("hypotheses", "references", "out"))
        hypotheses.write_bytes("".join(f"{line}\n" for line in lines).encode())
        references.write_bytes(b"x\n" * len(lines))
        command = ["java", "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", str(jar), str(hypotheses), str(references)]
        command += ["-l", language, *options, "-m", "exact", "-writeAlignments", "-f", str(prefix)]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - the user names the jar
        written = Path(f"{prefix}-align.out").read_bytes().decode().split("\n")
    return [written[place + 1] for place, line in enumerate(written) if line.startswith("Alignment\t")]


def record(jar: Path) -> None:
    """Write the golden file anew, rows in the order in which they stand."""
    rows = [json.loads(row) for row in GOLDEN.read_bytes().decode().split("\n") if row]
    for language in dict.fromkeys(row["language"] for row in rows):
        own = [row for row in rows if row["language"] == language]
        for mode, options in MODES.items():
            answers = run_jar(jar, [row["line"] for row in own], language, options)
            for row, answer in zip(own, answers, strict=True):
                row[mode] = answer
    GOLDEN.write_bytes("".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows).encode())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tools/record_golden_normalizer.py JAR")
    record(Path(sys.argv[1]))
