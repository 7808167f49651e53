"""White space at which METEOR 1.5 splits a line into words."""

from __future__ import annotations

import re

WHITE_SPACE = " \t\n\r\f"
"""Characters that separate words; the vertical tab, U+00A0 and U+2003 are not among them."""

_WORD = re.compile(f"[^{WHITE_SPACE}]+")


def split(text: str) -> list[str]:
    """The words between runs of `WHITE_SPACE`."""
    # str.split() knows more white space, but the only printable one is the space itself.
    return text.split() if text.isprintable() else _WORD.findall(text)
