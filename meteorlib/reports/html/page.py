"""The HTML report: one self-contained file."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any

from attrs import field, frozen
from markupsafe import Markup

from meteorlib._version import __version__
from meteorlib.analysis.contrast import groups as contrast_groups
from meteorlib.analysis.contrast.aligned import Aligned, References
from meteorlib.analysis.contrast.checks import Texts, checked
from meteorlib.analysis.contrast.groups import Grouping, LabeledWords
from meteorlib.analysis.results import SystemComparison
from meteorlib.config import ScorerConfig
from meteorlib.core.breakdown import WordNumbers
from meteorlib.core.parameters import FAULTS, NUMERIC_PARAMETERS
from meteorlib.corpus.corpus import Corpus
from meteorlib.display.drawing import color_variables
from meteorlib.display.text import digits, harmless, json_text
from meteorlib.errors import InputMismatch
from meteorlib.reports.html.data import Progress, Shown, Written, page_data
from meteorlib.reports.html.paragraph import Compared
from meteorlib.reports.html.scores import (
    baseline_place,
    marks,
    metric_data,
    metric_rows,
    notes,
    paper_tables,
    score_rows,
)
from meteorlib.reports.system_table import full_signature
from meteorlib.resources.catalog import FUNCTION_WORDS

GENERATOR = "meteorlib"
"""Name of the generator in the page, before the version."""

GENERATOR_TAG = f'<meta name="generator" content="{GENERATOR} '
"""The tag that identifies a page as a report of meteorlib."""

COLUMNS = {
    "precision": "Precision", "recall": "Recall", "f_mean": "F mean", "fragmentation": "Fragmentation",
    "crossing": "Crossing", "penalty": "Penalty",
}  # fmt: skip
"""The parts of a score in the first table, with their headings; crossing matches only if they count."""

DATA_MARK = "\0"
"""Stands for the data in the template; no text has it."""

SCRIPTS = (
    "read.js",
    "draw.js",
    "notes.js",
    "filters.js",
    "why.js",
    "charts.js",
    "scatter.js",
    "metrics.js",
    "words.js",
    "matrix.js",
    "formula.js",
    "faults.js",
    "texts.js",
    "segment.js",
    "table.js",
    "groups.js",
    "start.js",
)

_NEEDLESS = re.compile(r"(?<=[,;{}(\[])\n")
"""Line ends that end no statement without a semicolon."""

_SPACED = re.compile(r" (?=[,:?=<>&|(){}])|(?<=[,:?=<>&|(){}]) ")
"""A space beside a sign, needless outside of texts."""

_TEXT = re.compile("[\"'`/]")
"""Signs that a line with a text, a regular expression or a comment has."""

LARGE = {"written": 2, "metrics": 2, "segments": 3}
"""Data that may be large, and how many levels of it are written piece by piece."""

SHORT = 20
"""Longest list whose entries are written one by one: lists of systems are, lists of segments are not."""


@frozen
class PageOptions:
    """Contents of a page besides systems; see `html_report`."""

    title: str = "METEOR report"
    sources: Sequence[str] | None = None
    metrics: Sequence[SystemComparison] = ()
    references: int | None = None
    groups: Mapping[str, Sequence[str]] = field(factory=dict)


def html_report(
    systems: Mapping[str, Corpus | Sequence[Corpus | Aligned]],
    comparison: SystemComparison | None = None,
    *,
    title: str = "METEOR report",
    sources: Sequence[str] | None = None,
    references: int | None = None,
    written: Written | None = None,
    metrics: Sequence[SystemComparison] = (),
    groups: Mapping[str, Sequence[str]] | None = None,
    progress: Progress | None = None,
) -> str:
    """Make the HTML report of one or more systems.

    Args:
        systems: corpora by name, which keep their segments and were scored with the same METEOR; a list of corpora for
            several runs of a system: the table of scores shows their mean, the rest of the page the run with the
            median score. A run may also be `Aligned`, with the same word numbers for all.
        comparison: comparison of these systems; without it there are no intervals and no tests.
        title: heading of the page.
        sources: source text of each segment, if known.
        references: number of references per segment; None if it varies.
        written: the texts as they were written, of the shown run of each system, and labels of words; without it there
            are only words.
        metrics: comparisons of the same systems by other metrics.
        groups: labels of the segments, by what they are: ``document``, ``domain``, …
        progress: callback, called periodically with the number of steps done and their total.

    Raises:
        InputMismatch: no systems or no segments; different numbers of segments; segments without an alignment;
            corpora scored with different METEORs; a comparison of means; other labels of words than tokens.
    """
    numbers = WordNumbers()
    runs = {
        name: [
            run if isinstance(run, Aligned) else Aligned.of(run, numbers)
            for run in ([given] if isinstance(given, Corpus) else given)
        ]
        for name, given in systems.items()
    }
    options = PageOptions(title, sources, metrics, references, groups or {})
    return "".join(report_pieces(runs, comparison, written, options, progress or (lambda *_: None)))


def report_pieces(
    runs: Mapping[str, Sequence[Aligned]],
    comparison: SystemComparison | None,
    written: Written | None,
    options: PageOptions,
    progress: Progress,
) -> Iterator[str]:
    """`html_report` piece by piece, which takes less memory; everything is checked before the first piece."""
    sources, references, metrics = options.sources, options.references, options.metrics
    _check(runs, comparison, written, options)
    shown_runs = [median_index([run.corpus.score().score for run in each]) for each in runs.values()]
    systems = [each[place] for each, place in zip(runs.values(), shown_runs, strict=True)]
    names = [harmless(name) for name in runs]
    runs_by_name = dict(zip(names, runs.values(), strict=True))
    first, letters, texts = systems[0], marks(len(names)), References.of(systems)
    signature = first.corpus.signature
    groupings = [Grouping.of_labels(name, labels, systems) for name, labels in options.groups.items()]
    groupings += [] if sources is None else [contrast_groups.by_source(sources, systems)]
    groupings.append(contrast_groups.by_rare_words(texts, systems))
    labeled = [f"{mark} ({name})" for mark, name in zip(letters, names, strict=True)]
    shown = Shown(
        systems,
        names,
        letters,
        baseline_place(comparison),
        texts,
        sources,
        written,
        checked(systems, _texts(systems, written), str(signature.to_dict()["language"]), sources),
        metrics,
        groupings,
        [] if written is None else LabeledWords.all(written.labels, written.references, systems, texts),
        Compared.of(labeled, systems, comparison, groupings, metrics),
    )
    data = page_data(shown, progress)
    data["tables"] = paper_tables(comparison, references, signature, metrics)
    style, scripts = style_sheet(), script()
    page: str = template("page.html.jinja").render(
        title=harmless(options.title),
        generator=f"{GENERATOR} {__version__}",
        style=style,
        style_digest=digest(style),
        script=scripts,
        script_digest=digest(scripts),
        data=DATA_MARK,
        names=names,
        marks=letters,
        count=len(first),
        references=references,
        preset=harmless(signature.preset),
        signature=harmless(full_signature(str(signature), references)),
        scores=score_rows(runs_by_name, comparison),
        table_forms=list(data["tables"]),
        comparison=comparison,
        baseline=shown.baseline,
        several_runs=any(len(each) > 1 for each in runs.values()),
        notes=notes(runs_by_name, shown_runs, comparison),
        metrics=metric_rows(metrics, systems),
        scatter_axes=any(each["segments"] for each in metric_data(metrics)),
        checks={name: [len(each) for each in found] for name, found in shown.checks.items()},
        has_source=sources is not None,
        **_kinds_of_words(systems, texts),
    )
    before, after = page.split(DATA_MARK)
    yield before
    yield from embedded_json(data)
    yield after


def _kinds_of_words(systems: Sequence[Aligned], references: References) -> dict[str, Any]:
    """Arguments of the template: columns, buckets with the filters of their segments, and what they depend on."""
    totals, first = [one.corpus.statistics for one in systems], systems[0]
    parameters = first.corpus.parameters
    return {
        "columns": {name: title for name, title in COLUMNS.items() if getattr(first.corpus.score(), name) is not None},
        "weighted": first.unit != 1,
        "faults": [
            NUMERIC_PARAMETERS[name].description
            for name in FAULTS
            if parameters.counts_faults and getattr(parameters, name)
        ],
        "function_word_note": function_word_note(first.corpus.engine.identity.config),
        "has_function_words": any(one.reference_function_words for one in totals),
        "by_length": (contrast_groups.by_length(systems), "range,0 referenceWords,{low},{high}", ""),
        "by_ratio": (contrast_groups.by_ratio(systems), "", "range,* ratio,{low},{high}"),
        "by_frequency": (
            contrast_groups.by_frequency(systems, references),
            "frequency,{low},{high}",
            "frequency,{low},{high},*",
        ),
        "by_kind": (contrast_groups.by_kind(totals, first.unit), "", "has,* {low}"),
        "by_stage": (contrast_groups.by_stage(totals, first.stages), "", "has,* {low}"),
    }


def function_word_note(config: ScorerConfig) -> str:
    """Sentence about function words of another language than the text's; empty if they are of the same one."""
    words, language = config.function_words, config.language
    if words is None or words not in FUNCTION_WORDS or words == language:
        return ""
    source = ", as METEOR 1.5 does" if words == "en" else ""
    return (
        f"This preset takes the {FUNCTION_WORDS[words]} function words for {FUNCTION_WORDS.get(language, language)} "
        f"text, too{source}: only words that this list has count as function words."
    )


