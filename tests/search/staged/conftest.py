"""What the tests of the searches share."""

from __future__ import annotations

import pytest

from meteorlib.search.staged import branching


@pytest.fixture
def sweeps(monkeypatch) -> list[int]:
    """The steps of each sweep that runs."""
    steps = []

    class Counted(branching.Sweep):
        def run(self, *arguments):
            before = self.steps
            found = super().run(*arguments)
            steps.append(self.steps - before)
            return found

    monkeypatch.setattr(branching, "Sweep", Counted)
    return steps
