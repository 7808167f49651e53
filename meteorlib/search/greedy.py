"""The searches of NLTK's METEOR: stage by stage, from the last word of the hypothesis to the first."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from operator import itemgetter
from typing import ClassVar

from attrs import frozen

from meteorlib.core.alignment import Candidates, Found
from meteorlib.search import MatchTuple, words_with_candidates

Partners = dict[int, list[list[int]]]
"""Hypothesis position → the lists of free reference positions that a stage proposes for it."""


@frozen
class Greedy:
    """Search that finds the same alignment as ``nltk.translate.meteor_score``.

    Each stage goes through the hypothesis from its end and gives each free word the last free reference word that the
    stage proposes for it. There is no objective: another choice may match more words, or have fewer crossings or
    chunks.
    """

    again: ClassVar[bool] = False

    def __call__(
        self,
        candidates: Candidates,
        hypothesis_length: int,
        gains: Sequence[object] = (),  # noqa: ARG002 - every search is called alike
    ) -> Found:
        """See `Search`; always `optimal`: this search has no budget to hit."""
        matches: list[MatchTuple] = []
        taken = [False] * hypothesis_length
        for stage, partners in _by_stage(candidates):
            # a copy keeps which positions share a list
            alone = self.again and stage
            matches += _matched(stage, *((deepcopy(partners), taken.copy()) if alone else (partners, taken)))
        matches.sort(key=itemgetter(2, 4) if self.again else None)
        return Found(matches, optimal=True)


@frozen
class GreedyAgain(Greedy):
    """Search that finds the same matches as NLTK's METEOR up to 3.6.2, which are not one to one.

    Every stage sees all words that the first one left: "cats" and "cat" match by their stem, then again by a lemma, and
    count twice. So precision, recall and score can be greater than 1. The order of the hypothesis gives the chunks.
    """

    again = True


def _matched(stage: int, partners: Partners, taken: list[bool]) -> list[MatchTuple]:
    """The matches of a stage; they are removed from the free positions, and noted as taken."""
    matches = []
    # backwards, as NLTK does: no better order is tried, because NLTK's scores depend on this one
    for position in sorted(partners, reverse=True):
        last = max((free for free in partners[position] if free), key=itemgetter(-1), default=None)
        if last is not None and not taken[position]:
            taken[position] = True
            matches.append((last.pop(), 1, position, 1, stage))
    return matches


def _by_stage(candidates: Candidates) -> list[tuple[int, Partners]]:
    """Free reference positions proposed for each hypothesis position, for each stage in order.

    Reference positions with the same candidates share one ascending list, in all stages. Positions are only taken from
    its end, so all that remain are free.
    """
    stages: dict[int, Partners] = {}
    for here, references in words_with_candidates(candidates, "greedy"):
        for _, position, _, stage in here:
            stages.setdefault(stage, {}).setdefault(position, []).append(references)
    return sorted(stages.items())
