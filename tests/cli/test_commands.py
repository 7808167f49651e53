"""The commands beside score: presets, resources, --version, --help."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys

import pytest

import meteorlib
from meteorlib.config import load_presets
from meteorlib.resources.catalog import CATALOG


def test_version(printed):
    """The version is that of the package."""
    assert meteorlib.__version__ in printed("--version").split()


@pytest.mark.parametrize("name", ["meteor-2005", "meteor-1.5-en", "meteor-1.5-en-core"])
def test_presets_show(printed, tmp_path, name):
    """A preset that was shown can be put into a file and used: it is the same METEOR."""
    out = printed("presets", "show", name)
    file = tmp_path / "copy.yaml"
    file.write_text(out, encoding="utf-8")
    assert load_presets(file)[name] == meteorlib.config.load_preset(name)


def test_resources_list(run, printed, files, cache):
    """All language data is listed with state, license and origin, a line each, whatever the width of the terminal."""
    files(thesaurus="UTF-8\ncat|1\n-|feline\n")
    told = "a license of many words " * 12
    assert run("resources", "install", "synonyms-xx", "--from", "thesaurus", "--license", told).status == 0
    head, *lines = printed("resources", "list").splitlines()
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


def test_resources_install_and_remove(run, files, cache, tmp_path):
    """A table is installed out of a file, listed, and removed."""
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
def test_resources_list_problems(run, files, cache, tmp_path, name):
    """An index that cannot be used is listed with its state, and a note says why, and the command to type."""
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


def test_resources_install_synonyms(run, refused, files, cache, tmp_path):
    """Synonyms of any language are installed, and listed with the license that the user named."""
    files(**{"th.dat": b"UTF-8\nhaus|1\n-|heim\n"})
    result = run("resources", "install", "synonyms-de", "--from", "th.dat", "--license", "LGPL 2.1")
    assert result == (0, f"synonyms-de is installed in {tmp_path / 'cache' / 'synonyms-de'}\n", "")
    line = run("resources", "list").out.splitlines()[-1]
    assert re.match(r"synonyms-de +installed +[\d.]+ k?B +LGPL 2.1 +the file th.dat +/", line)
    err = refused("resources", "install", "paraphrase-de", "--license", "LGPL")
    assert "--license is for synonyms and word vectors; the license of paraphrase-de is known" in err


def test_resources_remove_packaged(refused):
    """Packaged data is not removed, and the command says so."""
    err = refused("resources", "remove", "wordnet-en")
    assert err.endswith("wordnet-en is part of meteorlib and cannot be removed\n")


def test_resources_install_unknown(refused):
    """An unknown resource is named with the nearest one."""
    err = refused("resources", "install", "paraphrases-en")
    assert err == (
        "meteorlib: unknown resource 'paraphrases-en' (did you mean 'paraphrase-en'?); "
        "known: those of `meteorlib resources list`, synonyms-XX, vectors-XX\n"
    )


def test_resources_install_damaged(refused, files, cache, tmp_path):
    """A table that is none is one message with file and line, and nothing is left of it."""
    files(**{"paraphrase-de.gz": gzip.compress(b"0.5\na\n", mtime=0)})
    err = refused("resources", "install", "paraphrase-de", "--from", "paraphrase-de.gz")
    assert "line 2: the number of lines is not a multiple of three" in err
    assert not (tmp_path / "cache" / "paraphrase-de").exists()


@pytest.mark.parametrize(("typed", "meant"), [("scor", "score"), ("explian", "explain"), ("reprot", "report")])
def test_command_that_was_meant(run, typed, meant):
    """An unknown command gets the nearest known one as a suggestion."""
    done = run(typed, "x")
    assert (done.status, f"No such command '{typed}'. (did you mean '{meant}'?)" in done.err) == (2, True)
