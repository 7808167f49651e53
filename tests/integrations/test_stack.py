"""Examples of docs/stack.md print what they show, and its commands run, if the framework is installed."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

import pytest

from meteorlib import Scorer

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "stack.md").read_text(encoding="utf-8")
_BLOCK = r"^<!-- {}: ([\w./]+) -->\n```\w+\n(.*?)^```$"
FILES = dict(re.findall(_BLOCK.format("file"), PAGE, re.MULTILINE | re.DOTALL))
BLOCKS = dict(re.findall(_BLOCK.format("framework"), PAGE, re.MULTILINE | re.DOTALL))
COMMANDS = [*map(shlex.split, re.findall(r"^```sh\n(.*)\n```$", PAGE, re.MULTILINE))]

FRAMEWORKS = (
    "aac_metrics", "autoevals", "datasets", "deepeval", "duckdb", "inspect_ai", "langfuse", "langsmith", "lighteval",
    "lightning", "mbrs", "mlflow", "mlflow.genai", "nltk", "opik", "phoenix.evals", "pyspark", "ragas", "ray",
    "vertexai.evaluation",
)  # fmt: skip


def installed(module):
    """Whether a module can be imported, also one of a package that is not there."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def run(folder, *command):
    """Run a program of this environment beside the page's files; what it prints."""
    program, *arguments = command
    scripts = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    program = sys.executable if program == "python" else shutil.which(program, path=scripts)
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    own = {
        "AZURE_TELEMETRY_DISABLED": "1",
        "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
        "HF_HOME": str(folder / "home"),
        "HF_HUB_OFFLINE": "1",
        "LANGFUSE_PUBLIC_KEY": "pk-lf-none",
        "LANGFUSE_SECRET_KEY": "sk-lf-none",
        "LANGFUSE_TRACING_ENABLED": "false",
        "MLFLOW_ALLOW_FILE_STORE": "true",
        "MLFLOW_TRACKING_URI": (folder / "mlruns").as_uri(),
        "OPIK_SENTRY_ENABLE": "false",
        "PROMPTFOO_CONFIG_DIR": str(folder / "home"),
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_PYTHON": sys.executable,
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    done = subprocess.run(
        [program, *arguments], env={**os.environ, **own}, cwd=folder, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def code(block):
    """Definitions of a block, without the examples that it shows."""
    return "".join(re.findall(r"^(?:>>>|\.\.\.) ?(.*\n)", block, re.MULTILINE))


def command_of(program):
    """The page's only command that starts a program, or a script."""
    (found,) = (words for words in COMMANDS if program in words[:2])
    return found


@pytest.mark.parametrize(
    "framework",
    [pytest.param(name, marks=pytest.mark.thorough) for name in FRAMEWORKS],
)
def test_block_of_a_framework(framework, tmp_path):
    """A block marked with its framework gives the output shown, offline, in a folder with the page's files."""
    if not installed(framework):
        pytest.skip(f"{framework} is not installed")
    (tmp_path / "block.txt").write_text(BLOCKS[framework], encoding="utf-8")
    run(tmp_path, "python", "-m", "doctest", "block.txt")


def test_functions_of_the_harness():
    """The functions that the task names give METEOR's corpus score for what the harness hands over."""
    names = {}
    exec(FILES["meteor_metric.py"], names)  # noqa: S102 – the page's own
    pairs = [names["meteor"](references=["on the mat sat the cat"], predictions=["the cat sat on the mat"])]
    assert names["corpus_score"](pairs) == 0.5


@pytest.mark.thorough
def test_command_line_of_mbrs(tmp_path):
    """mbrs-decode finds the page's plug-in, and chooses by it."""
    if not installed("mbrs"):
        pytest.skip("mbrs is not installed")
    samples = ["a cat sits here", "the cat sat on a mat", "a cat sat on the mat", "a dog"] * 4
    (tmp_path / "samples.txt").write_text("".join(f"{text}\n" for text in samples))
    means = [sum(row) for row in Scorer("nltk").matrix(references=samples, hypotheses=samples)]
    assert run(tmp_path, *command_of("mbrs-decode")).splitlines()[0] == samples[means.index(max(means))]


@pytest.mark.thorough
def test_command_line_of_the_harness(tmp_path):
    """lm_eval finds the page's task, and reports METEOR."""
    if not installed("lm_eval"):
        pytest.skip("lm_eval is not installed")
    assert re.search(r"^\|translation\|.*\|meteor\b", run(tmp_path, *command_of("lm_eval")), re.MULTILINE)


def test_assertion_of_promptfoo():
    """The page's assertion passes a good output with its score, and fails another."""
    names = {}
    exec(FILES["meteor_assert.py"], names)  # noqa: S102 – the page's own
    context = {"vars": {"ref": "on the mat sat the cat"}}
    found = names["get_assert"]("the cat sat on the mat", context)
    assert (found["pass"], found["score"], found["reason"][:18]) == (True, 0.5, "preset:meteor-2005")
    assert not names["get_assert"]("a dog", context)["pass"]


@pytest.mark.thorough
def test_command_line_of_promptfoo(tmp_path):
    """The command of promptfoo runs the page's assertion, and records its score."""
    if shutil.which("promptfoo") is None:
        pytest.skip("promptfoo is not installed")
    command = command_of("promptfoo")
    run(tmp_path, *command)
    (result,) = json.loads((tmp_path / command[-1]).read_text(encoding="utf-8"))["results"]["results"]
    assert (result["success"], result["score"]) == (True, 0.5)


@pytest.mark.thorough
def test_command_line_of_sacrebleu(tmp_path):
    """The command line of sacrebleu computes METEOR's corpus score beside its own metrics."""
    pytest.importorskip("sacrebleu")
    examples = {"reference.txt": "reference.0.en", "system-a.txt": "system-a.en", "system-b.txt": "system-b.en"}
    for name, example in examples.items():
        shutil.copy(ROOT / "examples" / example, tmp_path / name)
    found = run(tmp_path, *command_of("sacrebleu_meteor.py"))
    references, *systems = ((tmp_path / name).read_text(encoding="utf-8").splitlines() for name in examples)
    for name, hypotheses in zip(list(examples)[1:], systems, strict=True):
        score = Scorer().corpus().extend(references=references, hypotheses=hypotheses).score().score
        assert re.search(rf"{name} │.*│ +{score:.4f} \(", found), found


def test_every_block_is_known():
    """No block is marked with a framework that the test above does not run."""
    assert set(BLOCKS) == {*FRAMEWORKS}
    assert set(FILES) == {
        "outputs.jsonl", "meteor_metric.py", "translation.yaml", "plugins/__init__.py", "plugins/meteor.py",
        "azure_meteor.py", "meteor_assert.py", "promptfooconfig.yaml", "sacrebleu_meteor.py",
    }  # fmt: skip
    assert {Path(words[words[0] == "python"]).stem for words in COMMANDS} == {
        "mbrs-decode",
        "lm_eval",
        "promptfoo",
        "sacrebleu_meteor",
    }
