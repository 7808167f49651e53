"""The data embedded in the HTML report for its scripts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from meteorlib.analysis.significance import SystemComparison
from meteorlib.analysis.significance.other_metrics import MetricComparison
from meteorlib.core.faults import FaultCounts
from meteorlib.core.formula import FAULT_SHARES
from meteorlib.core.parameters import NUMERIC_PARAMETERS
from meteorlib.core.safe_text import visible
from meteorlib.corpus.corpus import Corpus
from meteorlib.explanation.faults import FAULT_DESCRIPTIONS, traits_of
from meteorlib.reports.html.encoding import letters as encoded
from meteorlib.reports.html.groups import Grouping, ScoredGrouping
from meteorlib.reports.html.measures import MEASURES, bands, difference_bands
from meteorlib.reports.html.metrics import metric_data
from meteorlib.reports.html.one_sided import one_sided_matches
from meteorlib.reports.html.scores import marks
from meteorlib.reports.html.segments import Vocabulary, Words, alignment_of, segment_columns
from meteorlib.reports.html.why import Compared
from meteorlib.reports.html.words import never_exact, never_matched
from meteorlib.reports.html.written import Written

Progress = Callable[[int, int], object]
"""Callback, called with the number of steps done and their total."""


def page_data(
    corpora: Sequence[Corpus],
    names: Sequence[str],
    references: Sequence[Sequence[Words]],
    sources: Sequence[str] | None,
    baseline: int,
    comparison: SystemComparison | None,
    written: Written | None,
    checks: Mapping[str, Sequence[Sequence[int]]],
    metrics: Sequence[MetricComparison],
    groupings: Sequence[Grouping],
    progress: Progress,
) -> dict[str, Any]:
    """Plain data, ready for JSON.

    Args:
        corpora: the shown corpus of each system.
        names: names of the systems.
        references: for each segment, the references that counted for any system.
        sources: the source text of each segment.
        baseline: index of the system that the others are compared with.
        comparison: comparison of the systems.
        written: the texts as they were written.
        checks: indices of the segments that each check finds, for each system.
        metrics: comparisons of the systems by other metrics.
        groupings: divisions of the segments into groups.
        progress: called after each step.
    """
    corpus, systems = corpora[0], [each.segments for each in corpora]
    parameters, stages = corpus.parameters, corpus[0].stages
    pairs = one_sided_matches(corpora, references)
    letters = marks(len(names))
    labeled = [f"{mark} ({name})" for mark, name in zip(letters, names, strict=True)]
    groups = [ScoredGrouping.of(each, systems, parameters) for each in groupings]
    compared = Compared.of(labeled, systems, parameters, comparison, groups)
    steps = 2 * len(systems) + 1
    progress(1, steps)
    lists = []
    for done, segments in enumerate(systems, 2):
        numbers = [bands(segments, measure) for measure in MEASURES]
        lists.append((numbers, never_matched(segments), never_exact(segments)))
        progress(done, steps)
    vocabulary = Vocabulary.of(
        [words for each in references for words in each]
        + [alignment_of(scored).hypothesis for segments in systems for scored in segments]
    )
    columns = []
    for done, segments in enumerate(systems, 2 + len(systems)):
        columns.append(segment_columns(segments, references, vocabulary))
        progress(done, steps)
    return {
        "systems": names,
        "marks": letters,
        "baseline": baseline,
        "language": corpus.signature.to_dict()["language"],
        "stages": [{"name": name, "weight": weight} for name, weight in zip(stages, parameters.weights, strict=True)],
        "parameters": {name: getattr(parameters, name) for name in NUMERIC_PARAMETERS},
        "formula": parameters.formula,
        "faults": list(FaultCounts._fields) if parameters.counts_faults else [],
        "faultShares": {name: [*share, FAULT_DESCRIPTIONS[name]] for name, share in FAULT_SHARES.items()},
        **_fault_words(corpus, vocabulary),
        "unit": corpus[0].unit,
        "measures": MEASURES,
        "bands": [numbers for numbers, _, _ in lists],
        "never": [never for _, never, _ in lists],
        "inexact": [inexact for _, _, inexact in lists],
        "pairs": [
            {
                "bands": [difference_bands(systems[one], systems[other], measure) for measure in MEASURES],
                "why": compared.reasons(one, other),
                **found,
            }
            for (one, other), found in zip(combinations(range(len(systems)), 2), pairs, strict=True)
        ],
        "sources": None if sources is None else [visible(source) for source in sources],
        "written": None if written is None else written.to_dict(),
        "checks": checks,
        "metrics": metric_data(metrics),
        "groups": [each.to_dict() for each in groups],
        "words": vocabulary.to_list(),
        "segments": {
            "references": [[vocabulary.text(words) for words in each] for each in references],
            "systems": columns,
        },
    }


def _fault_words(corpus: Corpus, vocabulary: Vocabulary) -> dict[str, Any]:
    """For the faults of the page: bits of each word (function word, content word, negation), and digits of numbers."""
    traits = traits_of(corpus.engine, vocabulary.words) if corpus.parameters.counts_faults else {}
    found = [traits[word] for word in vocabulary.words] if traits else []
    return {
        "traits": encoded([(one.function and one.lettered) + 2 * one.content + 4 * one.negation for one in found]),
        "digits": {number: one.digits for number, one in enumerate(found) if one.digits},
    }
