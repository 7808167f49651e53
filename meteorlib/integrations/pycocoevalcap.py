"""A drop-in for pycocoevalcap's METEOR and tokenizer without Java: same classes, checks, tokens and scores.

``from meteorlib.integrations.pycocoevalcap import Meteor, PTBTokenizer`` takes the place of
``from pycocoevalcap.meteor.meteor import Meteor`` and
``from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer``; neither pycocoevalcap nor Java is needed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

from meteorlib.config.schema import ScorerConfig
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.segment import Pair
from meteorlib.errors import InputMismatch, InvalidText, error_at
from meteorlib.scorer import Scorer
from meteorlib.text.ptb import PTB
from meteorlib.text.validation import check_text

__all__ = ["CaptionMismatch", "Meteor", "PTBTokenizer"]

_Image = TypeVar("_Image", bound=Hashable)

SEPARATOR = "|||"
"""Separator of the texts that pycocoevalcap sends to METEOR."""


class CaptionMismatch(InputMismatch, AssertionError):
    """Captions and references that do not match; also an `AssertionError`, as in pycocoevalcap."""


class PTBTokenizer:
    """pycocoevalcap's tokenizer: the tokens of Stanford's PTBTokenizer 3.4.1, in lowercase and without punctuation.

    As there, all captions are lines of one file, in which the tokens of a caption can depend on the next one. A line
    break in a caption is a blank.
    """

    def __init__(self) -> None:
        self._text = PTB()

    def tokenize(self, captions_for_image: Mapping[_Image, Sequence[Mapping[str, str]]]) -> dict[_Image, list[str]]:
        """Tokenize the captions of each image.

        Args:
            captions_for_image: image → its captions, as dictionaries with the key ``caption``.

        Returns:
            Image → its captions, with tokens separated by blanks; images without captions are left out.

        Raises:
            InvalidText: text with a lone surrogate or too long for a caption; ``where`` names the image.
            TypeError: a caption that is not a string.
        """
        images, texts = [], []
        for image, captions in captions_for_image.items():
            for caption in captions:
                try:
                    text = caption["caption"]
                    check_text(text.replace("\0", " ") if isinstance(text, str) else text, "caption")
                except (InvalidText, TypeError) as error:
                    raise error_at(f"image {image!r}: ", error) from None
                images.append(image)
                texts.append(text)
        tokenized: dict[_Image, list[str]] = {}
        for image, words in zip(images, self._text.file_words(texts), strict=True):
            tokenized.setdefault(image, []).append(" ".join(words))
        return tokenized


class _Process:
    """The process of METEOR that pycocoevalcap starts; there is none here, so it need not be ended."""

    def kill(self) -> None:
        """Do nothing."""

    terminate = kill

    def wait(self, timeout: float | None = None) -> int:  # noqa: ARG002 – as in subprocess
        """The exit status 0."""
        return 0


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
        self.meteor_p: _Process = _Process()

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
            raise error_at(f"image {image!r}: ", error) from None
        return corpus.score().score, scores

    def method(self) -> str:
        """The name of the metric."""
        return "METEOR"

    def __str__(self) -> str:
        return self.method()

    def close(self) -> None:
        """Do nothing: there is no process to end."""

    def _score(self, hypothesis_str: str, reference_list: Sequence[str]) -> float:
        return self._breakdown(hypothesis_str, reference_list).score

    def _stat(self, hypothesis_str: str, reference_list: Sequence[str]) -> str:
        """METEOR's 23 numbers of one caption, in a line."""
        return self._breakdown(hypothesis_str, reference_list).statistics.line()

    def _breakdown(self, caption: str, references: Sequence[str]) -> ScoreBreakdown:
        return self.scorer.engine.score(Pair(*_texts("", references, [caption])))


def _texts(image: Hashable, references: Sequence[str], captions: Sequence[str]) -> tuple[list[str], str]:
    """References and hypothesis as METEOR receives them: a separator inside a reference splits it in two."""
    if isinstance(references, str) or isinstance(captions, str):
        raise TypeError(f"image {image!r}: expected lists of captions, got a string")
    if len(captions) != 1:
        raise CaptionMismatch(f"image {image!r} needs exactly one caption in res, got {len(captions)}")
    for text in references:
        check_text(text, "reference")
    check_text(captions[0], "hypothesis")
    # the line that pycocoevalcap sends, as METEOR divides it: separators are removed from captions, not from references
    caption = captions[0].replace(SEPARATOR, "").replace("  ", " ")
    between = f" {SEPARATOR} "
    *seen, hypothesis = between.join((between.join(references), caption)).split(SEPARATOR)
    return seen, hypothesis
