"""The HTML page of a meta-evaluation: one self-contained file without scripts."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from meteorlib._version import __version__
from meteorlib.analysis.meta_evaluation.charts import Chart
from meteorlib.analysis.meta_evaluation.results import MetaEvaluation
from meteorlib.core.rows import digits
from meteorlib.core.safe_text import harmless
from meteorlib.reports.html import assets
from meteorlib.reports.html.page import GENERATOR, GENERATOR_TAG
from meteorlib.reports.meta_evaluation import notes_of, rows_of, title_of
from meteorlib.reports.plots.svg import svg

__all__ = ["GENERATOR_TAG", "agreement_page"]

_EXPLANATIONS = {
    "ratings": "Each dot is a text with its score and its mean rating. If there are many texts, darker squares contain "
    "more of them. The line shows the mean rating of each tenth of the texts, from low scores to high ones.",
    "pairs": "Judged pairs in tenths, by the difference of their scores: the share that the metric orders as people "
    "do. Chance would give half.",
    "systems": "Each dot is a system.",
}

_STYLES = (("html", "page.css"), ("plots", "chart.css"), ("plots", "page.css"))


def agreement_page(evaluation: MetaEvaluation, charts: Sequence[Chart]) -> str:
    """An HTML page with the tables and charts of a meta-evaluation.

    Args:
        evaluation: the meta-evaluation, whose tables are shown.
        charts: of its metrics (`meteorlib.analysis.meta_evaluation.charts`), each drawn below its table.
    """
    style = "\n".join(assets.read(name, folder) for folder, name in _STYLES)
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
    page: str = assets.template("plots").render(
        title="Metrics and people",
        generator=f"{GENERATOR} {__version__}",
        style=Markup(style),  # noqa: S704 – our own files
        style_digest=assets.digest(style),
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
