"""The cache folder, where compiled language data is kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path

CACHE_VARIABLE = "METEORLIB_CACHE"


def cache_folder() -> Path:
    """The folder named by METEORLIB_CACHE, else ``meteorlib`` in the user's cache folder; it need not exist."""
    return Path(os.environ.get(CACHE_VARIABLE) or _user_cache_folder()).absolute()


def _user_cache_folder() -> str:
    """The user's cache folder by platformdirs, which is slow to import and so is skipped in the usual case on Linux."""
    if sys.platform == "linux" and "ANDROID_ROOT" not in os.environ:
        named, home = os.environ.get("XDG_CACHE_HOME", ""), os.environ.get("HOME", "")
        base = named or (home and os.path.join(home, ".cache"))
        if os.path.isabs(base):
            return os.path.join(base, "meteorlib")
    from platformdirs import user_cache_dir  # noqa: PLC0415 – see above

    return user_cache_dir("meteorlib", appauthor=False)
