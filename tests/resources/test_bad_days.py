"""Bad days of an installation: interrupted at any step, without room, beside another version of meteorlib."""

from __future__ import annotations

import errno
import json
import os
import sys

import pytest

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources.install import install, remove, statuses
from meteorlib.resources.paraphrases.table import open_paraphrases
from meteorlib.resources.store.manifest import FORMAT, MANIFEST

NAME = "paraphrase-de"

TOUCHES = {
    "close",
    "fsync",
    "link",
    "mkdir",
    "open",
    "remove",
    "rename",
    "replace",
    "rmdir",
    "scandir",
    "unlink",
    "write",
}
"""Functions of the system, and methods of files, before which an installation is interrupted."""

NEEDS_ROOM = {"fsync", "mkdir", "rename", "replace", "write"}
"""Those that fail on a full disk."""


class ErrorAtStep:
    """Raises an error before a certain one of the calls that meteorlib makes; counts them up to there."""

    def __init__(self, names, error, at):
        self.names, self.error, self.at, self.count = names, error, at, 0

    def __enter__(self):
        sys.setprofile(self)
        return self

    def __exit__(self, *_):
        sys.setprofile(None)

    def __call__(self, frame, event, function):
        if event != "c_call" or function.__name__ not in self.names or "meteorlib" not in frame.f_code.co_filename:
            return
        # nothing that is raised while an object is deleted gets out of there
        if not _deletes(frame):
            self.count += 1
            if self.count == self.at:
                raise self.error


def _deletes(frame):
    while frame is not None and frame.f_code.co_name != "__del__":
        frame = frame.f_back
    return frame is not None


def _content(cache):
    """What is in the cache folder, beside what is remembered of files that were verified."""
    return sorted(path.name for path in cache.iterdir() if path.name != "verified")


def _errors_of_every_step(table, names, error):
    """Install with an error at the first step, at the second and so on: what each of these installations raises."""
    for at in range(1, 1000):
        raised = None
        with ErrorAtStep(names, error, at) as steps:
            try:
                install(NAME, table)
            except BaseException as caught:  # noqa: BLE001 – Ctrl-C is one
                raised = caught
        if steps.count < at:
            assert raised is None
            assert at > 3
            return
        yield raised
        remove(NAME)


def _is_whole():
    try:
        return open_paraphrases(NAME).entry_count == 8
    except ResourceMissing:
        return False


@pytest.mark.thorough
def test_interrupted_at_every_step(cache, table):
    """After Ctrl-C at any step there is a whole index or none, and the same command installs it."""
    for raised in _errors_of_every_step(table, TOUCHES, KeyboardInterrupt()):
        assert isinstance(raised, KeyboardInterrupt)
        _is_whole()
        install(NAME, table)
        assert _is_whole()
        assert _content(cache) == [NAME, f"{NAME}.lock"]


@pytest.mark.thorough
def test_full_disk_at_every_step(cache, table):
    """A disk without room is named with what to do, whenever it fills up; there is a whole index or none."""
    for raised in _errors_of_every_step(table, NEEDS_ROOM, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))):
        assert isinstance(raised, ResourceMissing)
        assert f"{os.strerror(errno.ENOSPC)}; make room or set METEORLIB_CACHE" in str(raised)
        assert _content(cache) == [NAME, f"{NAME}.lock"] if _is_whole() else [f"{NAME}.lock"]


def _made_by_another_version(folder, **changed):
    """Change the manifest as another version would have written it."""
    path = folder / MANIFEST
    fields = json.loads(path.read_bytes())
    del fields["crc32"]
    path.chmod(0o644)
    path.write_text(json.dumps({**fields, **changed}))


@pytest.mark.parametrize(
    "changed", [{"format": FORMAT - 1}, {"format": FORMAT + 1}, {"format": FORMAT + 1, "blocks": [8]}]
)
def test_index_of_another_version(cache, table, changed):
    """An older or newer index, also with fields unknown today, is refused with both versions and the command."""
    folder = install(NAME, table)
    _made_by_another_version(folder, **changed)
    told = rf"made by another version of meteorlib \(format {changed['format']}.*this one reads format {FORMAT}.*"
    with pytest.raises(ResourceDamaged, match=rf"{told}run `meteorlib resources install {NAME} --from FILE`"):
        open_paraphrases(NAME)
    assert {status.name: status.state for status in statuses()}[NAME] == "damaged"
    install(NAME, table)
    assert open_paraphrases(NAME).entry_count == 8
