"""Small corpora for the page."""

from __future__ import annotations

import pytest

from meteorlib import Scorer


@pytest.fixture(scope="session")
def corpus():
    """References, hypotheses → the scored corpus, by METEOR 1.5 without a paraphrase table."""
    scorer = Scorer("meteor-1.5-en-core")

    def make(references, hypotheses):
        return scorer.corpus().extend(references=references, hypotheses=hypotheses)

    return make
