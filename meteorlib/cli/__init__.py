"""The entry point of the command ``meteorlib``, and the start of commands: Ctrl-C ends them without a traceback.

Few modules are imported here, so that Ctrl-C works while the others load. Loading takes most of the time of a short
command, and KeyboardInterrupt is not enough there: raised in a callback of the import system, it is printed and
forgotten. So the signal ends the process itself while nothing is open yet; later, an interrupt that was forgotten is
sent again.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal itself takes longer to load, and few commands need it
import _thread
import os
import sys

TYPE_CHECKING = False  # typing takes longer to load than this module
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from sys import UnraisableHookArgs
    from types import FrameType
    from typing import NoReturn

    Run = Callable[[Sequence[str] | None], int]

INTERRUPTED = 130
"""Exit status after Ctrl-C: 128 plus the number of the signal, as in shells."""


__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit; a user's mistake ends with one message and exit status 2.

    Args:
        arguments: the arguments after the command's name; None for those of the process.
    """
    sys.exit(start("meteorlib", _load, arguments))


def _load() -> Run:
    from meteorlib.cli.commands import run  # noqa: PLC0415 – Ctrl-C is answered from here on

    return run


def start(name: str, load: Callable[[], Run], arguments: Sequence[str] | None) -> int:
    """Load a command and run it."""
    before = sys.unraisablehook

    def hook(forgotten: UnraisableHookArgs) -> None:
        if forgotten.exc_type is KeyboardInterrupt:
            _thread.start_new_thread(_interrupt, ())  # by another thread, that is, after the callback
        else:
            before(forgotten)

    try:
        with interruptible(name):
            run = load()
        sys.unraisablehook = hook
        return run(arguments)
    except KeyboardInterrupt:  # between loading and running, or a second one while the first is answered
        _say(name)
        return INTERRUPTED
    finally:
        sys.unraisablehook = before


class interruptible:  # noqa: N801 – used like a function; contextlib takes longer to load than this module
    """Context manager in which Ctrl-C ends the process at once, for imports.

    Nothing changes if Ctrl-C is ignored or another program handles it.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._ours = False

    def __enter__(self) -> None:
        if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
            try:
                _signal.signal(_signal.SIGINT, self._end)
            except ValueError:  # not the main thread, which alone sees signals
                return
            self._ours = True

    def __exit__(self, *error: object) -> None:
        if self._ours:
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)

    def _end(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 – what handlers are given
        _say(self._name)
        os._exit(INTERRUPTED)


def _interrupt() -> None:
    if os.name == "posix":
        os.kill(os.getpid(), _signal.SIGINT)  # also wakes a thread that waits for input
    else:
        _thread.interrupt_main()


def _say(name: str) -> None:
    try:  # noqa: SIM105 – contextlib takes longer to load than this module
        os.write(2, f"{name}: interrupted\n".encode())
    except OSError:  # standard error is closed
        pass
