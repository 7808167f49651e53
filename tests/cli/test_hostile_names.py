"""Names from files of others do not control the terminal, wherever they stand."""

from __future__ import annotations

import io
import json
import sys
from contextlib import suppress
from pathlib import Path
from unicodedata import category

import pytest

from meteorlib import Scorer
from meteorlib.cli import main
from meteorlib.cli import streams as bars
from meteorlib.cli.dropin import main as dropin
from tests.cli.conftest import Terminal

HOSTILE = {
    "color": "\x1b[31m",
    "clear": "\x1b[2J\x1b[H",
    "title": "\x1b]0;title\x07",
    "link": "\x1b]8;;http://example.org\x1b\\text\x1b]8;;\x1b\\",
    "clipboard": "\x1b]52;c;Y2F0\x07",
    "bell": "a\x07b",
    "backspace": "safe\b\b\b\bevil",
    "CR": "safe\revil",
    "newline": "safe\nmeteorlib: evil",
    "CSI": "\x9b2J",
    "direction": "\u202eevil\u2066",
    "line separator": "a\u2028b\u2029c\x85d",
    "zero width": "a\u200bb\ufeffc",
    "surrogate": "a\udc9bb",
    "long": "\x1b" + "n" * 150,
}

CONFIG = "presets: {{mine: {{extends: nltk, {}}}}}"
PRESET = ("-p", "nltk")
TABLE = ("--hyp-column", "mt", "--ref-column", "ref")
JUDGED = ("-p", "nltk", "-n", "10")
FIT = ("--fit", "alpha=0.5/0.9", "--method", "grid", "--objective", "pearson", "-n", "10", "-p", "nltk")
SGML = (
    '<{kind}set setid="{set}" srclang="any" trglang="en">\n<doc docid="{doc}" sysid="{sys}">\n'
    '<seg id="{seg}">a b c</seg>\n</doc>\n</{kind}set>\n'
)


def sgml(kind, **ids):
    return SGML.format(kind=kind, **{"set": "s", "doc": "d", "sys": "x", "seg": "1"} | ids)


def line(row):
    return json.dumps(row) + "\n"


def judged(name):
    """Ratings whose systems, segments, language pairs and columns have the name in them."""
    rows = [
        f"{name}\t{name}{system}\t{name}{segment}\t&amp; a b {segment}\ta {system}\t{human}"
        for segment in range(4)
        for system, human in (("A", segment), ("B", 2))
    ]
    return "\n".join([f"lp\tsystem\tsegment\tref\tmt\thuman\t{name}", *(f"{row}\t1" for row in rows)]) + "\n"


def config(text):
    return ("score", "hyp", "-r", "ref", "--config", "own.yaml"), {"own.yaml": text}


def table(name):
    cells = [f"{name}\tmt\tref\tdoc", f"1\ta b\ta &amp; b\t{name}", "2\tc\tc\tx"]
    return "\n".join(cells) + "\n"


