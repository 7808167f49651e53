"""Contextual matches: words that mean similar things in their sentences, such as ``buy`` and ``acquire``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from multiprocessing import parent_process
from typing import Any

import numpy as np
from attrs import define, field, frozen
from attrs.validators import ge, instance_of, max_len, min_len
from numpy.typing import NDArray

from meteorlib.arrays import checked_vectors, unit_rows
from meteorlib.core.number_readings import WRITTEN, Number, read_number, unequal
from meteorlib.core.numbers_and_letters import letters_and_digits
from meteorlib.core.parameters import above_0_up_to_1, between_0_and_1
from meteorlib.core.segment import SCALE
from meteorlib.display.text import shorten
from meteorlib.errors import InvalidVectors, MeteorWarning, warn_caller
from meteorlib.matchers.matcher import Comparison, ContextMatcher, Positions

Encode = Callable[[Sequence[Sequence[str]], int, str], Sequence[Any]]
"""Words of texts, hidden layer, device → an array of vectors for each text.

Each word has a vector, all zeros if the encoder does not know the word; the last vector is that of the whole text.
"""

FEW, FEW_PERCENT = 5, 2
"""Unknown words of which nothing is said: fewer than `FEW`, or up to this share of all words."""


@frozen
class ContextualSettings:
    """Settings of the stage ``contextual``."""

    least: float = field(default=0.4, validator=above_0_up_to_1)  # minimum cosine of two words, above 0 and at most 1
    # how much the contexts of equal words count, 0 to 1: a match loses this times 1 − their cosine
    context: float = field(default=0.7, converter=float, validator=between_0_and_1)
    # how much the likeness of the whole sentences counts, 0 to 1: every match loses this times 1 − their cosine
    sentence: float = field(default=0.8, converter=float, validator=between_0_and_1)
    layer: int = field(default=4, validator=ge(1))  # hidden layer of the vectors of words, from 1
    # device of PyTorch that runs the encoder: ``cpu``, ``cuda``, ``cuda:1``, …; in bfloat16: ``cpu-bfloat16``, …
    device: str = field(default="cpu", validator=[instance_of(str), min_len(1), max_len(100)])
    # whether the encoder's mean vectors are subtracted, so that those of unlike words and texts are unlike, too
    center: bool = field(default=False, validator=instance_of(bool), metadata={"optional": True})


@frozen(eq=False)
class Context:
    """The vectors of a segment."""

    words: Sequence[str]  # the words in order
    known: NDArray[np.bool_]  # for each word, whether it has a vector, and a letter or digit: others match only equals
    numbers: Sequence[Number | None]  # for each word, what it is in a number: different numbers do not match
    vectors: NDArray[np.float32]  # a row of length 1 for each word; one without has that of the segment, or all zeros
    sentence: NDArray[np.float32]  # the vector of the whole segment, of the same kind


@frozen(eq=False)
class Measured:
    """Likeness of two segments and of their words, in units of 1/`SCALE`."""

    cosines: NDArray[np.int32]  # of the words, 32 bits each; a row for each reference word
    near: NDArray[np.bool_]  # of the same shape; whether two words match in context
    factor: int  # see `Comparison`


@frozen(eq=False)
class ContextualComparison(Comparison):
    """The cosines of two segments' words."""

    cosines: Sequence[Sequence[int]]  # in units of 1/`SCALE`, a row for each reference word
    near: Sequence[tuple[int, Sequence[int]]]  # see `Comparison.pairs`
    context: int  # share that equal words lose if their contexts have nothing in common, in the same units
    factor: int  # see `Comparison`

    def pairs(self) -> Sequence[tuple[int, Sequence[int]]]:
        """See `Comparison.pairs`."""
        return self.near

    def grade(self, reference: int, hypothesis: int) -> int:
        """See `Comparison.grade`: the cosine."""
        return self.cosines[reference][hypothesis]

    def grade_equal(self, reference: int, hypothesis: int) -> int:
        """See `Comparison.grade_equal`."""
        return _reduced(self.context, self.cosines[reference][hypothesis])


