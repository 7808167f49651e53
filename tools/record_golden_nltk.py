"""Record what NLTK makes of the rows of tests/golden/nltk.jsonl and the words of tests/golden/porter-nltk.tsv.

    NLTK_DATA=FOLDER python -m tools.record_golden_nltk

with nltk 3.10.4 and WordNet 3.0 in FOLDER. A row names two files (`hypotheses`, and `references`), or holds the words
of one `hypothesis` and its `references`; `parameters`, where it has them, are alpha, beta and gamma. The scores of
``meteor_score`` and, for single rows, the matches of ``align_words`` with the first reference are put beside them. To
add a row or a word, add it without its answer and run this again.
"""

from __future__ import annotations

import json
from typing import Any

from nltk.stem.porter import PorterStemmer
from nltk.translate.meteor_score import align_words, meteor_score

from tools.record_golden import GOLDEN, ROOT, read_lines

SCORES, STEMS = GOLDEN / "nltk.jsonl", GOLDEN / "porter-nltk.tsv"


def _answered(row: dict[str, Any]) -> dict[str, Any]:
    parameters = dict(zip(("alpha", "beta", "gamma"), row.get("parameters", []), strict=False))
    if "hypotheses" in row:
        references = zip(*(read_lines(ROOT / name) for name in row["references"]), strict=True)
        segments = zip(references, read_lines(ROOT / row["hypotheses"]), strict=True)
        scores = [meteor_score([r.split() for r in refs], hyp.split(), **parameters) for refs, hyp in segments]
        return row | {"scores": scores}
    hypothesis, references = row["hypothesis"].split(), [reference.split() for reference in row["references"]]
    score = meteor_score(references, hypothesis, **parameters)
    return row | {"score": score, "matches": align_words(hypothesis, references[0])[0]}


def record() -> None:
    """Write both files anew, rows in the order in which they stand."""
    rows = [_answered(json.loads(row)) for row in read_lines(SCORES)]
    SCORES.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    words = [line.split("\t")[0] for line in read_lines(STEMS)]
    stem = PorterStemmer().stem
    STEMS.write_text("".join(f"{word}\t{stem(word)}\n" for word in words), encoding="utf-8")


if __name__ == "__main__":
    record()
