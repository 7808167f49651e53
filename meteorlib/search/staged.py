"""The search of METEOR 2005: most matches, fewest crossings (Banerjee & Lavie 2005, section 2.2).

Stage by stage, it settles words that have no choice. The others, reduced if they are very many (`staged_components`),
are the open words (`staged_words`) of a branch and bound (`staged_branch_and_bound`), whose moves have a cost and must
keep a largest matching within reach (`staged_bipartite`).
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from attrs import frozen

from meteorlib.core.alignment import Candidates, Found
from meteorlib.search import MatchTuple, check_memory, positions, step_budget, words_with_candidates
from meteorlib.search.staged_branch_and_bound import cheapest
from meteorlib.search.staged_components import Groups, components_of, connected_parts
from meteorlib.search.staged_words import NOBODY, Costs, OpenWord, open_words


@frozen
class Staged:
    """Search of METEOR 2005: most matches, then fewest crossings, then fewest chunks.

    Each stage sees the words that no earlier stage matched. It takes the largest set of one-to-one matches; among the
    largest the one with the fewest crossings in the alignment so far; among those the one with the fewest chunks;
    among those the one that is smallest as a list of (reference position, hypothesis position), sorted.

    Most words have no choice: a word that occurs equally often in the reference and in the hypothesis is matched in
    order. The other words are searched. The result is the optimum unless the search exceeded its budget.
    """

    # number of moves that the search of a stage may look at, after a first greedy choice, before it returns the best
    # alignment found. The pairs of words considered are limited to eight per step of the budget
    budget: int = step_budget(200_000)

    def __call__(
        self,
        candidates: Candidates,
        hypothesis_length: int,
        gains: Sequence[object] = (),  # noqa: ARG002 - every search is called alike
    ) -> Found:
        """See `Search`."""
        check_memory(len(candidates) * hypothesis_length // 2, candidates, hypothesis_length)
        partners = [NOBODY] * (len(candidates) + 1)
        matches: list[MatchTuple] = []
        optimal = True
        taken = 0
        for stage, groups in _by_stage(candidates):
            certain, components = _settle(_unmatched_groups(groups, partners, taken) if taken else groups)
            for reference, position in certain:
                partners[reference] = position
            if components:
                matched, proven = _choose(components, partners, self.budget)
                optimal = optimal and proven
                for reference, position in matched:
                    partners[reference] = position
                certain += matched
            for reference, position in certain:
                taken |= 1 << position
                matches.append((reference, 1, position, 1, stage))
        matches.sort()
        return Found(matches, optimal)


def _by_stage(candidates: Candidates) -> list[tuple[int, Groups]]:
    graphs: dict[int, dict[int, list[int]]] = {}
    for here, references in words_with_candidates(candidates, "staged"):
        neighbors: dict[int, int] = {}
        for _, position, _, stage in here:
            neighbors[stage] = neighbors.get(stage, 0) | 1 << position
        for stage, mask in neighbors.items():
            graph = graphs.setdefault(stage, {})
            graph[mask] = sorted(graph[mask] + references) if mask in graph else references
    return sorted(graphs.items())


def _unmatched_groups(groups: Groups, partners: Sequence[int], taken: int) -> Groups:
    unmatched: dict[int, list[int]] = {}
    for neighbors, references in groups.items():
        mask = neighbors & ~taken
        words = [reference for reference in references if partners[reference] == NOBODY]
        if mask and words:
            unmatched[mask] = sorted(unmatched[mask] + words) if mask in unmatched else words
    return unmatched


def _settle(groups: Groups) -> tuple[list[tuple[int, int]], list[tuple[int, Groups]]]:
    """The certain matches, as pairs of positions, and the parts of the graph that leave a choice."""
    certain: list[tuple[int, int]] = []
    choices = []
    for mask, part in connected_parts(groups):
        references = part.get(mask, ())
        if len(part) > 1 or len(references) != mask.bit_count():
            choices.append((mask, part))
        elif len(references) == 1:
            certain.append((references[0], mask.bit_length() - 1))
        else:
            certain += zip(references, positions(mask), strict=True)
    return certain, choices


def _choose(
    choices: Sequence[tuple[int, Groups]], partners: Sequence[int], budget: int
) -> tuple[list[tuple[int, int]], bool]:
    """The best matches of words that have a choice, as pairs of positions, and whether they are proven the best."""
    components, complete = components_of(choices, len(partners), budget)
    costs = Costs(
        partners,
        reach={reference: mask for part in components for reference, mask in part.reaches()},
        scarce={reference: mask for part in components if part.scarce for reference, mask in part.reaches()},
    )
    words: list[OpenWord] = []
    bound = 0
    for component in components:
        more, least = open_words(component, costs)
        words += more
        bound += least
    words.sort(key=attrgetter("reference"))
    solution, proven = cheapest(words, bound, costs.crossing, budget)
    pairs = zip((word.reference for word in words), solution.taken, strict=True)
    proven = proven and complete and all(word.complete for word in words)
    return [(reference, position) for reference, position in pairs if position != costs.behind], proven
