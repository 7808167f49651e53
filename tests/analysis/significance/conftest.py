"""Systems to compare: the examples' and worse ones made of them."""

from __future__ import annotations

import pytest

from meteorlib import Scorer
from meteorlib.corpus.corpus import Corpus


@pytest.fixture(scope="session")
def texts(root) -> dict[str, list[str]]:
    """The lines of the examples by the names of their files."""
    files = sorted((root / "examples").glob("*.en"))
    return {file.name: file.read_text(encoding="utf-8").split("\n")[:-1] for file in files}


@pytest.fixture(scope="session")
def systems(texts) -> dict[str, list[str]]:
    """Six systems: the two of the examples, and four between them, which take some segments of the one or the other."""
    one, other = texts["system-a.en"], texts["system-b.en"]
    mixed = {
        f"mixed{step}": [other[place] if place % step == 0 else line for place, line in enumerate(one)]
        for step in (5, 9, 16, 30)
    }
    return {"a": one, "b": other, **mixed}


@pytest.fixture(scope="session")
def corpora(texts, systems) -> dict[str, Corpus]:
    """Runs of MultEval's example, scored by METEOR 2005."""
    scorer = Scorer()
    references = list(zip(texts["reference.0.en"], texts["reference.1.en"], strict=True))
    return {name: scorer.corpus().extend(references=references, hypotheses=lines) for name, lines in systems.items()}