def median_index(scores: Sequence[float]) -> int:
    """Index of the median score; of an even number, of the lower of the two in the middle."""
    return sorted(range(len(scores)), key=scores.__getitem__)[(len(scores) - 1) // 2]


def _texts(systems: Sequence[Aligned], written: Written | None) -> list[Texts] | None:
    if written is None:
        return None
    return [
        Texts(written.counting(one), hypotheses, written.references)
        for one, hypotheses in zip(systems, written.hypotheses, strict=True)
    ]


def _check(
    systems: Mapping[str, Sequence[Aligned]],
    comparison: SystemComparison | None,
    written: Written | None,
    options: PageOptions,
) -> None:
    if not systems:
        raise InputMismatch("nothing to show: no system was given")
    if comparison is not None and comparison.compared != "corpus":
        raise InputMismatch("a report shows corpus scores, but means of segments were compared: use compared='corpus'")
    for name, runs in systems.items():
        if not runs:
            raise InputMismatch(f"nothing to show: {name} has no run")
    named = {
        name if len(runs) == 1 else f"{name}, run {number}": run
        for name, runs in systems.items()
        for number, run in enumerate(runs, 1)
    }
    counts = {name: len(one) for name, one in named.items()}
    if options.sources is not None:
        counts["the source"] = len(options.sources)
    labels = {} if written is None else written.labels
    counts |= {f"{name} of the word labels": len(each) for name, each in labels.items()}
    counts |= {f"{name} of the groups": len(labels) for name, labels in options.groups.items()}
    if len(set(counts.values())) > 1:
        counts_text = ", ".join(f"{name} has {count}" for name, count in counts.items())
        raise InputMismatch(f"a report needs the same segments of all systems: {counts_text}")
    first = next(iter(named.values()))
    for name, one in named.items():
        if one.corpus.signature.numbers != first.corpus.signature.numbers:
            raise InputMismatch(f"a report needs systems that were scored by the same METEOR; {name} was by another")


def style_sheet() -> Any:
    """The style sheet, with the colors of stages as variables."""
    light, dark = (color_variables("", dark=dark) for dark in (False, True))
    rules = f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
    return Markup(rules + read("page.css"))  # noqa: S704 – our own colors and file


def script() -> Any:
    """The scripts without indentation, some spaces, needless line ends, and comments on lines of their own.

    It knows no JavaScript, so the scripts keep some rules, which the tests check:

    - A statement that ends with ``}`` and is no block has its semicolon: ``const f = {…};``.
    - A comment behind code ends with none of ``, ; { } ( [``; no code shares a line with the end of a block comment,
      whose lines begin with ``/**``, ``*`` or ``*/``; other lines begin with none of these.
    - A template ends on the line where it begins.
    - No text has an arrow between spaces.
    """
    lines = [line.strip() for name in SCRIPTS for line in read(name).splitlines()]
    kept = [line for line in lines if line and not line.startswith(("//", "/**", "* ", "*/"))]
    short = [line if _TEXT.search(line) else _SPACED.sub("", line) for line in kept]
    return Markup(_NEEDLESS.sub("", "\n".join(short)).replace(" => ", "=>"))  # noqa: S704 – our own files


def digest(text: str) -> str:
    """SHA-256 of a style sheet or script, for the content security policy."""
    return b64encode(sha256(text.encode()).digest()).decode()


def template(name: str) -> Any:
    """A template of a page; it escapes what it shows."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 – only reports need it

    environment = Environment(optimized=False, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    environment.filters["digits"] = digits
    return environment.from_string(read(name))


def embedded_json(data: dict[str, Any]) -> Iterator[str]:
    """JSON that cannot close the element it is embedded in, in pieces; what was given out is removed from `data`."""
    comma = "{"
    for name in list(data):
        yield f"{comma}{_json(name)}:"
        yield from _pieces(data.pop(name), LARGE.get(name, 0))
        comma = ","
    yield "}"


def _pieces(value: Any, depth: int) -> Iterator[str]:
    """JSON, in pieces where there is an iterator, or objects and short lists within `depth` levels."""
    if depth and isinstance(value, dict):
        brackets, entries = "{}", ((f"{_json(key)}:", each) for key, each in value.items())
    elif depth and (isinstance(value, Iterator) or (isinstance(value, list) and len(value) <= SHORT)):
        brackets, entries = "[]", (("", each) for each in value)
    else:
        yield _json(value)
        return
    comma = brackets[0]
    for key, each in entries:
        yield comma + key
        yield from _pieces(each, depth - 1)
        comma = ","
    yield brackets[1] if comma == "," else brackets


def _json(value: Any) -> str:
    written = json_text(value, separators=(",", ":"))
    return written.replace("<", "\\u003c")


def read(name: str) -> str:
    """A file beside this module."""
    return (files("meteorlib.reports.html") / name).read_text(encoding="utf-8")
