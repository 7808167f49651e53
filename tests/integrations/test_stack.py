"""What docs/stack.md shows of a framework is what happens, where the framework is installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "stack.md").read_text(encoding="utf-8")
_BLOCK = r"^<!-- {}: ([\w.]+) -->\n```\w+\n(.*?)^```$"
FILES = dict(re.findall(_BLOCK.format("file"), PAGE, re.MULTILINE | re.DOTALL))
BLOCKS = dict(re.findall(_BLOCK.format("framework"), PAGE, re.MULTILINE | re.DOTALL))

HARNESS = """
import lm_eval
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

class Echo(LM):
    def generate_until(self, requests, disable_tqdm=False):
        return [request.args[0] for request in requests]
    def loglikelihood(self, requests):
        raise NotImplementedError
    loglikelihood_rolling = loglikelihood

found = lm_eval.simple_evaluate(
    model=Echo(), tasks=["translation"], task_manager=TaskManager(include_path="."), bootstrap_iters=0
)
from meteorlib.integrations.frames import corpus_scores
import json
rows = [json.loads(line) for line in open("outputs.jsonl", encoding="utf-8")]
columns = {name: [row[name] for row in rows] for name in rows[0]}
(expected,) = corpus_scores(columns, "meteor-2005", references="ref", hypothesis="hyp")["meteor_score"]
assert found["results"]["translation"]["meteor,none"] == expected, found["results"]
"""

TRAINING = """
import torch
from datasets import load_dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

dataset = load_dataset("json", data_files="outputs.jsonl", split="train").rename_column("hyp", "prompt")
words = sorted({word for row in dataset for word in f"{row['prompt']} {row['ref']}".split()})
model = models.WordLevel({word: index for index, word in enumerate(["<pad>", "<eos>", *words])}, unk_token="<pad>")
inner = Tokenizer(model)
inner.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, pad_token="<pad>", eos_token="<eos>")
seen = []

def reward(completions, **columns):
    seen.append((completions, columns["ref"]))
    return meteor_reward(completions=completions, **columns)

torch.manual_seed(1)
trainer = GRPOTrainer(
    model=GPT2LMHeadModel(GPT2Config(vocab_size=len(tokenizer), n_embd=8, n_layer=1, n_head=1, n_positions=64)),
    processing_class=tokenizer,
    reward_funcs=reward,
    train_dataset=dataset,
    args=GRPOConfig(
        output_dir="out", max_steps=1, per_device_train_batch_size=2, num_generations=2, max_completion_length=8,
        report_to=[], use_cpu=True, bf16=False, save_strategy="no",
    ),
)
trainer.train()
((completions, references),) = seen
expected = sum(scorer.score(ref, text).score for ref, text in zip(references, completions)) / len(completions)
logged = [entry["reward"] for entry in trainer.state.log_history if "reward" in entry]
assert logged and abs(logged[0] - expected) < 1e-6, (logged, expected)
"""


def run(folder, arguments):
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    own = {
        "HF_HOME": str(folder / "home"),
        "HF_HUB_OFFLINE": "1",
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    done = subprocess.run(
        [sys.executable, *arguments], env={**os.environ, **own}, cwd=folder, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "framework",
    [
        "trl",
        *(
            pytest.param(name, marks=pytest.mark.thorough)
            for name in ("datasets", "duckdb", "lightning", "pyspark", "ray")
        ),
    ],
)
def test_block_of_a_framework(framework, tmp_path):
    """A block marked with its framework gives what is shown, offline, in a folder with the page's files."""
    if find_spec(framework) is None and framework != "trl":  # whose block needs nothing of it
        pytest.skip(f"{framework} is not installed")
    (tmp_path / "block.txt").write_text(BLOCKS[framework], encoding="utf-8")
    run(tmp_path, ["-m", "doctest", "block.txt"])


def test_task_of_the_harness(tmp_path):
    """The task of the page, run by lm-evaluation-harness, has METEOR's corpus score."""
    if find_spec("lm_eval") is None:
        pytest.skip("lm_eval is not installed")
    run(tmp_path, ["-c", HARNESS])


def test_functions_of_the_harness():
    """The functions that the task names give METEOR's corpus score for what the harness hands over."""
    names = {}
    exec(FILES["meteor_metric.py"], names)  # noqa: S102 – the page's own
    pairs = [names["meteor"](references=["on the mat sat the cat"], predictions=["the cat sat on the mat"])]
    assert names["corpus_score"](pairs) == 0.5


def test_training_by_the_reward(tmp_path):
    """Training with trl goes by the page's reward function: what it logs is the mean METEOR of the completions."""
    if find_spec("trl") is None:
        pytest.skip("trl is not installed")
    function = "".join(re.findall(r"^(?:>>>|\.\.\.) (.*\n)", BLOCKS["trl"], re.MULTILINE))
    run(tmp_path, ["-c", function + TRAINING])


def test_every_block_is_known():
    """No block is marked with a framework that the test above does not run."""
    assert set(BLOCKS) == {"datasets", "duckdb", "lightning", "pyspark", "ray", "trl"}
    assert set(FILES) == {"outputs.jsonl", "meteor_metric.py", "translation.yaml"}
