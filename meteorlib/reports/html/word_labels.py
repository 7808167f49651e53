"""Words of references by their labels, such as parts of speech, and how many of them each system matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from functools import cache
from itertools import chain, pairwise
from typing import Any, Self

import numpy as np
from attrs import frozen

from meteorlib.core.safe_text import visible
from meteorlib.errors import InputMismatch
from meteorlib.reports.groups import shown_label
from meteorlib.reports.html.aligned import Aligned, Words
from meteorlib.reports.html.encoding import letter_rows
from meteorlib.reports.html.ragged import Integers, Ragged
from meteorlib.reports.html.segments import References
from meteorlib.reports.html.written import Written


@frozen(eq=False)
class LabeledWords:
    """Words of the references by label, with counts, and the share of them that each system matches.

    Attributes:
        name: kind of the labels: ``pos``, ``entity``, …
        labels: the labels, in order of appearance.
        places: for each of `References.texts`, the index of the label of each word.
        sizes: for each system, the number of words with each label in the references that count.
        matched: for each system, the number of them that are matched.
        firsts: see `References.firsts`.
    """

    name: str
    labels: Sequence[str]
    places: Ragged
    sizes: Sequence[Sequence[int]]
    matched: Sequence[Sequence[int]]
    firsts: Integers

    @classmethod
    def all(cls, written: Written, systems: Sequence[Aligned], references: References) -> list[Self]:
        """Label the words of the references by each kind of labels of `written`.

        Raises:
            InputMismatch: a reference has more or fewer tokens than labels.
        """
        if not written.labels:
            return []
        numbers = np.zeros(len(references.texts), np.int64)
        for system, used in reversed([*zip(systems, references.used, strict=True)]):
            numbers[used] = system.reference_index
        rows = [*zip(references.segments.tolist(), numbers.tolist(), strict=True)]
        owners = _owners([written.references[segment][number] for segment, number in rows], systems[0], references)
        return [
            cls._of(name, [given[segment][number] for segment, number in rows], owners, systems, references)
            for name, given in written.labels.items()
        ]

    @classmethod
    def _of(
        cls,
        name: str,
        given: Sequence[str],
        owners: Sequence[Sequence[int]],
        systems: Sequence[Aligned],
        references: References,
    ) -> Self:
        found: dict[str, int] = {}
        flat: list[int] = []
        for row, (labels, tokens) in enumerate(zip(given, owners, strict=True)):
            *tokens, count = tokens  # noqa: PLW2901
            named = labels.split()
            if len(named) != count:
                segment = int(references.segments[row]) + 1
                raise InputMismatch(f"segment {segment}: {len(named)} {name} labels for {count} tokens")
            flat += [found.setdefault(named[token] if named else "", len(found)) for token in tokens]
        places = Ragged(np.array(flat, np.int64), references.texts.starts)
        sizes, matched = [], []
        for system, used in zip(systems, references.used, strict=True):
            own = places.take(used).flat
            sizes.append(np.bincount(own, minlength=len(found)).tolist())
            matched.append(np.bincount(own[system.covered()], minlength=len(found)).tolist())
        return cls(name, list(found), places, sizes, matched, references.firsts)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for the page.

        A size counts the words of all references that count for any system; a share is None if a system has no words.
        """
        rows = letter_rows(self.places)
        return {
            "name": visible(self.name),
            "note": "Number of reference words with each label, and share of them that are matched.",
            "labels": [shown_label(label, visible) for label in self.labels],
            "places": "",
            "ordered": False,
            "sizes": np.bincount(self.places.flat, minlength=len(self.labels)).tolist(),
            "scores": [
                [part / whole if whole else None for part, whole in zip(*both, strict=True)]
                for both in zip(self.matched, self.sizes, strict=True)
            ],
            "words": [rows[first:end] for first, end in pairwise([*self.firsts.tolist(), len(rows)])],
        }


def _owners(texts: Sequence[str], system: Aligned, references: References) -> list[list[int]]:
    """For each text, the index of the token of each word, and at the end the number of tokens."""
    engine, known = system.corpus.engine, system.words()
    words_of: Callable[[str], Words] = cache(lambda token: engine.read(token).words)
    words, starts = references.texts.flat.tolist(), references.texts.starts.tolist()
    found = []
    for text, (first, end) in zip(texts, pairwise(starts), strict=True):
        tokens = text.split()
        found.append([*token_owners([*map(words_of, tokens)], [known[word] for word in words[first:end]]), len(tokens)])
    return found


def token_owners(tokens: Sequence[Words], words: Sequence[str]) -> list[int]:
    """Index of the token of each word of a text.

    Args:
        tokens: the words of each token alone. In the text they may differ, because of its neighbors.
        words: the words of the text. A word joined from several tokens belongs to the first.
    """
    alone = [*chain.from_iterable(tokens)]
    owners = [place for place, token in enumerate(tokens) for _ in token]
    if alone == words:
        return owners
    found: list[int] = []
    for _, first, end, start, stop in SequenceMatcher(None, alone, words, autojunk=False).get_opcodes():
        last = max(end - 1, 0)  # of an inserted word, the place before it
        found += [owners[min(first + step, last)] if owners else 0 for step in range(stop - start)]
    return found
