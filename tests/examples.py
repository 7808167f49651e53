"""Numbers of random examples on which properties are tested."""

from __future__ import annotations

from hypothesis import settings

FEW = 5
"""Random examples for each property by default; CI tries all properties on more."""


def many() -> bool:
    """Whether the tests run with ``--stress``."""
    return settings.get_current_profile_name() == "many"


def examples(count: int) -> settings:
    """For what is compared with a slow textbook version: `count` examples with ``--stress``, else a hundredth."""
    return settings(max_examples=count if many() else max(count // 100, FEW))
