"""Whole evaluations and trainings of frameworks take the metrics of docs/stack.md and have METEOR's scores."""

from __future__ import annotations

import re

import pytest

from meteorlib import Scorer
from tests.integrations.test_stack import BLOCKS, FILES, ROOT, code, installed, run

REWARDS = (ROOT / "docs" / "tutorial-mbr.md").read_text(encoding="utf-8")

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

SCORED = """
import asyncio
from types import SimpleNamespace
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.solver import solver

@solver
def given():
    async def solve(state, generate):
        state.output = ModelOutput.from_content("none", state.input_text)
        return state
    return solve

texts = [("the cat sat on the mat", "on the mat sat the cat"), ("a small house", "a little house on a hill")]
samples = [Sample(input=text, target=[reference, "x"]) for text, reference in texts]
(log,) = eval(
    Task(dataset=samples, solver=given(), scorer=meteor()), model="none/none", display="none", log_dir="logs"
)
assert log.status == "success", log.error
expected = scores.corpus().extend(
    references=[[reference, "x"] for text, reference in texts], hypotheses=[text for text, reference in texts]
)
found = {name: each.value for name, each in log.results.scores[0].metrics.items()}
assert found == {"corpus": expected.score().score, "mean": expected.mean()}, found
"""

EXPERIMENT = """
from langfuse import get_client

def task(*, item, **others):
    return item["input"]

data = [{"input": "the cat sat on the mat", "expected_output": "on the mat sat the cat"}]
found = get_client().run_experiment(name="translation", data=data, task=task, evaluators=[meteor])
assert [score.value for item in found.item_results for score in item.evaluations] == [0.5], found
"""

EXAMPLES = """
from uuid import uuid4
from langsmith import evaluate
from langsmith.schemas import Example

texts = {"inputs": {"hyp": "the cat sat on the mat"}, "outputs": {"ref": "on the mat sat the cat"}}
data = [Example(id=uuid4(), dataset_id=uuid4(), **texts)]
(found,) = evaluate(lambda inputs: inputs, data=data, evaluators=[meteor], upload_results=False)
assert [score.score for score in found["evaluation_results"]["results"]] == [0.5], found
"""

PAIRED = """
from deepeval import evaluate
(found,) = evaluate([case], [Meteor("nltk")]).test_results
(data,) = found.metrics_data
assert (data.name, data.success) == ("METEOR", True), data
assert "preset:nltk" in data.reason, data
assert data.score == Scorer("nltk").score(case.expected_output, case.actual_output).score
"""

AZURE = """
import json
rows = [json.loads(line) for line in open("outputs.jsonl", encoding="utf-8")]
scores = [Scorer("meteor-2005").score(row["ref"], row["hyp"]).score for row in rows]
assert [row["outputs.meteor.meteor"] for row in found["rows"]] == scores, found["rows"]
"""

AZURES_OWN = """
import azure.ai.evaluation._evaluators._meteor._meteor as theirs
from meteorlib import Scorer
from meteorlib.conformance.run import read_cases

theirs.ensure_nltk_data_downloaded, theirs.nltk_tokenize = lambda: None, str.split
evaluator, scorer = theirs.MeteorScoreEvaluator(), Scorer("nltk")
cases = [(case.references[0], case.hypothesis) for case in read_cases() if case.language == "en"]
cases = [(reference, hypothesis) for reference, hypothesis in cases if reference.strip() and hypothesis.strip()]
assert len(cases) > 30
for reference, hypothesis in cases:
    found = evaluator(response=hypothesis, ground_truth=reference)["meteor"]
    assert found == scorer.score(reference, hypothesis).score, (reference, hypothesis)
"""

EVALUATED = """
row = {"response": "the cat sat on the mat", "reference": "on the mat sat the cat"}
assert metric.metric_function(row) == {"meteor": 0.5}
"""

PATCHED_UNITXT = """
import nltk
nltk.download = lambda *names, **options: None
from unitxt.metrics import Meteor
metric, theirs.wordnet = Meteor(), None
metric.word_tokenize = str.split
assert metric.compute(["a small house on a hill"], "a little home on a hill", {}) == {"meteor": EXPECTED}
"""


def test_task_of_the_harness(tmp_path):
    """The task of the page, run by lm-evaluation-harness, has METEOR's corpus score."""
    if not installed("lm_eval"):
        pytest.skip("lm_eval is not installed")
    run(tmp_path, "python", "-c", HARNESS)


def test_training_by_the_reward(tmp_path):
    """Training with trl goes by the page's reward function: what it logs is the mean METEOR of the completions."""
    if not installed("trl"):
        pytest.skip("trl is not installed")
    (block,) = re.findall(r"^```python\n(>>> def meteor_reward.*?)^```$", REWARDS, re.MULTILINE | re.DOTALL)
    scorer = "from meteorlib import Scorer\nscorer = Scorer('meteor-1.5-en-core')\n"
    run(tmp_path, "python", "-c", scorer + code(block) + TRAINING)


@pytest.mark.thorough
def test_meteor_of_unitxt(tmp_path):
    """With the page's lines first, unitxt's METEOR, which calls NLTK's, has its scores without WordNet's data."""
    if not installed("unitxt"):
        pytest.skip("unitxt is not installed")
    expected = Scorer("nltk").score("a small house on a hill", "a little home on a hill").score
    run(tmp_path, "python", "-c", code(BLOCKS["nltk"]) + PATCHED_UNITXT.replace("EXPECTED", repr(expected)))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("framework", "use"),
    [
        ("deepeval", PAIRED), ("inspect_ai", SCORED), ("langfuse", EXPERIMENT), ("langsmith", EXAMPLES),
        ("vertexai.evaluation", EVALUATED),
    ],
)  # fmt: skip
def test_evaluation_with_a_metric(framework, use, tmp_path):
    """A whole evaluation of the framework takes the page's metric and has METEOR's scores."""
    if not installed(framework):
        pytest.skip(f"{framework} is not installed")
    run(tmp_path, "python", "-c", code(BLOCKS[framework]) + use)


@pytest.mark.thorough
def test_evaluation_of_azure(tmp_path):
    """An evaluation with Azure's package takes the page's evaluator and has METEOR's scores."""
    if not installed("azure.ai.evaluation"):
        pytest.skip("azure.ai.evaluation is not installed")
    run(tmp_path, "python", "-c", FILES["azure_meteor.py"] + AZURE)


@pytest.mark.oracle
def test_meteor_of_azure(tmp_path):
    """Azure's METEOR gives the scores of the preset ``nltk``, where both get the same words."""
    if not installed("azure.ai.evaluation"):
        pytest.skip("azure.ai.evaluation is not installed")
    run(tmp_path, "python", "-c", AZURES_OWN)
