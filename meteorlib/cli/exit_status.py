"""Error messages and exit status of commands: one message and status 2 for a user's mistake, no traceback.

Python's last garbage collection is skipped, since the system reclaims the memory anyway; it would take a tenth of the
time of a command that scores one line.
"""

from __future__ import annotations

import atexit
import errno
import gc
import os
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from io import StringIO

import click

from meteorlib.cli.startup import INTERRUPTED
from meteorlib.cli.streams import say
from meteorlib.display.text import harmless
from meteorlib.errors import MeteorError

USER_ERROR = 2

ON_WINDOWS = sys.platform == "win32"


def run_to_end(name: str, run: Callable[[], object], interrupted: str = "interrupted") -> int:  # noqa: PLR0911 – an ending each
    """Run a command, print its error message if it fails, and return the exit status.

    Args:
        name: name of the command, which begins its messages.
        run: the command.
        interrupted: message after an interruption, unless the `click.Abort` has one.

    Returns:
        The exit status.
    """
    atexit.register(gc.freeze)
    if sys.stdout is None:
        return _say(name, "standard output is closed: there is nowhere to write", status=USER_ERROR)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = partial(_warn, name)
            run()
        sys.stdout.flush()
    except click.ClickException as error:
        message = harmless(error.format_message())  # one line: a line end in it comes from an argument
        error.format_message = lambda: message  # type: ignore[method-assign]
        error.show(written := StringIO())
        say(*written.getvalue().removesuffix("\n").split("\n"))
        return error.exit_code
    except (click.Abort, KeyboardInterrupt) as error:
        return _say(name, str(error) or interrupted, status=INTERRUPTED)
    except MeteorError as error:
        return _say(name, *error.lines, status=USER_ERROR)
    except MemoryError:
        return _say(name, "not enough memory; is each line one segment?", status=USER_ERROR)
    except OSError as error:
        if error.filename is None:
            _drop_output()
        if _reader_has_gone(error):
            return 1
        from meteorlib.resources.store.atomic_file import DISK_FULL  # noqa: PLC0415 – for errors only

        advice = "; make room there, then run the command again" if error.errno in DISK_FULL else ""
        if ON_WINDOWS and isinstance(error, PermissionError):
            advice = "; if another program has it open, close it there, then run the command again"
        return _say(
            name, f"{error.filename or 'standard output'}: {error.strerror or error}{advice}", status=USER_ERROR
        )
    return 0


def _drop_output() -> None:
    """Let Python's last flush of standard output succeed: it would end with a status of its own, 120."""
    with suppress(OSError):  # standard output may be no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _reader_has_gone(error: OSError) -> bool:
    """Whether the reader of a pipe that we write to has closed it: EPIPE, on Windows EINVAL without a file name."""
    return error.errno == errno.EPIPE or (ON_WINDOWS and error.errno == errno.EINVAL and error.filename is None)


def _warn(name: str, message: Warning | str, category: type[Warning], *where: object) -> None:  # noqa: ARG001 – Python's
    say(f"{name}: warning: {message}")


def _say(name: str, message: str, *more: str, status: int) -> int:
    say(f"{name}: {message}", *more)
    return status
