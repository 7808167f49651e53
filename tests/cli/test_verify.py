"""The command `meteorlib verify`."""

from __future__ import annotations

import json
import re

import pytest

from meteorlib import __version__
from meteorlib.conformance.run import recorded_presets
from meteorlib.resources.catalog import FILES


def test_damage(run, monkeypatch):
    """Damage is reported with the affected presets, and the exit status is 1."""
    monkeypatch.setitem(FILES, "function-words-en", {"function-words-en.txt": (373, 1)})
    done = run("verify", "meteor-1.5-en-core", "meteor-2005")
    assert done.status == 1
    assert "install meteorlib again" in done.out
    assert "\nmeteor-1.5-en-core: failed\n  ResourceDamaged: " in done.out
    assert done.err == "Error: verification failed; please report it with the output of `meteorlib verify --report`\n"


@pytest.mark.usefixtures("cache")
def test_not_installed(run):
    """A preset that cannot run is not skipped: its needs are printed, and the exit status is 1."""
    done = run("verify", "meteor-1.5-en")
    assert done.status == 1
    assert "meteor-1.5-en: cannot run\n  resource 'paraphrase-en' is not installed: run" in done.out
    assert done.err == "Error: nothing could be checked\n"


def test_unknown(refused):
    """A name without recorded results is a mistake, with a suggestion."""
    assert "did you mean 'nltk'?" in refused("verify", "nlkt")


def test_report(ok, monkeypatch):
    """The report has versions, packages, variables and each preset."""
    monkeypatch.setenv("METEORLIB_PURE_PYTHON", "1")
    done = ok("verify", "meteor-2005", "--report")
    for expected in (f"meteorlib: {__version__}", "engine: pure Python", "METEORLIB_PURE_PYTHON: 1", "== packages"):
        assert expected in done.out.splitlines()
    assert "\nattrs " in done.out
    assert "\n== equal\nmeteor-2005 (python" in done.out
    assert done.out.endswith("\npassed\n")


def test_json(run):
    """As JSON it has all that is known."""
    done = run("verify", "meteor-2005", "--format", "json")
    found = json.loads(done.out)
    assert (done.status, found["passed"], found["damaged"]) == (0, True, {})
    assert [check["preset"] for check in found["checks"]] == ["meteor-2005"]


@pytest.mark.thorough
@pytest.mark.usefixtures("cache")
def test_all(ok):
    """Without names every recorded preset gives its results or is counted among those that need more."""
    lines = dict(line.partition(": ")[::2] for line in ok("verify").out.splitlines())
    equal, all_of_them = re.match(r"(\d+) of (\d+) give the recorded results", lines["presets"]).groups()
    needy = re.fullmatch(r"(\d+) presets that need something else \(listed by --report\)", lines["not checked"])
    assert equal == all_of_them
    assert int(equal) + int(needy[1]) == len(recorded_presets())
