"""``meteor-1.5``: the command line of METEOR 1.5's jar, with the same standard output and output files.

Where it differs on purpose:

* A mistake of the user (unequal lengths, empty files, wrong arguments, bytes that are not UTF-8, infinite parameters)
  is one message on standard error and exit status 2, and nothing is written; the jar prints its head first, and exits
  with 0 where lengths are unequal. Files appear when all of them are complete.
* Words are compared themselves, not by a 32-bit hash: to the jar "le" and "n'" are one word, "je" and "l'" another.
* SGML: systems stand on standard output in the order of their names; the set's sysid counts before the document's; what
  the jar loses or dies of is a clear error (see `meteorlib.files.sgml` and `meteorlib.cli.dropin.sgml_segments`).
* ``-stdio`` speaks CMU's dialect unless ``-dialect coco`` is given; statistics that kill the jar get an error line.
* ``-d`` takes METEOR's own synonyms only; a beam has to be at least 1 wide.
* The stems of ar-bw-red are looked up by the words themselves, too, and their table has to be installed (`meteorlib
  resources install arabic`).
* Warnings and messages on standard error have other words.
"""

from __future__ import annotations

from meteorlib.cli.startup import start

TYPE_CHECKING = False  # typing takes longer to load than this module
if TYPE_CHECKING:
    from collections.abc import Sequence

    from meteorlib.cli.startup import Run

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; a user's mistake ends with one message, exit status 2 and no score.

    Args:
        arguments: what follows the name of the command; None for the arguments of the process.

    Returns:
        The exit status.
    """
    return start("meteor-1.5", _load, arguments)


def _load() -> Run:
    from meteorlib.cli.dropin.command import run  # noqa: PLC0415 – Ctrl-C is answered from here on

    return run
