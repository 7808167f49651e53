"""``meteorlib score`` of several systems: its formats, its options, what it refuses."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from meteorlib import Scorer
from meteorlib.analysis.significance import compare_systems
from meteorlib.inputs.systems import named_runs

FORMATS = ["text", "json", "tsv", "markdown", "latex"]
SYSTEMS = ("system-a.en", "system-b.en")
FEW = ("--n", "200")


@pytest.fixture(autouse=True)
def examples(root, monkeypatch):
    """The folder of the examples is the current one."""
    monkeypatch.chdir(root / "examples")


@pytest.fixture(scope="module")
def corpora(root):
    """Scores from Python against one reference."""
    read = {file.name: file.read_text("utf-8").split("\n")[:-1] for file in (root / "examples").glob("*.en")}
    return {
        name: Scorer().corpus().extend(references=read["reference.0.en"], hypotheses=read[name]) for name in SYSTEMS
    }


def score(run, *arguments):
    return run("score", *arguments, "-r", "reference.0.en", "-q", *FEW)


def data(result):
    assert result.status == 0, result.err
    return json.loads(result.out)


def test_json(run, corpora):
    """The output equals `compare_systems`, and the signature has the number of references."""
    found = data(score(run, *SYSTEMS, "-f", "json"))
    expected = compare_systems(corpora, samples=200).to_dict()
    assert found == json.loads(json.dumps(expected)) | {
        "signature": f"{expected['signature']}|refs:1", "references": 1, "preset": "meteor-2005",
    }  # fmt: skip


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_names_scores_and_meteor(printed, corpora, form):
    """Names, scores, the p value and the signature are in each of them; nothing is on standard error."""
    out = score(printed, *SYSTEMS, "-f", form, "--preset", "meteor-2005")
    signature = corpora["system-a.en"].signature
    assert f"{signature if form in ('json', 'tsv') else signature.short}|refs:1" in out
    for name, corpus in corpora.items():
        assert name in out
        assert f"{corpus.score().score:.4f}" in re.sub(r"\d\.\d+", lambda number: f"{float(number[0]):.4f}", out)
    assert "0.005" in re.sub(r"0\.0049\d+", "0.0050", out)


def test_text_fits_a_terminal(run, tmp_path):
    """Four systems with names as at WMT, runs and segments: no line but the signature is longer than 80 letters."""
    names = [f"newstest2019.{name}.en-de" for name in ("Facebook_FAIR.6862", "online-B.0", "MSRA.MADL.6926")]
    for name in names:
        (tmp_path / name).write_bytes(Path("system-b.en").read_bytes())
    files = [tmp_path / name for name in names]
    for more in ((), ("--segments",), ("--runs", "transformer-big=system-a.en,system-b.en")):
        lines = score(run, *files, *SYSTEMS, *more).out.splitlines()
        assert [line for line in lines if len(line) > 80 and not line.startswith("signature")] == []
        assert all(any(name in line for line in lines) for name in names)


def test_tsv_is_a_table(run, corpora):
    """Every row has a cell for every column; with --segments a row for each segment of each system."""
    rows = [line.split("\t") for line in score(run, *SYSTEMS, "-f", "tsv", "--segments").out.splitlines()]
    head, *rest = rows
    assert {len(row) for row in rows} == {len(head)}
    assert len(rest) == 2 * 49
    for name, corpus in corpora.items():
        mine = [dict(zip(head, row, strict=True)) for row in rest if row[1] == name]
        assert [float(row["score"]) for row in mine[:-1]] == [one.score for one in corpus]
        assert (mine[-1]["segment"], float(mine[-1]["score"])) == ("corpus", corpus.score().score)
    assert float(mine[-1]["p"]) == 1 / 201


def test_segments(run, corpora):
    """With --segments, the scores of all systems are side by side."""
    out = score(run, *SYSTEMS, "--segments").out
    assert out.splitlines()[0].split() == ["segment", *SYSTEMS]
    assert out.splitlines()[1].split() == ["1", *(f"{corpus[0].score:.4f}" for corpus in corpora.values())]
    assert out.split("\n\n", 1)[1] == score(run, *SYSTEMS).out
    found = data(score(run, *SYSTEMS, "--segments", "-f", "json"))
    for system, corpus in zip(found["systems"], corpora.values(), strict=True):
        assert system["segments"] == [one.to_dict() for one in corpus]


def test_settings(run, corpora):
    """Options are the arguments of `compare_systems`."""
    options = ["--baseline", "system-b.en", "--paired", "bootstrap", "--seed", "3", "--confidence", ".9", "--mean"]
    expected = compare_systems(
        corpora, baseline="system-b.en", test="bootstrap", seed=3, confidence=0.9, compared="mean", samples=200
    )
    found = data(score(run, *SYSTEMS, *options, "-f", "json"))
    assert found["systems"] == json.loads(json.dumps([system.to_dict() for system in expected.systems]))
    assert data(score(run, *SYSTEMS, "--paired", "none", "-f", "json"))["test"] is None


def test_runs(run):
    """Several runs of a system are one row, with the spread over the runs."""
    runs = ["--runs", "one=system-a.en,system-b.en", "--runs", "two=system-b.en"]
    found = score(run, "system-a.en", *runs)
    head, *rows = found.out.split("\n\n")[0].splitlines()
    assert head.split()[4:8] == ["mean", "runs", "s_sel", "s_opt"]
    assert [row.split()[0] for row in rows] == ["system-a.en", "one", "two"]
    one = data(score(run, "system-a.en", *runs, "-f", "json"))["systems"][1]
    scores = [single["score"] for single in one["runs"]]
    assert one["score"] == sum(scores) / 2
    assert one["s_opt"] == pytest.approx(abs(scores[0] - scores[1]) / 2**0.5)


@pytest.mark.parametrize(
    "form", ["json", *(pytest.param(one, marks=pytest.mark.thorough) for one in FORMATS if one != "json")]
)
def test_jobs_change_nothing(run, form):
    """The output is the same for any number of --jobs."""
    one, two = (score(run, *SYSTEMS, "-f", form, "--jobs", jobs) for jobs in ("1", "2"))
    assert one == two


def test_as_sacrebleu(run):
    """With -i the other files are references; the paired tests are switches."""
    ours = run("score", *SYSTEMS, "-r", "reference.0.en", "-r", "reference.1.en", "--paired", "bootstrap", *FEW)
    theirs = run("score", "reference.0.en", "reference.1.en", "-m", "meteor", "--paired-bs", "-i", *SYSTEMS, *FEW)
    assert theirs == ours


def test_width_and_score_only(run, corpora):
    """-w is the digits, -b the score alone, of one system and of several, whatever the format."""
    both = [f"{corpus.score().score:.2f}\n" for corpus in corpora.values()]
    for form in ("text", "json"):
        assert score(run, *SYSTEMS, "-b", "-w", "2", "-f", form).out == "".join(both)
    assert run("score", SYSTEMS[0], "-r", "reference.0.en", "-b", "-w", "2", "-q").out == both[0]
    assert (
        run("score", SYSTEMS[0], "-r", "reference.0.en", "-w", "2", "-q").out.splitlines()[0].split()[1] == both[0][:-1]
    )
    assert "0.88  [0.8" in score(run, *SYSTEMS, "-w", "2").out


def test_percent(run, refused, corpora):
    """--percent multiplies every score for people by 100, with two digits; programs have numbers as they are."""
    value = f"{100 * corpora['system-a.en'].score().score:.2f}"
    assert score(run, *SYSTEMS, "--percent").out.splitlines()[1].split()[1] == value
    assert score(run, "system-a.en", "--percent", "-b").out == f"{value}\n"
    alone = run("score", "system-a.en", "-r", "reference.0.en", "-q", "--percent", "--segments").out.split("\n")
    assert next(line for line in alone if line.startswith("score")).split()[1] == value
    assert alone[1].split()[1] == f"{100 * corpora['system-a.en'][0].score:.2f}"
    for form in ("json", "tsv"):
        for option in (["--percent"], ["--columns", "score"]):
            err = score(refused, *SYSTEMS, *option, "-f", form)
            assert f"{option[0]} is for --format text, markdown and latex" in err


def test_chosen_columns(run, refused):
    """--columns names the columns and their order; an unknown one is an error that lists the known ones."""
    out = score(run, *SYSTEMS, "--columns", "p, score", "-f", "markdown").out
    assert out.splitlines()[0] == "| system | p | score |"
    err = score(refused, "system-a.en", "--columns", "score,p")
    assert "no column of this comparison 'p'" in err or "unknown column of this comparison 'p'" in err


def test_confidence_of_one_system(run, corpora):
    """One system with --confidence has its interval, and nothing to be compared with."""
    result = score(run, "system-a.en", "--confidence")
    head, row = result.out.split("\n\n")[0].splitlines()
    assert head.split() == ["system", "score", "95%", "interval", "mean"]
    interval = compare_systems({"a": corpora["system-a.en"]}, samples=200).systems[0].interval
    assert f"[{interval.low:.4f}, {interval.high:.4f}]" in row


def test_notes(run, tmp_path):
    """Notes name their system, and a shared file is noted once; -q prints no notes."""
    (tmp_path / "empty.en").write_text("\n" * 48)
    (tmp_path / "reference").write_bytes(Path("reference.0.en").read_bytes().replace(b" ", b"\r", 1))
    arguments = ["score", "system-a.en", tmp_path / "empty.en", "-r", tmp_path / "reference", *FEW]
    err = run(*arguments).err
    assert "note: empty.en: 48 of 48 segments had an empty hypothesis and scored 0" in err
    assert err.count("carriage return") == 1
    assert run(*arguments, "-q").err == ""


def test_names():
    """A system has the name of its file; folders are added to distinguish files, or numbers if nothing else does."""

    def system_names(files):
        return [*named_runs(files)]

    assert system_names(["x/a.en", "b.en"]) == ["a.en", "b.en"]
    assert system_names(["x/a", "y/a", "b"]) == ["x/a", "y/a", "b"]
    assert system_names(["p/x/a", "q/x/a"]) == ["p/x/a", "q/x/a"]
    assert system_names(["a", "a"]) == ["a", "a (2)"]
    assert system_names(["/x/a", "/x/a"]) == ["a", "a (2)"]
    assert system_names(["/a", "/x/a"]) == ["/a", "x/a"]


@pytest.fixture
def copies(examples, tmp_path, monkeypatch):
    """The current folder has copies of the examples."""
    for file in Path().glob("*.en"):
        (tmp_path / file).write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("copies")
def test_names_that_are_given(run):
    """``NAME=FILE`` names a system, also with a format and of standard input, and its columns if it has several."""
    expected = (
        score(run, *SYSTEMS, "-f", "json").out.replace('"system-a.en"', '"Our s"').replace('"system-b.en"', '"B"')
    )
    stdin = Path("system-b.en").read_bytes()
    for systems in (["B=system-b.en"], ["B=system-b.en:text"], ["B=-"], ["--runs", "B=system-b.en"]):
        found = run(
            "score", "Our s=system-a.en", *systems, "-r", "reference.0.en", "-q", *FEW, "-f", "json", stdin=stdin
        )
        assert found.out == expected
    assert score(run, "-i", "Our s=system-a.en", "B=system-b.en", "-f", "json").out == expected
    Path("t.tsv").write_text("a\tb\tref\nx\ty\tx\n", encoding="utf-8")
    columns = ("--hyp-column", "a", "--hyp-column", "b", "--ref-column", "ref")
    for ours in ("Ours=t.tsv", "--runs=Ours=t.tsv"):
        found = run("score", ours, "t.tsv", *columns, "-q", *FEW, "-f", "json")
        assert {system["name"] for system in data(found)["systems"]} == {"Ours: a", "Ours: b", "a", "b"}


@pytest.mark.usefixtures("copies")
def test_files_with_equals_signs(run, refused):
    """A file that has the whole name is read; so is one whose path has ``=``; all else is an error that says both."""
    Path("lr=1").mkdir()
    for file in ("x=system-a.en", "lr=1/b.en"):
        Path(file).write_bytes(Path("system-b.en").read_bytes())
    found = data(score(run, "x=system-a.en", "lr=1/b.en", "Ours=lr=1/b.en", "x=system-a.en:text", "-f", "json"))
    assert [system["name"] for system in found["systems"]] == ["x=system-a.en", "b.en", "Ours", "x=system-a.en (2)"]
    assert len({system["score"] for system in found["systems"]}) == 1
    assert "lr=2/b.en: no such file, nor 2/b.en, if 'lr' is" in refused("score", "lr=2/b.en", "-r", "reference.0.en")


@pytest.mark.parametrize("command", ["score", "report", "compare-presets", "align", "explain"])
def test_every_command_takes_named_systems(run, command):
    """Commands of one system read ``NAME=FILE``, too."""
    more = {
        "report": ("-o", "-", *FEW),
        "explain": ("--segment", "2"),
        "compare-presets": ("--presets", "nltk,meteor-2005"),
    }
    options = ("-r", "reference.0.en", *more.get(command, ()))
    options = ("reference.0.en", "-p", "nltk") if command == "align" else options
    ended = run(command, "Ours=system-a.en", *options)
    assert (ended.status, "Ours=" in ended.out) == (0, False), ended.err


def test_hostile_names(run, tmp_path):
    """Names with the marks of a format, or with a tab, break no table."""
    lines = Path("system-a.en").read_bytes()
    names = ["[x]&%_$#{}~^\\.en", "a|b*`<i>\t.en"]
    for name in names:
        (tmp_path / name).write_bytes(lines)
    files = [tmp_path / name for name in names]
    head, *rows = score(run, *files, "-f", "tsv").out.splitlines()
    assert {len(row.split("\t")) for row in rows} == {len(head.split("\t"))}
    latex = score(run, *files, "-f", "latex").out
    assert r"{[}x]\&\%\_\$\#\{\}\textasciitilde{}\textasciicircum{}\textbackslash{}.en &" in latex
    markdown = score(run, *files, "-f", "markdown").out
    assert r"a\|b\*\`\<i\> .en" in markdown
    assert [system["name"] for system in data(score(run, *files, "-f", "json"))["systems"]] == names


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("-i system-a.en", "Missing option '-r' / '--reference'."),
        ("system-a.en system-b.en -r reference.0.en --baseline system-c.en", "did you mean 'system-a.en'?"),
        ("system-a.en README.md -r reference.0.en", "must have the same number of lines"),
        ("system-a.en nothing -r reference.0.en", "nothing: no such file"),
        ("A=nothing -r reference.0.en", "A=nothing: no such file, nor nothing, if 'A' is the name of the system"),
        ("A= -r reference.0.en", "A=: no such file; to name a system: expected NAME=FILE"),
        ("=system-a.en -r reference.0.en", "=system-a.en: no such file; to name a system: expected NAME=FILE"),
        ("A=system-a.en A=system-b.en -r reference.0.en", "A=system-b.en: there already is a system 'A'"),
        ("system-a.en system-a.en=system-b.en -r reference.0.en", "there already is a system 'system-a.en'"),
        ("system-a.en -r A=reference.0.en", "only systems are named here: give reference.0.en"),
        ("A=- B=- -r reference.0.en", "standard input (-) can be read only once"),
        ("- system-a.en -r -", "standard input (-) can be read only once"),
        ("- - -r reference.0.en", "standard input (-) can be read only once"),
        ("system-a.en - -r reference.0.en --by d=-", "standard input (-) can be read only once"),
        ("system-a.en -r reference.0.en --runs system-b.en", "expected NAME=FILE,FILE"),
        ("system-a.en -r reference.0.en --runs x=system-b.en,", "expected NAME=FILE,FILE"),
        ("-r reference.0.en --runs x=system-b.en,system-b.en", "x=system-b.en,system-b.en: system-b.en is given twice"),
        ("system-a.en -r reference.0.en --runs system-a.en=system-b.en", "there already is a system 'system-a.en'"),
        ("system-a.en -r reference.0.en --confidence 95", "must be between 0 and 1: 95; did you mean 0.95?"),
        (
            "system-a.en system-b.en -r reference.0.en --segments -f latex",
            "--segments is for --format text, json, tsv",
        ),
        ("system-a.en -r reference.0.en -m chrf", "computes METEOR only"),
    ],
)
def test_refused(refused, arguments, message):
    """A mistake causes one message and exit status 2; nothing is printed."""
    assert message in refused("score", *arguments.split(), "-q")


def test_compressed_and_standard_input(run, tmp_path):
    """Systems are read as a single one is."""
    (tmp_path / "system-b.en").write_bytes(gzip.compress(Path("system-b.en").read_bytes()))
    expected = score(run, *SYSTEMS)
    assert score(run, "system-a.en", tmp_path / "system-b.en") == expected
    stdin = Path("system-a.en").read_bytes()
    found = run("score", "-", "system-b.en", "-r", "reference.0.en", "-q", *FEW, "-b", stdin=stdin)
    assert found.out == score(run, *SYSTEMS, "-b").out


def test_baseline_by_its_file(run):
    """A baseline may be given by its file, as it was typed."""
    found = data(
        score(run, "../examples/system-a.en", "system-b.en", "--baseline", "../examples/system-a.en", "-f", "json")
    )
    assert found["baseline"] == "system-a.en"


def test_one_system_loads_no_numpy(unmeasured):
    """A single system is scored without numpy, and without rich."""
    code = (
        "import sys; from meteorlib.cli import main\n"
        "try: main(['score', 'system-a.en', '-r', 'reference.0.en'])\n"
        "except SystemExit: print([name for name in ('numpy', 'rich', 'multiprocessing') if name in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", code], env=unmeasured, capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "[]"
