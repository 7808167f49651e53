"""Style: first lines that can be read alone, and none of the habits that `tools.prose` lists."""

from __future__ import annotations

import pytest

from tools.prose import code_findings, findings, first_line_problems, page_findings, pages

EXCEPTIONS: tuple[str, ...] = ()
"""Findings in the code that are right as they are, at most ten."""


def test_code():
    """Docstrings, messages and help have none of the habits; first lines, in tests too, can be read alone."""
    assert len(EXCEPTIONS) <= 10
    assert [one for one in dict.fromkeys(code_findings()) if one not in EXCEPTIONS] == []


def test_pages():
    """No page has one of the habits."""
    assert [f"{page.name}: {one}" for page in pages() for one in page_findings(page)] == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Who finds ten better segments reads those.",
        "It ends. What is made of digits stays as it is.",
        "Of the random numbers.",
        "progress: is told how many are done",
        "The signature tells which METEOR it was.",
        "Score with so many processes.",
        "It looks up now and then.",
        "Czech likewise.",
        "Words in small letters.",
        "The default, where nothing else is said.",
        "One weight is taken for granted.",
    ],
)
def test_habits(sentence):
    """Each habit is found."""
    assert [*findings(sentence)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Random seed.",
        "What changed? Nothing.",
        "Which words tell `who is told` apart?",
        "Number of parallel processes, so long as there are two.",
        "Tokens made only of digits are left unchanged.",
    ],
)
def test_plain_sentences(sentence):
    """Plain sentences and code are not findings."""
    assert [*findings(sentence)] == []


@pytest.mark.parametrize(
    ("docstring", "problems"),
    [
        ("Random seed.", 0),
        ("Parse a line.\n\n    It is long.", 0),
        ("What a search returns.", 1),
        ("The same, where there must be one", 2),
        (" ".join(["word"] * 31) + ".", 1),
    ],
)
def test_first_lines(docstring, problems):
    """Subjects that need another sentence, a missing full stop and too many words are found."""
    assert len([*first_line_problems(docstring)]) == problems