@define
class Contextual(ContextMatcher):
    """Pairs words by the cosine of their vectors in context."""

    encode: Encode  # see `Encode`
    least: float = 0.4  # see `ContextualSettings`; rounded to four digits, like the next two
    context: float = 0.7  # see `ContextualSettings`
    sentence: float = 0.8  # see `ContextualSettings`
    layer: int = 4  # see `ContextualSettings`
    device: str = "cpu"  # see `ContextualSettings`
    center: bool = False  # see `ContextualSettings`
    _width: int = field(init=False, default=0)
    _means: NDArray[np.float32] | None = field(init=False, default=None)  # of words and of texts
    _counted: tuple[int, int] | None = field(init=False, default=(0, 0))  # unknown words and all; None after a warning

    def __attrs_post_init__(self) -> None:
        if self.center:
            find = getattr(self.encode, "center", None)
            if find is None:
                raise InvalidVectors("'center' needs an encoder with a method center(layer), which gives two vectors")
            self._means = checked_vectors(find(self.layer), "the encoder's centers of words and of texts", [2, 0])
            self._width = self._means.shape[1]

    def prepare(self, segments: Sequence[Sequence[str]]) -> None:
        """Encode segments; the encoder remembers them."""
        self.encode(segments, self.layer, self.device)

    @property
    def context_share(self) -> int:
        """`context` in units of 1/`SCALE`."""
        return round(self.context * SCALE)

    def analyze(self, words: Sequence[str], positions: Positions) -> Context:  # noqa: ARG002
        """The vectors of a segment. A word without one has that of the segment, so that equal texts are alike."""
        if not words:
            return Context(words, np.zeros(0, np.bool_), (), np.zeros((0, 1), np.float32), np.zeros(1, np.float32))
        given = [*self.encode([words], self.layer, self.device)]
        if len(given) != 1:
            raise InvalidVectors(
                f"the encoder must give an array of vectors for each text; it gave {len(given)} for one"
            )
        whose = f"the encoder's vectors of {shorten(' '.join(words))!r}, one for each word and the last for the whole,"
        rows = unit_rows(checked_vectors(given[0], whose, [len(words) + 1, self._width]))
        self._width = rows.shape[1]
        if self._means is not None:
            given_rows = np.any(rows, axis=1, keepdims=True)
            means = self._means[[0] * len(words) + [1]]
            rows = unit_rows(np.where(given_rows, rows - means, 0))
        vectors, sentence = rows[:-1], rows[-1]
        known: NDArray[np.bool_] = np.any(vectors, axis=1)
        self._count(known)
        vectors = np.where(known[:, np.newaxis], vectors, sentence)
        lexical = np.array([bool(letters_and_digits(word)) for word in words])
        numbers = [read_number(word.lower()) for word in words]
        return Context(words, known & lexical, numbers, vectors, sentence)

    def _count(self, known: NDArray[np.bool_]) -> None:
        """Count the words that the encoder knows, and warn once if many are unknown to it."""
        if self._counted is None or parent_process() is not None:
            return
        unknown = self._counted[0] + known.size - int(known.sum())
        words = self._counted[1] + known.size
        self._counted = unknown, words
        if unknown >= FEW and 100 * unknown > FEW_PERCENT * words:
            self._counted = None
            warn_caller(
                f"the encoder does not know {unknown} of the first {words} words, which match only equal words; if "
                "these are no emoji and the like, use an encoder for the language of the text (docs/contextual.md)",
                MeteorWarning,
            )

    def measure(self, reference: Context, hypothesis: Context) -> Measured:
        """Measure the cosines of two segments' words, and find those that match."""
        if not reference.words or not hypothesis.words:
            nothing = np.zeros((len(reference.words), len(hypothesis.words)), np.int32)
            return Measured(nothing, nothing.astype(np.bool_), SCALE)
        cosines = _cosines(reference.vectors, hypothesis.vectors)
        able = [one.known & _lacking(one, other) for one, other in ((reference, hypothesis), (hypothesis, reference))]
        near = able[0][:, np.newaxis] & able[1] & (cosines >= round(self.least * SCALE))
        places = [
            [place for place, one in enumerate(side.numbers) if one and one.kind & WRITTEN]
            for side in (reference, hypothesis)
        ]
        for place, start in product(*places):
            near[place, start] &= not unequal([reference.numbers[place]], [hypothesis.numbers[start]])
        sentence = int(_cosines(reference.sentence[np.newaxis], hypothesis.sentence[np.newaxis])[0, 0])
        return Measured(cosines, near, _reduced(round(self.sentence * SCALE), sentence))

    def compare(self, reference: Context, hypothesis: Context) -> ContextualComparison:
        """See `ContextMatcher.compare`."""
        measured = self.measure(reference, hypothesis)
        rows = np.flatnonzero(measured.near.any(axis=1)).tolist()
        pairs = [(place, np.flatnonzero(measured.near[place]).tolist()) for place in rows]
        return ContextualComparison(measured.cosines.tolist(), pairs, self.context_share, measured.factor)


def _lacking(segment: Context, other: Context) -> NDArray[np.bool_]:
    """For each word, whether the other side lacks it: equal words are left to `exact`."""
    words = set(other.words)
    return np.array([word not in words for word in segment.words])


def _cosines(reference: NDArray[np.float32], hypothesis: NDArray[np.float32]) -> NDArray[np.int32]:
    """Cosines of vectors of length 1, rounded to units of 1/`SCALE`; 0 instead of negative ones."""
    # without BLAS, whose threads cost more than they bring here, and whose sums depend on their number
    products = np.einsum("ik,jk->ij", reference, hypothesis).astype(np.float64)
    rounded: NDArray[np.int32] = np.rint(np.clip(products, 0, 1) * SCALE).astype(np.int32)
    return rounded


def _reduced(share: int, cosine: int) -> int:
    """1 less `share` times (1 − the cosine)."""
    return SCALE - share * (SCALE - cosine) // SCALE
