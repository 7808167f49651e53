"""The HTML page of a meta-evaluation, one self-contained file without scripts, and its charts as SVG."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from typing import Self, TypeVar

import numpy as np
from attrs import frozen
from markupsafe import Markup

from meteorlib._version import __version__
from meteorlib.analysis.meta_evaluation.results import Chart, MetaEvaluation
from meteorlib.arrays import Numbers
from meteorlib.display.text import digits, harmless
from meteorlib.reports.html.template import GENERATOR, digest, read, template
from meteorlib.reports.human_judgments import notes_of, rows_of, title_of

Place = TypeVar("Place", float, Numbers)

MARKS = 6
"""Most marks on an axis."""

MARGIN = 0.04
"""Margin on each side as a share of the range, so that no dot touches the frame."""

WIDTH, HEIGHT = 520, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, WIDTH - 16, 16, HEIGHT - 48

DOTS = 1500
"""Charts with more points show their density in cells."""

CELL = 8
"""Edge of a cell, in pixels."""

_LONGEST = 18
"""Most letters of a system's name to show."""

_LETTER, _LINE, _NEAR = 7, 13, 8
"""Width of a letter, height of a line, distance of a name from its dot."""

_EXPLANATIONS = {
    "ratings": "Each dot is a text with its score and its mean rating. If there are many texts, darker squares contain "
    "more of them. The line shows the mean rating of each tenth of the texts, from low scores to high ones.",
    "pairs": "Judged pairs in tenths, by the difference of their scores: the share that the metric orders as people "
    "do. Chance would give half.",
    "systems": "Each dot is a system.",
}

_STYLES = ("page.css", "chart.css", "agreement.css")


def agreement_page(evaluation: MetaEvaluation, charts: Sequence[Chart]) -> str:
    """An HTML page with the tables of a meta-evaluation, and below each the charts of its metrics."""
    style = "\n".join(read(name) for name in _STYLES)
    parts = [
        {
            "name": harmless(table.name),
            "level": table.level,
            "title": harmless(title_of(table)),
            "rows": [[harmless(cell) for cell in row] for row in rows_of(table, evaluation.confidence)],
            "explained": _EXPLANATIONS[table.level],
            "charts": [
                {"metric": harmless(chart.metric), "drawn": Markup(svg(chart)), "buckets": _buckets(chart)}  # noqa: S704 – names in it are escaped
                for chart in charts
                if (chart.name, chart.level) == (table.name, table.level)
            ],
        }
        for table in evaluation.tables
    ]
    page: str = template("agreement.html.jinja").render(
        title="Metrics and people",
        generator=f"{GENERATOR} {__version__}",
        style=Markup(style),  # noqa: S704 – our own files
        style_digest=digest(style),
        parts=parts,
        notes=[*notes_of(evaluation, every=True), *(("note", harmless(note)) for note in evaluation.notes)],
        signatures=[(harmless(name), harmless(signature)) for name, signature in evaluation.signatures.items()],
    )
    return page


def _buckets(chart: Chart) -> list[list[str]]:
    if not chart.buckets:
        return []
    pairs = chart.level == "pairs"
    names = ["From", "to", "Mean", "Share ordered as by people" if pairs else "Mean rating", "Judgments"]
    return [names, *(
        [*(digits(number, 4) for number in (one.low, one.high, one.score, one.human)), f"{one.count:,}"]
        for one in chart.buckets
    )]  # fmt: skip


def svg_file(chart: Chart) -> str:
    """A chart as a standalone SVG file that follows the light or dark mode of the viewer."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{svg(chart, read("chart.css"))}\n'


def file_names(charts: Sequence[Chart]) -> list[str]:
    """A file name for each chart: language pair, level and metric, without unsafe characters."""
    taken: dict[str, int] = {}
    names = []
    for chart in charts:
        name = re.sub(r"[^\w.+-]+", "_", f"{chart.name}.{chart.level}.{chart.metric}").lstrip(".")
        count = taken[name.casefold()] = taken.get(name.casefold(), 0) + 1
        names.append(f"{name}.svg" if count == 1 else f"{name}.{count}.svg")
    return names


def svg(chart: Chart, style: str = "") -> str:
    """A chart as an SVG element; give a style for a standalone file."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape_xml(description(chart))}"'
        + (f' width="{WIDTH}" height="{HEIGHT}"' if style else "")
        + ">"
    ]
    if style:
        lines += [f"<title>{escape_xml(description(chart))}</title>", f"<style>{style}</style>"]
        lines.append(f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}"/>')
    return "\n".join([*lines, *_chart_elements(chart), "</svg>"])


def description(chart: Chart) -> str:
    """A description of a chart in words."""
    name = f"{harmless(chart.name)}: {harmless(chart.metric)}"
    if chart.level == "systems":
        return f"{name} against people, {len(chart.labels)} systems"
    first, last = chart.buckets[0], chart.buckets[-1]
    run = f"from {digits(first.human, 4)} at the lowest to {digits(last.human, 4)} at the highest"
    if chart.level == "pairs":
        return f"{name}, share of pairs ordered as by people, by difference of the scores: {run}"
    return f"{name} against people, {len(chart.scores):,} texts; mean rating by score: {run}"


def escape_xml(text: str) -> str:
    """Text escaped for elements and attributes of XML."""
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(character, entity)
    return text


