"""How many random examples a property is tried on."""

from __future__ import annotations

from hypothesis import settings


def examples(count: int) -> settings:
    """For what is compared with a slow textbook version: `count` examples with ``--stress``, else a tenth of them."""
    thorough = settings.get_current_profile_name() == "thorough"
    return settings(max_examples=count if thorough else max(count // 10, 50))
