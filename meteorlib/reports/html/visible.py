"""Text that can be looked at: what would act instead of being seen is shown by its number."""

from __future__ import annotations

import re

_ACTING = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufff9-\ufffb]"
)
"""Control characters, and those that turn the direction of writing. What joins letters and emoji stays."""


def visible(text: str) -> str:
    """`text` with ``⟨U+202E⟩`` for a character that would turn what follows around, or do anything else unseen."""
    return _ACTING.sub(_number, text)


def _number(found: re.Match[str]) -> str:
    return f"⟨U+{ord(found[0]):04X}⟩"
