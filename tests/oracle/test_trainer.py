"""METEOR's Trainer, task rank: the same value at every point of its grid, on data that are made here."""

from __future__ import annotations

import random
import subprocess

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.analysis.meta_evaluation import Asked, read_judgments
from meteorlib.analysis.tuning import tune
from meteorlib.config import load_preset
from meteorlib.errors import ResourceMissing

pytestmark = pytest.mark.oracle

SENTENCES = [
    "The committee did not agree with the proposal of the new government, which wanted to raise taxes.",
    "It is very likely that prices will go up again in the course of the next year.",
    "A spokesman for the company said on Monday that hundreds of workers would lose their jobs.",
    "In order to solve this problem, the countries of Europe have to work together.",
    "She opened the window because the room was too hot, and looked at the garden.",
    "The police are still looking for the two men who robbed a bank last week.",
    "Nobody knew the answer to the question that the teacher had asked before the break.",
    "He has been living in a small town in the north of the country for many years.",
]
SYSTEMS = ("one", "other", "third")
WORTH = {"said": "stated", "very": "extremely", "jobs": "work", "again": "once more", "many years": "a long time"}
FIRST, LAST, STEP = (0, 0, 0, 0, 1, 0), (1, 1.5, 1, 1, 1, 1), (0.1, 0.5, 0.1, 0.2, 1, 0.5)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder as the Trainer reads it."""
    path = tmp_path_factory.mktemp("trainer")
    rng = random.Random(11)
    references = [SENTENCES[number % len(SENTENCES)] for number in range(24)]
    outputs = {name: [_worse(rng, text, 0.1 + place / 8) for text in references] for place, name in enumerate(SYSTEMS)}
    for name, listed in (("ref", references), *outputs.items()):
        kind = "refset" if name == "ref" else "tstset"
        segments = "\n".join(f'<seg id="{number}">{text}</seg>' for number, text in enumerate(listed, 1))
        (path / f"de-en.{name}.sgm").write_text(
            f'<{kind} setid="made" srclang="any" trglang="en">\n<doc docid="d" sysid="{name}">\n{segments}\n</doc>\n'
            f"</{kind}>\n"
        )
    ranks = []
    for number in range(1, 25):
        for better, worse in (("one", "other"), ("one", "third"), ("other", "third")):
            pair = [better, worse] if rng.random() < 0.7 else [worse, better]
            ranks.append(f"{number}\tde-en\t{pair[0]}\tde-en\t{pair[1]}\n")
    (path / "de-en.rank").write_text("".join(ranks))
    return path


def _worse(rng, text, share):
    """A translation that is worse: words left out, moved, or said in another way."""
    for said, other in WORTH.items():
        if rng.random() < 0.4:
            text = text.replace(said, other)
    words = [word for word in text.split() if rng.random() > share]
    if rng.random() < 2 * share:
        cut = rng.randrange(1, len(words))
        words = words[cut:] + words[:cut]
    return " ".join(words)


def test_values_of_a_grid(folder, oracles):
    """All values are the Trainer's, in its order; so is the best point.

    It scores with exact matches and paraphrases in lowercase, without a normalizer; a tie of the metric is wrong.
    """
    steps = [" ".join(map(str, numbers)) for numbers in ((*FIRST, 0, 0), (*LAST, 0, 0), (*STEP, 1, 1))]
    printed = subprocess.run(
        ["java", "-Xmx2G", "-cp", oracles / "meteor-1.5.jar", "Trainer", "rank", folder,
         "-i", steps[0], "-f", steps[1], "-s", steps[2]],
        capture_output=True, check=True, text=True,
    ).stdout  # fmt: skip
    theirs = [line.split() for line in printed.splitlines()]
    config = evolve(load_preset("meteor-1.5-en-universal"), text="lower")
    try:
        scorer = Scorer(config)
    except ResourceMissing as missing:
        pytest.skip(str(missing))
    names = ["alpha", "beta", "gamma", "delta", "weight.exact", "weight.paraphrase"]
    fit = [f"{name}={first}:{last}:{step}" for name, first, last, step in zip(names, FIRST, LAST, STEP, strict=True)]
    judged = read_judgments(str(folder), Asked())
    found = tune(scorer, {"made": judged}, fit, objective="tau_wmt12", method="grid", samples=10)
    ours = [[str(value), *(f"{number:.2f}" for number in point), "0.00", "0.00"] for value, point in found.points]
    assert len(ours) == 11 * 4 * 11 * 6 * 3
    assert [line[1:] for line in ours] == [line[1:] for line in theirs]
    assert [float(line[0]) for line in ours] == [float(line[0]) for line in theirs]
    assert len({line[0] for line in theirs}) > 10