NAMED = {
    "missing file": lambda name: (("score", name, "-r", "ref"), {}),
    "missing reference": lambda name: (("score", "hyp", "-r", name), {}),
    "file in a folder": lambda name: (("score", f"{name}/x", "-r", "ref"), {}),
    "file of other length": lambda name: (("score", name, "-r", "ref", *PRESET), {name: "a\nb\n\n"}),
    "file with notes": lambda name: (("score", name, "-r", "ref", *PRESET), {name: "\ufeffx\n\ufeff&amp; a\rb\n"}),
    "file that is not UTF-8": lambda name: (("score", name, "-r", "ref"), {name: b"a\n\xff\n"}),
    "file that looks like a table": lambda name: (
        ("score", f"{name}.tsv", "-r", f"{name}.tsv", *PRESET),
        {f"{name}.tsv": table("x")},
    ),
    "system": lambda name: (("score", name, "hyp", "-r", "ref", "-n", "10", *PRESET), {name: "a\nb\n"}),
    "system in Markdown": lambda name: (
        ("score", name, "hyp", "-r", "ref", "-n", "10", "-f", "markdown", *PRESET),
        {name: "a\nb\n"},
    ),
    "system in LaTeX": lambda name: (
        ("score", name, "hyp", "-r", "ref", "-n", "10", "-f", "latex", *PRESET),
        {name: "a\nb\n"},
    ),
    "system in TSV": lambda name: (
        ("score", name, "hyp", "-r", "ref", "-n", "10", "-f", "tsv", *PRESET),
        {name: "a\nb\n"},
    ),
    "system in JSON": lambda name: (
        ("score", name, "hyp", "-r", "ref", "-n", "10", "-f", "json", *PRESET),
        {name: "a\nb\n"},
    ),
    "empty system": lambda name: (("score", name, "hyp", "-r", "ref", "-n", "10", *PRESET), {name: "\n\n"}),
    "baseline": lambda name: (("score", "hyp", "ref", "-r", "ref", "--baseline", name), {}),
    "runs": lambda name: (("score", "hyp", "--runs", f"{name}=hyp,ref", "-r", "ref", "-n", "10", *PRESET), {}),
    "wrong runs": lambda name: (("score", "--runs", f"{name}=", "-r", "ref"), {}),
    "columns": lambda name: (("score", "hyp", "ref", "-r", "ref", "-n", "10", "--columns", name), {}),
    "option": lambda name: (("score", "hyp", f"--x{name}"), {}),
    "value of an option": lambda name: (("score", "hyp", "-r", "ref", "-w", name), {}),
    "format": lambda name: (("score", "hyp", "-r", "ref", "-f", name), {}),
    "command": lambda name: ((name,), {}),
    "preset": lambda name: (("score", "hyp", "-r", "ref", "-p", name), {}),
    "config": lambda name: (("score", "hyp", "-r", "ref", "--config", name), {}),
    "preset of a config": lambda name: (
        ("score", "hyp", "-r", "ref", "--config", f"own.yaml:{name}"),
        {"own.yaml": CONFIG.format("")},
    ),
    "key of a config": lambda name: config(CONFIG.format(f"{json.dumps(name)}: 1")),
    "resource of a config": lambda name: config(
        CONFIG.format(f"stages: [{{matcher: stem, resource: {json.dumps(name)}}}]")
    ),
    "path of a config": lambda name: config(
        CONFIG.format(f"stages: [{{matcher: synonym, resource: {json.dumps('./' + name)}}}]")
    ),
    "name of a preset": lambda name: config(f"presets: {{{json.dumps(name)}: {{extends: nltk}}}}"),
    "config with faults": lambda name: (
        ("score", "hyp", "-r", "ref", "--config", name),
        {name: CONFIG.format("cuont: 1, x: 2")},
    ),
    "metric": lambda name: (("score", "hyp", "ref", "-r", "ref", "-n", "10", "--metric", name), {}),
    "table of a metric": lambda name: (
        ("score", "hyp", "ref", "-r", "ref", "-n", "10", "--metric", f"{name}=s.tsv"),
        {"s.tsv": "hyp\tref\n1\t2\n2\t1\n"},
    ),
    "column of a metric": lambda name: (
        ("score", "hyp", "ref", "-r", "ref", "-n", "10", "--metric", "m=s.tsv"),
        {"s.tsv": f"{name}\tx\n1\t2\n2\t1\n"},
    ),
    "column": lambda name: (("score", "t.tsv", *TABLE, *PRESET), {"t.tsv": table(name)}),
    "missing column": lambda name: (
        ("score", "t.tsv", "--hyp-column", name, "--ref-column", "ref"),
        {"t.tsv": table("x")},
    ),
    "known columns": lambda name: (
        ("score", "t.tsv", "--hyp-column", "x", "--ref-column", "ref"),
        {"t.tsv": table(name)},
    ),
    "table with escapes": lambda name: (("score", name + ".tsv", *TABLE, *PRESET), {name + ".tsv": table("x")}),
    "column of a system": lambda name: (
        ("score", "t.jsonl", "--hyp-column", name, "--hyp-column", "mt", "--ref-column", "ref", "-n", "10", *PRESET),
        {"t.jsonl": line({name: "a &amp; b", "mt": "a", "ref": "a"})},
    ),
    "key of JSON": lambda name: (
        ("score", "t.jsonl", *TABLE),
        {"t.jsonl": line({name: "a", "mt": 1, "ref": "a"})},
    ),
    "repeated key of JSON": lambda name: (
        ("score", "t.jsonl", *TABLE),
        {"t.jsonl": line({"mt": "a", "ref": "b"}) + f"{{{json.dumps(name)}: 1, {json.dumps(name)}: 2}}\n"},
    ),
    "cell of JSON": lambda name: (
        ("score", "t.jsonl", *TABLE),
        {"t.jsonl": json.dumps({"mt": {name: name}, "ref": "a"}) + "\n"},
    ),
    "ids": lambda name: (
        ("score", "t.jsonl", *TABLE, "--id-column", "id", "--segments", *PRESET),
        {"t.jsonl": line({"id": name, "mt": "a", "ref": "a"})},
    ),
    "ids in TSV": lambda name: (
        ("score", "t.jsonl", *TABLE, "--id-column", "id", "--segments", "-f", "tsv", *PRESET),
        {"t.jsonl": line({"id": name, "mt": "a", "ref": "a"})},
    ),
    "repeated ids": lambda name: (
        ("score", "t.jsonl", *TABLE, "--id-column", "id"),
        {"t.jsonl": 2 * (line({"id": name, "mt": "a", "ref": "a"}))},
    ),
    "ids of one file": lambda name: (
        ("score", "a.jsonl", "-r", "b.jsonl", *TABLE, "--id-column", "id"),
        {
            "a.jsonl": line({"id": name, "mt": "a"}) + line({"id": "1", "mt": "a"}),
            "b.jsonl": json.dumps({"id": f"{name}2", "ref": "a"}) + "\n" + line({"id": "1", "ref": "a"}),
        },
    ),
    "labels": lambda name: (
        ("score", "t.jsonl", *TABLE, "--by", "doc", *PRESET),
        {"t.jsonl": line({"doc": name, "mt": "a", "ref": "a"})},
    ),
    "labels of systems": lambda name: (
        ("score", "hyp", "ref", "-r", "ref", "--by", "doc=labels", "-n", "10", *PRESET),
        {"labels": f"{name}\nx\n"},
    ),
    "name of labels": lambda name: (("score", "hyp", "-r", "ref", "--by", f"{name}=hyp", *PRESET), {}),
    "language pair": lambda name: (
        ("score", "t.jsonl", *TABLE, *PRESET),
        {"t.jsonl": json.dumps({"lp": f"{name}-de", "mt": "a", "ref": "a"}) + "\n"},
    ),
    "SGML system": lambda name: (
        ("score", "t.sgm", "-r", "r.sgm", *PRESET),
        {"t.sgm": sgml("tst", sys=name), "r.sgm": sgml("ref", sys=name)},
    ),
    "SGML set": lambda name: (
        ("score", "t.sgm", "-r", "r.sgm", *PRESET),
        {"t.sgm": sgml("tst", set=name), "r.sgm": sgml("ref")},
    ),
    "SGML document": lambda name: (
        ("score", "t.sgm", "-r", "r.sgm", *PRESET),
        {"t.sgm": sgml("tst", doc=name), "r.sgm": sgml("ref")},
    ),
    "SGML segment": lambda name: (
        ("score", "t.sgm", "-r", "r.sgm", *PRESET),
        {"t.sgm": sgml("tst", seg=name), "r.sgm": sgml("ref")},
    ),
    "SGML tag": lambda name: (("score", "t.sgm", "-r", "r.sgm"), {"t.sgm": f"<{name}>", "r.sgm": sgml("ref")}),
    "XML": lambda name: (
        ("score", "t.xml", "-r", "t.xml", *PRESET),
        {
            "t.xml": f'<dataset id="x"><doc id="{name}"><ref lang="en" translator="{name}"><p><seg id="1">a</seg></p>'
            f'</ref><hyp system="{name}" language="en"><p><seg id="1">a</seg></p></hyp></doc></dataset>',
        },
    ),
    "report": lambda name: (("report", name, "hyp", "-r", "ref", "-n", "10", "-o", f"{name}.html"), {name: "a\n\n"}),
    "title of a report": lambda name: (
        ("report", "hyp", "ref", "-r", "ref", "-n", "10", "-o", "-", "--title", name, "--by", "doc=labels"),
        {"labels": f"{name}\nx\n"},
    ),
    "report on a file": lambda name: (("report", "hyp", "-r", "ref", "-o", name), {name: "x"}),
    "word labels": lambda name: (
        ("report", "hyp", "-r", "ref", "-o", "p", "--word-labels", f"{name}=tags"),
        {"tags": f"{name} x\n{name}\n"},
    ),
    "source": lambda name: (("report", "hyp", "-r", "ref", "-o", "p", "--source", name), {}),
    "meta-eval": lambda name: (("meta-eval", f"{name}.tsv", *JUDGED), {f"{name}.tsv": judged("x")}),
    "meta-eval's names": lambda name: (("meta-eval", "t.tsv", *JUDGED), {"t.tsv": judged(name)}),
    "meta-eval's TSV": lambda name: (("meta-eval", "t.tsv", *JUDGED, "-f", "tsv"), {"t.tsv": judged(name)}),
    "meta-eval's Markdown": lambda name: (("meta-eval", "t.tsv", *JUDGED, "-f", "markdown"), {"t.tsv": judged(name)}),
    "meta-eval's columns": lambda name: (("meta-eval", "t.tsv", *JUDGED), {"t.tsv": f"{name}\t{name}2\n1\t2\n"}),
    "meta-eval's metric": lambda name: (("meta-eval", "t.tsv", *JUDGED, "--metric", name), {"t.tsv": judged(name)}),
    "meta-eval's statistic": lambda name: (
        ("meta-eval", "t.tsv", *JUDGED, "--statistic", name),
        {"t.tsv": judged("x")},
    ),
    "tune": lambda name: (("tune", f"{name}.tsv", *FIT, "-o", f"{name}.yaml"), {f"{name}.tsv": judged("x")}),
    "tune's names": lambda name: (("tune", "t.tsv", *FIT, "-o", "f.yaml", "--folds", "lp"), {"t.tsv": judged(name)}),
    "tune's parameter": lambda name: (("tune", "t.tsv", *FIT, "--fit", name, "-o", "f.yaml"), {"t.tsv": judged("x")}),
    "explain": lambda name: (("explain", f"a {name}", "-r", f"{name} b", *PRESET), {}),
    "explain's matrix": lambda name: (("explain", f"a {name}", "-r", f"{name} b", "--view", "matrix", *PRESET), {}),
    "explain's JSON": lambda name: (("explain", f"a {name}", "-r", f"{name} b", "-f", "json", *PRESET), {}),
    "explain's file": lambda name: (("explain", name, "-r", "a", *PRESET), {name: "a\n"}),
    "explain's segment": lambda name: (("explain", name, "-r", "ref", "--segment", "7"), {name: "a\nb\n"}),
    "align": lambda name: (("align", name, "ref", *PRESET), {name: "a\n"}),
    "align's matcher": lambda name: (("align", "hyp", "ref", "-m", name), {}),
    "align's synonyms": lambda name: (("align", "hyp", "ref", "-m", "synonym", "-d", name), {}),
    "align's paraphrases": lambda name: (("align", "hyp", "ref", "-m", "paraphrase", "-a", name), {}),
    "compare-presets": lambda name: (
        ("compare-presets", name, "-r", "ref", "--presets", "nltk,meteor-2005"),
        {name: "a &amp;\n\n"},
    ),
    "compared presets": lambda name: (("compare-presets", "hyp", "-r", "ref", "--presets", f"nltk,{name}"), {}),
    "sgmlize": lambda name: (("sgmlize", "hyp", "--name", name), {}),
    "sgmlized file": lambda name: (("sgmlize", name), {name: "a\n"}),
    "sgmlize's documents": lambda name: (("sgmlize", "hyp", "--documents", "docs"), {"docs": f"{name}\n{name}\n"}),
    "sgmlize's languages": lambda name: (("sgmlize", "hyp", "--languages", f"{name}-{name}"), {}),
    "sgmlize to text": lambda name: (
        ("sgmlize", "t.sgm", "r.sgm", "--to-text", "-o", name),
        {"t.sgm": sgml("tst", set=name, sys=name), "r.sgm": sgml("ref", set=name)},
    ),
    "sgmlize's set": lambda name: (
        ("sgmlize", "t.sgm", "r.sgm", "--to-text"),
        {"t.sgm": sgml("tst", set=name), "r.sgm": sgml("ref")},
    ),
    "function words": lambda name: (("universal", "function-words", name), {name: "\n"}),
    "build": lambda name: (("universal", "build", f"out{name}", "--foreign", name, "--target", "ref"), {}),
    "filter": lambda name: (("universal", "filter", name, "out.gz", "ref"), {name: "x"}),
    "stem": lambda name: (("stem", name), {}),
    "languages": lambda name: (("languages", name), {}),
    "verify": lambda name: (("verify", name), {}),
    "presets": lambda name: (("presets", "show", name), {}),
    "help": lambda name: (("help", name), {}),
    "completion": lambda name: (("completion", name), {}),
    "resource": lambda name: (("resources", "install", name), {}),
    "source of a resource": lambda name: (("resources", "install", "synonyms-xx", "--from", name), {}),
    "removed resource": lambda name: (("resources", "remove", name), {}),
    "license of a resource": lambda name: (
        ("resources", "install", "synonyms-xx", "--from", "thesaurus", "--license", name),
        {"thesaurus": "UTF-8\ncat|1\n-|feline\n"},
    ),
    "drop-in": lambda name: (("meteor-1.5", name, "ref"), {}),
    "drop-in's lengths": lambda name: (("meteor-1.5", name, "ref", "-m", "exact"), {name: "a\n"}),
    "drop-in's option": lambda name: (("meteor-1.5", "hyp", "ref", f"-{name}"), {}),
    "drop-in's matcher": lambda name: (("meteor-1.5", "hyp", "ref", "-m", name), {}),
    "drop-in's language": lambda name: (("meteor-1.5", "hyp", "ref", "-l", name), {}),
    "drop-in's SGML": lambda name: (
        ("meteor-1.5", "t.sgm", "r.sgm", "-sgml", "-m", "exact"),
        {"t.sgm": sgml("tst", set=name, sys=name), "r.sgm": sgml("ref", set=name, doc="other")},
    ),
    "drop-in's systems": lambda name: (
        ("meteor-1.5", "t.sgm", "r.sgm", "-sgml", "-m", "exact"),
        {"t.sgm": sgml("tst", set=name, sys=name), "r.sgm": sgml("ref", set=name)},
    ),
    "drop-in's documents": lambda name: (
        ("meteor-1.5", "t.sgm", "r.sgm", "-sgml", "-m", "exact"),
        {"t.sgm": sgml("tst", doc=name) + sgml("tst", doc="e"), "r.sgm": sgml("ref", doc="e") + sgml("ref", sys="y")},
    ),
}
"""Place of a name → a function of the name that returns a command and the files that it reads."""


