"""Record what METEOR's jar prints and writes, for the tests of ``meteor-1.5``.

Usage: python -m tools.record_golden_dropin METEOR_1.5.jar

It writes tests/golden/dropin.jsonl (a line for each of tests/cli/dropin/cases.py) and tests/golden/tasks.jsonl (the
head that is printed for every language, task and combination of -m, -w and -p).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from meteorlib.config.builtin import TASKS
from meteorlib.core.languages import LANGUAGES
from tests.cli.dropin.cases import CASES, CONVERSATION, INPUTS

GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "golden"
SIX = "exact exact exact exact exact exact"


def put_inputs(folder: Path) -> None:
    """Write all inputs into `folder`."""
    for name, content in INPUTS.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)


def run_jar(jar: Path, folder: Path, arguments: Sequence[str]) -> dict[str, Any]:
    """Output of the jar, printed and written to files ``out-…`` in `folder`, which are removed."""
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


def main() -> None:
    """Record all."""
    jar = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        put_inputs(folder)
        with (GOLDEN / "dropin.jsonl").open("w", encoding="utf-8") as file:
            for name, arguments in CASES.items():
                file.write(json.dumps({"name": name, **run_jar(jar, folder, arguments)}, ensure_ascii=False) + "\n")
        (folder / "one").write_text("x\n")
        with (GOLDEN / "tasks.jsonl").open("w", encoding="utf-8") as file:
            for arguments in task_arguments():
                printed = run_jar(jar, folder, ["one", "one", *arguments])
                head = printed["stdout"].partition("Segment 1")[0]
                file.write(json.dumps({"arguments": arguments, "status": printed["status"], "head": head}) + "\n")


if __name__ == "__main__":
    main()
