"""The HTML report: one self-contained file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from meteorlib._version import __version__
from meteorlib.analysis.contrast import groups as contrast_groups
from meteorlib.analysis.contrast.aligned import Aligned, References
from meteorlib.analysis.contrast.checks import Texts, checked
from meteorlib.analysis.contrast.groups import Grouping, LabeledWords
from meteorlib.analysis.results import SystemComparison
from meteorlib.config import ScorerConfig
from meteorlib.core.breakdown import WordNumbers
from meteorlib.core.parameters import FAULTS, NUMERIC_PARAMETERS
from meteorlib.corpus.batch import Progress
from meteorlib.corpus.corpus import Corpus
from meteorlib.display.text import harmless
from meteorlib.errors import InputMismatch
from meteorlib.reports.html.data import Shown, Written, page_data
from meteorlib.reports.html.paragraph import PairReasons
from meteorlib.reports.html.scores import (
    labeled,
    marks,
    metric_data,
    metric_rows,
    notes,
    paper_tables,
    score_tables,
    uncompared,
)
from meteorlib.reports.html.template import GENERATOR, digest, embedded_json, script, style_sheet, template
from meteorlib.reports.system_table import signatures
from meteorlib.resources.catalog import FUNCTION_WORDS

DATA_MARK = "\0"
"""Stands for the data in the template; no text has it."""


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
    page = Page(runs, comparison, written, title, sources, references, metrics, groups or {})
    return "".join(page.pieces(progress or (lambda *_: None)))


@frozen
class Page:
    """The contents of a page; see `html_report`."""

    runs: Mapping[str, Sequence[Aligned]]
    comparison: SystemComparison | None
    written: Written | None
    title: str
    sources: Sequence[str] | None
    references: int | None
    metrics: Sequence[SystemComparison]
    groups: Mapping[str, Sequence[str]]
    resegmenter: str = ""

    def pieces(self, progress: Progress) -> Iterator[str]:
        """The page piece by piece, which takes less memory; everything is checked before the first piece."""
        self._check()
        runs, written, sources = self.runs, self.written, self.sources
        comparison = uncompared(runs) if self.comparison is None else self.comparison
        shown_runs = [median_index([run.corpus.score().score for run in each]) for each in runs.values()]
        systems = [each[place] for each, place in zip(runs.values(), shown_runs, strict=True)]
        names = [harmless(name) for name in runs]
        first, letters, texts = systems[0], marks(len(names)), References.of(systems)
        signature = first.corpus.signature
        groupings = [Grouping.of_labels(name, labels, systems) for name, labels in self.groups.items()]
        groupings += [] if sources is None else [contrast_groups.by_source(sources, systems)]
        groupings.append(contrast_groups.by_rare_words(texts, systems))
        shown = Shown(
            systems,
            names,
            letters,
            [one.name for one in comparison.systems].index(comparison.baseline),
            texts,
            sources,
            written,
            checked(systems, _texts(systems, written), str(signature.to_dict()["language"]), sources),
            self.metrics,
            groupings,
            [] if written is None else LabeledWords.all(written.labels, written.references, systems, texts),
            PairReasons.of(labeled(letters, names, "{} ({})"), systems, self.comparison, groupings, self.metrics),
        )
        data = page_data(shown, progress)
        whole, short = map(harmless, signatures(first.corpus.engine.identity, self.references, self.resegmenter))
        preset = harmless(signature.preset)
        data["tables"] = paper_tables(comparison, self.references, (whole, short), preset, self.metrics)
        style, scripts = style_sheet(), script()
        page: str = template("page.html.jinja").render(
            title=harmless(self.title),
            generator=f"{GENERATOR} {__version__}",
            style=style,
            style_digest=digest(style),
            script=scripts,
            script_digest=digest(scripts),
            data=DATA_MARK,
            names=names,
            marks=letters,
            count=len(first),
            references=self.references,
            preset=preset,
            signature=whole,
            labels=labeled(letters, names, "{} · {}"),
            score_tables=score_tables(
                comparison, [sum(len(run.hypothesis.flat) for run in each) for each in runs.values()], letters
            ),
            table_forms=list(data["tables"]),
            baseline=shown.baseline,
            notes=notes(comparison, dict(zip(names, runs.values(), strict=True)), shown_runs),
            metrics=metric_rows(self.metrics, systems),
            scatter_axes=any(each["segments"] for each in metric_data(self.metrics)),
            has_source=sources is not None,
            **_kinds_of_words(systems, texts),
        )
        before, after = page.split(DATA_MARK)
        yield before
        yield from embedded_json(data)
        yield after

    def _check(self) -> None:
        if not self.runs:
            raise InputMismatch("nothing to show: no system was given")
        if self.comparison is not None and self.comparison.compared != "corpus":
            raise InputMismatch(
                "a report shows corpus scores, but means of segments were compared: use compared='corpus'"
            )
        for name, runs in self.runs.items():
            if not runs:
                raise InputMismatch(f"nothing to show: {name} has no run")
        named = {
            name if len(runs) == 1 else f"{name}, run {number}": run
            for name, runs in self.runs.items()
            for number, run in enumerate(runs, 1)
        }
        counts = {name: len(one) for name, one in named.items()}
        if self.sources is not None:
            counts["the source"] = len(self.sources)
        labels = {} if self.written is None else self.written.labels
        counts |= {f"{name} of the word labels": len(each) for name, each in labels.items()}
        counts |= {f"{name} of the groups": len(labels) for name, labels in self.groups.items()}
        if len(set(counts.values())) > 1:
            counts_text = ", ".join(f"{name} has {count}" for name, count in counts.items())
            raise InputMismatch(f"a report needs the same segments of all systems: {counts_text}")
        first = next(iter(named.values()))
        for name, one in named.items():
            if one.corpus.signature.numbers != first.corpus.signature.numbers:
                raise InputMismatch(
                    f"a report needs systems that were scored by the same METEOR; {name} was by another"
                )


def _kinds_of_words(systems: Sequence[Aligned], references: References) -> dict[str, Any]:
    """Arguments of the template: buckets with the filters of their segments, and what they depend on."""
    totals, first = [one.corpus.statistics for one in systems], systems[0]
    parameters = first.corpus.parameters
    return {
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
