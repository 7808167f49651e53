"""What the tests of the searches share."""

from __future__ import annotations

import pytest

from meteorlib.search import sweep


@pytest.fixture
def sweeps(monkeypatch) -> list[int]:
    """The steps of each sweep that runs."""
    steps = []

    class Counted(sweep.Sweep):
        def run(self, *arguments):
            before = self.steps
            found = super().run(*arguments)
            steps.append(self.steps - before)
            return found

    monkeypatch.setattr(sweep, "Sweep", Counted)
    return steps
