"""The command ``meteor-1.5``, a drop-in for METEOR 1.5's jar: same options, standard output and files.

Intentional differences:

* A user's mistake (unequal lengths, empty files, wrong arguments, bytes that are not UTF-8, infinite parameters) is one
  message on standard error and exit status 2, and nothing is written; the jar prints its head first, and exits with 0
  if lengths are unequal. Output files appear only when all of them are complete.
* Words are compared themselves, not by a 32-bit hash: the jar confuses "le" with "n'", and "je" with "l'".
* SGML: systems are printed in the order of their names; a set's sysid takes precedence over its documents'; input that
  the jar loses or crashes on is a clear error (see `meteorlib.inputs.sgml` and `meteorlib.cli.dropin.sgml`).
* ``-stdio`` uses CMU's dialect unless ``-dialect coco`` is given; statistics that crash the jar get an error line.
* ``-d`` accepts only METEOR's own synonyms; the beam width must be at least 1.
* The stems of ar-bw-red, too, are looked up by the words themselves; their table must be installed (`meteorlib
  resources install arabic`).
* Warnings and messages on standard error are worded differently.
"""

from __future__ import annotations

from meteorlib.cli import start

TYPE_CHECKING = False  # typing takes longer to load than this module
if TYPE_CHECKING:
    from collections.abc import Sequence

    from meteorlib.cli import Run

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; a user's mistake ends with one message, exit status 2 and no score."""
    return start("meteor-1.5", _load, arguments)


def _load() -> Run:
    from meteorlib.cli.dropin.command import run  # noqa: PLC0415 – Ctrl-C is answered from here on

    return run
