"""Identification of a published score: the variants of METEOR, with preparation of the text, that reproduce it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Literal, NamedTuple

from attrs import astuple, evolve, field, frozen

from meteorlib.config.builtin import load_preset
from meteorlib.config.resolution import as_config
from meteorlib.config.schema import ParameterConfig, ScorerConfig
from meteorlib.core.breakdown import breakdown
from meteorlib.core.numbers_and_letters import plain
from meteorlib.core.segment import Pair
from meteorlib.core.statistics import Statistics
from meteorlib.corpus.batch import Advance, Pairs
from meteorlib.display.displayable import Grid, Tabular
from meteorlib.display.terminal import align_columns
from meteorlib.display.text import digits, left_out_notes
from meteorlib.errors import ExtraMissing, InputMismatch, MeteorError, ResourceMissing
from meteorlib.scorer import Scorer

if TYPE_CHECKING:
    from meteorlib.arrays import Numbers, SegmentArrays

__all__ = ["Identification", "Reproduction", "identify"]

PRESETS = (
    "meteor-1.5-en", "nltk", "nltk-3.5", "meteor-2005", "meteor-2005-exact", "meteor-1.5-en-core", "meteor-1.5-en-adq",
    "meteor-1.5-en-tune", "meteor-1.5-en-hter", "meteor-1.5-en-util", "meteor-1.5-en-li", "meteor-1.5-en-universal",
)  # fmt: skip
"""Presets that are tried by default: METEORs of others, the most used first."""

TEXTS: Mapping[str, Sequence[str]] = {
    "meteor-1.5": ("norm", "none", "lower", "norm_nopunct", "ptb_norm"),
    "meteor-2005": ("split_lower", "split_lower_nopunct", "word_tokenize", "ptb", "none"),
}
"""Formula of a preset → text modes that are tried besides its own."""

COARSEST = 0.01
"""Rounding error above which a printed score says too little."""

NEAREST = 5
"""Variants that are shown if none reproduces the score."""

ROUNDING = 1e-9
"""Numbers that differ by at most this much are equal."""

Number = str | float


class Printed(NamedTuple):
    """A score as it was printed: its value, 0..1, and how much it may be off by rounding."""

    text: str
    value: float
    error: float

    @classmethod
    def read(cls, number: Number) -> Printed:
        """Read a score; above 1, or with ``%``, it is in percent.

        Raises:
            InputMismatch: it is no number from 0 to 100, or has too few digits.
        """
        text = str(number).strip()
        try:
            value = Decimal(plain(text.removesuffix("%")))
        except (InvalidOperation, ValueError):
            value = Decimal("NaN")
        if not 0 <= (value if value.is_finite() else -1) <= 100:
            raise InputMismatch(f"{text!r} is no score: give it as it is printed, such as 0.2930 or 29.3")
        scale = 100 if value > 1 or text.endswith("%") else 1
        error = Decimal((0, (5,), int(value.as_tuple().exponent) - 1)) / scale
        if error > COARSEST:
            raise InputMismatch(f"{text} has too few digits to identify a METEOR; two after the point are the least")
        return cls(text, float(value / scale), float(error))


@frozen
class Reproduction(Tabular):
    """A variant of METEOR with a preparation of the text, and the score that it gives.

    Attributes:
        preset: name of the preset.
        text: the text mode: how lines are split into words.
        references: the references that count, the best one of each segment or the first.
        of: what is reported, the corpus score or the mean of the segment scores.
        scores: score of each system, 0..1.
        distance: the largest difference from a published score.
        same: other text modes with the same scores.
    """

    _columns = "scores preset text references of distance same"

    preset: str
    text: str
    references: Literal["best", "first"]
    of: Literal["corpus", "mean"]
    scores: tuple[float, ...]
    distance: float
    same: tuple[str, ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        """Options of `meteorlib score` that give the scores; of ``first`` references only these are its input."""
        text = () if self.text == load_preset(self.preset).text else ("--text", self.text)
        return ("--preset", self.preset, *text, *(["--mean"] if self.of == "mean" else []))


@frozen
class Identification(Tabular):
    """Result of `identify`.

    Attributes:
        published: the published scores as they were given.
        found: variants that reproduce all of them within their printed digits, the most usual first.
        nearest: if there are none, the variants with the nearest scores.
        tried: number of variants that were tried.
        left_out: presets and text modes that were not tried, with the reason of each.
    """

    published: tuple[str, ...]
    found: tuple[Reproduction, ...]
    nearest: tuple[Reproduction, ...]
    tried: int
    left_out: Mapping[str, MeteorError] = field(repr=False)

    @property
    def rows(self) -> Grid:
        """A table of the variants found, or of the nearest ones."""
        heads = ["score", "preset", "text", "references", "of", *([] if self.found else ["off by"])]
        width = max(4, *(len(number.removesuffix("%").partition(".")[2]) for number in self.published))
        return [heads] + [
            [
                " ".join(digits(score, width) for score in variant.scores),
                *(variant.preset, variant.text, variant.references, variant.of),
                *([] if self.found else [digits(variant.distance, width)]),
            ]
            for variant in self.found or self.nearest
        ]

    @property
    def sentence(self) -> str:
        """The result in a sentence."""
        published = " with ".join(self.published)
        of = f"of {self.tried} variants"
        if self.found:
            return f"{published}: reproduced by {len(self.found)} {of}"
        return f"{published}: reproduced by none {of}; the nearest are:"

    def __str__(self) -> str:
        return "\n".join([self.sentence, align_columns(self.rows), *left_out_notes(self.left_out)])

    def _grids(self) -> list[Grid]:
        return [self.rows]

    def _fact_rows(self) -> Iterator[tuple[str, str]]:
        yield "result", self.sentence
        yield from (("note", note) for note in left_out_notes(self.left_out))


def identify(
    score: Number | Mapping[str, Number],
    hypotheses: Sequence[str] | Mapping[str, Sequence[str]],
    references: Sequence[str | Sequence[str]],
    *,
    presets: Iterable[str] = PRESETS,
    progress: Advance = lambda _more: None,
) -> Identification:
    """Find the METEOR that gives a published score: preset, preparation of the text, aggregation, references.

    Args:
        score: the score as it is printed, such as ``"0.2930"``, whose last digit is rounded, or ``"29.3"``, in percent;
            for several systems, which all have to fit, the score of each by name.
        hypotheses: the hypotheses; for several systems, those of each by name.
        references: for each segment its reference, or several.
        presets: the presets to try; by default METEORs of others for English.
        progress: callback, called with the number of further presets tried, each with each text mode.

    Raises:
        InputMismatch: a score is not a number, or too coarse; numbers of segments or names of systems differ.
        InvalidText: text with NUL or a lone surrogate.
        UnknownName: no such preset.
    """
    scores = dict(score) if isinstance(score, Mapping) else {"": score}
    systems = dict(hypotheses) if isinstance(hypotheses, Mapping) else {"": hypotheses}
    if scores.keys() != systems.keys() or not scores:
        raise InputMismatch("each system needs a published score and hypotheses, under the same name")
    published = [Printed.read(printed) for printed in scores.values()]
    pairs = [[*Pairs(references, systems[name])] for name in scores]
    if not all(pairs):
        raise InputMismatch("nothing to score: there are no segments")
    tried: list[Reproduction] = []
    left_out: dict[str, MeteorError] = {}
    for configs in _aligned_alike([*dict.fromkeys(presets)]):
        try:
            scorer = Scorer(configs[0])
        except (ResourceMissing, ExtraMissing) as reason:
            for config in configs:
                if config.text == load_preset(config.name).text:
                    left_out[config.name] = reason
                elif config.name not in left_out:
                    left_out[f"text mode {config.text}"] = reason
        else:
            scorer.engine.unseen = 0  # letters of another language are no surprise here
            tried += _reproductions(scorer, configs, pairs, published)
        progress(len(configs))
    return _result(published, tried, left_out)


def preparations(preset: str) -> Sequence[ScorerConfig]:
    """The preset with each text mode that is tried, its own first."""
    config = as_config(preset)
    return [evolve(config, text=text) for text in dict.fromkeys((config.text, *TEXTS.get(config.formula, ())))]


def _aligned_alike(presets: Iterable[str]) -> Iterable[list[ScorerConfig]]:
    """Presets with each text mode, together where alignments are the same and only the formula's numbers differ."""
    groups: dict[ScorerConfig, list[ScorerConfig]] = {}
    for config in (prepared for preset in presets for prepared in preparations(preset)):
        stages = tuple(evolve(stage, weight=1.0) for stage in config.stages)
        alike = evolve(config, name="", description="", source="", stages=stages, parameters=ParameterConfig(0, 0, 0))
        groups.setdefault(config if config.fractional else alike, []).append(config)
    return groups.values()


