"""The run of ``meteor-1.5``: parse the arguments, then score plain text, SGML or standard input."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from functools import partial

from meteorlib.cli.dropin.arguments import parse
from meteorlib.cli.dropin.plain import run_plain
from meteorlib.cli.dropin.settings import settings
from meteorlib.cli.dropin.sgml import run_sgml
from meteorlib.cli.dropin.stdio import run_stdio
from meteorlib.cli.dropin.usage import USAGE
from meteorlib.cli.exit_status import USER_ERROR, run_to_end
from meteorlib.cli.streams import say
from meteorlib.inputs.byte_source import standard_input


def run(arguments: Sequence[str] | None) -> int:
    """Run the command and return the exit status; see `meteorlib.cli.dropin.main`."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if len(words) < 2 or set(words[:2]) & {"-h", "--help", "-help"}:
        sys.stderr.write(USAGE)
        return USER_ERROR
    return run_to_end("meteor-1.5", partial(_run, words))


def _run(words: Sequence[str]) -> None:
    arguments = parse(words)
    chosen = settings(arguments)
    for warning in chosen.warnings:
        say(f"Warning: {warning}")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", newline="\n")
    if arguments.stdio:
        if arguments.sgml:
            say("Warning: -stdio goes with no other mode; -sgml has no effect")
        run_stdio(arguments, chosen, standard_input(), sys.stdout)
    elif arguments.sgml:
        run_sgml(arguments, chosen, sys.stdout)
    else:
        run_plain(arguments, chosen, sys.stdout, sys.stderr)
