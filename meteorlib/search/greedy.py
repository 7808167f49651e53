"""The search of NLTK 3.10's METEOR: stage by stage, from the last word of the hypothesis to the first."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from attrs import frozen

from meteorlib.core.alignment import Candidates, Found
from meteorlib.search import MatchTuple, words_with_candidates


@frozen
class Greedy:
    """Search that finds the same alignment as ``nltk.translate.meteor_score``.

    Each stage goes through the hypothesis from its end and gives each free word the last free reference word that the
    stage proposes for it. There is no objective: another choice may match more words, or have fewer crossings or
    chunks.
    """

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
            # backwards, as NLTK does: no better order is tried, because NLTK's scores depend on this one
            for position in sorted(partners, reverse=True):
                last = max((free for free in partners[position] if free), key=itemgetter(-1), default=None)
                if last is not None and not taken[position]:
                    taken[position] = True
                    matches.append((last.pop(), 1, position, 1, stage))
        matches.sort()
        return Found(matches, optimal=True)


def _by_stage(candidates: Candidates) -> list[tuple[int, dict[int, list[list[int]]]]]:
    """Free reference positions proposed for each hypothesis position, for each stage in order.

    Reference positions with the same candidates share one ascending list, in all stages. Positions are only taken from
    its end, so all that remain are free.
    """
    stages: dict[int, dict[int, list[list[int]]]] = {}
    for here, references in words_with_candidates(candidates, "greedy"):
        for _, position, _, stage in here:
            stages.setdefault(stage, {}).setdefault(position, []).append(references)
    return sorted(stages.items())
