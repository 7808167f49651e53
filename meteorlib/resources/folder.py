"""Where compiled language data is kept."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_dir

VARIABLE = "METEORLIB_CACHE"


def cache_folder() -> Path:
    """The folder named by METEORLIB_CACHE, else ``meteorlib`` in the user's cache folder; it need not exist."""
    named = os.environ.get(VARIABLE)
    return Path(named or user_cache_dir("meteorlib", appauthor=False)).absolute()
