"""References for papers in BibTeX: the papers of a preset, and meteorlib, from CITATION.cff."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from meteorlib.config.document import read_file
from meteorlib.config.nodes import Problems
from meteorlib.config.schema import ScorerConfig

PACKAGED = Path(__file__).parent / "CITATION.cff"
"""The file in an installed package; setup.py copies it."""

SOURCE = Path(__file__).parents[2] / "CITATION.cff"
"""The file in a source tree."""

_KINDS = {"conference-paper": "inproceedings", "book": "book", "article": "misc", "software": "software"}
"""Types of the Citation File Format → entry types of BibTeX."""


@cache
def _facts() -> Mapping[str, Any]:
    problems = Problems(str(SOURCE))
    root = read_file(PACKAGED if PACKAGED.exists() else SOURCE, problems)
    problems.raise_any()
    facts: Mapping[str, Any] = root.plain() if root else {}
    return facts


def bibtex(config: ScorerConfig) -> str:
    """BibTeX entries of the papers that the source of a preset names, and of meteorlib."""
    papers = [paper for paper in _facts()["references"] if _label(paper) in config.source]
    return "\n".join(map(_entry, [*papers, _facts()]))


def _label(paper: Mapping[str, Any]) -> str:
    """Authors and year, as in sources: ``Banerjee & Lavie 2005``, ``Servan et al. 2016``; the name of software."""
    if "year" not in paper:
        return str(paper["title"]).partition(":")[0]
    first, *others = (author["family-names"] for author in paper["authors"])
    more = " et al." if len(others) > 1 else "".join(f" & {other}" for other in others)
    return f"{first}{more} {paper['year']}"


def _entry(paper: Mapping[str, Any]) -> str:
    key = re.sub(r"\W+", "-", _label(paper).lower().replace("et al.", "etal"))
    fields = "".join(f"  {field} = {{{value}}},\n" for field, value in _fields(paper))
    return f"@{_KINDS[paper['type']]}{{{key},\n{fields}}}\n"


def _kept(word: re.Match[str]) -> str:
    """A word in braces if it has a capital after its first letter: styles lowercase the others."""
    return f"{{{word[0]}}}" if word[0][1:] != word[0][1:].lower() else word[0]


def _fields(paper: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    yield "title", re.sub(r"\w+", _kept, paper["title"])
    yield "author", " and ".join(map(_author, paper["authors"]))
    if "collection-title" in paper:
        yield "booktitle", paper["collection-title"]
    if "publisher" in paper:
        yield "publisher", paper["publisher"]["name"]
    if "start" in paper:
        yield "pages", f"{paper['start']}--{paper['end']}"
    yield from ((name, paper[name]) for name in ("year", "version", "url") if name in paper)


def _author(author: Mapping[str, str]) -> str:
    return f"{author['family-names']}, {author['given-names']}" if "family-names" in author else f"{{{author['name']}}}"
