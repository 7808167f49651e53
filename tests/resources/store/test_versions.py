"""Folder of compiled language data."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from platformdirs import user_cache_dir

from meteorlib.resources.store.versions import CACHE_VARIABLE, cache_folder

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
