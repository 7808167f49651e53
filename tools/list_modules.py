"""Print the packages and modules of meteorlib, each with the first line of its docstring."""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
WIDTH = 26
"""Columns for the names of files."""

LEFT_OUT = {"_vendor/snowball", "resources/data"}
"""Folders whose files are not listed one by one."""

SOURCES = {".py", ".pyx", ".pxd", ".pxi"}


def listing() -> str:
    """The list: packages and modules, each with the first line of its docstring."""
    return "".join(f"{name:{WIDTH}} {about}".rstrip() + "\n" for name, about in _entries(ROOT / "meteorlib", 0))


def _entries(folder: Path, depth: int) -> Iterator[tuple[str, str]]:
    indent = "  " * depth
    yield f"{indent}{folder.name}/", _about(_head(folder))
    if str(folder.relative_to(ROOT / "meteorlib")) in LEFT_OUT:
        return
    files = [path for path in folder.iterdir() if path.suffix in SOURCES and path.stem != "__init__"]
    for path in sorted(files):
        yield f"{indent}  {path.name}", _about(path)
    for path in sorted(path for path in folder.iterdir() if _head(path).exists()):
        yield from _entries(path, depth + 1)


def _head(folder: Path) -> Path:
    """The file that describes a package of Python or, if there is none, of Cython."""
    python = folder / "__init__.py"
    return python if python.exists() else python.with_suffix(".pxd")


def _about(path: Path) -> str:
    """The first line of a module's docstring, or of the comment that begins a file of Cython."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
    found = re.search(r'"""(.*?)(?:"""|\n)', text)
    return found[1] if found else ""


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    print(listing(), end="")  # noqa: T201 – the output of a script
