"""METEOR 1.5 with its paraphrase table; skipped, with the command that helps, where the table is not installed."""

from __future__ import annotations

import pytest

from meteorlib import Scorer
from meteorlib.errors import ResourceMissing


@pytest.fixture(scope="session")
def meteor() -> Scorer:
    """The scorer of `meteor-1.5-en`."""
    try:
        return Scorer("meteor-1.5-en")
    except ResourceMissing as missing:
        pytest.skip(str(missing))
