"""A file that is written whole or not at all."""

from __future__ import annotations

import pytest

from meteorlib.resources.whole import write_whole, writing_whole


def test_written(tmp_path):
    """What was there is replaced, and keeps its permissions; nothing else stays."""
    path = tmp_path / "file"
    write_whole(path, b"one")
    path.chmod(0o600)
    with writing_whole(path) as file:
        file.write(b"two")
        assert path.read_bytes() == b"one"
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_interrupted(tmp_path):
    """Whatever ends the block before its time leaves what was there."""
    path = tmp_path / "file"
    path.write_bytes(b"one")

    def write():
        with writing_whole(path) as file:
            file.write(b"two")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert path.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [path]
