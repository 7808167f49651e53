"""The build of a language's resource folder: function words and paraphrases."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import frozen

from meteorlib.errors import InputMismatch
from meteorlib.inputs.text_file import check_same_length
from meteorlib.resources.store.atomic_file import file_lock, path_in_disk_errors, write_atomically
from meteorlib.resources.store.manifest import sha256_of
from meteorlib.universal.alignment import eflomal
from meteorlib.universal.gzip_lines import packed_lines
from meteorlib.universal.parex import FINAL, FOREIGN_WORDS, GROUPED, RAW, TARGET_WORDS, Parex
from meteorlib.universal.phrase_learning import TABLE, learn_table
from meteorlib.universal.pivot import MINIMUM
from meteorlib.universal.progress import Listener, SkippedRows
from meteorlib.universal.summary import Contents
from meteorlib.universal.texts import Text

FUNCTION_WORDS, PARAPHRASES, REPORT = "function.words", "paraphrase.gz", "report.txt"
"""The files of the folder."""

TEST_LINES = 10_000
"""Lines of the language's text that serve as test corpus if none is named."""

WORK_FOLDER = "work"
PAREX_FOLDER = "parex"
"""Subfolders: unfinished work, and Parex's files if they are kept."""

_INPUTS, _LOCK = "inputs.json", "lock"
_SCRATCH_PER_TEXT_BYTE, _SCRATCH_PER_TABLE_BYTE = 40, 6  # bytes of scratch space for each byte


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
        self._check(foreign, target, table)
        work = self.out / WORK_FOLDER
        self._check_folder(work)
        work.mkdir(parents=True, exist_ok=True)
        busy = InputMismatch(f"{self.out}: another process is building it; wait for it, or name another folder")
        with path_in_disk_errors(work), file_lock(work / _LOCK, otherwise=busy):
            _remove_leftovers(work)
            self._claim(work, [foreign, target, test, *([table] if table else [])])
            self._report_scratch(work, foreign, target, table, listener)
            parex = Parex(work, listener.step)
            parex.words(foreign, target)
            if table is None:
                learn_table(parex, foreign, target, test, self.minimum, listener)
            skipped_rows = SkippedRows(listener)
            parex.pivot(
                table or Text.open(str(work / TABLE)),
                test,
                minimum=self.minimum,
                skipped=skipped_rows.add,
                together=table is None,
            )
            skipped_rows.sum_up()
            parex.combine()
            contents = self._finish(parex)
        with suppress(OSError):  # another process may have begun; and on Windows a file in use stays
            (work / _LOCK).unlink(missing_ok=True)
            work.rmdir()
        return contents

    def _check(self, foreign: Text, target: Text, table: Text | None) -> None:
        for text in (foreign, target):
            if not text.count:
                raise InputMismatch(f"{text.name}: is empty")
        if table is None:
            eflomal()
            check_same_length([foreign.file, target.file])
        elif not table.count:
            raise InputMismatch(f"{table.name}: is empty; a phrase table has rows")

    def _check_folder(self, work: Path) -> None:
        if self.out.exists() and not (self.out.is_dir() and (work.is_dir() or not any(self.out.iterdir()))):
            raise InputMismatch(f"{self.out}: already exists; name another folder, or remove it")

    def _claim(self, work: Path, texts: list[Text]) -> None:
        """Record the input files in the folder, or check that they are those of the interrupted build."""
        inputs: dict[str, Any] = {
            "files": [sha256_of(Path(text.name)) if Path(text.name).is_file() else text.name for text in texts],
            "has table": bool(self.table),
            "minimum": self.minimum,
        }
        place = work / _INPUTS
        if place.exists() and json.loads(place.read_text("utf-8")) != inputs:
            raise InputMismatch(
                f"{self.out}: contains the results of a build of other files; name another folder, or remove it"
            )
        write_atomically(place, json.dumps(inputs, allow_nan=False).encode())

    def _report_scratch(self, work: Path, foreign: Text, target: Text, table: Text | None, listener: Listener) -> None:
        needed = (
            _SCRATCH_PER_TABLE_BYTE * _size(table)
            if table
            else _SCRATCH_PER_TEXT_BYTE * (_size(foreign) + _size(target))
        )
        free = shutil.disk_usage(work).free
        listener.says(
            f"about {_format_size(needed)} of scratch space are needed in {work}; {_format_size(free)} are free"
        )

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
            self._keep(parex.folder)
        for path in parex.folder.iterdir():
            if path.name != _LOCK:  # which is held, and Windows removes no open file
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        return contents

    def _keep(self, work: Path) -> None:
        kept = self.out / PAREX_FOLDER
        kept.mkdir(exist_ok=True)
        for path in work.iterdir():
            if path.name in (FOREIGN_WORDS, TARGET_WORDS, RAW, GROUPED, FINAL, TABLE):
                path.replace(kept / path.name)


def _remove_leftovers(work: Path) -> None:
    """Remove unfinished files of a killed build; only for the holder of the lock."""
    for path in work.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.suffix == ".part":
            path.unlink()


def _size(text: Text) -> int:
    path = Path(text.name)
    return path.stat().st_size if path.is_file() else 0


def _format_size(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{max(size // 1_000_000, 1)} MB"
