"""The build of a language's resource folder: function words and paraphrases."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import frozen

from meteorlib.errors import InputMismatch
from meteorlib.inputs.text_file import check_same_length
from meteorlib.resources.store.manifest import sha256_of
from meteorlib.resources.store.shared_files import file_lock, path_in_disk_errors, write_atomically
from meteorlib.universal.parex import FINAL, FOREIGN_WORDS, GROUPED, RAW, TARGET_WORDS, Contents, Parex
from meteorlib.universal.phrase_table import Parallel
from meteorlib.universal.pivot import MINIMUM
from meteorlib.universal.texts import Progress, Text, eflomal, is_aligned, no_progress, packed_lines, write_links

FUNCTION_WORDS, PARAPHRASES, REPORT = "function.words", "paraphrase.gz", "report.txt"
"""The files of the folder."""

TEST_LINES = 10_000
"""Lines of the language's text that serve as test corpus if none is named."""

WORK_FOLDER = "work"
PAREX_FOLDER = "parex"
"""Subfolders: unfinished work, and Parex's files if they are kept."""

LINKS, TABLE = "links.gz", "phrase-table.gz"
"""Files of a build without a phrase table."""

MAX_SHOWN_ROWS = 10
"""Unreadable rows that are reported one by one."""

_INPUTS, _LOCK = "inputs.json", "lock"


@frozen
class Listener:
    """Callbacks for the messages and the progress of a build.

    Attributes:
        says: callback, called with messages for people, a sentence each.
        step: called when a step begins; returns the callback for its progress.
    """

    says: Callable[[str], object] = lambda _: None
    step: Callable[[str], Progress] = lambda _: no_progress


