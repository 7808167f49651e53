"""The command ``report``: what it writes, where, and what it leaves alone."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys

import pytest

import meteorlib
from meteorlib import Scorer
from meteorlib.analysis.significance import compare_systems
from meteorlib.errors import InputMismatch
from meteorlib.reports.html import html_report
from meteorlib.reports.html.data import Written
from tests.cli.conftest import COMMAND

REFERENCE = "the cat sat on the mat\na good day\nnothing to see\n"
TEXTS = {"a": "the cat sat on a mat\na good day\nnothing here\n", "b": "on the mat the cat\nbad days\nnothing to see\n"}


@pytest.fixture
def texts(files):
    """Two systems and a reference in the current folder."""
    files(ref=REFERENCE, **TEXTS)


def page_data(page):
    """The data in a page."""
    return json.loads(re.search(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)[1])


def compared(**options):
    """The systems, scored and compared from Python."""
    scorer = Scorer()
    corpora = {
        name: scorer.corpus().extend(references=REFERENCE.splitlines(), hypotheses=text.splitlines())
        for name, text in TEXTS.items()
    }
    return scorer, corpora, compare_systems(corpora, **options)


def test_page_is_that_of_the_library(run, texts, tmp_path):
    """The file is the page of the corpora, compared as by default, whatever the number of jobs."""
    done = run("report", "a", "b", "-r", "ref", "-o", "page.html")
    assert (done.status, done.out) == (0, "")
    assert done.err.endswith("MB; open it in a browser\n")
    scorer, corpora, comparison = compared()
    references = [[line] for line in REFERENCE.splitlines()]
    written = Written.of(
        scorer,
        references,
        [text.splitlines() for text in TEXTS.values()],
        [[one.score for one in corpus] for corpus in corpora.values()],
        100,
    )
    expected = html_report(corpora, comparison, references=1, written=written)
    lines = {name: text.splitlines() for name, text in TEXTS.items()}
    assert meteorlib.report(lines, REFERENCE.splitlines()) == expected
    given = {name: [tmp_path / name] for name in TEXTS}
    assert meteorlib.report(given, tmp_path / "ref", output="again.html") == "again.html"
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == expected
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == expected
    run("report", "a", "b", "-r", "ref", "-o", "two.html", "--jobs", "2")
    assert (tmp_path / "two.html").read_text(encoding="utf-8") == expected


def test_options_of_the_library(ok, files, tmp_path):
    """Several references, sources, labels of segments and words, metrics and settings are those of the command."""
    pytest.importorskip("sacrebleu")
    files(
        ref="the cat\na day\n", other="a cat\nthe day\n", a="the cat\nday\n", src="le chat\nun jour\n", pos="D N\nD N\n"
    )
    files(groups="x\ny\n")
    arguments = ("--word-labels", "pos=pos,pos", "--by", "document=groups", "--metric", "chrf", "--gains", "1")
    ok("report", "a", "-r", "ref", "-r", "other", "--source", "src", *arguments, "-n", "20", "-o", "page.html")
    page = meteorlib.report(
        {"a": ["the cat", "day"]},
        [tmp_path / "ref", tmp_path / "other"],
        sources=tmp_path / "src",
        groups={"document": ["x", "y"]},
        word_labels={"pos": [["D N"] * 2] * 2},
        metrics=["chrf"],
        gains=1,
        samples=20,
    )
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"sources": ["x"]}, "the source has 1"),
        ({"groups": {"document": ["x"] * 3}}, "3 labels of 'document' but 2 segments"),
        ({"word_labels": {"pos": [["D N"]]}}, "pos of the word labels has 1"),
        ({"word_labels": {"pos": [["D N"], []]}}, "segment 2: pos labels of 0 references for 1"),
        ({"word_labels": {"pos": [["D N"], ["D"]]}}, "segment 2: 1 pos labels for 2 tokens"),
    ],
)
def test_what_does_not_fit_the_segments(given, message):
    """Sources and labels of another number are refused with both numbers."""
    with pytest.raises(InputMismatch, match=message):
        meteorlib.report({"a": ["the cat", "a day"]}, ["the cat", "a day"], samples=10, **given)


def test_gains_of_a_single_system():
    """A single system has the gains of its segments with the lowest scores; two have half of them where they differ."""
    texts = [["a b"], ["a b"], ["a b"], ["a b"]]
    scores = [0.9, 0.1, 0.8, 0.2]
    one = Written.of(Scorer(), texts, [["a"] * 4], [scores], gains=2)
    two = Written.of(Scorer(), texts, [["a"] * 4] * 2, [scores, [0.1, 0.1, 0.8, 0.2]], gains=2)
    assert [[*gains] for gains in (*one.gains, *two.gains)] == [[1, 3], [0, 1], [0, 1]]


def test_options(run, texts, files, tmp_path):
    """Title, sources, preset and the numbers of the comparison are taken over."""
    files(src="le chat\nun bon jour\nrien\n")
    arguments = "a b -r ref -o page.html --source src --preset nltk -n 50 --seed 3 --confidence .9 --paired bootstrap"
    assert run("report", *arguments.split(), "--title", "A & B").status == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<h1>A &amp; B</h1>" in page
    assert "<code>nltk</code>" in page
    assert "Intervals at 90 % by bootstrap over the segments; p values by paired bootstrap; 50 samples, seed 3." in page
    assert page_data(tmp_path / "page.html")["sources"] == ["le chat", "un bon jour", "rien"]


@pytest.mark.skipif(sys.platform == "win32", reason="where files have no such names")
def test_names_with_quotes(run, files, tmp_path):
    """A file may be called anything."""
    name = "a \"b\" 'c' <script>"
    files(**{name: "x\n", "ref": "x\n"})
    assert run("report", name, "-r", "ref", "-o", f"{name}.html", "-n", "10").status == 0
    assert "&lt;script&gt;" in (tmp_path / f"{name}.html").read_text(encoding="utf-8")


def test_report_is_replaced_other_files_are_not(run, texts, tmp_path):
    """An existing report is replaced; any other file only on request."""
    target = tmp_path / "page.html"
    for _ in range(2):
        assert run("report", "a", "-r", "ref", "-o", target).status == 0
    target.write_text("my notes", encoding="utf-8")
    done = run("report", "a", "-r", "ref", "-o", target)
    assert (done.status, target.read_text(encoding="utf-8")) == (2, "my notes")
    assert done.err == (
        f"meteorlib: {target}: already exists and is not a meteorlib report; name another "
        "file, or replace it with --force\n"
    )
    assert run("report", "a", "-r", "ref", "-o", target, "--force").status == 0
    assert target.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.skipif(sys.platform == "win32", reason="modes and links as POSIX has them")
def test_links_and_modes(run, texts, tmp_path):
    """A link stays a link, and a file that is replaced keeps its mode; a new one has the usual."""
    target, link = tmp_path / "page.html", tmp_path / "link.html"
    link.symlink_to(target)
    mask = os.umask(0o022)
    try:
        run("report", "a", "-r", "ref", "-o", link)
        assert link.is_symlink()
        assert stat.S_IMODE(target.stat().st_mode) == 0o644
        target.chmod(0o640)
        run("report", "a", "-r", "ref", "-o", link)
    finally:
        os.umask(mask)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("no/page.html", "there is no folder"),
        (".", "is not a file that can be written"),
        ("", "an empty file name"),
    ],
)
def test_place_that_is_none(refused, texts, target, message):
    """A place that cannot be written is said before anything is scored."""
    assert message in refused("report", "a", "-r", "ref", "-o", target)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has it")
def test_full_device(run, texts):
    """A full device is one message."""
    done = run("report", "a", "-r", "ref", "-o", "/dev/full")
    message = "meteorlib: /dev/full: No space left on device; make room there, then run the command again"
    assert (done.status, done.err.splitlines()[-1]) == (2, message)


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="limits as POSIX has them")
def test_full_disk(texts, tmp_path, unmeasured):
    """A full disk causes one message; an earlier report is kept, and no other file is left."""
    import resource

    command = [*COMMAND, "report", "a", "-r", "ref", "-o", "page.html"]
    subprocess.run(command, check=True, capture_output=True)
    before = (tmp_path / "page.html").read_bytes()

    def no_room():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))

    done = subprocess.run(command, env=unmeasured, capture_output=True, text=True, preexec_fn=no_room)
    message = "meteorlib: page.html: File too large; make room there, then run the command again"
    assert (done.returncode, done.stderr.splitlines()[-1]) == (2, message)
    assert (tmp_path / "page.html").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "page.html", "ref"]


def test_labels_of_words(run, refused, texts, files, tmp_path):
    """Labels of reference words are in the data of the page; wrong ones are refused."""
    files(pos="D N V P D N\nD A N\nN P V\n", short="D N V P D N\nD A\nN P V\n")
    arguments = ("report", "a", "b", "-r", "ref", "-n", "10", "-o", "page.html", "--word-labels")
    assert run(*arguments, "pos=pos").status == 0
    groups = page_data(tmp_path / "page.html")["groups"]
    assert [each["labels"] for each in groups if "words" in each] == [["D", "N", "V", "P", "A"]]
    err = refused(*arguments, "pos=short")
    assert "short:2: 2 labels for 3 tokens of reference 1, 'a good day'; give each token between spaces" in err
    assert "pos=short: there already is a label 'pos'" in run(*arguments, "pos=pos", "--word-labels", "pos=short").err


def test_columns_of_a_table(run, files, tmp_path):
    """Each column of hypotheses of a table is a system, as for ``score``."""
    files(**{"t.tsv": "ref\tone\ttwo\na b\ta b\ta c\nc d\tc\td\n"})
    columns = ("--ref-column", "ref", "--hyp-column", "one", "--hyp-column", "two")
    assert run("report", "t.tsv", *columns, "-o", "page.html", "-n", "10").status == 0
    assert page_data(tmp_path / "page.html")["systems"] == ["one", "two"]


def test_baseline(run, texts, tmp_path):
    """Differences are those from the system that is named, by its name or its file."""
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "a").write_text(TEXTS["a"], encoding="utf-8")
    arguments = ("a", "b", "-r", "ref", "-n", "50", "--baseline")
    assert run("report", *arguments, "b", "-o", "page.html").status == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert re.search(r'Minus <span class="badge system-1">B</span>', page)
    (first, _) = compared(samples=50, baseline="b")[2].systems
    assert f">{first.difference.value:+.4f}<" in page
    assert run("report", "x/a", "b", "-r", "ref", "-n", "50", "--baseline", "x/a", "-o", "page.html").status == 0
    done = run("report", *arguments, "c", "-o", "page.html")
    assert (done.status, "unknown system 'c'" in done.err) == (2, True)


def test_runs(run, texts, files, tmp_path):
    """The table has the mean of several runs, as in `score`; the segments are those of the run in the middle."""
    files(c="nothing\nat all\nhere\n")
    arguments = ("--runs", "many=a,b,c", "--runs", "one=a", "-r", "ref", "-n", "50")
    assert run("report", *arguments, "-o", "page.html").status == 0
    compared = json.loads(run("score", *arguments, "-f", "json").out)["systems"]
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for system in compared:
        assert f"<strong>{system['score']:.4f}</strong>" in page
        assert f'<td class="number" data-label="s_sel">{system["s_sel"]:.4f}</td>' in page
    assert f'<td class="number" data-label="s_opt">{compared[0]["s_opt"]:.4f}</td>' in page
    scores = [one["score"] for one in compared[0]["runs"]]
    place = scores.index(sorted(scores)[1])
    assert f"many: run {place + 1} of 3 (METEOR {scores[place]:.4f})." in page
    shown = page_data(tmp_path / "page.html")
    assert shown["systems"] == ["many", "one"]
    lines = ("a", "b", "c")[place]
    assert run("report", lines, "-r", "ref", "-n", "50", "-o", "alone.html").status == 0
    assert (
        shown["segments"]["systems"][0]["score"]
        == page_data(tmp_path / "alone.html")["segments"]["systems"][0]["score"]
    )


TABLE = "src\tmt\tref\nle chat\tthe cat\tthe cat\nun jour\tday\ta day\n"
XML = (
    '<dataset id="d"><doc id="1"><src lang="fr"><p><seg id="1">le chat</seg><seg id="2">un jour</seg></p></src>'
    '<ref lang="en" translator="A"><p><seg id="1">the cat</seg><seg id="2">a day</seg></p></ref>'
    '<hyp lang="en" system="S"><p><seg id="1">the cat</seg><seg id="2">day</seg></p></hyp></doc></dataset>'
)
CHOSEN = ("--hyp-column", "mt", "--ref-column", "ref")


@pytest.mark.parametrize(
    "arguments",
    [
        ("t.tsv", *CHOSEN, "--source-column", "src"),
        ("t.tsv", *CHOSEN, "--source", "t.tsv", "--source-column", "src"),
        ("t.tsv", *CHOSEN, "--source", "src"),
        ("hyp", "-r", "t.tsv", "--ref-column", "ref", "--source-column", "src"),
        ("hyp", "-r", "ref", "--source", "t.tsv", "--source-column", "src"),
        ("d.xml", "--source-column", "src"),
        ("d.xml", "--source", "d.xml"),
    ],
)
def test_sources_of_tables(ok, files, tmp_path, arguments):
    """Sources are a column of the table of hypotheses or references, or of a file of their own; or lines."""
    files(
        **{
            "t.tsv": TABLE,
            "d.xml": XML,
            "hyp": "the cat\nday\n",
            "ref": "the cat\na day\n",
            "src": "le chat\nun jour\n",
        }
    )
    ok("report", *arguments, "-n", "10", "-o", "page.html")
    assert page_data(tmp_path / "page.html")["sources"] == ["le chat", "un jour"]


def test_sources_of_standard_input(run, files, tmp_path):
    """A table on standard input holds its sources, too."""
    arguments = ("-", "--input-format", "tsv", *CHOSEN, "--source-column", "src", "-n", "10", "-o", "page.html")
    assert run("report", *arguments, stdin=TABLE.encode()).status == 0
    assert page_data(tmp_path / "page.html")["sources"] == ["le chat", "un jour"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("t.tsv", *CHOSEN, "--source-column", "scr"), "(did you mean 'src'?)"),
        (
            ("hyp", "-r", "ref", "--source-column", "src"),
            "text has no columns; name the file of the sources by --source",
        ),
        (("t.tsv", *CHOSEN, "--source", "no"), "no: no such file"),
        (("hyp", "-r", "ref", "--source", "hyp", "--source-column", "x"), "its name does not show the format"),
        (("t.jsonl", *CHOSEN, "--source-column", "src"), "t.jsonl:2: column 'src'"),
        (("d.xml", "--source", "d.xml", "--source-column", "A"), "(did you mean"),
        (("-", "-r", "ref", "--source", "-"), "standard input (-) can be read only once"),
        (("hyp", "-r", "ref", "--source", "one"), "one: a source must have a line for each segment; it has 1, of 2"),
    ],
)
def test_sources_that_are_not_there(refused, files, arguments, message):
    """Errors in the sources are reported with their place."""
    table = '{"src": "a", "mt": "a", "ref": "a"}\n{"src": null, "mt": "a", "ref": "a"}\n'
    files(
        **{"t.tsv": TABLE, "t.jsonl": table, "d.xml": XML, "hyp": "the cat\nday\n", "ref": "the cat\na day\n"},
        one="one\n",
    )
    assert message in refused("report", *arguments, "-o", "page.html")


def test_standard_output(run, texts, tmp_path):
    """`-o -` prints the page, and makes no file of that name."""
    run("report", "a", "-r", "ref", "-n", "10", "-o", "page.html")
    done = run("report", "a", "-r", "ref", "-n", "10", "-o", "-")
    assert done.out == (tmp_path / "page.html").read_text(encoding="utf-8")
    assert not (tmp_path / "-").exists()


def test_other_metrics(run, refused, texts, files, tmp_path):
    """`--metric` adds the scores of a table; an unknown name is an error, and nothing is written."""
    files(**{"human.tsv": "a\tb\n1\t2\n3\t1\n2\t2\n"})
    assert (
        run("report", "a", "b", "-r", "ref", "-o", "page.html", "-n", "50", "--metric", "human=human.tsv").status == 0
    )
    assert page_data(tmp_path / "page.html")["metrics"] == [
        {"name": "human", "lowerIsBetter": False, "percent": False, "segments": [[1.0, 3.0, 2.0], [2.0, 1.0, 2.0]]}
    ]
    err = refused("report", "a", "b", "-r", "ref", "-o", "other.html", "--metric", "nothing")
    assert "unknown metric 'nothing'; known: bleu, chrf, chrf++, spbleu, ter, or NAME=FILE for a table" in err
    assert not (tmp_path / "other.html").exists()


def test_tables_and_signature_are_those_of_score(run, texts, files, tmp_path):
    """The tables to copy and the signature are, letter by letter, those that `score` prints with the same options."""
    files(**{"human.tsv": "a\tb\n1\t2\n3\t1\n2\t2\n", "again": REFERENCE})
    arguments = ("a", "b", "-r", "ref", "-r", "again", "-n", "50", "--metric", "human=human.tsv")
    assert run("report", *arguments, "-o", "page.html").status == 0
    tables = page_data(tmp_path / "page.html")["tables"]
    copied = tables.pop("Signature")
    assert tables == {name: run("score", *arguments, "-f", name.lower()).out for name in ("LaTeX", "Markdown", "TSV")}
    signature = json.loads(run("score", *arguments, "-f", "json").out)["signature"]
    assert signature.endswith("|refs:2")
    assert copied == signature
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count(f"<code>{signature}</code>") == 2


@pytest.mark.parametrize("command", ["report", "score"])
def test_grouping_given_twice(refused, texts, files, command):
    """Two groupings with one name are an error that says what to type."""
    files(one="x\ny\nx\n", two="x\nx\ny\n")
    output = ("-o", "page.html") if command == "report" else ()
    err = refused(command, "a", "b", "-r", "ref", *output, "--by", "domain=one", "--by", "domain=two")
    assert "--by domain=two: there already is a grouping 'domain'; give it another name" in err
