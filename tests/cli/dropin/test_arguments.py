"""Arguments are read as the jar reads them; what it does not understand is a clear error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from meteorlib.cli.dropin import report
from meteorlib.cli.dropin.arguments import parse
from meteorlib.cli.dropin.settings import settings
from meteorlib.errors import MeteorError

GOLDEN = Path(__file__).resolve().parents[2] / "golden"


def test_every_head(folder):
    """Every language, task, -m, -w and -p prints the head (Eval ID, weights, parameters) that the jar prints."""
    differing = []
    for line in (GOLDEN / "tasks.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        arguments = parse(["hyp", "ref", *record["arguments"]])
        try:
            head = report.head(settings(arguments), sgml=False)
        except MeteorError:
            head = ""
        if head != record["head"]:
            differing.append((record["arguments"], head, record["head"]))
    assert not differing


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-bogus"], "unknown option '-bogus'; files come first: meteor-1.5 HYPOTHESES REFERENCES …"),
        (
            ["-vout"],
            "unknown option '-vout' (did you mean '-vOut'?); files come first: meteor-1.5 HYPOTHESES REFERENCES …",
        ),
        (["-x"], "-x needs a value"),
        (["-x", "abc"], "-x 'abc': not a whole number"),
        (["-x", "0"], "-x '0': a beam must keep at least 1 path"),
        (["-r", "1.5"], "-r '1.5': not a whole number"),
        (["-w", "1 x"], "-w '1 x': 'x' is not a number"),
        (["-p", "1_0 1 1 1"], "-p '1_0 1 1 1': '1_0' is not a number"),
        (["-p", "１ 1 1 1"], "-p '１ 1 1 1': '１' is not a number"),
        (["-p", "1 2 3"], "-p needs alpha, beta, gamma and delta; got 3 of 4 numbers"),
        (["-w", "1 inf", "-m", "exact stem"], "-p or -w: weight must be a finite number: inf"),
        (["-p", ".5 nan .3 .5", "-m", "exact"], "-p or -w: beta must be a finite number: nan"),
        (["-m", "exact foo"], "unknown matcher 'foo'; known: exact, paraphrase, stem, synonym"),
        (["-m", " "], "-m needs at least one matcher"),
        (
            ["-t", "ranking"],
            "unknown task 'ranking' (did you mean 'rank'?); known: adq, hter, li, rank, tune, universal, util",
        ),
        (["-l", "other", "-w", "1 2"], "-w has 2 weights for 1 matchers; leave some out or name more with -m"),
        (
            ["-l", "da", "-norm"],
            (
                "-norm: METEOR 1.5 has no normalizer for language 'da' (it has: cz, de, en, es, fr, ru); "
                "tokenize the files first and leave -norm out, or use -lower"
            ),
        ),
        (
            ["-l", "cz", "-m", "stem"],
            "matcher 'stem': there is no stemmer for language 'cz'; name other matchers with -m",
        ),
        (
            ["-l", "fr", "-m", "synonym"],
            "matcher 'synonym': METEOR 1.5 has only English synonyms, none for language 'fr'",
        ),
        (
            ["-l", "da", "-m", "paraphrase"],
            (
                "resource 'paraphrase-da' is not installed: METEOR 1.5 has no such table; give one with -a FILE, or "
                "leave paraphrase out of -m"
            ),
        ),
        (["-a", "nowhere.gz"], "resource 'nowhere.gz' is not installed: -a: there is no such file"),
        (["-stdio", "-dialect", "coko"], "unknown dialect of -stdio 'coko' (did you mean 'coco'?); known: cmu, coco"),
    ],
)
def test_wrong_arguments(command, arguments, message):
    """Exit status 2, one message, no score."""
    assert command("hyp", "ref", *arguments) == (2, "", f"meteor-1.5: {message}\n")


@pytest.mark.parametrize("language", ["ar", "arabic", "li", ""])
def test_unknown_languages(command, language):
    """A language that METEOR does not know is an error; `-l xx` is other."""
    done = command("hyp", "ref", "-l", language)
    assert done.status == 2
    assert done.stderr.startswith(f"meteor-1.5: unknown language {language!r}")


def test_no_files(command):
    """Without two files the usage is printed, on standard error, and the status is 2."""
    for arguments in ([], ["hyp"], ["--help"]):
        done = command(*arguments)
        assert (done.status, done.stdout) == (2, "")
        assert "-writeAlignments" in done.stderr


def test_tasks_without_numbers(command):
    """A task that has no numbers for the language warns, and gives 0 as METEOR does."""
    done = command("hyp", "ref", "-l", "da", "-t", "rank", "-q")
    assert (done.status, done.stdout) == (0, "0.0\n")
    assert "task 'rank' has no parameters for language 'da' (it has: tune, li, universal)" in done.stderr


def test_missing_weights(command):
    """An error names matchers without a weight."""
    done = command("hyp", "ref", "-l", "da", "-w", "1", "-ssOut")
    assert done.stderr == "Warning: more matchers than weights: matchers without a weight count nothing\n"


@pytest.mark.parametrize(
    ("arguments", "numbers"),
    [
        (["-p", "2 1 3 0.5"], "alpha must be between 0 and 1: 2.0; gamma must be between 0 and 1: 3.0"),
        (["-w", "0.5 2.0"], "weight must be between 0 and 1: 2.0"),
    ],
)
def test_beyond_the_ranges(command, arguments, numbers):
    """Numbers beyond their ranges are scored with, as METEOR does, and named on standard error."""
    done = command("hyp", "ref", "-m", "exact stem", *arguments)
    assert done.status == 0
    assert done.stderr == (f"Warning: {numbers}; scored as by METEOR 1.5, so scores may be outside 0..1\n")
    assert "Final score:" in done.stdout


def test_arabic(command):
    """Arabic has a stemmer of its own, whose table has to be installed."""
    done = command("hyp", "ref", "-l", "ar-bw-red")
    assert done.status == 2
    assert done.stderr.startswith("meteor-1.5: resource 'arabic' is not installed: run `meteorlib resources install ")
    assert command("hyp", "ref", "-l", "ar-bw-red", "-m", "exact").status == 0


def test_other_synonyms(command, folder):
    """-d takes METEOR's own synonyms only, and says so."""
    (folder / "english.synsets").write_text("a\n1\n")
    (folder / "english.exceptions").write_text("")
    done = command("hyp", "ref", "-m", "synonym", "-d", ".")
    assert done.status == 2
    assert done.stderr.endswith("other synonyms are not supported, leave -d out\n")
