"""Record what every preset scores on the shared data, to compare two commits: ``python -m tools.record_scores FILE``.

Each line of FILE names a preset, an engine and a set of texts, then the number of segments, a digest of all that is
known of them (scores, statistics, alignments), the corpus score to the last bit and the Eval ID; then come the
signatures. Run it on both commits and compare the files: ``diff before.txt after.txt``. Presets whose resources are not
installed are listed at the end.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.texts import packed_lines, wmt_outputs
from meteorlib import ScoreBreakdown, Scorer
from meteorlib.config import preset_names
from meteorlib.errors import MeteorError
from tools.record_golden import read_lines

SHARED = Path(__file__).parents[2] / "shared" / "data"

MAIN = ("meteor-1.5-en", "meteor-1.5-en-core", "meteor-1.5-en-optimal", "meteor-2005", "nltk", "meteor-2026-en")
"""Presets that score every English segment; the others score a share."""

SHARE, PYTHON_SHARE = 60, 1200
"""Sampling of English segments: one in this many is scored by the other presets, and by the Python engine."""

Text = tuple[tuple[str, ...], str]


def ranked(folder: Path) -> Iterator[Text]:
    """Every output of a WMT year with its reference."""
    return (((reference,), output) for *_, reference, output in wmt_outputs(folder))


def tables(*names: str) -> Iterator[Text]:
    """The texts of tables that have a reference and a hypothesis a row."""
    for name in names:
        lines = packed_lines(SHARED / "judgements" / name)
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield (row.get("reference") or row["post_edit_reference"],), row["hypothesis"]


def several() -> Iterator[Text]:
    """Captions and generated texts with several references."""
    for folder in ("caption", "beyond_mt"):
        for path in sorted((SHARED / "judgements" / folder).glob("*.jsonl.gz")):
            for row in map(json.loads, packed_lines(path)):
                for scored in row.get("judgements", [row]):
                    yield tuple(row["references"]), scored["hypothesis"]


def news() -> Iterator[Text]:
    """Newstest 2009, raw."""
    sides = (read_lines(SHARED / "newstest2009" / name) for name in ("reference.en", "system1.en"))
    for reference, hypothesis in zip(*sides, strict=True):
        yield (reference,), hypothesis


def texts() -> dict[str, list[Text]]:
    """The sets of texts by name."""
    judged = SHARED / "judgements"
    return {
        "english": [*news(), *ranked(judged / "wmt13_rank"), *ranked(judged / "wmt14_rank")],
        "several": list(several()),
        "others": [
            *ranked(judged / "wmt12_rank"),
            *tables("mqm/newstest2021_en-de_refA.tsv.gz", "mqm/ted21_en-de.tsv.gz", "hter/mlqe_pe.tsv.gz"),
        ],
    }


def facts(scored: ScoreBreakdown) -> Iterable[object]:
    """Fields of a breakdown, without derived numbers."""
    for name in ("score", "precision", "recall", "f_mean", "fragmentation", "penalty"):
        yield getattr(scored, name).hex()
    statistics = scored.statistics
    yield statistics.hypothesis_length, statistics.reference_length
    yield statistics.hypothesis_function_words, statistics.reference_function_words
    yield [tuple(stage) for stage in statistics.stages]
    yield statistics.chunks, statistics.hypothesis_matches, statistics.reference_matches
    yield None if statistics.order is None else tuple(statistics.order)
    yield scored.optimal, scored.reference_index
    if scored.alignment is not None:
        yield [tuple(match) for match in scored.alignment.matches], scored.alignment.grades


def record(scorer: Scorer, segments: Iterable[Text]) -> str:
    """Number of segments, digest and corpus score."""
    digest, count = hashlib.sha256(), 0
    corpus = scorer.corpus(keep_segments=False)
    for references, hypothesis in segments:
        scored = scorer.score(references, hypothesis)
        digest.update(repr(list(facts(scored))).encode())
        corpus.add(references, hypothesis)
        count += 1
    return f"{count} {digest.hexdigest()[:24]} {float(corpus.score()).hex()}"


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("presets", nargs="*", help="names of presets; none for all")
    arguments = parser.parse_args()
    known = texts()
    signatures, missing = [], []
    with arguments.file.open("w", encoding="utf-8") as file:
        for name in arguments.presets or preset_names():
            try:
                scorers = {way: Scorer(name, implementation=way) for way in ("auto", "python")}
            except MeteorError as error:
                missing.append(f"missing {name}: {type(error).__name__}")
                continue
            signatures.append(f"signature {name}: {scorers['auto'].signature} {scorers['auto'].signature.eval_id}")
            for what, segments in known.items():
                every = 1 if name in MAIN and what == "english" else SHARE
                for way, step in (("auto", every), ("python", PYTHON_SHARE)):
                    file.write(f"{name} {way} {what} {record(scorers[way], segments[::step])}\n")
            file.flush()
            sys.stderr.write(f"{name}\n")
        file.write("\n".join([*signatures, *missing, ""]))


if __name__ == "__main__":
    main()
