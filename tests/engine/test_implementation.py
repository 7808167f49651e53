"""Which implementation runs."""

from __future__ import annotations

import pytest

from meteorlib import Scorer
from meteorlib.engine import implementation
from meteorlib.errors import ExtensionMismatch

pytestmark = pytest.mark.skipif(implementation.load_kernel() is None, reason="built without the compiled kernel")


@pytest.mark.parametrize("told", ["COUNTS", "BEGINNINGS"])
def test_extension_of_another_version(monkeypatch, told):
    """An extension that orders its numbers in another way is refused; where the Python code runs it is not loaded."""
    from meteorlib.engine.kernel import kernel

    monkeypatch.setattr(kernel, told, getattr(kernel, told)[::-1])
    implementation.load_kernel.cache_clear()
    try:
        with pytest.raises(ExtensionMismatch, match="install meteorlib again"):
            Scorer("nltk", implementation="auto")
        assert Scorer("nltk", implementation="python").score("a b", "a b").score > 0
    finally:
        implementation.load_kernel.cache_clear()