def _reproductions(
    scorer: Scorer, configs: Sequence[ScorerConfig], systems: Sequence[Sequence[Pair]], published: Sequence[Printed]
) -> Iterator[Reproduction]:
    """Scores under presets that are aligned alike, of the best and the first references, as corpus score and mean."""
    import numpy as np  # noqa: PLC0415 – `from meteorlib import *` does not need it

    from meteorlib.arrays import rescored  # noqa: PLC0415 – as above

    aligned = [_aligned(scorer, pairs) for pairs in systems]
    several = any(len(arrays) > 1 for arrays in aligned)
    for config in configs:
        parameters = config.formula_parameters()
        whiches: Sequence[Literal["best", "first"]] = ("best", "first") if several else ("best",)
        for which in whiches:
            corpora, means = [], []
            for arrays in aligned:
                used = arrays if which == "best" else arrays[:1]
                scores = np.stack([rescored(reference.counts, [parameters])[0] for reference in used])
                scores[np.isnan([reference.scores for reference in used])] = -1
                chosen = _best(used, scores, by_counts=config.ties_by_counts)
                corpora.append(breakdown(chosen.statistics(), parameters).score)
                means.append(float(chosen.scores.mean()))
            reported: Mapping[Literal["corpus", "mean"], list[float]] = {"corpus": corpora, "mean": means}
            for of, values in reported.items():
                if of == "corpus" or max(map(len, systems)) > 1:
                    distance = max(abs(value - number.value) for value, number in zip(values, published, strict=True))
                    yield Reproduction(config.name, config.text, which, of, tuple(values), distance)


