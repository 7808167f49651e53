"""The runner of the conformance kit, in a copy of its folder, by a Python without any package."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from meteorlib.conformance.run import HERE, read_cases, read_expected, recorded_presets

RECORDED = """
import json, pathlib
rows = pathlib.Path("expected/nltk.jsonl").read_text(encoding="utf-8").split("\\n")[1:-1]
scores = {row["id"]: row["score"] for row in map(json.loads, rows)}
cases = map(json.loads, pathlib.Path("cases.jsonl").read_text(encoding="utf-8").split("\\n")[:-1])
english = [case for case in cases if case["language"] == "en"]
by_text = {(tuple(case["references"]), case["hypothesis"]): scores[case["id"]] for case in english}

def score(references, hypothesis):
    return by_text[tuple(references), hypothesis]

def of_words(references, hypothesis):
    assert not isinstance(hypothesis, str) and not any(isinstance(reference, str) for reference in references)
    return 0.25

def one_off(references, hypothesis):
    return score(references, hypothesis) + 1e-9 * (hypothesis == "rain")

def broken(references, hypothesis):
    raise ZeroDivisionError("no words")
"""

LINES = """
import json, sys
from recorded import score
sys.stdin.reconfigure(encoding="utf-8")
for line in sys.stdin:
    case = json.loads(line)
    print("score:", score(case["references"], case["hypothesis"]))
"""

FILES = """
import sys
from recorded import score
hypotheses, references, count = sys.argv[1:]
read = lambda path: open(path, encoding="utf-8", newline="\\n").read().split("\\n")[:-1]
hypotheses, references, count = read(hypotheses), read(references), int(count)
for place, hypothesis in enumerate(hypotheses):
    print(f"Segment {place} =", score(references[place * count:(place + 1) * count], hypothesis), "of 1")
print("Final 0.5")
"""


@pytest.fixture
def run(tmp_path):
    """Run the runner in a copy of the folder, with programs that give the recorded scores of NLTK."""
    folder = shutil.copytree(HERE, tmp_path / "kit")
    for name, text in {"recorded": RECORDED, "lines": LINES, "files": FILES}.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")

    def start(*arguments):
        command = [sys.executable, "-S", "run.py", *arguments]
        return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)

    return start


@pytest.mark.parametrize(
    "arguments",
    [
        ["--python", "recorded:score"],
        ["--", sys.executable, "lines.py"],
        ["--pattern", r"= (\S+) of", "--", sys.executable, "files.py", "{hypotheses}", "{references}", "{count}"],
    ],
)
def test_equal(run, arguments):
    """A function, a command that reads cases, and one that reads files are asked for all cases in their order."""
    done = run("--preset", "nltk", *arguments)
    total = len(read_expected("nltk").rows)
    assert (done.returncode, done.stdout) == (0, f"nltk  {total:3} of {total} equal, largest difference 0\n"), (
        done.stderr
    )


def test_every_preset(run):
    """Without a preset all of the language are compared; that is a table, no failure."""
    done = run("--python", "recorded:score")
    assert done.returncode == 0
    english = [name for name in recorded_presets() if read_expected(name).head["language"] == "en"]
    assert [line.split()[0] for line in done.stdout.splitlines()] == english
    own = [line.split()[0] for line in done.stdout.splitlines() if line.endswith(" (recorded by meteorlib itself)")]
    assert own == [name for name in english if read_expected(name).own]


def test_difference(run):
    """A different score is shown with its recorded results, and the exit status is 1."""
    done = run("--preset", "nltk", "--python", "recorded:one_off")
    total = len(read_expected("nltk").rows)
    assert done.returncode == 1
    assert done.stdout.startswith(f"nltk  {total - 1:3} of {total} equal, largest difference 1e-09\n\none-word (")
    assert "\n  hypothesis: rain\n" in done.stdout


def test_words(run):
    """With --words the function is given lists of words."""
    assert "largest difference" in run("--words", "--python", "recorded:of_words").stdout


def test_function_that_fails(run):
    """An error of the function agrees with nothing, and the first one is shown."""
    done = run("--preset", "nltk", "--python", "recorded:broken")
    assert done.stdout.startswith(f"nltk    0 of {len(read_expected('nltk').rows)} equal, largest difference inf")
    assert "paper-2005-chunks: ZeroDivisionError: no words" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give --python MODULE:FUNCTION, or a command"),
        (["--python", "recorded:score", "--language", "tlh"], "no cases of language 'tlh'; known: ar, "),
        (["--python", "recorded:missing"], "--python recorded:missing: module 'recorded' has no attribute 'missing'"),
        (["--", "no-such-command"], "no-such-command: No such file"),
        (["--", sys.executable, "-c", "print(0.5)"], "1 scores for 46 cases"),
        (["--", sys.executable, "-c", "print('a\\n' * 45 + 'a')"], "could not convert string to float: 'a'"),
        (["--", sys.executable, "-c", "exit('out of order')"], "exit status 1\nout of order"),
    ],
)
def test_mistakes(run, arguments, message):
    """A command that cannot be run causes one message and exit status 2."""
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_cases():
    """Ids are unique, every language with results has cases, and every result belongs to a case of its language."""
    cases = read_cases()
    languages = {case.id: case.language for case in cases}
    assert len(languages) == len(cases)
    for name in recorded_presets():
        expected = read_expected(name)
        assert expected.head["preset"] == name
        assert {languages[case] for case in expected.rows} == {expected.head["language"]}
        assert len(expected.rows) == sum(language == expected.head["language"] for language in languages.values())


def test_json_is_readable():
    """The files are UTF-8 with LF only, as people read them: no escaped letters."""
    for path in (HERE / "cases.jsonl", *(HERE / "expected").iterdir()):
        content = path.read_bytes()
        assert b"\r" not in content
        assert b"\\u" not in content
        assert all(json.loads(line) for line in content.decode().split("\n")[:-1])
