"""Performance limits: the time of a segment by parts, and its least: ``python -m benchmarks.bounds``.

Time by parts is measured with perf; instructions, cache misses and mispredicted branches are simulated by valgrind's
callgrind, so that they do not depend on what else the machine does; a small program in C measures the speed of the
machine. ``--page docs/performance.md`` puts the picture and the tables that the page has a place for into it.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from benchmarks.floors import Text, causes_table, machine_table, measure, text_table, warm, warm_table
from benchmarks.process import machine, options, picture
from benchmarks.segment_parts import (
    PARTS,
    PASSES,
    Cost,
    Sampled,
    asked_table,
    cost_table,
    dissolved,
    sampled,
    simulated,
    time_table,
)
from benchmarks.texts import load_pairs, write_pairs

PRESETS = ["meteor-2005-exact", "meteor-2005", "nltk", "meteor-1.5-en", "meteor-1.5-en-optimal", "meteor-2026-en"]
TOOLS = ("perf", "valgrind", "callgrind_annotate", "cc")

Times = Mapping[str, Mapping[str, Sampled]]
Costs = Mapping[str, Mapping[str, Mapping[str, Cost]]]


def filled(page: str, tables: Mapping[str, str]) -> str:
    """A page whose tables are new: each stands between ``<!-- table: NAME -->`` and ``<!-- end -->``."""
    place = r"(<!-- table: (\w+) -->\n)(?:(?!<!-- ).)*(\n<!-- end -->)"
    page, count = re.subn(place, lambda found: f"{found[1]}\n{tables[found[2]]}\n{found[3]}", page, flags=re.DOTALL)
    if not count:
        raise ValueError("the page has no place for a table: <!-- table: NAME -->, <!-- end -->")
    return page


def draw(path: Path, times: Times, segments: int) -> None:
    """Draw bars of the parts, one for each preset and pass."""
    presets = list(times)[::-1]
    with picture(path, 3.6, sharey=True) as both:
        for axes, name in zip(both, PASSES, strict=True):
            before = [0.0] * len(presets)
            for part in PARTS:
                widths = [times[preset][name].microseconds(part, segments) for preset in presets]
                axes.barh(presets, widths, left=before, height=0.7, label=part)
                before = [one + other for one, other in zip(before, widths, strict=True)]
            axes.bar_label(axes.containers[-1], [f"{whole:.0f}" for whole in before], padding=3, fontsize="small")
            axes.set(xlabel=f"µs a segment, all words {name}")
            axes.margins(x=0.1)
            axes.grid(visible=True, axis="x", alpha=0.3)
            axes.set_axisbelow(True)


def main() -> None:
    """Measure and print, or put all of it into a page."""
    parser = options(__doc__, segments=2_000, preset=PRESETS)
    parser.add_argument("--turns", type=int, default=20, help="runs through the text under perf")
    parser.add_argument("--page", type=Path, help="whose tables are replaced, and the picture beside it")
    arguments = parser.parse_args()
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        sys.exit(f"not found: {', '.join(missing)} (Debian: apt-get install linux-perf valgrind gcc)")
    spec = find_spec("meteorlib.engine.kernel.kernel")
    if spec is None or spec.origin is None:
        sys.exit("the extension is not built: python setup.py build_ext --inplace")
    if gone := dissolved(Path(spec.origin).read_bytes()):
        sys.exit(f"the compiler inlined {', '.join(gone)}: the parts need them; try another Python or compiler")
    pairs = load_pairs(arguments.shared, arguments.segments)
    count, text = len(pairs), Text.of(pairs)
    times: dict[str, dict[str, Sampled]] = {}
    costs: dict[str, dict[str, dict[str, Cost]]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = write_pairs(pairs, folder, "all")
        best = measure(pairs, folder)
        for preset in arguments.preset:  # the clock first, so that all of it is of the same minutes
            times[preset] = sampled(preset, files, folder, arguments.turns)
        again = {preset: warm(preset, files) for preset in arguments.preset}
        for preset in arguments.preset:
            costs[preset] = simulated(preset, files, folder)
    known = {preset: {part: one["known"].microseconds(part, count) for part in PARTS} for preset, one in times.items()}
    tables = {
        "text": text_table(text),
        "machine": machine_table(best),
        "time": time_table(times, count),
        "new": asked_table(times, count, text.new_tokens),
        "warm": warm_table(again, count),
        "causes": causes_table(known, {preset: one["known"] for preset, one in costs.items()}, best, text),
        "costs": cost_table(costs, count),
    }
    tables["on"] = f"Measured on: {machine()}; Python {sys.version.split()[0]}."
    print("\n\n".join(tables.values()))
    if arguments.page is None:
        return
    arguments.page.write_text(filled(arguments.page.read_text(encoding="utf-8"), tables), encoding="utf-8")
    draw(arguments.page.with_suffix(".svg"), times, count)


if __name__ == "__main__":
    main()