def acting(text):
    """Characters of an output that act instead of being seen; line ends are the program's, and so are tabs of TSV."""
    return {letter for letter in text if category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp") and letter not in "\n\t"}


def prepare(name, contents):
    """Write the files; whether the system allows these names."""
    for file, content in contents.items():
        try:
            Path(file).write_bytes(
                content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")
            )
        except (OSError, ValueError):
            return False
    return True


@pytest.mark.filterwarnings("default::meteorlib.errors.MeteorWarning")
@pytest.mark.parametrize(
    "place",
    [pytest.param(place, marks=pytest.mark.thorough) if number % 8 else place for number, place in enumerate(NAMED)],
)
def test_names(files, tmp_path, cache, monkeypatch, capfdbinary, place):
    """Whatever a name has in it, it is shown in one line, without a character that acts."""
    found = {}
    for kind, name in HOSTILE.items():
        folder = tmp_path / kind
        folder.mkdir()
        monkeypatch.chdir(folder)
        command, contents = NAMED[place](name)
        if not prepare(name, {"hyp": "a\nb\n", "ref": "a b\nb\n", **contents}):
            continue
        run, arguments = (dropin, command[1:]) if command[0] == "meteor-1.5" else (main, command)
        with suppress(SystemExit):
            run(list(arguments))
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        shown = (out + err).decode("utf-8", "surrogateescape")
        if acting(shown) or "\nmeteorlib: evil" in shown:
            found[kind] = ascii(shown)
    assert found == {}


def test_list_of_resources(run, files, cache):
    """Licenses that others wrote are cells of one line, not markup."""
    files(thesaurus="UTF-8\ncat|1\n-|feline\n")
    license_ = "[red]".join(HOSTILE.values()).replace("\udc9b", "")
    assert run("resources", "install", "synonyms-xx", "--from", "thesaurus", "--license", license_).status == 0
    listed = run("resources", "list").out
    assert not acting(listed)
    (line,) = (line for line in listed.split("\n") if line.startswith("synonyms-xx"))
    assert r"\x1b[31m[red]\x1b[2J" in line


@pytest.mark.parametrize("kind", HOSTILE)
def test_words_in_python(kind):
    """Breakdowns and alignments that are printed have the words of others, too."""
    name = HOSTILE[kind].replace("\udc9b", "")
    scored = Scorer("nltk").score(f"a {name}", f"a {name} b")
    assert not acting(f"{scored}{scored.alignment}")


def test_bars(monkeypatch):
    """The description of a progress bar is text: no markup, no escape sequences of a name."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", stream := Terminal())
    monkeypatch.setattr(bars, "BAR_DELAY", -1)
    with bars.progress_of("words of \x1b]0;x\x07 [red]") as bar:
        bar(1, 2)
    assert r"\x1b]0;x\x07 [red]" in stream.getvalue()
    assert "\x07" not in stream.getvalue()


@pytest.mark.parametrize("exact", [True, False])
def test_data_at_a_terminal(monkeypatch, exact):
    """Data made of the user's text is exact in a file or a pipe, and harmless at a terminal."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\x1b[31m\n"), "utf-8"))
    monkeypatch.setattr(sys, "stdout", stream := io.StringIO() if exact else Terminal())
    with suppress(SystemExit):
        main(["stem", "porter"])
    assert stream.getvalue() == ("a\x1b[31m\n" if exact else "a\\x1b[31m\n")


@pytest.mark.parametrize("role", ["hyp", "labels"])
def test_text_beside_labels_is_checked(refused, files, role):
    """Bytes that are not UTF-8 are an error with a place, in texts that labels go with and in the labels."""
    files(**{"hyp": "a\n", "ref": "a\n", "labels": "x\n"} | {role: b"\xff\n"})
    assert f"{role}:1: byte 0xFF at offset 0 is not UTF-8" in refused("score", "hyp", "-r", "ref", "--by", "doc=labels")
