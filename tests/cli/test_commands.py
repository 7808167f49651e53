"""The commands beside score: presets, resources, --version, --help."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys

import pytest

import meteorlib
from meteorlib import Scorer
from meteorlib.config import load_presets
from meteorlib.resources.catalog import CATALOG


def test_version(run):
    """The version is that of the package."""
    result = run("--version")
    assert (result.status, result.err) == (0, "")
    assert meteorlib.__version__ in result.out.split()


@pytest.mark.parametrize("command", ["", "score", "presets", "presets show", "resources", "resources install"])
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help(run, command, option):
    """Every command explains itself."""
    result = run(*command.split(), option)
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("Usage: meteorlib ")


@pytest.mark.parametrize("name", ["meteor-2005", "meteor-1.5-en", "meteor-1.5-en-core"])
def test_presets_show(run, tmp_path, name):
    """A preset that was shown can be put into a file and used: it is the same METEOR."""
    result = run("presets", "show", name)
    assert (result.status, result.err) == (0, "")
    file = tmp_path / "copy.yaml"
    file.write_text(result.out, encoding="utf-8")
    assert load_presets(file)[name] == meteorlib.config.load_preset(name)


def test_shown_preset_scores_the_same(run, files):
    """A copied preset scores as the built-in one does, signature included."""
    files(hyp="the cats\n", ref="a cat\n")
    files(**{"copy.yaml": run("presets", "show", "meteor-1.5-en-core").out})
    copied = run("score", "hyp", "-r", "ref", "--config", "copy.yaml")
    assert copied == run("score", "hyp", "-r", "ref", "--preset", "meteor-1.5-en-core")
    assert str(Scorer("meteor-1.5-en-core").signature) in copied.out


def test_resources_list(run, files, monkeypatch, tmp_path):
    """All language data is listed with state, license and origin, a line each, whatever the width of the terminal."""
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path))
    files(thesaurus="UTF-8\ncat|1\n-|feline\n")
    told = "a license of many words " * 12
    assert run("resources", "install", "synonyms-xx", "--from", "thesaurus", "--license", told).status == 0
    result = run("resources", "list")
    assert (result.status, result.err) == (0, "")
    head, *lines = result.out.splitlines()
    assert head.split() == ["name", "state", "size", "license", "from", "where"]
    assert sorted(line.split()[0] for line in lines) == sorted([*CATALOG, "synonyms-xx"])
    wordnet = next(line for line in lines if line.startswith("wordnet-en "))
    assert "packaged" in wordnet
    assert "WordNet 3.0 license" in wordnet


def test_as_a_module(run_process):
    """`python -m meteorlib` is the command."""
    done = subprocess.run([sys.executable, "-m", "meteorlib", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == run_process("--version").out


def test_resources_list_without_unicode(run_process):
    """The list is shown even if standard output knows only ASCII."""
    result = run_process("resources", "list", env={"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"})
    assert (result.status, result.err) == (0, "")


def test_resources_install_and_remove(run, files, monkeypatch, tmp_path):
    """A table is installed out of a file, listed, and removed."""
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / "cache"))
    files(**{"paraphrase-de.gz": gzip.compress(b"0.5\na\nb\n", mtime=0)})
    path = tmp_path / "cache" / "paraphrase-de"
    assert run("resources", "install", "paraphrase-de", "--from", "paraphrase-de.gz") == (
        0, f"paraphrase-de is installed in {path}\n", "",
    )  # fmt: skip
    line = next(line for line in run("resources", "list").out.splitlines() if line.startswith("paraphrase-de"))
    assert line.split()[1] == "installed"
    assert run("resources", "remove", "paraphrase-de") == (0, "paraphrase-de is removed\n", "")
    assert run("resources", "remove", "paraphrase-de") == (0, "paraphrase-de was not installed\n", "")
    assert not path.exists()


PROBLEMS = {
    "an older format": ({"format": 4}, "other format", "was made by another version of meteorlib (format 4, "),
    "a newer format": ({"format": 99}, "other format", "was made by a newer version of meteorlib (format 99, "),
    "another machine": ({"byteorder": "middle"}, "other format", ", middle-endian; this one reads format "),
    "a change": ({"entries": 7}, "damaged", "has been changed"),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_resources_list_problems(run, files, monkeypatch, tmp_path, name):
    """An index that cannot be used is listed with its state, and a note says why, and the command to type."""
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / "cache"))
    files(**{"paraphrase-de.gz": gzip.compress(b"0.5\na\nb\n", mtime=0)})
    run("resources", "install", "paraphrase-de", "--from", "paraphrase-de.gz")
    (path,) = (tmp_path / "cache" / "paraphrase-de").glob("*/manifest.json")
    changes, state, reason = PROBLEMS[name]
    path.chmod(0o644)
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    result = run("resources", "list")
    assert re.search(rf"^paraphrase-de +{state} ", result.out, re.MULTILINE)
    assert result.err.startswith("note: resource 'paraphrase-de' cannot be used: ")
    assert reason in result.err
    assert result.err.endswith("run `meteorlib resources install paraphrase-de --from FILE`\n")
    assert run("resources", "install", "paraphrase-de", "--from", "paraphrase-de.gz").status == 0
    assert run("resources", "list").err == ""


def test_resources_install_synonyms(run, files, monkeypatch, tmp_path):
    """Synonyms of any language are installed, and listed with the license that the user named."""
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / "cache"))
    files(**{"th.dat": b"UTF-8\nhaus|1\n-|heim\n"})
    result = run("resources", "install", "synonyms-de", "--from", "th.dat", "--license", "LGPL 2.1")
    assert result == (0, f"synonyms-de is installed in {tmp_path / 'cache' / 'synonyms-de'}\n", "")
    line = run("resources", "list").out.splitlines()[-1]
    assert re.match(r"synonyms-de +installed +[\d.]+ k?B +LGPL 2.1 +the file th.dat +/", line)
    result = run("resources", "install", "paraphrase-de", "--license", "LGPL")
    assert (result.status, result.out) == (2, "")
    assert "--license is for synonyms and word vectors; the license of paraphrase-de is known" in result.err


def test_resources_remove_packaged(run):
    """Packaged data is not removed, and the command says so."""
    result = run("resources", "remove", "wordnet-en")
    assert (result.status, result.out) == (2, "")
    assert result.err.endswith("wordnet-en is part of meteorlib and cannot be removed\n")


def test_resources_install_unknown(run):
    """An unknown resource is named with the nearest one."""
    result = run("resources", "install", "paraphrases-en")
    assert (result.status, result.out) == (2, "")
    assert result.err == (
        "meteorlib: unknown resource 'paraphrases-en' (did you mean 'paraphrase-en'?); "
        "known: those of `meteorlib resources list`, synonyms-XX, vectors-XX\n"
    )


def test_resources_install_damaged(run, files, monkeypatch, tmp_path):
    """A table that is none is one message with file and line, and nothing is left of it."""
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / "cache"))
    files(**{"paraphrase-de.gz": gzip.compress(b"0.5\na\n", mtime=0)})
    result = run("resources", "install", "paraphrase-de", "--from", "paraphrase-de.gz")
    assert (result.status, result.out) == (2, "")
    assert "line 2: the number of lines is not a multiple of three" in result.err
    assert "Traceback" not in result.err
    assert not (tmp_path / "cache" / "paraphrase-de").exists()


@pytest.mark.parametrize(("typed", "meant"), [("scor", "score"), ("explian", "explain"), ("reprot", "report")])
def test_command_that_was_meant(run, typed, meant):
    """An unknown command gets the nearest known one as a suggestion."""
    done = run(typed, "x")
    assert (done.status, f"No such command '{typed}'. (did you mean '{meant}'?)" in done.err) == (2, True)
