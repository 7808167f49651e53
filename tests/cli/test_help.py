"""Help: groups, required options, examples that run, topics, completion, man pages."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from meteorlib.cli.command import GROUP_OF, GROUPS, MIN_GROUPED, Command
from meteorlib.cli.commands import _COMMANDS, _SECTIONS, FIRST_STEPS, SHELLS, cli
from meteorlib.cli.help_pages import SOURCES, pages, title
from tools.man_pages import man_pages

UNGROUPED = {"jobs", "help"}
ELSEWHERE = ("resources install", "universal build", "universal filter", "completion")
"""Examples that install language data, take long or write into the home folder; tests of these commands run others."""


def commands(command=cli, words=()):
    """Every command with the words that call it."""
    if not isinstance(command, click.Group):
        return [(" ".join(words), command)]
    context = click.Context(command)
    found = [(name, command.get_command(context, name)) for name in command.list_commands(context)]
    return [one for name, child in found for one in commands(child, (*words, name))]


COMMANDS = commands()


def test_first_steps(run):
    """Without arguments the three first things to type are named, and the status is that of a mistake."""
    result = run()
    assert (result.status, result.out, result.err) == (2, "", f"{FIRST_STEPS}\n")


def test_sections():
    """Every command is listed in one section."""
    listed = [name for names in _SECTIONS.values() for name in names]
    assert sorted(listed) == sorted(_COMMANDS)


@pytest.mark.parametrize(("words", "command"), [pytest.param(*one, id=one[0]) for one in COMMANDS])
def test_groups(run, words, command):
    """Commands with many options list them in groups; the usage names required ones; examples are below."""
    out = run(*words.split(), "--help", stdin=b"").out
    assert out == run(*words.split(), "-h", stdin=b"").out
    assert isinstance(command, Command)
    options = [one for one in command.params if isinstance(one, click.Option)]
    if len(options) + 1 >= MIN_GROUPED:
        assert {one.name for one in options} - set(GROUP_OF) <= UNGROUPED
        assert "\nInput:\n" in out
        assert "\nOutput:\n" in out
    usage = out.split("\n\n")[0]
    for one in options:
        if one.required or one.name == "references":
            assert f"{min(one.opts, key=len)} {one.metavar}" in usage
    assert command.examples
    assert out.index("\nExamples:\n") > out.index("--help")
    assert all(f"  {example}\n" in out for example in command.examples)


def test_option_groups():
    """Every name in a group is that of an option, and is in one group."""
    names = {one.name for _, command in COMMANDS for one in command.params if isinstance(one, click.Option)}
    listed = [name for options in GROUPS.values() for name in options]
    assert set(listed) <= names
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize(
    ("words", "example"),
    [
        pytest.param(words, example, id=example, marks=[pytest.mark.thorough] * (example == "meteorlib verify"))
        for words, command in COMMANDS
        for example in command.examples
        if words not in ELSEWHERE
    ],
)
def test_examples(ok, files, cache, words, example):
    """The examples in the help run; none of them touches the language data of whoever runs the tests."""
    files(
        **{
            "hyp.txt": "a cat sat on the mat\nit rains today\n", "ref.txt": "the cat sat on a mat\nit rained today\n",
            "a.txt": "a cat\nb\n", "b.txt": "the cat\nc\n", "source.txt": "eine Katze\nes regnet\n",
            "ratings.tsv": "segment\tsystem\thypothesis\treference\thuman\tadequacy\n" + "".join(
                f"{number}\t{system}\tthe cat {'sat ' * number}{system}\tthe cat sat {number}\t{score}\t{number}\n"
                for number in range(1, 32) for score, system in enumerate(("a", "b", "here", "sat", "on", "it"))
            ),
        }
    )  # fmt: skip
    program, *arguments = shlex.split(example)
    assert program == "meteorlib"
    standard_input = b""
    if "<" in arguments:
        place = arguments.index("<")
        standard_input, arguments[place:] = b"cats sat\n", []
    if ">" in arguments:
        arguments = arguments[: arguments.index(">")]
    if words == "tune":
        arguments += ["--evaluations", "5", "-n", "10"]
    result = ok(*arguments, stdin=standard_input)
    if "-o" in arguments:
        assert Path(arguments[arguments.index("-o") + 1]).stat().st_size
    else:
        assert result.out


def test_topics(run, refused):
    """`meteorlib help` lists the pages, prints a page, and prints the help of a command."""
    listed = run("help").out
    for name, page in pages().items():
        assert f"{name:<15}" in listed
        assert title(page) in listed
    name, page = next(iter(pages().items()))
    assert run("help", name).out == page.read_text(encoding="utf-8")
    assert run("help", "verify").out.rstrip() == run("verify", "--help").out.rstrip()
    assert "unknown topic 'scroe'" in refused("help", "scroe")
    assert "unknown topic ' '" in refused("help", " ")
    found = run("help", "Paper").out
    assert [line.split(maxsplit=1) for line in found.splitlines()[:3]] == [
        ["many-systems", "For a paper"],
        ["presets", "Which METEOR is that paper's number?"],
        ["tutorial-systems", "A paper's table"],
    ]
    assert "Read one: meteorlib help TOPIC" in found


def test_named_topics():
    """Every page that a help text names exists, and no two pages of the documentation share a name."""
    found = pages(SOURCES)
    assert {topic for _, command in COMMANDS for topic in command.topics} <= set(found)
    assert len({file.stem for file in SOURCES.rglob("*.md")}) == len(list(SOURCES.rglob("*.md")))


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_script(ok, shell):
    """A script for each shell; the shell itself takes it where it is installed."""
    result = ok("completion", shell)
    assert "_METEORLIB_COMPLETE" in result.out
    if shutil.which(shell):
        done = subprocess.run([shell, "-n"], input=result.out, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("meteorlib sc", {"plain,score"}),
        ("meteorlib score -p meteor-2005", {"plain,meteor-2005", "plain,meteor-2005-exact"}),
        ("meteorlib score --pai", {"plain,--paired"}),
        ("meteorlib score hy", {"file,hy"}),
        ("meteorlib score hyp -r re", {"file,re"}),
    ],
)
def test_completion(run, monkeypatch, typed, completed):
    """Commands, options, presets and files are completed."""
    monkeypatch.setenv("_METEORLIB_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(typed.count(" ")))
    assert set(run().out.splitlines()) == completed


def test_man_pages():
    """A man page for each command; roff finds nothing to warn of."""
    written = man_pages()
    assert {f"meteorlib-{words.replace(' ', '-')}.1" for words, _ in COMMANDS} < set(written)
    assert "\\-\\-reference REF" in written["meteorlib-score.1"]
    assert ".SH EXAMPLES\n.nf\nmeteorlib score hyp.txt" in written["meteorlib-score.1"]
    if shutil.which("groff"):
        command = ["groff", "-man", "-Tutf8", "-Kutf8", "-ww", "-z"]
        done = subprocess.run(command, input="".join(written.values()), capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
