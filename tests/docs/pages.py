"""Pages of the documentation and the blocks of code on them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
ELSEWHERE = ("docs/cluster.md", "docs/frames.md", "docs/stack.md")
"""Pages whose code needs frameworks; tests/integrations runs it."""

PROJECT = ("CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "MAINTAINERS.md", "SECURITY.md")
"""Pages about the project, beside the README."""

PAGES = ("README.md", *PROJECT, *sorted({f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")} - {*ELSEWHERE}))

BLOCK = re.compile(r"^((?:<!-- [^\n]* -->\n)*)```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NOTE = re.compile(r"<!-- (\w+): (.*) -->")


class Block(NamedTuple):
    """A block of code: the page and line it begins on, its language, its text, and what the comments before it say."""

    page: str
    line: int
    language: str
    text: str
    notes: dict[str, str]


def blocks(page: str) -> list[Block]:
    """The blocks of a page, in order."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [
        Block(page, text.count("\n", 0, found.start(3)), found[2], found[3], dict(_NOTE.findall(found[1])))
        for found in BLOCK.finditer(text)
    ]
