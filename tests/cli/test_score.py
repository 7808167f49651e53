"""``meteorlib score``: its formats, its inputs, its presets."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sys
from tempfile import SpooledTemporaryFile

import pytest

from meteorlib import Scorer
from meteorlib.cli import main
from meteorlib.core.formula import NUMBERS
from meteorlib.reports import system_scoring
from tests.single_system import single, unnamed

HYPOTHESES = "on the mat sat the cat\nthe cat sat on the mat\n"
REFERENCES = "the cat sat on the mat\n" * 2
NOTE = (
    "note: scored with METEOR 2005 (meteor-2005). For METEOR 1.5, as used at WMT: run "
    "`meteorlib resources install paraphrase-en` once, then pass --preset meteor-1.5-en\n"
)


@pytest.fixture
def pair(files):
    """Two segments and their references."""
    files(hyp=HYPOTHESES, ref=REFERENCES, other="x\nthe cat sat on a mat\n")


@pytest.fixture(scope="module")
def corpus():
    """Scores computed from Python."""
    return Scorer().corpus().extend(references=REFERENCES.splitlines(), hypotheses=HYPOTHESES.splitlines())


def test_variant_of_own_presets(run, pair, files):
    """A preset of the user's own is not called by the words that it inherits, and in percent 100 is best."""
    files(**{"own.yaml": "presets: {mine: {extends: nltk, parameters: {alpha: 0.5}}}"})
    out = run("score", "hyp", "-r", "ref", "--config", "own.yaml", "--percent").out
    assert "\nvariant        preset mine\ncite           meteorlib and your preset, with the signature\n" in out
    assert "(in percent; 100 is best)\n" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("-f json", "--verbose is for --format text, not json"),
        ("-b", "--verbose cannot be combined with --score-only"),
        ("other", "--verbose is for one system"),
    ],
)
def test_verbose_that_has_no_effect(refused, pair, options, message):
    """--verbose is refused where it would change nothing."""
    assert message in refused("score", "hyp", "-r", "ref", "--verbose", *options.split())


@pytest.mark.parametrize("command", [["score", "hyp"], ["report", "hyp", "-o", "page.html"], ["explain", "hyp"]])
def test_which_meteor(files, monkeypatch, command):
    """A note names the default METEOR at a terminal, unless a METEOR is named."""
    files(hyp="a b\n", ref="a b\n", own="presets: {mine: {extends: nltk}}")

    def told(*options, at_terminal=True):
        stream = io.StringIO()
        monkeypatch.setattr(stream, "isatty", lambda: at_terminal)
        monkeypatch.setattr(sys, "stderr", stream)
        with pytest.raises(SystemExit) as ended:
            main([*command, "-r", "ref", *options])
        assert not ended.value.code
        return NOTE in stream.getvalue()

    assert told()
    assert not told(at_terminal=False)
    assert not told("--preset", "meteor-2005")
    assert not told("--config", "own")
    if command[0] == "score":
        assert not told("-q")


def test_json(run, pair, corpus):
    """One object with all that is named of the corpus, every number in full double precision."""
    result = run("score", "hyp", "-r", "ref", "--format", "json")
    found = single(result.out)
    data, total = found["corpus"], corpus.score()
    assert {name: data[name] for name in NUMBERS} == {name: getattr(total, name) for name in NUMBERS}
    assert (data["chunks"], data["segment_count"], data["mean_segment_score"]) == (7, 2, corpus.mean())
    assert data["statistics"]["hypothesis_length"] == 12
    assert found["signature"] == f"{Scorer().signature}|refs:1"
    assert "segments" not in found
    assert result.err == ""


