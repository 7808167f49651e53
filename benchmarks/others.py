"""Programs without a command line of their own, called as in a user's script.

``python -m benchmarks.others NAME HYPOTHESES REFERENCES``; NAME is one of `PROGRAMS`, or ``calls-PRESET`` for a loop of
`Scorer.score`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any


def _lines(name: str) -> list[str]:
    return Path(name).read_text(encoding="utf-8").split("\n")[:-1]


def nltk(hypotheses: list[str], references: list[str]) -> float:
    """NLTK: words split at blanks, the mean of the segments (it has no corpus score)."""
    from nltk.translate.meteor_score import single_meteor_score  # noqa: PLC0415 – only what is measured is loaded

    scores = [single_meteor_score(ref.split(), hyp.split()) for hyp, ref in zip(hypotheses, references, strict=True)]
    return sum(scores) / len(scores)


def coco(hypotheses: list[str], references: list[str]) -> float:
    """The Meteor of pycocoevalcap, which talks to METEOR's jar."""
    from pycocoevalcap.meteor.meteor import Meteor  # noqa: PLC0415

    numbered = range(len(hypotheses))
    gts = {number: [references[number]] for number in numbered}
    res = {number: [hypotheses[number]] for number in numbered}
    score: float = Meteor().compute_score(gts, res)[0]
    return score


def floor(hypotheses: list[str], references: list[str]) -> float:
    """Time that cannot be saved: reading, normalizing and splitting alone."""
    from meteorlib.resources.word_lists import nonbreaking_prefixes  # noqa: PLC0415
    from meteorlib.text.normalizer import Normalizer  # noqa: PLC0415

    text = Normalizer("en", nonbreaking_prefixes("en"))
    return float(sum(len(text.words(line)) for side in (hypotheses, references) for line in side))


def _sacrebleu(metric: str, hypotheses: list[str], references: list[str]) -> float:
    import sacrebleu  # noqa: PLC0415

    scorer: Any = getattr(sacrebleu, metric)()
    score: float = scorer.corpus_score(hypotheses, [references]).score
    return score


def _bleu_calls(hypotheses: list[str], references: list[str]) -> float:
    from sacrebleu import BLEU  # noqa: PLC0415

    scorer = BLEU(effective_order=True)
    scores = [scorer.sentence_score(hyp, [ref]).score for hyp, ref in zip(hypotheses, references, strict=True)]
    return sum(scores) / len(scores)


def _sentence_bleu(hypotheses: list[str], references: list[str]) -> float:
    from sacrebleu import sentence_bleu  # noqa: PLC0415

    scores = [sentence_bleu(hyp, [ref]).score for hyp, ref in zip(hypotheses, references, strict=True)]
    return sum(scores) / len(scores)


def rouge(hypotheses: list[str], references: list[str]) -> float:
    """rouge-score: the mean F of ROUGE-L, with its stemmer."""
    from rouge_score.rouge_scorer import RougeScorer  # noqa: PLC0415

    scorer = RougeScorer(["rougeL"], use_stemmer=True)
    scores = [scorer.score(ref, hyp)["rougeL"].fmeasure for hyp, ref in zip(hypotheses, references, strict=True)]
    return float(sum(scores) / len(scores))


def wer(hypotheses: list[str], references: list[str]) -> float:
    """jiwer: the word error rate of the corpus."""
    import jiwer  # noqa: PLC0415

    return float(jiwer.wer(references, hypotheses))


def calls(preset: str, hypotheses: list[str], references: list[str]) -> float:
    """A loop of single calls of `Scorer.score`: the mean."""
    from meteorlib import Scorer  # noqa: PLC0415

    scorer = Scorer(preset)
    scores = [scorer.score(ref, hyp).score for hyp, ref in zip(hypotheses, references, strict=True)]
    return sum(scores) / len(scores)


PROGRAMS: Mapping[str, Callable[[list[str], list[str]], float]] = {
    "nltk": nltk,
    "coco": coco,
    "floor": floor,
    "bleu": partial(_sacrebleu, "BLEU"),
    "bleu-calls": _bleu_calls,
    "sentence-bleu": _sentence_bleu,
    "chrf": partial(_sacrebleu, "CHRF"),
    "ter": partial(_sacrebleu, "TER"),
    "rouge": rouge,
    "wer": wer,
}


if __name__ == "__main__":
    name, *files = sys.argv[1:]
    program = partial(calls, name.removeprefix("calls-")) if name.startswith("calls-") else PROGRAMS[name]
    print(program(*map(_lines, files)))
