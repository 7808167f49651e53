"""A linter for the project's own habits of style, which no general linter knows: ``python -m tools.prose``.

It reads docstrings, messages and help of the package, docstrings of the tools and benchmarks, first lines of the tests,
and the pages of the documentation, and prints each finding with its place.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

PATTERNS = {
    "a clause with “who” as the subject": r"(?:(?<=[.!?:] )|^)Who(?:ever)? \w+s\b[^?]*?,? \w+",
    "a clause with “what” as the subject": r"(?:(?<=[.!?;] )|^)What (?!\w+ (?:METEOR|preset)\b)[^?.!:]*?"
    r"\b(?:is|are|has|have|does|stands|comes|differs|was|were|needs|follows|grows)\b[^?.!:]*\.",
    "a pronoun without its noun": r"(?:(?<=[.!?] )|^)(?:Those of|Of (?:the|those|these|all|its)) [\w ]+\.",
    "“told” or “tells” of things that cannot speak": r"\b(?:is|are|was|were) told\b|\btells? (?!.*apart)",
    "“so many” without a comparison": r"\bso (?:many|much|long) (?!as\b|that\b|more\b)\w+\b(?! (?:that|as)\b)",
    "“now and then”": r"\bnow and then\b",
    "“likewise”": r"\blikewise\b",
    "“small letters”": r"\b(?:small|capital) letters\b",
    "“where nothing is said”": r"\bwhere nothing (?:else )?is said\b",
    "“takes for granted”": r"\btake[sn]? for granted\b",
}
"""Habits to avoid, as regular expressions, by their description."""

SUBJECT = re.compile(r"(?:What|Who|Whose|Those|These|The same|Of|It|How|So|Such|Nothing|All that)\b")
"""Words with which the first line of a docstring must not begin, since it is read alone."""

LONGEST = 30
"""Words of the longest first paragraph of a docstring."""

_CODE_FOLDERS = ("meteorlib", "tools", "benchmarks")
_FIRST_LINES_ONLY = ("tests/**/*.py", "examples/**/*.py", "docs/conf.py", "setup.py", "noxfile.py")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_FENCE = re.compile(r"^(`{3,}|:{3,}).*?^\1$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"``.+?``|`[^`]+`|\]\([^)]*\)|<[^>\n]*>")
_WRAPPED = re.compile(r"(?<=\S)\n(?! *(?:[-|>#\n*]|\d+\.))")


def findings(text: str) -> Iterator[str]:
    """Habits in a text, each with the words in question; code in backquotes does not count."""
    plain = _WRAPPED.sub(" ", _CODE.sub("x", text))
    for habit, pattern in PATTERNS.items():
        for found in re.finditer(pattern, plain, re.MULTILINE):
            yield f"{habit}: {' '.join(found[0].split())[:80]}"


def first_line_problems(docstring: str) -> Iterator[str]:
    """Problems of the first paragraph of a docstring."""
    first = " ".join(docstring.strip().split("\n\n")[0].split())
    if SUBJECT.match(first):
        yield f"begins with a word that needs another sentence: {first[:60]}"
    if not first.endswith((".", "?", "!", ":")):
        yield f"does not end with a full stop: {first[-60:]}"
    if len(first.split()) > LONGEST:
        yield f"has more than {LONGEST} words: {first[:60]}"


def python_files() -> Iterator[Path]:
    """Files whose docstrings are checked; code of others is not."""
    for folder in _CODE_FOLDERS:
        yield from (file for file in sorted((ROOT / folder).rglob("*.py")) if "_vendor" not in file.parts)


def docstrings(file: Path) -> Iterator[tuple[int, str]]:
    """Line and text of every docstring in a file, attribute docstrings included."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, _DOCUMENTED):
            for place, statement in enumerate(node.body):
                if place and not isinstance(node.body[place - 1], ast.Assign | ast.AnnAssign):
                    continue
                value = statement.value if isinstance(statement, ast.Expr) else None
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield statement.lineno, value.value


def messages(file: Path) -> Iterator[tuple[int, str]]:
    """Line and text of strings with several words that are no docstrings: messages, help, notes."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if id(node) not in documentation and isinstance(node, ast.Constant | ast.JoinedStr):
            parts = node.values if isinstance(node, ast.JoinedStr) else [node]
            texts = [one.value if isinstance(one, ast.Constant) else "x" for one in parts]
            text = "".join(one for one in texts if isinstance(one, str))
            if text.count(" ") > 2:
                yield node.lineno, text


def pages() -> list[Path]:
    """Pages of the documentation, the README and the pages about the project; the changelog is a record."""
    return [*(file for file in sorted(ROOT.glob("*.md")) if file.name != "CHANGELOG.md"), *ROOT.glob("docs/**/*.md")]


def page_findings(page: Path) -> Iterator[str]:
    """Habits on a page, outside its code."""
    return findings(_FENCE.sub("", page.read_text(encoding="utf-8")))


def code_findings() -> Iterator[str]:
    """Habits in docstrings and messages, and problems of first lines, with their places."""
    for file in python_files():
        place = file.relative_to(ROOT).as_posix()
        for line, text in docstrings(file):
            yield from (f"{place}:{line}: {problem}" for problem in (*first_line_problems(text), *findings(text)))
        if place.startswith("meteorlib"):
            yield from (f"{place}:{line}: {problem}" for line, text in messages(file) for problem in findings(text))
    for pattern in _FIRST_LINES_ONLY:
        for file in sorted(ROOT.glob(pattern)):
            place = file.relative_to(ROOT).as_posix()
            for line, text in docstrings(file):
                yield from (f"{place}:{line}: {problem}" for problem in first_line_problems(text))


if __name__ == "__main__":
    on_pages = [f"{page.relative_to(ROOT)}: {one}" for page in pages() for one in page_findings(page)]
    found = [*dict.fromkeys(code_findings())]
    sys.stdout.writelines(f"{one}\n" for one in (*on_pages, *found))
    sys.stdout.write(f"{len(on_pages)} findings on pages, {len(found)} in the code\n")
    sys.exit(bool(found))