def test_json_segments(run, pair, corpus):
    """The segments have the same numbers, their reference and their matches."""
    data = single(run("score", "hyp", "-r", "other", "-r", "ref", "--format", "json", "--segments").out)
    assert [segment["reference_index"] for segment in data["segments"]] == [1, 1]
    for segment, one in zip(data["segments"], corpus.segments, strict=True):
        assert {name: segment[name] for name in NUMBERS} == {name: getattr(one, name) for name in NUMBERS}
        assert segment["chunks"] == one.statistics.chunks == segment["statistics"]["chunks"]
        assert len(segment["matches"]) == 6
        assert set(segment["matches"][0]) == {
            "reference_start", "reference_length", "hypothesis_start", "hypothesis_length", "stage",
        }  # fmt: skip


def test_long_list_of_segments(run, pair, lowered):
    """Listed segments wait in a temporary file if they are many; the output is the same."""
    arguments = "score", "hyp", "-r", "ref", "--segments"
    expected = run(*arguments).out
    written = lowered(system_scoring, "IN_MEMORY", 10, "rollover", SpooledTemporaryFile)
    assert run(*arguments).out == expected
    assert written() == 1


def test_tsv(run, pair, corpus):
    """A row of names, a row for each segment where asked for, and one for the corpus."""
    rows = [
        line.split("\t") for line in run("score", "hyp", "-r", "ref", "--format", "tsv", "--segments").out.splitlines()
    ]
    assert rows[0][:5] == ["segment", "system", "score", "precision", "recall"]
    assert [(row[0], float(row[2])) for row in rows[1:]] == [
        *((str(number), one.score) for number, one in enumerate(corpus.segments, 1)),
        ("corpus", corpus.score().score),
    ]
    assert len(run("score", "hyp", "-r", "ref", "--format", "tsv").out.splitlines()) == 2


@pytest.mark.parametrize("form", ["text", "json", "tsv"])
def test_same_score_in_all_formats(run, root, form):
    """All formats tell the same corpus score of the examples."""
    examples = root / "examples"
    arguments = [examples / "system-a.en", "-r", examples / "reference.0.en", "-r", examples / "reference.1.en"]
    out = run("score", *arguments, "--format", form, "--preset", "meteor-1.5-en-core").out
    score = {
        "text": lambda: out.split()[1],
        "json": lambda: f"{single(out)['score']:.4f}",
        "tsv": lambda: f"{float(out.splitlines()[-1].split()[2]):.4f}",
    }[form]()
    assert score == "0.5341"  # 0.5340869135257867, as METEOR 1.5 has it


def test_standard_input(run, pair):
    """`-` is standard input, for hypotheses and for references."""
    expected = run("score", "hyp", "-r", "ref").out
    assert run("score", "-", "-r", "ref", stdin=HYPOTHESES.encode()).out == expected
    assert run("score", "hyp", "-r", "-", stdin=REFERENCES.encode()).out == expected


