"""METEOR as a metric of sacrebleu, with sacrebleu's confidence intervals and paired tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from meteorlib.config.schema import DEFAULT_PRESET, ScorerConfig
from meteorlib.core.statistics import Statistics
from meteorlib.errors import ExtraMissing, InputMismatch, InvalidText, error_at
from meteorlib.scorer import Scorer
from meteorlib.text.validation import check_has_references, check_text

try:
    from sacrebleu.metrics.base import Metric, Score, Signature
except ModuleNotFoundError as _error:
    raise ExtraMissing(str(_error.name), "sacrebleu") from None

__all__ = ["METEOR", "METEORScore", "METEORSignature"]


class METEORSignature(Signature):
    """A sacrebleu signature with the fields of the scorer's signature."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        fields = dict(field.split(":", 1) for field in str(args["scorer"].signature).split("|"))
        fields["scorer"] = fields.pop("version")
        for key, value in fields.items():
            self.update(key, value)
            self._abbr[key] = key


class METEORScore(Score):
    """A score between 0 and 1."""

    def __init__(self, score: float) -> None:
        super().__init__("METEOR", score)

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """Format the score like sacrebleu, with two more digits than `width`: its own metrics range up to 100."""
        return str(super().format(width + 2, score_only, signature, is_json))


class METEOR(Metric):
    """METEOR as a sacrebleu metric: each item of `references` in ``corpus_score`` is a whole document."""

    _SIGNATURE_TYPE = METEORSignature

    def __init__(
        self,
        preset: str | ScorerConfig = DEFAULT_PRESET,
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        """Make the metric.

        Args:
            preset: the preset or configuration to score with.
            references: references for calls that give none.

        Raises:
            InputMismatch: documents of different lengths.
        """
        super().__init__()
        self.scorer: Scorer = Scorer(preset)
        if references is not None:
            self._ref_cache = self._cache_references(references)

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> METEORScore:
        """Score one segment against its references."""
        if isinstance(references, Sequence):
            check_has_references(references)
        self._check_sentence_score_args(hypothesis, references)
        (known,) = self._cache_references([[reference] for reference in references])
        return METEORScore(self.scorer.score(known["references"], hypothesis).score)

    def _check_corpus_score_args(self, hyps: Sequence[str], refs: Sequence[Sequence[str | None]] | None) -> None:
        # sacrebleu itself looks at the first of each
        if isinstance(hyps, Sequence) and not hyps:
            raise InputMismatch("nothing to score: there is no hypothesis")
        if isinstance(refs, Sequence) and not refs:
            raise InputMismatch(
                "no references: expected a list of documents, each with a reference for each hypothesis"
            )
        if isinstance(refs, Sequence) and isinstance(refs[0], Sequence) and not refs[0]:
            raise _lengths_differ(0, len(hyps))
        super()._check_corpus_score_args(hyps, refs)

    def _cache_references(self, references: Sequence[Sequence[str | None]]) -> Any:
        lengths = sorted({len(document) for document in references})
        if len(lengths) > 1:
            raise InputMismatch(
                f"documents of {lengths[0]} and {lengths[-1]} references: each needs one for each segment"
            )
        return super()._cache_references(references)

    def _preprocess_segment(self, sent: str) -> str:
        return sent

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"references": list(refs)}

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> Any:
        if any(isinstance(stream, str) for stream in references or ()):
            raise TypeError("METEOR: `refs` should be a sequence of sequence of strings.")
        # sacrebleu itself would end with the shortest of them
        for document in references or ([self._ref_cache] if self._ref_cache else []):
            if len(document) != len(hypotheses):
                raise _lengths_differ(len(document), len(hypotheses))
        segment = 0

        def checked_hypotheses() -> Iterator[str]:
            nonlocal segment
            for hypothesis in hypotheses:
                segment += 1
                check_text(hypothesis, "hypothesis")
                yield hypothesis

        try:
            return super()._extract_corpus_statistics(checked_hypotheses(), references)
        except (InputMismatch, InvalidText, TypeError) as error:
            raise error_at(f"segment {segment}: ", error) from None

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[int]:
        return list(self.scorer.score(ref_kwargs["references"], hypothesis).statistics.counts())

    def _compute_score_from_stats(self, stats: Sequence[float]) -> METEORScore:
        # samples are drawn in single precision
        scorer = self.scorer
        statistics = Statistics.from_counts([round(count) for count in stats], len(scorer.parameters.weights))
        return METEORScore(scorer.breakdown(statistics).score)

    def _aggregate_and_compute(self, stats: Sequence[Sequence[float]]) -> METEORScore:
        return self._compute_score_from_stats([sum(column) for column in zip(*stats, strict=True)])


def _lengths_differ(references: int, hypotheses: int) -> InputMismatch:
    return InputMismatch(f"{references} references but {hypotheses} hypotheses: each needs its own")
