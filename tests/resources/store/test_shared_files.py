"""Files are replaced as a whole or not at all, and language data lie in the folder that is asked for."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from pathlib import Path

import pytest
from platformdirs import user_cache_dir

from meteorlib.resources.store.shared_files import (
    CACHE_VARIABLE,
    atomic_writer,
    cache_folder,
    path_in_disk_errors,
    write_atomically,
)

HOMES = ["/home/me", "/home/me/", "/", "home", "", None]


@pytest.mark.parametrize("home", HOMES)
@pytest.mark.parametrize("named", ["/caches", "/caches/", "caches", "~/caches", "", None])
def test_users(monkeypatch, home, named):
    """The cache is in the folder that platformdirs names, whatever the environment says."""
    monkeypatch.delenv(CACHE_VARIABLE, raising=False)
    for variable, value in {"HOME": home, "XDG_CACHE_HOME": named}.items():
        if value is None:
            monkeypatch.delenv(variable, raising=False)
        else:
            monkeypatch.setenv(variable, value)
    assert cache_folder() == Path(user_cache_dir("meteorlib", appauthor=False)).absolute()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere platformdirs is always asked")
def test_platformdirs_is_asked_where_it_is_needed(monkeypatch):
    """A folder that the environment names in full needs no platformdirs; of others it says what they are."""
    monkeypatch.delenv(CACHE_VARIABLE, raising=False)
    monkeypatch.setitem(sys.modules, "platformdirs", None)
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert cache_folder() == Path("/caches/meteorlib")
    monkeypatch.setenv("XDG_CACHE_HOME", "caches")
    with pytest.raises(ImportError):
        cache_folder()


def test_named(monkeypatch, tmp_path):
    """METEORLIB_CACHE names it; a relative one is in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(CACHE_VARIABLE, "cache")
    assert cache_folder() == tmp_path / "cache"


def test_written(tmp_path):
    """An existing file is replaced and keeps its permissions; nothing else stays."""
    path = tmp_path / "file"
    write_atomically(path, b"one")
    path.chmod(0o600)
    with atomic_writer(path) as file:
        file.write(b"two")
        assert path.read_bytes() == b"one"
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == (0o666 if sys.platform == "win32" else 0o600)  # no permissions there
    assert list(tmp_path.iterdir()) == [path]


def test_interrupted(tmp_path):
    """If the block ends early, the old content is kept."""
    path = tmp_path / "file"
    path.write_bytes(b"one")

    def write():
        with atomic_writer(path) as file:
            file.write(b"two")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert path.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(("place", "named"), [("here", "here"), (None, f"temporary files in {tempfile.gettempdir()} ")])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EFBIG])
def test_where_there_is_no_room(place, named, number):
    """An error that does not say where there is no room for more gets the name of the place."""
    with pytest.raises(OSError, match=os.strerror(number)) as caught, path_in_disk_errors(place):
        raise OSError(number, os.strerror(number))
    assert caught.value.filename.startswith(named)


def test_named_already(tmp_path):
    """An error keeps the name that it has, and one of another kind gets none."""
    with pytest.raises(FileNotFoundError) as caught, path_in_disk_errors("here"):
        (tmp_path / "nowhere").open()
    assert caught.value.filename == str(tmp_path / "nowhere")
    with pytest.raises(BrokenPipeError) as broken, path_in_disk_errors("here"):
        raise BrokenPipeError
    assert broken.value.filename is None
