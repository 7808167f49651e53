"""A drop-in for pycocoevalcap's METEOR without Java: same class, checks and scores.

``from meteorlib.integrations.pycocoevalcap import Meteor`` takes the place of
``from pycocoevalcap.meteor.meteor import Meteor``; neither pycocoevalcap nor Java is needed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

from meteorlib.config.schema import ScorerConfig
from meteorlib.core.segment import Pair
from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.scorer import Scorer
from meteorlib.text.validation import check_text

__all__ = ["CaptionMismatch", "Meteor"]

_Image = TypeVar("_Image", bound=Hashable)

SEPARATOR = "|||"
"""Separator of the texts that pycocoevalcap sends to METEOR."""


class CaptionMismatch(InputMismatch, AssertionError):
    """Captions and references that do not match; also an `AssertionError`, as in pycocoevalcap."""


class Meteor:
    """A metric for image captions; safe to share between threads.

    Attributes:
        scorer: the underlying scorer.
    """

    def __init__(self, preset: str | ScorerConfig = "meteor-1.5-en") -> None:
        """Make the metric; the default preset is that of pycocoevalcap.

        Raises:
            UnknownName: an unknown preset.
            ResourceMissing: the preset needs language data that is not installed.
        """
        self.scorer: Scorer = Scorer(preset)

    def compute_score(
        self, gts: Mapping[_Image, Sequence[str]], res: Mapping[_Image, Sequence[str]]
    ) -> tuple[float, list[float]]:
        """Score one caption of each image.

        Args:
            gts: image → its references.
            res: image → a list of one caption.

        Returns:
            The corpus score, and the score of each image in the order of `gts`; 0..1.

        Raises:
            CaptionMismatch: the images differ, or one does not have exactly one caption.
            InputMismatch: there are no images.
            InvalidText: text with NUL or a lone surrogate; ``where`` names the image.
            TypeError: a string where a list of strings is expected.
        """
        if gts.keys() != res.keys():
            only = sorted(map(repr, gts.keys() ^ res.keys()))
            raise CaptionMismatch(f"gts and res must have the same images; {len(only)} differ, e.g. {only[0]}")
        corpus = self.scorer.corpus(keep_segments=False)
        image: _Image | None = None

        def pairs() -> Iterator[Pair]:
            nonlocal image
            for image, references in gts.items():
                yield Pair(*_texts(image, references, res[image]))

        try:
            scores = [corpus.add_breakdown(scored).score for scored in self.scorer.engine.breakdowns(pairs())]
        except InvalidText as error:
            raise InvalidText(f"image {image!r}: {error.where}", error.reason) from None
        return corpus.score().score, scores

    def method(self) -> str:
        """The name of the metric."""
        return "METEOR"


def _texts(image: Hashable, references: Sequence[str], captions: Sequence[str]) -> tuple[list[str], str]:
    """References and hypothesis as METEOR receives them: a separator inside a reference splits it in two."""
    if isinstance(references, str) or isinstance(captions, str):
        raise TypeError(f"image {image!r}: expected lists of captions, got a string")
    if len(captions) != 1:
        raise CaptionMismatch(f"image {image!r} needs exactly one caption in res, got {len(captions)}")
    for text in references:
        check_text(text, "reference")
    check_text(captions[0], "hypothesis")
    caption = captions[0].replace(SEPARATOR, "").replace("  ", " ")
    between = f" {SEPARATOR} "
    *seen, hypothesis = between.join((between.join(references), caption)).split(SEPARATOR)
    return seen, hypothesis
