"""Vectors of texts on disk, so that a text is encoded once; a cache that cannot be used is as good as none."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from meteorlib.resources.store.folder import cache_folder

FOLDER = "contextual"
"""Subfolder of the cache folder; its files can be deleted at any time."""

QUERY_SIZE = 500
"""Keys of a query: SQLite allows 999 in its older versions."""

TIMEOUT = 10.0
"""Seconds to wait for another process that is writing."""


class VectorCache:
    """Key → bytes, in a database of SQLite. It can be shared between threads and processes."""

    def __init__(self, name: str) -> None:
        """Take the file `name` in the cache folder; it is made when something is kept."""
        self.path: Path = cache_folder() / FOLDER / f"{name}.sqlite"

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Entries under these keys that are in the cache and undamaged."""
        found: dict[bytes, bytes] = {}
        if not self.path.is_file():
            return found
        try:
            with closing(self._connect()) as database:
                for first in range(0, len(keys), QUERY_SIZE):
                    some = keys[first : first + QUERY_SIZE]
                    marks = ",".join("?" * len(some))
                    rows = database.execute(f"SELECT key, data, crc FROM vectors WHERE key IN ({marks})", some)  # noqa: S608 – question marks
                    found |= {key: data for key, data, crc in rows if zlib.crc32(data) == crc}
        except (sqlite3.Error, OSError, TypeError):
            pass
        return found

    def keep(self, entries: Mapping[bytes, bytes]) -> None:
        """Keep entries; nothing happens if they cannot be written."""
        rows: Iterable[tuple[bytes, bytes, int]] = [(key, data, zlib.crc32(data)) for key, data in entries.items()]
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._connect()) as database, database:
                database.execute(
                    "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, data BLOB, crc INT) WITHOUT ROWID"
                )
                database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
        except (sqlite3.Error, OSError):
            return

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=TIMEOUT)