@frozen
class Build:
    """A build of a language's resources from parallel text.

    Attributes:
        out: the folder to make.
        foreign: text of another language; all texts must be tokenized.
        target: text of the language; line by line the translation of `foreign`, unless there is a phrase table.
        table: a Moses phrase table from `foreign` to `target`; empty to make one from the two texts.
        test: text with the phrases to paraphrase; empty for the first `TEST_LINES` lines of `target`.
        minimum: minimum probability of a translation, and of a paraphrase by one pivot.
        keep: whether to keep the files of Parex and the phrase table.
    """

    out: Path
    foreign: str
    target: str
    table: str = ""
    test: str = ""
    minimum: float = MINIMUM
    keep: bool = False

    def run(self, listener: Listener | None = None) -> Contents:
        """Make the folder; all text is lowercased, as by METEOR's option ``-new``.

        Finished steps of an interrupted build of the same files are kept.

        Raises:
            InputMismatch: a file does not exist, texts do not belong together, the folder holds something else or
                another process is building it.
            InvalidText: a file is not text.
            ExtraMissing: there is no phrase table, and the word aligner is not installed.
            OSError: a file cannot be written, for example because the disk is full.
        """
        listener = listener or Listener()
        foreign, target = Text.open(self.foreign), Text.open(self.target)
        test = Text.open(self.test) if self.test else Text(target.file, first=TEST_LINES)
        table = Text.open(self.table) if self.table else None
        _check_texts(foreign, target, table)
        work = self.out / WORK_FOLDER
        if self.out.exists() and not (self.out.is_dir() and (work.is_dir() or not any(self.out.iterdir()))):
            raise InputMismatch(f"{self.out}: already exists; name another folder, or remove it")
        work.mkdir(parents=True, exist_ok=True)
        busy = InputMismatch(f"{self.out}: another process is building it; wait for it, or name another folder")
        with path_in_disk_errors(work), file_lock(work / _LOCK, otherwise=busy):
            _remove_leftovers(work)
            self._claim(work, [foreign, target, test, *([table] if table else [])])
            _report_scratch(work, [table] if table else [foreign, target], 6 if table else 40, listener)
            parex = Parex(work, listener.step)
            parex.words(foreign, target)
            if table is None:
                _learn_table(parex, foreign, target, test, self.minimum, listener)
            skipped: list[None] = []

            def skip(row: str) -> None:
                skipped.append(None)
                if len(skipped) <= MAX_SHOWN_ROWS:
                    listener.says(f"{row}; the row is skipped")

            pairs = table or Text.open(str(work / TABLE))
            parex.pivot(pairs, test, minimum=self.minimum, skipped=skip, together=table is None)
            if len(skipped) > MAX_SHOWN_ROWS:
                listener.says(f"{len(skipped):,} rows cannot be read and are skipped, those above included")
            parex.combine()
            contents = self._finish(parex)
        with suppress(OSError):  # another process may have begun; and on Windows a file in use stays
            (work / _LOCK).unlink(missing_ok=True)
            work.rmdir()
        return contents

    def _claim(self, work: Path, texts: list[Text]) -> None:
        """Record the input files in the folder, or check that they are those of the interrupted build."""
        inputs: dict[str, Any] = {
            "files": [sha256_of(Path(text.name)) if Path(text.name).is_file() else text.name for text in texts],
            "has table": bool(self.table),
            "minimum": self.minimum,
        }
        record = work / _INPUTS
        if record.exists() and json.loads(record.read_text("utf-8")) != inputs:
            raise InputMismatch(
                f"{self.out}: contains the results of a build of other files; name another folder, or remove it"
            )
        write_atomically(record, json.dumps(inputs, allow_nan=False).encode())

    def _finish(self, parex: Parex) -> Contents:
        words = parex.common(TARGET_WORDS)
        contents = Contents.of(parex.paraphrases())
        facts = {
            "text of the other language": self.foreign,
            "text of the language": self.target,
            "phrase table": self.table or "made of the two",
            "test corpus": self.test or f"the first {TEST_LINES:,} lines of {self.target}",
        }
        write_atomically(self.out / FUNCTION_WORDS, "".join(f"{word}\n" for word in words).encode())
        write_atomically(self.out / REPORT, contents.text("METEOR Universal: resources", facts, words).encode())
        with packed_lines(self.out / PARAPHRASES) as add:
            for paraphrase in parex.paraphrases():
                add(paraphrase.entry)
        if self.keep:
            kept = self.out / PAREX_FOLDER
            kept.mkdir(exist_ok=True)
            for path in parex.folder.iterdir():
                if path.name in (FOREIGN_WORDS, TARGET_WORDS, RAW, GROUPED, FINAL, TABLE):
                    path.replace(kept / path.name)
        for path in parex.folder.iterdir():
            if path.name != _LOCK:  # which is held, and Windows removes no open file
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        return contents


def _check_texts(foreign: Text, target: Text, table: Text | None) -> None:
    for text in (foreign, target):
        if not text.count:
            raise InputMismatch(f"{text.name}: is empty")
    if table is None:
        eflomal()
        check_same_length([foreign.file, target.file])
    elif not table.count:
        raise InputMismatch(f"{table.name}: is empty; a phrase table has rows")


def _remove_leftovers(work: Path) -> None:
    """Remove unfinished files of a killed build; only for the holder of the lock."""
    for path in work.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.suffix == ".part":
            path.unlink()


def _report_scratch(work: Path, texts: list[Text], bytes_per_byte: int, listener: Listener) -> None:
    files = [path for text in texts if (path := Path(text.name)).is_file()]
    needed = _format_size(bytes_per_byte * sum(path.stat().st_size for path in files))
    free = _format_size(shutil.disk_usage(work).free)
    listener.says(f"about {needed} of scratch space are needed in {work}; {free} are free")


def _format_size(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{max(size // 1_000_000, 1)} MB"


def _learn_table(parex: Parex, foreign: Text, target: Text, test: Text, minimum: float, listener: Listener) -> None:
    """Write `TABLE` and, before it, `LINKS`; what is there of an interrupted build is kept."""
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
