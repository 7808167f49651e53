"""Performance limits: the time of a segment by parts, measured with perf: ``python -m benchmarks.bounds``.

``--page docs/performance.md`` puts the picture and the tables that the page has a place for into it.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from benchmarks.process import machine, options, picture
from benchmarks.segment_parts import PARTS, PASSES, Sampled, asked_table, dissolved, sampled, time_table
from benchmarks.texts import load_pairs, write_pairs

PRESETS = ["meteor-2005-exact", "meteor-2005", "nltk", "meteor-1.5-en", "meteor-1.5-en-optimal", "meteor-2026-en"]

Times = Mapping[str, Mapping[str, Sampled]]


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
    if shutil.which("perf") is None:
        sys.exit("not found: perf (Debian: apt-get install linux-perf)")
    spec = find_spec("meteorlib.engine.kernel.kernel")
    if spec is None or spec.origin is None:
        sys.exit("the extension is not built: python setup.py build_ext --inplace")
    if gone := dissolved(Path(spec.origin).read_bytes()):
        sys.exit(f"the compiler inlined {', '.join(gone)}: the parts need them; try another Python or compiler")
    pairs = load_pairs(arguments.shared, arguments.segments)
    count = len(pairs)
    tokens = {token for pair in pairs for line in pair for token in f"{line}\n".split(" ")}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = write_pairs(pairs, folder, "all")
        times = {preset: sampled(preset, files, folder, arguments.turns) for preset in arguments.preset}
    tables = {"time": time_table(times, count), "new": asked_table(times, count, len(tokens) / count)}
    tables["on"] = f"Measured on: {machine()}; Python {sys.version.split()[0]}."
    print("\n\n".join(tables.values()))
    if arguments.page is None:
        return
    arguments.page.write_text(filled(arguments.page.read_text(encoding="utf-8"), tables), encoding="utf-8")
    draw(arguments.page.with_suffix(".svg"), times, count)


if __name__ == "__main__":
    main()
