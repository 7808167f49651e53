"""Pages of the documentation that ``meteorlib help`` prints: packaged at build, or those of a source tree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

PACKAGED = Path(__file__).parent / "pages"
"""Folder of the pages in an installed package; setup.py copies them."""

SOURCES = Path(__file__).parents[2] / "docs"
"""Folder of the pages in a source tree."""

FOR_CONTRIBUTORS = frozenset({"architecture", "index", "maintaining", "twins"})
"""Pages that are not packaged."""


def pages(folder: Path | None = None) -> dict[str, Path]:
    """Markdown files of the pages by topic, which is the name of the file."""
    found = (PACKAGED if PACKAGED.is_dir() else SOURCES) if folder is None else folder
    return {file.stem: file for file in sorted(found.rglob("*.md")) if file.stem not in FOR_CONTRIBUTORS}


def title(page: Path) -> str:
    """The first heading of a page."""
    return next(headings(page), page.stem)


def headings(page: Path) -> Iterator[str]:
    """The title and the other headings of a page; ``#`` in a block of code begins none."""
    in_code = False
    with page.open(encoding="utf-8") as lines:
        for line in lines:
            in_code ^= line.startswith("```")
            marks, _, heading = line.partition(" ")
            if not in_code and marks and not marks.strip("#"):
                yield heading.strip()
