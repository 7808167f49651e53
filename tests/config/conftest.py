"""A broken file of presets, as a user would load it."""

from __future__ import annotations

import pytest

from meteorlib.config import load_presets
from meteorlib.errors import ConfigError


@pytest.fixture
def my(tmp_path, monkeypatch):
    """Reads my.yaml with the given content; the error."""
    monkeypatch.chdir(tmp_path)

    def read(content: bytes) -> ConfigError:
        (tmp_path / "my.yaml").write_bytes(content)
        with pytest.raises(ConfigError) as caught:
            load_presets("my.yaml")
        return caught.value

    return read
