"""Mistakes of users: exit status 2, one clear message, nothing on standard output, no traceback."""

from __future__ import annotations

import gzip
import os
import shlex
import sys

import pytest

GOOD = "a b\nc d\n"
PRESETS = "those of `meteorlib presets list`"

INPUTS = {
    "hyp": GOOD,
    "ref": GOOD,
    "short": "a\n",
    "trailing": "a b\nc d\n\n",
    "spaced": "a b\nc d\n \n\n",
    "mixed": "a b\rc d\n",
    "classic": "a b\rc d\r",
    "crlf": "a b\rc d\r\n",
    "blank": "\n\n",
    "empty": "",
    "latin": b"ok\nb\xe9d\n",
    "nul": b"a\nb\0c\n",
    "utf16": "a\nb\n".encode("utf-16-le"),
    "surrogate": b"a\nb\xed\xa0\xbdc\n",
    "cut.gz": gzip.compress(GOOD.encode(), mtime=0)[:-9],
    "zipped": b"PK\x03\x04" + bytes(30),
    "bad.yaml": "presets:\n  mine:\n    extends: meteor-2005\n    txt: lower\n    parameters: {alpha: 2}\n",
    "code.yaml": "presets: !!python/object/apply:os.system ['touch pwned']\n",
    "several.yaml": "presets:\n  one: {extends: meteor-2005}\n  two: {extends: meteor-2005}\n",
}

FROM_LATIN_1 = "if the file is Latin-1: iconv -f WINDOWS-1252 -t UTF-8"
NO_REFERENCE = "Missing option '-r' / '--reference'."
UNEQUAL = "the files must have the same number of lines, one per segment"

MISTAKES = {
    "unequal line counts": (
        "score hyp -r short",
        (
            f"{UNEQUAL}: hyp has 2, short has 1\n"
            "if the hypotheses are one text in other segments, as of speech translation, add --resegment, which needs "
            "pip install 'meteorlib[resegment]'"
        ),
    ),
    "a trailing empty line": (
        "score hyp -r ref -r trailing",
        (
            f"{UNEQUAL}: hyp has 2, ref has 2, trailing has 3\n"
            "the last line of trailing is empty; keep the others: head -n 2 < trailing > trailing.new"
        ),
    ),
    "trailing empty lines": (
        "score spaced -r ref",
        (
            f"{UNEQUAL}: spaced has 4, ref has 2\n"
            "the last 2 lines of spaced are empty; keep the others: head -n 2 < spaced > spaced.new"
        ),
    ),
    "CR between other lines": (
        "score mixed -r ref",
        (
            f"{UNEQUAL}: mixed has 1, ref has 2\n"
            "mixed has carriage returns (CR) that end no line: 1; if they should: tr '\\r' '\\n' < mixed > mixed.new"
        ),
    ),
    "CR between CRLF": (
        "score crlf -r ref -r hyp",
        f"{UNEQUAL}: crlf has 1, ref has 2, hyp has 2\ncrlf has carriage returns (CR) that end no line: 1",
    ),
    "nothing but empty lines": ("score empty -r blank", f"{UNEQUAL}: empty has 0, blank has 2"),
    "CR at all line ends": (
        "score hyp -r classic",
        "classic: its lines end only in CR; convert it: tr '\\r' '\\n' < classic > classic.new",
    ),
    "empty files": ("score empty -r empty", "nothing to score: empty, empty are empty"),
    "undecodable hypotheses": (
        "score latin -r ref",
        f"latin:2: byte 0xE9 at offset 4 is not UTF-8; {FROM_LATIN_1} < latin > latin.new",
    ),
    "missing hypotheses": ("score nowhere -r ref", "nowhere: no such file"),
    "references twice": ("score hyp -r ref -r ./ref", "file of references 'ref' is given twice; name it once"),
    "no name": ("score hyp --reference=", "an empty file name: no such file"),
    "folder": ("score . -r ref", ".: is a folder, not a file of segments"),
    "cut gzip": (
        "score cut.gz -r ref",
        "cut.gz: cannot be read to its end: the compressed data are cut off",
    ),
    "zip": (
        "score zipped -r ref",
        "zipped: is a zip archive, which is not read (gzip, bzip2, xz and zstd are); unpack it first",
    ),
    "standard input twice": (
        "score - -r -",
        "standard input (-) can be read only once: give the other files by name",
    ),
    "unknown preset": (
        "score hyp -r ref --preset meteor-15-en",
        f"unknown preset 'meteor-15-en' (did you mean 'meteor-1.5-en'?); known: {PRESETS}",
    ),
    "unknown preset to show": (
        "presets show meteor-2006",
        f"unknown preset 'meteor-2006' (did you mean 'meteor-2005'?); known: {PRESETS}",
    ),
    "broken YAML": (
        "score hyp -r ref --config bad.yaml",
        (
            "bad.yaml:4: presets.mine: unknown key 'txt' (did you mean 'text'?)\n"
            "bad.yaml:5: presets.mine.parameters.alpha: alpha must be between 0 and 1: 2.0"
        ),
    ),
    "missing YAML": ("score hyp -r ref --config nowhere.yaml:mine", "nowhere.yaml: no such file"),
    "unknown preset of a file": (
        "score hyp -r ref --config several.yaml:tow",
        "unknown preset 'tow' (did you mean 'two'?); known: one, two",
    ),
}

