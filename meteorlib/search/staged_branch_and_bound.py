"""Branch and bound over the open reference words, breadth first, for the cheapest choice of matches.

Each open word is a level of the search tree. The number of nodes kept per level is limited; the limit is raised until
no node is lost or the budget is spent (complete anytime beam search, Zhang 1998).
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nsmallest
from math import inf
from typing import Any, NamedTuple

from meteorlib.search.staged_words import OpenWord

Node = tuple[int, int, int, Any]
"""Moves of the words so far: a lower bound of the whole cost, the hypothesis positions taken (a bit set), the position
taken last, and the parent."""

WIDENING = 8
"""Factor by which each search widens the one before."""


class Solution(NamedTuple):
    """A move at every level; of two, the better one is the smaller one."""

    cost: float  # its cost
    taken: tuple[int, ...]  # for each level, the hypothesis position; the one behind the last where nothing is taken


NO_SOLUTION = Solution(inf, ())


def cheapest(levels: Sequence[OpenWord], bound: int, crossing: int, budget: int) -> tuple[Solution, bool]:
    """The cheapest solution (lexicographically smallest if several) and whether it is proven.

    A greedy descent, in which each word makes its cheapest move, gives the first incumbent. Each further search keeps
    eight times the nodes of the one before, without those that cannot beat the incumbent, until a search loses no node
    or the budget is spent.

    `levels` are the open reference words in order, `bound` is a lower bound of the cost, `budget` the number of moves
    that may be looked at after the greedy descent; the last search ends without a result at twice the budget.
    """
    tree = Tree(levels, bound, crossing)
    incumbent, proven = tree.search(1, inf)
    greedy_steps = tree.steps
    limit = greedy_steps + 2 * budget
    width = 1
    while not proven:
        affordable = (budget + greedy_steps - tree.steps) // greedy_steps
        if affordable <= width:
            break
        width = min(WIDENING * width, affordable)
        solution, proven = tree.search(width, incumbent.cost, limit)
        incumbent = min(incumbent, solution)
    return incumbent, proven


class Tree:
    """A search tree, traversed breadth first with a limited number of nodes per level.

    Nodes are kept in the lexicographic order of their moves: they branch in order, moves come in order, and a
    dictionary keeps the order in which its keys were put in. Among nodes that leave the same possibilities, the
    cheapest dominates; among equally cheap ones, the first.

    Attributes:
        steps: number of moves looked at so far.
    """

    def __init__(self, levels: Sequence[OpenWord], bound: int, crossing: int) -> None:
        self.steps: int = 0
        self._levels = levels
        self._root: Node = (bound, 0, -1, None)
        self._crossing = crossing
        self._keys = _dominance_keys(levels)

    def search(self, width: int, incumbent: float, limit: float = inf) -> tuple[Solution, bool]:
        """The best solution found that costs no more than the incumbent, and whether it is proven the best of all.

        Nothing is found where this search and those before it take more than `limit` steps.
        """
        nodes = [self._root]
        dropped: list[float] = []
        for level, (relevant, chained) in zip(self._levels, self._keys, strict=True):
            nodes = self._branch(nodes, level, relevant, chained, incumbent)
            if self.steps > limit:
                return NO_SOLUTION, False
            if len(nodes) > width:
                nodes, bound = _most_promising(nodes, width)
                dropped.append(bound)
            else:
                dropped.append(inf)
        if not nodes:
            return NO_SOLUTION, False
        return _solution(min(nodes, key=_bound), dropped)

    def _branch(
        self, nodes: Sequence[Node], level: OpenWord, relevant: int, chained: bool, incumbent: float
    ) -> list[Node]:
        crossing = self._crossing
        component, crossed = level.component, level.crossed
        children: dict[object, Node] = {}
        for node in nodes:
            bound, taken, last, _ = node
            to_go, moves = level.moves(taken & component)
            self.steps += len(moves) + level.effort
            bound -= to_go
            above = taken & crossed
            for position, bit, cost, neighbor in moves:
                new = bound + cost + crossing * (above >> position).bit_count()
                if neighbor >= 0 and neighbor != last:
                    new += 1
                if new > incumbent:
                    continue
                together = taken | bit
                key = (together & relevant, position) if chained else together & relevant
                known = children.get(key)
                if known is None:
                    children[key] = (new, together, position, node)
                elif new < known[0]:
                    # taken out first, so that the nodes stay in the order of their moves
                    del children[key]
                    children[key] = (new, together, position, node)
        return list(children.values())


def _dominance_keys(levels: Sequence[OpenWord]) -> list[tuple[int, bool]]:
    """For each level: which hypothesis positions still matter after it, and whether its own one does.

    No later word crosses a match, or is kept from a position, that lies before all that later words can take. The
    last position matters where the next reference word is open too: the two may be in one chunk.
    """
    keys = []
    later, following = 0, -1
    for level in reversed(levels):
        keys.append((-(later & -later), level.reference + 1 == following))
        later |= level.reach
        following = level.reference
    return keys[::-1]


def _bound(node: Node) -> int:
    return node[0]


def _most_promising(nodes: Sequence[Node], width: int) -> tuple[list[Node], int]:
    """The nodes of the lowest bounds, of equal ones the first, in order; and the lowest bound of the others."""
    order = nsmallest(width + 1, range(len(nodes)), key=lambda index: nodes[index][0])
    dropped = nodes[order.pop()][0]
    return [nodes[index] for index in sorted(order)], dropped


def _solution(leaf: Node, dropped: Sequence[float]) -> tuple[Solution, bool]:
    """The moves that lead to a leaf, and whether no dropped node could have led to a better one.

    A dropped node with the cost of this leaf as its bound could have led to a lexicographically smaller one of that
    cost, unless the kept node had the same bound: it was kept because it was the smaller one.
    """
    cost = leaf[0]
    taken = []
    proven = True
    for lost in reversed(dropped):
        bound, _, position, parent = leaf
        proven = proven and (lost > cost or lost == bound == cost)
        taken.append(position)
        leaf = parent
    return Solution(cost, tuple(reversed(taken))), proven
