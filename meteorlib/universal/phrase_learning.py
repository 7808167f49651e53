"""Phrase tables learned from parallel text, step by step."""

from __future__ import annotations

import tempfile
from pathlib import Path

from meteorlib.errors import InputMismatch
from meteorlib.universal.alignment import is_aligned, write_links
from meteorlib.universal.parex import FOREIGN_WORDS, TARGET_WORDS, Parex
from meteorlib.universal.phrase_table import Parallel
from meteorlib.universal.progress import Listener
from meteorlib.universal.texts import Text

LINKS, TABLE = "links.gz", "phrase-table.gz"
"""Files that are made."""


def learn_table(parex: Parex, foreign: Text, target: Text, test: Text, minimum: float, listener: Listener) -> None:
    """Write the phrase table of parallel text into the folder of `parex`, where its lists of common words are.

    Args:
        parex: the folder; its files `LINKS` and `TABLE` are not made again if they exist.
        foreign: text of the other language.
        target: text of the language, with equally many lines.
        test: text with the phrases to paraphrase.
        minimum: minimum probability of a translation.
        listener: receives messages and progress.

    Raises:
        ExtraMissing: the word aligner is not installed.
        InputMismatch: no sentence pair can be aligned.
        OSError: a file cannot be written, for example because the disk is full.
    """
    links, table = parex.folder / LINKS, parex.folder / TABLE
    if not links.exists():
        chosen = sum(map(is_aligned, foreign.words(), target.words()))
        if not chosen:
            raise InputMismatch(f"{foreign.name}, {target.name}: no sentence pair can be aligned; are all empty?")
        if left_out := target.count - chosen:
            listener.says(
                f"{left_out:,} of {target.count:,} sentence pairs are left out: empty, too "
                "long, or too different in length"
            )
        listener.says(f"aligning the words of {chosen:,} sentence pairs with eflomal, which reports no progress")
        with _scratch(parex.folder) as scratch:
            write_links(foreign, target, links, Path(scratch), listener.step("symmetrizing"))
    if not table.exists():
        words = [frozenset(parex.common(name)) for name in (FOREIGN_WORDS, TARGET_WORDS)]
        with _scratch(parex.folder) as scratch:
            Parallel(foreign, target, links, words[0], words[1], test, minimum).write_table(
                table, Path(scratch), listener.step("phrase pairs")
            )


def _scratch(folder: Path) -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="scratch-", dir=folder)
