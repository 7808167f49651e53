"""Numbers of random examples on which properties are tested, and examples of vectors that cannot be compared."""

from __future__ import annotations

from hypothesis import settings

FEW = 5
"""Random examples for each property by default."""

MANY = 40
"""With ``--stress``, as CI tries all properties."""


def many() -> bool:
    """Whether the tests run with ``--stress``."""
    return settings.get_current_profile_name() == "many"


def examples(count: int) -> settings:
    """For what is compared with a slow textbook version: `count` examples with ``--stress``, else a hundredth."""
    return settings(max_examples=count if many() else max(count // 100, FEW))


ODD_NUMBERS = (float("nan"), float("inf"), 1e300, -1e39, 1j, "1.0", None, [1.0])
"""Entries that a vector must not have."""

EXTREME_SCALES = (1e-30, 1e-42, 1e-18, 1e18, 1e30, 3e36)
"""Factors of vectors whose squares single precision does not have; what is compared is their directions."""
