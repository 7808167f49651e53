"""The data embedded in the HTML report for its scripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import isnan
from typing import Any

import numpy as np
from attrs import field, frozen

from meteorlib.analysis.contrast.aligned import Aligned, References
from meteorlib.analysis.contrast.groups import Grouping, LabeledWords
from meteorlib.analysis.contrast.missed_words import never_exact, never_matched
from meteorlib.analysis.contrast.one_sided import one_sided_matches
from meteorlib.analysis.contrast.shares import BANDS, MEASURES, ZOOMS, bands, difference_bands, shown, ten_thousandths
from meteorlib.analysis.contrast.word_faults import word_faults
from meteorlib.analysis.results import SystemComparison, shown_label
from meteorlib.arrays import Numbers
from meteorlib.core.faults import WHOLES, FaultCounts
from meteorlib.core.formula import formula_lines, named_numbers
from meteorlib.core.parameters import FAULTS, NUMERIC_PARAMETERS
from meteorlib.corpus.batch import Progress
from meteorlib.display.drawing import stage_marks
from meteorlib.display.text import all_visible, visible
from meteorlib.explanation.explanation import explain
from meteorlib.explanation.formula import in_symbols, traits_of
from meteorlib.explanation.gains import Gain
from meteorlib.reports.html.evidence import entries, entry_text, evidence
from meteorlib.reports.html.letters import (
    Vocabulary,
    by_segment,
    letter_rows,
    letters,
    segment_columns,
)
from meteorlib.reports.html.paragraph import PairReasons
from meteorlib.reports.html.scores import metric_data
from meteorlib.scorer import Scorer

CALLED = {
    "f_mean": "F mean",
    "ratio": "length ratio",
    "referenceWords": "words of the reference",
    "hypothesisWords": "words",
    "content": "matched content words",
    "function": "matched function words",
    "faults": "penalty for faults",
    "total": "sum of the penalties",
    "missed": "unmatched words",
    "contentMissed": "unmatched content words",
    "functionMissed": "unmatched function words",
}
"""Names that filters have for measures, where they differ from the page's own."""

GROUP_NOTES = {
    "Length of the source": "Words between spaces.",
    "Rare words": "Number of words of the reference that occur only once in all references.",
}