def _chart_elements(chart: Chart) -> Iterator[str]:
    means = np.array([[bucket.score, bucket.human] for bucket in chart.buckets]).reshape(-1, 2)
    across = Axis.of(np.append(chart.scores, means[:, 0]), _LEFT, _RIGHT)
    if chart.level == "pairs":
        up = Axis(0, 1, _BOTTOM, _TOP)
    else:
        up = Axis.of(np.append(chart.human, means[:, 1]), _BOTTOM, _TOP)
    yield f'<rect class="frame" x="{_LEFT}" y="{_TOP}" width="{_RIGHT - _LEFT}" height="{_BOTTOM - _TOP}"/>'
    yield from _axes(across, up, chart)
    x, y = across.place(chart.scores), up.place(chart.human)
    if len(x) > DOTS:
        yield from _cells(x, y)
    elif len(x) and not chart.labels:
        dots = "".join(f"M{one:.1f} {other:.1f}h0" for one, other in zip(x, y, strict=True))
        yield f'<path class="dots" d="{dots}"/>'
    if chart.labels:
        yield from _systems(chart, x, y)
    if chart.level == "pairs":
        yield f'<path class="even" d="M{_LEFT} {up.place(0.5):.1f}H{_RIGHT}"/>'
    if len(means):
        corners = [f"{across.place(score):.1f} {up.place(human):.1f}" for score, human in means]
        yield f'<path class="run" d="M{"L".join(corners)}"/>'
        for corner, bucket in zip(corners, chart.buckets, strict=True):
            one, other = corner.split()
            values = f"scores {digits(bucket.low, 4)} to {digits(bucket.high, 4)}: {digits(bucket.human, 4)}"
            yield (
                f'<circle class="mean" cx="{one}" cy="{other}" r="4"><title>{values}, {bucket.count:,} judgments'
                "</title></circle>"
            )


def _axes(across: Axis, up: Axis, chart: Chart) -> Iterator[str]:
    for place, number in across.marks():
        yield f'<path class="grid" d="M{place:.1f} {_TOP}V{_BOTTOM}"/>'
        yield f'<text x="{place:.1f}" y="{_BOTTOM + 16}" text-anchor="middle">{number}</text>'
    for place, number in up.marks():
        yield f'<path class="grid" d="M{_LEFT} {place:.1f}H{_RIGHT}"/>'
        yield f'<text x="{_LEFT - 6}" y="{place + 4:.1f}" text-anchor="end">{number}</text>'
    below = escape_xml(harmless(chart.metric)) + (": difference of the scores" if chart.level == "pairs" else "")
    beside = "share ordered as by people" if chart.level == "pairs" else "people"
    yield f'<text class="label" x="{(_LEFT + _RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{below}</text>'
    middle = (_TOP + _BOTTOM) / 2
    yield (
        f'<text class="label" x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">{beside}'
        "</text>"
    )


def _cells(x: Numbers, y: Numbers) -> Iterator[str]:
    """Squares, darker where there are more points."""
    columns = (_RIGHT - _LEFT) // CELL + 1
    cells = ((y - _TOP) // CELL).astype(int) * columns + ((x - _LEFT) // CELL).astype(int)
    numbers, counts = np.unique(cells, return_counts=True)
    shares = np.sqrt(counts / counts.max())
    for level in range(1, 11):
        chosen = numbers[np.ceil(shares * 10) == level].tolist()
        if chosen:
            path = "".join(
                f"M{_LEFT + number % columns * CELL} {_TOP + number // columns * CELL}h{CELL}v{CELL}h-{CELL}z"
                for number in chosen
            )
            yield f'<path class="cells" fill-opacity="{level / 10}" d="{path}"/>'


def _systems(chart: Chart, x: Numbers, y: Numbers) -> Iterator[str]:
    """Dots with names; a name that would overlap another name or a dot is only in its dot's title."""
    dots = [*zip(chart.labels, x.tolist(), y.tolist(), strict=True)]
    taken = [(one - _NEAR / 2, one + _NEAR / 2, other) for _, one, other in dots]
    for name, one, other in dots:
        yield (
            f'<circle class="system" cx="{one:.1f}" cy="{other:.1f}" r="4"><title>{escape_xml(harmless(name))}</title>'
            "</circle>"
        )
        shown = harmless(name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…")
        width = len(shown) * _LETTER
        for start, at, anchor in ((one + _NEAR, one + _NEAR, "start"), (one - _NEAR - width, one - _NEAR, "end")):
            free = all(abs(other - up) > _LINE or start > right or start + width < left for left, right, up in taken)
            if free and start > _LEFT and start + width < _RIGHT:
                taken.append((start, start + width, other))
                text = f'<text class="name" x="{at:.1f}" y="{other + 4:.1f}" text-anchor="{anchor}">'
                yield f"{text}{escape_xml(shown)}</text>"
                break


@frozen
class Axis:
    """A linear map from numbers to places in the drawing: from `low` at `start` to `high` at `end`."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def of(cls, numbers: Numbers, start: float, end: float) -> Self:
        """An axis that covers all numbers, with a margin."""
        low, high = float(numbers.min()), float(numbers.max())
        margin = (high - low) * MARGIN or max(abs(low) * MARGIN, MARGIN)
        return cls(low - margin, high + margin, start, end)

    def place(self, number: Place) -> Place:
        """The place of a number, or of each of an array."""
        return self.start + (number - self.low) / (self.high - self.low) * (self.end - self.start)

    def marks(self) -> list[tuple[float, str]]:
        """Round numbers on the axis: place and text of each."""
        step = _round_step((self.high - self.low) / MARKS)
        digits = max(0, -floor(log10(step) + 1e-9))
        whole = np.arange(ceil(self.low / step), floor(self.high / step) + 1)
        return [(self.place(number * step), f"{number * step + 0.0:.{digits}f}".replace("-", "−")) for number in whole]


def _round_step(least: float) -> float:
    """The smallest step of at least `least` that is 1, 2 or 5 times a power of ten."""
    power = 10.0 ** floor(log10(least))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))
