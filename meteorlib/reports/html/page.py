"""The HTML report: one self-contained file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from meteorlib._version import __version__
from meteorlib.analysis.results import MetricComparison
from meteorlib.analysis.significance import SystemComparison
from meteorlib.core.parameters import FAULTS, NUMERIC_PARAMETERS
from meteorlib.core.safe_text import harmless
from meteorlib.corpus.corpus import Corpus
from meteorlib.errors import InputMismatch
from meteorlib.reports.html import assets
from meteorlib.reports.html.aligned import Aligned, WordNumbers
from meteorlib.reports.html.buckets import by_frequency, by_kind, by_length, by_ratio, by_stage, function_word_note
from meteorlib.reports.html.checks import Texts, checked
from meteorlib.reports.html.data import Progress, page_data
from meteorlib.reports.html.groups import Grouping, by_rare_words, by_source
from meteorlib.reports.html.metrics import metric_data, metric_rows
from meteorlib.reports.html.scores import baseline_place, marks, notes, paper_tables, score_rows
from meteorlib.reports.html.segments import References
from meteorlib.reports.html.word_labels import LabeledWords
from meteorlib.reports.html.written import Written
from meteorlib.reports.systems.table import full_signature

GENERATOR = "meteorlib"
"""Name of the generator in the page, before the version."""

COLUMNS = {
    "precision": "Precision", "recall": "Recall", "f_mean": "F mean", "fragmentation": "Fragmentation",
    "crossing": "Crossing", "penalty": "Penalty",
}  # fmt: skip
"""The parts of a score in the first table, with their headings; crossing matches only if they count."""

DATA_MARK = "\0"
"""Stands for the data in the template; no text has it."""

GENERATOR_TAG = f'<meta name="generator" content="{GENERATOR} '
"""The tag that identifies a page as a report of meteorlib."""


def html_report(
    systems: Mapping[str, Corpus | Sequence[Corpus | Aligned]],
    comparison: SystemComparison | None = None,
    *,
    title: str = "METEOR report",
    sources: Sequence[str] | None = None,
    references: int | None = None,
    written: Written | None = None,
    metrics: Sequence[MetricComparison] = (),
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
    return "".join(
        report_pieces(
            systems,
            comparison,
            title=title,
            sources=sources,
            references=references,
            written=written,
            metrics=metrics,
            groups=groups,
            progress=progress,
        )
    )


def report_pieces(
    systems: Mapping[str, Corpus | Sequence[Corpus | Aligned]],
    comparison: SystemComparison | None,
    *,
    title: str,
    sources: Sequence[str] | None,
    references: int | None,
    written: Written | None,
    metrics: Sequence[MetricComparison],
    groups: Mapping[str, Sequence[str]] | None,
    progress: Progress | None,
) -> Iterator[str]:
    """`html_report` piece by piece, which takes less memory; everything is checked before the first piece."""
    numbers = WordNumbers()
    runs = {
        name: [
            run if isinstance(run, Aligned) else Aligned.of(run, numbers)
            for run in ([given] if isinstance(given, Corpus) else given)
        ]
        for name, given in systems.items()
    }
    _check(runs, comparison, sources, groups or {})
    shown_runs = [median_index([run.corpus.score().score for run in each]) for each in runs.values()]
    shown = [each[place] for each, place in zip(runs.values(), shown_runs, strict=True)]
    names = [harmless(name) for name in systems]
    runs_by_name = dict(zip(names, runs.values(), strict=True))
    style, scripts = assets.style_sheet(), assets.script()
    totals = [one.corpus.statistics for one in shown]
    reference_words = References.of(shown)
    first = shown[0]
    signature = first.corpus.signature
    signature_text = harmless(full_signature(str(signature), references))
    baseline = baseline_place(comparison)
    groupings = [Grouping.of_labels(name, labels) for name, labels in (groups or {}).items()]
    groupings += [*([] if sources is None else [by_source(sources)]), by_rare_words(reference_words)]
    texts = (
        None
        if written is None
        else [
            Texts(written.counting(one), hypotheses, written.references)
            for one, hypotheses in zip(shown, written.hypotheses, strict=True)
        ]
    )
    checks = checked(shown, texts, str(signature.to_dict()["language"]), sources)
    labeled = [] if written is None else LabeledWords.all(written, shown, reference_words)
    data = page_data(
        shown,
        names,
        reference_words,
        sources,
        baseline,
        comparison,
        written,
        checks,
        metrics,
        groupings,
        labeled,
        progress or (lambda *_: None),
    )
    data["tables"] = paper_tables(comparison, references, signature, metrics)
    page: str = assets.template().render(
        title=harmless(title),
        generator=f"{GENERATOR} {__version__}",
        style=style,
        style_digest=assets.digest(style),
        script=scripts,
        script_digest=assets.digest(scripts),
        data=DATA_MARK,
        names=names,
        marks=marks(len(names)),
        count=len(first),
        references=references,
        preset=harmless(signature.preset),
        signature=signature_text,
        scores=score_rows(runs_by_name, comparison),
        table_forms=list(data["tables"]),
        comparison=comparison,
        baseline=baseline,
        several_runs=any(len(each) > 1 for each in runs.values()),
        notes=notes(runs_by_name, shown_runs, comparison),
        by_length=by_length(shown),
        by_ratio=by_ratio(shown),
        by_frequency=by_frequency(shown, reference_words),
        by_kind=by_kind(totals, first.unit),
        by_stage=by_stage(totals, first.stages),
        metrics=metric_rows(metrics, shown),
        scatter_axes=any(each["segments"] for each in metric_data(metrics)),
        checks={name: [len(each) for each in found] for name, found in checks.items()},
        columns={name: title for name, title in COLUMNS.items() if getattr(first.corpus.score(), name) is not None},
        weighted=first.unit != 1,
        faults=[
            NUMERIC_PARAMETERS[name].description
            for name in FAULTS
            if first.corpus.parameters.counts_faults and getattr(first.corpus.parameters, name)
        ],
        function_word_note=function_word_note(first.corpus.engine.identity.config),
        has_function_words=any(one.reference_function_words for one in totals),
        has_source=sources is not None,
    )
    before, after = page.split(DATA_MARK)
    yield before
    yield from assets.embedded_json(data)
    yield after


def median_index(scores: Sequence[float]) -> int:
    """Index of the median score; of an even number, of the lower of the two in the middle."""
    return sorted(range(len(scores)), key=scores.__getitem__)[(len(scores) - 1) // 2]


def _check(
    systems: Mapping[str, Sequence[Aligned]],
    comparison: SystemComparison | None,
    sources: Sequence[str] | None,
    groups: Mapping[str, Sequence[str]],
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
    if sources is not None:
        counts["the source"] = len(sources)
    counts |= {f"{name} of the groups": len(labels) for name, labels in groups.items()}
    if len(set(counts.values())) > 1:
        counts_text = ", ".join(f"{name} has {count}" for name, count in counts.items())
        raise InputMismatch(f"a report needs the same segments of all systems: {counts_text}")
    first = next(iter(named.values()))
    for name, one in named.items():
        if one.corpus.signature.numbers != first.corpus.signature.numbers:
            raise InputMismatch(f"a report needs systems that were scored by the same METEOR; {name} was by another")
