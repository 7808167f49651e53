"""Numbers in text are those of every program, not those of Python's own source."""

from __future__ import annotations

import pytest

from meteorlib.core.numerals import to_float


@pytest.mark.parametrize("text", ["1_0", "1_0.5", "１", "１２.5", "٣", "1e１", "", "one", "0x1", "1,5"])
def test_no_number(text):
    """Underscores and digits other than ASCII's are refused, as is everything that `float` refuses."""
    with pytest.raises(ValueError, match="could not convert"):
        to_float(text)


@pytest.mark.parametrize("text", ["1", " 1.5 ", "-.5", "+1.", "1e-300", "1E15", "0.1"])
def test_number(text):
    """Everything else is what `float` reads."""
    assert to_float(text) == float(text)
