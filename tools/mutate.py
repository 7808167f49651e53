"""Mutation testing of what mutmut leaves out: the compiled engine, properties, and code that runs at import.

Changes one operator or number of a file after the other, and runs a command that must fail each time:

    python tools/mutate.py FILE --test "pytest -qx -n0 tests/core"

Run it in a copy of the repository: the file is changed in place, and restored at the end.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from tokenize import NAME, NUMBER, OP, TokenInfo, generate_tokens

SWAPPED = dict(
    pair
    for one, other in [
        ("+", "-"), ("*", "/"), ("//", "/"), ("&", "|"), ("<<", ">>"), ("<", "<="), (">", ">="), ("==", "!="),
        ("+=", "-="), ("and", "or"), ("True", "False"), ("min", "max"), ("any", "all"),
    ]
    for pair in ((other, one), (one, other))
) | {"not": ""}  # fmt: skip
DECLARATIONS = ("cdef enum", "cdef extern", "cimport", "from", "import")


def mutants(source: str, first: int, last: int) -> Iterator[tuple[int, str]]:
    """Each mutant with its line. Operators without spaces around them belong to types or signatures."""
    lines = source.splitlines(keepends=True)
    for token in generate_tokens(StringIO(source).readline):
        (row, start), (_, end) = token.start, token.end
        changed = changed_token(token)
        if changed is None or not first <= row <= last:
            continue
        line = lines[row - 1]
        if (token.type != OP or line[start - 1] == " " == line[end]) and not line.startswith(DECLARATIONS):
            yield row, "".join([*lines[: row - 1], line[:start] + changed + line[end:], *lines[row:]])


def changed_token(token: TokenInfo) -> str | None:
    """Replacement of a token in a mutant; None if there is no mutant."""
    if token.type == NUMBER:
        return repr(float(token.string) + 1) if "." in token.string else str(int(token.string, 0) + 1)
    return SWAPPED.get(token.string) if token.type in {NAME, OP} else None


def succeeds(command: str, seconds: float) -> bool:
    """Whether a command ends in time and without an error."""
    environment = os.environ | {"MUTANT_UNDER_TEST": "here"}
    try:
        ended = subprocess.run(shlex.split(command), env=environment, capture_output=True, timeout=seconds, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        return False
    return ended.returncode == 0


def main() -> None:
    """Test the mutants; print those that survive, and how many were killed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="file to change")
    parser.add_argument("--test", required=True, metavar="COMMAND", help="tests that must fail")
    parser.add_argument("--build", default="true", metavar="COMMAND", help="build command")
    parser.add_argument("--lines", default="1-1000000", metavar="FIRST-LAST", help="lines to change")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="sample: one mutant of N")
    parser.add_argument("--seconds", type=float, default=120, help="time limit of the tests")
    options = parser.parse_args()
    source = options.file.read_text(encoding="utf-8")
    first, last = map(int, options.lines.split("-"))
    counts = {"killed": 0, "survived": 0, "does not build": 0}
    try:
        if not (succeeds(options.build, 1000) and succeeds(options.test, 1000)):
            parser.error("the tests must pass before there is a mutant")
        for row, mutant in list(mutants(source, first, last))[:: options.every]:
            options.file.write_text(mutant, encoding="utf-8")
            built = succeeds(options.build, 1000)
            survived = built and succeeds(options.test, options.seconds)
            counts["survived" if survived else "killed" if built else "does not build"] += 1
            if survived:
                print(f"{row}: {mutant.splitlines()[row - 1].strip()}", flush=True)  # noqa: T201
    finally:
        options.file.write_text(source, encoding="utf-8")
    print(counts)  # noqa: T201


if __name__ == "__main__":
    main()