@pytest.mark.parametrize("form", ["text", "json", "tsv"])
@pytest.mark.parametrize("segments", [[], ["--segments"]])
def test_every_output_names_its_meteor(run, pair, form, segments):
    """Every format names the preset, the signature and the number of references."""
    arguments = ["-r", "ref", "-r", "other", "--preset", "meteor-1.5-en-core", "--format", form, *segments]
    out = run("score", "hyp", *arguments).out
    assert f"{Scorer('meteor-1.5-en-core').signature}|refs:2" in out


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress], ids=["gzip", "bzip2", "xz"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_packed_by_content(run, files, pair, pack, jobs):
    """Compressed input is unpacked, under any file name and on standard input."""
    files(packed=pack(HYPOTHESES.encode()), **{"ref.gz": REFERENCES})
    expected = run("score", "hyp", "-r", "ref").out
    assert run("score", "packed", "-r", "ref.gz", "--jobs", jobs).out == expected
    assert run("score", "-", "-r", "ref", "--jobs", jobs, stdin=pack(HYPOTHESES.encode())).out == expected


@pytest.mark.parametrize("preset", ["meteor-2005", "meteor-1.5-en-core", "nltk"])
@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.thorough)])
def test_carriage_returns(run, files, preset, jobs):
    """A CR within a line is white space and shifts no line; how many there are is said, and where the first is."""
    files(
        hyp="a b c\nd\re f\ng h i\n", ref="a b c\nd e f\ng h\ri\r j\n", clean="a b c\nd e f\ng h i\n",
        cleaned="a b c\nd e f\ng h i  j\n",
    )  # fmt: skip
    options = ["--preset", preset, "--segments", "--format", "json", "--jobs", jobs]
    result = run("score", "hyp", "-r", "ref", *options)
    assert result.err == (
        "note: hyp has a carriage return (CR) that ends no line, in line 2; it is white space: "
        "only LF and CRLF end a line\n"
        "note: ref has 2 carriage returns (CR) that end no line, the first in line 3; they are white space: "
        "only LF and CRLF end a line\n"
    )
    assert single(result.out) == single(run("score", "clean", "-r", "cleaned", *options).out)


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\v", "\f", "\x85", "\x1c", "\x1e"])
@pytest.mark.parametrize("command", [["score", "hyp", "-r", "ref", "--segments"], ["align", "hyp", "ref"]])
def test_no_line_ends(ok, files, separator, command):
    """No other separator ends a line."""
    files(hyp=f"a{separator}b\nc\n", ref="a b\nc\n")
    result = ok(*command, "--preset", "meteor-2005")
    assert ("2   " in result.out) or ("Alignment 2" in result.out)
    assert "3   " not in result.out
    assert "Alignment 3" not in result.out


def test_config(run, root, pair):
    """--config takes a file with its default, or a preset of it behind a colon."""
    file = root / "configs" / "example.yaml"
    by_default, mine, strict = (
        run("score", "hyp", "-r", "ref", "--config", f"{file}{name}", "--format", "json")
        for name in ("", ":mine", ":strict")
    )
    assert by_default == mine
    assert json.loads(mine.out)["preset"] == "mine"
    assert json.loads(strict.out)["preset"] == "strict"
    assert mine.err == ""


def test_config_with_a_colon_in_its_name(run, files, pair):
    """A file whose name holds a colon is found as it is."""
    files(**{"a:b": "presets:\n  mine: {extends: meteor-2005}\n"})
    for name in ("a:b", "a:b:mine"):
        assert (
            json.loads(run("score", "hyp", "-r", "ref", "--config", name, "--format", "json").out)["preset"] == "mine"
        )


@pytest.mark.parametrize(
    ("count", "hypothesis", "reference", "is_noted"),
    [
        (10, "a b c", "a b c", True),
        (10, "", "", True),
        (9, "a b c", "a b c", False),
        (10, "a c b", "a b c", False),
        (10, "a b", "a b c", False),
        (10, "a b c", "a b", False),
        (10, "a cat", "a cats", False),
    ],
)
def test_a_text_against_itself(run, files, count, hypothesis, reference, is_noted):
    """Hypotheses that all equal their reference may be the references, given as both; a few may be meant."""
    same = "a b\n" * (count - 1)
    files(hyp=f"{same}{hypothesis}\n", ref=f"{same}{reference}\n")
    said = f"note: all {count} hypotheses equal a reference: is one text given as both?\n"
    for command in (["score", "--preset", "meteor-2005"], ["compare-presets", "--presets", "meteor-2005,nltk"]):
        assert (said in run(*command, "hyp", "-r", "ref").err) == is_noted


def test_empty_segments(run, files):
    """Segments without words score 0; how many there were, and of which side, is said."""
    files(hyp="a\n\n\nb\n", ref="a\nb\n\n \t\n")
    result = run("score", "hyp", "-r", "ref", "--preset", "meteor-2005", "--format", "json", "--segments")
    data = single(result.out)
    assert [segment["score"] for segment in data["segments"]] == [0.5, 0.0, 0.0, 0.0]
    assert [(run["empty_hypotheses"], run["empty_references"]) for run in data["runs"]] == [(2, 2)]
    assert result.status == 0
    assert result.err == (
        "note: 2 of 4 segments had an empty hypothesis and scored 0\n"
        "note: 2 of 4 segments had an empty reference and scored 0\n"
    )


