"""Record the statistics of MultEval's example: two systems, three runs of each.

    python -m tools.record_multeval FOLDER

reads the hypotheses and references in FOLDER, scores them with `meteor-1.5-en`, and writes
``tests/golden/multeval.u8.xz``: for each run of each system, in the order of `RUNS`, the columns of
`Statistics.counts`, one behind the other, a byte for each segment.
"""

from __future__ import annotations

import lzma
import sys
from pathlib import Path

import numpy as np

from benchmarks.texts import packed_lines
from meteorlib import Scorer
from meteorlib.arrays import Counts, SegmentArrays

GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "golden" / "multeval.u8.xz"
RUNS = tuple((system, run) for system in ("baseline", "sys1") for run in range(3))


def statistics(scorer: Scorer, folder: Path) -> list[Counts]:
    """The counts of each run."""
    references = [*packed_lines(folder / "refs.test2010.lc.tok.en.0.gz")]
    corpora = (
        scorer.corpus().extend(
            references=references, hypotheses=packed_lines(folder / f"hyps.lc.tok.en.{system}.opt{run}.gz")
        )
        for system, run in RUNS
    )
    return [SegmentArrays.of(corpus).counts for corpus in corpora]


def recorded() -> list[Counts]:
    """The counts of each run, as recorded."""
    packed = np.frombuffer(lzma.decompress(GOLDEN.read_bytes()), np.uint8)
    return [columns.T.astype(np.int64) for columns in packed.reshape(len(RUNS), 24, -1)]


if __name__ == "__main__":
    listed = statistics(Scorer("meteor-1.5-en"), Path(sys.argv[1]))
    GOLDEN.write_bytes(lzma.compress(bytes(np.concatenate([counts.T.ravel() for counts in listed]).tolist())))