USAGE = {
    "no reference": ("score hyp", f"{NO_REFERENCE} Name the references: meteorlib score hyp -r REF"),
    "a reference without -r": ("score hyp 'the ref'", f"{NO_REFERENCE} Did you mean -r 'the ref'?"),
    "several systems": ("score hyp short ref", f"{NO_REFERENCE} Did you mean -r ref?"),
    "a table": (
        "score t.csv",
        (
            f"{NO_REFERENCE} Name them, or the columns of the table: "
            "meteorlib score t.csv --hyp-column NAME --ref-column NAME"
        ),
    ),
    "a reference without -r, of one text": (
        "explain hyp ref",
        "Got unexpected extra argument (ref)",
    ),
    "an extra argument of another command": ("stem en ref", "Got unexpected extra argument (ref)"),
    "METEOR's option": ("score hyp -r ref -l de", "No such option '-l'."),
    "an option with a slip": ("score hyp --basseline x", "No such option '--basseline'. Did you mean '--baseline'?"),
    "an option like no other": ("score hyp --xyzzy", "No such option '--xyzzy'."),
    "no hypotheses": ("score -r ref", "Missing argument 'HYP...'."),
    "no hypotheses of a report": ("report -r ref -o page.html", "Missing argument 'HYP...'."),
    "no workers": ("score hyp -r ref --jobs 0", "Invalid value for '--jobs': 0 is not in the range x>=1."),
    "an odd number": ("score - -r - -n 1_0", "Invalid value for '-n' / '--n': '1_0' is not a number."),
    "unknown format": (
        "score hyp -r ref --format xml",
        "Invalid value for '-f' / '--format': 'xml' is not one of 'text', 'json', 'tsv', 'markdown', 'latex'.",
    ),
    "preset and config": (
        "score hyp -r ref --preset meteor-2005 --config several.yaml",
        "--preset and --config exclude each other; name the preset as --config FILE:NAME",
    ),
    "unknown command": ("xyzzy hyp", "No such command 'xyzzy'."),
}


@pytest.fixture
def inputs(files):
    """All files of `INPUTS` in the current folder."""
    files(**INPUTS)


def named(command):
    """The command with a preset named, so that no note says which METEOR this is."""
    arguments = command.split()
    if arguments[0] == "score" and not {"--preset", "--config"} & set(arguments):
        arguments += ["--preset", "meteor-2005"]
    return arguments


def lines_in_any_order(text):
    """Lines as a set."""
    return sorted(text.removeprefix("meteorlib: ").splitlines())


@pytest.mark.parametrize("name", MISTAKES)
def test_one_message(refused, inputs, tmp_path, name):
    """The one message says what is wrong, where, and what to do; nothing is written."""
    command, message = MISTAKES[name]
    before = sorted(os.listdir())
    err = refused(*named(command))
    assert err.startswith("meteorlib: ")
    assert lines_in_any_order(err) == lines_in_any_order(message)
    assert sorted(os.listdir()) == before


@pytest.mark.parametrize("name", USAGE)
def test_usage(refused, inputs, name):
    """A command that is not understood shows how it is used, and the one thing that is wrong with it."""
    command, message = USAGE[name]
    err = refused(*shlex.split(command))
    assert err.startswith("Usage: meteorlib ")
    assert err.endswith(f"\nError: {message}\n")


@pytest.mark.parametrize("name", ["undecodable hypotheses", pytest.param("broken YAML", marks=pytest.mark.thorough)])
def test_as_users_run_it(run_process, inputs, name):
    """In a process of its own the same message comes, and no traceback."""
    command, message = MISTAKES[name]
    result = run_process(*named(command))
    assert (result.status, result.out) == (2, "")
    assert lines_in_any_order(result.err) == lines_in_any_order(message)


@pytest.mark.parametrize("form", ["text", "json", "tsv"])
def test_nothing_half_written(refused, files, form):
    """A mistake at the very end of a file is found before anything is written, in every format."""
    files(hyp=b"a\n" * 5000 + b"\xff\n", ref=b"a\n" * 5001)
    err = refused("score", "hyp", "-r", "ref", "--format", form, "--segments", "--preset", "meteor-2005-exact")
    assert err == f"meteorlib: hyp:5001: byte 0xFF at offset 10000 is not UTF-8; {FROM_LATIN_1} < hyp > hyp.new\n"


def test_resource_that_is_not_installed(refused, inputs, monkeypatch, tmp_path):
    """Without the paraphrase table, the message names the command that installs it."""
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / "none"))
    err = refused("score", "hyp", "-r", "ref", "--preset", "meteor-1.5-en")
    assert err.startswith("meteorlib: resource 'paraphrase-en' is not installed: ")
    assert "`meteorlib resources install paraphrase-en`" in err


def test_empty_preset_name(refused, inputs):
    """An empty name (of an unset variable, say) is an unknown preset, not the default."""
    assert refused("score", "hyp", "-r", "ref", "--preset", "").startswith("meteorlib: unknown preset ''")


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_pipes(run_process, inputs):
    """A pipe, which can be read only once, can be given like a file (a shell's `<(command)`, /dev/stdin)."""
    arguments = ["-r", "ref", "--preset", "meteor-2005"]
    expected = run_process("score", "hyp", *arguments)
    assert run_process("score", "/dev/stdin", *arguments, stdin=GOOD.encode()) == expected
    assert expected.status == 0
