"""Code in the documentation passes ``mypy --strict``."""

from __future__ import annotations

import doctest
import subprocess
import sys

import pytest

from tests.docs.pages import ELSEWHERE, PAGES, ROOT, blocks

PROVIDED = {"docs/cluster.md": "client = None"}
"""Names that a page explains without a line of code."""

ABSENT = ("import-not-found", "import-untyped")
"""Frameworks with an adapter need not be installed, or have types."""


def sources_of(page: str) -> dict[str, str]:
    """The examples of a page as a module, and those of each framework as another, by the framework's name or "".

    Each line is at its place, so that mypy's line numbers are those of the page.
    """
    empty = [""] * (ROOT / page).read_text(encoding="utf-8").count("\n")
    modules = {"": [PROVIDED.get(page, ""), *empty[1:]]}
    for block in blocks(page):
        if block.language == "python" and "file" not in block.notes:
            lines = modules.setdefault(block.notes.get("framework", ""), [*empty])
            for example in doctest.DocTestParser().get_examples(block.text):
                code = example.source.splitlines()
                first = block.line + example.lineno
                lines[first : first + len(code)] = code
    return {name: "\n".join(lines) for name, lines in modules.items()}


@pytest.mark.thorough
def test_code_of_pages_is_typed(tmp_path):
    """All code on all pages, and the modules that they show, have no error under mypy's strict rules."""
    pytest.importorskip("mypy")
    modules = {}
    for page in (*PAGES, *ELSEWHERE):
        stem = page.rpartition("/")[2].removesuffix(".md").replace("-", "_")
        modules |= {f"page_{stem}_{name.replace('.', '_')}.py": text for name, text in sources_of(page).items()}
        modules |= {
            block.notes["file"]: block.text
            for block in blocks(page)
            if block.language == "python" and "file" in block.notes
        }
    assert sum(bool(text.strip()) for text in modules.values()) > 20
    for name, text in modules.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    # a class or a decorator of a framework that is not installed has no type
    strict = ["--strict", "--allow-subclassing-any", "--allow-untyped-decorators"]
    options = [*strict, *(f"--disable-error-code={code}" for code in ABSENT)]
    command = [sys.executable, "-m", "mypy", *options, *(str(tmp_path / name) for name in modules)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