def _best(arrays: Sequence[SegmentArrays], scores: Numbers, *, by_counts: bool) -> SegmentArrays:
    """The best reference of each segment; of equal ones as in `meteorlib.core.breakdown.reduce_breakdowns`."""
    import numpy as np  # noqa: PLC0415 – as above

    from meteorlib.arrays import SegmentArrays  # noqa: PLC0415 – as above

    chosen, rows = scores.argmax(axis=0), np.arange(scores.shape[1])
    counts = np.stack([reference.counts for reference in arrays])
    equal = scores == scores[chosen, rows]
    for row in np.flatnonzero(equal.sum(axis=0) > 1) if by_counts else ():
        keys = {
            place: astuple(Statistics.from_counts(counts[place, row].tolist()), recurse=False)
            for place in np.flatnonzero(equal[:, row]).tolist()
        }
        chosen[row] = max(keys, key=keys.__getitem__)
    return SegmentArrays(counts[chosen, rows], scores[chosen, rows])


def _aligned(scorer: Scorer, pairs: Sequence[Pair]) -> list[SegmentArrays]:
    """Statistics with the first reference of each segment, the second, …; scores are NaN where there is none."""
    import numpy as np  # noqa: PLC0415 – as above

    from meteorlib.arrays import SegmentArrays  # noqa: PLC0415 – as above

    most = max(len(pair.references) for pair in pairs)
    found = []
    for index in range(most):
        there = np.array([len(pair.references) > index for pair in pairs])
        arrays = scorer.arrays(
            Pair((pair.references[index if here else 0],), pair.hypothesis)
            for pair, here in zip(pairs, there, strict=True)
        )
        found.append(SegmentArrays(arrays.counts, np.where(there, arrays.scores, np.nan)))
    return found


def _result(
    published: Sequence[Printed], tried: Sequence[Reproduction], left_out: Mapping[str, MeteorError]
) -> Identification:
    distinct: dict[tuple[object, ...], Reproduction] = {}
    for variant in tried:
        key = variant.preset, variant.references, variant.of, tuple(round(score, 12) for score in variant.scores)
        first = distinct.setdefault(key, variant)
        if first is not variant:
            distinct[key] = evolve(first, same=(*first.same, variant.text))
    ranked = sorted(distinct.values(), key=_departures)
    found = [variant for variant in ranked if _reproduces(variant, published)]
    nearest = [] if found else sorted(ranked, key=lambda variant: variant.distance)[:NEAREST]
    return Identification(
        tuple(number.text for number in published), tuple(found), tuple(nearest), len(tried), left_out
    )


def _reproduces(variant: Reproduction, published: Sequence[Printed]) -> bool:
    return all(
        abs(score - number.value) <= number.error + ROUNDING
        for score, number in zip(variant.scores, published, strict=True)
    )


def _departures(variant: Reproduction) -> int:
    """In how many things it differs from the usual run: NLTK's callers report means, METEOR's program corpus scores."""
    usual = "mean" if variant.preset.startswith("nltk") else "corpus"
    return (variant.text != load_preset(variant.preset).text) + (variant.references != "best") + (variant.of != usual)
