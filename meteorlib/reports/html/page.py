"""The page: one HTML file that needs nothing else."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from meteorlib._version import __version__
from meteorlib.analysis.significance import SystemComparison
from meteorlib.core.rows import digits
from meteorlib.core.safe_text import harmless
from meteorlib.corpus.corpus import Corpus
from meteorlib.errors import InputMismatch
from meteorlib.reports.html.buckets import by_frequency, by_kind, by_length, by_stage
from meteorlib.reports.html.data import Progress, page_data
from meteorlib.reports.html.scores import baseline_place, marks, notes, score_rows
from meteorlib.reports.html.segments import references_of

GENERATOR = "meteorlib"
"""What the page says it is made by, before the version."""

SCRIPTS = (
    "read.js",
    "draw.js",
    "charts.js",
    "words.js",
    "matrix.js",
    "formula.js",
    "segment.js",
    "table.js",
    "start.js",
)

COLUMNS = {
    "precision": "Precision", "recall": "Recall", "f_mean": "F mean", "fragmentation": "Fragmentation",
    "crossing": "Crossing", "penalty": "Penalty",
}  # fmt: skip
"""The parts of a score in the first table, with their headings; crossing matches only where they count."""

MARK = f'<meta name="generator" content="{GENERATOR} '
"""By this a page is known."""


def html_report(
    systems: Mapping[str, Corpus | Sequence[Corpus]],
    comparison: SystemComparison | None = None,
    *,
    title: str = "METEOR report",
    sources: Sequence[str] | None = None,
    references: int | None = None,
    progress: Progress | None = None,
) -> str:
    """The page for some systems.

    Args:
        systems: by name, their corpora, which keep their segments and were scored by one METEOR; a list of them for
            several runs of a system, of which the table of scores has the mean and all else the middle one.
        comparison: of these systems; without it there are no intervals and no tests.
        title: what stands at the top.
        sources: the source text of each segment; None where it is not known.
        references: how many references each segment has; None where that is not the same for all.
        progress: is told, now and then, how many steps are done, and of how many.

    Raises:
        InputMismatch: no systems, or no segments; not as many in one as in another; segments without an alignment;
            corpora of different METEORs.
    """
    runs = {name: [given] if isinstance(given, Corpus) else list(given) for name, given in systems.items()}
    _check(runs, sources)
    chosen = [middle([run.score().score for run in listed]) for listed in runs.values()]
    corpora = [listed[place] for listed, place in zip(runs.values(), chosen, strict=True)]
    listed = [corpus.segments for corpus in corpora]
    names = [harmless(name) for name in systems]
    shown = dict(zip(names, runs.values(), strict=True))
    style, script = _packaged(("page.css",)), _packaged(SCRIPTS)
    totals = [corpus.statistics for corpus in corpora]
    each = references_of(listed)
    first = corpora[0]
    baseline = baseline_place(comparison)
    page: str = _template().render(
        title=harmless(title),
        generator=f"{GENERATOR} {__version__}",
        style=style,
        style_digest=_digest(style),
        script=script,
        script_digest=_digest(script),
        data=_unbreakable(page_data(first, names, listed, each, sources, baseline, progress or (lambda *_: None))),
        names=names,
        marks=marks(len(names)),
        count=len(listed[0]),
        references=references,
        preset=harmless(first.signature.preset),
        signature=harmless(str(first.signature)),
        scores=score_rows(shown, comparison),
        comparison=comparison,
        baseline=baseline,
        several_runs=any(len(each) > 1 for each in runs.values()),
        notes=notes(shown, chosen, comparison),
        by_length=by_length(listed, first.parameters),
        by_frequency=by_frequency(listed, each),
        by_kind=by_kind(totals, listed[0][0].unit),
        by_stage=by_stage(totals, listed[0][0].stages),
        columns={name: title for name, title in COLUMNS.items() if getattr(listed[0][0], name) is not None},
        weighted=listed[0][0].unit != 1,
        has_function_words=any(one.reference_function_words for one in totals),
        has_source=sources is not None,
    )
    return page


def middle(scores: Sequence[float]) -> int:
    """Which score is the median; of an even number the lower of the two in the middle."""
    return sorted(range(len(scores)), key=scores.__getitem__)[(len(scores) - 1) // 2]


def _check(systems: Mapping[str, Sequence[Corpus]], sources: Sequence[str] | None) -> None:
    if not systems:
        raise InputMismatch("nothing to show: no system was given")
    for name, runs in systems.items():
        if not runs:
            raise InputMismatch(f"nothing to show: {name} has no run")
    listed = {
        name if len(runs) == 1 else f"{name}, run {number}": corpus
        for name, runs in systems.items()
        for number, corpus in enumerate(runs, 1)
    }
    segments = [corpus.segments for corpus in listed.values()]
    counts = {name: len(one) for name, one in zip(listed, segments, strict=True)}
    if sources is not None:
        counts["the source"] = len(sources)
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{name} has {count}" for name, count in counts.items())
        raise InputMismatch(f"a report needs the same segments of all systems: {told}")
    first = next(iter(listed.values()))
    for name, corpus in listed.items():
        if corpus.signature.numbers != first.signature.numbers:
            raise InputMismatch(f"a report needs systems that were scored by the same METEOR; {name} was by another")
    if not segments[0]:
        raise InputMismatch("nothing to show: no segment was added")
    if any(scored.alignment is None for one in segments for scored in one):
        raise InputMismatch(
            "this preset takes the mean over the references of a segment, so that there is no one alignment to show; "
            "give one reference, or take a preset with  reduce: max"
        )


def _unbreakable(data: Any) -> Any:
    """JSON that cannot end the element in which it stands."""
    written = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(written.replace("<", "\\u003c"))  # noqa: S704 – nothing in it can be taken for a tag


def _template() -> Any:
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 – only reports need it

    made = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    made.filters["digits"] = digits
    return made.from_string(_read("page.html.jinja"))


def _packaged(names: Sequence[str]) -> Any:
    """Style or script of the package, as it is to stand in the page."""
    return Markup("\n".join(map(_read, names)))  # noqa: S704 – our own files


def _read(name: str) -> str:
    return (files("meteorlib.reports.html") / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()
