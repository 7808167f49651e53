"""The data embedded in the HTML report for its scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from meteorlib.analysis.results import MetricComparison
from meteorlib.analysis.significance import SystemComparison
from meteorlib.arrays import Numbers
from meteorlib.core.faults import FaultCounts
from meteorlib.core.parameters import FAULTS, NUMERIC_PARAMETERS
from meteorlib.core.safe_text import visible
from meteorlib.core.stages import stage_marks
from meteorlib.corpus.corpus import Corpus
from meteorlib.explanation.faults import traits_of
from meteorlib.reports.html.aligned import Aligned
from meteorlib.reports.html.encoding import letters as encoded
from meteorlib.reports.html.groups import Grouping, ScoredGrouping
from meteorlib.reports.html.measures import CALLED, MEASURES, band_ranges, bands, difference_bands, shown
from meteorlib.reports.html.metrics import metric_data
from meteorlib.reports.html.one_sided import one_sided_matches
from meteorlib.reports.html.scores import marks
from meteorlib.reports.html.segments import References, Vocabulary, reference_columns, segment_columns
from meteorlib.reports.html.why import Compared
from meteorlib.reports.html.word_labels import LabeledWords
from meteorlib.reports.html.words import never_exact, never_matched
from meteorlib.reports.html.written import Written

Progress = Callable[[int, int], object]
"""Callback, called with the number of steps done and their total."""


def page_data(
    systems: Sequence[Aligned],
    names: Sequence[str],
    references: References,
    sources: Sequence[str] | None,
    baseline: int,
    comparison: SystemComparison | None,
    written: Written | None,
    checks: Mapping[str, Sequence[Mapping[int, str]]],
    metrics: Sequence[MetricComparison],
    groupings: Sequence[Grouping],
    labeled_words: Sequence[LabeledWords],
    progress: Progress,
) -> dict[str, Any]:
    """Plain data, ready for JSON; an iterator, which makes less of it at a time, stands for a list.

    Args:
        systems: the shown run of each system.
        names: names of the systems.
        references: for each segment, the references that counted for any system.
        sources: the source text of each segment.
        baseline: index of the system that the others are compared with.
        comparison: comparison of the systems.
        written: the texts as they were written.
        checks: segments that each check finds, for each system; see `checked`.
        metrics: comparisons of the systems by other metrics.
        groupings: divisions of the segments into groups.
        labeled_words: words of the references by label.
        progress: called after each step.
    """
    first = systems[0]
    parameters, stages = first.corpus.parameters, first.stages
    letters = marks(len(names))
    labeled = [f"{mark} ({name})" for mark, name in zip(letters, names, strict=True)]
    groups = [ScoredGrouping.of(each, systems) for each in groupings]
    compared = Compared.of(labeled, systems, comparison, groups, metrics)
    steps = 2 * len(systems) + 2
    pairs = one_sided_matches(systems, references)
    progress(1, steps)
    values = [_values(system) for system in systems]
    lists = []
    for done, (system, numbers) in enumerate(zip(systems, values, strict=True), 2):
        lists.append(([bands(each) for each in numbers.values()], never_matched(system), never_exact(system)))
        progress(done, steps)
    vocabulary = Vocabulary.of(systems, references)

    def columns() -> Iterator[dict[str, Any]]:
        for place, system in enumerate(systems):
            yield segment_columns(system, place, references, vocabulary)
            progress(2 + len(systems) + place, steps)

    return {
        "systems": names,
        "marks": letters,
        "baseline": baseline,
        "language": first.corpus.signature.to_dict()["language"],
        "stages": [
            {"name": name, "mark": mark, "weight": weight}
            for name, mark, weight in zip(stages, stage_marks(stages), parameters.weights, strict=True)
        ],
        "parameters": {name: getattr(parameters, name) for name in NUMERIC_PARAMETERS},
        "formula": parameters.formula,
        "faults": list(FaultCounts._fields) if parameters.counts_faults else [],
        "faultShares": {name: [*share, NUMERIC_PARAMETERS[name].description] for name, share in FAULTS.items()},
        **_fault_words(first.corpus, vocabulary),
        "unit": first.unit,
        "measures": MEASURES,
        "bands": [numbers for numbers, _, _ in lists],
        "bandRanges": band_ranges(),
        "called": CALLED,
        "never": [never for _, never, _ in lists],
        "inexact": [inexact for _, _, inexact in lists],
        "pairs": [
            {
                "bands": [difference_bands(values[one][measure], values[other][measure]) for measure in MEASURES],
                "why": compared.reasons(one, other),
                **found,
            }
            for (one, other), found in zip(combinations(range(len(systems)), 2), pairs, strict=True)
        ],
        "sources": None if sources is None else [visible(source) for source in sources],
        "written": None if written is None else written.to_dict(),
        "checks": checks,
        "metrics": metric_data(metrics),
        "groups": [*(each.to_dict() for each in groups), *(each.to_dict() for each in labeled_words)],
        "words": vocabulary.to_list(),
        "segments": {
            "references": reference_columns(references, vocabulary),
            "systems": columns(),
        },
    }


def _values(system: Aligned) -> dict[str, Numbers]:
    """Each of `MEASURES` for all segments, as the page filters by it: the score in full precision."""
    scored = system.breakdowns()
    return {name: system.scores if name == "score" else shown(getattr(scored, name)) for name in MEASURES}


def _fault_words(corpus: Corpus, vocabulary: Vocabulary) -> dict[str, Any]:
    """For the faults of the page: bits of each word (function word, content word, negation), and digits of numbers."""
    traits = traits_of(corpus.engine, vocabulary.words) if corpus.parameters.counts_faults else {}
    found = [traits[word] for word in vocabulary.words] if traits else []
    return {
        "traits": encoded([(one.function and one.lettered) + 2 * one.content + 4 * one.negation for one in found]),
        "digits": {str(number): one.digits for number, one in enumerate(found) if one.digits},
    }
