"""Helpers shared by the tests of the searches."""

from __future__ import annotations

import pytest

from meteorlib.search import staged_branch_and_bound


@pytest.fixture
def searches(monkeypatch) -> list[int]:
    """The steps of each search of a tree."""
    steps = []

    class Counted(staged_branch_and_bound.Tree):
        def search(self, *arguments):
            before = self.steps
            found = super().search(*arguments)
            steps.append(self.steps - before)
            return found

    monkeypatch.setattr(staged_branch_and_bound, "Tree", Counted)
    return steps
