"""Time by segment length and by corpus size: ``python -m benchmarks.curves FILE.svg --jar JAR``.

Prints two tables and draws a plot. Whole processes on one core, as in ``python -m benchmarks``. Segments of a given
length are cut out of real text, one sentence behind another.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.__main__ import Program, bench, command_line, programs, run
from benchmarks.process import machine, markdown
from benchmarks.texts import Pair, load_pairs

LENGTHS = (5, 10, 20, 40, 80, 160, 320)
SIZES = (1_000, 2_000, 4_000, 8_000, 16_000)
SHORT = 0.2
"""Share of the text in the short run of each pair of runs."""


def cut(pairs: Iterable[Pair], length: int) -> list[Pair]:
    """Pairs of exactly `length` words on both sides."""
    sides = [[word for pair in pairs for word in pair[side].split()] for side in (0, 1)]
    count = min(map(len, sides)) // length
    return [
        (" ".join(sides[0][n * length : (n + 1) * length]), " ".join(sides[1][n * length : (n + 1) * length]))
        for n in range(count)
    ]


def by_length(program: Program, pairs: Sequence[Pair], core: int) -> list[float]:
    """µs a segment, for each of `LENGTHS`, without start-up."""
    found = []
    for length in LENGTHS:
        pieces = cut(pairs, length)
        found.append(1e6 / bench(program, pieces, int(len(pieces) * SHORT), core).rate)
    return found


def by_size(program: Program, pairs: Sequence[Pair], core: int) -> list[float]:
    """Processor seconds of the whole process, for each of `SIZES`."""
    with tempfile.TemporaryDirectory() as folder:
        return [run(program, pairs[:size], Path(folder), core).processor for size in SIZES]


def table(head: str, columns: Sequence[int], rows: Iterable[tuple[str, Sequence[float]]], form: str) -> str:
    """A table in Markdown."""
    cells = ([name, *(format(number, form) for number in numbers)] for name, numbers in rows)
    return f"{markdown([head, *(f'{column:,}' for column in columns)], cells)}\n"


def draw(
    path: Path, lengths: Sequence[tuple[str, Sequence[float]]], sizes: Sequence[tuple[str, Sequence[float]]]
) -> None:
    """Draw the plots as SVG, side by side with one legend; equal numbers give equal bytes."""
    import matplotlib as mpl  # noqa: PLC0415 – an extra of the developers

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "meteorlib"
    from matplotlib import pyplot  # noqa: PLC0415

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
    for axes, columns, rows in ((left, LENGTHS, lengths), (right, SIZES, sizes)):
        for name, numbers in rows:
            axes.plot(columns, numbers, "o-", markersize=3, label=name)
        axes.set(xscale="log", yscale="log")
        axes.set_xticks(columns, [f"{column:,}" for column in columns])
        axes.minorticks_off()
        axes.grid(visible=True, alpha=0.3)
    left.set(xlabel="words of a segment", ylabel="µs a segment, without start-up")
    right.set(xlabel="segments of 21 words", ylabel="processor seconds of the process")
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=7, fontsize="small")
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Measure, print and draw."""
    parser = command_line(__doc__)
    parser.add_argument("file", type=Path, help="where the plot goes (SVG)")
    arguments = parser.parse_args()
    pairs = load_pairs(arguments.shared, arguments.segments)
    chosen = [program for program in programs(arguments) if not program.name.startswith(("floor", "pycoco"))]
    print(f"one core of {machine()}\n")
    lengths = [(program.name, by_length(program, pairs, arguments.core)) for program in chosen]
    print(table("µs a segment of … words", LENGTHS, lengths, ",.0f"))
    sizes = [(program.name, by_size(program, pairs, arguments.core)) for program in chosen]
    print(table("seconds for … segments", SIZES, sizes, ".2f"))
    draw(arguments.file, lengths, sizes)


if __name__ == "__main__":
    main()