def test_byte_order_mark_inside(run, files):
    """A byte order mark inside a text or a table, as `cat` leaves it, is noted with its line and a command."""
    files(ref="a b\nc\n", hyp="a b\n\ufeffc\n", **{"t.csv": "mt,ref\na b,a b\n\ufeffc,c\n"})
    for name, line, arguments in (
        ("hyp", 2, ("hyp", "-r", "ref")),
        ("t.csv", 3, ("t.csv", "--hyp-column", "mt", "--ref-column", "ref")),
    ):
        assert run("score", *arguments, "--preset", "nltk").err.startswith(
            f"note: {name} has a byte order mark (U+FEFF) at the beginning of line {line}; "
            "most presets read it as text. "
            f"To remove it: perl -pe 's/^(\\xEF\\xBB\\xBF)+//' < {name} > {name}.new\n"
        )


def test_byte_order_mark(run, files):
    """A byte order mark changes no score, whichever file has it."""
    files(hyp="a b\nc\n", ref="a b\nc\n", marked="\ufeffa b\nc\n", labels="\ufeffx\ny\n", plain="x\ny\n")
    options = ("--preset", "meteor-2005", "--format", "json")
    expected = run("score", "hyp", "-r", "ref", "--by", "d=plain", *options)
    assert unnamed(run("score", "marked", "-r", "ref", "--by", "d=plain", *options)) == unnamed(expected)
    assert run("score", "hyp", "-r", "marked", "--by", "d=plain", *options) == expected
    assert run("score", "hyp", "-r", "ref", "--by", "d=labels", *options) == expected
    piped = run("score", "-", "-r", "ref", "--by", "d=plain", *options, stdin="\ufeffa b\nc\n".encode())
    assert unnamed(piped) == unnamed(expected)


def test_budget(run, files):
    """Segments whose search hit its budget are said."""
    files(
        hyp="x " * 30 + "\n",
        ref="x " * 60 + "\n",
        config="presets:\n  mine: {extends: meteor-2005, search: {name: staged, budget: 1}}\n",
    )
    assert run("score", "hyp", "-r", "ref", "--config", "config").err == (
        "note: 1 of 1 segments were too ambiguous for the search's budget: their alignment is the best found\n"
    )


def test_as_users_run_it(run_process, root):
    """The command of the examples' README works in a process of its own."""
    examples = root / "examples"
    arguments = [examples / "system-a.en", "-r", examples / "reference.0.en", "-r", examples / "reference.1.en"]
    result = run_process("score", *arguments)
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("score ")


def test_non_ascii_output(run_process, files):
    """Output is UTF-8 whatever the environment says."""
    files(hyp="\n", ref="\n")
    environment = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    result = run_process("score", "hyp", "-r", "ref", "--verbose", env=environment)
    assert result.status == 0
    assert "–" in result.out


@pytest.mark.parametrize("segments", [pytest.param([], marks=pytest.mark.thorough), ["--segments"]])
@pytest.mark.parametrize("preset", [pytest.param("meteor-2005", marks=pytest.mark.thorough), "meteor-1.5-en-core"])
def test_same_for_any_number_of_jobs(run, files, preset, segments):
    """Every byte is the same, in the order of the input, whether one scores or three."""
    files(
        hyp="".join(f"the cat {number} sat on a mat\n" for number in range(1200)),
        ref="".join(f"a cat {number % 7} is on the mat\n" for number in range(1200)),
    )
    arguments = ["score", "hyp", "-r", "ref", "--preset", preset, "--format", "tsv", *segments]
    plain = run(*arguments)
    assert (plain.status, plain.err) == (0, "")
    assert plain.out.count("\n") > 1200 * len(segments)
    assert [run(*arguments, "--jobs", jobs) for jobs in "23"] == [plain, plain]
