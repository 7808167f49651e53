"""METEOR as a metric of torchmetrics, summed over batches and processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from hashlib import sha256
from typing import Any, Self

from meteorlib.config.schema import DEFAULT_PRESET, ScorerConfig
from meteorlib.core.statistics import Statistics
from meteorlib.errors import ExtraMissing, InputMismatch
from meteorlib.scorer import Scorer

try:
    import torch
    from torchmetrics import Metric, MetricCollection
    from torchmetrics.utilities import dim_zero_cat
except ModuleNotFoundError as _error:
    raise ExtraMissing(str(_error.name), "torchmetrics") from None

__all__ = ["MeteorScore"]


class MeteorScore(Metric):
    """The corpus score of all segments passed to `update`, in all processes.

    Attributes:
        scorer: the scorer; publish its signature with every score.
        configuration: digest of that signature. In a ``MetricCollection``, metrics with equal states share them; this
            state makes only metrics of the same configuration equal.
        counts: the summed statistics, on the metric's device.
        segment_count: number of segments added.
    """

    is_differentiable: bool = False
    higher_is_better: bool = True
    full_state_update: bool = False
    plot_lower_bound: float = 0.0
    plot_upper_bound: float = 1.0

    configuration: torch.Tensor
    counts: torch.Tensor
    segment_count: torch.Tensor
    sentence_scores: list[torch.Tensor]

    def __init__(
        self,
        preset: str | ScorerConfig = DEFAULT_PRESET,
        return_sentence_level_score: bool = False,
        **kwargs: Any,
    ) -> None:
        """Make the metric.

        Args:
            preset: the preset or configuration to score with.
            return_sentence_level_score: whether `compute` also returns the score of every segment.
            kwargs: see ``torchmetrics.Metric``.
        """
        super().__init__(**kwargs)
        self.scorer: Scorer = Scorer(preset)
        self.return_sentence_level_score = return_sentence_level_score
        digest = list(sha256(str(self.scorer.signature).encode()).digest())
        self.add_state("configuration", torch.tensor(digest), dist_reduce_fx=_common_configuration)
        zero = self.scorer.engine.zero.statistics.counts()
        self.add_state("counts", torch.tensor(zero, dtype=torch.int64), dist_reduce_fx="sum")
        self.add_state("segment_count", torch.tensor(0, dtype=torch.int64), dist_reduce_fx="sum")
        if return_sentence_level_score:
            self.add_state("sentence_scores", [], dist_reduce_fx="cat")

    def update(self, preds: Sequence[str], target: Sequence[str | Sequence[str]]) -> None:
        """Score segments and add them; if there is an error, none of them is added.

        Args:
            preds: the hypotheses.
            target: a reference or a list of references for each hypothesis.

        Raises:
            InputMismatch: the lengths of the lists differ, or a segment has no reference.
            TypeError: a string instead of a list.
        """
        if isinstance(preds, str) or isinstance(target, str):
            raise TypeError("preds and target are lists with one entry for each segment, not strings")
        corpus = self.scorer.corpus(keep_segments=self.return_sentence_level_score).extend(
            references=target, hypotheses=preds
        )
        self.counts = self.counts + self.counts.new_tensor(corpus.statistics.counts())
        self.segment_count = self.segment_count + len(corpus)
        if self.return_sentence_level_score:
            scores = [segment.score for segment in corpus.segments]
            self.sentence_scores.append(self._tensor(scores))

    def compute(self) -> torch.Tensor | tuple[torch.Tensor, torch.Tensor]:
        """Compute the corpus score, 0..1, and the scores of the segments if the metric returns them.

        Raises:
            InputMismatch: no segment was added, or the states belong to another configuration.
        """
        _common_configuration(torch.stack([self._defaults["configuration"], self.configuration]))
        if not int(self.segment_count):
            raise InputMismatch("nothing to score: no segment was added")
        counts = [int(count) for count in self.counts.tolist()]
        scored = self.scorer.breakdown(Statistics.from_counts(counts, len(self.scorer.parameters.weights)))
        score = self._tensor(scored.score)
        return (score, dim_zero_cat(self.sentence_scores)) if self.return_sentence_level_score else score

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Plot the corpus score, or a series of them, without the scores of segments.

        Args:
            val: a result of `compute` or of a call, or a list of results; None plots the result of `compute`.
            ax: matplotlib axes to draw into; None makes new ones.

        Returns:
            The figure (None if `ax` is given) and the axes.

        Raises:
            ModuleNotFoundError: matplotlib is not installed.
        """
        if self.return_sentence_level_score:
            results = self.compute() if val is None else val
            val = [_corpus_score(result) for result in results] if isinstance(results, list) else _corpus_score(results)
        return self._plot(val, ax)

    def _apply(self, fn: Callable[[torch.Tensor], torch.Tensor], exclude_state: Sequence[str] = "") -> Self:
        # states follow to another device, but no cast reaches them: counts are whole numbers, scores are doubles
        device = fn(torch.zeros(1, device=self.device)).device
        moved: Self = super()._apply(lambda state: state.to(device), exclude_state)
        return moved

    def _tensor(self, values: float | list[float]) -> torch.Tensor:
        double = self.device.type != "mps"  # which has no double precision
        return torch.tensor(values, dtype=torch.float64 if double else torch.float32, device=self.device)

    def _sync_dist(self, *args: Any, **kwargs: Any) -> None:
        # for a process without segments torchmetrics would make a tensor of another type than the others send
        if self.return_sentence_level_score and not self.sentence_scores:
            self.sentence_scores = [self._tensor([])]
        super()._sync_dist(*args, **kwargs)


def _corpus_score(result: Any) -> Any:
    return result[0] if isinstance(result, tuple) else result


def _with_name_advice(add_metrics: Callable[..., None]) -> Callable[..., None]:
    """Wrap `MetricCollection.add_metrics`: its error for two METEORs shows how to name them."""

    @wraps(add_metrics)
    def add_named_metrics(collection: Any, metrics: Any, *more: Any) -> None:
        try:
            add_metrics(collection, metrics, *more)
        except ValueError as error:
            if not str(error).endswith(f" both named {MeteorScore.__name__}"):
                raise
            given = (*collection.values(), *(metrics if isinstance(metrics, Sequence) else [metrics]), *more)
            meteors = {id(metric): metric for metric in given if isinstance(metric, MeteorScore)}.values()
            names = [metric.scorer.config.name.replace(".", "_") for metric in meteors]  # keys have no dots
            if len(set(names)) < len(names):
                names = [f"meteor-{number}" for number in range(1, len(names) + 1)]
            named = ", ".join(f'"{name}": MeteorScore(…)' for name in names)
            raise ValueError(f"{error}; give each a name: MetricCollection({{{named}}})") from None

    return add_named_metrics


# torchmetrics names the metrics of a list by their class alone, and asks them for nothing before it refuses the second
MetricCollection.add_metrics = _with_name_advice(MetricCollection.add_metrics)


def _common_configuration(gathered: torch.Tensor) -> torch.Tensor:
    """The common digest of states that are added up; raises `InputMismatch` if there are several."""
    if (gathered != gathered[0]).any():
        raise InputMismatch(
            "states of different METEORs cannot be added up: give all processes, and all metrics of one compute group, "
            "the same preset, version and resources (compare `scorer.signature`)"
        )
    return gathered[0]