@frozen
class Written:
    """Texts of the shown run of each system as they were written, and gains of their unmatched words."""

    references: Sequence[Sequence[str]]  # the references of each segment
    hypotheses: Sequence[Sequence[str]]  # for each system, the hypothesis of each segment
    # for each system, index of a segment → its gains, greatest first; empty if not computed
    gains: Sequence[Mapping[int, Sequence[Gain]]] = field(default=())
    # labels of words by what they are, such as ``pos``: for each segment, the labels of the tokens of each reference,
    # separated by spaces like the tokens
    labels: Mapping[str, Sequence[Sequence[str]]] = field(factory=dict)

    @classmethod
    def of(
        cls,
        scorer: Scorer,
        references: Sequence[Sequence[str]],
        hypotheses: Sequence[Sequence[str]],
        scores: Sequence[Sequence[float] | Numbers],
        gains: int,
        labels: Mapping[str, Sequence[Sequence[str]]] | None = None,
    ) -> Written:
        """Add the gains for as many segments as `gains`: where scores differ most, and the lowest scores.

        `scores` has the scores of the segments of each system; for `labels` see `Written`.
        """
        rows = np.array(scores)
        by_spread = np.argsort(rows.min(axis=0) - rows.max(axis=0), kind="stable").tolist()
        by_score = np.argsort(rows.cumsum(axis=0)[-1], kind="stable").tolist()  # summed one by one, as `sum` does
        half = gains // 2 if len(scores) > 1 else 0
        spread = set(by_spread[:half])
        chosen = sorted([*by_spread[:half], *[index for index in by_score if index not in spread]][:gains])
        found = [
            {
                index: explain(scorer.engine, references[index], texts[index], look_for_unused=False).gains
                for index in chosen
            }
            for texts in hypotheses
        ]
        return cls(references, hypotheses, found, labels or {})

    def counting(self, system: Aligned) -> list[str]:
        """The reference of each segment that counts for a system."""
        return [each[index] for each, index in zip(self.references, system.reference_index.tolist(), strict=True)]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for the page; a gain is a word, its side, an edit, the word that goes, and units of 0.0001."""
        return {
            "references": [*map(all_visible, self.references)],
            "systems": [*map(all_visible, self.hypotheses)],
            "gains": [{index + 1: _gains(found) for index, found in gains.items()} for gains in self.gains],
        }


def _gains(gains: Sequence[Gain]) -> list[list[Any]]:
    words = all_visible([gain.word for gain in gains]), all_visible([gain.replaced for gain in gains])
    return [
        [word, gain.edit, replaced, ten_thousandths(gain.gain)]
        for word, replaced, gain in zip(*words, gains, strict=True)
    ]


@frozen
class Shown:
    """The contents of a page: the shown run of each system, and what is known of all; see `html_report`."""

    systems: Sequence[Aligned]
    names: Sequence[str]
    marks: Sequence[str]
    baseline: int
    references: References
    sources: Sequence[str] | None
    written: Written | None
    checks: Mapping[str, Sequence[Mapping[int, str]]]
    metrics: Sequence[SystemComparison]
    groupings: Sequence[Grouping]
    labeled_words: Sequence[LabeledWords]
    compared: PairReasons


def page_data(page: Shown, progress: Progress) -> dict[str, Any]:
    """Plain data, ready for JSON; an iterator, which makes less of it at a time, stands for a list."""
    systems, references = page.systems, page.references
    first, firsts = systems[0], references.firsts
    parameters, stages = first.corpus.parameters, first.stages
    faults = {name: share for name, share in FAULTS.items() if parameters.counts_faults and getattr(parameters, name)}
    steps = 2 * len(systems) + 2
    pairs = one_sided_matches(systems, references)
    progress(1, steps)
    values = [_values(system) for system in systems]
    spread, never, inexact = [], [], []
    for done, (system, numbers) in enumerate(zip(systems, values, strict=True), 2):
        spread.append([bands(each) for each in numbers.values()])
        never.append(
            [[entry_text((word,)), round(cost, 7), kind, times] for word, times, cost, kind in never_matched(system)]
        )
        inexact.append(
            [
                [
                    entry_text(one.words),
                    round(one.cost, 7),
                    one.kind,
                    one.stages,
                    [[entry_text(words), count] for words, count in one.renderings],
                ]
                for one in never_exact(system)
            ]
        )
        progress(done, steps)
    vocabulary = Vocabulary.of(systems, references)
    traits = traits_of(first.corpus.engine, vocabulary.words) if faults else {}
    kinds = {share.counted: number for number, share in enumerate(faults.values())}
    progress(1 + len(systems), steps)

    def columns() -> Iterator[dict[str, Any]]:
        for place, (system, used) in enumerate(zip(systems, references.used, strict=True)):
            of_faults = {"faults": letter_rows(word_faults(system, traits, kinds))} if faults else {}
            yield {**segment_columns(system, used, firsts, vocabulary), **of_faults}
            progress(2 + len(systems) + place, steps)

    return {
        "systems": page.names,
        "marks": page.marks,
        "baseline": page.baseline,
        "language": first.corpus.signature.to_dict()["language"],
        "stages": [
            {"name": name, "mark": mark, "weight": weight}
            for name, mark, weight in zip(stages, stage_marks(stages), parameters.weights, strict=True)
        ],
        "formula": [(symbol, line, in_symbols(line)) for symbol, line in formula_lines(parameters, [*faults])],
        "constants": {name: float(f"{number:.10g}") for name, number in named_numbers(parameters).items()},
        "faults": [
            {
                "name": name,
                "description": NUMERIC_PARAMETERS[name].description,
                "price": getattr(parameters, name),
                "counted": [share.named, FaultCounts._fields.index(share.counted)],
                "whole": [share.whole, factor, FaultCounts._fields.index(field)],
            }
            for name, share in faults.items()
            for factor, field in [WHOLES[share.whole]]
        ],
        "unit": first.unit,
        "measures": MEASURES,
        "bands": spread,
        "bandRanges": band_ranges(),
        "zooms": ZOOMS,
        "called": CALLED,
        "never": never,
        "inexact": inexact,
        "pairs": [
            {
                "bands": [difference_bands(values[one][measure], values[other][measure]) for measure in MEASURES],
                "why": (why := page.compared.reasons(one, other)),
                "evidence": evidence(
                    pair.words,
                    {name: (found[one], found[other]) for name, found in page.checks.items()},
                    [(one, page.marks[one]), (other, page.marks[other])],
                    is_first_better=why.get("difference", why["units"]) >= 0,
                ),
                "words": entries(pair.words),
                "phrases": entries(pair.phrases),
            }
            for (one, other), pair in zip(combinations(range(len(systems)), 2), pairs, strict=True)
        ],
        "sources": None if page.sources is None else all_visible(page.sources),
        "written": None if page.written is None else page.written.to_dict(),
        "checks": {
            name: [dict(zip(found, all_visible(found.values()), strict=True)) for found in systems_found]
            for name, systems_found in page.checks.items()
        },
        "metrics": metric_data(page.metrics),
        "groups": [*map(_segment_groups, page.groupings), *map(_word_groups, page.labeled_words)],
        "words": all_visible(vocabulary.words),
        "segments": {
            "references": by_segment(vocabulary.texts(references.texts), firsts),
            "systems": columns(),
        },
    }


def _values(system: Aligned) -> dict[str, Numbers]:
    """Each of `MEASURES` for all segments, as the page filters by it: the score in full precision."""
    scored = system.breakdowns()
    return {name: system.scores if name == "score" else shown(getattr(scored, name)) for name in MEASURES}


def band_ranges() -> list[list[tuple[str, str, str]]]:
    """Text and ends of each band of `bands`, and of `difference_bands` by each of `ZOOMS`.

    An end after ``<`` or ``>`` is no part of it; narrower bands have no end on the outside.
    """
    values = [(band / BANDS, (band + 1) / BANDS) for band in range(BANDS)]
    found = [(f"{low:.2f} to {high:.2f}", f"{low:g}", f"{'<' if high < 1 else ''}{high:g}") for low, high in values]
    return [found, *map(_difference_ranges, ZOOMS)]


def _difference_ranges(zoom: int) -> list[tuple[str, str, str]]:
    half, width = BANDS // 2, 10 * zoom
    places = 1 if zoom == 1 else 2
    ends = [(band / width, (band + 1) / width) for band in range(half)]
    above = [(f"+{low:.{places}f} to +{high:.{places}f}", f">{low:g}", f"{high:g}") for low, high in ends]
    below = [(f"−{high:.{places}f} to −{low:.{places}f}", f"-{high:g}", f"<{-low or 0:g}") for low, high in ends]
    if zoom > 1:
        low, _ = ends[-1]
        above[-1], below[-1] = (f"more than +{low:.2f}", f">{low:g}", ""), (f"less than −{low:.2f}", "", f"<{-low:g}")
    return [*below[::-1], ("no difference", "0", "0"), *above]


def _segment_groups(grouping: Grouping) -> dict[str, Any]:
    return {
        "name": visible(grouping.name),
        "note": GROUP_NOTES[grouping.name] if grouping.ordered else "",
        "labels": [shown_label(label, visible) for label in grouping.labels],
        "places": letters(grouping.places),
        "ordered": grouping.ordered,
        "sizes": grouping.sizes,
        "scores": [[None if isnan(score) else score for score in each] for each in grouping.scores],
    }


def _word_groups(words: LabeledWords) -> dict[str, Any]:
    """A size counts the words of all references that count for any system; a share is None if a system has none."""
    return {
        "name": visible(words.name),
        "note": "Number of reference words with each label, and share of them that are matched.",
        "labels": [shown_label(label, visible) for label in words.labels],
        "places": "",
        "ordered": False,
        "sizes": np.bincount(words.places.flat, minlength=len(words.labels)).tolist(),
        "scores": [
            [part / whole if whole else None for part, whole in zip(*both, strict=True)]
            for both in zip(words.matched, words.sizes, strict=True)
        ],
        "words": by_segment(letter_rows(words.places), words.firsts),
    }
